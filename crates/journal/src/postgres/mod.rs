//! The journal in PostgreSQL: one row for each frame, and any number of equal writers.
//!
//! The primary key is the fence. A frame goes in only behind the very frame that its writer has seen last, so the rows
//! are one chain, and of two writers at the same place exactly one is first. No row is ever changed, and none is removed
//! before it is in an archive (`moving.rs`).
//! `appending.rs` says how a row gets in and how doubt is settled, `cursor.rs` reads, `link.rs` is the connection that
//! mends itself, `beside.rs` what nodes keep next to the log, `people.rs` the people store. The columns are drawn in `docs/journal-format.md`.

mod address;
mod appending;
mod beside;
mod clock;
mod cursor;
mod link;
mod listener;
mod moving;
mod nodes;
mod people;
mod preflight;
mod row;
mod schema;

use std::sync::Arc;
use std::time::Duration;

pub use address::is_address;
pub use appending::PostgresJournal;
pub use beside::Beside;
pub use clock::DatabaseClock;
pub use listener::Listener;
pub use moving::{MovedRows, RowMover};
pub use nodes::LiveNode;
pub use people::{People, PersonHead, PersonRow};

use crate::archive::{ArchivePlace, Archived};
use crate::disk::Disk;
use crate::{Clock, Error, Sequence};
use address::Address;
use link::Link;

/// How long a single question may take before its connection is given up.
const CALL_MAX: Duration = Duration::from_secs(5);

/// What an operator may choose.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Standbys that must have a frame before it counts as stored. It is the database that waits for them; a start is
    /// refused where it would not.
    pub replicas_min: u32,
    /// How long an append tries to learn what became of its frame before it says that it does not know.
    pub patience: Duration,
    /// How often a writer looks at the database's clock and settings again.
    pub look_again_every: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            replicas_min: 0,
            patience: Duration::from_secs(10),
            look_again_every: Duration::from_secs(30),
        }
    }
}

/// A database that was looked at and found fit to keep a journal.
#[derive(Clone, Debug)]
pub struct Database {
    address: Address,
    options: Options,
    clock: Arc<DatabaseClock>,
    archive: Option<ArchivePlace>,
}

impl Database {
    /// Connects, refuses settings under which an answered frame could be lost, and makes the tables if they are missing.
    pub fn open(url: &str, options: Options) -> Result<Database, Error> {
        let address = Address::parse(url)?;
        let clock = Arc::new(DatabaseClock::new());
        let database = Database { address, options, clock, archive: None };
        let mut link = Link::to_fit(&database.address, options.replicas_min)?;
        schema::create(&mut link)?;
        clock::measure(&mut link, &database.clock)?;
        Ok(database)
    }

    /// Lets cursors read the archive there instead of where the log's record says.
    pub fn read_archive(&mut self, place: ArchivePlace) {
        self.archive = Some(place);
    }

    /// What the log says of its archive.
    pub fn archived(&self) -> Result<Option<Archived>, Error> {
        cursor::archived(&mut Link::new(&self.address)?)
    }

    /// Takes the log and an archive, to move rows from one to the other.
    pub fn mover(&self, archive: Arc<dyn Disk>, place: impl Into<String>) -> Result<RowMover, Error> {
        RowMover::open(Link::to_fit(&self.address, self.options.replicas_min)?, archive, place.into())
    }

    /// The journal as one more writer. Frames are stamped by the database's clock, unless another is given.
    pub fn journal(&self, clock: Option<Box<dyn Clock>>) -> Result<PostgresJournal, Error> {
        PostgresJournal::open(self, clock)
    }

    /// What nodes keep next to the log.
    pub fn beside(&self) -> Result<Beside, Error> {
        Ok(Beside::new(Link::new(&self.address)?))
    }

    /// The people store that the venue keeps next to the log.
    pub fn people(&self) -> Result<People, Error> {
        Ok(People::new(Link::to_fit(&self.address, self.options.replicas_min)?))
    }

    /// Calls `news` with the sequence of each frame that anybody appends, and with the largest there is when some may
    /// have been missed.
    pub fn listen(&self, news: impl Fn(Sequence) + Send + 'static) -> Result<Listener, Error> {
        Listener::start(self.address.clone(), Box::new(news))
    }

    /// This process's estimate of the database's clock.
    pub fn clock(&self) -> Arc<DatabaseClock> {
        Arc::clone(&self.clock)
    }
}
