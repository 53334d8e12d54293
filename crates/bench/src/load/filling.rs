//! Writes a journal quickly: commands that were applied in memory, in large frames, and a snapshot behind them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use api::signing::MasterKey;
use exchange::codec;
use exchange::time::Time;
use exchange::{Exchange, Request};
use journal::disk::RealDisk;
use journal::file::{FileJournal, Options};
use journal::snapshots::SnapshotStore;
use journal::testing::ManualClock;
use journal::{Appended, Head, Journal, Payload};
use server::people::{SqliteRows, begin};

use crate::Problem;

/// The master key of the venues made here.
pub const MASTER_KEY: [u8; 32] = [9; 32];
/// Commands per frame, where nothing else is wanted.
pub const FRAME_COMMANDS: u64 = 1_000;

#[allow(missing_debug_implementations, reason = "a journal has nothing to print")]
pub struct Filling {
    journal: Box<dyn Journal>,
    clock: ManualClock,
    pub head: Head,
    payload: Payload,
    /// Bytes of the stored commands.
    pub bytes: u64,
}

impl Filling {
    /// `clock` stamps the frames of `journal`, which is empty.
    pub fn of(journal: Box<dyn Journal>, clock: ManualClock) -> Filling {
        Filling { journal, clock, head: Head::EMPTY, payload: Payload::new(), bytes: 0 }
    }

    /// A new journal in a data folder, with a master key and a people store. The store stays empty: no user of the
    /// venue logs in.
    pub fn create(folder: &Path) -> Result<Filling, Problem> {
        give_key(folder)?;
        begin(&mut SqliteRows::open(folder)?, &MasterKey::new(MASTER_KEY))?;
        let clock = ManualClock::new(0);
        let disk = Arc::new(RealDisk::new(folder.join("journal"))?);
        let journal = FileJournal::create(disk, Box::new(clock.clone()), Options::default(), [7; 16])?;
        Ok(Filling::of(Box::new(journal), clock))
    }

    /// Sets the time of the next frames.
    pub fn stamp(&self, at: Time) {
        self.clock.set(at.micros());
    }

    pub fn push(&mut self, request: &Request) {
        self.payload.push_with(|bytes| codec::encode_request(request, bytes));
    }

    /// Commands that the next frame already contains.
    pub fn pushed(&self) -> u64 {
        self.payload.commands_count().into()
    }

    /// Appends the pushed commands as one frame.
    pub fn append(&mut self) -> Result<(), Problem> {
        if self.payload.is_empty() {
            return Ok(());
        }
        match self.journal.append(self.head.next, &self.payload)? {
            Appended::Stored { header, hash } => self.head = Head::after(&header, hash),
            other => return Err(format!("the log did not store a frame: {other:?}").into()),
        }
        self.bytes += self.payload.bytes().len() as u64;
        self.payload.clear();
        Ok(())
    }
}

/// Saves an encoded state as the snapshot of a data folder. Returns the size of its file.
pub fn save_snapshot(folder: &Path, head: &Head, content: &[u8]) -> Result<u64, Problem> {
    let snapshots = folder.join("snapshots");
    SnapshotStore::new(Arc::new(RealDisk::new(&snapshots)?)).save(head, content)?;
    crate::folders::bytes_of(&snapshots)
}

/// Applies a request that cannot be refused.
pub fn apply(exchange: &mut Exchange, at: Time, request: &Request) -> Result<(), Problem> {
    let result = exchange.apply(at, request).expect("a request of this build");
    result.map(|_| ()).map_err(|reject| format!("the venue cannot be made: {reject:?}").into())
}

/// Writes the master key that all nodes of a log share.
pub fn give_key(folder: &Path) -> Result<(), Problem> {
    fs::create_dir_all(folder)?;
    let path = folder.join("master.key");
    fs::write(&path, MASTER_KEY)?;
    Ok(fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?)
}
