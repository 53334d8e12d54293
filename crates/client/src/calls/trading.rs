//! Orders: read, placed in batches, amended, cancelled. `Outcome` places single orders.

use std::sync::Arc;
use std::time::Duration;

use api::Timestamp;
use api::terms::{Currency, OrderStatus, Side};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::batch::Batch;
use crate::client::Client;
use crate::error::Result;
use crate::models::{BatchCancel, OrderData};
use crate::new_order::{Amendment, CancelConditions, NewOrder, OrderBody};
use crate::order::Order;
use crate::pager::{Pager, Source};
use crate::query::Query;
use crate::request::{Access, Request};
use crate::term::date;

/// Which of your orders to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderFilters {
    /// Buys or sells.
    pub side: Option<Side>,
    /// Open, filled…
    pub status: Option<OrderStatus>,
    /// Only orders of this event.
    pub event_id: Option<Uuid>,
    /// Only orders of this market.
    pub market_id: Option<Uuid>,
    /// Only orders of this outcome.
    pub outcome_id: Option<Uuid>,
    /// Your own name for the order.
    pub client_order_id: Option<String>,
    /// Only orders in this currency; both without it.
    pub currency: Option<Currency>,
}

#[derive(Serialize)]
struct Orders<'a> {
    orders: Vec<OrderBody<'a>>,
}

#[derive(Serialize)]
struct Amendments<'a> {
    items: &'a [Amendment],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrderIds<'a> {
    order_ids: &'a [Uuid],
}

#[derive(Serialize)]
struct Seconds {
    seconds: u64,
}

#[derive(Deserialize)]
struct Cancelled {
    orders: Vec<OrderData>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Switch {
    #[serde(with = "date")]
    cancel_at: Option<Timestamp>,
}

impl Client {
    /// One of your orders.
    pub async fn order(&self, order_id: Uuid) -> Result<Order> {
        let request = Request::read(&format!("/v1/pm/orders/{order_id}"), Access::Read);
        let answer = self.send(&request).await?;
        Ok(Order::new(self.clone(), answer.read()?, answer.as_of))
    }

    /// Your orders, the newest first.
    pub fn orders(&self, filters: OrderFilters) -> Pager<Order> {
        let query = Query::default()
            .and("side", filters.side)
            .and("status", filters.status)
            .and("eventId", filters.event_id)
            .and("marketId", filters.market_id)
            .and("outcomeId", filters.outcome_id)
            .and("clientOrderId", filters.client_order_id)
            .and("currency", filters.currency);
        let client = self.clone();
        let source = Source {
            path: "/v1/pm/orders",
            key: "orders",
            query,
            access: Access::Read,
            size: 100,
            build: Arc::new(move |row, answer| {
                Ok(Order::new(client.clone(), serde_json::from_str(row)?, answer.as_of))
            }),
        };
        Pager::new(self.clone(), source)
    }

    /// Places 1 to 20 orders, one after another. Look at `batch.failures()`: items fail one by one.
    pub async fn place(&self, orders: &[NewOrder]) -> Result<Batch> {
        self.place_batch(orders, None).await
    }

    /// Like `place`, with an idempotency key of your own: this key and these orders are executed once, for a day.
    pub async fn place_keyed(&self, orders: &[NewOrder], key: &str) -> Result<Batch> {
        self.place_batch(orders, Some(key)).await
    }

    async fn place_batch(&self, orders: &[NewOrder], key: Option<&str>) -> Result<Batch> {
        let body = Orders { orders: orders.iter().map(NewOrder::body).collect() };
        let answer = self.send(&Request::keyed_write("/v1/pm/orders/batch", &body, key)?).await?;
        // Executed once under its key, so an item's error is the result of the first try too.
        Batch::read(self, &answer, false)
    }

    /// Amends 1 to 20 orders. New prices and sizes are absolute, so a repetition changes nothing; see `Batch::is_repeated`.
    pub async fn amend(&self, items: &[Amendment]) -> Result<Batch> {
        let request = Request::write("POST", "/v1/pm/orders/batch/amend", Some(&Amendments { items }))?;
        let answer = self.send(&request).await?;
        Batch::read(self, &answer, answer.is_repeated)
    }

    /// Cancels 1 to 100 orders; see `BatchCancel::is_repeated`.
    pub async fn cancel(&self, order_ids: &[Uuid]) -> Result<BatchCancel> {
        // Some proxies drop the body of a DELETE, so this is the POST form.
        let request = Request::write("POST", "/v1/pm/orders/batch/cancel", Some(&OrderIds { order_ids }))?;
        let answer = self.send(&request).await?;
        Ok(BatchCancel { is_repeated: answer.is_repeated, ..answer.read()? })
    }

    /// Cancels all your open orders that meet the conditions, and returns them.
    pub async fn cancel_all(&self, conditions: &CancelConditions) -> Result<Vec<Order>> {
        // Keyed: a late repetition must not cancel newer orders.
        let request = Request::keyed_write("/v1/pm/orders/cancel-all", conditions, None)?;
        let answer = self.send(&request).await?;
        let Cancelled { orders } = answer.read()?;
        let order = |data| Order::new(self.clone(), data, answer.as_of);
        Ok(orders.into_iter().map(order).collect())
    }

    /// Sets the dead man's switch: all your orders are cancelled unless it is set again within this time, in whole
    /// seconds. Returns when it fires. Zero disarms it, and returns none.
    pub async fn cancel_after(&self, time: Duration) -> Result<Option<Timestamp>> {
        let body = Seconds { seconds: time.as_secs() };
        let request = Request::write("POST", "/v1/pm/orders/cancel-after", Some(&body))?;
        let Switch { cancel_at } = self.send(&request).await?.read()?;
        Ok(cancel_at)
    }
}
