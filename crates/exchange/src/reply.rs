//! What the exchange answers when it did what was asked.

use crate::id::{EventId, OperationId, OrderId};
use crate::identity::ApiKey;
use crate::numbers::{Currency, Money, Ppm, Shares};
use crate::order::OrderRecord;
use crate::reject::Reject;
use crate::text::Text;
use crate::time::Time;

#[allow(
    clippy::large_enum_variant,
    reason = "an order is the common answer, and boxing it would cost every placement"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Done,
    /// The same request was decided before, at this sequence; nothing happened now.
    Replayed {
        seq: u64,
    },
    ApiKey(ApiKey),
    Events(Vec<EventId>),
    Order(OrderRecord),
    Orders(Vec<OrderRecord>),
    /// When everything is cancelled; None: the switch is off.
    CancelAt(Option<Time>),
    /// Of a batch, in the order of its items.
    Results(Vec<ItemResult>),
    Sets(SetsReply),
    /// So many results of a series.
    Finalised(usize),
    Wallet {
        currency: Currency,
        free: Money,
        held: Money,
    },
}

/// What became of one item of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemResult {
    /// The order that a cancel or amend named, or a new order's own id.
    pub order: Option<OrderId>,
    /// What an amend that could not be read called its order.
    pub order_as_sent: Option<Text>,
    pub client_order_id: Option<Text>,
    pub outcome: Result<OrderRecord, Reject>,
}

/// A mint or a burn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetsReply {
    pub id: OperationId,
    pub sets: Shares,
    /// Charged by a mint, paid by a burn.
    pub cash: Money,
    pub yes_price: Ppm,
}
