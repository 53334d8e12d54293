//! Starts a node: opens the folder, replays the journal, and starts threads and services on the state.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use api::signing::{KeyKind, MasterKey};
use exchange::command::{Command, RecordMasterKey, UpgradeRules};
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::{Exchange, Request};
use journal::Journal;
use journal::file::Options;
use journal::postgres::Listener;

use super::{Node, NodeError};
use crate::access::Access;
use crate::access::keyring::Keyring;
use crate::app::{App, Services};
use crate::feeds::Feeds;
use crate::folder::{self, FolderLock, lock};
use crate::history::{self, History, OpenedHistory};
use crate::limits::Rates;
use crate::node_mark::NodeMark;
use crate::notifying::Notifying;
use crate::notifying::push::endpoint::Reach;
use crate::people::{People, PeopleError, PostgresRows, Rows, SqliteRows, Sweeper};
use crate::pictures::naming::named_in;
use crate::pictures::{
    FolderPictures, PictureError, PictureStore, PictureSweeper, Pictures, PostgresPictures,
};
use crate::pipeline::clock::{Clock, NoTimers, SystemClock};
use crate::pipeline::follower::{Follower, FollowerParts};
use crate::pipeline::observing::{Historian, HistoryBacklog, Observers};
use crate::pipeline::proofs::Proofs;
use crate::pipeline::sequencer::{AppendNotices, Sequencer, Writer};
use crate::pipeline::state::Shared;
use crate::reading::Reading;
use crate::secrets;
use crate::shared_log::{SharedLog, SharedLogSettings};
use crate::signals::venue::{VenueCounters, VenueTap};
use crate::startup::{self, Disks, Opened, StartError};
use crate::streams::{self, Streams};
use crate::writing::Writing;

/// The folder of a node: `start` locks a free one.
#[derive(Debug)]
pub enum NodeFolder {
    Free(PathBuf),
    Locked(FolderLock),
}

impl NodeFolder {
    fn lock(self) -> Result<FolderLock, StartError> {
        match self {
            NodeFolder::Free(folder) => lock(&folder),
            NodeFolder::Locked(lock) => Ok(lock),
        }
    }
}

impl From<&Path> for NodeFolder {
    fn from(folder: &Path) -> NodeFolder {
        NodeFolder::Free(folder.to_owned())
    }
}

impl From<FolderLock> for NodeFolder {
    fn from(folder_lock: FolderLock) -> NodeFolder {
        NodeFolder::Locked(folder_lock)
    }
}

/// Settings of a node that is about to start. Every setting has a default.
#[allow(missing_debug_implementations, reason = "a closure has nothing to print")]
pub struct NodeBuilder<'a> {
    folder: NodeFolder,
    rates: Rates,
    clock: Arc<dyn Clock>,
    journal_clock: Option<Arc<dyn Clock>>,
    is_rehearsal: bool,
    is_bare: bool,
    options: Options,
    disks: Option<Disks>,
    shared_log: Option<&'a SharedLogSettings>,
    push_reach: Reach,
    progress: Box<dyn FnMut(u64, u64) + 'a>,
}

impl<'a> NodeBuilder<'a> {
    pub(super) fn new(folder: NodeFolder) -> NodeBuilder<'a> {
        NodeBuilder {
            folder,
            rates: Rates::default(),
            clock: Arc::new(SystemClock),
            journal_clock: None,
            is_rehearsal: false,
            is_bare: false,
            options: Options::default(),
            disks: None,
            shared_log: None,
            push_reach: Reach::default(),
            progress: Box::new(|_, _| {}),
        }
    }

    /// Requests per second of each caller.
    #[must_use]
    pub fn rates(self, rates: Rates) -> NodeBuilder<'a> {
        NodeBuilder { rates, ..self }
    }

    /// The edge's clock, for signatures and rate limits. The default is the machine's clock.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>) -> NodeBuilder<'a> {
        NodeBuilder { clock, ..self }
    }

    /// The clock that stamps frames. The default is the machine's clock, on a shared log the database's.
    #[must_use]
    pub fn journal_clock(self, clock: Arc<dyn Clock>) -> NodeBuilder<'a> {
        NodeBuilder { journal_clock: Some(clock), ..self }
    }

    /// Runs the venue on a clock that a program moves: it stamps frames, and responses state it. Timers fire only when
    /// the program sends a `Tick`, a proof is always of the newest state, and keys are test keys. Signatures, limits
    /// and timeouts still use the edge's clock. Not for a shared log.
    #[must_use]
    pub fn rehearsal(self, clock: Arc<dyn Clock>) -> NodeBuilder<'a> {
        NodeBuilder { journal_clock: Some(clock), is_rehearsal: true, ..self }
    }

    /// Submits nothing at the start of a rehearsal: all requests, the first ones too, come from another journal. No user or
    /// operator of that journal can authenticate, only users admitted with `Access::admit`.
    #[must_use]
    pub fn without_first_commands(self) -> NodeBuilder<'a> {
        NodeBuilder { is_bare: true, ..self }
    }

    /// Options of the file journal. A shared log has none.
    #[must_use]
    pub fn options(self, options: Options) -> NodeBuilder<'a> {
        NodeBuilder { options, ..self }
    }

    /// The disks of the journal and the snapshots. All other files stay in the folder. A shared log ignores them.
    #[must_use]
    pub fn disks(self, disks: Disks) -> NodeBuilder<'a> {
        NodeBuilder { disks: Some(disks), ..self }
    }

    /// Starts on a log that other nodes append to as well. The folder then holds only this node's own files.
    #[must_use]
    pub fn shared_log(self, settings: &'a SharedLogSettings) -> NodeBuilder<'a> {
        NodeBuilder { shared_log: Some(settings), ..self }
    }

    /// Which addresses push messages may go to. The default is public ones; tests permit loopback.
    #[must_use]
    pub fn push_reach(self, push_reach: Reach) -> NodeBuilder<'a> {
        NodeBuilder { push_reach, ..self }
    }

    /// A callback that receives the replay's position and its end.
    #[must_use]
    pub fn progress(self, progress: impl FnMut(u64, u64) + 'a) -> NodeBuilder<'a> {
        NodeBuilder { progress: Box::new(progress), ..self }
    }

    /// Starts the node.
    pub fn start(self) -> Result<Node, NodeError> {
        match self.shared_log {
            None => self.start_alone(),
            Some(settings) => self.start_shared(settings),
        }
    }

    /// Starts on a journal in the folder.
    fn start_alone(self) -> Result<Node, NodeError> {
        let folder_lock = self.folder.lock()?;
        let folder = folder_lock.folder();
        let disks = match self.disks {
            Some(disks) => disks,
            None => Disks::of(folder).map_err(StartError::from)?,
        };
        folder::check_alone(folder)?;
        let is_new = !folder::has_journal(folder).map_err(StartError::from)?;
        let master = master_key(folder, is_new)?;
        let journal_clock = self.journal_clock.unwrap_or_else(|| Arc::new(SystemClock));
        let mut opened_folder = OpenedFolder::on(folder_lock, master)?;
        let opened = startup::open_with(
            disks,
            self.options,
            || Box::new(journal_clock.clone()),
            &mut opened_folder.observers,
            self.progress,
        );
        let opened = opened.and_then(|mut opened| {
            opened.report.unsure_clock = startup::check_clock(&opened.head, &*journal_clock)?;
            Ok(opened)
        });
        let (opened_folder, opened) = opened_folder.or_close(opened)?;
        let clocks = VenueClocks {
            edge: self.clock,
            journal: journal_clock,
            is_rehearsal: self.is_rehearsal,
            is_bare: self.is_bare,
        };
        opened_folder.run(opened, None, (self.rates, self.push_reach), clocks)
    }

    /// Starts on a shared log.
    fn start_shared(self, settings: &SharedLogSettings) -> Result<Node, NodeError> {
        let folder_lock = self.folder.lock()?;
        let folder = folder_lock.folder().to_owned();
        let mut log = SharedLog::open(settings)?;
        let master = master_key(&folder, log.is_empty()?)?;
        let mark = NodeMark::load_or_create(&folder).map_err(NodeError::Mark)?;
        log.claim(mark, &folder)?;
        let mut opened_folder = OpenedFolder::on(folder_lock, master)?;
        let stamping = self.journal_clock.clone().map(|clock| Box::new(clock) as Box<dyn Clock>);
        let replayed = log.replay(&folder, stamping, &mut opened_folder.observers, self.progress);
        let (mut opened_folder, (opened, backlog)) = opened_folder.or_close(replayed)?;
        opened_folder.backlog = backlog;
        opened_folder.mark = mark;
        let journal_clock = self.journal_clock.unwrap_or_else(|| log.clock());
        let clocks =
            VenueClocks { edge: self.clock, journal: journal_clock, is_rehearsal: false, is_bare: false };
        opened_folder.run(opened, Some(log), (self.rates, self.push_reach), clocks)
    }
}

/// The clocks of a node.
struct VenueClocks {
    /// For signatures and limits.
    edge: Arc<dyn Clock>,
    /// Stamps frames.
    journal: Arc<dyn Clock>,
    /// A program moves the journal's clock.
    is_rehearsal: bool,
    /// The start submits nothing.
    is_bare: bool,
}

impl VenueClocks {
    /// The time that responses state.
    fn shown(&self) -> Arc<dyn Clock> {
        if self.is_rehearsal { self.journal.clone() } else { self.edge.clone() }
    }

    /// The clock by which the writer fires timers.
    fn of_timers(&self) -> Arc<dyn Clock> {
        if self.is_rehearsal { Arc::new(NoTimers) } else { self.journal.clone() }
    }

    /// The commands of a start, if it submits any: those of a new log, or those of a log in use.
    fn first(&self, exchange: &Exchange) -> Option<bool> {
        (!self.is_bare).then_some(exchange.seq() == 0)
    }

    /// Whether the node may fire timers by itself.
    fn ticks(&self) -> bool {
        !self.is_rehearsal
    }

    fn keyring(&self, master: MasterKey) -> Keyring {
        Keyring::new(master, if self.is_rehearsal { KeyKind::Test } else { KeyKind::Live })
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
struct OpenedFolder {
    folder_lock: FolderLock,
    master: MasterKey,
    history: History,
    history_thread: JoinHandle<()>,
    observers: Observers,
    /// The state from which history must be rebuilt, if history is older than the restored state.
    backlog: Option<HistoryBacklog>,
    mark: NodeMark,
}

impl OpenedFolder {
    fn on(folder_lock: FolderLock, master: MasterKey) -> Result<OpenedFolder, NodeError> {
        let (history, recorder, history_thread) =
            history::open(&folder_lock.folder().join("history"))?.into_parts();
        let observers = Observers::of_history(recorder);
        let mark = NodeMark::default();
        Ok(OpenedFolder { folder_lock, master, history, history_thread, observers, backlog: None, mark })
    }

    /// Continues with what was opened. After an error it first ends the history thread: nothing may use the folder when
    /// its lock is released.
    fn or_close<T>(self, opened: Result<T, StartError>) -> Result<(OpenedFolder, T), StartError> {
        match opened {
            Ok(opened) => Ok((self, opened)),
            Err(error) => {
                let OpenedFolder { folder_lock, history, history_thread, observers, .. } = self;
                drop((history, observers));
                OpenedHistory::join(history_thread);
                drop(folder_lock);
                Err(error)
            }
        }
    }

    /// Starts all other components on a state that matches the end of the journal.
    fn run(
        self,
        opened: Opened,
        log: Option<SharedLog>,
        (rates, push_reach): (Rates, Reach),
        clocks: VenueClocks,
    ) -> Result<Node, NodeError> {
        let OpenedFolder { folder_lock, master, history, history_thread, mut observers, backlog, mark } =
            self;
        let Opened { journal, exchange, head, snapshots, report } = opened;
        check_master_key(&master, &exchange)?;
        let frames = journal.frames(head.next).map_err(StartError::from)?;
        let (proofs, shown_clock) =
            (Arc::new(Proofs::new(master.clone(), clocks.is_rehearsal)), clocks.shown());
        let (followed, is_new) = (exchange.clone(), clocks.first(&exchange));
        let shared = Arc::new(Shared::new(exchange));
        let (people, erased) =
            open_people(folder_lock.folder(), log.as_ref(), &master, &shared, &clocks.journal)?;
        let pictures = Arc::new(open_pictures(folder_lock.folder(), log.as_ref(), &shared)?);
        let (streams, tap, hub) = Streams::start(&shared, mark);
        observers.streams = Some(Box::new(tap));
        let (notifying, tap, notifying_threads) =
            Notifying::start(people.clone(), shared.clone(), clocks.journal.clone(), push_reach)?;
        observers.notifying = Some(Box::new(tap));
        let venue = Arc::new(VenueCounters::default());
        observers.venue = Some(VenueTap::new(venue.clone()));
        let historian = backlog.and_then(|backlog| {
            observers.recorder.take().map(|recorder| Historian::start(backlog, recorder, shared.clone()))
        });
        let (sequencer, writer, listener) =
            start_writer(journal, log.as_ref(), &shared, observers, clocks.of_timers())?;
        submit_first(is_new, &master, mark, &shared, &sequencer)?;
        let nodes = log.as_ref().map(SharedLog::nodes).transpose()?.map(Arc::new);
        let peers = log.map(|log| log.peers(shared.clone(), sequencer.writer_status().clone()));
        let follower = Follower::start(FollowerParts {
            exchange: followed,
            saved: report.snapshot,
            head,
            frames,
            snapshots,
            history: history.clone(),
            proofs: proofs.clone(),
            peers,
        });
        let (sweeper, sweeps) = Sweeper::start(people.clone(), sequencer.clone(), erased, clocks.ticks())?;
        let picture_sweeper = PictureSweeper::start(pictures.clone()).map_err(StartError::from)?;
        let access = Access::new(shared.clone(), shown_clock.clone(), clocks.keyring(master), people, sweeps);
        let access = if clocks.is_bare { access.of_relived_journal() } else { access };
        let feeds = Feeds::new(shared.clone(), sequencer.clone(), shown_clock.clone());
        let reading = Arc::new(Reading::new(shared, history, proofs));
        let writing = Writing::new(sequencer, reading.clone(), shown_clock.clone());
        let services =
            Services { reading, writing, access, feeds, pictures, streams, notifying, nodes, venue };
        let app = Arc::new(App::new(services, clocks.edge, shown_clock, rates));
        app.signals().watch_folder(folder_lock.folder().to_owned());
        Ok(Node {
            app,
            report,
            writer,
            follower,
            sweeper,
            picture_sweeper,
            historian,
            history: history_thread,
            streams: hub,
            notifying: notifying_threads,
            _listener: listener,
            _folder_lock: folder_lock,
        })
    }
}

/// Submits the commands of a start, if there are any.
fn submit_first(
    is_new: Option<bool>,
    master: &MasterKey,
    mark: NodeMark,
    shared: &Shared,
    sequencer: &Sequencer,
) -> Result<(), NodeError> {
    let Some(is_new) = is_new else { return Ok(()) };
    // Only a new log is upgraded here. An operator upgrades a log in use, so that until then the previous build can take
    // over.
    if is_new {
        upgrade_rules(shared, sequencer)?;
    }
    record_master_key(master, shared, sequencer)?;
    end_lost(mark, shared, sequencer)
}

/// Starts the writer's threads, and on a shared log the listener for other nodes' appends.
fn start_writer(
    journal: Box<dyn Journal>,
    log: Option<&SharedLog>,
    shared: &Arc<Shared>,
    observers: Observers,
    clock: Arc<dyn Clock>,
) -> Result<(Sequencer, Writer, Option<Listener>), NodeError> {
    let (notices, listener) = match log {
        None => (None, None),
        Some(log) => {
            let (notices, notify) = AppendNotices::channel();
            (Some(notices), Some(log.listen(notify)?))
        }
    };
    let (sequencer, writer) = Sequencer::start(journal, notices, shared.clone(), Box::new(observers), clock);
    Ok((sequencer, writer, listener))
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

/// Opens the pictures: in the folder of a node with its own journal, in the database of a shared log.
/// Marks the pictures that the state names: an operator may have uploaded a lost picture again, which left it unnamed.
fn open_pictures(folder: &Path, log: Option<&SharedLog>, shared: &Shared) -> Result<Pictures, PictureError> {
    let mut store: Box<dyn PictureStore> = match log {
        None => Box::new(FolderPictures::of(folder)),
        Some(log) => Box::new(PostgresPictures::open(log.database())?),
    };
    let named = named_in(&shared.read());
    let missing = named.len() - store.name(&named)?.len();
    if missing > 0 {
        tracing::error!(
            missing,
            "pictures that events name are missing: upload them again, or restore a backup"
        );
    }
    Ok(Pictures::new(store))
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
    let (from, version) = (shared.read().rules_version(), Exchange::rules_known());
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
