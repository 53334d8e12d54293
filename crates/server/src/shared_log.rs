//! A log that several nodes append to: opens it, claims this node's mark and replays it.
//!
//! `pipeline/sequencer/sharing.rs` appends groups, `pipeline/peers.rs` compares digests with the other nodes, and the
//! journal crate stores the rows.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use journal::archive::ArchivePlace;
use journal::disk::RealDisk;
use journal::postgres::{Database, Listener, MarkTrace, Options, PostgresJournal, SharedTables};
use journal::snapshots::SnapshotStore;
use journal::{Head, Journal, Sequence};

use crate::applied::{Observer, Unobserved};
use crate::folder::{LOG_ID, write_atomically};
use crate::node_mark::NodeMark;
use crate::nodes::{self, Nodes};
use crate::pipeline::clock::Clock;
use crate::pipeline::observing::HistoryBacklog;
use crate::pipeline::peers::Peers;
use crate::pipeline::replay::{RestoredState, is_on_chain, replay, restore};
use crate::pipeline::sequencer::WriterStatus;
use crate::pipeline::skips::Skips;
use crate::pipeline::state::Shared;
use crate::startup::{Opened, StartError};

const CLAIM_AGAIN_AFTER: Duration = Duration::from_millis(100);
/// A mark that was not released may belong to a node that still runs. Its writer reads the log every half second and
/// claims the mark again if its connection was lost.
const RETURN_MAX: Duration = Duration::from_secs(1);
/// After a restart or a failover of the database, a node may first have to wait for an attempt to connect to time out.
const RETURN_AFTER_RESTART_MAX: Duration = Duration::from_secs(8);

#[derive(Clone, Debug)]
pub struct SharedLogSettings {
    /// `postgres://…`
    pub url: String,
    /// Standbys that must have a frame before it counts as durable.
    pub replicas_min: u32,
    /// The interval between checkpoints, in the log's time.
    pub checkpoint_every: Duration,
    /// Commands after which one of the nodes stores a snapshot in the database.
    pub snapshot_every: u64,
    /// How long a start waits for another holder of this node's mark. After a lost connection the holder is this node's
    /// previous process; the database takes up to half a minute to notice. A mark that was not released is first left
    /// alone for a while, so that a node that still runs can claim it again.
    pub mark_patience: Duration,
    /// The log's archive, if it is not where the log's record says.
    pub archive: Option<PathBuf>,
}

impl SharedLogSettings {
    pub fn new(url: impl Into<String>) -> SharedLogSettings {
        SharedLogSettings {
            url: url.into(),
            replicas_min: 0,
            checkpoint_every: Duration::from_secs(60),
            snapshot_every: 100_000,
            mark_patience: Duration::from_secs(45),
            archive: None,
        }
    }
}

/// The database that stores the log.
#[derive(Debug)]
pub struct SharedLog {
    database: Database,
    tables: SharedTables,
    mark: NodeMark,
    /// The writer that holds this node's mark.
    journal: Option<PostgresJournal>,
    settings: SharedLogSettings,
}

impl SharedLog {
    /// Connects. Refuses a database whose settings could lose an acknowledged write.
    pub fn open(settings: &SharedLogSettings) -> Result<SharedLog, StartError> {
        let options = Options { replicas_min: settings.replicas_min, ..Options::default() };
        let mut database = Database::open(&settings.url, options)?;
        if let Some(archive) = &settings.archive {
            database.read_archive(ArchivePlace::folder(archive));
        }
        let tables = database.shared_tables()?;
        Ok(SharedLog {
            database,
            tables,
            mark: NodeMark::default(),
            journal: None,
            settings: settings.clone(),
        })
    }

    /// Whether the log has no frames yet.
    pub(crate) fn is_empty(&self) -> Result<bool, StartError> {
        Ok(self.database.journal(None)?.head()?.next == Sequence::FIRST)
    }

    /// Claims this node's mark, which must be unique on the log: two nodes with one mark would end each other's armed
    /// connections.
    pub(crate) fn claim(&mut self, mark: NodeMark, folder: &Path) -> Result<(), StartError> {
        self.mark = mark;
        let mut journal = self.database.journal(None)?;
        let left_alone = match journal.mark_trace(mark.number())? {
            MarkTrace::None => Duration::ZERO,
            MarkTrace::SameServer => RETURN_MAX,
            MarkTrace::OtherServer => RETURN_AFTER_RESTART_MAX,
        };
        let began = Instant::now();
        if !left_alone.is_zero() {
            let seconds = left_alone.as_secs();
            tracing::info!(
                seconds,
                "this node's mark was not released: waiting for a node that may still use it"
            );
            thread::sleep(left_alone);
        }
        let mut is_logged = false;
        while !journal.claim(mark.number())? {
            if began.elapsed() >= self.settings.mark_patience {
                return Err(StartError::MarkTaken { path: folder.join("node.id") });
            }
            if !std::mem::replace(&mut is_logged, true) {
                tracing::info!("another process with this node's mark uses the log: waiting until it ends");
            }
            thread::sleep(CLAIM_AGAIN_AFTER);
        }
        nodes::announce(&mut self.tables, mark.number())?;
        self.journal = Some(journal);
        Ok(())
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    /// A connection for queries about the log's nodes.
    pub(crate) fn nodes(&self) -> Result<Nodes, StartError> {
        Ok(Nodes::new(self.database.shared_tables()?))
    }

    /// The database's clock.
    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        self.database.clock()
    }

    pub(crate) fn listen(&self, notify: impl Fn(Sequence) + Send + 'static) -> Result<Listener, StartError> {
        Ok(self.database.listen(notify)?)
    }

    /// Restores the newest snapshot and replays the log to its end. If history is older than the snapshot, it is
    /// rebuilt from an earlier state while the node serves. Without a `clock`, frames are stamped with the database's
    /// clock.
    pub(crate) fn replay(
        &mut self,
        folder: &Path,
        clock: Option<Box<dyn Clock>>,
        observer: &mut dyn Observer,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<(Opened, Option<HistoryBacklog>), StartError> {
        let mut journal = match self.journal.take() {
            Some(journal) => journal,
            None => self.database.journal(None)?,
        };
        if let Some(clock) = clock {
            journal.stamp_with(clock);
        }
        let snapshots = SnapshotStore::new(Arc::new(RealDisk::new(folder.join("snapshots"))?));
        let (head, known) = (journal.head()?, observer.stored_until());
        let log = self.check_folder(folder)?;
        let own = restore(&snapshots, &Unobserved)?;
        check_on_chain(&journal, &head, &own.head)?;
        let RestoredState { mut exchange, head: snapshot_head, mut report, .. } = self.newest(own)?;
        if known >= head.next.0 {
            let ends = head.next.0 - 1;
            return Err(StartError::OtherLog(format!("its history ends at {known}, the log at {ends}")));
        }
        check_on_chain(&journal, &head, &snapshot_head)?;
        let backlog = match exchange.seq() > known {
            true => {
                let exchange = restore(&snapshots, &*observer)?.exchange;
                let from = Sequence(exchange.seq() + 1);
                let (frames, skips) = (journal.frames(from)?, Skips::find(&journal, from)?);
                Some(HistoryBacklog { frames, skips, exchange })
            }
            false => None,
        };
        let observer = if backlog.is_some() { &mut Unobserved } else { observer };
        let skips = Skips::find(&journal, Sequence(exchange.seq() + 1))?;
        let mut frames = journal.frames(Sequence(exchange.seq() + 1))?;
        while exchange.seq() + 1 < head.next.0 {
            let expected = exchange.seq() + 1;
            let frame = frames.next_frame()?.ok_or(StartError::Gap { expected, found: head.next.0 })?;
            report.replayed += replay(&mut exchange, &frame, &skips, observer)?;
            observer.group_ended();
            progress(exchange.seq(), head.next.0 - 1);
        }
        // Written last, so that a folder that does not belong to the log stays unchanged.
        if let Some(log) = log {
            write_atomically(&folder.join(LOG_ID), &log)?;
        }
        Ok((Opened { journal: Box::new(journal), exchange, head, snapshots, report }, backlog))
    }

    /// This node's own snapshot, or the database's if that is newer.
    fn newest(&self, own: RestoredState) -> Result<RestoredState, StartError> {
        let mut tables = self.database.shared_tables()?;
        if tables.newest_snapshot()?.0 <= own.exchange.seq() + 1 {
            return Ok(own);
        }
        let stored = restore(tables, &Unobserved)?;
        Ok(if stored.exchange.seq() > own.exchange.seq() { stored } else { own })
    }

    /// Checks that the folder belongs to this log: its content was made from the log that it was first used with.
    /// Returns the log's id if the folder has none yet.
    fn check_folder(&self, folder: &Path) -> Result<Option<Vec<u8>>, StartError> {
        let log = self.database.shared_tables()?.set_once("log", uuid::Uuid::now_v7().as_bytes())?;
        let path = folder.join(LOG_ID);
        match fs::read(&path) {
            Ok(known) if known == log => Ok(None),
            Ok(_) => Err(StartError::OtherLog(format!("{} names another log", path.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(log)),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn peers(self, live: Arc<Shared>, writer_status: Arc<WriterStatus>) -> Peers {
        let SharedLog { tables, mark, settings, .. } = self;
        Peers {
            live,
            writer_status,
            tables,
            mark,
            node: *uuid::Uuid::now_v7().as_bytes(),
            checkpoint_every: settings.checkpoint_every,
            snapshot_every: settings.snapshot_every,
        }
    }
}

/// Checks that a snapshot's head is part of the log.
fn check_on_chain(journal: &dyn Journal, head: &Head, snapshot_head: &Head) -> Result<(), StartError> {
    match is_on_chain(journal, head, snapshot_head)? {
        true => Ok(()),
        false => Err(StartError::OtherLog(format!(
            "its snapshot at {} does not belong to this log",
            snapshot_head.next
        ))),
    }
}
