//! What a caller asks for: a new order, an amendment, and the items of a batch.

use minicbor::{Decode, Encode};

use super::{OrderKind, SelfTrade, Side, TimeInForce};
use crate::id::{EventId, MarketId, OrderId, OutcomeId};
use crate::numbers::{Currency, Money, Price, Shares, Slippage};
use crate::text::Text;
use crate::time::Time;

/// How much: money (the spec's `amount`) or an exact number of shares (`quantity`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Sizing {
    #[n(0)]
    Amount(#[n(0)] Money),
    #[n(1)]
    Quantity(#[n(0)] Shares),
}

/// The event and market that a request's path named; they must be the outcome's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct OrderPath {
    #[n(0)]
    pub event: EventId,
    #[n(1)]
    pub market: MarketId,
}

/// Its bytes are in `new_codec`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOrder {
    pub id: OrderId,
    pub outcome: OutcomeId,
    pub side: Side,
    pub kind: OrderKind,
    pub currency: Currency,
    pub sizing: Sizing,
    pub price: Option<Price>,
    /// None: GTC for a limit, FAK for a market order.
    pub time_in_force: Option<TimeInForce>,
    pub post_only: bool,
    pub self_trade: SelfTrade,
    pub max_slippage: Option<Slippage>,
    pub expires_at: Option<Time>,
    pub client_order_id: Option<Text>,
    pub path: Option<OrderPath>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Amendment {
    #[n(0)]
    pub order: OrderId,
    #[n(1)]
    pub new_price: Option<Price>,
    /// The new total, what has filled included.
    #[n(2)]
    pub new_size: Option<Shares>,
}

/// One item of a batch. What could not be read stays in its place, so that results keep the order
/// of the request.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Item<T> {
    #[n(0)]
    Valid(#[n(0)] T),
    #[n(1)]
    Malformed(#[n(0)] Malformed),
}

/// Why an item could not be read, in words for its sender, and what the sender called it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Malformed {
    #[n(0)]
    pub message: Text,
    /// The id of an amend's order, as it was sent: it may be no id at all.
    #[n(1)]
    pub order: Option<Text>,
    /// A placement's own name.
    #[n(2)]
    pub client_order_id: Option<Text>,
}

impl Malformed {
    /// An item that did not even say what it is called.
    pub const fn new(message: Text) -> Malformed {
        Malformed { message, order: None, client_order_id: None }
    }
}
