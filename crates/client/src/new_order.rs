//! Orders and amendments before they are sent.

use api::Timestamp;
use api::terms::{Currency, OrderType, Side, StpMode, TimeInForce};
use rust_decimal::Decimal;
use serde::Serialize;
use uuid::Uuid;

use crate::number;

/// How much to trade: money, on both sides, or shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Money.
    Amount(Decimal),
    /// Shares.
    Quantity(Decimal),
}

impl Size {
    /// Money.
    pub fn amount(amount: impl Into<Decimal>) -> Size {
        Size::Amount(amount.into())
    }

    /// Shares.
    pub fn quantity(quantity: impl Into<Decimal>) -> Size {
        Size::Quantity(quantity.into())
    }
}

/// An order to place or to quote: a limit order with a price, a market order without one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct NewOrder {
    /// The outcome to trade.
    pub outcome_id: Uuid,
    /// Buy or sell.
    pub side: Side,
    /// Money or shares.
    pub size: Size,
    /// The currency of the money.
    pub currency: Currency,
    /// The limit, from 0.01 to 0.99. Without one it is a market order.
    pub price: Option<Decimal>,
    /// How long it may rest.
    pub time_in_force: Option<TimeInForce>,
    /// Refuse the order where it would trade at once.
    pub post_only: bool,
    /// When a GTD order ends.
    pub expires_at: Option<Timestamp>,
    /// How far from the best price a market order may trade: 0.05 is 5 %.
    pub max_slippage: Option<Decimal>,
    /// What happens where two of your orders would trade with each other.
    pub stp_mode: Option<StpMode>,
    /// A name of your own for the order.
    pub client_order_id: Option<String>,
}

impl NewOrder {
    /// A market order in USD. The methods below add to it.
    pub fn new(outcome_id: Uuid, side: Side, size: Size) -> NewOrder {
        NewOrder {
            outcome_id,
            side,
            size,
            currency: Currency::Usd,
            price: None,
            time_in_force: None,
            post_only: false,
            expires_at: None,
            max_slippage: None,
            stp_mode: None,
            client_order_id: None,
        }
    }

    /// Trades in this currency.
    pub fn currency(mut self, currency: Currency) -> NewOrder {
        self.currency = currency;
        self
    }

    /// Makes it a limit order.
    pub fn price(mut self, price: impl Into<Decimal>) -> NewOrder {
        self.price = Some(price.into());
        self
    }

    /// How long it may rest.
    pub fn time_in_force(mut self, time_in_force: TimeInForce) -> NewOrder {
        self.time_in_force = Some(time_in_force);
        self
    }

    /// Refuses the order where it would trade at once.
    pub fn post_only(mut self) -> NewOrder {
        self.post_only = true;
        self
    }

    /// Makes it a GTD order, which ends at this time.
    pub fn expires_at(mut self, at: Timestamp) -> NewOrder {
        self.time_in_force = Some(TimeInForce::Gtd);
        self.expires_at = Some(at);
        self
    }

    /// How far from the best price a market order may trade.
    pub fn max_slippage(mut self, slippage: impl Into<Decimal>) -> NewOrder {
        self.max_slippage = Some(slippage.into());
        self
    }

    /// What happens where two of your orders would trade with each other.
    pub fn stp_mode(mut self, mode: StpMode) -> NewOrder {
        self.stp_mode = Some(mode);
        self
    }

    /// A name of your own for the order.
    pub fn client_order_id(mut self, id: impl Into<String>) -> NewOrder {
        self.client_order_id = Some(id.into());
        self
    }

    /// The body of a placement, and of a quote of exactly this order.
    pub(crate) fn body(&self) -> OrderBody<'_> {
        let is_limit = self.price.is_some();
        OrderBody {
            order_type: Some(if is_limit { OrderType::Limit } else { OrderType::Market }),
            price: self.price,
            time_in_force: self.time_in_force,
            post_only: self.post_only.then_some(true),
            expires_at: self.expires_at,
            max_slippage: self.max_slippage,
            stp_mode: self.stp_mode,
            client_order_id: self.client_order_id.as_deref(),
            ..self.bare_body()
        }
    }

    /// The body of a quote of a market order without a bound.
    pub(crate) fn bare_body(&self) -> OrderBody<'_> {
        let (amount, quantity) = match self.size {
            Size::Amount(amount) => (Some(amount), None),
            Size::Quantity(quantity) => (None, Some(quantity)),
        };
        OrderBody {
            outcome_id: self.outcome_id,
            side: self.side,
            order_type: None,
            currency: self.currency,
            amount,
            quantity,
            price: None,
            time_in_force: None,
            post_only: None,
            expires_at: None,
            max_slippage: None,
            stp_mode: None,
            client_order_id: None,
        }
    }
}

/// An order as the exchange reads it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderBody<'a> {
    outcome_id: Uuid,
    side: Side,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    order_type: Option<OrderType>,
    currency: Currency,
    #[serde(with = "number::option", skip_serializing_if = "Option::is_none")]
    amount: Option<Decimal>,
    #[serde(with = "number::option", skip_serializing_if = "Option::is_none")]
    quantity: Option<Decimal>,
    #[serde(with = "number::option", skip_serializing_if = "Option::is_none")]
    price: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_in_force: Option<TimeInForce>,
    #[serde(skip_serializing_if = "Option::is_none")]
    post_only: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    #[serde(with = "number::option", skip_serializing_if = "Option::is_none")]
    max_slippage: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stp_mode: Option<StpMode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_order_id: Option<&'a str>,
}

/// A new price, a new total size in shares, or both, of an open order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[must_use]
pub struct Amendment {
    /// The order.
    pub order_id: Uuid,
    /// Left out: the price stays.
    #[serde(rename = "newPrice", with = "number::option", skip_serializing_if = "Option::is_none")]
    pub price: Option<Decimal>,
    /// The new total, including the filled part. Left out: the size stays.
    #[serde(rename = "newSize", with = "number::option", skip_serializing_if = "Option::is_none")]
    pub size: Option<Decimal>,
}

impl Amendment {
    /// Changes nothing yet.
    pub fn new(order_id: Uuid) -> Amendment {
        Amendment { order_id, price: None, size: None }
    }

    /// Sets a new price.
    pub fn price(mut self, price: impl Into<Decimal>) -> Amendment {
        self.price = Some(price.into());
        self
    }

    /// Sets a new total size in shares, the filled part included.
    pub fn size(mut self, size: impl Into<Decimal>) -> Amendment {
        self.size = Some(size.into());
        self
    }
}

/// Conditions for `Client::cancel_all`. All of them must hold; without conditions, all orders are cancelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CancelConditions {
    /// Only orders of this event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<Uuid>,
    /// Only orders of this market.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub market_id: Option<Uuid>,
    /// Only orders in this currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &impl Serialize) -> String {
        serde_json::to_string(value).expect("JSON")
    }

    const ID: &str = "00000000-0000-0000-0000-000000000000";

    #[test]
    fn an_order_with_a_price_is_a_limit_order_and_its_numbers_are_exact() {
        let order = NewOrder::new(Uuid::nil(), Side::Buy, Size::quantity(50))
            .price(Decimal::new(20, 3))
            .post_only()
            .client_order_id("mm-1");
        assert_eq!(
            text(&order.body()),
            format!(
                r#"{{"outcomeId":"{ID}","side":"BUY","type":"LIMIT","currency":"USD","quantity":50,"price":0.02,"postOnly":true,"clientOrderId":"mm-1"}}"#
            )
        );
        let order = NewOrder::new(Uuid::nil(), Side::Sell, Size::Amount(Decimal::new(1, 1)));
        assert_eq!(
            text(&order.body()),
            format!(r#"{{"outcomeId":"{ID}","side":"SELL","type":"MARKET","currency":"USD","amount":0.1}}"#)
        );
        assert!(!text(&order.bare_body()).contains("type"));
    }

    #[test]
    fn an_amendment_names_only_its_changes_and_no_condition_means_all_orders() {
        let amendment = Amendment::new(Uuid::nil()).size(60);
        assert_eq!(text(&amendment), format!(r#"{{"orderId":"{ID}","newSize":60}}"#));
        assert_eq!(text(&CancelConditions::default()), "{}");
        // The exchange's own reader takes what is written here.
        let order = NewOrder::new(Uuid::nil(), Side::Buy, Size::amount(10)).price(Decimal::new(5, 1));
        let read: Result<api::request::PlaceOrder, _> = api::read::read(text(&order.body()).as_bytes());
        assert!(read.is_ok(), "{read:?}");
    }
}
