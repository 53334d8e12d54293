//! The expected result of an order.

use std::borrow::Cow;

use crate::json::WriteJson;
use crate::schema::ToSchema;

use crate::decimal::{Money, Percent, Shares, UnitPrice};
use crate::terms::OrderStatus;

/// The effect that an order would have now. The market may change before the order arrives.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "price": 0.509604, "currentMarketPrice": 0.5, "quantity": 192.3831, "amount": 99.999997, "costOfShares": 98.039212,
    "fee": 1.960785, "priceImpactAbsolute": 0.02, "profitPercentage": 92.38, "currencyBaseMultiplier": 1,
    "completeFill": true, "tradeGoesOverMaxLiability": false
}))]
pub struct Quote {
    /// The average, without the fee.
    pub price: UnitPrice,
    /// The price before the trade.
    pub current_market_price: UnitPrice,
    /// Shares bought or sold.
    pub quantity: Shares,
    /// The amount by which the wallet would change, including the fee.
    pub amount: Money,
    /// Before the fee.
    pub cost_of_shares: Money,
    pub fee: Money,
    /// How far the trade would move the price.
    pub price_impact_absolute: UnitPrice,
    /// If the outcome wins; with `X-Public-Key` for the whole position.
    pub profit_percentage: Percent,
    /// The payout of one share: 1 for USD, 100 for NGN.
    pub currency_base_multiplier: u16,
    /// Whether all that was asked for would fill.
    pub complete_fill: bool,
    /// Whether the pool would refuse so large a trade.
    pub trade_goes_over_max_liability: bool,
    /// Only if the request has one of the order's other fields. All numbers then describe exactly that order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order: Option<QuotedOrder>,
}

/// The quoted order, as it would be right after its placement.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuotedOrder {
    /// Shares that would rest in the book.
    pub resting_size: Shares,
    /// Shares that would neither fill nor rest. A MARKET order by `amount` has none.
    pub cancelled_size: Shares,
    /// Money that a BUY would hold for its resting shares, in addition to `amount`.
    pub hold: Money,
    /// Your own orders that it would cancel (`stpMode`).
    pub cancelled_orders: u32,
    /// Absent if the order would be refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub status: Option<OrderStatus>,
    /// Why the order would be refused; the numbers then show the plan that is refused. Your funds and your number of
    /// open orders are checked with `X-Public-Key` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub refusal: Option<QuotedRefusal>,
}

/// The refusal of a quoted order.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct QuotedRefusal {
    #[schema(value_type = String, example = "INSUFFICIENT_BALANCE")]
    pub code: Cow<'static, str>,
    #[schema(example = "Insufficient balance: need 255, have 100")]
    pub message: String,
}
