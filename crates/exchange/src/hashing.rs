//! Hashes, and lookup by a key that the entry itself contains. Nothing is iterated in the order of its hash: code that needs
//! an order keeps a list. The seed is fixed, so every run is the same; keys are ids created by the server, not by clients.

use core::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

use crate::gradual::GradualTable;

/// The hash of a key.
#[inline]
pub(crate) fn hash_of(key: &(impl Hash + ?Sized)) -> u32 {
    let hash = FixedState::default().hash_one(key);
    (hash ^ (hash >> 32)) as u32
}

/// Finds the number of an entry by a key that the entry itself contains: nine bytes per place, and the key is stored
/// once. The caller hashes the key and compares it with that of the entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lookup {
    table: GradualTable<Found>,
}

#[derive(Clone, Copy, Debug)]
struct Found {
    /// Growth and most comparisons need only this, not the entry.
    hash: u32,
    number: u32,
}

/// Spreads the 32 bits over the ones that `hashbrown` uses: the lowest for the place, the highest seven for its tag.
#[inline]
pub(crate) fn spread(hash: u32) -> u64 {
    u64::from(hash) | u64::from(hash) << 32
}

impl Lookup {
    #[inline]
    pub(crate) fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let found = self.table.find(hash, |found| found.hash == hash && is_it(found.number));
        found.map(|found| found.number)
    }

    /// Adds a number. Several numbers may have the same hash.
    pub(crate) fn insert(&mut self, hash: u32, number: u32) {
        self.table.insert(hash, Found { hash, number }, |found| found.hash);
    }

    pub(crate) fn remove(&mut self, hash: u32, number: u32) {
        self.table.remove(hash, |found| found.hash == hash && found.number == number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lookup_finds_each_of_many_numbers_with_equal_hashes() {
        let mut lookup = Lookup::default();
        for number in 0..1_000 {
            lookup.insert(number % 7, number);
        }
        for number in 0..1_000 {
            assert_eq!(lookup.find(number % 7, |found| found == number), Some(number));
        }
        lookup.remove(3, 10);
        lookup.remove(3, 11);
        assert_eq!(lookup.find(3, |found| found == 10), None);
        assert_eq!(lookup.find(4, |found| found == 11), Some(11), "another hash");
        assert_eq!(lookup.find(3, |_| true).map(|found| found % 7), Some(3));
    }
}
