//! Feeds history: the apply thread does, as it applies. Where a node started from a snapshot that is newer than its
//! history, a separate thread (`Historian`) replays the log from an older state.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bytes::Bytes;
use exchange::Exchange;
use exchange::reply::Reply;
use journal::{Frame, Frames};

use crate::history::Recorder;
use crate::respond::{Shape, respond};
use crate::sequencer::{Applied, Decided, Observer, Written};
use crate::skips::Skips;
use crate::startup::{StartError, replay};
use crate::state::Shared;
use crate::streams::Tap;

const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Feeds history, unless a `Historian` does, and the streams if there are any.
pub(crate) struct Keeping {
    pub(crate) recorder: Option<Recorder>,
    pub(crate) tap: Option<Tap>,
}

impl Observer for Keeping {
    fn known(&self) -> u64 {
        self.recorder.as_ref().map_or(u64::MAX, Recorder::known)
    }

    fn applied(&mut self, applied: &Applied<'_>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.note(applied);
        }
        if let Some(tap) = &mut self.tap {
            tap.note(applied);
        }
    }

    fn write_answer(&mut self, decided: &Decided<'_>) -> Option<Written> {
        decided.request.idempotency?;
        // A replayed request is answered with the response stored the first time.
        if matches!(decided.result, Ok(Reply::Replayed { .. })) {
            return None;
        }
        let (status, body) = respond(decided.exchange, Shape::of(&decided.request.command), decided.result);
        let written = Written { status, body: Bytes::from(body) };
        if let Some(recorder) = &mut self.recorder {
            recorder.keep(decided.seq, decided.at, &written);
        }
        Some(written)
    }

    fn group_ended(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.hand_over();
        }
        if let Some(tap) = &mut self.tap {
            tap.hand_over();
        }
    }
}

/// A state at or before the end of history, and a cursor over the frames after it.
#[allow(missing_debug_implementations, reason = "a cursor has nothing to print")]
pub struct Remembered {
    pub(crate) exchange: Exchange,
    pub(crate) frames: Box<dyn Frames>,
    pub(crate) skips: Skips,
}

/// A thread that builds the missing part of a node's history while the node serves, and then keeps history up to date.
#[derive(Debug)]
pub(crate) struct Historian {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Historian {
    /// Starts the thread. It never passes the live state, because readers look in memory first and in history second.
    pub(crate) fn start(remembered: Remembered, recorder: Recorder, live: Arc<Shared>) -> Historian {
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = stop.clone();
        let work = move || {
            let mut keeping = Keeping { recorder: Some(recorder), tap: None };
            if let Err(error) = keep(remembered, &mut keeping, &live, &stopping) {
                tracing::error!(%error, "history stopped: closed orders and trades cannot be read until a restart");
            }
        };
        let thread = thread::Builder::new().name("historian".to_owned()).spawn(work);
        let thread = thread.unwrap_or_else(|error| panic!("cannot spawn the historian thread: {error}"));
        Historian { stop, thread }
    }

    /// Stops at the current position; the next start continues from there.
    pub(crate) fn finish(self) {
        self.stop.store(true, Ordering::Release);
        if self.thread.join().is_err() {
            tracing::error!("the historian panicked");
        }
    }
}

fn keep(
    mut remembered: Remembered,
    keeping: &mut Keeping,
    live: &Shared,
    stop: &AtomicBool,
) -> Result<(), StartError> {
    let mut held: Option<Frame> = None;
    while !stop.load(Ordering::Acquire) {
        if held.is_none() {
            held = match remembered.frames.next_frame() {
                // Transient: the database is unavailable, or no file descriptor is free.
                Err(error) if error.is_passing() => None,
                read => read?,
            };
        }
        match held.take_if(|frame| frame.header.next().0 <= live.read().seq() + 1) {
            Some(frame) => {
                replay(&mut remembered.exchange, &frame, &remembered.skips, keeping)?;
                keeping.group_ended();
            }
            None => thread::sleep(LOOK_EVERY),
        }
    }
    Ok(())
}
