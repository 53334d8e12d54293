//! The newest records of a log, which are in no file yet.

use std::sync::Arc;

use crate::log::Record;
use crate::raw_block::{self, Base, Records};

/// Bytes of a block in memory. A commit copies at most this much of the last block.
const BLOCK_BYTES: usize = 32 << 10;
/// Every so many records the block's index has an entry.
const MARKED: u32 = 16;

/// Records in order of their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemoryBlock {
    bytes: Vec<u8>,
    /// What the next record is counted from.
    base: Base,
    count: u32,
    /// Where records begin, and what they are counted from. The first is at offset 0, counted from 0.
    marks: Vec<BlockMark>,
}

#[derive(Clone, Copy, Debug)]
struct BlockMark {
    first: Base,
    base: Base,
    offset: usize,
}

impl MemoryBlock {
    pub(crate) fn push(&mut self, number: u64, at: i64, record: &[u8]) {
        if self.count.is_multiple_of(MARKED) {
            self.marks.push(BlockMark {
                first: Base { number, at },
                base: self.base,
                offset: self.bytes.len(),
            });
        }
        self.count += 1;
        raw_block::put(&mut self.bytes, &mut self.base, number, at, record);
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.bytes.len() >= BLOCK_BYTES
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn first(&self) -> Option<Base> {
        self.marks.first().map(|mark| mark.first)
    }

    pub(crate) const fn last(&self) -> Base {
        self.base
    }

    pub(crate) fn records(&self) -> Records<'_> {
        Records::new(&self.bytes, Base::default())
    }

    /// The records from the last marked one for which `is_before` holds, or from the first.
    fn records_near(&self, is_before: impl Fn(Base) -> bool) -> Records<'_> {
        let later = self.marks.partition_point(|mark| is_before(mark.first));
        match later.checked_sub(1) {
            Some(place) => Records::new(&self.bytes[self.marks[place].offset..], self.marks[place].base),
            None => self.records(),
        }
    }

    /// The first record whose time is at least `at`.
    pub(crate) fn first_at(&self, at: i64) -> Option<Record<&[u8]>> {
        self.records_near(|first| first.at < at).find(|record| record.at >= at)
    }

    /// The first record with at least this number.
    pub(crate) fn first_from(&self, number: u64) -> Option<Record<&[u8]>> {
        self.records_near(|first| first.number <= number).find(|record| record.number >= number)
    }

    /// The last record with a number below this one.
    pub(crate) fn last_below(&self, number: u64) -> Option<Record<&[u8]>> {
        self.records_near(|first| first.number < number).take_while(|record| record.number < number).last()
    }
}

/// Adds records to the blocks of a log: the last one is copied and continued, if it is not full.
pub(crate) fn extend(blocks: &mut Vec<Arc<MemoryBlock>>, added: MemoryBlock) {
    match blocks.last_mut().filter(|last| !last.is_full()) {
        Some(last) if !added.is_empty() => {
            let last = Arc::make_mut(last);
            added.records().for_each(|record| last.push(record.number, record.at, record.bytes));
        }
        None if !added.is_empty() => blocks.push(Arc::new(added)),
        _ => {}
    }
}
