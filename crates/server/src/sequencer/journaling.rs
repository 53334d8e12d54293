//! The journal's thread: one frame per group, durable before it goes on. Idle, a request is a group of its own:
//! nothing waits for company.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use exchange::identity::Actor;
use exchange::time::Time;
use exchange::{Command, Request};
use journal::{AppendError, Appended, Journal, Payload, Sequence};

use super::applying::Group;
use super::sharing::refuse_all;
use super::{Pending, Prepared, Pulse, SubmitError, TAKING, WRONG_CLOCK};
use crate::clock::Clock;

/// How long an idle writer sleeps before it looks whether a timer is due.
pub(super) const IDLE: Duration = Duration::from_millis(50);
/// Requests in one frame at the most.
const GROUP_MAX: usize = 4_096;

/// Returns the journal when every door is closed; `None` when it failed.
pub(super) fn run(
    mut journal: Box<dyn Journal>,
    next_seq: u64,
    waiting: &Receiver<Prepared>,
    to_apply: &Sender<Group>,
    pulse: &Pulse,
    clock: &dyn Clock,
) -> Option<Box<dyn Journal>> {
    let (mut expected, mut payload) = (Sequence(next_seq), Payload::new());
    while let Some(first) = next(waiting, pulse, clock) {
        payload.clear();
        let mut group = Vec::with_capacity(1 + waiting.len().min(GROUP_MAX));
        push(&mut payload, &mut group, first);
        fill(&mut payload, &mut group, waiting, journal.payload_bytes_max());
        match journal.append(expected, &payload) {
            Ok(Appended::Stored { header, .. }) => {
                expected = header.next();
                pulse.frames.fetch_add(1, Ordering::Relaxed);
                let group = Group { at: Time::from_micros(header.at), pending: group };
                if to_apply.send(group).is_err() {
                    return fail(pulse, "the apply thread is gone");
                }
            }
            Ok(Appended::Preceded { next }) => {
                return fail(pulse, &format!("someone else wrote up to {next:?}"));
            }
            Ok(Appended::Unknown { cause }) => return fail(pulse, &cause.to_string()),
            Err(AppendError::AheadOfTime { .. }) => {
                if !wait_for_the_clock(group, waiting, pulse) {
                    return Some(journal);
                }
            }
            Err(error) => return fail(pulse, &error.to_string()),
        }
    }
    Some(journal)
}

/// Refuses the group and everything that comes until the clock is right again: nothing of it was written. False: every door is
/// closed.
fn wait_for_the_clock(group: Vec<Pending>, waiting: &Receiver<Prepared>, pulse: &Pulse) -> bool {
    let seconds = pulse.clock_ahead().unwrap_or(0) / 1_000_000;
    tracing::error!(
        seconds,
        "the machine's clock has run ahead since the start: nothing is written until it is right again"
    );
    let _ = pulse.taking.compare_exchange(TAKING, WRONG_CLOCK, Ordering::AcqRel, Ordering::Acquire);
    let has_tick = group.iter().any(|pending| pending.caller.is_none());
    refuse_all(group, SubmitError::WrongClock);
    while !pulse.is_clock_right() {
        match waiting.recv_timeout(IDLE) {
            Ok(prepared) => refuse_all([prepared.pending], SubmitError::WrongClock),
            Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    if has_tick {
        // What it was for may be due still: the apply thread, which has not seen it, does not say so again.
        pulse.next_due.store(i64::MIN, Ordering::Release);
    }
    let _ = pulse.taking.compare_exchange(WRONG_CLOCK, TAKING, Ordering::AcqRel, Ordering::Acquire);
    tracing::info!("the machine's clock is right again: writes go on");
    true
}

/// The next request, or a tick when a timer is due and nobody else came. None when every door is closed.
fn next(waiting: &Receiver<Prepared>, pulse: &Pulse, clock: &dyn Clock) -> Option<Prepared> {
    loop {
        match waiting.recv_timeout(IDLE) {
            Ok(prepared) => return Some(prepared),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout)
                if pulse.next_due.load(Ordering::Acquire) <= clock.now_micros() =>
            {
                // One tick for one due time: the apply thread says when the next is.
                pulse.next_due.store(i64::MAX, Ordering::Release);
                return Some(tick());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Adds one request.
pub(super) fn push(payload: &mut Payload, group: &mut Vec<Pending>, prepared: Prepared) {
    payload.push(&prepared.bytes);
    group.push(prepared.pending);
}

/// Adds everything that waits, up to the size of a frame.
pub(super) fn fill(
    payload: &mut Payload,
    group: &mut Vec<Pending>,
    waiting: &Receiver<Prepared>,
    bytes_max: usize,
) {
    // Half of a frame is left free, so that the largest request still fits.
    while group.len() < GROUP_MAX && payload.bytes().len() < bytes_max / 2 {
        let Ok(prepared) = waiting.try_recv() else { return };
        push(payload, group, prepared);
    }
}

/// The request of nobody that lets what is due happen.
pub(super) fn tick() -> Prepared {
    let request = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
    Prepared::new(request, None)
}

/// Stops taking requests. Whoever waits in the group learns that the outcome is not known.
pub(super) fn fail(pulse: &Pulse, cause: &str) -> Option<Box<dyn Journal>> {
    pulse.fail();
    tracing::error!(cause, "the journal failed; nothing is written until a restart has read it again");
    None
}
