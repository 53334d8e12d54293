//! Shared by the benchmarks: the load and its targets.
//!
//! With HTTP: `generator.rs` sends the requests of `requests.rs` to the nodes of `stage.rs`. Without HTTP: `venue.rs`
//! creates a venue by commands, `workload.rs` generates further commands, `filling.rs` writes them to a journal.
//! `pace.rs` is the schedule of open-loop load. `times.rs`, `processor.rs`, `counts.rs`, `frames.rs`, `folders.rs` and
//! `disk.rs` measure, and `looking.rs` how long requests hold the lock of the state; `rows.rs` prints results beside their
//! goals.
//!
//! `http` and `scale` are programs with two executables: one has the shipped allocator, the other counts allocations.

pub mod allocations;
pub mod counts;
pub mod disk;
pub mod filling;
pub mod folders;
pub mod frames;
pub mod generator;
#[path = "../http/mod.rs"]
pub mod http;
pub mod looking;
pub mod pace;
pub mod processor;
pub mod random;
pub mod requests;
pub mod rows;
#[path = "../scale/mod.rs"]
pub mod scale;
pub mod stage;
pub mod times;
pub mod venue;
pub mod workload;

use std::error::Error;

pub type Problem = Box<dyn Error + Send + Sync>;
