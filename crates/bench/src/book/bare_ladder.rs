//! The floor: a ladder of dense price levels over one slab of linked orders.
//!
//! No accounts, no self-trade checks, no events, and ids that index an array. No price-time matching can do much less,
//! so it is the unit of the comparison, not a competitor.

use super::by_id::ById;
use super::contestant::{Contestant, Order, Resting, Side, TICK_MAX, Tally};

/// One more than the highest tick.
const TICKS: usize = TICK_MAX as usize + 1;
/// The end of a list, and the slot of an id that never rested.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    id: u32,
    /// Zero if the slot is free.
    quantity: u32,
    previous: u32,
    /// The next order of the level, or the next free slot.
    next: u32,
    price: u8,
    side: Side,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    head: u32,
    tail: u32,
}

const LEVEL_EMPTY: Level = Level { head: NONE, tail: NONE };

#[derive(Debug)]
pub(crate) struct BareLadder {
    levels: [[Level; TICKS]; 2],
    /// Per side, one bit for each non-empty level.
    occupied: [u128; 2],
    slab: Vec<Node>,
    free: u32,
    /// The slot of each id. It may be stale; the node holds the id it belongs to.
    slots: ById<u32>,
}

impl Default for BareLadder {
    fn default() -> Self {
        Self {
            levels: [[LEVEL_EMPTY; TICKS]; 2],
            occupied: [0; 2],
            slab: Vec::new(),
            free: NONE,
            slots: ById::new(NONE),
        }
    }
}

impl Contestant for BareLadder {
    #[inline]
    fn add(&mut self, mut order: Order, tally: &mut impl Tally) {
        let makers = order.side.opposite();
        while let Some(price) = self.best(makers) {
            let crosses = match order.side {
                Side::Buy => price <= order.price,
                Side::Sell => price >= order.price,
            };
            if !crosses {
                break;
            }
            self.take(&mut order, makers, price, tally);
            if order.quantity == 0 {
                return;
            }
        }
        self.rest(order);
    }

    #[inline]
    fn cancel(&mut self, id: u32) {
        let slot = self.slots.get(id);
        if slot == NONE {
            return;
        }
        let node = self.slab[slot as usize];
        if node.id != id || node.quantity == 0 {
            return;
        }
        let level = &mut self.levels[node.side as usize][usize::from(node.price)];
        if node.previous == NONE {
            level.head = node.next;
        } else {
            self.slab[node.previous as usize].next = node.next;
        }
        if node.next == NONE {
            level.tail = node.previous;
        } else {
            self.slab[node.next as usize].previous = node.previous;
        }
        if level.head == NONE {
            self.occupied[node.side as usize] &= !(1 << node.price);
        }
        self.release(slot);
    }

    fn resting(&self) -> Resting {
        let live = self.slab.iter().filter(|node| node.quantity > 0);
        Resting {
            orders: Some(live.clone().count() as u64),
            quantity: live.map(|node| u64::from(node.quantity)).sum(),
        }
    }
}

impl BareLadder {
    #[inline]
    fn best(&self, side: Side) -> Option<u32> {
        let occupied = self.occupied[side as usize];
        match side {
            Side::Buy => occupied.checked_ilog2(),
            Side::Sell => (occupied != 0).then(|| occupied.trailing_zeros()),
        }
    }

    /// Fills `order` from one level, oldest first, until either is exhausted.
    #[inline]
    fn take(&mut self, order: &mut Order, makers: Side, price: u32, tally: &mut impl Tally) {
        let level = &mut self.levels[makers as usize][price as usize];
        let mut slot = level.head;
        while slot != NONE {
            let node = &mut self.slab[slot as usize];
            let quantity = order.quantity.min(node.quantity);
            tally.fill(order.id, node.id, price, quantity);
            order.quantity -= quantity;
            node.quantity -= quantity;
            if node.quantity > 0 {
                node.previous = NONE;
                level.head = slot;
                return;
            }
            let next = node.next;
            node.next = self.free;
            self.free = slot;
            slot = next;
            if order.quantity == 0 {
                break;
            }
        }
        level.head = slot;
        if slot == NONE {
            level.tail = NONE;
            self.occupied[makers as usize] &= !(1 << price);
        } else {
            self.slab[slot as usize].previous = NONE;
        }
    }

    #[inline]
    fn rest(&mut self, order: Order) {
        let level = &mut self.levels[order.side as usize][order.price as usize];
        let node = Node {
            id: order.id,
            quantity: order.quantity,
            previous: level.tail,
            next: NONE,
            price: order.price as u8,
            side: order.side,
        };
        let slot = if self.free == NONE {
            self.slab.push(node);
            (self.slab.len() - 1) as u32
        } else {
            let slot = self.free;
            self.free = self.slab[slot as usize].next;
            self.slab[slot as usize] = node;
            slot
        };
        if level.tail == NONE {
            level.head = slot;
            self.occupied[order.side as usize] |= 1 << order.price;
        } else {
            self.slab[level.tail as usize].next = slot;
        }
        level.tail = slot;
        self.slots.set(order.id, slot);
    }

    #[inline]
    fn release(&mut self, slot: u32) {
        let node = &mut self.slab[slot as usize];
        node.quantity = 0;
        node.next = self.free;
        self.free = slot;
    }
}
