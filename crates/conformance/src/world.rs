//! The server's events to read and markets to trade in, found once, before the checks.

use jiff::{SignedDuration, Timestamp};

use crate::check::Stop;
use crate::decimal::Decimal;
use crate::json::Json;
use crate::socket::Socket;
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
    /// Why streams cannot be tried. The specification shows none, so a server may have none.
    pub no_streams: Option<String>,
}

impl World {
    /// Reads the open events and connects to a stream. The checks report failures.
    pub fn find(wire: &Wire) -> World {
        let get = |path: &str| wire.send(&Call::new("GET", path)).ok();
        let mut world = World::default();
        if let Some(answer) = get("/v1/pm/events?status=open&size=100") {
            let now = Timestamp::now();
            for event in rows(answer.value(), "events").iter().filter(|event| is_lasting(event, now)) {
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
        world.no_streams = Socket::open(wire, "/ws/v1/markets").err().map(|stop| {
            let seen = match stop {
                Stop::NotTried(reason) => reason,
                Stop::Broken(difference) => difference.seen,
            };
            format!("no stream at {}: {seen}", wire.stream_url("/ws/v1/markets"))
        });
        world
    }
}

/// The rows of a list: those under `name`, or the only list of the body. The specification does not name every list.
pub(crate) fn rows<'a>(body: &'a Json, name: &str) -> &'a [Json] {
    match body {
        Json::List(items) => items,
        Json::Object(members) if body.at(name).is_none() => {
            let mut lists = members.iter().filter_map(|(_, value)| match value {
                Json::List(items) => Some(items.as_slice()),
                _ => None,
            });
            match (lists.next(), lists.next()) {
                (Some(items), None) => items,
                _ => &[],
            }
        }
        _ => body.list(name),
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

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::json::Json;

    #[test]
    fn rows_are_found_under_a_name_that_the_specification_does_not_show() {
        for (body, count) in [
            (r#"{"events":[1,2],"tags":[3]}"#, 2),
            (r#"{"data":[1,2,3],"pagination":{}}"#, 3),
            (r#"{"data":[1],"more":[2]}"#, 0),
            ("[1]", 1),
        ] {
            assert_eq!(rows(&Json::parse(body.as_bytes()).expect("JSON"), "events").len(), count, "{body}");
        }
    }
}
