//! What several benchmarks share: the load and what it is put on. Nothing here measures by itself or prints a verdict.
//!
//! Over HTTP: `generator.rs` sends what `requests.rs` writes to the nodes of `stage.rs`. Without it: `venue.rs` is a venue made
//! by commands, `workload.rs` the commands that go on from there. `times.rs`, `processor.rs` and `disk.rs` count.

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
