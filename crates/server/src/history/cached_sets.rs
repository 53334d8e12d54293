//! Decoded sets of the postings table. A list of a large venue needs the sets of each status; decoding a million events
//! takes longer than everything else that a page costs.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::event_lists::{EventSet, Term};

/// All sets are dropped when they exceed this size: about a hundred large ones of a million events.
const BYTES_MAX: usize = 16 << 20;
/// Estimated overhead of a small set.
const ENTRY_BYTES: usize = 128;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CachedSet {
    /// Events with a term.
    Of(Term),
    /// Events with a term that begins with this one.
    Beginning(Term),
}

#[derive(Debug, Default)]
pub(super) struct CachedSets(Mutex<Cache>);

#[derive(Debug, Default)]
struct Cache {
    /// Incremented when the table has changed.
    generation: u64,
    sets: HashMap<CachedSet, Arc<EventSet>>,
    bytes: usize,
}

impl CachedSets {
    /// Must be read before the table: a set that is read later is at least as new.
    pub(super) fn generation(&self) -> u64 {
        self.0.lock().generation
    }

    /// Called after the table has changed.
    pub(super) fn clear(&self) {
        let mut cache = self.0.lock();
        *cache = Cache { generation: cache.generation + 1, ..Cache::default() };
    }

    /// Returns the set, and reads it if it is not here. A set of an older generation is not kept.
    pub(super) fn find_or<E>(
        &self,
        generation: u64,
        key: CachedSet,
        read: impl FnOnce() -> Result<EventSet, E>,
    ) -> Result<Arc<EventSet>, E> {
        let found = self.0.lock().sets.get(&key).cloned();
        if let Some(set) = found {
            return Ok(set);
        }
        let set = Arc::new(read()?);
        let mut cache = self.0.lock();
        if cache.generation == generation {
            let bytes = ENTRY_BYTES + set.serialized_size();
            if cache.bytes + bytes > BYTES_MAX {
                *cache = Cache { generation, ..Cache::default() };
            }
            if cache.sets.insert(key, set.clone()).is_none() {
                cache.bytes += bytes;
            }
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sets: &CachedSets, generation: u64, word: &str, members: &[u32]) -> (EventSet, bool) {
        let mut was_read = false;
        let key = CachedSet::Of(Term::word(word));
        let set = sets.find_or(generation, key, || {
            was_read = true;
            Ok::<_, ()>(members.iter().collect())
        });
        ((*set.expect("a set")).clone(), was_read)
    }

    #[test]
    fn a_set_is_read_once_in_each_generation() {
        let sets = CachedSets::default();
        let first = sets.generation();
        assert_eq!(read(&sets, first, "rain", &[1]), ([1].into(), true));
        assert_eq!(read(&sets, first, "rain", &[2]), ([1].into(), false));
        assert_eq!(read(&sets, first, "sun", &[3]), ([3].into(), true));
        sets.clear();
        let second = sets.generation();
        assert_eq!(read(&sets, second, "rain", &[1, 4]), ([1, 4].into(), true));
        assert_eq!(read(&sets, second, "rain", &[]), ([1, 4].into(), false));
    }

    #[test]
    fn a_set_of_an_older_generation_is_not_kept() {
        let sets = CachedSets::default();
        let before = sets.generation();
        sets.clear();
        assert_eq!(read(&sets, before, "rain", &[1]), ([1].into(), true));
        assert_eq!(read(&sets, sets.generation(), "rain", &[1, 2]), ([1, 2].into(), true));
    }

    #[test]
    fn the_cache_is_bounded() {
        let sets = CachedSets::default();
        let sparse: Vec<u32> = (0..500_000).map(|number| number * 16).collect();
        for number in 0..40 {
            read(&sets, 0, &number.to_string(), &sparse);
            assert!(sets.0.lock().bytes <= BYTES_MAX);
        }
        assert!(sets.0.lock().sets.len() < 40);
    }
}
