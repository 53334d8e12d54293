//! The server's events to read and markets to trade in, found once, before the checks.

use jiff::{SignedDuration, Timestamp};

use crate::decimal::Decimal;
use crate::json::Json;
use crate::wire::{Call, Wire};

/// A market must stay open at least this long, so that it does not close during a run.
const OPEN_FOR: SignedDuration = SignedDuration::from_mins(15);

/// A market in USD.
#[derive(Clone, Debug)]
pub(crate) struct Market {
    pub event: String,
    pub slug: String,
    pub id: String,
    pub outcomes: [String; 2],
    /// The least amount of an order.
    pub minimum: Decimal,
}

impl Market {
    fn of(event: &Json, market: &Json) -> Option<Market> {
        let text = |value: &Json, name: &str| value.text(name).map(str::to_owned);
        Some(Market {
            event: text(event, "id")?,
            slug: text(event, "slug")?,
            id: text(market, "id")?,
            outcomes: [text(market, "outcome1Id")?, text(market, "outcome2Id")?],
            minimum: market.decimal("minimumOrderAmount")?.max(Decimal::ONE),
        })
    }

    /// The path of its orders.
    pub fn orders(&self) -> String {
        format!("/v1/pm/events/{}/markets/{}/orders", self.event, self.id)
    }

    /// The path of its quotes.
    pub fn quote(&self) -> String {
        format!("/v1/pm/events/{}/markets/{}/quote", self.event, self.id)
    }
}

/// Markets and series of the server. A missing thing leaves its checks untried.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    /// Open markets with a book.
    pub books: Vec<Market>,
    /// Open markets with a pool.
    pub pools: Vec<Market>,
    /// The slug of a series.
    pub series: Option<String>,
    /// The status of a path that no server has.
    pub unknown_route: u16,
}

impl World {
    /// Reads the open events. Trouble is left to the checks, which report it.
    pub fn find(wire: &Wire) -> World {
        let get = |path: &str| wire.send(&Call::new("GET", path)).ok();
        let mut world = World::default();
        if let Some(answer) = get("/v1/pm/events?status=open&size=100") {
            let now = Timestamp::now();
            for event in answer.value().list("events").iter().filter(|event| is_lasting(event, now)) {
                let markets = event.list("markets").iter();
                let open = markets.filter(|market| market.text("status") == Some("open"));
                let found = open.filter_map(|market| Market::of(event, market));
                match event.text("engine") {
                    Some("CLOB") => world.books.extend(found),
                    Some("AMM") => world.pools.extend(found),
                    _ => {}
                }
            }
        }
        world.series = get("/v1/pm/events/series?size=1")
            .and_then(|answer| answer.value().text("series/0/slug").map(str::to_owned));
        world.unknown_route = get("/v1/pm/no-such-route-of-any-server").map_or(0, |answer| answer.status);
        world
    }
}

/// Open, in USD, and not about to close.
fn is_lasting(event: &Json, now: Timestamp) -> bool {
    let closes = event.text("closingDate").unwrap_or_default();
    let is_late = match closes.parse::<Timestamp>() {
        Ok(closes) => closes.duration_since(now) > OPEN_FOR,
        Err(_) => closes.is_empty(),
    };
    let has_usd = event.list("supportedCurrencies").iter().any(|name| *name == Json::Text("USD".to_owned()));
    event.text("status") == Some("open") && has_usd && is_late
}
