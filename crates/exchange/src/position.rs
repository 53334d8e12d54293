//! A user's holdings in one market and currency, their cost and the realised result.
//!
//! The cost basis is the average cost. At any time, exactly: cash paid − cash received = cost − realised, summed over
//! both outcomes. A result outside the 64-bit range saturates.

use core::ops::{Index, IndexMut};

use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{Money, Shares, mul_floor};
use crate::order::Outcome;
use crate::pages::Slots;
use crate::sparse::{Empty, Sparse};
use crate::time::Time;
use minicbor::{Decode, Encode};

/// A slot in memory, reused after the position was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionSlot(pub(crate) u32);

/// The part of a position in one outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Holding {
    #[n(0)]
    pub free: Shares,
    /// Reserved for open SELL orders.
    #[n(1)]
    pub held: Shares,
    #[n(2)]
    pub cost: Money,
    /// Realised result of sales and burns.
    #[n(3)]
    pub realised: Money,
}

impl Empty for Holding {
    const EMPTY: &'static Holding =
        &Holding { free: Shares::ZERO, held: Shares::ZERO, cost: Money::ZERO, realised: Money::ZERO };

    fn is_empty_value(&self) -> bool {
        self == Holding::EMPTY
    }
}

impl Holding {
    pub fn total(&self) -> Shares {
        self.free + self.held
    }

    /// Without a sum, which bytes of a snapshot could make too large.
    pub(crate) fn has_shares(&self) -> bool {
        self.free > Shares::ZERO || self.held > Shares::ZERO
    }

    /// Adds shares bought for `paid`, including the fee.
    #[inline]
    pub(crate) fn buy(&mut self, shares: Shares, paid: Money) {
        self.free += shares;
        self.cost += paid;
    }

    /// Removes free shares sold for `received`, after the fee. Returns their cost.
    #[inline]
    pub(crate) fn sell_free(&mut self, shares: Shares, received: Money) -> Money {
        let cost = self.take_cost(shares, received);
        self.free -= shares;
        assert!(self.free >= Shares::ZERO, "a sale never exceeds the free shares");
        cost
    }

    /// Removes held shares after a resting SELL was filled. Returns their cost.
    #[inline]
    pub(crate) fn sell_held(&mut self, shares: Shares, received: Money) -> Money {
        let cost = self.take_cost(shares, received);
        self.held -= shares;
        assert!(self.held >= Shares::ZERO, "a fill never exceeds the held shares");
        cost
    }

    #[inline]
    fn take_cost(&mut self, shares: Shares, received: Money) -> Money {
        let total = self.total().units();
        let cost = if total == shares.units() {
            self.cost
        } else {
            Money::new(mul_floor(self.cost.units(), shares.units(), total))
        };
        self.cost -= cost;
        self.realised = self.realised.saturating_add(received - cost);
        cost
    }

    #[inline]
    pub(crate) fn hold(&mut self, shares: Shares) {
        self.free -= shares;
        self.held += shares;
        assert!(self.free >= Shares::ZERO, "a hold never exceeds the free shares");
    }

    #[inline]
    pub(crate) fn release(&mut self, shares: Shares) {
        self.held -= shares;
        self.free += shares;
        assert!(self.held >= Shares::ZERO, "a release never exceeds the held shares");
    }
}

#[derive(Clone, Debug)]
pub struct Position {
    pub user: UserIndex,
    pub listing: ListingIndex,
    /// Most positions have shares of one outcome, and those of buyers that wait have none.
    pub yes: Sparse<Holding>,
    pub no: Sparse<Holding>,
    /// When the user first traded or ordered on the listing, and when the shares last changed.
    pub opened_at: Time,
    pub changed_at: Time,
    /// The number of open orders of this user on this listing.
    pub(crate) open_orders: u32,
}

impl Position {
    pub(crate) fn new(user: UserIndex, listing: ListingIndex, at: Time) -> Position {
        Position {
            user,
            listing,
            yes: Sparse::empty(),
            no: Sparse::empty(),
            opened_at: at,
            changed_at: at,
            open_orders: 0,
        }
    }

    #[inline]
    pub fn holding(&self, outcome: Outcome) -> &Holding {
        match outcome {
            Outcome::Yes => &self.yes,
            Outcome::No => &self.no,
        }
    }

    #[inline]
    pub(crate) fn holding_mut(&mut self, outcome: Outcome) -> &mut Holding {
        match outcome {
            Outcome::Yes => &mut self.yes,
            Outcome::No => &mut self.no,
        }
    }

    pub fn open_orders(&self) -> u32 {
        self.open_orders
    }
}

/// All positions, by slot.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    slots: Slots<Position>,
}

impl Positions {
    pub(crate) fn insert(&mut self, position: Position) -> PositionSlot {
        PositionSlot(self.slots.insert(position))
    }

    pub(crate) fn remove(&mut self, slot: PositionSlot) -> Position {
        self.slots.remove(slot.0)
    }
}

impl Index<PositionSlot> for Positions {
    type Output = Position;
    #[inline]
    fn index(&self, slot: PositionSlot) -> &Position {
        &self.slots[slot.0]
    }
}

impl IndexMut<PositionSlot> for Positions {
    #[inline]
    fn index_mut(&mut self, slot: PositionSlot) -> &mut Position {
        &mut self.slots[slot.0]
    }
}
