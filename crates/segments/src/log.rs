//! A log: records with rising numbers and times. The oldest are in segments, the newest in memory.

use std::sync::Arc;

use crate::Error;
use crate::cache::BlockCache;
use crate::memory_log::MemoryBlock;
use crate::raw_block::Base;
use crate::segment::Segment;

/// A record of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<B = Vec<u8>> {
    pub number: u64,
    pub at: i64,
    pub bytes: B,
}

impl Record<&[u8]> {
    pub(crate) fn into_owned(self) -> Record {
        Record { number: self.number, at: self.at, bytes: self.bytes.to_vec() }
    }
}

/// A log at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub(crate) segments: Arc<Vec<Arc<Segment>>>,
    pub(crate) memory: Vec<Arc<MemoryBlock>>,
}

impl Log {
    /// The number of the last record ever appended, unless its segment was dropped.
    pub(crate) fn last(&self) -> Option<u64> {
        let on_disk = || self.segments.last().map(|segment| segment.last.number);
        self.memory.last().map(|block| block.last().number).or_else(on_disk)
    }

    pub(crate) fn find(&self, cache: &BlockCache, number: u64) -> Result<Option<Record>, Error> {
        let found = self.first_from(cache, number)?;
        Ok(found.filter(|record| record.number == number))
    }

    /// The first record with at least this number.
    pub(crate) fn first_from(&self, cache: &BlockCache, number: u64) -> Result<Option<Record>, Error> {
        let ended = self.segments.partition_point(|segment| segment.last.number < number);
        if let Some(segment) = self.segments.get(ended) {
            return segment.first_where(cache, |base| base.number >= number);
        }
        let ended = self.memory.partition_point(|block| block.last().number < number);
        let found = self.memory.get(ended).and_then(|block| block.first_from(number));
        Ok(found.map(Record::into_owned))
    }

    /// The first record whose time is at least `at`.
    pub(crate) fn first_at(&self, cache: &BlockCache, at: i64) -> Result<Option<Record>, Error> {
        let ended = self.segments.partition_point(|segment| segment.last.at < at);
        if let Some(segment) = self.segments.get(ended) {
            return segment.first_where(cache, |base| base.at >= at);
        }
        let ended = self.memory.partition_point(|block| block.last().at < at);
        let found = self.memory.get(ended).and_then(|block| block.first_at(at));
        Ok(found.map(Record::into_owned))
    }

    /// The last record with a number below this one.
    pub(crate) fn last_below(&self, cache: &BlockCache, number: u64) -> Result<Option<Record>, Error> {
        let is_before = |first: Option<Base>| first.is_some_and(|first| first.number < number);
        let begun = self.memory.partition_point(|block| is_before(block.first()));
        if let Some(block) = begun.checked_sub(1).map(|place| &self.memory[place]) {
            return Ok(block.last_below(number).map(Record::into_owned));
        }
        let begun = self.segments.partition_point(|segment| is_before(segment.first()));
        match begun.checked_sub(1).map(|place| &self.segments[place]) {
            Some(segment) => segment.last_below(cache, number),
            None => Ok(None),
        }
    }
}
