//! Storage of resting orders: a slab of 32-byte nodes, linked into the queues of their levels.

use core::ops::{Index, IndexMut};

use super::BookSide;
use super::ladder::Rank;
use crate::index::{OrderSlot, UserIndex};

/// An index into the slab; valid until the node is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeIndex(u32);

impl NodeIndex {
    pub const NONE: NodeIndex = NodeIndex(u32::MAX);
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) remaining: i64,
    pub(super) next: NodeIndex,
    pub(super) previous: NodeIndex,
    pub(super) user: UserIndex,
    pub(super) order: OrderSlot,
    pub(super) rank: Rank,
    pub(super) side: BookSide,
}

const _: () = assert!(size_of::<Node>() == 32, "a resting order takes 32 bytes");

impl Node {
    #[inline]
    pub(super) fn new(side: BookSide, rank: Rank, user: UserIndex, order: OrderSlot, remaining: i64) -> Node {
        Node { remaining, next: NodeIndex::NONE, previous: NodeIndex::NONE, user, order, rank, side }
    }
}

/// A book with fewer nodes grows in small steps.
const SMALL: usize = 1_024;

#[derive(Clone, Debug)]
pub(super) struct Nodes {
    slots: Vec<Node>,
    /// Released slots, linked by `next`.
    free: NodeIndex,
}

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes { slots: Vec::new(), free: NodeIndex::NONE }
    }
}

impl Nodes {
    #[inline(always)]
    pub(super) fn insert(&mut self, node: Node) -> NodeIndex {
        let index = self.free;
        if let Some(slot) = self.slots.get_mut(index.0 as usize) {
            self.free = slot.next;
            *slot = node;
            return index;
        }
        self.push(node)
    }

    #[cold]
    fn push(&mut self, node: Node) -> NodeIndex {
        let index = NodeIndex(self.slots.len() as u32);
        assert!(index != NodeIndex::NONE, "a book holds at most 2³² − 1 orders");
        // Most books are small, and doubling would waste a third of their memory.
        if self.slots.len() == self.slots.capacity() && self.slots.len() < SMALL {
            self.slots.reserve_exact((self.slots.len() / 4).max(4));
        }
        self.slots.push(node);
        index
    }

    #[inline]
    pub(super) fn release(&mut self, index: NodeIndex) {
        self.slots[index.0 as usize].next = self.free;
        self.free = index;
    }

    #[inline]
    pub(super) fn get(&self, index: NodeIndex) -> Option<&Node> {
        self.slots.get(index.0 as usize)
    }

    /// Counts the live nodes by walking the free list; only readers call it.
    pub(super) fn len(&self) -> usize {
        let released = core::iter::successors(self.get(self.free), |node| self.get(node.next)).count();
        self.slots.len() - released
    }
}

impl Index<NodeIndex> for Nodes {
    type Output = Node;
    #[inline]
    fn index(&self, index: NodeIndex) -> &Node {
        &self.slots[index.0 as usize]
    }
}

impl IndexMut<NodeIndex> for Nodes {
    #[inline]
    fn index_mut(&mut self, index: NodeIndex) -> &mut Node {
        &mut self.slots[index.0 as usize]
    }
}
