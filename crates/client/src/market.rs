//! A question with two outcomes.

use std::ops::Deref;

use api::Timestamp;
use api::terms::{CandleInterval, Currency, OutcomeSide};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::calls::{OrderFilters, TradeFilters};
use crate::client::Client;
use crate::error::{Error, Result};
use crate::event::is_equal;
use crate::models::{Candle, MarketData, Minted, Trade};
use crate::new_order::CancelConditions;
use crate::number;
use crate::order::Order;
use crate::outcome::Outcome;
use crate::pager::Pager;
use crate::query::Query;
use crate::request::{Access, Request};
use crate::stream::MarketStream;

/// A market that was read: `market.yes()` and `market.no()`. Its fields are those of `MarketData`.
#[derive(Clone, Debug)]
pub struct Market {
    client: Client,
    data: MarketData,
    event_id: Uuid,
    currency: Currency,
}

impl Deref for Market {
    type Target = MarketData;

    fn deref(&self) -> &MarketData {
        &self.data
    }
}

/// Which candles to read. By default one for each hour, of YES.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CandleSpan {
    /// The length of a candle.
    pub interval: Option<CandleInterval>,
    /// The outcome.
    pub outcome: Option<OutcomeSide>,
    /// At or after.
    pub since: Option<Timestamp>,
    /// At or before.
    pub until: Option<Timestamp>,
}

#[derive(Serialize)]
struct Sets {
    #[serde(with = "number")]
    quantity: Decimal,
    currency: Currency,
}

#[derive(Deserialize)]
struct Candles {
    candles: Vec<Candle>,
}

impl Market {
    pub(crate) fn new(client: Client, data: MarketData, event_id: Uuid, currency: Currency) -> Market {
        Market { client, data, event_id, currency }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// The id of the market's event.
    pub fn event_id(&self) -> Uuid {
        self.event_id
    }

    /// The currency that the market was read in, and that its methods trade in.
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// The fields alone.
    pub fn data(&self) -> &MarketData {
        &self.data
    }

    /// The first outcome, whatever its label.
    pub fn yes(&self) -> Outcome<'_> {
        Outcome::new(self, OutcomeSide::Yes)
    }

    /// The second outcome.
    pub fn no(&self) -> Outcome<'_> {
        Outcome::new(self, OutcomeSide::No)
    }

    /// The outcome with this label, such as "Up", or YES or NO.
    pub fn outcome(&self, label: &str) -> Result<Outcome<'_>> {
        let is_it = |outcome: &Outcome<'_>| {
            is_equal(label, outcome.label()) || is_equal(label, &outcome.side().to_string())
        };
        [self.yes(), self.no()].into_iter().find(is_it).ok_or_else(|| {
            let MarketData { title, outcome1_label, outcome2_label, .. } = &self.data;
            Error::Missing(format!(
                "{title} has the outcomes {outcome1_label} and {outcome2_label}, not {label}"
            ))
        })
    }

    /// Reads the market again: prices, status, result.
    pub async fn refresh(&mut self) -> Result<()> {
        let client = self.client.in_currency(self.currency);
        *self = client.event(&self.event_id.to_string()).await?.into_market(self.id)?;
        Ok(())
    }

    /// Turns money into pairs of YES and NO shares.
    pub async fn mint(&self, amount: impl Into<Decimal>) -> Result<Minted> {
        self.sets("mint", amount.into(), None).await
    }

    /// Like `mint`, with an idempotency key of your own, which lives for a day.
    pub async fn mint_keyed(&self, amount: impl Into<Decimal>, key: &str) -> Result<Minted> {
        self.sets("mint", amount.into(), Some(key)).await
    }

    /// Turns pairs of YES and NO shares into this much money.
    pub async fn burn(&self, amount: impl Into<Decimal>) -> Result<Minted> {
        self.sets("burn", amount.into(), None).await
    }

    /// Like `burn`, with an idempotency key of your own, which lives for a day.
    pub async fn burn_keyed(&self, amount: impl Into<Decimal>, key: &str) -> Result<Minted> {
        self.sets("burn", amount.into(), Some(key)).await
    }

    async fn sets(&self, verb: &str, quantity: Decimal, key: Option<&str>) -> Result<Minted> {
        let path = format!("/v1/pm/markets/{}/{verb}", self.id);
        let body = Sets { quantity, currency: self.currency };
        self.client.send(&Request::keyed_write(&path, &body, key)?).await?.read()
    }

    /// Cancels your open orders in this market and currency, and returns them.
    pub async fn cancel_all(&self) -> Result<Vec<Order>> {
        let conditions =
            CancelConditions { market_id: Some(self.id), currency: Some(self.currency), event_id: None };
        self.client.cancel_all(&conditions).await
    }

    /// The market's trades, the newest first.
    pub fn trades(&self) -> Pager<Trade> {
        self.client.trades(TradeFilters { market_id: Some(self.id), ..TradeFilters::default() })
    }

    /// Your orders in this market, the newest first.
    pub fn orders(&self, filters: OrderFilters) -> Pager<Order> {
        self.client.orders(OrderFilters { market_id: Some(self.id), ..filters })
    }

    /// Open, high, low, close and volume of each interval, the oldest first.
    pub async fn candles(&self, span: CandleSpan) -> Result<Vec<Candle>> {
        let query = Query::default()
            .with("interval", span.interval.unwrap_or(CandleInterval::OneHour))
            .with("outcome", span.outcome.unwrap_or(OutcomeSide::Yes))
            .with("currency", self.currency)
            .and("from", span.since)
            .and("to", span.until);
        let request = Request::get(format!("/v1/pm/markets/{}/candles", self.id), &query, Access::Public);
        let Candles { candles } = self.client.send(&request).await?.read()?;
        Ok(candles)
    }

    /// A stream of this market, with a local book.
    pub fn follow(&self) -> MarketStream {
        MarketStream::new(self.client.base_url(), &[self.id], self.currency)
    }
}
