//! Observers of applied requests: history, the streams and the notifier, called by the apply thread after each request and group.
//!
//! Where a node started from a snapshot that is newer than its history, a separate thread (`Historian`) replays the
//! log from an older state and feeds history instead.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use exchange::Exchange;
use exchange::time::Time;
use journal::{Frame, Frames};

use super::replay::replay;
use super::skips::Skips;
use super::state::Shared;
use crate::applied::{Applied, Observer};
use crate::audit_trail;
use crate::history::Recorder;
use crate::signals::venue::VenueTap;
use crate::start_error::StartError;

const POLL_EVERY: Duration = Duration::from_millis(20);

/// Feeds history, unless a `Historian` does, and the streams and the notifier if there are any.
pub(crate) struct Observers {
    pub(crate) recorder: Option<Recorder>,
    pub(crate) streams: Option<Box<dyn Observer>>,
    pub(crate) notifying: Option<Box<dyn Observer>>,
    /// Counts volume, fees and traders.
    pub(crate) venue: Option<VenueTap>,
}

impl Observers {
    /// Observers that feed only history.
    pub(crate) fn of_history(recorder: Recorder) -> Observers {
        Observers { recorder: Some(recorder), streams: None, notifying: None, venue: None }
    }
}

impl Observer for Observers {
    fn stored_until(&self) -> u64 {
        self.recorder.as_ref().map_or(u64::MAX, Recorder::stored_until)
    }

    fn applied(&mut self, applied: &Applied<'_>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.note(applied, audit_trail::entry);
        }
        for observer in [&mut self.streams, &mut self.notifying].into_iter().flatten() {
            observer.applied(applied);
        }
        if let Some(venue) = &mut self.venue {
            venue.applied(applied);
        }
    }

    fn store_answer(&mut self, seq: u64, at: Time, encode: &dyn Fn() -> Vec<u8>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.store_answer(seq, at, encode());
        }
    }

    fn group_ended(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.send_batch();
        }
        for observer in [&mut self.streams, &mut self.notifying].into_iter().flatten() {
            observer.group_ended();
        }
        if let Some(venue) = &mut self.venue {
            venue.group_ended();
        }
    }
}

/// A state at or before the end of history, and a cursor over the frames after it.
#[allow(missing_debug_implementations, reason = "a cursor has nothing to print")]
pub struct HistoryBacklog {
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
    pub(crate) fn start(backlog: HistoryBacklog, recorder: Recorder, live: Arc<Shared>) -> Historian {
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = stop.clone();
        let work = move || {
            let mut observers = Observers::of_history(recorder);
            if let Err(error) = rebuild(backlog, &mut observers, &live, &stopping) {
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

/// Replays frames into history until `stop` is set.
fn rebuild(
    mut backlog: HistoryBacklog,
    observers: &mut Observers,
    live: &Shared,
    stop: &AtomicBool,
) -> Result<(), StartError> {
    let mut pending: Option<Frame> = None;
    while !stop.load(Ordering::Acquire) {
        if pending.is_none() {
            pending = match backlog.frames.next_frame() {
                // Transient: the database is unavailable, or no file descriptor is free.
                Err(error) if error.is_transient() => None,
                read => read?,
            };
        }
        match pending.take_if(|frame| frame.header.next().0 <= live.read().seq() + 1) {
            Some(frame) => {
                replay(&mut backlog.exchange, &frame, &backlog.skips, observers)?;
                observers.group_ended();
            }
            None => thread::sleep(POLL_EVERY),
        }
    }
    Ok(())
}
