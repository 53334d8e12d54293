//! A running exchange: folder, threads, state and door, put together and taken apart in the right order.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use bytes::Bytes;
use exchange::reply::Reply;
use journal::file::Options;

use crate::app::{App, Parts, Rates};
use crate::clock::{Clock, SystemClock};
use crate::follower::Follower;
use crate::history::{self, HistoryError, Keeper, Recorder};
use crate::proofs::Proofs;
use crate::respond::{Shape, respond};
use crate::secrets;
use crate::sequencer::{Applied, Decided, Observer, Sequencer, Writer, Written};
use crate::startup::{self, Disks, Opened, Report, StartError};
use crate::state::Shared;
use crate::streams::{Hub, Streams, Tap};

#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error("the master key cannot be used: {0}")]
    MasterKey(std::io::Error),
    #[error("{0} has no journal to make a history from")]
    NoJournal(PathBuf),
    #[error("the new history cannot be put in place: {0}")]
    Replace(std::io::Error),
}

/// Everything that runs. Handlers share `app`.
#[derive(Debug)]
pub struct Node {
    pub app: Arc<App>,
    pub report: Report,
    writer: Writer,
    follower: Follower,
    history: JoinHandle<()>,
    streams: Hub,
}

/// What remains after a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    pub seq: u64,
    /// The live state's digest, and what replaying the journal gave: equal, or something is very wrong.
    pub live: [u8; 32],
    pub replayed: [u8; 32],
}

/// Keeps history from the apply thread, and feeds the streams once there are any.
struct Keeping {
    recorder: Recorder,
    tap: Option<Tap>,
}

impl Observer for Keeping {
    fn known(&self) -> u64 {
        self.recorder.known()
    }

    fn applied(&mut self, applied: &Applied<'_>) {
        self.recorder.note(applied);
        if let Some(tap) = &mut self.tap {
            tap.note(applied);
        }
    }

    fn write_answer(&mut self, decided: &Decided<'_>) -> Option<Written> {
        decided.request.idempotency?;
        // A replay answers with what was kept the first time.
        if matches!(decided.result, Ok(Reply::Replayed { .. })) {
            return None;
        }
        let (status, body) = respond(decided.exchange, Shape::of(&decided.request.command), decided.result);
        let written = Written { status, body: Bytes::from(body) };
        self.recorder.keep(decided.seq, decided.at, &written);
        Some(written)
    }

    fn group_ended(&mut self) {
        self.recorder.hand_over();
        if let Some(tap) = &mut self.tap {
            tap.hand_over();
        }
    }
}

/// Makes the history of a folder again out of its journal, and says up to which sequence. The old one is replaced when the
/// new one is whole. A folder that is in use is refused.
pub fn rebuild_history(folder: &Path, progress: impl FnMut(u64, u64)) -> Result<u64, NodeError> {
    Ok(rebuild(folder, progress)?.exchange.seq())
}

/// The same, and gives the state that the whole journal leads to. The folder is held as long as that lives.
pub(crate) fn rebuild(folder: &Path, progress: impl FnMut(u64, u64)) -> Result<Opened, NodeError> {
    if !folder.join("journal").is_dir() {
        return Err(NodeError::NoJournal(folder.to_owned()));
    }
    let (place, fresh) = (folder.join("history"), folder.join("history.new"));
    history::remove(&fresh)?;
    let (history, recorder, thread) = history::open(&fresh)?.into_parts();
    let mut keeping = Keeping { recorder, tap: None };
    // It holds the journal, and so the folder, until the new history is in place.
    let opened = startup::open_observed(folder, &mut keeping, progress);
    drop((keeping, history));
    Keeper::join(thread);
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) => {
            // What was begun is of no use to anybody; the reason why is.
            let _ = fs::remove_dir_all(&fresh);
            return Err(error.into());
        }
    };
    let replace = || {
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::rename(&fresh, &place)?;
        File::open(folder)?.sync_all()
    };
    replace().map_err(NodeError::Replace)?;
    Ok(opened)
}

/// A clock of the edge as the journal's.
struct Stamping(Arc<dyn Clock>);

impl journal::Clock for Stamping {
    fn now(&self) -> i64 {
        self.0.now_micros()
    }
}

impl Node {
    /// Starts on a data folder, which is made if it is missing. `progress` learns how far the replay is.
    pub fn start(folder: &Path, rates: Rates, progress: impl FnMut(u64, u64)) -> Result<Node, NodeError> {
        Node::start_with_clock(folder, rates, Arc::new(SystemClock), progress)
    }

    /// The same with another clock at the edge; the journal keeps the machine's.
    pub fn start_with_clock(
        folder: &Path,
        rates: Rates,
        clock: Arc<dyn Clock>,
        progress: impl FnMut(u64, u64),
    ) -> Result<Node, NodeError> {
        let machine: Arc<dyn Clock> = Arc::new(SystemClock);
        Node::start_with(folder, rates, clock, machine, Options::default(), progress)
    }

    /// The same with a clock each for the edge and for the journal, and with other options for the journal.
    pub fn start_with(
        folder: &Path,
        rates: Rates,
        clock: Arc<dyn Clock>,
        journal_clock: Arc<dyn Clock>,
        options: Options,
        progress: impl FnMut(u64, u64),
    ) -> Result<Node, NodeError> {
        let disks = Disks::of(folder).map_err(StartError::from)?;
        Node::start_on(folder, disks, rates, clock, journal_clock, options, progress)
    }

    /// The same with journal and snapshots on disks of one's choice; the rest stays in the folder.
    pub fn start_on(
        folder: &Path,
        disks: Disks,
        rates: Rates,
        clock: Arc<dyn Clock>,
        journal_clock: Arc<dyn Clock>,
        options: Options,
        progress: impl FnMut(u64, u64),
    ) -> Result<Node, NodeError> {
        let master = secrets::master_key(&folder.join("master.key")).map_err(NodeError::MasterKey)?;
        let (history, recorder, history_thread) = history::open(&folder.join("history"))?.into_parts();
        let mut keeping = Keeping { recorder, tap: None };
        let Opened { journal, exchange, head, snapshots, report } = startup::open_with(
            disks,
            options,
            || Box::new(Stamping(journal_clock.clone())),
            &mut keeping,
            progress,
        )?;
        let frames = journal.frames(head.next).map_err(StartError::from)?;
        let proofs = Arc::new(Proofs::new(master.clone()));
        let (followed, kept) = (exchange.clone(), history.clone());
        let follower = Follower::start(followed, head, frames, snapshots, kept, proofs.clone());
        let shared = Arc::new(Shared::new(exchange));
        let (streams, tap, hub) = Streams::start(&shared);
        keeping.tap = Some(tap);
        let (sequencer, writer) = Sequencer::start(journal, shared.clone(), Box::new(keeping), journal_clock);
        let parts = Parts { shared, sequencer, history, proofs, streams };
        let app = Arc::new(App::new(parts, master, clock, rates));
        Ok(Node { app, report, writer, follower, history: history_thread, streams: hub })
    }

    /// Drains what waits, writes a last snapshot, and says what the state came to. All other holders of `app`
    /// must be gone, or this waits for them.
    pub fn stop(self) -> Result<Stopped, NodeError> {
        let shared = self.app.shared.clone();
        drop(self.app);
        self.writer.join();
        self.streams.join();
        let replayed = self.follower.finish();
        // Also when the follower failed: whoever opens the folder next must find nobody in it.
        Keeper::join(self.history);
        let replayed = replayed.map_err(NodeError::Start)?;
        let exchange = shared.read();
        Ok(Stopped { seq: exchange.seq(), live: exchange.digest(), replayed })
    }
}
