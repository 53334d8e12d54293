//! The journal thread: one frame per group, durable before it is applied. An idle writer appends a single request at once;
//! it does not wait for more.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use exchange::identity::Actor;
use exchange::time::Time;
use exchange::{Command, Request};
use journal::{AppendError, Appended, Journal, Payload, Sequence};

use super::applying::{Group, GroupSender};
use super::sharing::refuse_all;
use super::{ACCEPTING, Pending, Prepared, SubmitError, WRONG_CLOCK, WriterStatus};
use crate::pipeline::clock::Clock;
use crate::signals::stages::{GroupTimes, WriteStages};

/// How long an idle writer waits before it checks for due timers.
pub(super) const IDLE: Duration = Duration::from_millis(50);
/// The maximum number of requests in a frame.
const GROUP_MAX: usize = 4_096;

/// Returns the journal when every `Sequencer` is dropped; `None` when the journal failed.
pub(super) fn run(
    mut journal: Box<dyn Journal>,
    next_seq: u64,
    queue: &Receiver<Prepared>,
    to_apply: &GroupSender,
    writer_status: &WriterStatus,
    clock: &dyn Clock,
) -> Option<Box<dyn Journal>> {
    let (mut expected, mut payload) = (Sequence(next_seq), Payload::new());
    let stages = writer_status.stages();
    while let Some(first) = next(queue, writer_status, clock) {
        payload.clear();
        let taken_at = stages.now();
        let mut group = Vec::with_capacity(1 + queue.len().min(GROUP_MAX));
        push(&mut payload, &mut group, first, taken_at, stages);
        fill(&mut payload, &mut group, queue, journal.payload_bytes_max(), (taken_at, stages));
        let filled_at = stages.now();
        match journal.append(expected, &payload) {
            Ok(Appended::Stored { header, .. }) => {
                expected = header.next();
                let times = note_frame(writer_status, &payload, group.len(), taken_at, filled_at);
                let group = Group { at: Time::from_micros(header.at), pending: group, times };
                if to_apply.send(group, queue.is_empty()).is_err() {
                    return fail(writer_status, "applying has ended");
                }
            }
            Ok(Appended::Preceded { next }) => {
                return fail(writer_status, &format!("another writer appended up to {next:?}"));
            }
            Ok(Appended::Unknown { cause }) => return fail(writer_status, &cause.to_string()),
            Err(AppendError::AheadOfTime { .. }) => {
                if !wait_for_the_clock(group, queue, writer_status) {
                    return Some(journal);
                }
            }
            Err(error) => return fail(writer_status, &error.to_string()),
        }
    }
    Some(journal)
}

/// Refuses the group, and every request until the clock is right again. Nothing of them was written. Returns false when
/// every `Sequencer` is dropped.
fn wait_for_the_clock(group: Vec<Pending>, queue: &Receiver<Prepared>, writer_status: &WriterStatus) -> bool {
    let seconds = writer_status.clock_ahead().unwrap_or(0) / 1_000_000;
    tracing::error!(
        seconds,
        "the machine's clock has run ahead since the start: writes are refused until it is right again"
    );
    let _ = writer_status.mode.compare_exchange(ACCEPTING, WRONG_CLOCK, Ordering::AcqRel, Ordering::Acquire);
    let has_tick = group.iter().any(|pending| pending.caller.is_none());
    refuse_all(group, SubmitError::WrongClock);
    while !writer_status.is_clock_right() {
        match queue.recv_timeout(IDLE) {
            Ok(prepared) => refuse_all([prepared.pending], SubmitError::WrongClock),
            Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    if has_tick {
        // The refused tick's timer may still be due, and the apply thread will not report it again.
        writer_status.next_due.store(i64::MIN, Ordering::Release);
    }
    let _ = writer_status.mode.compare_exchange(WRONG_CLOCK, ACCEPTING, Ordering::AcqRel, Ordering::Acquire);
    tracing::info!("the machine's clock is right again: writes resume");
    true
}

/// The next request, or a tick when the queue is empty and a timer is due. `None` when every `Sequencer` is dropped.
fn next(queue: &Receiver<Prepared>, writer_status: &WriterStatus, clock: &dyn Clock) -> Option<Prepared> {
    loop {
        match queue.recv_timeout(IDLE) {
            Ok(prepared) => return Some(prepared),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout)
                if writer_status.next_due.load(Ordering::Acquire) <= clock.now() =>
            {
                // One tick per due time: the apply thread sets the next one.
                writer_status.next_due.store(i64::MAX, Ordering::Release);
                return Some(tick());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Counts a frame that is durable now, and its stages.
pub(super) fn note_frame(
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
pub(super) fn push(
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
pub(super) fn fill(
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
pub(super) fn tick() -> Prepared {
    let request = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
    Prepared::new(request, None, Instant::now(), None)
}

/// Stops the writer. The group's callers are dropped and get `SubmitError::Unknown`.
pub(super) fn fail(writer_status: &WriterStatus, cause: &str) -> Option<Box<dyn Journal>> {
    writer_status.fail();
    tracing::error!(cause, "the journal failed; writes are refused until a restart");
    None
}
