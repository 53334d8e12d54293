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

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct NewOrder {
    #[n(0)]
    pub id: OrderId,
    #[n(1)]
    pub outcome: OutcomeId,
    #[n(2)]
    pub side: Side,
    #[n(3)]
    pub kind: OrderKind,
    #[n(4)]
    pub currency: Currency,
    #[n(5)]
    pub sizing: Sizing,
    #[n(6)]
    pub price: Option<Price>,
    /// None: GTC for a limit, FAK for a market order.
    #[n(7)]
    pub time_in_force: Option<TimeInForce>,
    #[n(8)]
    pub post_only: bool,
    #[n(9)]
    pub self_trade: SelfTrade,
    #[n(10)]
    pub max_slippage: Option<Slippage>,
    #[n(11)]
    pub expires_at: Option<Time>,
    #[n(12)]
    pub client_order_id: Option<Text>,
    #[n(13)]
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

/// Why an item could not be read, in words for its sender.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Malformed {
    #[n(0)]
    pub message: Text,
}
