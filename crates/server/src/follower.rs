//! A second state that follows the journal behind the live one, writes the snapshots and makes the published proofs, so
//! that the writer never waits for them. At the end the two digests are compared: a standing proof that replay gives what was served.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use exchange::{Exchange, codec};
use journal::snapshots::SnapshotStore;
use journal::{Frames, Head};

use crate::history::History;
use crate::proofs::Proofs;
use crate::startup::{StartError, Unobserved, head_behind, replay};

/// How often a snapshot is written while something happens.
const SNAPSHOT_EVERY: Duration = Duration::from_secs(60);
const HISTORY_PATIENCE: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub struct Follower {
    stop: Arc<AtomicBool>,
    seq: Arc<AtomicU64>,
    thread: JoinHandle<Result<[u8; 32], StartError>>,
}

struct Following {
    exchange: Exchange,
    head: Head,
    frames: Box<dyn Frames>,
    snapshots: SnapshotStore,
    saved: u64,
    history: History,
    proofs: Arc<Proofs>,
}

impl Follower {
    /// Follows from a state and the cursor right behind it.
    pub fn start(
        exchange: Exchange,
        head: Head,
        frames: Box<dyn Frames>,
        snapshots: SnapshotStore,
        history: History,
        proofs: Arc<Proofs>,
    ) -> Follower {
        let (stop, seq) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(exchange.seq())));
        let thread = {
            let (stop, seq) = (stop.clone(), seq.clone());
            let saved = exchange.seq();
            let mut following = Following { exchange, head, frames, snapshots, saved, history, proofs };
            thread::Builder::new().name("follow".to_owned()).spawn(move || {
                let result = following.run(&stop, &seq);
                if let Err(error) = &result {
                    tracing::error!(%error, "the follower stopped: no more snapshots until a restart");
                }
                result
            })
        };
        let thread =
            thread.unwrap_or_else(|error| panic!("the machine gives no thread for the follower: {error}"));
        Follower { stop, seq, thread }
    }

    /// The sequence it has reached.
    pub fn seq(&self) -> u64 {
        self.seq.load(Ordering::Acquire)
    }

    /// Goes to the end of the journal, writes a last snapshot and gives the digest of what it has.
    pub fn finish(self) -> Result<[u8; 32], StartError> {
        self.stop.store(true, Ordering::Release);
        match self.thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl Following {
    fn run(&mut self, stop: &AtomicBool, seq: &AtomicU64) -> Result<[u8; 32], StartError> {
        let mut last = Instant::now();
        loop {
            // Read first, so that everything durable before the stop is followed.
            let is_stopping = stop.load(Ordering::Acquire);
            while let Some(frame) = self.frames.next_frame()? {
                replay(&mut self.exchange, &frame, &mut Unobserved)?;
                self.head = head_behind(&frame);
                seq.store(self.exchange.seq(), Ordering::Release);
            }
            if is_stopping {
                self.save();
                return Ok(self.exchange.digest());
            }
            if last.elapsed() >= SNAPSHOT_EVERY {
                self.save();
                last = Instant::now();
            }
            if self.proofs.is_wanted() {
                self.proofs.make(&self.exchange, &self.head);
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// A snapshot only spares replaying: one that cannot be written is reported and tried again later.
    fn save(&mut self) {
        // A start replays from the snapshot, so history must have everything before it, for good.
        if self.exchange.seq() == self.saved || !self.history_has(self.exchange.seq()) {
            return;
        }
        if !self.history.make_durable(HISTORY_PATIENCE) {
            tracing::warn!("history is not durable: no snapshot now");
            return;
        }
        match self.snapshots.save(&self.head, &codec::encode_snapshot(&self.exchange)) {
            Ok(()) => self.saved = self.exchange.seq(),
            Err(error) => tracing::warn!(%error, "no snapshot was written"),
        }
    }

    /// Gives history a moment to store what was followed.
    fn history_has(&self, seq: u64) -> bool {
        let patience = Instant::now() + HISTORY_PATIENCE;
        while self.history.stored() < seq {
            if Instant::now() > patience {
                tracing::warn!(seq, "history is behind: no snapshot now");
                return false;
            }
            thread::sleep(LOOK_EVERY);
        }
        true
    }
}
