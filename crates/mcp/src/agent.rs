//! One account and everything that its tools share: the exchange, the cap, the tokens, and the names of events.
//!
//! All sessions of a process use one `Agent`, so a new session does not get a new cap.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use api::terms::{Currency, OrderStatus};
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use uuid::Uuid;

use crate::budget::{Budget, Pending};
use crate::cost;
use crate::previews::Previews;
use crate::stop::Stop;
use crate::text;
use crate::venue::{Call, Failure, Venue, segment};
use crate::wire::{Event, Order, Orders};

/// Names that are remembered; then they are read again.
const NAMES_MAX: usize = 1_000;

/// Statuses of orders that can still fill.
pub(crate) const RESTING: [OrderStatus; 2] = [OrderStatus::Open, OrderStatus::PartialFilled];
/// Orders on one page, the most that the exchange gives.
const PAGE_SIZE: u32 = 100;
/// The longest time that a tool waits for reports of orders.
const REFRESH_MAX: Duration = Duration::from_secs(5);

/// Permissions of the owner's key.
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
        let Some(slug) = segment(slug) else { return Ok(None) };
        let call = Call::get(format!("/v1/pm/events/slug/{slug}")).with("currency", self.currency);
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

    /// Counts a report of an order that this process may have sent.
    pub(crate) fn settle(&self, order: &Order) {
        let pending = self.budget.pending();
        if let Some((key, _)) = pending.iter().find(|(_, pending)| pending.order == Some(order.id)) {
            self.settle_as(key, order);
        }
    }

    /// Counts a report of the order that was sent under a key. A report of another order, or of a SELL, changes nothing.
    pub(crate) fn settle_as(&self, key: &str, order: &Order) {
        let pending = self.budget.pending();
        let Some((_, pending)) = pending.iter().find(|(known, _)| known == key) else { return };
        if !order.is_buy_named(key) {
            return;
        }
        let report = order.report();
        let closed = pending.terms.filter(|_| report.is_closed());
        match closed.and_then(|terms| cost::closed(terms, self.currency, &report)) {
            Some(cost) => self.budget.close(key, cost),
            None => self.budget.keep(key, order.id),
        }
    }

    /// Looks up the orders that are counted at their worst, as many as a few seconds allow. An order that was not looked
    /// up, or that the exchange does not find, stays counted.
    pub(crate) async fn refresh(&self) {
        // Neither the end of the time nor an exchange that cannot be reached gives anything back.
        let _ = timeout(REFRESH_MAX, self.look_up()).await;
    }

    /// The error is that of an exchange that cannot answer now.
    async fn look_up(&self) -> Result<(), Failure> {
        let mut pending = self.budget.pending();
        pending.retain(|(_, pending)| pending.terms.is_some());
        if pending.len() > 1
            && let Err(Failure::Unavailable) = self.leave_resting(&mut pending).await
        {
            return Err(Failure::Unavailable);
        }
        for (key, pending) in pending {
            let found = match pending.order {
                Some(id) => self.read(Call::get(format!("/v1/pm/orders/{id}")).of_account()).await.map(Some),
                None => self.order_named(&key).await,
            };
            match found {
                Ok(Some(order)) => self.settle_as(&key, &order),
                Err(Failure::Unavailable) => return Err(Failure::Unavailable),
                Ok(None) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Removes the orders that the exchange lists as resting: pages of a list instead of one call for each order.
    async fn leave_resting(&self, pending: &mut Vec<(String, Pending)>) -> Result<(), Failure> {
        for status in RESTING {
            let mut cursor = None;
            loop {
                let page = self.orders_page(status, cursor).await?;
                for order in &page.orders {
                    let Some(key) = order.client_order_id.as_deref() else { continue };
                    self.settle_as(key, order);
                    pending.retain(|(key, _)| !order.is_buy_named(key));
                }
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// A page of the account's orders with a status, behind a cursor.
    pub(crate) async fn orders_page(
        &self,
        status: OrderStatus,
        cursor: Option<String>,
    ) -> Result<Orders, Failure> {
        let call = Call::get("/v1/pm/orders").with("status", status).with("size", PAGE_SIZE).of_account();
        self.read(match cursor {
            Some(cursor) => call.with("after", cursor),
            None => call,
        })
        .await
    }

    /// The BUY that was sent under a key; none if the exchange does not find it.
    async fn order_named(&self, key: &str) -> Result<Option<Order>, Failure> {
        let call = Call::get("/v1/pm/orders").with("clientOrderId", key).with("size", PAGE_SIZE).of_account();
        let found: Orders = self.read(call).await?;
        Ok(found.orders.into_iter().find(|order| order.is_buy_named(key)))
    }
}
