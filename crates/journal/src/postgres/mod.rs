//! The journal in PostgreSQL: one row per frame, and any number of equal writers.
//!
//! The primary key is the fence. A row is inserted only after the exact frame that its writer has read last. The rows
//! therefore form one chain, and of two writers at the same sequence exactly one succeeds. A row is never changed, and
//! is removed only after it is in an archive (`moving.rs`).
//!
//! `appending.rs` inserts rows and resolves unknown outcomes, `cursor.rs` reads, `link.rs` is a connection that
//! reconnects, `mark.rs` keeps a node unique, `shared_tables.rs` holds the shared tables next to the log, `people.rs` the people store, `pictures.rs` the pictures.
//! `docs/journal-format.md` describes the columns.

mod address;
mod appending;
mod clock;
mod cursor;
mod entries;
mod link;
mod listener;
mod mark;
mod moving;
mod nodes;
mod people;
mod pictures;
mod preflight;
mod row;
mod schema;
mod shared_tables;

use std::sync::Arc;
use std::time::Duration;

pub use address::is_address;
pub use appending::PostgresJournal;
pub use clock::DatabaseClock;
pub use entries::PersonalEntry;
pub use listener::Listener;
pub use mark::MarkTrace;
pub use moving::{MovedRows, RowMover};
pub use nodes::LiveNode;
pub use people::{People, PersonHead, PersonRow};
pub use pictures::{PictureHead, Pictures};
pub use shared_tables::SharedTables;

use crate::archive::{ArchivePlace, Archived};
use crate::disk::Disk;
use crate::{Clock, Error, Sequence};
use address::Address;
use link::Link;

/// The timeout of a single call, after which its connection is closed.
const CALL_MAX: Duration = Duration::from_secs(5);

/// Settings of a journal in PostgreSQL.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Standbys that must have a frame before it counts as stored. The database does the waiting; if it is not
    /// configured to wait, opening fails.
    pub replicas_min: u32,
    /// How long an append retries before its outcome is reported as unknown.
    pub patience: Duration,
    /// How often a writer checks the database's clock and settings again.
    pub recheck_every: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options { replicas_min: 0, patience: Duration::from_secs(10), recheck_every: Duration::from_secs(30) }
    }
}

/// A database that passed the checks for holding a journal.
#[derive(Clone, Debug)]
pub struct Database {
    address: Address,
    options: Options,
    clock: Arc<DatabaseClock>,
    archive: Option<ArchivePlace>,
}

impl Database {
    /// Connects, refuses settings that could lose an acknowledged frame, and creates missing tables.
    pub fn open(url: &str, options: Options) -> Result<Database, Error> {
        let address = Address::parse(url)?;
        let clock = Arc::new(DatabaseClock::new());
        let database = Database { address, options, clock, archive: None };
        let mut link = Link::with_checked_settings(&database.address, options.replicas_min)?;
        schema::create(&mut link)?;
        clock::measure(&mut link, &database.clock)?;
        Ok(database)
    }

    /// Makes cursors read the archive at `place` instead of the recorded location.
    pub fn read_archive(&mut self, place: ArchivePlace) {
        self.archive = Some(place);
    }

    /// The log's archive record.
    pub fn archived(&self) -> Result<Option<Archived>, Error> {
        cursor::archived(&mut Link::new(&self.address)?)
    }

    /// Locks the log and an archive, to move rows from one to the other.
    pub fn mover(&self, archive: Arc<dyn Disk>, place: impl Into<String>) -> Result<RowMover, Error> {
        RowMover::open(
            Link::with_checked_settings(&self.address, self.options.replicas_min)?,
            archive,
            place.into(),
        )
    }

    /// Opens the journal as an additional writer. Frames are stamped with the database's clock, unless another is
    /// given.
    pub fn journal(&self, clock: Option<Box<dyn Clock>>) -> Result<PostgresJournal, Error> {
        PostgresJournal::open(self, clock)
    }

    /// The shared tables next to the log.
    pub fn shared_tables(&self) -> Result<SharedTables, Error> {
        Ok(SharedTables::new(Link::new(&self.address)?))
    }

    /// The people store next to the log.
    pub fn people(&self) -> Result<People, Error> {
        Ok(People::new(Link::with_checked_settings(&self.address, self.options.replicas_min)?))
    }

    /// The pictures next to the log.
    pub fn pictures(&self) -> Result<Pictures, Error> {
        Ok(Pictures::new(Link::with_checked_settings(&self.address, self.options.replicas_min)?))
    }

    /// Calls `on_append` with the sequence of each appended frame, and with `u64::MAX` when notifications may have been
    /// missed.
    pub fn listen(&self, on_append: impl Fn(Sequence) + Send + 'static) -> Result<Listener, Error> {
        Listener::start(self.address.clone(), Box::new(on_append))
    }

    /// This process's estimate of the database's clock.
    pub fn clock(&self) -> Arc<DatabaseClock> {
        Arc::clone(&self.clock)
    }
}
