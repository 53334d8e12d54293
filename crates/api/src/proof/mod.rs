//! A Merkle-sum tree over what everybody has, and the proof that one's own account is in it.
//!
//! The exchange publishes the root and its sums; `tree.rs` builds it, `inclusion.rs` is what one user gets and how it is
//! checked, by the same few functions of `hashing.rs`. Pure: no clock, no randomness, no files. The format is drawn in
//! docs/proofs.md.

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
