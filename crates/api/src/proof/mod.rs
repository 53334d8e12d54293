//! A Merkle-sum tree over all accounts, and the proof that an account is in it.
//!
//! The exchange publishes the root and its sums. `tree.rs` builds the tree, `inclusion.rs` is a user's proof and its
//! verification, both with the functions of `hashing.rs`. Pure: no clock, no randomness, no files. docs/proofs.md
//! specifies the format.

mod hashing;
mod inclusion;
mod leaf;
mod sums;
mod tree;

pub use hashing::{Hash, Instant};
pub use inclusion::{InclusionProof, ProofFault, Sibling};
pub use leaf::{Balance, Balances, Leaf, LeafPosition};
pub use sums::{CurrencySums, Sums};
pub use tree::Tree;
