//! An append-only store for history: numbered records in logs, and sorted runs of (key, value) entries in indexes.
//!
//! - A *log* holds records with rising numbers and times. A record is found by its number, a time by binary search.
//! - An *index* holds a list of values under each key: count, n-th value, rank of a value.
//!
//! One writer (`Store`) gathers records and entries in memory and makes them visible with `commit`. Any number of readers
//! take a `Version`, which never changes. `flush` writes what is in memory to files and names them in the manifest. After
//! a crash the store opens as of its last flush. The store contains no personal data and knows nothing about the exchange.

mod cache;
mod cursor;
mod error;
mod files;
mod list;
mod log;
mod manifest;
mod memory_log;
mod merging;
mod raw_block;
mod run;
mod run_writer;
mod segment;
mod store;
mod varint;
mod version;

pub use error::Error;
pub use list::List;
pub use log::Record;
pub use store::{Opened, Options, State, Store, remove};
pub use version::{Reader, Version};

/// The key of a list. Keys that share their first words are stored together and take little space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub [u64; 3]);

/// How the values of a key are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the order in which they were added.
    Added,
    /// Ascending. A value occurs once in a list.
    Ascending,
}

/// The position up to which a store is complete: a sequence number and a time of the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    pub sequence: u64,
    pub at: i64,
}
