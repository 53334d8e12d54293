//! The results of accepted commands.

use crate::id::{EventId, OperationId, OrderId, ProposalId};
use crate::identity::ApiKey;
use crate::numbers::{Currency, Money, Ppm, Shares};
use crate::order::ReportedOrder;
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
    /// The request was already decided, at this sequence; nothing happened now.
    Replayed {
        seq: u64,
    },
    /// Exactly this movement of money was already done under its reference, at this sequence; nothing happened now.
    Repeated {
        seq: u64,
    },
    ApiKey(ApiKey),
    Events(Vec<EventId>),
    Order(ReportedOrder),
    Orders(Vec<ReportedOrder>),
    /// When all orders are cancelled; `None` if the switch is off.
    CancelAt(Option<Time>),
    /// The results of a batch, in the order of its items.
    Results(Vec<ItemResult>),
    Sets(SetsReply),
    /// Nothing happened yet: the command waits for another person.
    Proposed(ProposalId),
    /// The number of finalised results of a series.
    Finalised(usize),
    Wallet {
        currency: Currency,
        free: Money,
        held: Money,
    },
}

/// The result of one item of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemResult {
    /// The id of the cancelled, amended or new order.
    pub order: Option<OrderId>,
    /// The order id of an unreadable amend, as sent.
    pub order_as_sent: Option<Text>,
    pub client_order_id: Option<Text>,
    pub outcome: Result<ReportedOrder, Reject>,
}

/// A mint or a burn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetsReply {
    pub id: OperationId,
    pub sets: Shares,
    /// Charged for a mint, paid for a burn.
    pub cash: Money,
    pub yes_price: Ppm,
}
