//! A running exchange: assembles the folder, threads, state and sequencer, and shuts them down in the right order.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use api::signing::MasterKey;
use exchange::command::{Command, RecordMasterKey, UpgradeRules};
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::{Exchange, Request};
use journal::file::Options;
use journal::postgres::Listener;

use crate::app::{App, Parts, Rates};
use crate::audit::DataFolder;
use crate::clock::{Clock, SystemClock};
use crate::folder::{self, Held, hold};
use crate::follower::{Followed, Follower};
use crate::history::{self, History, HistoryError, Keeper};
use crate::keeping::{Historian, Keeping, Remembered};
use crate::people::{People, PeopleError, PostgresRows, Rows, SqliteRows, Sweeper};
use crate::proofs::Proofs;
use crate::secrets;
use crate::sequencer::{News, Sequencer, SubmitError, Writer};
use crate::shared_log::{SharedLog, SharedLogSettings};
use crate::startup::{self, Disks, Opened, Report, StartError};
use crate::state::Shared;
use crate::streams::{self, Hub, NodeMark, Streams};

#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error(transparent)]
    People(#[from] PeopleError),
    #[error("the master key cannot be used: {0}")]
    MasterKey(std::io::Error),
    #[error("{0} has no journal to rebuild a history from")]
    NoJournal(PathBuf),
    #[error("the journal cannot be upgraded to newer rules: {0}")]
    Rules(SubmitError),
    #[error("the master key's fingerprint cannot be recorded: {0}")]
    Fingerprint(SubmitError),
    #[error("cannot end the connections that the last process lost: {0}")]
    Connections(SubmitError),
    #[error("this node's id (node.id) cannot be read or stored: {0}")]
    Mark(std::io::Error),
    #[error("the new history cannot be put in place: {0}")]
    Replace(std::io::Error),
}

/// All threads and state of a node. Handlers share `app`.
#[derive(Debug)]
pub struct Node {
    pub app: Arc<App>,
    pub report: Report,
    writer: Writer,
    follower: Follower,
    sweeper: Sweeper,
    historian: Option<Historian>,
    history: JoinHandle<()>,
    streams: Hub,
    /// Receives notifications of other nodes' appends until it is dropped.
    _listener: Option<Listener>,
    _held: Held,
}

/// The final state of a stopped node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    pub seq: u64,
    /// The digest of the live state and the digest of replaying the journal. They differ only if the exchange has a
    /// serious bug.
    pub live: [u8; 32],
    pub replayed: [u8; 32],
}

/// Rebuilds a folder's history from its journal and returns the last sequence. The old history is replaced once the new
/// one is complete. A folder that is in use is refused.
pub fn rebuild_history<'a>(
    folder: impl Into<DataFolder<'a>>,
    progress: impl FnMut(u64, u64),
) -> Result<u64, NodeError> {
    Ok(rebuild(folder, progress)?.exchange.seq())
}

/// Like `rebuild_history`, but returns the state at the end of the journal. The journal stays locked until it is
/// dropped.
pub(crate) fn rebuild<'a>(
    folder: impl Into<DataFolder<'a>>,
    progress: impl FnMut(u64, u64),
) -> Result<Opened, NodeError> {
    let DataFolder { folder, archive } = folder.into();
    if !folder.join("journal").is_dir() {
        return Err(NodeError::NoJournal(folder.to_owned()));
    }
    let _held = hold(folder)?;
    let (place, fresh) = (folder.join("history"), folder.join("history.new"));
    history::remove(&fresh)?;
    let (history, recorder, thread) = history::open(&fresh)?.into_parts();
    let mut keeping = Keeping { recorder: Some(recorder), tap: None };
    // `opened` has the journal's lock and keeps it until the caller drops it.
    let opened = Disks::of(folder).map_err(StartError::from).and_then(|disks| {
        let disks = disks.with_archive(archive.map(Path::to_owned));
        let machine = || Box::new(journal::SystemClock) as Box<dyn journal::Clock>;
        startup::open_with(disks, Options::default(), machine, &mut keeping, progress)
    });
    drop((keeping, history));
    Keeper::join(thread);
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) => {
            // An incomplete history is useless; the error is what matters.
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

/// Adapts the server's `Clock` to the journal's.
struct Stamping(Arc<dyn Clock>);

impl journal::Clock for Stamping {
    fn now(&self) -> i64 {
        self.0.now_micros()
    }

    fn ahead(&self) -> i64 {
        self.0.ahead_micros()
    }
}

/// The folder's master key. Only a new venue gets a new one: with another key, existing API secrets would be invalid.
fn master_key(folder: &Path, is_new: bool) -> Result<MasterKey, NodeError> {
    let path = folder.join("master.key");
    match secrets::master_key(&path).map_err(NodeError::MasterKey)? {
        Some(master) => Ok(master),
        None if is_new => secrets::make_master_key(&path).map_err(NodeError::MasterKey),
        None => Err(StartError::NoMasterKey { path }.into()),
    }
}

/// Everything opened before the journal is read.
struct Begun {
    held: Held,
    master: MasterKey,
    history: History,
    history_thread: JoinHandle<()>,
    keeping: Keeping,
    /// The state from which history must be rebuilt, if history is older than the restored state.
    remembered: Option<Remembered>,
    mark: NodeMark,
}

impl Begun {
    fn on(held: Held, master: MasterKey) -> Result<Begun, NodeError> {
        let (history, recorder, history_thread) = history::open(&held.folder().join("history"))?.into_parts();
        let keeping = Keeping { recorder: Some(recorder), tap: None };
        let mark = NodeMark::default();
        Ok(Begun { held, master, history, history_thread, keeping, remembered: None, mark })
    }

    /// Starts all other components on a state that matches the end of the journal.
    fn run(
        self,
        opened: Opened,
        log: Option<SharedLog>,
        rates: Rates,
        clock: Arc<dyn Clock>,
        journal_clock: Arc<dyn Clock>,
    ) -> Result<Node, NodeError> {
        let Begun { held, master, history, history_thread, mut keeping, remembered, mark } = self;
        let Opened { journal, exchange, head, snapshots, report } = opened;
        check_master_key(&master, &exchange)?;
        let frames = journal.frames(head.next).map_err(StartError::from)?;
        let proofs = Arc::new(Proofs::new(master.clone()));
        let (followed, is_new) = (exchange.clone(), exchange.seq() == 0);
        let shared = Arc::new(Shared::new(exchange));
        let (people, erased) = open_people(held.folder(), log.as_ref(), &master, &shared, &journal_clock)?;
        let (streams, tap, hub) = Streams::start(&shared, mark);
        keeping.tap = Some(tap);
        let historian = remembered.and_then(|remembered| {
            keeping.recorder.take().map(|recorder| Historian::start(remembered, recorder, shared.clone()))
        });
        let (live, observer) = (shared.clone(), Box::new(keeping));
        let (sequencer, writer, listener) = match &log {
            None => {
                let (sequencer, writer) = Sequencer::start(journal, live, observer, journal_clock);
                (sequencer, writer, None)
            }
            Some(log) => {
                let (news, told) = News::channel();
                let listener = log.listen(told)?;
                let (sequencer, writer) =
                    Sequencer::start_shared(journal, news, live, observer, journal_clock);
                (sequencer, writer, Some(listener))
            }
        };
        // Only a new log is upgraded here. An operator upgrades a log in use, so that until then the previous build can
        // take over.
        if is_new {
            upgrade_rules(&shared, &sequencer)?;
        }
        record_master_key(&master, &shared, &sequencer)?;
        end_lost(mark, &shared, &sequencer)?;
        let nodes = log.as_ref().map(SharedLog::nodes).transpose()?.map(Arc::new);
        let company = log.map(|log| log.company(shared.clone(), sequencer.pulse().clone()));
        let follower = Follower::start(Followed {
            exchange: followed,
            saved: report.snapshot,
            head,
            frames,
            snapshots,
            history: history.clone(),
            proofs: proofs.clone(),
            company,
        });
        let (sweeper, sweeps) = Sweeper::start(people.clone(), sequencer.clone(), erased)?;
        let parts = Parts { shared, sequencer, history, proofs, streams, nodes, people, sweeps };
        let app = Arc::new(App::new(parts, master, clock, rates));
        Ok(Node {
            app,
            report,
            writer,
            follower,
            sweeper,
            historian,
            history: history_thread,
            streams: hub,
            _listener: listener,
            _held: held,
        })
    }
}

/// Opens the people store: in the folder of a node with its own journal, in the database of a shared log. Also returns
/// how many persons are erased, in the journal and in the store.
fn open_people(
    folder: &Path,
    log: Option<&SharedLog>,
    master: &MasterKey,
    shared: &Arc<Shared>,
    journal_clock: &Arc<dyn Clock>,
) -> Result<(Arc<People>, usize), PeopleError> {
    let rows: Box<dyn Rows> = match log {
        None => Box::new(SqliteRows::open(folder)?),
        Some(log) => Box::new(PostgresRows::open(log.database())?),
    };
    let people = Arc::new(People::open(rows, master, shared.clone(), journal_clock.clone())?);
    // Must precede serving: a restored store may still have rows of persons who were erased later.
    let erased = people.settle()?;
    Ok((people, erased))
}

/// Refuses a master key that differs from the recorded one: every API secret derived from it would be wrong.
fn check_master_key(master: &MasterKey, exchange: &Exchange) -> Result<(), StartError> {
    match exchange.directory().master_key() {
        Some(recorded) if recorded != secrets::fingerprint(master) => Err(StartError::WrongMasterKey),
        _ => Ok(()),
    }
}

/// Records the fingerprint of the master key if the journal has none yet.
fn record_master_key(master: &MasterKey, shared: &Shared, sequencer: &Sequencer) -> Result<(), NodeError> {
    if shared.read().directory().master_key().is_some() {
        return Ok(());
    }
    let command = Command::RecordMasterKey(RecordMasterKey { fingerprint: secrets::fingerprint(master) });
    let request = Request { actor: Actor::System, idempotency: None, command };
    let answers = sequencer.submit_at_start(vec![request]).map_err(NodeError::Fingerprint)?;
    // Another node that started on the empty log at the same time may have recorded another key.
    match answers.into_iter().any(|answer| answer.result.is_err()) {
        true => Err(StartError::WrongMasterKey.into()),
        false => Ok(()),
    }
}

/// Ends the armed connections that were lost with the last process.
fn end_lost(mark: NodeMark, shared: &Shared, sequencer: &Sequencer) -> Result<(), NodeError> {
    let lost = streams::end_lost(mark, shared, sequencer).map_err(NodeError::Connections)?;
    if lost > 0 {
        tracing::info!(lost, "the last process lost armed connections: cancelled their users' orders");
    }
    Ok(())
}

/// Upgrades the journal to this build's newest rules. Earlier requests keep their decisions.
fn upgrade_rules(shared: &Shared, sequencer: &Sequencer) -> Result<(), NodeError> {
    let (from, version) = (shared.read().rules_version(), Exchange::RULES_VERSION);
    if from == version {
        return Ok(());
    }
    let command = Command::UpgradeRules(UpgradeRules { version });
    let request = Request { actor: Actor::System, idempotency: None, command };
    let answers = sequencer.submit_at_start(vec![request]).map_err(NodeError::Rules)?;
    for answer in answers {
        match answer.result {
            Ok(_) => tracing::info!(from, to = version, "upgraded the journal's rules"),
            // Another node that started on the empty log at the same time upgraded first.
            Err(Reject::VersionNotNewer) => {}
            Err(reject) => tracing::error!(?reject, "cannot upgrade the journal's rules"),
        }
    }
    Ok(())
}

impl Node {
    /// Starts on a data folder, which is created if it is missing. `progress` receives the replay's position and its
    /// end.
    pub fn start(folder: &Path, rates: Rates, progress: impl FnMut(u64, u64)) -> Result<Node, NodeError> {
        Node::start_with_clock(folder, rates, Arc::new(SystemClock), progress)
    }

    /// Like `start`, with another clock for the server; the journal keeps the machine's clock.
    pub fn start_with_clock(
        folder: &Path,
        rates: Rates,
        clock: Arc<dyn Clock>,
        progress: impl FnMut(u64, u64),
    ) -> Result<Node, NodeError> {
        let machine: Arc<dyn Clock> = Arc::new(SystemClock);
        Node::start_with(folder, rates, clock, machine, Options::default(), progress)
    }

    /// Like `start`, with separate clocks for the server and the journal, and with journal options.
    pub fn start_with(
        folder: &Path,
        rates: Rates,
        clock: Arc<dyn Clock>,
        journal_clock: Arc<dyn Clock>,
        options: Options,
        progress: impl FnMut(u64, u64),
    ) -> Result<Node, NodeError> {
        let held = hold(folder)?;
        let disks = Disks::of(folder).map_err(StartError::from)?;
        Node::start_on(held, disks, rates, clock, journal_clock, options, progress)
    }

    /// Like `start_with`, with the journal and the snapshots on the given disks; all other files stay in the folder.
    pub fn start_on(
        held: Held,
        disks: Disks,
        rates: Rates,
        clock: Arc<dyn Clock>,
        journal_clock: Arc<dyn Clock>,
        options: Options,
        progress: impl FnMut(u64, u64),
    ) -> Result<Node, NodeError> {
        let folder = held.folder();
        folder::check_alone(folder)?;
        let is_new = !folder::has_journal(folder).map_err(StartError::from)?;
        let master = master_key(folder, is_new)?;
        let mut begun = Begun::on(held, master)?;
        let mut opened = startup::open_with(
            disks,
            options,
            || Box::new(Stamping(journal_clock.clone())),
            &mut begun.keeping,
            progress,
        )?;
        opened.report.unsure_clock = startup::check_clock(&opened.head, &*journal_clock)?;
        begun.run(opened, None, rates, clock, journal_clock)
    }

    /// Starts on a log that other nodes append to as well. The folder holds only this node's own files.
    pub fn start_shared(
        folder: &Path,
        settings: &SharedLogSettings,
        rates: Rates,
        progress: impl FnMut(u64, u64),
    ) -> Result<Node, NodeError> {
        Node::start_shared_on(hold(folder)?, settings, rates, None, progress)
    }

    /// Like `start_shared`, on a folder that is already locked. With a `journal_clock`, this node stamps its frames
    /// with that clock instead of the database's.
    pub fn start_shared_on(
        held: Held,
        settings: &SharedLogSettings,
        rates: Rates,
        journal_clock: Option<Arc<dyn Clock>>,
        progress: impl FnMut(u64, u64),
    ) -> Result<Node, NodeError> {
        let folder = held.folder().to_owned();
        let mut log = SharedLog::open(settings)?;
        let master = master_key(&folder, log.is_empty()?)?;
        let mark = NodeMark::kept_in(&folder).map_err(NodeError::Mark)?;
        log.claim(mark, &folder)?;
        let mut begun = Begun::on(held, master)?;
        let stamping =
            journal_clock.clone().map(|clock| Box::new(Stamping(clock)) as Box<dyn journal::Clock>);
        let (opened, remembered) = log.replay(&folder, stamping, &mut begun.keeping, progress)?;
        begun.remembered = remembered;
        begun.mark = mark;
        let journal_clock = journal_clock.unwrap_or_else(|| Arc::new(log.clock()));
        begun.run(opened, Some(log), rates, Arc::new(SystemClock), journal_clock)
    }

    /// Drains the queue, writes a last snapshot and returns the final state's digests. Blocks until every other holder
    /// of `app` has dropped it.
    pub fn stop(self) -> Result<Stopped, NodeError> {
        let shared = self.app.shared.clone();
        drop(self.app);
        self.sweeper.join();
        self.writer.join();
        self.streams.join();
        let replayed = self.follower.finish();
        if let Some(historian) = self.historian {
            historian.finish();
        }
        // Joined even when the follower failed: no thread may still use the folder when this returns.
        Keeper::join(self.history);
        let replayed = replayed.map_err(NodeError::Start)?;
        let exchange = shared.read();
        Ok(Stopped { seq: exchange.seq(), live: exchange.digest(), replayed })
    }
}
