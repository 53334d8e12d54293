//! One account and everything that its tools share: the exchange, the cap, the tokens, and the names of events.
//!
//! All sessions of a process use one `Agent`, so a new session does not get a new cap.

use std::collections::HashMap;
use std::sync::Arc;

use api::terms::Currency;
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::budget::Budget;
use crate::cost;
use crate::previews::Previews;
use crate::stop::Stop;
use crate::text;
use crate::venue::{Call, Failure, Venue, encoded};
use crate::wire::{Event, Order, Orders};

/// Names that are remembered; then they are read again.
const NAMES_MAX: usize = 1_000;

/// What the owner's key permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// No key.
    Public,
    /// A public key.
    Account,
    /// A secret key.
    Trading,
}

/// One account of one exchange.
#[derive(Debug)]
pub(crate) struct Agent<V> {
    pub(crate) venue: V,
    pub(crate) reach: Reach,
    pub(crate) currency: Currency,
    pub(crate) budget: Budget,
    pub(crate) previews: Previews,
    names: Mutex<HashMap<Uuid, Arc<Named>>>,
}

/// The names of an event.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) slug: String,
    pub(crate) title: String,
    markets: Vec<(Uuid, String)>,
}

impl Named {
    pub(crate) fn market(&self, id: Uuid) -> Option<&str> {
        self.markets.iter().find(|(market, _)| *market == id).map(|(_, title)| title.as_str())
    }
}

impl<V: Venue> Agent<V> {
    pub(crate) fn new(venue: V, reach: Reach, currency: Currency, budget: Budget) -> Agent<V> {
        let (previews, names) = (Previews::default(), Mutex::default());
        Agent { venue, reach, currency, budget, previews, names }
    }

    /// Sends a call and reads its answer.
    pub(crate) async fn read<T: DeserializeOwned>(&self, call: Call) -> Result<T, Failure> {
        let body = self.venue.send(call).await?;
        serde_json::from_str(&body).map_err(|_| Failure::Unreadable)
    }

    /// The event with this slug; none if there is none.
    pub(crate) async fn event_by_slug(&self, slug: &str) -> Result<Option<Event>, Stop> {
        let call = Call::get(format!("/v1/pm/events/slug/{}", encoded(slug))).with("currency", self.currency);
        match self.read(call).await {
            Ok(event) => Ok(Some(event)),
            Err(failure) if failure.is_not_found() => Ok(None),
            // A slug that cannot be one.
            Err(Failure::Refused { status: 400, .. }) => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }

    pub(crate) async fn event_by_id(&self, id: Uuid) -> Result<Event, Stop> {
        let call = Call::get(format!("/v1/pm/events/{id}")).with("currency", self.currency);
        Ok(self.read(call).await?)
    }

    /// The names of an event, which do not change while it trades.
    pub(crate) async fn names_of(&self, id: Uuid) -> Result<Arc<Named>, Stop> {
        if let Some(named) = self.names.lock().get(&id) {
            return Ok(Arc::clone(named));
        }
        let event = self.event_by_id(id).await?;
        let named = Arc::new(Named {
            slug: text::name(&event.slug),
            title: text::name(&event.title),
            markets: event.markets.iter().map(|market| (market.id, text::name(&market.title))).collect(),
        });
        let mut names = self.names.lock();
        if names.len() >= NAMES_MAX {
            names.clear();
        }
        names.insert(id, Arc::clone(&named));
        Ok(named)
    }

    /// Counts what the exchange reports of an order that this process sent.
    pub(crate) fn settle(&self, order: &Order) {
        let pending = self.budget.pending();
        if let Some((key, _)) = pending.iter().find(|(_, pending)| pending.order == Some(order.id)) {
            self.settle_as(key, order);
        }
    }

    /// Counts what the exchange reports of the order with this key.
    pub(crate) fn settle_as(&self, key: &str, order: &Order) {
        let pending = self.budget.pending();
        let Some((_, pending)) = pending.iter().find(|(known, _)| known == key) else { return };
        let report = order.report();
        let closed = pending.terms.filter(|_| report.is_closed());
        match closed.and_then(|terms| cost::closed(terms, self.currency, &report)) {
            Some(cost) => self.budget.close(key, cost),
            None => self.budget.keep(key, order.id),
        }
    }

    /// Looks up every order that is counted at its worst. An order that the exchange does not find stays counted.
    pub(crate) async fn refresh(&self) {
        for (key, pending) in self.budget.pending() {
            if pending.terms.is_none() {
                continue;
            }
            let found = match pending.order {
                Some(id) => self.read(Call::get(format!("/v1/pm/orders/{id}")).of_account()).await.ok(),
                None => self.order_named(&key).await,
            };
            if let Some(order) = found {
                self.settle_as(&key, &order);
            }
        }
    }

    /// The order that was sent under a key.
    async fn order_named(&self, key: &str) -> Option<Order> {
        let call = Call::get("/v1/pm/orders").with("clientOrderId", key).with("size", 1).of_account();
        let found: Orders = self.read(call).await.ok()?;
        found.orders.into_iter().next()
    }
}
