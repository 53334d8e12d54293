//! Everything impure around the rules: the writer's threads, start and snapshots, HTTP, limits, history, operators.
//!
//! Nothing here decides about money: a handler authenticates, parses, submits, converts, returns.

pub mod follower;
pub mod limits;
pub mod sequencer;
pub mod startup;
pub mod state;
