//! A map whose copies share what they have in common. It has 256 branches, and a change copies one of them: a reader keeps
//! the map as it was, and the writer goes on at the cost of a 256th of it.

use core::borrow::Borrow;
use core::ops::Index;
use std::collections::BTreeMap;
use std::sync::Arc;

use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

use crate::hashing::hash_of;

const BRANCHES: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branches<K, V> {
    branches: Vec<Arc<BTreeMap<K, V>>>,
}

impl<K, V> Default for Branches<K, V> {
    fn default() -> Branches<K, V> {
        let empty = Arc::new(BTreeMap::new());
        Branches { branches: vec![empty; BRANCHES] }
    }
}

fn branch_of(key: &(impl core::hash::Hash + ?Sized)) -> usize {
    hash_of(key) as usize % BRANCHES
}

impl<K: Ord + Clone + core::hash::Hash, V: Clone> Branches<K, V> {
    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
        Q: Ord + core::hash::Hash + ?Sized,
    {
        self.branches[branch_of(key)].get(key)
    }

    pub fn contains_key<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Ord + core::hash::Hash + ?Sized,
    {
        self.get(key).is_some()
    }

    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        Arc::make_mut(&mut self.branches[branch_of(&key)]).insert(key, value)
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let branch = &mut self.branches[branch_of(key)];
        if branch.contains_key(key) { Arc::make_mut(branch).remove(key) } else { None }
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let branch = &mut self.branches[branch_of(key)];
        if branch.contains_key(key) { Arc::make_mut(branch).get_mut(key) } else { None }
    }

    pub fn len(&self) -> usize {
        self.branches.iter().map(|branch| branch.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.branches.iter().all(|branch| branch.is_empty())
    }

    /// All entries, by key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &V)> {
        let mut entries: Vec<(&K, &V)> = self.branches.iter().flat_map(|branch| branch.iter()).collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries.into_iter()
    }

    /// All values, by key.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }
}

impl<K: Ord + Clone + core::hash::Hash, V: Clone> Index<&K> for Branches<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        &self.branches[branch_of(key)][key]
    }
}

/// Like a `BTreeMap`.
impl<C, K, V> Encode<C> for Branches<K, V>
where
    K: Ord + Clone + core::hash::Hash + Encode<C>,
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
    K: Ord + Clone + core::hash::Hash + Decode<'b, C>,
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
