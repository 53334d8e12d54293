//! The journal thread: one frame per group, durable before it is applied. An idle writer appends a single request at once;
//! it does not wait for more.
//!
//! Where several nodes append to one log, frames that other nodes appended first go to the same apply thread, without
//! callers; then this node's group is appended after them. While the log's database is unavailable, requests are refused.
//! Queued callers learn that nothing was written; callers of a group that was being appended learn that the outcome is
//! unknown. After the database returns, that group is read back from the log like any other node's, if it was stored.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError, never, select};
use exchange::identity::Actor;
use exchange::time::Time;
use exchange::{Command, Request, codec};
use journal::{AppendError, Appended, Frame, Journal, Payload, Sequence};

use super::applying::{Group, GroupSender};
use super::delivering::refuse;
use super::log_lag::{GAP_MIN, LogLag};
use super::notices::AppendNotices;
use super::{ACCEPTING, Pending, Prepared, SubmitError, UNAVAILABLE, WRONG_CLOCK, WriterStatus};
use crate::pipeline::clock::Clock;
use crate::signals::stages::{GroupTimes, WriteStages};

/// How long an idle writer waits before it checks for due timers.
const IDLE: Duration = Duration::from_millis(50);
/// How often an idle node reads a shared log without a notification.
const POLL_EVERY: Duration = Duration::from_millis(500);
/// How often it retries while the database is unavailable.
const TRY_EVERY: Duration = Duration::from_millis(200);
/// The maximum number of requests in a frame.
const GROUP_MAX: usize = 4_096;

/// Why an operation on the journal failed.
enum LogError {
    /// Transient: the database is unavailable.
    Unavailable(String),
    /// Transient: the clock that stamps frames is too far ahead for this group.
    WrongClock(Vec<Pending>),
    /// Permanent.
    Fatal(String),
}

/// The thread's next step.
#[allow(clippy::large_enum_variant, reason = "only one value exists at a time")]
enum Next {
    Request(Prepared),
    Poll,
    Closed,
}

/// The other nodes' side of a log that they append to as well.
struct Others<'a> {
    notices: &'a AppendNotices,
    log_lag: &'a LogLag,
}

struct Journaling<'a> {
    journal: Box<dyn Journal>,
    expected: Sequence,
    /// `None` where the node has its own journal: nothing precedes its frames.
    others: Option<Others<'a>>,
    wake: Receiver<()>,
    to_apply: &'a GroupSender,
    queue: &'a Receiver<Prepared>,
    writer_status: &'a WriterStatus,
    clock: &'a dyn Clock,
}

/// Returns the journal when every `Sequencer` is dropped; `None` when the journal failed. `notices` signals other nodes'
/// appends to a shared log.
pub(super) fn run(
    journal: Box<dyn Journal>,
    next_seq: u64,
    notices: Option<&AppendNotices>,
    queue: &Receiver<Prepared>,
    to_apply: &GroupSender,
    writer_status: &WriterStatus,
    clock: Arc<dyn Clock>,
) -> Option<Box<dyn Journal>> {
    let expected = Sequence(next_seq);
    let others = notices.map(|notices| {
        let log_lag = writer_status.log_lag.get_or_init(|| LogLag::new(expected));
        Others { notices, log_lag }
    });
    let wake = notices.map_or_else(never, |notices| notices.wake.clone());
    let clock = &**writer_status.watch(clock);
    let mut journaling =
        Journaling { journal, expected, others, wake, to_apply, queue, writer_status, clock };
    let mut payload = Payload::new();
    loop {
        let next = journaling.next();
        let began = Instant::now();
        let done = match next {
            Next::Closed => return Some(journaling.journal),
            _ if writer_status.has_failed() => return None,
            Next::Poll => journaling.catch_up(),
            Next::Request(first) => journaling.write(&mut payload, first, began),
        };
        let resumed = match done {
            Ok(()) => Ok(true),
            Err(LogError::Fatal(cause)) => Err(cause),
            Err(LogError::Unavailable(cause)) => journaling.wait_for_the_log(cause, began),
            Err(LogError::WrongClock(group)) => journaling.wait_for_the_clock(group),
        };
        match resumed {
            Ok(true) => {}
            Ok(false) => return Some(journaling.journal),
            Err(cause) => return fail(writer_status, &cause),
        }
    }
}

impl Journaling<'_> {
    /// Queued requests have priority. A shared log is read after a notification, and at least every `POLL_EVERY`.
    fn next(&self) -> Next {
        match self.queue.try_recv() {
            Ok(prepared) => return Next::Request(prepared),
            Err(TryRecvError::Disconnected) => return Next::Closed,
            Err(TryRecvError::Empty) => {}
        }
        loop {
            select! {
                recv(self.queue) -> prepared => return prepared.map_or(Next::Closed, Next::Request),
                recv(self.wake) -> _ => {
                    // Notifications of this node's own appends need no read.
                    if self.is_preceded() {
                        return Next::Poll;
                    }
                }
                default(IDLE) => {
                    if self.writer_status.next_due.load(Ordering::Acquire) <= self.clock.now() {
                        // One tick per due time: the apply thread sets the next one.
                        self.writer_status.next_due.store(i64::MAX, Ordering::Release);
                        return Next::Request(tick());
                    }
                    if self.others.as_ref().is_some_and(|others| others.log_lag.age() >= POLL_EVERY) {
                        return Next::Poll;
                    }
                }
            }
        }
    }

    /// Whether another node was reported to have taken the next sequence.
    fn is_preceded(&self) -> bool {
        self.others.as_ref().is_some_and(|others| others.notices.take_notice(self.expected))
    }

    /// Appends a group after any frames that other nodes appended first.
    fn write(&mut self, payload: &mut Payload, first: Prepared, began: Instant) -> Result<(), LogError> {
        let bytes_max = self.journal.payload_bytes_max();
        let (stages, counters) = (self.writer_status.stages(), self.writer_status.log_counters());
        let mut group = Vec::with_capacity(1 + self.queue.len().min(GROUP_MAX));
        payload.clear();
        push(payload, &mut group, first, began, stages);
        loop {
            // An append at a sequence that is already taken would fail; read the other frames first.
            if self.is_preceded() && !self.read_preceding(&mut group)? {
                return Ok(());
            }
            fill(payload, &mut group, self.queue, bytes_max, (began, stages));
            let filled_at = stages.now();
            counters.offers.fetch_add(1, Ordering::Relaxed);
            let appended = self.journal.append(self.expected, payload);
            match (appended, self.others.is_some()) {
                (Ok(Appended::Stored { header, .. }), _) => {
                    self.expected = header.next();
                    let times = note_frame(self.writer_status, payload, group.len(), began, filled_at);
                    self.note_written(began);
                    return self.send(Group { at: Time::from_micros(header.at), pending: group, times });
                }
                (Ok(Appended::Preceded { .. }), true) => {
                    counters.lost_races.fetch_add(1, Ordering::Relaxed);
                    if !self.read_preceding(&mut group)? {
                        return Ok(());
                    }
                }
                (Ok(Appended::Preceded { next }), false) => {
                    return Err(LogError::Fatal(format!("another writer appended up to {next:?}")));
                }
                // The group's callers are dropped with it and get `SubmitError::Unknown`.
                (Ok(Appended::Unknown { cause }), true) => {
                    counters.disconnects.fetch_add(1, Ordering::Relaxed);
                    return Err(LogError::Unavailable(cause.to_string()));
                }
                (Ok(Appended::Unknown { cause }), false) => return Err(LogError::Fatal(cause.to_string())),
                (Err(AppendError::AheadOfTime { .. }), false) => return Err(LogError::WrongClock(group)),
                (Err(error), _) => return Err(LogError::Fatal(error.to_string())),
            }
        }
    }

    /// Notes on a shared log that this node read and wrote it to its end.
    fn note_written(&self, began: Instant) {
        let Some(Others { log_lag, .. }) = &self.others else { return };
        log_lag.note(self.expected);
        if began.elapsed() > GAP_MIN {
            log_lag.report_gap(began.elapsed());
        }
    }

    /// Reads the frames that other nodes appended first, and returns whether the group still has to be written: a lone
    /// tick has not, because another node's command has already fired the due timers. If the read fails, nothing of the
    /// group was written.
    fn read_preceding(&mut self, group: &mut Vec<Pending>) -> Result<bool, LogError> {
        let taken =
            self.apply_others().inspect_err(|_| refuse_all(group.drain(..), SubmitError::LogUnavailable))?;
        Ok(taken == 0 || group.iter().any(|pending| pending.caller.is_some()))
    }

    /// Reads the log to its end.
    fn catch_up(&mut self) -> Result<(), LogError> {
        while self.apply_others()? > 0 {}
        if let Some(others) = &self.others {
            others.log_lag.note(self.expected);
        }
        Ok(())
    }

    /// Sends one page of the frames that other nodes appended to the apply thread. Returns the number of frames.
    fn apply_others(&mut self) -> Result<usize, LogError> {
        // A broken connection is reopened at once; only a second failure counts as unavailable.
        let frames = match self.journal.read_others() {
            Err(error) if error.is_transient() => {
                self.writer_status.log_counters().disconnects.fetch_add(1, Ordering::Relaxed);
                self.journal.read_others()
            }
            read => read,
        };
        let frames = frames.map_err(|error| LogError::of(&error))?;
        for frame in &frames {
            // The start of the node may have applied this frame already.
            if frame.header.next() > self.expected {
                self.apply_frame(frame)?;
            }
        }
        Ok(frames.len())
    }

    fn apply_frame(&mut self, frame: &Frame) -> Result<(), LogError> {
        let first = frame.header.first;
        if first != self.expected {
            let expected = self.expected;
            return Err(LogError::Fatal(format!(
                "the log continues at {first}, but the state expects {expected}"
            )));
        }
        let pending =
            (first.0..).zip(frame.payload.commands()).map(|(seq, bytes)| decode_foreign(seq, bytes));
        let pending = pending.collect::<Result<Vec<_>, _>>().map_err(LogError::Fatal)?;
        self.expected = frame.header.next();
        if let Some(others) = &self.others {
            others.log_lag.note_next(self.expected);
        }
        let at = Time::from_micros(frame.header.at);
        self.send(Group { at, pending, times: GroupTimes::read_now() })
    }

    fn send(&self, group: Group) -> Result<(), LogError> {
        let sent = self.to_apply.send(group, self.queue.is_empty());
        sent.map_err(|_| LogError::Fatal("applying has ended".to_owned()))
    }

    /// Retries until the log can be read again; meanwhile requests are refused, because nothing of them was written.
    /// Returns false when every `Sequencer` is dropped.
    fn wait_for_the_log(&mut self, mut cause: String, began: Instant) -> Result<bool, String> {
        tracing::error!(cause, "the log's database is unavailable: writes are refused until it is back");
        self.writer_status.change_mode(ACCEPTING, UNAVAILABLE);
        let is_back = |journaling: &mut Journaling<'_>| match journaling.catch_up() {
            Ok(()) => Ok(true),
            Err(LogError::Unavailable(now)) => {
                if now != cause {
                    tracing::error!(cause = now, "the log's database is still unavailable");
                    cause = now;
                }
                Ok(false)
            }
            Err(LogError::Fatal(cause)) => Err(cause),
            Err(LogError::WrongClock(_)) => unreachable!("a read stamps nothing"),
        };
        if !self.refuse_until(SubmitError::LogUnavailable, TRY_EVERY, is_back)? {
            return Ok(false);
        }
        self.writer_status.change_mode(UNAVAILABLE, ACCEPTING);
        if let Some(others) = &self.others {
            others.log_lag.report_gap(began.elapsed());
        }
        Ok(true)
    }

    /// Refuses the group, and every request until the clock is right again. Nothing of them was written. Returns false
    /// when every `Sequencer` is dropped.
    fn wait_for_the_clock(&mut self, group: Vec<Pending>) -> Result<bool, String> {
        let seconds = self.writer_status.clock_ahead().unwrap_or(0) / 1_000_000;
        tracing::error!(
            seconds,
            "the machine's clock has run ahead since the start: writes are refused until it is right again"
        );
        self.writer_status.change_mode(ACCEPTING, WRONG_CLOCK);
        let has_tick = group.iter().any(|pending| pending.caller.is_none());
        refuse_all(group, SubmitError::WrongClock);
        let is_right = |journaling: &mut Journaling<'_>| Ok(journaling.writer_status.is_clock_right());
        if !self.refuse_until(SubmitError::WrongClock, IDLE, is_right)? {
            return Ok(false);
        }
        if has_tick {
            // The refused tick's timer may still be due, and the apply thread will not report it again.
            self.writer_status.next_due.store(i64::MIN, Ordering::Release);
        }
        self.writer_status.change_mode(WRONG_CLOCK, ACCEPTING);
        tracing::info!("the machine's clock is right again: writes resume");
        Ok(true)
    }

    /// Refuses queued requests until the cause is over. Returns false when every `Sequencer` is dropped.
    fn refuse_until(
        &mut self,
        why: SubmitError,
        every: Duration,
        mut is_over: impl FnMut(&mut Self) -> Result<bool, String>,
    ) -> Result<bool, String> {
        loop {
            match self.queue.recv_timeout(every) {
                Ok(prepared) => refuse_all([prepared.pending], why),
                Err(RecvTimeoutError::Disconnected) => return Ok(false),
                Err(RecvTimeoutError::Timeout) if is_over(self)? => return Ok(true),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl LogError {
    fn of(error: &journal::Error) -> LogError {
        if error.is_transient() {
            LogError::Unavailable(error.to_string())
        } else {
            LogError::Fatal(error.to_string())
        }
    }
}

/// A request that another node received; its caller waits there.
fn decode_foreign(seq: u64, bytes: &[u8]) -> Result<Pending, String> {
    let request = codec::decode_request(bytes).map_err(|cause| {
        format!("this build cannot decide sequence {seq} of the log: {cause}. Start a newer build")
    })?;
    Ok(Pending { request, caller: None, trace: None })
}

fn refuse_all(group: impl IntoIterator<Item = Pending>, why: SubmitError) {
    for caller in group.into_iter().filter_map(|pending| pending.caller) {
        refuse(caller, why);
    }
}

/// Counts a frame that is durable now, and its stages.
fn note_frame(
    writer_status: &WriterStatus,
    payload: &Payload,
    requests: usize,
    taken_at: Instant,
    filled_at: Instant,
) -> GroupTimes {
    let stages = writer_status.stages();
    let now = stages.now();
    writer_status.frames.fetch_add(1, Ordering::Relaxed);
    if stages.is_on() {
        stages.group.record_duration(filled_at.saturating_duration_since(taken_at));
        stages.commit.record_duration(now.saturating_duration_since(filled_at));
        stages.group_sizes.record(requests as u64);
        stages.frame_bytes.fetch_add(payload.bytes().len() as u64, Ordering::Relaxed);
    }
    GroupTimes { taken_at, filled_at, durable_at: now }
}

/// Adds a request to a group. `taken_at` is when the group began.
fn push(
    payload: &mut Payload,
    group: &mut Vec<Pending>,
    prepared: Prepared,
    taken_at: Instant,
    stages: &WriteStages,
) {
    if stages.is_on() {
        // A request that was queued after the group began has not waited.
        stages.queue.record_duration(taken_at.saturating_duration_since(prepared.queued_at));
    }
    payload.push(&prepared.bytes);
    group.push(prepared.pending);
}

/// Adds queued requests up to the frame's limits.
fn fill(
    payload: &mut Payload,
    group: &mut Vec<Pending>,
    queue: &Receiver<Prepared>,
    bytes_max: usize,
    (taken_at, stages): (Instant, &WriteStages),
) {
    // Half of the frame stays free, so that a request of the maximum size still fits.
    while group.len() < GROUP_MAX && payload.bytes().len() < bytes_max / 2 {
        let Ok(prepared) = queue.try_recv() else { return };
        push(payload, group, prepared, taken_at, stages);
    }
}

/// A request without a caller that fires due timers.
fn tick() -> Prepared {
    let request = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
    Prepared::new(request, None, Instant::now(), None)
}

/// Stops the writer. The group's callers are dropped and get `SubmitError::Unknown`.
fn fail(writer_status: &WriterStatus, cause: &str) -> Option<Box<dyn Journal>> {
    writer_status.fail();
    tracing::error!(cause, "the journal failed; writes are refused until a restart");
    None
}
