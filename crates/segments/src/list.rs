//! The list of a key over all runs of an index.
//!
//! Runs that do not overlap are counted through: row n is in the run whose counts reach n. Values that were added out of
//! order lie in overlapping runs; then row n is found by a binary search for its value.

use std::ops::Range;
use std::sync::Arc;

use crate::cache::BlockCache;
use crate::run::Run;
use crate::{Error, Key, Order};

/// The values of one key in a `Version`.
#[derive(Debug)]
pub struct List {
    cache: Arc<BlockCache>,
    key: Key,
    order: Order,
    /// Oldest first.
    parts: Vec<Part>,
    length: u64,
    /// Whether the values of each part follow those of the part before it.
    is_in_order: bool,
}

/// The values of the key in one run.
#[derive(Debug)]
struct Part {
    run: Arc<Run>,
    count: u64,
    /// The smallest and the largest value, if the list ascends and has several parts.
    bounds: (u64, u64),
}

impl List {
    pub(crate) fn new<'a>(
        cache: &Arc<BlockCache>,
        key: Key,
        order: Order,
        runs: impl Iterator<Item = &'a Arc<Run>>,
    ) -> Result<List, Error> {
        let (mut parts, mut length) = (Vec::new(), 0);
        for run in runs {
            let count = run.count(cache, key)?;
            if count > 0 {
                length += count;
                parts.push(Part { run: run.clone(), count, bounds: (0, u64::MAX) });
            }
        }
        let is_bounded = order == Order::Ascending && parts.len() > 1;
        for part in parts.iter_mut().filter(|_| is_bounded) {
            let mut ends = Vec::with_capacity(2);
            part.run.values(cache, key, 0, 1, &mut ends)?;
            part.run.values(cache, key, part.count - 1, part.count, &mut ends)?;
            if let [first, last] = ends[..] {
                part.bounds = (first, last);
            }
        }
        let is_in_order = !is_bounded || parts.is_sorted_by(|one, next| one.bounds.1 < next.bounds.0);
        Ok(List { cache: cache.clone(), key, order, parts, length, is_in_order })
    }

    /// The number of values.
    pub const fn len(&self) -> u64 {
        self.length
    }

    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The values at these positions. Positions behind the end are left out.
    pub fn values(&self, positions: Range<u64>) -> Result<Vec<u64>, Error> {
        let positions = positions.start..positions.end.min(self.length);
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        match self.is_in_order {
            true => self.counted(positions),
            false => self.searched(positions),
        }
    }

    /// The value at a position.
    pub fn value(&self, position: u64) -> Result<Option<u64>, Error> {
        Ok(self.values(position..position.saturating_add(1))?.pop())
    }

    /// How many values of an ascending list are below a bound.
    pub fn below(&self, bound: u64) -> Result<u64, Error> {
        debug_assert_eq!(self.order, Order::Ascending);
        let mut count = 0;
        for part in &self.parts {
            count += self.below_in(part, bound)?;
        }
        Ok(count)
    }

    fn below_in(&self, part: &Part, bound: u64) -> Result<u64, Error> {
        let (first, last) = part.bounds;
        match (first >= bound, last < bound) {
            (true, _) => Ok(0),
            (_, true) => Ok(part.count),
            _ => part.run.below(&self.cache, self.key, bound),
        }
    }

    fn counted(&self, positions: Range<u64>) -> Result<Vec<u64>, Error> {
        let mut values = Vec::with_capacity((positions.end - positions.start) as usize);
        let mut start = 0;
        for part in &self.parts {
            let end = start + part.count;
            if end > positions.start && start < positions.end {
                let from = positions.start.max(start) - start;
                let to = positions.end.min(end) - start;
                part.run.values(&self.cache, self.key, from, to, &mut values)?;
            }
            start = end;
        }
        Ok(values)
    }

    fn searched(&self, positions: Range<u64>) -> Result<Vec<u64>, Error> {
        let wanted = positions.end - positions.start;
        // The smallest bound that has more values below it than the first position: the value there, plus one.
        let mut low = self.parts.iter().map(|part| part.bounds.0).min().unwrap_or_default();
        let mut high = self.parts.iter().map(|part| part.bounds.1).max().unwrap_or_default();
        while low < high {
            let middle = u64::midpoint(low, high);
            if self.below(middle + 1)? > positions.start { high = middle } else { low = middle + 1 }
        }
        let mut values = Vec::new();
        for part in &self.parts {
            let from = self.below_in(part, low)?;
            let to = part.count.min(from + wanted);
            part.run.values(&self.cache, self.key, from, to, &mut values)?;
        }
        values.sort_unstable();
        values.truncate(wanted as usize);
        Ok(values)
    }
}
