//! Random days of the exchange, checked command by command; and an adversary who tries to get rich.
//!
//! `run` plays one seed: `generator` invents requests, `harness` applies them with every check there is
//! (`exchange::invariants` on the state, `checks` on what changed, `shadow` on what the books should have done),
//! `shrink` makes a failure short. `adversary` is a game of its own. Never shipped.

pub mod adversary;
pub mod checks;
pub mod counts;
pub mod failure;
pub mod generator;
pub mod harness;
#[path = "../../exchange/tests/book/naive.rs"]
pub mod naive;
pub mod random;
pub mod rare;
pub mod recording;
pub mod run;
pub mod shadow;
pub mod shrink;
pub mod soak;
