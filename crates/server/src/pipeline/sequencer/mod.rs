//! The writer: sequences requests, makes them durable, applies them and answers their callers.
//!
//! It runs two threads. The journal thread (`journaling`, or `sharing` where other nodes append to the same log) drains
//! the queue into one frame and makes it durable. The apply thread (`applying`) decides the frame's requests in order
//! and answers their callers through `delivering`, while the journal thread writes the next frame. If none follows, the
//! journal thread does so itself. No request is applied or answered before it is durable.

mod applying;
mod delivering;
mod journaling;
mod log_lag;
mod notices;

use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Sender, TrySendError, bounded};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;
use exchange::{Command, Exchange, Request, codec};
use journal::Journal;
use journal::clock::{BEHIND_MAX, is_ahead_allowed};
use lane::Ticket;
use tokio::sync::oneshot;

pub use log_lag::LogLag;
pub use notices::AppendNotices;

use crate::applied::Observer;
use crate::pipeline::clock::Clock;
use crate::pipeline::state::Shared;
use crate::respond::Shown;
use crate::signals::stages::{LogCounters, WriteStages};
use crate::signals::traces::{self, WriteTrace};
pub use delivering::{AnswerSink, Submitted};
use delivering::{Caller, Delivery, SinkCaller};

/// Initial buffer size; most encoded requests fit.
const ENCODED_BYTES: usize = 192;
/// Queue capacity; beyond it, callers get `SubmitError::Busy`.
const QUEUE_MAX: usize = 8_192;

/// A decided request.
#[derive(Clone, Debug)]
pub struct Answer {
    pub seq: u64,
    pub at: Time,
    pub command: Command,
    pub result: Result<Reply, Reject>,
    /// What the response to an operator shows of the state right after the command. Boxed, so that it costs users nothing.
    pub shown: Option<Box<Shown>>,
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// Nothing was written.
    #[error("too many requests are waiting")]
    Busy,
    /// Nothing was written.
    #[error("the exchange is stopping")]
    Stopping,
    /// Nothing was written.
    #[error("the log's database is unavailable")]
    LogUnavailable,
    /// Nothing was written.
    #[error("the machine's clock is ahead")]
    WrongClock,
    /// Nothing was written: the log's rules do not include this command yet, or the command asks for rules that this
    /// build lacks.
    #[error("the log's rules do not include this command yet")]
    NewerRules,
    /// The request may or may not have been decided; only the journal can tell.
    #[error("the outcome is not known")]
    Unknown,
}

/// A request and the caller that waits for its answer; a tick has no caller.
struct Pending {
    request: Request,
    caller: Option<Caller>,
    /// Set if the request is traced.
    trace: Option<Arc<WriteTrace>>,
}

/// A queued request, already encoded by the submitting thread, so that the journal thread only concatenates.
struct Prepared {
    pending: Pending,
    bytes: Vec<u8>,
    queued_at: Instant,
}

impl Prepared {
    fn new(
        request: Request,
        caller: Option<Caller>,
        queued_at: Instant,
        trace: Option<Arc<WriteTrace>>,
    ) -> Prepared {
        let mut bytes = Vec::with_capacity(ENCODED_BYTES);
        codec::encode_request(&request, &mut bytes);
        if let Some(trace) = &trace {
            trace.queue(queued_at);
        }
        Prepared { pending: Pending { request, caller, trace }, bytes, queued_at }
    }
}

/// State that the two threads share with each other and with the rest of the node.
#[derive(Debug, Default)]
pub struct WriterStatus {
    /// When the next timer is due, in microseconds; `i64::MAX` if there is none.
    next_due: AtomicI64,
    /// The time of the last frame applied, in microseconds.
    journal_time: AtomicI64,
    /// Whether requests are accepted: one of the constants below.
    mode: AtomicU8,
    /// Requests applied since the start, for metrics.
    applied: AtomicU64,
    frames: AtomicU64,
    stages: WriteStages,
    log_counters: LogCounters,
    /// The rules version of the log.
    rules: AtomicU32,
    /// Set where nodes share the log.
    log_lag: OnceLock<LogLag>,
    /// The clock that stamps frames, or on a shared log this node's reading of it.
    clock: OnceLock<Arc<dyn Clock>>,
    /// Microseconds by which the clock was behind the last frame at the start.
    behind_at_start: AtomicI64,
}

const ACCEPTING: u8 = 0;
/// The shared log is unreachable. Transient.
const UNAVAILABLE: u8 = 1;
/// The clock that stamps frames is too far ahead. Transient.
const WRONG_CLOCK: u8 = 2;
/// A write failed. Requests are refused until a restart.
const FAILED: u8 = 3;
/// This node's state differs from the other nodes'. Requests are refused until a restart.
const DIVERGED: u8 = 4;

impl WriterStatus {
    /// Whether writes are accepted now. An unreachable shared log recovers by itself; a failure does not.
    pub fn is_accepting(&self) -> bool {
        self.mode.load(Ordering::Acquire) == ACCEPTING
    }

    pub fn has_failed(&self) -> bool {
        self.mode.load(Ordering::Acquire) >= FAILED
    }

    pub fn has_diverged(&self) -> bool {
        self.mode.load(Ordering::Acquire) == DIVERGED
    }

    /// Changes the mode, unless a failure has changed it first.
    fn change_mode(&self, from: u8, to: u8) {
        let _ = self.mode.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire);
    }

    fn fail(&self) {
        self.mode.fetch_max(FAILED, Ordering::AcqRel);
    }

    /// Refuses all further requests: they would be decided on a wrong state.
    pub(crate) fn diverge(&self) {
        self.mode.fetch_max(DIVERGED, Ordering::AcqRel);
    }

    /// This node's lag behind the shared log; `None` where the node has its own journal.
    pub fn log_lag(&self) -> Option<&LogLag> {
        self.log_lag.get()
    }

    /// How far the stamping clock has run ahead since the start, in microseconds; `None` where nodes share a log.
    pub fn clock_ahead(&self) -> Option<i64> {
        self.clock.get().filter(|_| self.log_lag().is_none()).map(|clock| clock.ahead())
    }

    /// Compares the clock with the journal from now on. Called at the start, by the journal thread.
    fn watch(&self, clock: Arc<dyn Clock>) -> &Arc<dyn Clock> {
        self.behind_at_start
            .store(clock.behind(self.journal_time.load(Ordering::Acquire)), Ordering::Release);
        self.clock.get_or_init(|| clock)
    }

    /// How far the stamping clock is behind the last frame, in microseconds. Until it has caught up, the journal's time
    /// stands still: nothing closes or expires.
    pub fn clock_behind(&self) -> i64 {
        let journal_time = self.journal_time.load(Ordering::Acquire);
        self.clock.get().map_or(0, |clock| clock.behind(journal_time))
    }

    /// Whether the clock is so far behind that people could trade on what has happened since: only cancels are accepted.
    pub fn is_clock_behind(&self) -> bool {
        u128::try_from(self.clock_behind()).unwrap_or(0) > BEHIND_MAX.as_micros()
    }

    /// Whether the clock is good enough to stamp a write.
    pub fn is_clock_right(&self) -> bool {
        let behind_at_start = self.behind_at_start.load(Ordering::Acquire);
        self.clock_ahead().is_none_or(|ahead| is_ahead_allowed(ahead, behind_at_start))
    }

    pub fn applied(&self) -> u64 {
        self.applied.load(Ordering::Relaxed)
    }

    pub fn frames(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }

    /// How long the stages of a write take.
    pub fn stages(&self) -> &WriteStages {
        &self.stages
    }

    /// Appends to a shared log.
    pub fn log_counters(&self) -> &LogCounters {
        &self.log_counters
    }

    /// The rules version of the log.
    pub fn rules(&self) -> u32 {
        self.rules.load(Ordering::Acquire)
    }

    /// Publishes the parts of the state that other threads read.
    fn note_state(&self, exchange: &Exchange) {
        let next_due = exchange.next_due().map_or(i64::MAX, Time::micros);
        self.next_due.store(next_due, Ordering::Release);
        self.journal_time.store(exchange.now().micros(), Ordering::Release);
        self.rules.store(exchange.rules_version(), Ordering::Release);
    }
}

/// The handle that submits requests to the writer. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Sequencer {
    queue: Sender<Prepared>,
    writer_status: Arc<WriterStatus>,
}

/// The writer's threads. They end when every `Sequencer` is dropped and the queue is drained.
#[derive(Debug)]
pub struct Writer {
    journaling: JoinHandle<Option<Box<dyn Journal>>>,
    applying: JoinHandle<()>,
}

impl Sequencer {
    /// Starts the writer on a state that matches the end of its journal. `clock` is the journal's clock and decides
    /// when a timer is due. `notices` signals the appends of other nodes, if they share the log.
    pub fn start(
        journal: Box<dyn Journal>,
        notices: Option<AppendNotices>,
        shared: Arc<Shared>,
        observer: Box<dyn Observer>,
        clock: Arc<dyn Clock>,
    ) -> (Sequencer, Writer) {
        let (queue, queued) = bounded(QUEUE_MAX);
        let writer_status = Arc::new(WriterStatus::default());
        let next_seq = {
            let exchange = shared.read();
            writer_status.note_state(&exchange);
            exchange.seq() + 1
        };
        let (to_apply, groups) = applying::channel(shared, observer, writer_status.clone());
        let journaling = {
            let writer_status = writer_status.clone();
            let run = move || {
                journaling::run(
                    journal,
                    next_seq,
                    notices.as_ref(),
                    &queued,
                    &to_apply,
                    &writer_status,
                    clock,
                )
            };
            spawn("journal", run)
        };
        let applying = spawn("apply", move || groups.run());
        (Sequencer { queue, writer_status }, Writer { journaling, applying })
    }

    /// Submits a request and waits for its decision.
    pub async fn submit(&self, request: Request) -> Result<Answer, SubmitError> {
        self.submit_timed(request).await.0
    }

    /// Like `submit`, with the time of the decision if there was one.
    pub(crate) async fn submit_timed(&self, request: Request) -> (Submitted, Option<Instant>) {
        let answer = match self.enqueue(request) {
            Ok(answer) => answer,
            Err(error) => return (Err(error), None),
        };
        // The sender is dropped when the frame was not finished.
        let Ok(delivery) = answer.await else { return (Err(SubmitError::Unknown), None) };
        let decided_at = delivery.decided_at();
        (delivery.open().unwrap_or(Err(SubmitError::Unknown)), decided_at)
    }

    /// Like `submit`, for threads outside the runtime.
    pub fn submit_blocking(&self, request: Request) -> Result<Answer, SubmitError> {
        let answer = self.enqueue(request)?.blocking_recv();
        answer.ok().and_then(Delivery::open).unwrap_or(Err(SubmitError::Unknown))
    }

    /// Submits several requests in this order and returns when the last one is decided. Most of them share a frame.
    pub fn submit_all_blocking(&self, requests: Vec<Request>) -> Result<Vec<Answer>, SubmitError> {
        let waiting =
            requests.into_iter().map(|request| self.enqueue(request)).collect::<Result<Vec<_>, _>>()?;
        let opened =
            |answer: oneshot::Receiver<Delivery>| answer.blocking_recv().ok().and_then(Delivery::open);
        waiting.into_iter().map(|answer| opened(answer).unwrap_or(Err(SubmitError::Unknown))).collect()
    }

    /// Like `submit_all_blocking`, for the start of a node. It may be called on a runtime thread, which must not block.
    pub(crate) fn submit_at_start(&self, requests: Vec<Request>) -> Result<Vec<Answer>, SubmitError> {
        thread::scope(|scope| {
            let submitting = scope.spawn(|| self.submit_all_blocking(requests));
            submitting.join().unwrap_or(Err(SubmitError::Unknown))
        })
    }

    /// Submits a request whose answer goes to `sink` with this ticket. An error means that the sink gets nothing. `now`
    /// begins the measurement of its time in the queue; `trace` gets its times.
    pub fn submit_to(
        &self,
        sink: Arc<dyn AnswerSink>,
        ticket: Ticket,
        request: Request,
        now: Instant,
        trace: Option<Arc<WriteTrace>>,
    ) -> Result<(), SubmitError> {
        self.check_accepting(&request)?;
        self.push(Prepared::new(request, Some(Caller::Sink(SinkCaller::new(sink, ticket))), now, trace))
    }

    fn enqueue(&self, request: Request) -> Result<oneshot::Receiver<Delivery>, SubmitError> {
        self.check_accepting(&request)?;
        let (caller, answer) = oneshot::channel();
        let (now, trace) = (self.writer_status.stages.now(), traces::writes::begin());
        let prepared = Prepared::new(request, Some(Caller::Task(caller)), now, trace);
        self.push(prepared).map(|()| answer)
    }

    fn check_accepting(&self, request: &Request) -> Result<(), SubmitError> {
        // Rules only move forward: a command that passes here can still be decided when its frame is applied.
        Exchange::check_decidable_by(self.writer_status.rules(), request)
            .map_err(|_| SubmitError::NewerRules)?;
        match self.writer_status.mode.load(Ordering::Acquire) {
            ACCEPTING => Ok(()),
            UNAVAILABLE => Err(SubmitError::LogUnavailable),
            WRONG_CLOCK => Err(SubmitError::WrongClock),
            _ => Err(SubmitError::Stopping),
        }
    }

    fn push(&self, prepared: Prepared) -> Result<(), SubmitError> {
        let (why, refused) = match self.queue.try_send(prepared) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Full(refused)) => (SubmitError::Busy, refused),
            Err(TrySendError::Disconnected(refused)) => (SubmitError::Stopping, refused),
        };
        if let Some(Caller::Sink(caller)) = refused.pending.caller {
            caller.forget();
        }
        Err(why)
    }

    pub fn writer_status(&self) -> &Arc<WriterStatus> {
        &self.writer_status
    }

    pub fn queued(&self) -> usize {
        self.queue.len()
    }
}

impl Writer {
    /// Waits until every submitted request is done; every `Sequencer` must be dropped first. Returns the journal if it
    /// is still usable.
    pub fn join(self) -> Option<Box<dyn Journal>> {
        let journal = self.journaling.join().ok().flatten();
        self.applying.join().ok()?;
        journal
    }
}

fn spawn<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.unwrap_or_else(|error| panic!("cannot spawn the {name} thread: {error}"))
}
