//! Buckets by key, with one rate and bounded memory: full buckets are removed, because a new bucket is full too.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};

use parking_lot::Mutex;

use super::{Allowed, Bucket, Rate, Refused};

/// Separate locks, so that requests of different callers rarely contend.
const SHARDS: usize = 16;
/// Buckets in a shard before full ones are removed.
const SWEEP_AT: usize = 4_096;

#[derive(Debug)]
pub struct Buckets<K> {
    rate: Rate,
    hasher: RandomState,
    shards: Vec<Mutex<HashMap<K, Bucket>>>,
}

impl<K: Eq + Hash> Buckets<K> {
    pub fn new(rate: Rate) -> Buckets<K> {
        let shards = (0..SHARDS).map(|_| Mutex::new(HashMap::new())).collect();
        Buckets { rate, hasher: RandomState::new(), shards }
    }

    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Takes `cost` tokens from `key`'s bucket at `now`, in microseconds.
    pub fn take(&self, key: K, cost: u32, now: i64) -> Result<Allowed, Refused> {
        self.raise(key, 0, cost, now)
    }

    /// Raises the cost of a request that has already paid `paid` tokens of `key`'s bucket to `cost`.
    pub fn raise(&self, key: K, paid: u32, cost: u32, now: i64) -> Result<Allowed, Refused> {
        self.with(key, now, |bucket| bucket.raise(self.rate, paid, cost, now))
    }

    /// What `key`'s bucket has left.
    pub fn look(&self, key: K, now: i64) -> Allowed {
        self.give_back(key, 0, now)
    }

    /// Returns unused tokens to `key`'s bucket.
    pub fn give_back(&self, key: K, tokens: u32, now: i64) -> Allowed {
        self.with(key, now, |bucket| bucket.give_back(self.rate, tokens, now))
    }

    fn with<T>(&self, key: K, now: i64, use_bucket: impl FnOnce(&mut Bucket) -> T) -> T {
        let shard = &self.shards[self.hasher.hash_one(&key) as usize % SHARDS];
        let mut buckets = shard.lock();
        if buckets.len() >= SWEEP_AT && !buckets.contains_key(&key) {
            let rate = self.rate;
            buckets.retain(|_, bucket| !bucket.is_full(rate, now));
        }
        use_bucket(buckets.entry(key).or_insert_with(|| Bucket::full(self.rate, now)))
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_not_share_and_idle_ones_are_forgotten() {
        let buckets = Buckets::new(Rate::per_second(1));
        assert!(buckets.take("a", 1, 0).is_ok());
        assert!(buckets.take("a", 1, 0).is_err());
        assert!(buckets.take("b", 1, 0).is_ok());

        let buckets = Buckets::new(Rate::per_second(1));
        for address in 0..500_000_u32 {
            buckets.take(address, 1, i64::from(address) * 100).expect("a first request");
        }
        assert!(buckets.len() <= SHARDS * SWEEP_AT, "{} buckets are kept", buckets.len());
    }
}
