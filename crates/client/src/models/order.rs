//! Orders, and the results of batches.

use std::fmt;

use api::Timestamp;
use api::terms::{Currency, OrderStatus, OrderType, OutcomeSide, Side, StpMode, TimeInForce};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::number;
use crate::term::{Term, date};

/// An order, as the exchange described it last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OrderData {
    /// The order's id.
    pub id: Uuid,
    /// The event.
    pub event_id: Uuid,
    /// The market.
    pub market_id: Uuid,
    /// The outcome's id.
    pub outcome_id: Uuid,
    /// YES or NO.
    pub outcome: Term<OutcomeSide>,
    /// The outcome's label.
    pub outcome_label: String,
    /// Buy or sell.
    pub side: Term<Side>,
    /// Limit or market.
    pub order_type: Term<OrderType>,
    /// How long it lives.
    pub time_in_force: Term<TimeInForce>,
    /// Open, filled, cancelled…
    pub status: Term<OrderStatus>,
    /// The limit price; 0 for a market order in a book, the average against a pool.
    #[serde(with = "number")]
    pub price: Decimal,
    /// The requested amount of money.
    #[serde(with = "number")]
    pub amount: Decimal,
    /// Shares.
    #[serde(with = "number")]
    pub size: Decimal,
    /// Shares that filled.
    #[serde(with = "number")]
    pub filled_size: Decimal,
    /// Shares that rest; 0 when the order is closed.
    #[serde(with = "number")]
    pub remaining_size: Decimal,
    /// Shares that filled.
    #[serde(with = "number")]
    pub quantity: Decimal,
    /// Without the fee; 0 when nothing has filled.
    #[serde(with = "number")]
    pub avg_fill_price: Decimal,
    /// The fee that was paid.
    #[serde(with = "number")]
    pub fee: Decimal,
    /// The currency of the numbers.
    pub currency: Term<Currency>,
    /// Whether it refused to trade at once.
    pub post_only: bool,
    /// The rule for two orders of yours that meet.
    pub stp_mode: Term<StpMode>,
    /// Your own name for it.
    #[serde(default)]
    pub client_order_id: Option<String>,
    /// When a GTD order ends.
    #[serde(default, with = "date")]
    pub expires_at: Option<Timestamp>,
    /// When it was placed.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl OrderData {
    /// Whether the order rests in the book and can still fill.
    pub fn is_open(&self) -> bool {
        use OrderStatus::{Open, PartialFilled, Pending};
        matches!(self.status, Term::Known(Pending | Open | PartialFilled))
    }

    /// Whether the order has reached its end. A status that this version does not know is no end.
    pub fn is_closed(&self) -> bool {
        use OrderStatus::{Cancelled, Expired, Filled, Rejected};
        matches!(self.status, Term::Known(Filled | Cancelled | Rejected | Expired))
    }

    /// Whether all of the order has filled.
    pub fn is_filled(&self) -> bool {
        self.status == OrderStatus::Filled
    }
}

/// Why one item of a batch failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ItemError {
    /// The kind of failure.
    pub code: String,
    /// In words.
    pub message: String,
    /// The rule that refused, if it is finer than the code.
    #[serde(default)]
    pub reason: Option<String>,
}

impl fmt::Display for ItemError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.reason.as_ref().unwrap_or(&self.code), self.message)
    }
}

/// How many items of a batch succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// All items.
    pub total: u32,
    /// Items that succeeded.
    pub succeeded: u32,
    /// Items that failed.
    pub failed: u32,
}

/// The result of one cancel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BatchCancelItem {
    /// The order.
    pub order_id: Uuid,
    /// Whether this request cancelled it.
    pub success: bool,
    /// Why not.
    #[serde(default)]
    pub error: Option<ItemError>,
}

/// The result of a batch of cancels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BatchCancel {
    /// One for each id, in their order.
    pub results: Vec<BatchCancelItem>,
    /// How many succeeded.
    pub summary: Summary,
    /// An earlier try got no answer: `ORDER_NOT_OPEN` may mean that it cancelled the order.
    #[serde(skip)]
    pub is_repeated: bool,
}

/// The result of a mint or a burn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Minted {
    /// The operation's id.
    pub operation_id: Uuid,
    /// The market.
    pub market_id: Uuid,
    /// Pairs of shares.
    #[serde(with = "number")]
    pub quantity: Decimal,
    /// The price of the first outcome.
    #[serde(with = "number")]
    pub outcome1_price: Decimal,
    /// The price of the second outcome.
    #[serde(with = "number")]
    pub outcome2_price: Decimal,
    /// The money that a burn paid.
    #[serde(default, with = "number::option")]
    pub proceeds: Option<Decimal>,
}
