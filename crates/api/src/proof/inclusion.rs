//! The proof that an account is in the tree (the account, its nonce and the path to the root), and its verification.

use crate::schema::ToSchema;
use serde::Deserialize;

use super::hashing::{self, Hash, Instant};
use super::leaf::Leaf;
use super::sums::Sums;
use crate::json::WriteJson;
use crate::timestamp::Timestamp;

/// The other half on the way up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Sibling {
    pub hash: Hash,
    pub sums: Sums,
}

/// The data with which its owner finds an account in the published root.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InclusionProof {
    #[schema(example = "bellwether-proof-1")]
    pub format: String,
    /// The last command in the state.
    pub sequence: u64,
    /// Time of that command's frame.
    pub at: Timestamp,
    pub frame_hash: Hash,
    pub state_digest: Hash,
    /// Accounts in the tree.
    pub leaves: u64,
    /// This account's place among them, from 0 on.
    pub index: u64,
    /// Known to nobody else, another one in every tree.
    pub nonce: Hash,
    pub leaf: Leaf,
    /// From the bottom up.
    pub siblings: Vec<Sibling>,
    pub root_sums: Sums,
    pub root: Hash,
}

/// Why a proof does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFault {
    UnknownFormat,
    /// A negative or too large number, or positions out of order.
    MalformedLeaf,
    /// More or fewer siblings than a tree of this size has on the path.
    WrongShape,
    /// A negative or too large sum on the path.
    WrongSums,
    RootSumsDiffer,
    RootDiffers {
        found: Hash,
    },
}

impl std::fmt::Display for ProofFault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProofFault::UnknownFormat => write!(formatter, "its format is not {}", InclusionProof::FORMAT),
            ProofFault::MalformedLeaf => formatter.write_str("the account is not written as it must be"),
            ProofFault::WrongShape => formatter.write_str("its siblings do not fit a tree of this size"),
            ProofFault::WrongSums => formatter.write_str("a sum on the way up is impossible"),
            ProofFault::RootSumsDiffer => {
                formatter.write_str("the sums on the way up do not give the root's")
            }
            ProofFault::RootDiffers { found } => write!(formatter, "it leads to another root, {found}"),
        }
    }
}

impl std::error::Error for ProofFault {}

impl InclusionProof {
    pub const FORMAT: &str = "bellwether-proof-1";

    /// Checks that the account is in the tree with this root. The caller must check that the root is the published one.
    pub fn check(&self) -> Result<(), ProofFault> {
        if self.format != InclusionProof::FORMAT {
            return Err(ProofFault::UnknownFormat);
        }
        let mut hash = hashing::leaf(&self.nonce, &self.leaf).ok_or(ProofFault::MalformedLeaf)?;
        let mut sums = self.leaf.sums().ok_or(ProofFault::MalformedLeaf)?;
        let (mut index, mut width) = (self.index, self.leaves);
        if index >= width {
            return Err(ProofFault::WrongShape);
        }
        let mut siblings = self.siblings.iter();
        while width > 1 {
            // The last node of an odd number has no sibling and moves up unchanged.
            if index ^ 1 < width {
                let sibling = siblings.next().ok_or(ProofFault::WrongShape)?;
                let (own, other) = ((&sums, &hash), (&sibling.sums, &sibling.hash));
                let above = if index.is_multiple_of(2) {
                    hashing::node(own, other)
                } else {
                    hashing::node(other, own)
                };
                sums = sums.plus(&sibling.sums).ok_or(ProofFault::WrongSums)?;
                hash = above;
            }
            (index, width) = (index / 2, width.div_ceil(2));
        }
        if siblings.next().is_some() {
            return Err(ProofFault::WrongShape);
        }
        if sums != self.root_sums {
            return Err(ProofFault::RootSumsDiffer);
        }
        let found = hashing::root(&self.instant(), self.leaves, &sums, &hash);
        if found == self.root { Ok(()) } else { Err(ProofFault::RootDiffers { found }) }
    }

    fn instant(&self) -> Instant {
        Instant {
            sequence: self.sequence,
            at: self.at.micros(),
            frame_hash: self.frame_hash,
            state_digest: self.state_digest,
        }
    }
}
