//! Random runs of the exchange, checked command by command; and an adversary that tries to gain money.
//!
//! `run` plays one seed: `generator` creates requests, `harness` applies them with all checks (`exchange::invariants`
//! on the state, `checks` on changes, `shadow` on the expected behaviour of the books), `shrink` shortens a failing
//! run. `adversary` is a separate game. Never shipped.

pub mod adversary;
pub mod checks;
pub mod counts;
pub mod failure;
pub mod generator;
pub mod harness;
mod quotes;
pub mod random;
pub mod rare;
pub mod recording;
pub mod rogue;
pub mod run;
pub mod shadow;
pub mod shrink;
pub mod soak;
