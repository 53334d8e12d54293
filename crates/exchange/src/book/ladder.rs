//! One side of the book: its levels as a dense array, with a bitmap of those that are not empty.
//!
//! Levels are ordered by rank, the higher the better: a bid's rank is its price, an ask's is 100 less its
//! price. So one code serves both sides.

use super::BookSide;
use super::node::{Node, NodeIndex, Nodes};
use crate::numbers::Price;

/// A level's merit on its side: 1..=99, the best is the highest.
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

/// Ranks end at 99; a power of two spares the bounds check.
const LEVELS: usize = 128;

#[derive(Clone, Debug)]
pub(super) struct Ladder {
    /// The highest occupied rank; 0 when nothing rests.
    best: Rank,
    /// Bit `r` is set when something rests at rank `r`.
    occupied: [u64; 2],
    levels: Box<[Level; LEVELS]>,
}

impl Default for Ladder {
    fn default() -> Ladder {
        Ladder { best: Rank(0), occupied: [0; 2], levels: Box::new([EMPTY; LEVELS]) }
    }
}

impl Ladder {
    pub(super) fn best(&self) -> Option<Rank> {
        (self.best > Rank(0)).then_some(self.best)
    }

    /// The best rank, or one below every rank when nothing rests.
    #[inline]
    pub(super) fn top(&self) -> Rank {
        self.best
    }

    #[inline]
    pub(super) fn head(&self, rank: Rank) -> NodeIndex {
        self.levels[usize::from(rank.0) % LEVELS].head
    }

    pub(super) fn total(&self, rank: Rank) -> i64 {
        self.levels[usize::from(rank.0) % LEVELS].total
    }

    #[inline]
    fn level_mut(&mut self, rank: Rank) -> &mut Level {
        &mut self.levels[usize::from(rank.0) % LEVELS]
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
        let level = self.level_mut(rank);
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
        index
    }

    /// Takes a node out of its queue, releases it, and says what remained of it.
    #[inline]
    pub(super) fn unlink(&mut self, nodes: &mut Nodes, index: NodeIndex) -> i64 {
        let Node { remaining, next, previous, rank, .. } = nodes[index];
        nodes.release(index);
        let level = self.level_mut(rank);
        level.total -= remaining;
        if previous == NodeIndex::NONE {
            level.head = next;
        } else {
            nodes[previous].next = next;
        }
        if next != NodeIndex::NONE {
            nodes[next].previous = previous;
            return remaining;
        }
        level.tail = previous;
        if previous == NodeIndex::NONE {
            self.vacate(rank);
        }
        remaining
    }

    /// The last order of a level has gone.
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
