//! The journal thread where several nodes append to one log. Frames that other nodes appended first go to the same
//! apply thread, without callers; then this node's group is appended after them.
//!
//! While the log's database is unavailable, requests are refused. Queued callers learn that nothing was written;
//! callers of a group that was being appended learn that the outcome is unknown. After the database returns, that group
//! is read back from the log like any other node's, if it was stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, select};
use exchange::codec;
use exchange::time::Time;
use journal::{Appended, Frame, Journal, Payload, Sequence};

use super::applying::{Group, GroupSender};
use super::delivering::refuse;
use super::journaling::{IDLE, fail, fill, note_frame, push, tick};
use super::log_lag::{GAP_MIN, LogLag};
use super::{ACCEPTING, Pending, Prepared, SubmitError, UNAVAILABLE, WriterStatus};
use crate::pipeline::clock::Clock;
use crate::signals::stages::GroupTimes;

/// How often an idle node reads the log without a notification.
const POLL_EVERY: Duration = Duration::from_millis(500);
/// How often it retries while the database is unavailable.
const TRY_EVERY: Duration = Duration::from_millis(200);

/// Notifications of other nodes' appends.
#[derive(Clone, Debug)]
pub struct AppendNotices {
    highest: Arc<AtomicU64>,
    wake: Receiver<()>,
    /// Keeps the channel open; otherwise `recv` would return `Disconnected` in a loop.
    _sender: Sender<()>,
}

impl AppendNotices {
    /// The receiver, and a callback to call with the sequence of each new frame.
    pub fn channel() -> (AppendNotices, impl Fn(Sequence) + Send + use<>) {
        let (highest, (sender, wake)) = (Arc::new(AtomicU64::new(0)), bounded(1));
        let notices = AppendNotices { highest: highest.clone(), wake, _sender: sender.clone() };
        let notify = move |sequence: Sequence| {
            highest.fetch_max(sequence.0, Ordering::AcqRel);
            // A notification that is already queued suffices.
            let _ = sender.try_send(());
        };
        (notices, notify)
    }

    /// Whether another node was reported to have taken this sequence. Clears the report, because the caller reads the
    /// log next.
    fn take_notice(&self, sequence: Sequence) -> bool {
        self.highest.swap(0, Ordering::AcqRel) >= sequence.0
    }
}

/// Why an operation on the log failed.
enum LogError {
    /// Transient: the database is unavailable.
    Unavailable(String),
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

struct Sharing<'a> {
    journal: Box<dyn Journal>,
    expected: Sequence,
    notices: &'a AppendNotices,
    to_apply: &'a GroupSender,
    queue: &'a Receiver<Prepared>,
    writer_status: &'a WriterStatus,
    log_lag: &'a LogLag,
}

/// Returns the journal when every `Sequencer` is dropped; `None` when the journal failed.
pub(super) fn run(
    journal: Box<dyn Journal>,
    next_seq: u64,
    notices: &AppendNotices,
    queue: &Receiver<Prepared>,
    to_apply: &GroupSender,
    writer_status: &WriterStatus,
    clock: Arc<dyn Clock>,
) -> Option<Box<dyn Journal>> {
    let expected = Sequence(next_seq);
    let log_lag = writer_status.log_lag.get_or_init(|| LogLag::new(expected));
    let clock = writer_status.watch(clock);
    let mut sharing = Sharing { journal, expected, notices, to_apply, queue, writer_status, log_lag };
    let mut payload = Payload::new();
    loop {
        let next = sharing.next(&**clock);
        let began = Instant::now();
        let done = match next {
            Next::Closed => return Some(sharing.journal),
            _ if writer_status.has_failed() => return None,
            Next::Poll => sharing.catch_up(),
            Next::Request(first) => {
                payload.clear();
                sharing.write(&mut payload, first)
            }
        };
        match done {
            Ok(()) => {}
            Err(LogError::Fatal(cause)) => return fail(writer_status, &cause),
            Err(LogError::Unavailable(cause)) => match sharing.wait_for_the_log(cause, began) {
                Ok(true) => {}
                Ok(false) => return Some(sharing.journal),
                Err(cause) => return fail(writer_status, &cause),
            },
        }
    }
}

impl Sharing<'_> {
    /// Queued requests have priority. The log is read after a notification, and at least every `POLL_EVERY`.
    fn next(&self, clock: &dyn Clock) -> Next {
        match self.queue.try_recv() {
            Ok(prepared) => return Next::Request(prepared),
            Err(TryRecvError::Disconnected) => return Next::Closed,
            Err(TryRecvError::Empty) => {}
        }
        loop {
            select! {
                recv(self.queue) -> prepared => return prepared.map_or(Next::Closed, Next::Request),
                recv(self.notices.wake) -> _ => {
                    // Notifications of this node's own appends need no read.
                    if self.notices.take_notice(self.expected) {
                        return Next::Poll;
                    }
                }
                default(IDLE) => {
                    if self.writer_status.next_due.load(Ordering::Acquire) <= clock.now() {
                        // One tick per due time: the apply thread sets the next one.
                        self.writer_status.next_due.store(i64::MAX, Ordering::Release);
                        return Next::Request(tick());
                    }
                    if self.log_lag.age() >= POLL_EVERY {
                        return Next::Poll;
                    }
                }
            }
        }
    }

    /// Appends a group after any frames that other nodes appended first.
    fn write(&mut self, payload: &mut Payload, first: Prepared) -> Result<(), LogError> {
        let bytes_max = self.journal.payload_bytes_max();
        let (began, mut group) = (Instant::now(), Vec::new());
        let writer_status = self.writer_status;
        let (stages, counters) = (writer_status.stages(), writer_status.log_counters());
        push(payload, &mut group, first, began, stages);
        loop {
            // An append at a sequence that is already taken would fail; read the other frames first.
            if self.notices.take_notice(self.expected) && !self.read_preceding(&mut group)? {
                return Ok(());
            }
            fill(payload, &mut group, self.queue, bytes_max, (began, stages));
            let filled_at = Instant::now();
            counters.offers.fetch_add(1, Ordering::Relaxed);
            match self.journal.append(self.expected, payload) {
                Ok(Appended::Stored { header, .. }) => {
                    self.expected = header.next();
                    let times = note_frame(writer_status, payload, group.len(), began, filled_at);
                    self.log_lag.note(self.expected);
                    if began.elapsed() > GAP_MIN {
                        self.log_lag.report_gap(began.elapsed());
                    }
                    return self.send(Group { at: Time::from_micros(header.at), pending: group, times });
                }
                Ok(Appended::Preceded { .. }) => {
                    counters.lost_races.fetch_add(1, Ordering::Relaxed);
                    if !self.read_preceding(&mut group)? {
                        return Ok(());
                    }
                }
                // The group's callers are dropped with it and get `SubmitError::Unknown`.
                Ok(Appended::Unknown { cause }) => {
                    counters.disconnects.fetch_add(1, Ordering::Relaxed);
                    return Err(LogError::Unavailable(cause.to_string()));
                }
                Err(error) => return Err(LogError::Fatal(error.to_string())),
            }
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
        self.log_lag.note(self.expected);
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
        self.log_lag.note_next(self.expected);
        let at = Time::from_micros(frame.header.at);
        self.send(Group { at, pending, times: GroupTimes::read_now() })
    }

    fn send(&self, group: Group) -> Result<(), LogError> {
        let sent = self.to_apply.send(group, self.queue.is_empty());
        sent.map_err(|_| LogError::Fatal("applying has ended".to_owned()))
    }

    /// Retries until the log can be read again; meanwhile requests are refused with `LogUnavailable`, because nothing
    /// of them was written. Returns false when every `Sequencer` is dropped.
    fn wait_for_the_log(&mut self, mut cause: String, began: Instant) -> Result<bool, String> {
        tracing::error!(cause, "the log's database is unavailable: writes are refused until it is back");
        let mode = &self.writer_status.mode;
        let _ = mode.compare_exchange(ACCEPTING, UNAVAILABLE, Ordering::AcqRel, Ordering::Acquire);
        loop {
            match self.queue.recv_timeout(TRY_EVERY) {
                Ok(prepared) => refuse_all([prepared.pending], SubmitError::LogUnavailable),
                Err(crossbeam_channel::RecvTimeoutError::Disconnected) => return Ok(false),
                Err(crossbeam_channel::RecvTimeoutError::Timeout) => match self.catch_up() {
                    Ok(()) => break,
                    Err(LogError::Unavailable(now)) if now == cause => {}
                    Err(LogError::Unavailable(now)) => {
                        tracing::error!(cause = now, "the log's database is still unavailable");
                        cause = now;
                    }
                    Err(LogError::Fatal(cause)) => return Err(cause),
                },
            }
        }
        let _ = mode.compare_exchange(UNAVAILABLE, ACCEPTING, Ordering::AcqRel, Ordering::Acquire);
        self.log_lag.report_gap(began.elapsed());
        Ok(true)
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

pub(super) fn refuse_all(group: impl IntoIterator<Item = Pending>, why: SubmitError) {
    for caller in group.into_iter().filter_map(|pending| pending.caller) {
        refuse(caller, why);
    }
}
