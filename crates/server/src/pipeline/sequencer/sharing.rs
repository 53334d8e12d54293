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

use super::applying::Group;
use super::delivering::refuse;
use super::journaling::{IDLE, fail, fill, push, tick};
use super::reach::{GAP_MIN, Reach};
use super::{AWAY, Pending, Prepared, Pulse, SubmitError, TAKING};
use crate::pipeline::clock::Clock;

/// How often an idle node reads the log without a notification.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How often it retries while the database is unavailable.
const TRY_EVERY: Duration = Duration::from_millis(200);

/// Notifications of other nodes' appends.
#[derive(Clone, Debug)]
pub struct News {
    heard: Arc<AtomicU64>,
    poke: Receiver<()>,
    /// Keeps the channel open; otherwise `recv` would return `Disconnected` in a loop.
    _tell: Sender<()>,
}

impl News {
    /// The receiver, and a callback to call with the sequence of each new frame.
    pub fn channel() -> (News, impl Fn(Sequence) + Send + use<>) {
        let (heard, (tell, poke)) = (Arc::new(AtomicU64::new(0)), bounded(1));
        let news = News { heard: heard.clone(), poke, _tell: tell.clone() };
        let told = move |sequence: Sequence| {
            heard.fetch_max(sequence.0, Ordering::AcqRel);
            // A notification that is already queued suffices.
            let _ = tell.try_send(());
        };
        (news, told)
    }

    /// Whether another node was reported to have taken this sequence. Clears the report, because the caller reads the
    /// log next.
    fn tell_of(&self, sequence: Sequence) -> bool {
        self.heard.swap(0, Ordering::AcqRel) >= sequence.0
    }
}

/// Why an operation on the log failed.
enum Trouble {
    /// Transient: the database is unavailable.
    Away(String),
    /// Permanent.
    Fatal(String),
}

/// The thread's next step.
#[allow(clippy::large_enum_variant, reason = "only one value exists at a time")]
enum Next {
    Request(Prepared),
    Look,
    Closed,
}

struct Sharing<'a> {
    journal: Box<dyn Journal>,
    expected: Sequence,
    news: &'a News,
    to_apply: &'a Sender<Group>,
    waiting: &'a Receiver<Prepared>,
    pulse: &'a Pulse,
    reach: &'a Reach,
}

/// Returns the journal when every `Sequencer` is dropped; `None` when the journal failed.
pub(super) fn run(
    journal: Box<dyn Journal>,
    next_seq: u64,
    news: &News,
    waiting: &Receiver<Prepared>,
    to_apply: &Sender<Group>,
    pulse: &Pulse,
    clock: &dyn Clock,
) -> Option<Box<dyn Journal>> {
    let expected = Sequence(next_seq);
    let reach = pulse.reach.get_or_init(|| Reach::new(expected));
    let mut sharing = Sharing { journal, expected, news, to_apply, waiting, pulse, reach };
    let mut payload = Payload::new();
    loop {
        let next = sharing.next(clock);
        let began = Instant::now();
        let done = match next {
            Next::Closed => return Some(sharing.journal),
            _ if pulse.has_failed() => return None,
            Next::Look => sharing.catch_up(),
            Next::Request(first) => {
                payload.clear();
                sharing.write(&mut payload, first)
            }
        };
        match done {
            Ok(()) => {}
            Err(Trouble::Fatal(cause)) => return fail(pulse, &cause),
            Err(Trouble::Away(cause)) => match sharing.wait_for_the_log(cause, began) {
                Ok(true) => {}
                Ok(false) => return Some(sharing.journal),
                Err(cause) => return fail(pulse, &cause),
            },
        }
    }
}

impl Sharing<'_> {
    /// Queued requests have priority. The log is read after a notification, and at least every `LOOK_EVERY`.
    fn next(&self, clock: &dyn Clock) -> Next {
        match self.waiting.try_recv() {
            Ok(prepared) => return Next::Request(prepared),
            Err(TryRecvError::Disconnected) => return Next::Closed,
            Err(TryRecvError::Empty) => {}
        }
        loop {
            select! {
                recv(self.waiting) -> prepared => return prepared.map_or(Next::Closed, Next::Request),
                recv(self.news.poke) -> _ => {
                    // Notifications of this node's own appends need no read.
                    if self.news.tell_of(self.expected) {
                        return Next::Look;
                    }
                }
                default(IDLE) => {
                    if self.pulse.next_due.load(Ordering::Acquire) <= clock.now() {
                        // One tick per due time: the apply thread sets the next one.
                        self.pulse.next_due.store(i64::MAX, Ordering::Release);
                        return Next::Request(tick());
                    }
                    if self.reach.age() >= LOOK_EVERY {
                        return Next::Look;
                    }
                }
            }
        }
    }

    /// Appends a group after any frames that other nodes appended first.
    fn write(&mut self, payload: &mut Payload, first: Prepared) -> Result<(), Trouble> {
        let bytes_max = self.journal.payload_bytes_max();
        let (began, mut group) = (Instant::now(), Vec::new());
        push(payload, &mut group, first);
        loop {
            // An append at a sequence that is already taken would fail; read the other frames first.
            if self.news.tell_of(self.expected) && !self.go_behind(&mut group)? {
                return Ok(());
            }
            fill(payload, &mut group, self.waiting, bytes_max);
            match self.journal.append(self.expected, payload) {
                Ok(Appended::Stored { header, .. }) => {
                    self.expected = header.next();
                    self.pulse.frames.fetch_add(1, Ordering::Relaxed);
                    self.reach.note(self.expected);
                    if began.elapsed() > GAP_MIN {
                        self.reach.report_gap(began.elapsed());
                    }
                    return self.send(Group { at: Time::from_micros(header.at), pending: group });
                }
                Ok(Appended::Preceded { .. }) => {
                    if !self.go_behind(&mut group)? {
                        return Ok(());
                    }
                }
                // The group's callers are dropped with it and get `SubmitError::Unknown`.
                Ok(Appended::Unknown { cause }) => return Err(Trouble::Away(cause.to_string())),
                Err(error) => return Err(Trouble::Fatal(error.to_string())),
            }
        }
    }

    /// Reads the frames that other nodes appended first, and returns whether the group still has to be written: a lone
    /// tick has not, because another node's command has already fired the due timers. If the read fails, nothing of the
    /// group was written.
    fn go_behind(&mut self, group: &mut Vec<Pending>) -> Result<bool, Trouble> {
        let taken = self.take_others().inspect_err(|_| refuse_all(group.drain(..), SubmitError::Away))?;
        Ok(taken == 0 || group.iter().any(|pending| pending.caller.is_some()))
    }

    /// Reads the log to its end.
    fn catch_up(&mut self) -> Result<(), Trouble> {
        while self.take_others()? > 0 {}
        self.reach.note(self.expected);
        Ok(())
    }

    /// Sends one page of the frames that other nodes appended to the apply thread. Returns the number of frames.
    fn take_others(&mut self) -> Result<usize, Trouble> {
        // A broken connection is reopened at once; only a second failure counts as unavailable.
        let frames = match self.journal.others() {
            Err(error) if error.is_passing() => self.journal.others(),
            read => read,
        };
        let frames = frames.map_err(|error| Trouble::of(&error))?;
        for frame in &frames {
            // The start of the node may have applied this frame already.
            if frame.header.next() > self.expected {
                self.take(frame)?;
            }
        }
        Ok(frames.len())
    }

    fn take(&mut self, frame: &Frame) -> Result<(), Trouble> {
        let first = frame.header.first;
        if first != self.expected {
            let expected = self.expected;
            return Err(Trouble::Fatal(format!(
                "the log continues at {first}, but the state expects {expected}"
            )));
        }
        let pending = (first.0..).zip(frame.payload.commands()).map(|(seq, bytes)| foreign(seq, bytes));
        let pending = pending.collect::<Result<Vec<_>, _>>().map_err(Trouble::Fatal)?;
        self.expected = frame.header.next();
        self.reach.note_next(self.expected);
        self.send(Group { at: Time::from_micros(frame.header.at), pending })
    }

    fn send(&self, group: Group) -> Result<(), Trouble> {
        self.to_apply.send(group).map_err(|_| Trouble::Fatal("the apply thread has ended".to_owned()))
    }

    /// Retries until the log can be read again; meanwhile requests are refused with `Away`, because nothing of them was
    /// written. Returns false when every `Sequencer` is dropped.
    fn wait_for_the_log(&mut self, mut cause: String, began: Instant) -> Result<bool, String> {
        tracing::error!(cause, "the log's database is unavailable: writes are refused until it is back");
        let taking = &self.pulse.taking;
        let _ = taking.compare_exchange(TAKING, AWAY, Ordering::AcqRel, Ordering::Acquire);
        loop {
            match self.waiting.recv_timeout(TRY_EVERY) {
                Ok(prepared) => refuse_all([prepared.pending], SubmitError::Away),
                Err(crossbeam_channel::RecvTimeoutError::Disconnected) => return Ok(false),
                Err(crossbeam_channel::RecvTimeoutError::Timeout) => match self.catch_up() {
                    Ok(()) => break,
                    Err(Trouble::Away(now)) if now == cause => {}
                    Err(Trouble::Away(now)) => {
                        tracing::error!(cause = now, "the log's database is still unavailable");
                        cause = now;
                    }
                    Err(Trouble::Fatal(cause)) => return Err(cause),
                },
            }
        }
        let _ = taking.compare_exchange(AWAY, TAKING, Ordering::AcqRel, Ordering::Acquire);
        self.reach.report_gap(began.elapsed());
        Ok(true)
    }
}

impl Trouble {
    fn of(error: &journal::Error) -> Trouble {
        if error.is_passing() { Trouble::Away(error.to_string()) } else { Trouble::Fatal(error.to_string()) }
    }
}

/// A request that another node received; its caller waits there.
fn foreign(seq: u64, bytes: &[u8]) -> Result<Pending, String> {
    let request = codec::decode_request(bytes).map_err(|cause| {
        format!("this build cannot decide sequence {seq} of the log: {cause}. Start a newer build")
    })?;
    Ok(Pending { request, caller: None })
}

pub(super) fn refuse_all(group: impl IntoIterator<Item = Pending>, why: SubmitError) {
    for caller in group.into_iter().filter_map(|pending| pending.caller) {
        refuse(caller, why);
    }
}
