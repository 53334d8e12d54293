//! Storage of resting orders: a slab of 32-byte nodes, linked into the queues of their levels, and in a large book also into
//! blocks.

use core::ops::{Index, IndexMut};

use super::BookSide;
use super::blocks::{BLOCK_MAX, BLOCKS_FROM, Block, BlockIndex, Blocks};
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
    /// None in a book without blocks.
    pub(super) block: BlockIndex,
    pub(super) rank: Rank,
    pub(super) side: BookSide,
}

const _: () = assert!(size_of::<Node>() == 32, "a resting order takes 32 bytes");

impl Node {
    #[inline]
    pub(super) fn new(side: BookSide, rank: Rank, user: UserIndex, order: OrderSlot, remaining: i64) -> Node {
        let (next, previous, block) = (NodeIndex::NONE, NodeIndex::NONE, BlockIndex::NONE);
        Node { remaining, next, previous, user, order, block, rank, side }
    }
}

/// A book with fewer nodes grows in small steps.
const SMALL: usize = 1_024;

#[derive(Clone, Debug)]
pub(super) struct Nodes {
    slots: Vec<Node>,
    /// Released slots, linked by `next`.
    free: NodeIndex,
    released: u32,
    blocks: Option<Box<Blocks>>,
}

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes { slots: Vec::new(), free: NodeIndex::NONE, released: 0, blocks: None }
    }
}

impl Nodes {
    #[inline(always)]
    pub(super) fn insert(&mut self, node: Node) -> NodeIndex {
        let index = self.free;
        if let Some(slot) = self.slots.get_mut(index.0 as usize) {
            self.free = slot.next;
            self.released -= 1;
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
        if self.slots.len() == BLOCKS_FROM && self.blocks.is_none() {
            self.form_blocks();
        }
        self.slots.push(node);
        index
    }

    #[inline]
    pub(super) fn release(&mut self, index: NodeIndex) {
        self.slots[index.0 as usize].next = self.free;
        self.free = index;
        self.released += 1;
    }

    #[inline]
    pub(super) fn get(&self, index: NodeIndex) -> Option<&Node> {
        self.slots.get(index.0 as usize)
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.released as usize
    }

    /// Reduces what an order has left.
    #[inline]
    pub(super) fn reduce(&mut self, index: NodeIndex, less: i64) {
        let node = &mut self.slots[index.0 as usize];
        node.remaining -= less;
        let block = node.block;
        if block != BlockIndex::NONE {
            self.reduce_block(block, less);
        }
    }
}

/// Blocks.
impl Nodes {
    /// Puts all orders into blocks. Every slot is in a queue, or this one would have been reused.
    fn form_blocks(&mut self) {
        self.blocks = Some(Box::default());
        for slot in 0..self.slots.len() {
            let mut index = NodeIndex(slot as u32);
            if self[index].previous == NodeIndex::NONE {
                while index != NodeIndex::NONE {
                    self.enter_block(index);
                    index = self[index].next;
                }
            }
        }
    }

    /// Whether orders belong to blocks.
    #[inline]
    pub(super) fn has_blocks(&self) -> bool {
        self.blocks.is_some()
    }

    /// The block that begins with this order.
    pub(super) fn block_from(&self, index: NodeIndex) -> Option<(BlockIndex, &Block)> {
        let (blocks, block) = (self.blocks.as_ref()?, self[index].block);
        Some((block, &blocks[block])).filter(|(_, block)| block.first == index)
    }

    /// The first order behind a block.
    pub(super) fn behind(&self, block: &Block) -> NodeIndex {
        let next = self.blocks.as_ref().filter(|_| block.next != BlockIndex::NONE);
        next.map_or(NodeIndex::NONE, |blocks| blocks[block.next].first)
    }

    /// Adds an order at the end of its level to the last block there, or to a new one.
    #[inline(never)]
    pub(super) fn enter_block(&mut self, index: NodeIndex) {
        let Some(blocks) = &mut self.blocks else { return };
        let Node { previous, remaining, .. } = self.slots[index.0 as usize];
        let last = self.slots.get(previous.0 as usize).map_or(BlockIndex::NONE, |node| node.block);
        let has_room = last != BlockIndex::NONE && blocks[last].count < BLOCK_MAX;
        let block = if has_room { last } else { blocks.push(last, index) };
        blocks[block].total += remaining;
        blocks[block].count += 1;
        self.slots[index.0 as usize].block = block;
    }

    #[inline(never)]
    fn reduce_block(&mut self, block: BlockIndex, less: i64) {
        if let Some(blocks) = &mut self.blocks {
            blocks[block].total -= less;
        }
    }

    /// Removes an order, which has left its queue, from its block. `next` was behind it.
    #[inline(never)]
    pub(super) fn leave_block(&mut self, index: NodeIndex, next: NodeIndex) {
        let Node { remaining, block, .. } = self.slots[index.0 as usize];
        let Some(blocks) = &mut self.blocks else { return };
        let left = &mut blocks[block];
        left.total -= remaining;
        left.count -= 1;
        if left.count == 0 {
            return blocks.release(block);
        }
        if left.first == index {
            left.first = next;
        }
        if let Some(neighbour) = blocks.neighbour_with_room(block) {
            self.join_blocks(block, neighbour);
        }
    }

    /// Moves the orders of a block into its neighbour.
    fn join_blocks(&mut self, block: BlockIndex, neighbour: BlockIndex) {
        let Some(blocks) = &mut self.blocks else { return };
        let Block { total, count, first, next, .. } = blocks[block];
        let joined = &mut blocks[neighbour];
        joined.total += total;
        joined.count += count;
        if next == neighbour {
            joined.first = first;
        }
        blocks.release(block);
        let mut index = first;
        for _ in 0..count {
            let node = &mut self.slots[index.0 as usize];
            node.block = neighbour;
            index = node.next;
        }
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
