//! The writer: orders requests, makes them durable, applies them, answers.
//!
//! Two threads of their own. `journaling` drains what waits into one frame and makes it durable, or `sharing` where
//! other nodes append too; `applying` decides the frame's requests in order and answers their callers, by `delivering`,
//! while the next frame is being written. Nothing is answered before it is durable, and nothing is in memory that is not.

mod applying;
mod delivering;
mod journaling;
mod reach;
mod sharing;

use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use bytes::Bytes;
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;
use exchange::{Exchange, Request, codec};
use journal::Journal;
use journal::clock::AHEAD_MAX;
use tokio::sync::oneshot;

pub use applying::{Applied, Decided, Observer};
pub use reach::Reach;
pub use sharing::News;

use crate::clock::Clock;
use crate::state::Shared;
use applying::Group;
use delivering::{Caller, Delivery};

/// Room for most requests.
const ENCODED_BYTES: usize = 192;
/// Requests that may wait before callers are told to come again.
const QUEUE_MAX: usize = 8_192;
/// Frames between the two threads: enough to overlap, few enough to bound what a crash leaves unanswered.
const FRAMES_AHEAD: usize = 4;

/// A decided request.
#[derive(Clone, Debug)]
pub struct Answer {
    pub seq: u64,
    pub at: Time,
    pub result: Result<Reply, Reject>,
    /// As it was kept, if it was.
    pub written: Option<Written>,
}

/// An answer as it goes over the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub status: u16,
    pub body: Bytes,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// Nothing was written.
    #[error("too many requests are waiting")]
    Busy,
    /// Nothing was written.
    #[error("the exchange is stopping")]
    Stopping,
    /// Nothing was written.
    #[error("the log's database is away")]
    Away,
    /// Nothing was written.
    #[error("the machine's clock has run ahead")]
    WrongClock,
    /// Nothing was written: the log's rules do not have this command yet, or this build does not know the rules it asks for.
    #[error("the log's rules do not have this command yet")]
    NewerRules,
    /// It may have been decided or not; only the journal knows.
    #[error("the outcome is not known")]
    Unknown,
}

/// A request with its waiting caller; a tick has none.
struct Pending {
    request: Request,
    caller: Option<Caller>,
}

/// One that waits for its frame, written as it will stand there. Whoever hands it in has done that, while the frame
/// before was on its way: the journal's thread has only to put the next one together.
struct Prepared {
    pending: Pending,
    bytes: Vec<u8>,
}

impl Prepared {
    fn new(request: Request, caller: Option<Caller>) -> Prepared {
        let mut bytes = Vec::with_capacity(ENCODED_BYTES);
        codec::encode_request(&request, &mut bytes);
        Prepared { pending: Pending { request, caller }, bytes }
    }
}

/// What the two threads and everybody else know of each other.
#[derive(Debug, Default)]
pub struct Pulse {
    /// When a timer is due next, in microseconds; `i64::MAX` when none is.
    next_due: AtomicI64,
    /// Whether requests are taken: one of the constants below.
    taking: AtomicU8,
    /// Requests applied since the start, for metrics.
    applied: AtomicU64,
    frames: AtomicU64,
    /// The rules of the log.
    rules: AtomicU32,
    /// Where other nodes append too.
    reach: OnceLock<Reach>,
    /// Of a file journal: the clock that stamps it.
    clock: OnceLock<Arc<dyn Clock>>,
}

const TAKING: u8 = 0;
/// The shared log cannot be reached; this passes.
const AWAY: u8 = 1;
/// The clock that stamps has run ahead; this passes.
const WRONG_CLOCK: u8 = 2;
/// A write failed: nothing is taken any more.
const FAILED: u8 = 3;
/// This node's state is not what the others have: nothing is taken any more.
const DIVERGED: u8 = 4;

impl Pulse {
    /// Whether a write would be tried now. Unlike a failure, a shared log that is away comes back.
    pub fn is_taking(&self) -> bool {
        self.taking.load(Ordering::Acquire) == TAKING
    }

    pub fn has_failed(&self) -> bool {
        self.taking.load(Ordering::Acquire) >= FAILED
    }

    pub fn has_diverged(&self) -> bool {
        self.taking.load(Ordering::Acquire) == DIVERGED
    }

    fn fail(&self) {
        self.taking.fetch_max(FAILED, Ordering::AcqRel);
    }

    /// Takes nothing any more: what it would be decided on is wrong.
    pub(crate) fn diverge(&self) {
        self.taking.fetch_max(DIVERGED, Ordering::AcqRel);
    }

    /// How this node stands to the log that it shares; none where it has its own.
    pub fn reach(&self) -> Option<&Reach> {
        self.reach.get()
    }

    /// How far the clock that stamps has run ahead since the start, in microseconds; none where nodes share a log.
    pub fn clock_ahead(&self) -> Option<i64> {
        self.clock.get().map(|clock| clock.ahead_micros())
    }

    /// Whether a write would be stamped now.
    pub fn is_clock_right(&self) -> bool {
        self.clock_ahead().is_none_or(|ahead| u128::try_from(ahead).unwrap_or(0) <= AHEAD_MAX.as_micros())
    }

    pub fn applied(&self) -> u64 {
        self.applied.load(Ordering::Relaxed)
    }

    pub fn frames(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }

    /// The rules of the log.
    pub fn rules(&self) -> u32 {
        self.rules.load(Ordering::Acquire)
    }

    /// Takes over what other threads need to know of the state.
    fn note_state(&self, exchange: &Exchange) {
        let next_due = exchange.next_due().map_or(i64::MAX, Time::micros);
        self.next_due.store(next_due, Ordering::Release);
        self.rules.store(exchange.rules_version(), Ordering::Release);
    }
}

/// The door to the writer. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Sequencer {
    queue: Sender<Prepared>,
    pulse: Arc<Pulse>,
}

/// The writer's threads. They end when every `Sequencer` is dropped, after all that waited is done.
#[derive(Debug)]
pub struct Writer {
    journaling: JoinHandle<Option<Box<dyn Journal>>>,
    applying: JoinHandle<()>,
}

impl Sequencer {
    /// Starts the writer on a state that is level with its journal. `clock` is the journal's: it says when a timer is due.
    pub fn start(
        journal: Box<dyn Journal>,
        shared: Arc<Shared>,
        observer: Box<dyn Observer>,
        clock: Arc<dyn Clock>,
    ) -> (Sequencer, Writer) {
        Sequencer::start_threads(shared, observer, move |next, waiting, to_apply, pulse| {
            let clock = pulse.clock.get_or_init(|| clock);
            journaling::run(journal, next, &waiting, &to_apply, &pulse, &**clock)
        })
    }

    /// The same where others append too; `news` comes when they did.
    pub fn start_shared(
        journal: Box<dyn Journal>,
        news: News,
        shared: Arc<Shared>,
        observer: Box<dyn Observer>,
        clock: Arc<dyn Clock>,
    ) -> (Sequencer, Writer) {
        Sequencer::start_threads(shared, observer, move |next, waiting, to_apply, pulse| {
            sharing::run(journal, next, &news, &waiting, &to_apply, &pulse, &*clock)
        })
    }

    fn start_threads<F>(
        shared: Arc<Shared>,
        observer: Box<dyn Observer>,
        journaling: F,
    ) -> (Sequencer, Writer)
    where
        F: FnOnce(u64, Receiver<Prepared>, Sender<Group>, Arc<Pulse>) -> Option<Box<dyn Journal>>,
        F: Send + 'static,
    {
        let (queue, waiting) = bounded(QUEUE_MAX);
        let (to_apply, frames) = bounded(FRAMES_AHEAD);
        let pulse = Arc::new(Pulse::default());
        let next_seq = {
            let exchange = shared.read();
            pulse.note_state(&exchange);
            exchange.seq() + 1
        };
        let journaling = {
            let pulse = pulse.clone();
            spawn("journal", move || journaling(next_seq, waiting, to_apply, pulse))
        };
        let applying = {
            let pulse = pulse.clone();
            spawn("apply", move || applying::run(&shared, &frames, observer, &pulse))
        };
        (Sequencer { queue, pulse }, Writer { journaling, applying })
    }

    /// Hands a request in and waits for its decision.
    pub async fn submit(&self, request: Request) -> Result<Answer, SubmitError> {
        let answer = self.enqueue(request)?;
        // A caller whose answer was dropped was in a frame that was not finished.
        answer.await.ok().and_then(Delivery::open).unwrap_or(Err(SubmitError::Unknown))
    }

    /// The same for threads that are not async.
    pub fn submit_blocking(&self, request: Request) -> Result<Answer, SubmitError> {
        let answer = self.enqueue(request)?.blocking_recv();
        answer.ok().and_then(Delivery::open).unwrap_or(Err(SubmitError::Unknown))
    }

    /// Several in this order, which will mostly share a frame; answers when the last is decided.
    pub fn submit_all_blocking(&self, requests: Vec<Request>) -> Result<Vec<Answer>, SubmitError> {
        let waiting =
            requests.into_iter().map(|request| self.enqueue(request)).collect::<Result<Vec<_>, _>>()?;
        let opened =
            |answer: oneshot::Receiver<Delivery>| answer.blocking_recv().ok().and_then(Delivery::open);
        waiting.into_iter().map(|answer| opened(answer).unwrap_or(Err(SubmitError::Unknown))).collect()
    }

    /// `submit_all_blocking` for the start of a node, which may run inside a runtime, whose threads must not wait.
    pub(crate) fn submit_at_start(&self, requests: Vec<Request>) -> Result<Vec<Answer>, SubmitError> {
        thread::scope(|scope| {
            let submitting = scope.spawn(|| self.submit_all_blocking(requests));
            submitting.join().unwrap_or(Err(SubmitError::Unknown))
        })
    }

    fn enqueue(&self, request: Request) -> Result<oneshot::Receiver<Delivery>, SubmitError> {
        // Rules only move forward: a command that passes here can still be decided when its frame is applied.
        Exchange::check_decidable_by(self.pulse.rules(), &request.command)
            .map_err(|_| SubmitError::NewerRules)?;
        match self.pulse.taking.load(Ordering::Acquire) {
            TAKING => {}
            AWAY => return Err(SubmitError::Away),
            WRONG_CLOCK => return Err(SubmitError::WrongClock),
            _ => return Err(SubmitError::Stopping),
        }
        let (caller, answer) = oneshot::channel();
        match self.queue.try_send(Prepared::new(request, Some(caller))) {
            Ok(()) => Ok(answer),
            Err(TrySendError::Full(_)) => Err(SubmitError::Busy),
            Err(TrySendError::Disconnected(_)) => Err(SubmitError::Stopping),
        }
    }

    pub fn pulse(&self) -> &Arc<Pulse> {
        &self.pulse
    }

    pub fn waiting(&self) -> usize {
        self.queue.len()
    }
}

impl Writer {
    /// Waits for everything that was handed in; every `Sequencer` must be gone. Gives the journal back if it
    /// can still be used.
    pub fn join(self) -> Option<Box<dyn Journal>> {
        let journal = self.journaling.join().ok().flatten();
        self.applying.join().ok()?;
        journal
    }
}

fn spawn<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.unwrap_or_else(|error| panic!("the machine gives no thread for {name}: {error}"))
}
