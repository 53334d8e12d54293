//! Events and market data.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::Timestamp;
use api::response::EventResolution;
use api::terms::{Currency, Engine, EventType, HistoryPeriod, Status, TradesEngine};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::market::Market;
use crate::models::{Book, LeanEvent, PricePoint, Series, Trade, Version};
use crate::pager::{Pager, Source};
use crate::query::{Query, segment};
use crate::request::{Access, Request};
use crate::wire::Answer;

/// Which events to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilters {
    /// Part of the title, in any case.
    pub keyword: Option<String>,
    /// Words in any order in titles, descriptions, outcomes and hashtags, the best matches first.
    pub q: Option<String>,
    /// Such as sports.
    pub category: Option<String>,
    /// In any case.
    pub subcategory: Option<String>,
    /// Open, closed…
    pub status: Option<Status>,
    /// How the markets hang together.
    pub event_type: Option<EventType>,
    /// Book or pool.
    pub engine: Option<Engine>,
    /// The most traded first.
    pub trending: bool,
    /// Only events that you watch.
    pub watchlist: bool,
    /// Only events of this series.
    pub series_slug: Option<String>,
    /// Only events of this game.
    pub sport_game_slug: Option<String>,
    /// Another currency than the client's. Only events that trade in it are listed.
    pub currency: Option<Currency>,
}

/// Which trades to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TradeFilters {
    /// Trades of books by default; AMM for pools, or ALL.
    pub engine: Option<TradesEngine>,
    /// Only trades of this market.
    pub market_id: Option<Uuid>,
    /// Only trades of this order.
    pub order_id: Option<Uuid>,
    /// Only trades of this outcome.
    pub outcome_id: Option<Uuid>,
    /// Only trades of this user.
    pub user_id: Option<Uuid>,
    /// At or after.
    pub from_date: Option<Timestamp>,
    /// At or before.
    pub to_date: Option<Timestamp>,
}

/// A market's changes, as far as `market` needs them.
#[derive(Deserialize)]
struct Changes {
    changes: Vec<Change>,
}

#[derive(Deserialize)]
struct Change {
    data: Names,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Names {
    event_id: Uuid,
    market_id: Uuid,
}

#[derive(Deserialize)]
struct History {
    markets: Vec<MarketHistory>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MarketHistory {
    market_id: Uuid,
    price_history: Vec<PricePoint>,
}

impl Client {
    /// An event by its slug or its id.
    pub async fn event(&self, name: &str) -> Result<Event> {
        let path = match Uuid::parse_str(name) {
            Ok(id) => format!("/v1/pm/events/{id}"),
            Err(_) => format!("/v1/pm/events/slug/{}", segment(name)?),
        };
        let query = Query::default().with("currency", self.currency());
        let answer = self.send(&Request::get(path, &query, Access::Public)).await?;
        let event = Event::read(self, &answer.body, self.currency(), answer.as_of);
        event.map_err(|error| answer.unreadable(&error))
    }

    /// A market by its id.
    pub async fn market(&self, market_id: Uuid) -> Result<Market> {
        let query = Query::default().with("currency", self.currency());
        let path = format!("/v1/pm/markets/{market_id}/changes");
        let answer = self.send(&Request::get(path, &query, Access::Public)).await?;
        let Changes { changes } = answer.read()?;
        let missing = || Error::Missing(format!("the changes of market {market_id} have no snapshot"));
        let Names { event_id, market_id } = changes.into_iter().next().ok_or_else(missing)?.data;
        self.event(&event_id.to_string()).await?.into_market(market_id)
    }

    /// Events.
    pub fn events(&self, filters: EventFilters) -> Pager<Event> {
        let currency = filters.currency.unwrap_or(self.currency());
        let query = Query::default()
            .and("keyword", filters.keyword)
            .and("q", filters.q)
            .and("category", filters.category)
            .and("subcategory", filters.subcategory)
            .and("status", filters.status)
            .and("type", filters.event_type)
            .and("engine", filters.engine)
            .and("trending", filters.trending.then_some(true))
            .and("watchlist", filters.watchlist.then_some(true))
            .and("seriesSlug", filters.series_slug)
            .and("sportGameSlug", filters.sport_game_slug)
            .with("currency", currency);
        let client = self.clone();
        let source = Source {
            path: "/v1/pm/events",
            key: "events",
            query,
            access: Access::Public,
            size: 25,
            build: Arc::new(move |row, answer| Event::read(&client, row, currency, answer.as_of)),
        };
        Pager::new(self.clone(), source)
    }

    /// Series of events, such as one for each hour of a price.
    pub fn series(&self) -> Pager<Series> {
        self.rows("/v1/pm/events/series", "series", Query::default(), Access::Public, 50)
    }

    /// The current events of a series, the oldest first.
    pub async fn series_events(&self, slug: &str) -> Result<Vec<LeanEvent>> {
        let path = format!("/v1/pm/events/series/{}/lean-events", segment(slug)?);
        self.send(&Request::get(path, &Query::default(), Access::Public)).await?.read()
    }

    /// How an event ends or ended: its rules and their hash, the proposal, every verdict with its evidence.
    pub async fn resolution(&self, event_id: Uuid) -> Result<EventResolution> {
        let path = format!("/v1/pm/events/{event_id}/resolution");
        self.send(&Request::get(path, &Query::default(), Access::Public)).await?.read()
    }

    /// The accounts of the exchange and their backing, as JSON (docs/proofs.md).
    pub async fn solvency(&self) -> Result<Value> {
        self.send(&Request::read("/v1/pm/solvency", Access::Public)).await?.read()
    }

    /// The books of several outcomes, all at one sequence, with at most `depth` levels on each side.
    pub async fn books(&self, outcome_ids: &[Uuid], depth: u32) -> Result<Vec<Book>> {
        let ids: Vec<_> = outcome_ids.iter().map(ToString::to_string).collect();
        let query = Query::default()
            .with("outcomeId[]", ids.join(","))
            .with("depth", depth)
            .with("currency", self.currency());
        let request = Request::get("/v1/pm/books".to_owned(), &query, Access::Public);
        let answer = self.send(&request).await?;
        let books: Vec<Book> = answer.read()?;
        Ok(books.into_iter().map(|book| Book { as_of: answer.as_of, ..book }).collect())
    }

    /// Trades, the newest first.
    pub fn trades(&self, filters: TradeFilters) -> Pager<Trade> {
        let query = Query::default()
            .and("engine", filters.engine)
            .and("marketId", filters.market_id)
            .and("orderId", filters.order_id)
            .and("outcomeId", filters.outcome_id)
            .and("userId", filters.user_id)
            .and("fromDate", filters.from_date)
            .and("toDate", filters.to_date);
        self.rows("/v1/pm/trades", "data", query, Access::Public, 100)
    }

    /// Prices of each market's first outcome over a period that ends now, by market id.
    pub async fn price_history(
        &self,
        event_id: Uuid,
        period: HistoryPeriod,
    ) -> Result<BTreeMap<Uuid, Vec<PricePoint>>> {
        let query = Query::default().with("timePeriod", period).with("currency", self.currency());
        let path = format!("/v1/pm/events/{event_id}/price-history");
        let History { markets } = self.send(&Request::get(path, &query, Access::Public)).await?.read()?;
        Ok(markets.into_iter().map(|market| (market.market_id, market.price_history)).collect())
    }

    /// The build of the exchange.
    pub async fn version(&self) -> Result<Version> {
        self.send(&Request::read("/version", Access::Public)).await?.read()
    }

    /// A list of plain rows.
    pub(super) fn rows<T: DeserializeOwned + 'static>(
        &self,
        path: &'static str,
        key: &'static str,
        query: Query,
        access: Access,
        size: u32,
    ) -> Pager<T> {
        let build = Arc::new(|row: &str, _: &Answer| serde_json::from_str(row));
        Pager::new(self.clone(), Source { path, key, query, access, size, build })
    }
}
