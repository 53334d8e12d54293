//! Shared by the benchmarks: the load and its targets. Nothing here prints a verdict.
//!
//! With HTTP: `generator.rs` sends the requests of `requests.rs` to the nodes of `stage.rs`. Without HTTP: `venue.rs`
//! creates a venue by commands, `workload.rs` generates further commands. `times.rs`, `processor.rs` and `disk.rs`
//! measure.

pub mod disk;
pub mod generator;
pub mod processor;
pub mod random;
pub mod requests;
pub mod stage;
pub mod times;
pub mod venue;
pub mod workload;

use std::error::Error;

pub type Problem = Box<dyn Error + Send + Sync>;
