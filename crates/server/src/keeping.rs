//! Who keeps history: the apply thread as it goes, or, where a node began with a snapshot that its history does not reach
//! up to, a thread of its own that decides the log again from further back.

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

/// Keeps history, unless somebody else does, and feeds the streams once there are any.
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
        // A replay answers with what was kept the first time.
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

/// A state that history reaches up to, and what comes behind it.
#[allow(missing_debug_implementations, reason = "a cursor has nothing to print")]
pub struct Remembered {
    pub(crate) exchange: Exchange,
    pub(crate) frames: Box<dyn Frames>,
    pub(crate) skips: Skips,
}

/// Makes the history that a node lacks while the node serves already, and goes on keeping it.
#[derive(Debug)]
pub(crate) struct Historian {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Historian {
    /// It never goes further than the live state: readers ask memory first and history second.
    pub(crate) fn start(remembered: Remembered, recorder: Recorder, live: Arc<Shared>) -> Historian {
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = stop.clone();
        let work = move || {
            let mut keeping = Keeping { recorder: Some(recorder), tap: None };
            if let Err(error) = keep(remembered, &mut keeping, &live, &stopping) {
                tracing::error!(%error, "history stopped: what has left memory cannot be read until a restart");
            }
        };
        let thread = thread::Builder::new().name("historian".to_owned()).spawn(work);
        let thread =
            thread.unwrap_or_else(|error| panic!("the machine gives no thread for the historian: {error}"));
        Historian { stop, thread }
    }

    /// Ends where it is: the next start goes on from there.
    pub(crate) fn finish(self) {
        self.stop.store(true, Ordering::Release);
        if self.thread.join().is_err() {
            tracing::error!("the historian ended in a panic");
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
                // A log that is away comes back, and so does a descriptor.
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
