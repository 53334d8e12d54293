//! The logs and indexes of the store in `DIR/history/segments`, and how it is opened. docs/history.md describes them.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use exchange::time::Span;
use segments::{Opened, Options, Order, Store};

use super::{HistoryError, asset_prices};

/// Incremented with every change to the families or to their contents.
const VERSION: u32 = 4;
/// Answers are kept slightly longer than the exchange remembers their idempotency keys.
pub(super) const ANSWERS_KEPT: Span = Span::hours(25);

/// Unwritten records and entries at which they are written to files.
const MEMORY_BYTES: usize = 32 << 20;
/// Blocks of files in memory.
const CACHE_BYTES: usize = 64 << 20;

/// A log, by its place in the store.
#[derive(Clone, Copy, Debug)]
pub(super) enum Log {
    /// Closed orders in the order in which they closed.
    Closed,
    /// Trades by serial.
    Trades,
    /// Mints and burns by serial.
    Sets,
    Settlements,
    /// Entries of the audit log by sequence.
    Audit,
    /// Running sums of results.
    Results,
    /// Movements of money.
    Statements,
    Notices,
    /// Candles in the order in which they were completed.
    Candles,
    /// Running totals of the venue.
    Totals,
    /// Results of pools.
    Pools,
    /// Notes about news, by sequence.
    News,
    /// Prices of assets, by sequence.
    AssetPrices,
    /// Responses by sequence.
    Answers,
}

/// An index, by its place in the store.
#[derive(Clone, Copy, Debug)]
pub(super) enum Index {
    /// Lists of ascending serials (`list_key.rs`).
    Lists,
    /// Serials by ids and names (`lookups.rs`).
    Lookups,
    /// The places of closed orders in `Log::Closed`, by serial.
    Closings,
    /// Activities of users, in the order in which they happened.
    Activities,
}

fn options() -> Options {
    let mut logs = vec![None; Log::Answers as usize + 1];
    logs[Log::Answers as usize] = Some(ANSWERS_KEPT.micros());
    logs[Log::AssetPrices as usize] = Some(asset_prices::KEPT.micros());
    let mut indexes = vec![Order::Ascending; Index::Activities as usize + 1];
    indexes[Index::Activities as usize] = Order::Added;
    Options { version: VERSION, logs, indexes, memory_bytes: MEMORY_BYTES, cache_bytes: CACHE_BYTES }
}

fn place(folder: &Path) -> PathBuf {
    folder.join("segments")
}

/// Opens the store of a history folder, or creates it.
pub(super) fn open(folder: &Path) -> Result<Opened, HistoryError> {
    // Readable by the owner only, like the journal.
    DirBuilder::new().recursive(true).mode(0o700).create(place(folder))?;
    Ok(Store::open(&place(folder), &options())?)
}

pub(super) fn remove(folder: &Path) -> Result<(), HistoryError> {
    Ok(segments::remove(&place(folder))?)
}
