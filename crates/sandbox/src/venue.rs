//! The venue: a node on a clock that stands, its routers, and the sandbox's record of it. One request at a time has it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use axum::Router;
use exchange::identity::Actor;
use exchange::reply::Reply;
use exchange::{Command, Request};
use journal::disk::RealDisk;
use journal::file::Options;
use journal::unsynced::Unsynced;
use server::admin::access::ensure_first_operator;
use server::app::App;
use server::folder::FolderLock;
use server::http::serving::UpgradedConnection;
use server::limits::Rates;
use server::node::Node;
use server::randomness::{Epoch, Seeded};
use server::startup::Disks;
use server::streams::{StreamSettings, Streams};
use server::web::{MakeGuide, WebSettings};
use tokio::sync::{mpsc, watch};

use crate::clock::VenueClock;
use crate::error::{Refusal, SandboxError};
use crate::front::InFlight;
use crate::past::Past;
use crate::record::Record;

/// Small, so that a snapshot is a quick copy.
const SEGMENT_BYTES: u64 = 2 << 20;
/// How long streams may take to write a command's messages before its answer is sent without them: a client that does
/// not read must not stop the others.
const SETTLE_MAX: Duration = Duration::from_secs(2);
/// How long open streams may take to end before the venue is replaced.
const ENDING_MAX: Duration = Duration::from_secs(5);
/// The pause between two looks at the streams.
const SETTLE_EVERY: Duration = Duration::from_micros(200);

/// The parts of a sandbox that never change.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) folder_lock: FolderLock,
    pub(crate) clock: VenueClock,
    pub(crate) seeded: &'static Seeded,
    pub(crate) rates: Rates,
    pub(crate) guide: MakeGuide,
    /// Bytes that servers gave to connections and that have not reached their sockets.
    pub(crate) in_flight: Arc<InFlight>,
    /// The venue relives a journal.
    pub(crate) is_past: bool,
    /// The process stops: a clock that is being advanced stands still.
    pub(crate) is_stopping: AtomicBool,
}

/// A running node with its routers.
#[derive(Debug)]
pub(crate) struct Live {
    node: Node,
    pub(crate) public: Router,
    pub(crate) operators: Router,
    pub(crate) upgraded: Arc<UpgradedConnection>,
    stop: watch::Sender<bool>,
    all_gone: mpsc::Receiver<()>,
}

#[derive(Debug)]
pub(crate) struct Venue {
    pub(crate) fixed: Arc<Fixed>,
    pub(crate) record: Record,
    /// The journal that is relived, if any.
    pub(crate) past: Option<Past>,
    /// Absent only after a failed restart.
    live: Option<Live>,
}

impl Venue {
    /// Starts a node on the folder, which has the record.
    pub(crate) fn start(fixed: Arc<Fixed>, record: Record) -> Result<Venue, SandboxError> {
        let live = Live::start(&fixed)?;
        let mut venue = Venue { fixed, record, past: None, live: Some(live) };
        venue.catch_up()?;
        Ok(venue)
    }

    /// The clock continues where the journal or the record ended, and the next ids follow from the sequence.
    fn catch_up(&mut self) -> Result<(), SandboxError> {
        let (seq, now) = {
            let exchange = self.app()?.reading().state();
            (exchange.seq(), exchange.now())
        };
        self.fixed.clock.set(self.record.now().max(now));
        self.record.set_now(self.fixed.clock.time());
        self.begin_epoch(seq);
        Ok(())
    }

    /// The draws that follow depend on the seed, the sequence and the number of starts.
    pub(crate) fn begin_epoch(&self, sequence: u64) {
        self.fixed.seeded.begin_epoch(Epoch { sequence, starts: self.record.starts });
    }

    pub(crate) fn live(&self) -> Result<&Live, SandboxError> {
        self.live.as_ref().ok_or_else(|| SandboxError::Stage("the venue did not start again".to_owned()))
    }

    pub(crate) fn app(&self) -> Result<&Arc<App>, SandboxError> {
        self.live().map(|live| &live.node.app)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.fixed.folder_lock.folder()
    }

    /// Writes the record.
    pub(crate) fn save(&mut self) -> Result<(), SandboxError> {
        self.record.set_now(self.fixed.clock.time());
        self.record.write(self.folder())
    }

    /// Carries out a command of a virtual trader, an operator or the system. Its stream messages are sent when this
    /// returns.
    pub(crate) fn submit(&self, actor: Actor, command: Command) -> Result<Reply, Refusal> {
        let app = self.app()?;
        let request = Request { actor, idempotency: None, command };
        let answer = app.writing().sequencer().submit_blocking(request)?;
        self.settle_blocking()?;
        answer.result.map_err(|reject| Refusal::rejected(&reject, answer.at.micros()))
    }

    /// Waits until every message about the decided requests is sent.
    pub(crate) fn settle_blocking(&self) -> Result<(), SandboxError> {
        let (messages, began) = (self.messages()?, Instant::now());
        while messages.is_waited_for(began) {
            match began.elapsed() < SETTLE_EVERY {
                true => thread::yield_now(),
                false => thread::sleep(SETTLE_EVERY),
            }
        }
        Ok(())
    }

    /// The messages of the venue's streams.
    pub(crate) fn messages(&self) -> Result<StreamMessages, SandboxError> {
        let streams = self.app()?.streams().clone();
        Ok(StreamMessages { streams, in_flight: self.fixed.in_flight.clone() })
    }

    /// Stops the node, lets `change` replace its files, and starts it again with the record that `change` returns.
    /// Streams are closed as by a restart of an exchange. After a failure it starts again with the present record.
    pub(crate) fn replace(
        &mut self,
        change: impl FnOnce(&Path) -> Result<Record, SandboxError>,
    ) -> Result<(), SandboxError> {
        self.record.set_now(self.fixed.clock.time());
        let changed = self.stop().and_then(|()| change(self.folder()));
        let changed = changed.map(|record| {
            self.fixed.clock.set(record.now());
            self.record = record;
        });
        if self.live.is_none() {
            self.live = Some(Live::start(&self.fixed)?);
            self.catch_up()?;
        }
        changed.and_then(|()| self.save())
    }

    /// Ends streams and stops the node. The folder is complete afterwards. If a stream does not end, the node runs on.
    pub(crate) fn stop(&mut self) -> Result<(), SandboxError> {
        let Some(live) = self.live.take() else { return Ok(()) };
        let Live { node, public, operators, upgraded, stop, mut all_gone } = live;
        node.app.begin_drain();
        // Without receivers there is no stream to end.
        let _ = stop.send(true);
        drop((public, operators, upgraded));
        let began = Instant::now();
        while !matches!(all_gone.try_recv(), Err(mpsc::error::TryRecvError::Disconnected)) {
            if began.elapsed() > ENDING_MAX {
                self.live = Some(Live::of(node));
                return Err(SandboxError::Stage("open streams did not end".to_owned()));
            }
            thread::sleep(Duration::from_millis(2));
        }
        let stopped = node.stop()?;
        match stopped.live == stopped.replayed {
            true => Ok(()),
            false => Err(SandboxError::Stage("the live state differs from the journal's".to_owned())),
        }
    }
}

/// Messages on their way to readers.
#[derive(Debug)]
pub(crate) struct StreamMessages {
    streams: Arc<Streams>,
    in_flight: Arc<InFlight>,
}

impl StreamMessages {
    /// Whether a caller that began to wait then waits on. After a wait in vain nothing is waited for until all messages
    /// are sent: one client that does not read must not slow down everything.
    fn is_waited_for(&self, began: Instant) -> bool {
        let (are_sent, is_over) =
            (self.streams.is_settled() && self.in_flight.is_empty(), began.elapsed() >= SETTLE_MAX);
        if are_sent || is_over {
            self.in_flight.note_stuck(!are_sent);
        }
        !are_sent && !is_over && !self.in_flight.is_stuck()
    }

    /// Waits until every message about the decided requests is sent.
    pub(crate) async fn settle(self) {
        let began = Instant::now();
        while self.is_waited_for(began) {
            tokio::time::sleep(SETTLE_EVERY).await;
        }
    }
}

impl Live {
    fn start(fixed: &Fixed) -> Result<Live, SandboxError> {
        let folder = fixed.folder_lock.folder();
        let disk = |name: &str| Ok::<_, SandboxError>(Unsynced(RealDisk::new(folder.join(name))?));
        let disks = Disks {
            journal: Arc::new(disk("journal")?),
            snapshots: Arc::new(disk("snapshots")?),
            archive: None,
        };
        let builder = Node::builder(fixed.folder_lock.clone())
            .disks(disks)
            .options(Options { segment_bytes: SEGMENT_BYTES, ..Options::default() })
            .rates(fixed.rates)
            .rehearsal(Arc::new(fixed.clock.clone()));
        let node = if fixed.is_past { builder.without_first_commands().start()? } else { builder.start()? };
        // Set once for each node, so these calls cannot be refused.
        node.app.streams().configure(StreamSettings::default());
        node.app.web().configure(WebSettings::default());
        node.app.web().add_guide(fixed.guide);
        // A past has its own operators.
        if !fixed.is_past {
            ensure_first_operator(&node.app, &token_file(folder))?;
        }
        Ok(Live::of(node))
    }

    /// The routers of a node, with a channel that ends its streams.
    fn of(node: Node) -> Live {
        let (stop, stopping) = watch::channel(false);
        let (upgraded, all_gone) = UpgradedConnection::watched(stopping);
        let public = server::routes::router(node.app.clone());
        let operators = server::admin::router(node.app.clone());
        Live { node, public, operators, upgraded, stop, all_gone }
    }
}

/// The file with the operator's token.
pub(crate) fn token_file(folder: &Path) -> PathBuf {
    folder.join("operator.token")
}
