//! A map whose copies share what they have in common: a reader keeps the map as it was, and a change copies little of it.
//!
//! It has 256 branches of 64 leaves each. A change copies a branch, which is a list of its leaves, and the leaf with the
//! entry: of 100,000 entries a leaf has six.

use core::borrow::Borrow;
use core::hash::Hash;
use core::mem;
use core::ops::Index;
use std::collections::BTreeMap;
use std::sync::Arc;

use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

use crate::hashing::hash_of;

const BRANCHES: usize = 256;
/// Leaves of a branch.
const LEAVES: usize = 64;

/// Entries by key. Few, and without spare room.
type Leaf<K, V> = Vec<(K, V)>;
type Branch<K, V> = Vec<Arc<Leaf<K, V>>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branches<K, V> {
    branches: Vec<Arc<Branch<K, V>>>,
}

impl<K, V> Default for Branches<K, V> {
    fn default() -> Branches<K, V> {
        // All share one empty leaf and one branch until something is inserted.
        let empty = Arc::new(std::iter::repeat_n(Arc::default(), LEAVES).collect());
        Branches { branches: std::iter::repeat_n(empty, BRANCHES).collect() }
    }
}

/// The branch of a key and the leaf in it.
fn place_of(key: &(impl Hash + ?Sized)) -> (usize, usize) {
    let hash = hash_of(key) as usize;
    (hash % BRANCHES, hash / BRANCHES % LEAVES)
}

impl<K: Ord + Clone + Hash, V: Clone> Branches<K, V> {
    fn leaf_mut(&mut self, (branch, leaf): (usize, usize)) -> &mut Leaf<K, V> {
        Arc::make_mut(&mut Arc::make_mut(&mut self.branches[branch])[leaf])
    }

    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
        Q: Ord + Hash + ?Sized,
    {
        let (branch, leaf) = place_of(key);
        let leaf = &self.branches[branch][leaf];
        leaf.iter().find(|entry| entry.0.borrow() == key).map(|entry| &entry.1)
    }

    pub fn contains_key<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Ord + Hash + ?Sized,
    {
        self.get(key).is_some()
    }

    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let leaf = self.leaf_mut(place_of(&key));
        match leaf.binary_search_by(|entry| entry.0.cmp(&key)) {
            Ok(place) => Some(mem::replace(&mut leaf[place].1, value)),
            Err(place) => {
                leaf.reserve_exact(1);
                leaf.insert(place, (key, value));
                None
            }
        }
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        if !self.contains_key(key) {
            return None;
        }
        let leaf = self.leaf_mut(place_of(key));
        let place = leaf.iter().position(|entry| entry.0 == *key)?;
        Some(leaf.remove(place).1)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        if !self.contains_key(key) {
            return None;
        }
        let leaf = self.leaf_mut(place_of(key));
        leaf.iter_mut().find(|entry| entry.0 == *key).map(|entry| &mut entry.1)
    }

    fn leaves(&self) -> impl Iterator<Item = &Leaf<K, V>> {
        self.branches.iter().flat_map(|branch| branch.iter().map(|leaf| &**leaf))
    }

    pub fn len(&self) -> usize {
        self.leaves().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.leaves().all(Vec::is_empty)
    }

    /// All entries, by key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &V)> {
        let mut entries: Vec<(&K, &V)> = self.leaves().flatten().map(|(key, value)| (key, value)).collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries.into_iter()
    }

    /// All values, by key.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }
}

impl<K: Ord + Clone + Hash, V: Clone> Index<&K> for Branches<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        match self.get(key) {
            Some(value) => value,
            None => absent(),
        }
    }
}

#[cold]
#[allow(clippy::panic, reason = "our mistake: the writer stops before it decides anything without the entry")]
fn absent() -> ! {
    // Invariant: what names a game or a team was checked to know it, as with the index of a `BTreeMap`.
    panic!("no entry found for key")
}

/// Like a `BTreeMap`.
impl<C, K, V> Encode<C> for Branches<K, V>
where
    K: Ord + Clone + Hash + Encode<C>,
    V: Clone + Encode<C>,
{
    fn encode<W: Write>(&self, e: &mut Encoder<W>, context: &mut C) -> Result<(), encode::Error<W::Error>> {
        e.map(self.len() as u64)?;
        for (key, value) in self.iter() {
            e.encode_with(key, context)?.encode_with(value, context)?;
        }
        Ok(())
    }
}

impl<'b, C, K, V> Decode<'b, C> for Branches<K, V>
where
    K: Ord + Clone + Hash + Decode<'b, C>,
    V: Clone + Decode<'b, C>,
{
    fn decode(d: &mut Decoder<'b>, context: &mut C) -> Result<Branches<K, V>, Error> {
        let mut map = Branches::default();
        for (key, value) in BTreeMap::<K, V>::decode(d, context)? {
            map.insert(key, value);
        }
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next number of a simple generator.
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 33
    }

    #[test]
    fn a_map_does_what_an_ordered_one_does_and_its_copies_stay_as_they_were() {
        let (mut map, mut model, mut state) = (Branches::default(), BTreeMap::new(), 1);
        let mut copies = Vec::new();
        for number in 0..40_000 {
            let (key, value) = (next(&mut state) % 5_000, next(&mut state));
            match next(&mut state) % 4 {
                0 => assert_eq!(map.remove(&key), model.remove(&key)),
                1 => {
                    let change = |found: &mut u64| *found = value;
                    assert_eq!(map.get_mut(&key).map(change), model.get_mut(&key).map(change));
                }
                _ => assert_eq!(map.insert(key, value), model.insert(key, value)),
            }
            assert_eq!(map.get(&value), model.get(&value));
            assert_eq!(map.contains_key(&key), model.contains_key(&key));
            if number % 5_000 == 0 {
                copies.push((map.clone(), model.clone()));
            }
        }
        copies.push((map, model));
        for (map, model) in &copies {
            assert!(map.iter().eq(model.iter()) && map.values().eq(model.values()));
            assert_eq!((map.len(), map.is_empty()), (model.len(), model.is_empty()));
        }
    }

    /// What an import costs while a reader lists all games: counted, not timed.
    #[test]
    fn a_thousand_changes_beside_a_reader_copy_a_few_entries_each() {
        let mut map = Branches::default();
        for key in 0..100_000_u64 {
            map.insert(key, key);
        }
        let reader = map.clone();
        for key in 50_000..51_000 {
            map.insert(key, 0);
        }
        let pairs = reader.leaves().zip(map.leaves());
        let copied: usize =
            pairs.filter(|(one, other)| !core::ptr::eq(*one, *other)).map(|(_, copy)| copy.len()).sum();
        assert!(copied <= 1_000 * 10, "{copied} entries were copied for 1,000 changes");
        assert_eq!((reader[&50_500], map[&50_500], map.len()), (50_500, 0, 100_000));
    }
}
