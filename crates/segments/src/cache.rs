//! Blocks of files that were read lately, checked and unpacked. Bounded by bytes.
//!
//! Two generations: a block that is used moves to the young one; when that is full, the old one is dropped.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A file's number and the offset of a block.
type Place = (u64, u64);

#[derive(Debug)]
pub(crate) struct BlockCache {
    generations: Mutex<Generations>,
    /// Of each generation.
    bytes_max: usize,
}

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<Place, Arc<[u8]>>,
    old: HashMap<Place, Arc<[u8]>>,
    bytes: usize,
}

impl BlockCache {
    pub(crate) fn new(bytes_max: usize) -> BlockCache {
        BlockCache { generations: Mutex::default(), bytes_max: bytes_max / 2 }
    }

    pub(crate) fn find_or<E>(
        &self,
        place: Place,
        read: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Arc<[u8]>, E> {
        if let Some(found) = self.find(place) {
            return Ok(found);
        }
        let block: Arc<[u8]> = read()?.into();
        self.insert(place, block.clone());
        Ok(block)
    }

    fn find(&self, place: Place) -> Option<Arc<[u8]>> {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = generations.young.get(&place) {
            return Some(found.clone());
        }
        let found = generations.old.remove(&place)?;
        generations.insert(place, found.clone(), self.bytes_max);
        Some(found)
    }

    fn insert(&self, place: Place, block: Arc<[u8]>) {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        generations.insert(place, block, self.bytes_max);
    }
}

impl Generations {
    fn insert(&mut self, place: Place, block: Arc<[u8]>, bytes_max: usize) {
        let length = block.len();
        if self.bytes + length > bytes_max {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        if self.young.insert(place, block).is_none() {
            self.bytes += length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_read_once_while_it_is_used_and_the_cache_is_bounded() {
        let cache = BlockCache::new(1_000);
        let read = |place: u64| {
            let mut was_read = false;
            let block = cache.find_or((1, place), || {
                was_read = true;
                Ok::<_, ()>(vec![place as u8; 100])
            });
            assert_eq!(block.as_deref(), Ok(&[place as u8; 100][..]));
            was_read
        };
        assert!(read(0));
        for place in 1..100 {
            assert!(read(place));
            assert!(!read(0), "a block in use stays");
        }
        assert!(read(1), "an unused one does not");
        let generations = cache.generations.lock().expect("no test has failed");
        assert!(generations.young.len() + generations.old.len() <= 10);
    }
}
