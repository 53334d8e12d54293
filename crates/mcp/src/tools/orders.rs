//! Orders of the account: the list, and cancels. An order is named by the last 12 digits of its id.

use std::cmp::Reverse;

use api::decimal::UnitPrice;
use api::terms::{Currency, OrderStatus, OrderType, OutcomeSide, Side};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::agent::{Agent, RESTING};
use crate::arguments::Arguments;
use crate::stop::{Stop, bad_argument, not_found};
use crate::text;
use crate::venue::{Call, Venue};
use crate::wire::{Cancelled, CancelledAll, Order, Orders, date, known};

const NAME_DIGITS: usize = 12;
/// Cancelled orders in one answer; all of them are cancelled.
const CANCELLED_SHOWN_MAX: usize = 50;

impl<V: Venue> Agent<V> {
    pub(crate) async fn list_orders(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let event = arguments.text("event")?;
        let is_everything = arguments.flag("include_closed")?;
        let limit = arguments.count("limit", 20, 50)?;
        let mut call = Call::get("/v1/pm/orders").with("size", limit).of_account();
        if let Some(event) = event {
            call = call.with("eventId", self.find_event(&event).await?.id);
        }
        let mut found = if is_everything {
            self.read::<Orders>(call).await?.orders
        } else {
            self.open_orders(call).await?
        };
        found.sort_by_key(|order| Reverse((order.placed_at(), order.id)));
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let mut rows = Vec::with_capacity(found.len());
        for order in &found {
            self.settle(order);
            rows.push(self.order_json(order).await);
        }
        Ok(json!({"orders": rows}))
    }

    /// The newest orders that rest, at most a page of either status.
    async fn open_orders(&self, call: Call) -> Result<Vec<Order>, Stop> {
        let mut found = Vec::new();
        for status in RESTING {
            found.extend(self.read::<Orders>(call.clone().with("status", status)).await?.orders);
        }
        Ok(found)
    }

    /// The resting order with this name, on whichever page it is.
    async fn open_order(&self, name: &str) -> Result<Order, Stop> {
        let wanted = name.to_lowercase();
        for status in RESTING {
            let mut cursor = None;
            loop {
                let page = self.orders_page(status, cursor).await?;
                if let Some(order) = page.orders.into_iter().find(|order| name_of(order.id) == wanted) {
                    return Ok(order);
                }
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
        }
        Err(not_found("No open order has this name. Use list_orders."))
    }

    /// An order with names instead of ids. Names that cannot be read are null: a placed order must not look like a failure.
    pub(super) async fn order_json(&self, order: &Order) -> Value {
        let event = self.names_of(order.event_id).await.ok();
        let is_limit = order.order_type == OrderType::Limit.to_string() && order.price > UnitPrice::ZERO;
        json!({
            "order": name_of(order.id),
            "event": event.as_ref().map(|event| event.slug.as_str()),
            "event_title": event.as_ref().map(|event| event.title.as_str()),
            "market": event.as_ref().and_then(|event| event.market(order.market_id)),
            "outcome": {"label": text::name(&order.outcome_label), "side": known::<OutcomeSide>(&order.outcome)},
            "side": known::<Side>(&order.side),
            "type": known::<OrderType>(&order.order_type),
            "status": known::<OrderStatus>(&order.status),
            "limit_price": is_limit.then(|| order.price.to_string()),
            "amount": order.amount.to_string(),
            "shares": order.size.to_string(),
            "filled_shares": order.filled_size.to_string(),
            "resting_shares": order.remaining_size.to_string(),
            "average_price": order.avg_fill_price.to_string(),
            "fee": order.fee.to_string(),
            "currency": known::<Currency>(&order.currency),
            "placed": date(&order.created_at),
        })
    }

    pub(crate) async fn cancel_order(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        match (arguments.text("order")?, arguments.flag("all")?) {
            (Some(name), false) => self.cancel_one(&name).await,
            (None, true) => self.cancel_all().await,
            _ => Err(bad_argument("Give either `order` or `all`: true.")),
        }
    }

    async fn cancel_one(&self, name: &str) -> Result<Value, Stop> {
        let order = self.open_order(name).await?;
        let cancelled: Cancelled = self.read(Call::delete(format!("/v1/pm/orders/{}", order.id))).await?;
        self.settle(&cancelled.order);
        Ok(json!({"cancelled": [self.order_json(&cancelled.order).await], "cap": self.cap()}))
    }

    async fn cancel_all(&self) -> Result<Value, Stop> {
        let call = Call::post("/v1/pm/orders/cancel-all", "{}".to_owned());
        let cancelled: CancelledAll = self.read(call).await?;
        cancelled.orders.iter().for_each(|order| self.settle(order));
        let mut rows = Vec::new();
        for order in cancelled.orders.iter().take(CANCELLED_SHOWN_MAX) {
            rows.push(self.order_json(order).await);
        }
        Ok(json!({"cancelled": rows, "total": cancelled.orders.len(), "cap": self.cap()}))
    }
}

/// The name of an order: the random end of its id.
fn name_of(id: Uuid) -> String {
    let digits = id.simple().to_string();
    digits[digits.len() - NAME_DIGITS..].to_owned()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::name_of;

    #[test]
    fn an_order_is_named_by_the_end_of_its_id() {
        let id = Uuid::parse_str("01a1e590-28af-719d-a520-6c72e6243234").unwrap();
        assert_eq!(name_of(id), "6c72e6243234");
    }
}
