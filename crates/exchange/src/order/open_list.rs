//! A user's open orders in the order of placement, in one contiguous list. A page of them, its filter and its total
//! read this list and no order.
//!
//! Closed entries stay until they are half of the list, so adding and removing an order takes constant time on average.

use super::{Order, OrderSlot, OrderStatus, Outcome, Side};
use crate::index::ListingIndex;
use crate::numbers::Shares;
use crate::sparse::Empty;

/// The bits of an entry's key below the serial.
const CLOSED: u64 = 1;
const PARTLY_FILLED: u64 = 2;
const SELL: u64 = 4;
const NO: u64 = 8;
const SERIAL: u32 = 4;

/// A list this short keeps its memory when it becomes empty.
const KEPT_MAX: usize = 64;

/// An open order, with the fields that lists select by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenEntry {
    /// The serial, then one bit each for side, outcome, a first fill and the end of the order.
    key: u64,
    pub slot: OrderSlot,
    pub listing: ListingIndex,
}

impl OpenEntry {
    /// Serials are counted from zero, one by one.
    pub(crate) const SERIAL_MAX: u64 = u64::MAX >> SERIAL;

    fn of(order: &Order, slot: OrderSlot) -> OpenEntry {
        let terms = &order.terms;
        let bit = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
        let key = terms.serial << SERIAL
            | bit(terms.outcome == Outcome::No, NO)
            | bit(terms.side == Side::Sell, SELL)
            | bit(terms.progress.filled > Shares::ZERO, PARTLY_FILLED);
        OpenEntry { key, slot, listing: order.listing }
    }

    #[inline]
    pub const fn serial(&self) -> u64 {
        self.key >> SERIAL
    }

    pub const fn side(&self) -> Side {
        if self.key & SELL == 0 { Side::Buy } else { Side::Sell }
    }

    pub const fn outcome(&self) -> Outcome {
        if self.key & NO == 0 { Outcome::Yes } else { Outcome::No }
    }

    pub const fn status(&self) -> OrderStatus {
        if self.key & PARTLY_FILLED == 0 { OrderStatus::Open } else { OrderStatus::PartialFilled }
    }

    const fn is_closed(&self) -> bool {
        self.key & CLOSED != 0
    }
}

#[derive(Clone, Debug, Default)]
pub struct OpenOrders {
    entries: Vec<OpenEntry>,
    /// Closed entries that are still in the list. The last entry is never closed.
    closed: u32,
    /// The number of idempotency keys remembered for the user. Here, because users who never sent an order have neither.
    pub(crate) idempotency_keys: u32,
}

impl Empty for OpenOrders {
    const EMPTY: &'static OpenOrders = &OpenOrders { entries: Vec::new(), closed: 0, idempotency_keys: 0 };

    fn is_empty_value(&self) -> bool {
        self.entries.is_empty() && self.idempotency_keys == 0
    }
}

const _: () = assert!(size_of::<OpenOrders>() <= 32, "each user who trades has one");

impl OpenOrders {
    #[inline]
    pub fn len(&self) -> u32 {
        self.entries.len() as u32 - self.closed
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All open orders, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &OpenEntry> {
        self.entries.iter().filter(|entry| !entry.is_closed())
    }

    /// The open orders placed after the one with this serial, oldest first.
    pub fn after(&self, serial: Option<u64>) -> impl Iterator<Item = &OpenEntry> {
        let begin = serial.map_or(0, |serial| self.entries.partition_point(|entry| entry.serial() <= serial));
        self.entries[begin..].iter().filter(|entry| !entry.is_closed())
    }

    /// Adds an order, which is newer than all others.
    pub(crate) fn push(&mut self, order: &Order, slot: OrderSlot) {
        let entry = OpenEntry::of(order, slot);
        let last = self.entries.last();
        assert!(
            last.is_none_or(|last| last.serial() < entry.serial()),
            "orders are listed as they are placed"
        );
        self.entries.push(entry);
    }

    pub(crate) fn remove(&mut self, serial: u64) {
        let place = self.place(serial);
        self.entries[place].key |= CLOSED;
        self.closed += 1;
        while self.entries.last().is_some_and(OpenEntry::is_closed) {
            self.entries.pop();
            self.closed -= 1;
        }
        if self.closed as usize > self.entries.len() / 2 {
            self.entries.retain(|entry| !entry.is_closed());
            self.closed = 0;
        }
        if self.entries.capacity() > KEPT_MAX && self.entries.len() < self.entries.capacity() / 4 {
            self.entries.shrink_to(self.entries.len() * 2);
        }
    }

    /// Notes the first fill of an order.
    pub(crate) fn note_fill(&mut self, serial: u64) {
        let place = self.place(serial);
        self.entries[place].key |= PARTLY_FILLED;
    }

    /// The place of an order in the list.
    #[inline]
    fn place(&self, serial: u64) -> usize {
        // Most orders that close are among the newest of their owner, or the oldest, when all are closed in order.
        let oldest = self.closed as usize;
        match (self.entries.last(), self.entries.get(oldest)) {
            (Some(last), _) if last.serial() == serial => self.entries.len() - 1,
            (_, Some(entry)) if entry.serial() == serial => oldest,
            _ => self.entries.partition_point(|entry| entry.serial() < serial),
        }
    }

    /// Whether the list has exactly this entry for an open order.
    pub(crate) fn contains(&self, order: &Order, slot: OrderSlot) -> bool {
        let place = self.place(order.terms.serial);
        self.entries.get(place) == Some(&OpenEntry::of(order, slot))
    }
}

#[cfg(test)]
impl OpenOrders {
    /// A planted bug: the list loses its last entry.
    pub(crate) fn spoil(&mut self) {
        self.entries.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::NodeIndex;
    use crate::id::OrderId;
    use crate::index::UserIndex;
    use crate::numbers::{FeeRate, Money};
    use crate::order::{OpenTerms, OrderKind, Progress, SelfTrade, TimeInForce};
    use crate::position::PositionSlot;
    use crate::time::Time;

    fn order(serial: u64, bits: u64) -> Order {
        let terms = OpenTerms {
            id: OrderId::new(u128::from(serial)),
            serial,
            amount: Money::ZERO,
            size: Shares::whole(10),
            created_at: Time::ZERO,
            client_order_id: None,
            progress: Progress::default().into(),
            fee_rate: FeeRate::ZERO,
            price: None,
            outcome: if bits & 1 == 0 { Outcome::Yes } else { Outcome::No },
            side: if bits & 2 == 0 { Side::Buy } else { Side::Sell },
            kind: OrderKind::Limit,
            time_in_force: TimeInForce::Gtc,
            post_only: false,
            self_trade: SelfTrade::Skip,
        };
        let listing = ListingIndex((bits >> 2) as u32 % 7);
        Order { terms, user: UserIndex(1), listing, position: PositionSlot(0), node: NodeIndex::NONE }
    }

    /// The next number of a simple generator.
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 33
    }

    #[test]
    fn the_list_equals_a_plain_one_whatever_is_placed_filled_and_closed() {
        for seed in 1..=20_u64 {
            let (mut random, mut list, mut plain) = (seed, OpenOrders::default(), Vec::<Order>::new());
            for serial in 0..2_000_u64 {
                // Long phases of growth and of decline.
                let grows = (serial / 400).is_multiple_of(2);
                let pick = next(&mut random) % 10;
                if plain.is_empty() || pick < if grows { 7 } else { 3 } {
                    let order = order(serial, next(&mut random));
                    list.push(&order, OrderSlot(serial as u32));
                    plain.push(order);
                } else {
                    let place = next(&mut random) as usize % plain.len();
                    if pick == 9 {
                        plain[place].terms.progress.filled = Shares::whole(1);
                        list.note_fill(plain[place].terms.serial);
                    } else {
                        list.remove(plain.remove(place).terms.serial);
                    }
                }
                let expected =
                    plain.iter().map(|order| OpenEntry::of(order, OrderSlot(order.terms.serial as u32)));
                assert!(list.iter().copied().eq(expected.clone()), "seed {seed}, step {serial}");
                assert!(list.iter().rev().copied().eq(expected.clone().rev()), "seed {seed}, step {serial}");
                let last = (pick != 0).then(|| next(&mut random) % (serial + 1));
                let newer = expected.filter(|entry| last.is_none_or(|last| entry.serial() > last));
                assert!(list.after(last).copied().eq(newer), "seed {seed}, step {serial}, after {last:?}");
                assert_eq!((list.len() as usize, list.is_empty()), (plain.len(), plain.is_empty()));
                assert!(list.closed as usize <= list.entries.len() / 2, "closed entries are at most half");
            }
        }
    }

    #[test]
    fn an_emptied_list_releases_its_memory() {
        let mut list = OpenOrders::default();
        (0..5_000).for_each(|serial| list.push(&order(serial, 0), OrderSlot(serial as u32)));
        (0..5_000).for_each(|serial| list.remove(serial));
        assert!(list.is_empty() && list.entries.capacity() <= KEPT_MAX, "{}", list.entries.capacity());
    }
}
