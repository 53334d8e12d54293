//! An order on the book. Closed orders leave memory; their last `OrderRecord` shows how they ended.

use super::{OrderSlot, OrderState, Side};
use crate::book::NodeIndex;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{Money, Price};
use crate::position::PositionSlot;

#[derive(Clone, Debug)]
pub struct Order {
    pub terms: OrderState,
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
