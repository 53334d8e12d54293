//! A hash table that grows in small steps, so that no request waits for a large table to move.
//!
//! Linear hashing over parts, each a small `hashbrown` table: when the parts are full on average, one of them is split in
//! two, in turn. An insert moves the entries of at most two parts, however many there are. The parts are split as early as
//! one table would have doubled, so they take as much memory. Entries are found by key and never iterated.
#![allow(clippy::disallowed_types, reason = "a part never has more than a few thousand entries")]

use core::hash::Hash;
use core::mem;

use hashbrown::HashTable;

use crate::hashing::{hash_of, spread};

/// Entries of a part on average when the next part is added: what a table of 4,096 places has room for.
const PART: usize = 3_584;
/// The bits of a hash below those that choose the part: more than a part uses to place its entries.
const PLACE_BITS: u32 = 14;

#[derive(Clone, Debug)]
pub(crate) struct GradualTable<T> {
    parts: Vec<HashTable<T>>,
    /// The number of parts, rounded up to a power of two, less one.
    mask: usize,
    length: usize,
}

impl<T> Default for GradualTable<T> {
    fn default() -> GradualTable<T> {
        GradualTable { parts: Vec::new(), mask: 0, length: 0 }
    }
}

impl<T> GradualTable<T> {
    #[inline]
    fn part_of(&self, hash: u32) -> usize {
        let part = (hash >> PLACE_BITS) as usize & self.mask;
        // Parts from `parts.len()` on are not split off yet.
        if part < self.parts.len() { part } else { part & (self.mask >> 1) }
    }

    #[inline]
    pub(crate) fn find(&self, hash: u32, is_it: impl FnMut(&T) -> bool) -> Option<&T> {
        self.parts.get(self.part_of(hash))?.find(spread(hash), is_it)
    }

    #[inline]
    pub(crate) fn find_mut(&mut self, hash: u32, is_it: impl FnMut(&T) -> bool) -> Option<&mut T> {
        let part = self.part_of(hash);
        self.parts.get_mut(part)?.find_mut(spread(hash), is_it)
    }

    /// Adds an entry, beside those with an equal hash. `hash_of` computes the hash of an entry again.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u32, entry: T, hash_of: impl Fn(&T) -> u32) {
        if self.length >= self.parts.len() * PART {
            self.add_part(&hash_of);
        }
        let part = self.part_of(hash);
        self.parts[part].insert_unique(spread(hash), entry, |entry| spread(hash_of(entry)));
        self.length += 1;
    }

    /// Adds a part and moves into it the entries that belong there, all from one other part.
    #[cold]
    #[inline(never)]
    fn add_part(&mut self, hash_of: &impl Fn(&T) -> u32) {
        let added = self.parts.len();
        if added > self.mask {
            self.mask = self.mask * 2 + 1;
        }
        if added == 0 {
            self.parts.push(HashTable::new());
            return;
        }
        self.parts.push(HashTable::with_capacity(PART));
        let split = mem::replace(&mut self.parts[added & (self.mask >> 1)], HashTable::with_capacity(PART));
        // In any order: nothing shows where a part keeps an entry.
        for entry in split {
            let hash = hash_of(&entry);
            let part = self.part_of(hash);
            self.parts[part].insert_unique(spread(hash), entry, |entry| spread(hash_of(entry)));
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, hash: u32, is_it: impl FnMut(&T) -> bool) -> Option<T> {
        let part = self.part_of(hash);
        let found = self.parts.get_mut(part)?.find_entry(spread(hash), is_it).ok()?;
        self.length -= 1;
        Some(found.remove().0)
    }
}

/// A map from keys that it stores.
#[derive(Clone, Debug)]
pub(crate) struct GradualMap<K, V> {
    table: GradualTable<(K, V)>,
}

impl<K, V> Default for GradualMap<K, V> {
    fn default() -> GradualMap<K, V> {
        GradualMap { table: GradualTable::default() }
    }
}

impl<K: Hash + Eq, V> GradualMap<K, V> {
    #[inline]
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.table.find(hash_of(key), |entry| entry.0 == *key).map(|entry| &entry.1)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.table.find_mut(hash_of(key), |entry| entry.0 == *key).map(|entry| &mut entry.1)
    }

    /// Returns the value that was replaced.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let Some(known) = self.get_mut(&key) {
            return Some(mem::replace(known, value));
        }
        self.table.insert(hash_of(&key), (key, value), |entry| hash_of(&entry.0));
        None
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        self.table.remove(hash_of(key), |entry| entry.0 == *key).map(|entry| entry.1)
    }

    pub(crate) fn len(&self) -> usize {
        self.table.length
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The next number of a simple generator.
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 33
    }

    #[test]
    fn a_map_does_what_an_ordered_one_does() {
        let (mut map, mut model) = (GradualMap::default(), BTreeMap::new());
        let mut state = 1;
        // It grows to dozens of parts, shrinks to a third and grows again.
        for (operations, removals) in [(120_000, 2), (150_000, 7), (150_000, 2)] {
            for _ in 0..operations {
                let (key, value) = (next(&mut state) % 200_000, next(&mut state));
                match next(&mut state) % 10 {
                    kind if kind < removals => assert_eq!(map.remove(&key), model.remove(&key)),
                    8 => {
                        assert_eq!(
                            map.get_mut(&key).map(|found| *found += 1),
                            model.get_mut(&key).map(|found| *found += 1)
                        );
                    }
                    _ => assert_eq!(map.insert(key, value), model.insert(key, value)),
                }
                let asked = next(&mut state) % 200_000;
                assert_eq!(map.get(&asked), model.get(&asked));
            }
            assert_eq!(map.len(), model.len());
            assert!((0..200_000).all(|key| map.get(&key) == model.get(&key)));
        }
        assert!(map.table.parts.len() > 16, "{} parts", map.table.parts.len());
    }

    /// Two parts: the one that is split, and the one that receives the entry.
    #[test]
    fn an_insert_moves_the_entries_of_at_most_two_small_parts() {
        let mut map = GradualMap::default();
        for key in 0..700_000_u64 {
            let before = map.table.parts.len();
            map.insert(key, ());
            let after = map.table.parts.len();
            assert!(after - before <= 1, "one part at a time");
            // Looked at whenever a part was added, and a few times in between.
            if after > before || key % 10_000 == 0 {
                let longest = map.table.parts.iter().map(HashTable::len).max();
                assert!(longest <= Some(2 * PART + PART / 8), "{longest:?} entries in a part of {key}");
            }
        }
        let places: usize = map.table.parts.iter().map(HashTable::capacity).sum();
        assert!(places < 700_000 * 2, "{places} places: no more than one table would have");
    }

    #[test]
    fn entries_with_equal_hashes_stay_apart_in_one_part() {
        let mut table = GradualTable::default();
        for number in 0..20_000_u32 {
            table.insert(number % 3, number, |number| number % 3);
        }
        assert!(
            (0..20_000)
                .step_by(997)
                .all(|number| { table.find(number % 3, |found| *found == number) == Some(&number) })
        );
        assert_eq!(table.remove(1, |found| *found == 4), Some(4));
        assert_eq!((table.find(1, |found| *found == 4), table.length), (None, 19_999));
    }

    #[test]
    fn an_empty_table_finds_nothing_and_has_no_memory() {
        let mut table = GradualTable::<u8>::default();
        assert_eq!(table.find(7, |_| true), None);
        assert_eq!(table.find_mut(7, |_| true), None);
        assert_eq!(table.remove(7, |_| true), None);
        assert_eq!(table.parts.capacity(), 0);
    }
}
