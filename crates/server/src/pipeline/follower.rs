//! A second state that follows the journal. It writes the snapshots and makes the published proofs, so that the writer
//! never waits for them. At shutdown its digest is compared with the live state's, which proves that a replay gives the
//! served state. Where nodes share a log, nodes also compare digests with each other, at checkpoints that the log's
//! time determines.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use exchange::{Exchange, codec};
use journal::snapshots::SnapshotStore;
use journal::{Frame, Frames, Head};

use super::peers::Peers;
use super::proofs::Proofs;
use super::replay::{head_after, replay};
use super::skips::Skips;
use crate::applied::Unobserved;
use crate::history::History;
use crate::short_turns::ShortTurns;
use crate::start_error::StartError;

/// The snapshot interval while the state changes.
const SNAPSHOT_EVERY: Duration = Duration::from_secs(60);
const HISTORY_PATIENCE: Duration = Duration::from_secs(5);
/// How long a shutdown retries an unavailable shared log.
const LAST_PATIENCE: Duration = Duration::from_secs(10);
const POLL_EVERY: Duration = Duration::from_millis(50);
/// Added to the nice value of the thread.
const NICENESS: i32 = 5;

#[derive(Debug)]
pub struct Follower {
    stop: Arc<AtomicBool>,
    seq: Arc<AtomicU64>,
    thread: JoinHandle<Result<[u8; 32], StartError>>,
}

/// The state to follow with, and where its results are stored.
#[allow(missing_debug_implementations, reason = "a cursor has nothing to print")]
pub struct FollowerParts {
    pub exchange: Exchange,
    /// The sequence of the newest snapshot.
    pub saved: u64,
    pub head: Head,
    /// A cursor positioned right after the state.
    pub frames: Box<dyn Frames>,
    pub snapshots: SnapshotStore,
    pub history: History,
    pub proofs: Arc<Proofs>,
    /// Set where nodes share the log.
    pub peers: Option<Peers>,
}

struct FollowerThread {
    parts: FollowerParts,
    /// A frame that the live state has not applied yet.
    pending: Option<Frame>,
    /// The last read of the log failed.
    has_read_error: bool,
}

impl Follower {
    pub fn start(parts: FollowerParts) -> Follower {
        let start = parts.exchange.seq();
        let (stop, seq) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(start)));
        let thread = {
            let (stop, seq) = (stop.clone(), seq.clone());
            let mut state = FollowerThread { parts, pending: None, has_read_error: false };
            thread::Builder::new().name("follow".to_owned()).spawn(move || {
                let result = state.run(&stop, &seq);
                if let Err(error) = &result {
                    tracing::error!(%error, "the follower stopped: no more snapshots until a restart");
                }
                result
            })
        };
        let thread = thread.unwrap_or_else(|error| panic!("cannot spawn the follower thread: {error}"));
        Follower { stop, seq, thread }
    }

    /// The sequence of its state.
    pub fn seq(&self) -> u64 {
        self.seq.load(Ordering::Acquire)
    }

    /// Reads the journal to its end, writes a last snapshot and returns the state's digest.
    pub fn finish(self) -> Result<[u8; 32], StartError> {
        self.stop.store(true, Ordering::Release);
        match self.thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl FollowerThread {
    fn run(&mut self, stop: &AtomicBool, seq: &AtomicU64) -> Result<[u8; 32], StartError> {
        // Trading threads take precedence; snapshots may be late.
        let _ = rustix::process::nice(NICENESS);
        let mut last = Instant::now();
        let mut stopping_since = None;
        loop {
            // Load the flag before reading, so that every frame that was durable before the stop is followed.
            let is_stopping = stop.load(Ordering::Acquire);
            let mut turns = ShortTurns::begin();
            while let Some(frame) = self.next_frame(stopping_since)? {
                self.follow(&frame)?;
                seq.store(self.parts.exchange.seq(), Ordering::Release);
                turns.step(|| stop.load(Ordering::Acquire) || self.parts.proofs.is_requested());
            }
            if is_stopping {
                stopping_since.get_or_insert_with(Instant::now);
                if self.has_caught_up() {
                    self.save();
                    if let Some(peers) = &mut self.parts.peers {
                        peers.release_mark();
                    }
                    return Ok(self.parts.exchange.digest());
                }
            }
            if last.elapsed() >= SNAPSHOT_EVERY {
                self.save();
                last = Instant::now();
            }
            let FollowerParts { exchange, head, proofs, .. } = &self.parts;
            if proofs.is_requested() {
                proofs.publish(exchange, head);
            }
            thread::sleep(POLL_EVERY);
        }
    }

    /// The next frame that the live state has applied. Transient errors (an unavailable database, no free file
    /// descriptor) are retried later, except when a shutdown has run out of time.
    fn next_frame(&mut self, stopping_since: Option<Instant>) -> Result<Option<Frame>, StartError> {
        let FollowerParts { frames, peers, .. } = &mut self.parts;
        if self.pending.is_none() {
            let has_time = stopping_since.is_none_or(|since| since.elapsed() < LAST_PATIENCE);
            self.pending = match frames.next_frame() {
                Err(error) if error.is_transient() && has_time => {
                    if !std::mem::replace(&mut self.has_read_error, true) {
                        tracing::warn!(%error, "the follower cannot read the log");
                    }
                    None
                }
                read => {
                    self.has_read_error = false;
                    read?
                }
            };
        }
        let is_due = |frame: &mut Frame| {
            peers.as_ref().is_none_or(|peers| frame.header.next().0 <= peers.live.read().seq() + 1)
        };
        Ok(self.pending.take_if(is_due))
    }

    fn follow(&mut self, frame: &Frame) -> Result<(), StartError> {
        let FollowerParts { exchange, head, peers, .. } = &mut self.parts;
        // Skipped requests are all before this state: it was cloned from the live state after the start's replay.
        replay(exchange, frame, &Skips::default(), &mut Unobserved)?;
        let before = std::mem::replace(head, head_after(frame));
        match peers {
            Some(peers) => peers.compare(before.at, head, exchange),
            None => Ok(()),
        }
    }

    /// Whether it has everything that the live state has. With a journal of its own, the node has then read it to the
    /// end.
    fn has_caught_up(&self) -> bool {
        let FollowerParts { exchange, peers, .. } = &self.parts;
        peers.as_ref().is_none_or(|peers| peers.live.read().seq() == exchange.seq())
    }

    /// Writes a snapshot. A snapshot only shortens the next replay, so a failure is logged and retried later.
    fn save(&mut self) {
        // A start replays from the snapshot on, so history must durably have everything before it.
        let seq = self.parts.exchange.seq();
        if seq == self.parts.saved || !self.history_has(seq) {
            return;
        }
        let FollowerParts { exchange, saved, head, snapshots, history, peers, .. } = &mut self.parts;
        if !history.make_durable(HISTORY_PATIENCE) {
            tracing::warn!("history cannot be made durable: no snapshot this time");
            return;
        }
        let write = |sink: &mut dyn Write| codec::write_snapshot(exchange, |bytes| sink.write_all(bytes));
        match snapshots.save_streamed(head, write) {
            Ok(()) => *saved = seq,
            Err(error) => tracing::warn!(%error, "cannot write a snapshot"),
        }
        if let Some(peers) = peers {
            peers.offer_snapshot(head, exchange);
        }
    }

    /// Waits up to `HISTORY_PATIENCE` for history to store everything up to `seq`.
    fn history_has(&self, seq: u64) -> bool {
        let patience = Instant::now() + HISTORY_PATIENCE;
        while self.parts.history.stored() < seq {
            self.parts.history.hurry(seq);
            if Instant::now() > patience {
                tracing::warn!(seq, "history lags behind: no snapshot this time");
                return false;
            }
            thread::sleep(POLL_EVERY);
        }
        true
    }
}
