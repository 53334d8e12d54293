//! Ids of the objects that a request creates (UUID version 7): a timestamp, so that ids made at about the same time are
//! neighbours in an index, then bits that make them unique. Ids are no secrets; see `secrets.rs` for those.

use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

use exchange::idempotency::IdempotencyKey;
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

use crate::randomness::{Purpose, Seeded, seeded};

thread_local! {
    /// Seeded once per thread from the operating system, which saves a system call per id.
    static DRAWS: (RandomState, Cell<u64>) = (RandomState::new(), Cell::new(0));
}

/// A new id of version 7.
pub fn new_id() -> Uuid {
    if let Some(seeded) = seeded() {
        return seeded_id(seeded, seeded.now());
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    id_of(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Like `new_id`, at a given time in microseconds since 1970, for callers with another clock.
pub fn id_at(micros: i64) -> Uuid {
    if let Some(seeded) = seeded() {
        return seeded_id(seeded, micros);
    }
    id_of(u64::try_from(micros / 1_000).unwrap_or(0))
}

/// A new id without a time (version 4).
pub fn random_id() -> Uuid {
    random_id_for(Purpose::Id)
}

/// The id of what a request with an idempotency key creates: the same for each repetition of the request (in the
/// form of version 4: the exchange keeps version 8 for ids that it derives itself).
pub fn repeatable_id(key: &IdempotencyKey) -> Uuid {
    let words = [key.scope, key.scope_low, key.body];
    let hash = Sha256::new().chain_update("id").chain_update(words.map(u64::to_be_bytes).concat()).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    Builder::from_random_bytes(bytes).into_uuid()
}

/// A new id of a connection (version 4).
pub fn connection_id() -> Uuid {
    random_id_for(Purpose::Connection)
}

fn random_id_for(purpose: Purpose) -> Uuid {
    match seeded() {
        Some(seeded) => Builder::from_random_bytes(seeded.draw(purpose)).into_uuid(),
        None => Uuid::new_v4(),
    }
}

fn seeded_id(seeded: &Seeded, micros: i64) -> Uuid {
    let millis = u64::try_from(micros / 1_000).unwrap_or(0);
    numbered_id(millis, seeded.next_id_number(), seeded.draw(Purpose::Id))
}

/// An id with a number in the 26 bits behind its time, so that ids of one time sort by creation.
fn numbered_id(millis: u64, number: u32, mut random: [u8; 10]) -> Uuid {
    // The builder takes 12 bits of the first two bytes, then 6 of the third and all of the others.
    random[..2].copy_from_slice(&((number >> 14) as u16).to_be_bytes());
    random[2..4].copy_from_slice(&(number as u16 & 0x3fff).to_be_bytes());
    Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

fn id_of(millis: u64) -> Uuid {
    let (count, bits) = DRAWS.with(|(keyed, count)| {
        count.set(count.get().wrapping_add(1));
        (count.get(), keyed.hash_one(count.get()))
    });
    let mut random = [0; 10];
    let (head, tail) = random.split_at_mut(2);
    // Two ids of a thread whose hashes collide still differ, unless a multiple of 4,096 ids is between them: of the
    // counter's 16 bits the id keeps the lower 12.
    head.copy_from_slice(&(count as u16).to_be_bytes());
    tail.copy_from_slice(&bits.to_be_bytes());
    Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread;

    use super::{new_id, numbered_id};

    #[test]
    fn numbered_ids_of_one_time_sort_by_their_number() {
        let numbers = [0, 1, 0x3fff, 0x4000, 0x4001, (1 << 26) - 1];
        let ids = numbers.map(|number| numbered_id(1_767_614_400_000, number, [!number as u8; 10]));
        assert!(ids.is_sorted(), "{ids:?}");
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
    }

    #[test]
    fn ids_of_many_threads_differ_and_lie_in_the_order_of_time() {
        let before = uuid::Uuid::now_v7().get_timestamp().map(|time| time.to_unix());
        let draw = || (0..20_000).map(|_| new_id()).collect::<Vec<_>>();
        let drawing: Vec<_> = (0..4).map(|_| thread::spawn(draw)).collect();
        let ids: Vec<_> = drawing.into_iter().flat_map(|thread| thread.join().expect("ids")).collect();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        let after = uuid::Uuid::now_v7().get_timestamp().map(|time| time.to_unix());
        for id in ids {
            assert_eq!(id.get_version_num(), 7);
            let at = id.get_timestamp().map(|time| time.to_unix());
            assert!(before <= at && at <= after, "{before:?} {at:?} {after:?}");
        }
    }
}
