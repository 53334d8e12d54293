//! The export of a journal: public data of all markets as files for research, in parts that a second run continues.
//!
//! `exporting.rs` replays the journal and derives rows from the reported changes: `catalogue.rs` (events, markets, rules,
//! verdicts), `trades.rs`, `candles.rs`, `books.rs`, `private.rs`. `part.rs` writes them with a `format`, and
//! `manifest.rs` records every finished part with its hashes; `folder.rs` locks the folder. `table.rs` lists the tables
//! and their columns; docs/data.md describes them. No row of a public table has a user's id.

mod books;
mod candles;
mod catalogue;
mod error;
mod exporting;
mod folder;
mod format;
mod hashed_file;
mod manifest;
mod part;
mod private;
mod proposals;
#[cfg(test)]
mod scratch;
mod selection;
mod table;
mod trades;

pub use error::ExportError;
pub use exporting::{ExportOptions, ExportReport, export};
pub use format::Format;
pub use manifest::{FileEntry, Manifest, PartEntry};
pub use private::{PrivateAccess, check_operator};
pub use selection::Selection;
pub use table::{Column, Kind, Places, Table};
