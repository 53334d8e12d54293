//! An order on the book. Closed orders leave memory; their last `OrderRecord` shows how they ended.

use minicbor::{Decode, Encode};

use super::{OrderKind, OrderStatus, Outcome, SelfTrade, Side, TimeInForce};
use crate::book::NodeIndex;
use crate::id::OrderId;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{FeeRate, Money, Price, Shares};
use crate::order::OrderSlot;
use crate::position::PositionSlot;
use crate::text::Text;
use crate::time::Time;

/// The properties of an order. `price` and `size` change only by an amend.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Terms {
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

impl Terms {
    #[inline]
    pub fn remaining(&self) -> Shares {
        self.size - self.filled
    }

    /// The status of a resting order: open, or partially filled.
    pub fn open_status(&self) -> OrderStatus {
        if self.filled == Shares::ZERO { OrderStatus::Open } else { OrderStatus::PartialFilled }
    }
}

#[derive(Clone, Debug)]
pub struct Order {
    pub terms: Terms,
    pub user: UserIndex,
    pub listing: ListingIndex,
    pub(crate) position: PositionSlot,
    pub(crate) node: NodeIndex,
    /// Neighbours in the list of this user's open orders on this listing.
    pub(crate) previous: OrderSlot,
    pub(crate) next: OrderSlot,
}

impl Order {
    /// The limit price. Only limit orders rest.
    #[inline]
    pub fn price(&self) -> Price {
        match self.terms.price {
            Some(price) => price,
            None => Price::MIN,
        }
    }

    /// The value of the remainder at the order's price.
    pub fn notional(&self) -> Money {
        self.terms.remaining().value_at(self.price().into(), self.listing.currency())
    }

    /// The money that the order holds: a BUY holds money; a SELL holds `remaining` shares instead.
    pub fn held_cash(&self) -> Money {
        match self.terms.side {
            Side::Buy => self.notional(),
            Side::Sell => Money::ZERO,
        }
    }
}
