//! The hot routes: those that a lane serves, with the functions of their handlers.

use std::sync::Arc;

use api::identifier;
use api::json::WriteJson;
use exchange::Command;
use exchange::index::UserIndex;

use super::{batches, books, events, orders, quotes, tickers};
use crate::app::App;
use crate::http::caching::Freshness;
use crate::http::charging::OwnerBucket;
use crate::http::{Failure, written};

/// A hot route with its parameters, which are identifiers as sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HotRoute<'a> {
    Write(HotWrite<'a>),
    Read(HotRead<'a>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HotWrite<'a> {
    PlaceOrder {
        event: &'a str,
        market: &'a str,
    },
    CancelOrder {
        order: &'a str,
    },
    PlaceOrders,
    /// The route has an alias for clients that cannot send a body with DELETE.
    CancelOrders {
        is_alias: bool,
    },
    AmendOrders,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HotRead<'a> {
    Quote { event: &'a str, market: &'a str },
    GetOrder { order: &'a str },
    ListBooks,
    GetTicker { market: &'a str },
    GetEvent { event: &'a str },
}

/// Method and pattern of each hot route, by its number.
pub(crate) const HOT_ROUTES: [(&str, &str); 11] = [
    ("POST", "/v1/pm/events/{eventId}/markets/{marketId}/orders"),
    ("DELETE", "/v1/pm/orders/{orderId}"),
    ("POST", "/v1/pm/orders/batch"),
    ("DELETE", "/v1/pm/orders/batch"),
    ("POST", "/v1/pm/orders/batch/cancel"),
    ("POST", "/v1/pm/orders/batch/amend"),
    ("POST", "/v1/pm/events/{eventId}/markets/{marketId}/quote"),
    ("GET", "/v1/pm/orders/{orderId}"),
    ("GET", "/v1/pm/books"),
    ("GET", "/v1/pm/markets/{marketId}/ticker"),
    ("GET", "/v1/pm/events/{eventId}"),
];

/// A response of a hot read: its JSON, and for public data how long it stays fresh.
#[derive(Debug)]
pub(crate) struct HotBody {
    pub(crate) json: Vec<u8>,
    pub(crate) freshness: Option<Freshness>,
}

impl<'a> HotRoute<'a> {
    /// The hot route of a path without percent-encoding. A malformed identifier is left to the router.
    pub(crate) fn find(method: &str, path: &'a str) -> Option<HotRoute<'a>> {
        use {HotRead as R, HotRoute::Read, HotRoute::Write, HotWrite as W};
        let mut segments = path.strip_prefix("/v1/pm/")?.split('/');
        let parts = [(); 5].map(|()| segments.next().unwrap_or_default());
        if segments.next().is_some() {
            return None;
        }
        let route = match (method, parts) {
            ("POST", ["events", event, "markets", market, "orders"]) => {
                Write(W::PlaceOrder { event: id(event)?, market: id(market)? })
            }
            ("POST", ["events", event, "markets", market, "quote"]) => {
                Read(R::Quote { event: id(event)?, market: id(market)? })
            }
            ("POST", ["orders", "batch", "", "", ""]) => Write(W::PlaceOrders),
            ("DELETE", ["orders", "batch", "", "", ""]) => Write(W::CancelOrders { is_alias: false }),
            ("POST", ["orders", "batch", "cancel", "", ""]) => Write(W::CancelOrders { is_alias: true }),
            ("POST", ["orders", "batch", "amend", "", ""]) => Write(W::AmendOrders),
            ("DELETE", ["orders", order, "", "", ""]) => Write(W::CancelOrder { order: id(order)? }),
            ("GET", ["orders", order, "", "", ""]) => Read(R::GetOrder { order: id(order)? }),
            ("GET", ["books", "", "", "", ""]) => Read(R::ListBooks),
            ("GET", ["markets", market, "ticker", "", ""]) => Read(R::GetTicker { market: id(market)? }),
            ("GET", ["events", event, "", "", ""]) => Read(R::GetEvent { event: id(event)? }),
            _ => return None,
        };
        // An empty segment at the end is another path, which the router does not know.
        (!path.ends_with('/')).then_some(route)
    }

    /// The place of the route in `HOT_ROUTES`.
    pub(crate) fn number(&self) -> usize {
        match self {
            HotRoute::Write(write) => write.number(),
            HotRoute::Read(HotRead::Quote { .. }) => 6,
            HotRoute::Read(HotRead::GetOrder { .. }) => 7,
            HotRoute::Read(HotRead::ListBooks) => 8,
            HotRoute::Read(HotRead::GetTicker { .. }) => 9,
            HotRoute::Read(HotRead::GetEvent { .. }) => 10,
        }
    }
}

fn id(text: &str) -> Option<&str> {
    identifier::parse(text).is_ok().then_some(text)
}

impl<'a> HotWrite<'a> {
    fn number(&self) -> usize {
        match self {
            HotWrite::PlaceOrder { .. } => 0,
            HotWrite::CancelOrder { .. } => 1,
            HotWrite::PlaceOrders => 2,
            HotWrite::CancelOrders { is_alias } => 3 + usize::from(*is_alias),
            HotWrite::AmendOrders => 5,
        }
    }

    /// The pattern of the path, as the router spells it.
    pub(crate) fn pattern(&self) -> &'static str {
        HOT_ROUTES[self.number()].1
    }

    /// The parameters of the pattern, in order.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let (first, second) = match *self {
            HotWrite::PlaceOrder { event, market } => (Some(event), Some(market)),
            HotWrite::CancelOrder { order } => (Some(order), None),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }

    pub(crate) fn bucket(&self) -> OwnerBucket {
        match self {
            HotWrite::CancelOrder { .. } | HotWrite::CancelOrders { .. } => OwnerBucket::Cancel,
            HotWrite::PlaceOrder { .. } | HotWrite::PlaceOrders | HotWrite::AmendOrders => OwnerBucket::Write,
        }
    }

    /// The command of a request and its price in tokens.
    pub(crate) fn command(&self, body: &[u8]) -> Result<(u32, Command), Failure> {
        match self {
            HotWrite::PlaceOrder { event, market } => {
                Ok((1, orders::place_order_command(event, market, body)?))
            }
            HotWrite::CancelOrder { order } => Ok((1, orders::cancel_order_command(order)?)),
            HotWrite::PlaceOrders => batches::place_orders_command(body),
            HotWrite::CancelOrders { .. } => batches::cancel_orders_command(body),
            HotWrite::AmendOrders => batches::amend_orders_command(body),
        }
    }
}

/// A hot read with everything that it needs of its request.
#[derive(Debug)]
pub(crate) enum OwnedRead {
    Quote { viewer: Option<UserIndex>, event: String, market: String, body: Vec<u8> },
    GetOrder { user: UserIndex, order: String },
    ListBooks { query: Option<String> },
    GetTicker { market: String, query: Option<String> },
    GetEvent { event: String, query: Option<String>, viewer: Result<Option<UserIndex>, Failure> },
}

impl OwnedRead {
    /// Authenticates a read.
    pub(crate) fn begin(
        app: &App,
        read: HotRead<'_>,
        head: &lane::Head<'_>,
        body: &[u8],
    ) -> Result<OwnedRead, Failure> {
        let query = head.query.map(str::to_owned);
        Ok(match read {
            HotRead::Quote { event, market } => {
                let viewer = app.viewer_by_key(&head.headers)?;
                let (event, market, body) = (event.to_owned(), market.to_owned(), body.to_vec());
                OwnedRead::Quote { viewer, event, market, body }
            }
            HotRead::GetOrder { order } => {
                let user = app.reader_by_key(&head.headers)?.user;
                OwnedRead::GetOrder { user, order: order.to_owned() }
            }
            HotRead::ListBooks => OwnedRead::ListBooks { query },
            HotRead::GetTicker { market } => OwnedRead::GetTicker { market: market.to_owned(), query },
            HotRead::GetEvent { event } => {
                let viewer = app.viewer_by_key(&head.headers);
                OwnedRead::GetEvent { event: event.to_owned(), query, viewer }
            }
        })
    }

    /// Answers the read. It awaits only where history is needed.
    pub(crate) async fn answer(self, app: Arc<App>) -> Result<HotBody, Failure> {
        match self {
            OwnedRead::Quote { viewer, event, market, body } => {
                json(&quotes::find_quote(&app, viewer, (&event, &market), &body).await?, None)
            }
            OwnedRead::GetOrder { user, order } => json(&orders::find_order(&app, user, &order).await?, None),
            OwnedRead::ListBooks { query } => json(&books::find_books(&app, query.as_deref()).await?, None),
            OwnedRead::GetTicker { market, query } => {
                json(&tickers::find_ticker(&app, &market, query.as_deref()).await?, None)
            }
            OwnedRead::GetEvent { event, query, viewer } => {
                let event = events::find_event(&app, &event, query.as_deref(), viewer).await?;
                json(&event, Some(Freshness::Live))
            }
        }
    }
}

fn json(body: &impl WriteJson, freshness: Option<Freshness>) -> Result<HotBody, Failure> {
    Ok(HotBody { json: written(body), freshness })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00";

    #[test]
    fn a_hot_route_is_found_by_method_and_path() {
        let find = |method: &str, path: &str| {
            let path = path.replace("ID", ID);
            HotRoute::find(method, &path).map(|route| HOT_ROUTES[route.number()])
        };
        let hot = [
            (
                "POST",
                "/v1/pm/events/ID/markets/ID/orders",
                "/v1/pm/events/{eventId}/markets/{marketId}/orders",
            ),
            ("POST", "/v1/pm/events/ID/markets/ID/quote", "/v1/pm/events/{eventId}/markets/{marketId}/quote"),
            ("POST", "/v1/pm/orders/batch", "/v1/pm/orders/batch"),
            ("DELETE", "/v1/pm/orders/batch", "/v1/pm/orders/batch"),
            ("POST", "/v1/pm/orders/batch/cancel", "/v1/pm/orders/batch/cancel"),
            ("POST", "/v1/pm/orders/batch/amend", "/v1/pm/orders/batch/amend"),
            ("DELETE", "/v1/pm/orders/ID", "/v1/pm/orders/{orderId}"),
            ("GET", "/v1/pm/orders/ID", "/v1/pm/orders/{orderId}"),
            ("GET", "/v1/pm/books", "/v1/pm/books"),
            ("GET", "/v1/pm/markets/ID/ticker", "/v1/pm/markets/{marketId}/ticker"),
            ("GET", "/v1/pm/events/ID", "/v1/pm/events/{eventId}"),
        ];
        for (method, path, pattern) in hot {
            assert_eq!(find(method, path), Some((method, pattern)), "{method} {path}");
        }
        let others = [
            ("GET", "/v1/pm/orders/batch"),
            ("GET", "/v1/pm/orders"),
            ("POST", "/v1/pm/orders/cancel-all"),
            ("DELETE", "/v1/pm/orders/cancel-all"),
            ("GET", "/v1/pm/events/series"),
            ("GET", "/v1/pm/events/ID/"),
            ("GET", "/v1/pm/events/ID/resolution"),
            ("GET", "/v1/pm/books/"),
            ("POST", "/v1/pm/events/ID/markets/ID/orders/"),
            ("POST", "/v1/pm/events/ID/markets/ID/orders/x"),
            ("GET", "/v1/pm/books/x"),
            ("GET", "/v1/pm"),
            ("PUT", "/v1/pm/orders/batch"),
        ];
        for (method, path) in others {
            assert_eq!(find(method, path), None, "{method} {path}");
        }
    }
}
