//! Requests about orders: a new order, an amendment, and the items of a batch.

use minicbor::{Decode, Encode};

use super::{OrderKind, SelfTrade, Side, TimeInForce};
use crate::id::{EventId, MarketId, OrderId, OutcomeId};
use crate::numbers::{Currency, Money, Price, Shares, Slippage};
use crate::text::Text;
use crate::time::Time;

/// The size of an order: money (the spec's `amount`) or an exact number of shares (`quantity`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Sizing {
    #[n(0)]
    Amount(#[n(0)] Money),
    #[n(1)]
    Quantity(#[n(0)] Shares),
}

/// The event and market in a request's path; they must be those of the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct OrderPath {
    #[n(0)]
    pub event: EventId,
    #[n(1)]
    pub market: MarketId,
}

/// A new order. `new_codec` encodes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOrder {
    pub id: OrderId,
    pub outcome: OutcomeId,
    pub side: Side,
    pub kind: OrderKind,
    pub currency: Currency,
    pub sizing: Sizing,
    pub price: Option<Price>,
    /// Default: GTC for a limit order, FAK for a market order.
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
    /// The new total size, including the filled part.
    #[n(2)]
    pub new_size: Option<Shares>,
}

/// One item of a batch. An item that could not be parsed keeps its position, so that results are in the order of the
/// request.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Item<T> {
    #[n(0)]
    Valid(#[n(0)] T),
    #[n(1)]
    Malformed(#[n(0)] Malformed),
}

/// Why an item could not be parsed, as a message for the client, and the client's name for the item.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Malformed {
    #[n(0)]
    pub message: Text,
    /// The order id of an amend, as sent: it may not be a valid id.
    #[n(1)]
    pub order: Option<Text>,
    /// The client order id of a new order.
    #[n(2)]
    pub client_order_id: Option<Text>,
}

impl Malformed {
    /// An item without any usable name.
    pub const fn new(message: Text) -> Malformed {
        Malformed { message, order: None, client_order_id: None }
    }
}
