//! The queues of a large book in blocks: neighbouring orders of one level with the total of their quantities.
//!
//! A walk to a place in a long queue passes whole blocks. A book of few orders has none: a walk through all of them is short,
//! and an operation on it costs nothing more.

use core::ops::{Index, IndexMut};

use super::node::NodeIndex;

/// A book has blocks once it has room for more orders than this.
pub(super) const BLOCKS_FROM: usize = 16_384;
/// Orders of a block at most.
pub(super) const BLOCK_MAX: u32 = 512;

/// An index into the blocks of a book; valid until the block is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockIndex(u32);

impl BlockIndex {
    pub(super) const NONE: BlockIndex = BlockIndex(u32::MAX);
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// What its orders have left together.
    pub(super) total: i64,
    pub(super) count: u32,
    pub(super) first: NodeIndex,
    /// The next block of the level; of a released block, the next released one.
    pub(super) next: BlockIndex,
    pub(super) previous: BlockIndex,
}

#[derive(Clone, Debug)]
pub(super) struct Blocks {
    slots: Vec<Block>,
    /// Released slots, linked by `next`.
    free: BlockIndex,
}

impl Default for Blocks {
    fn default() -> Blocks {
        Blocks { slots: Vec::new(), free: BlockIndex::NONE }
    }
}

impl Blocks {
    /// Adds an empty block that begins with this order, at the end of its level.
    pub(super) fn push(&mut self, previous: BlockIndex, first: NodeIndex) -> BlockIndex {
        let block = Block { total: 0, count: 0, first, next: BlockIndex::NONE, previous };
        let index = match self.slots.get(self.free.0 as usize) {
            Some(released) => core::mem::replace(&mut self.free, released.next),
            None => {
                self.slots.push(block);
                BlockIndex(self.slots.len() as u32 - 1)
            }
        };
        self[index] = block;
        if previous != BlockIndex::NONE {
            self[previous].next = index;
        }
        index
    }

    /// Releases a block whose orders have left or belong to another one.
    pub(super) fn release(&mut self, index: BlockIndex) {
        let Block { next, previous, .. } = self[index];
        if next != BlockIndex::NONE {
            self[next].previous = previous;
        }
        if previous != BlockIndex::NONE {
            self[previous].next = next;
        }
        self[index].next = self.free;
        self.free = index;
    }

    /// The neighbour that a block of few orders can join, so that there are never many blocks of few orders.
    pub(super) fn neighbour_with_room(&self, index: BlockIndex) -> Option<BlockIndex> {
        let Block { count, next, previous, .. } = self[index];
        let has_room =
            |other: &BlockIndex| *other != BlockIndex::NONE && self[*other].count + count <= BLOCK_MAX / 2;
        [previous, next].into_iter().filter(|_| count <= BLOCK_MAX / 4).find(has_room)
    }
}

impl Index<BlockIndex> for Blocks {
    type Output = Block;
    fn index(&self, index: BlockIndex) -> &Block {
        &self.slots[index.0 as usize]
    }
}

impl IndexMut<BlockIndex> for Blocks {
    fn index_mut(&mut self, index: BlockIndex) -> &mut Block {
        &mut self.slots[index.0 as usize]
    }
}
