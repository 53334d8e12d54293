//! Fuzz targets: every parser of untrusted bytes, as a function over bytes that panics on a defect.
//!
//! One file per target, with its seeds. A target must return on any input. A panic, a broken round trip, an allocation
//! out of proportion to the input or a hang is a defect. `cargo xtask fuzz` searches by coverage; `tests/corpus.rs`
//! replays the committed inputs in `corpus/` with every test run.

mod command;
mod connection;
mod frame;
mod http;
mod picture;
mod snapshot;
mod stream;
mod venue;
mod world;

use std::path::{Path, PathBuf};

/// Bytes that one input may additionally allocate: far more than any needs, far less than a length field can request.
pub const INPUT_ALLOCATED_BYTES_MAX: usize = 256 << 20;

/// A parser under test.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    /// Panics on a defect.
    pub run: fn(&[u8]),
    /// Valid initial inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

pub const TARGETS: [Target; 8] = [
    Target { name: "http", run: http::run, seeds: http::seeds },
    Target { name: "stream", run: stream::run, seeds: stream::seeds },
    Target { name: "frame", run: frame::run, seeds: frame::seeds },
    Target { name: "snapshot", run: snapshot::run, seeds: snapshot::seeds },
    Target { name: "command", run: command::run, seeds: command::seeds },
    Target { name: "venue", run: venue::run, seeds: venue::seeds },
    Target { name: "connection", run: connection::run, seeds: connection::seeds },
    Target { name: "picture", run: picture::run, seeds: picture::seeds },
];

pub fn find(name: &str) -> Option<&'static Target> {
    const { &TARGETS }.iter().find(|target| target.name == name)
}

impl Target {
    /// The folder of the committed inputs.
    pub fn corpus(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name)
    }
}
