//! What the tests of several packages share.

#![allow(missing_debug_implementations, reason = "nothing prints a stage")]

pub mod demo;
pub mod drill;
pub mod node;
pub mod random;
pub mod replica;
mod soon;

pub use soon::soon;
