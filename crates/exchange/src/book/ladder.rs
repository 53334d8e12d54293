//! One side of the book: a dense array of the levels between the lowest and the highest price ever used, with a bitmap of
//! the non-empty ones.
//!
//! Levels are ordered by rank, higher is better: a bid's rank is its price, an ask's is 100 minus its price. Both sides
//! therefore share the same code.

use super::BookSide;
use super::blocks::BlockIndex;
use super::node::{Node, NodeIndex, Nodes};
use crate::numbers::Price;

/// A level's rank on its side: 1..=99, the highest is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(u8);

impl Rank {
    #[inline]
    pub(super) const fn of(price: Price, side: BookSide) -> Rank {
        match side {
            BookSide::Bid => Rank(price.cents()),
            BookSide::Ask => Rank(price.complement().cents()),
        }
    }

    #[inline]
    pub(super) const fn price(self, side: BookSide) -> Price {
        let price = Price::of_level(self.0);
        match side {
            BookSide::Bid => price,
            BookSide::Ask => price.complement(),
        }
    }
}

impl Rank {
    /// Word and bit in the bitmap.
    #[inline]
    const fn place(self) -> (usize, u32) {
        ((self.0 >> 6) as usize & 1, self.0 as u32 & 63)
    }
}

#[derive(Clone, Copy, Debug)]
struct Level {
    total: i64,
    head: NodeIndex,
    tail: NodeIndex,
}

const EMPTY: Level = Level { total: 0, head: NodeIndex::NONE, tail: NodeIndex::NONE };

/// The array grows by this many levels at once.
const STEP: u8 = 4;

#[derive(Clone, Debug)]
pub(super) struct Ladder {
    /// The highest occupied rank; 0 if the side is empty.
    best: Rank,
    /// The rank of `levels[0]`.
    first: u8,
    /// Bit `r` is set if rank `r` has resting orders.
    occupied: [u64; 2],
    /// The levels of all ranks that ever had an order, and those between them.
    levels: Box<[Level]>,
}

impl Default for Ladder {
    fn default() -> Ladder {
        Ladder { best: Rank(0), first: 0, occupied: [0; 2], levels: Box::default() }
    }
}

impl Ladder {
    pub(super) fn best(&self) -> Option<Rank> {
        (self.best > Rank(0)).then_some(self.best)
    }

    /// The best rank, or rank 0 if the side is empty.
    #[inline]
    pub(super) fn top(&self) -> Rank {
        self.best
    }

    #[inline]
    pub(super) fn head(&self, rank: Rank) -> NodeIndex {
        self.levels[self.place(rank)].head
    }

    pub(super) fn total(&self, rank: Rank) -> i64 {
        self.levels[self.place(rank)].total
    }

    /// The place of a rank's level, beyond the end if there is none.
    #[inline]
    fn place(&self, rank: Rank) -> usize {
        usize::from(rank.0.wrapping_sub(self.first))
    }

    #[inline]
    fn level_mut(&mut self, rank: Rank) -> &mut Level {
        &mut self.levels[self.place(rank)]
    }

    /// Extends the array to a rank.
    fn extend_to(&mut self, rank: Rank) {
        let length = self.levels.len();
        let (low, high) = match length {
            0 => (rank.0, rank.0 + 1),
            _ => (self.first.min(rank.0), (self.first + length as u8).max(rank.0 + 1)),
        };
        let (low, high) = (low / STEP * STEP, high.next_multiple_of(STEP));
        let mut levels = vec![EMPTY; usize::from(high - low)].into_boxed_slice();
        let moved = usize::from(self.first.saturating_sub(low));
        levels[moved..moved + length].copy_from_slice(&self.levels);
        (self.first, self.levels) = (low, levels);
    }

    /// The next occupied rank below this one.
    #[inline]
    pub(super) fn below(&self, rank: Rank) -> Option<Rank> {
        let (word, bit) = rank.place();
        let worse = self.occupied[word] & ((1 << bit) - 1);
        if worse != 0 {
            return Some(Rank((word as u8) << 6 | (63 - worse.leading_zeros() as u8)));
        }
        (word == 1 && self.occupied[0] != 0).then(|| Rank(63 - self.occupied[0].leading_zeros() as u8))
    }

    /// Occupied ranks, best first.
    pub(super) fn ranks(&self) -> impl Iterator<Item = Rank> {
        core::iter::successors(self.best(), |rank| self.below(*rank))
    }

    #[inline(always)]
    pub(super) fn push_back(&mut self, nodes: &mut Nodes, mut node: Node) -> NodeIndex {
        let (rank, quantity) = (node.rank, node.remaining);
        let place = self.place(rank);
        let Some(level) = self.levels.get_mut(place) else {
            return self.extend_and_push_back(nodes, node);
        };
        let tail = level.tail;
        level.total += quantity;
        node.previous = tail;
        let index = nodes.insert(node);
        level.tail = index;
        if tail == NodeIndex::NONE {
            level.head = index;
            self.occupied[rank.place().0] |= 1 << rank.place().1;
            self.best = self.best.max(rank);
        } else {
            nodes[tail].next = index;
        }
        if nodes.has_blocks() {
            nodes.enter_block(index);
        }
        index
    }

    #[cold]
    #[inline(never)]
    fn extend_and_push_back(&mut self, nodes: &mut Nodes, node: Node) -> NodeIndex {
        self.extend_to(node.rank);
        self.push_back(nodes, node)
    }

    /// Removes a node from its queue, releases it, and returns its remaining quantity.
    #[inline(always)]
    pub(super) fn unlink(&mut self, nodes: &mut Nodes, index: NodeIndex) -> i64 {
        let Node { remaining, next, previous, rank, block, .. } = nodes[index];
        let level = self.level_mut(rank);
        level.total -= remaining;
        if previous == NodeIndex::NONE {
            level.head = next;
        } else {
            nodes[previous].next = next;
        }
        if next != NodeIndex::NONE {
            nodes[next].previous = previous;
        } else {
            level.tail = previous;
            if previous == NodeIndex::NONE {
                self.vacate(rank);
            }
        }
        if block != BlockIndex::NONE {
            nodes.leave_block(index, next);
        }
        nodes.release(index);
        remaining
    }

    /// Marks a level empty after its last order was removed.
    #[inline]
    fn vacate(&mut self, rank: Rank) {
        self.occupied[rank.place().0] &= !(1 << rank.place().1);
        if self.best == rank {
            self.best = self.below(rank).unwrap_or(Rank(0));
        }
    }

    #[inline]
    pub(super) fn shrink(&mut self, rank: Rank, less: i64) {
        self.level_mut(rank).total -= less;
    }
}
