//! Keys for finding serials by an id or a name.
//!
//! A key holds a part of the id only, so different ids may share one: the caller compares what it finds with the id.
//! Generated ids begin with their time, and so does the key: ids of the same time are adjacent and take a few bytes.

use exchange::id::UserId;
use segments::Key;
use sha2::{Digest, Sha256};

use super::list_key::mixed;

/// The kind of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookupKind {
    OrderById = 1,
    TradeById = 2,
    /// By the taker's order and by the maker's.
    TradesOfOrder = 3,
    /// By user and client order id.
    OrdersByName = 4,
}

const KIND_SHIFT: u32 = 60;
const TIME_MASK: u64 = (1 << 44) - 1;

/// The key of an id: the kind, the milliseconds of its time, 16 bits of a hash of all of it.
pub(super) fn by_id(kind: LookupKind, id: u128) -> Key {
    let time = (id >> 80) as u64 & TIME_MASK;
    Key([(kind as u64) << KIND_SHIFT | time << 16 | mixed(id) & 0xffff, 0, 0])
}

/// The key of a user's client order id. Names that differ only in a counter at the end get adjacent keys in the same order.
pub(super) fn by_name(user: UserId, name: &str) -> Key {
    let bytes = name.as_bytes();
    let (head, tail) = bytes.split_at(bytes.len().saturating_sub(8));
    let hash = Sha256::new().chain_update(user.as_u128().to_be_bytes()).chain_update(head).finalize();
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let hash = word(&hash[..8]) >> 4;
    Key([(LookupKind::OrdersByName as u64) << KIND_SHIFT | hash, word(tail), 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_count_up_are_neighbours_and_keep_their_order() {
        let key = |user: u128, number: u32| by_name(UserId::new(user), &format!("maker-{number:06}"));
        let keys: Vec<Key> = (0..1_000).map(|number| key(1, number)).collect();
        assert!(keys.is_sorted_by(|one, next| one < next));
        assert!(keys.iter().all(|key| key.0[0] == keys[0].0[0]), "only the end differs");
        assert_ne!(keys[7].0[0], key(2, 7).0[0], "another user's keys have another prefix");
        let short = ["", "a", "ab", "b", "0000000a", "00000000a"].map(|name| by_name(UserId::new(1), name));
        let distinct: std::collections::HashSet<Key> = short.into_iter().collect();
        assert_eq!(distinct.len(), short.len(), "short names have distinct keys");
    }

    #[test]
    fn ids_of_one_time_are_neighbours() {
        let id = |ms: u128, low: u128| (0x0191_0000_0000_u128 + ms) << 80 | low;
        let key = |id| by_id(LookupKind::OrderById, id).0[0];
        assert_eq!(key(id(1, 5)) >> 16, key(id(1, 6)) >> 16);
        assert!(key(id(1, 5)) < key(id(2, 3)));
        assert_ne!(by_id(LookupKind::TradeById, 7), by_id(LookupKind::TradesOfOrder, 7));
    }
}
