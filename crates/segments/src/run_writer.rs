//! Writes a run: groups of values under ascending keys, in pieces, in blocks, with an index at the end.
//!
//! ```text
//! run    = block* index
//! block  = piece* (offset of each piece: u16)* (number of pieces: u16) (checksum: u32)
//! piece  = key (24 bytes) rank group (step group)*      a search ends in a piece and reads it from its start
//! group  = count, first value, distances                numbers are varints
//! step   = which words of the key differ, and how       (`Step`)
//! ```
//!
//! The rank of a piece is the number of values that its first key has in earlier pieces. Long lists take many pieces.

use crate::run::BlockIndex;
use crate::varint;
use crate::{Key, Order};

/// A piece ends after this many bytes. A search decodes half of one on average.
const PIECE_BYTES: usize = 384;
/// A block ends after this many bytes.
const BLOCK_BYTES: usize = 4 << 10;

/// The words of a key that differ from the previous key's.
pub(crate) struct Step;

impl Step {
    /// Bits 0 and 1: the first word that differs. It is stored as a distance.
    pub(crate) const WORD: u8 = 0b11;
    /// The word after it is zero and not stored. Otherwise it has eight bytes.
    pub(crate) const NEXT_IS_ZERO: u8 = 0b100;
    /// The last word equals that of the previous key and is not stored. Otherwise it is a varint.
    pub(crate) const LAST_IS_SAME: u8 = 0b1000;
    /// The group has one value, and no count.
    pub(crate) const IS_SINGLE: u8 = 0b1_0000;
}

#[derive(Debug)]
pub(crate) struct RunWriter {
    order: Order,
    pub(crate) bytes: Vec<u8>,
    pub(crate) index: Vec<BlockIndex>,
    pub(crate) entries: u64,
    /// Offset of `bytes` in the file.
    start: u64,
    block: BlockParts,
    group: Group,
}

/// The block that is being written.
#[derive(Debug, Default)]
struct BlockParts {
    bytes: Vec<u8>,
    pieces: Vec<u16>,
    /// Where the last piece begins; none if the next group begins a piece.
    piece: Option<usize>,
    /// The last key, and its first value in this piece.
    key: Key,
    first: u64,
}

/// The values of one key that are not in the block yet.
#[derive(Debug, Default)]
struct Group {
    key: Key,
    /// Values of the key before this group.
    rank: u64,
    count: u64,
    first: u64,
    last: u64,
    distances: Vec<u8>,
}

impl RunWriter {
    pub(crate) fn new(order: Order) -> RunWriter {
        RunWriter {
            order,
            bytes: Vec::new(),
            index: Vec::new(),
            entries: 0,
            start: 0,
            block: BlockParts::default(),
            group: Group::default(),
        }
    }

    /// Appends an entry. Keys ascend.
    #[inline]
    pub(crate) fn push(&mut self, key: Key, value: u64) {
        self.entries += 1;
        let group = &mut self.group;
        if group.count > 0 && group.key == key {
            match self.order {
                Order::Added => {
                    varint::put_signed(&mut group.distances, value.wrapping_sub(group.last).cast_signed());
                }
                Order::Ascending => varint::put(&mut group.distances, value - group.last),
            }
            group.last = value;
            group.count += 1;
            if group.distances.len() + self.block.piece_bytes() >= PIECE_BYTES {
                self.end_group();
            }
            return;
        }
        let is_continued = group.key == key && group.rank > 0;
        if group.count > 0 {
            self.end_group();
        }
        let rank = if is_continued { self.group.rank } else { 0 };
        self.group.distances.clear();
        let distances = std::mem::take(&mut self.group.distances);
        self.group = Group { key, rank, count: 1, first: value, last: value, distances };
    }

    fn end_group(&mut self) {
        let group = &self.group;
        if self.block.piece.is_none() {
            if self.block.pieces.is_empty() {
                self.index.push(BlockIndex {
                    key: group.key,
                    rank: group.rank,
                    value: group.first,
                    offset: self.start + self.bytes.len() as u64,
                    bytes: 0,
                });
            }
            self.block.begin_piece(group);
        } else {
            self.block.step(group);
        }
        self.block.bytes.extend_from_slice(&group.distances);
        (self.block.key, self.block.first) = (group.key, group.first);
        // What follows under the same key begins a piece.
        self.group.rank += self.group.count;
        self.group.count = 0;
        if self.block.piece_bytes() >= PIECE_BYTES {
            self.block.piece = None;
        }
        if self.block.bytes.len() >= BLOCK_BYTES {
            self.end_block();
        }
    }

    fn end_block(&mut self) {
        let block = &mut self.block;
        let Some(index) = self.index.last_mut().filter(|_| !block.pieces.is_empty()) else { return };
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&block.bytes);
        for piece in &block.pieces {
            self.bytes.extend_from_slice(&piece.to_be_bytes());
        }
        self.bytes.extend_from_slice(&(block.pieces.len() as u16).to_be_bytes());
        let checksum = crc32fast::hash(&self.bytes[start..]);
        self.bytes.extend_from_slice(&checksum.to_be_bytes());
        index.bytes = (self.bytes.len() - start) as u32;
        block.bytes.clear();
        block.pieces.clear();
        block.piece = None;
    }

    /// Takes the complete blocks written so far, with the place in the file where they belong.
    pub(crate) fn take_blocks(&mut self) -> (u64, Vec<u8>) {
        let offset = self.start;
        self.start += self.bytes.len() as u64;
        (offset, std::mem::take(&mut self.bytes))
    }

    /// Completes the last block.
    pub(crate) fn end(&mut self) {
        if self.group.count > 0 {
            self.end_group();
        }
        self.end_block();
    }
}

impl BlockParts {
    fn piece_bytes(&self) -> usize {
        self.piece.map_or(0, |start| self.bytes.len() - start)
    }

    fn begin_piece(&mut self, group: &Group) {
        let start = self.bytes.len();
        // A block ends soon after `BLOCK_BYTES`, so offsets fit.
        self.pieces.push(start as u16);
        self.piece = Some(start);
        for word in group.key.0 {
            self.bytes.extend_from_slice(&word.to_be_bytes());
        }
        varint::put(&mut self.bytes, group.rank);
        varint::put(&mut self.bytes, group.count);
        varint::put(&mut self.bytes, group.first);
    }

    fn step(&mut self, group: &Group) {
        let (Key(before), Key(after)) = (self.key, group.key);
        let word = (0..3).find(|word| before[*word] != after[*word]).unwrap_or(2);
        let mut step = word as u8;
        let has_next = word == 0;
        if has_next && after[1] == 0 {
            step |= Step::NEXT_IS_ZERO;
        }
        if word < 2 && after[2] == before[2] {
            step |= Step::LAST_IS_SAME;
        }
        if group.count == 1 {
            step |= Step::IS_SINGLE;
        }
        self.bytes.push(step);
        varint::put(&mut self.bytes, after[word] - before[word]);
        if has_next && after[1] != 0 {
            self.bytes.extend_from_slice(&after[1].to_be_bytes());
        }
        if word < 2 && after[2] != before[2] {
            varint::put(&mut self.bytes, after[2]);
        }
        if group.count > 1 {
            varint::put(&mut self.bytes, group.count);
        }
        varint::put_signed(&mut self.bytes, group.first.wrapping_sub(self.first).cast_signed());
    }
}
