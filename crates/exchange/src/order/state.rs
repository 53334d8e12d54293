//! The state of an order, open or closed: what it asks for, and how much of it is filled.

use minicbor::{Decode, Encode};

use super::{OrderKind, OrderStatus, Outcome, SelfTrade, Side, TimeInForce};
use crate::id::OrderId;
use crate::numbers::{FeeRate, Money, Price, Shares};
use crate::text::Text;
use crate::time::Time;

/// The terms of an order and its running totals. `price` and `size` change only by an amend.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct OrderState {
    #[n(0)]
    pub id: OrderId,
    /// Creation order over the whole exchange.
    #[n(1)]
    pub serial: u64,
    #[n(2)]
    pub outcome: Outcome,
    #[n(3)]
    pub side: Side,
    #[n(4)]
    pub kind: OrderKind,
    #[n(5)]
    pub time_in_force: TimeInForce,
    #[n(6)]
    pub post_only: bool,
    #[n(7)]
    pub self_trade: SelfTrade,
    /// The limit, as a price of the order's outcome.
    #[n(8)]
    pub price: Option<Price>,
    /// Fixed at entry: a changed market fee applies only to new orders.
    #[n(9)]
    pub fee_rate: FeeRate,
    /// The requested amount of money.
    #[n(10)]
    pub amount: Money,
    #[n(11)]
    pub size: Shares,
    #[n(12)]
    pub filled: Shares,
    /// The filled value at the order's own prices, before fees.
    #[n(13)]
    pub value: Money,
    /// The part of `value` filled as a taker; the fee applies to it.
    #[n(14)]
    pub taker_value: Money,
    #[n(15)]
    pub fee: Money,
    /// The number of trades it took: the index of the next one.
    #[n(16)]
    pub trades: u64,
    #[n(17)]
    pub expires_at: Option<Time>,
    #[n(18)]
    pub created_at: Time,
    #[n(19)]
    pub updated_at: Time,
    #[n(20)]
    pub client_order_id: Option<Text>,
}

impl OrderState {
    #[inline]
    pub fn remaining(&self) -> Shares {
        self.size - self.filled
    }

    /// The status of a resting order: open, or partially filled.
    pub fn open_status(&self) -> OrderStatus {
        if self.filled == Shares::ZERO { OrderStatus::Open } else { OrderStatus::PartialFilled }
    }
}
