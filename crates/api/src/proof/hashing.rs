//! The three hashes of the tree: of a leaf, of two nodes, of the root. SHA-256, each with a different first byte, so
//! that one cannot be mistaken for another. Numbers are eight bytes, big-endian.

use std::fmt;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::leaf::Leaf;
use super::sums::Sums;
use crate::json::{WriteJson, Writer};

const LEAF: u8 = 0;
const NODE: u8 = 1;
const ROOT: u8 = 2;

/// Thirty-two bytes, formatted as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// Accepts exactly one text for each hash.
    pub fn parse(text: &str) -> Option<Hash> {
        HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok().map(Hash)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", HEXLOWER.encode_display(&self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl WriteJson for Hash {
    fn write_json(&self, out: &mut Writer) {
        out.raw(format!("\"{self}\"").as_bytes());
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        let text = String::deserialize(deserializer)?;
        Hash::parse(&text).ok_or_else(|| serde::de::Error::custom("must be 64 digits from 0 to f"))
    }
}

/// The state that a tree was built from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instant {
    pub sequence: u64,
    /// Microseconds since 1970.
    pub at: i64,
    pub frame_hash: Hash,
    pub state_digest: Hash,
}

pub(super) fn leaf(nonce: &Hash, leaf: &Leaf) -> Option<Hash> {
    let hash = Sha256::new().chain_update([LEAF]).chain_update(nonce.0).chain_update(leaf.bytes()?);
    Some(Hash(hash.finalize().into()))
}

pub(super) fn node(left: (&Sums, &Hash), right: (&Sums, &Hash)) -> Hash {
    let mut hasher = Sha256::new().chain_update([NODE]);
    for (sums, hash) in [left, right] {
        add_sums(&mut hasher, sums);
        hasher.update(hash.0);
    }
    Hash(hasher.finalize().into())
}

/// `top` is the hash of the topmost node.
pub(super) fn root(instant: &Instant, leaves: u64, sums: &Sums, top: &Hash) -> Hash {
    let mut hasher = Sha256::new().chain_update([ROOT]);
    hasher.update(instant.sequence.to_be_bytes());
    hasher.update(instant.at.to_be_bytes());
    hasher.update(instant.frame_hash.0);
    hasher.update(instant.state_digest.0);
    hasher.update(leaves.to_be_bytes());
    add_sums(&mut hasher, sums);
    hasher.update(top.0);
    Hash(hasher.finalize().into())
}

fn add_sums(hasher: &mut Sha256, sums: &Sums) {
    for number in sums.numbers() {
        hasher.update(number.to_be_bytes());
    }
}
