//! A second state that follows the journal behind the live one, writes the snapshots and makes the published proofs, so
//! that the writer never waits for them. At the end the two digests are compared: a standing proof that replay gives what was served.
//! Where nodes share a log, digests are also compared between them, at checkpoints that the log's own time sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use exchange::{Exchange, codec};
use journal::snapshots::SnapshotStore;
use journal::{Frame, Frames, Head};

use crate::history::History;
use crate::proofs::Proofs;
use crate::shared_log::Company;
use crate::skips::Skips;
use crate::startup::{StartError, Unobserved, head_behind, replay};

/// How often a snapshot is written while something happens.
const SNAPSHOT_EVERY: Duration = Duration::from_secs(60);
const HISTORY_PATIENCE: Duration = Duration::from_secs(5);
/// How long a stop waits for a shared log that is away.
const LAST_PATIENCE: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub struct Follower {
    stop: Arc<AtomicBool>,
    seq: Arc<AtomicU64>,
    thread: JoinHandle<Result<[u8; 32], StartError>>,
}

/// What is followed, and where it is kept.
#[allow(missing_debug_implementations, reason = "a cursor has nothing to print")]
pub struct Followed {
    pub exchange: Exchange,
    /// The sequence of the newest snapshot that there is.
    pub saved: u64,
    pub head: Head,
    /// A cursor right behind the state.
    pub frames: Box<dyn Frames>,
    pub snapshots: SnapshotStore,
    pub history: History,
    pub proofs: Arc<Proofs>,
    /// Where nodes share the log.
    pub company: Option<Company>,
}

struct Following {
    followed: Followed,
    /// A frame that the live state has not reached yet.
    held: Option<Frame>,
    /// The log could not be read when it was last looked at.
    is_blind: bool,
}

impl Follower {
    pub fn start(followed: Followed) -> Follower {
        let start = followed.exchange.seq();
        let (stop, seq) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(start)));
        let thread = {
            let (stop, seq) = (stop.clone(), seq.clone());
            let mut following = Following { followed, held: None, is_blind: false };
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
        let mut stopping_since = None;
        loop {
            // Read first, so that everything durable before the stop is followed.
            let is_stopping = stop.load(Ordering::Acquire);
            while let Some(frame) = self.next_frame(stopping_since)? {
                self.follow(&frame)?;
                seq.store(self.followed.exchange.seq(), Ordering::Release);
            }
            if is_stopping {
                stopping_since.get_or_insert_with(Instant::now);
                if self.is_level() {
                    self.save();
                    return Ok(self.followed.exchange.digest());
                }
            }
            if last.elapsed() >= SNAPSHOT_EVERY {
                self.save();
                last = Instant::now();
            }
            let Followed { exchange, head, proofs, .. } = &self.followed;
            if proofs.is_wanted() {
                proofs.make(exchange, head);
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// The next frame that the live state has applied. A shared log that is away comes back, and so does a descriptor, unless
    /// there is no time left.
    fn next_frame(&mut self, stopping_since: Option<Instant>) -> Result<Option<Frame>, StartError> {
        let Followed { frames, company, .. } = &mut self.followed;
        if self.held.is_none() {
            let has_time = stopping_since.is_none_or(|since| since.elapsed() < LAST_PATIENCE);
            self.held = match frames.next_frame() {
                Err(error) if error.is_passing() && has_time => {
                    if !std::mem::replace(&mut self.is_blind, true) {
                        tracing::warn!(%error, "the follower cannot read the log");
                    }
                    None
                }
                read => {
                    self.is_blind = false;
                    read?
                }
            };
        }
        let is_due = |frame: &mut Frame| {
            company.as_ref().is_none_or(|company| frame.header.next().0 <= company.live.read().seq() + 1)
        };
        Ok(self.held.take_if(is_due))
    }

    fn follow(&mut self, frame: &Frame) -> Result<(), StartError> {
        let Followed { exchange, head, company, .. } = &mut self.followed;
        // It began level with the live state, which was past every request that is skipped.
        replay(exchange, frame, &Skips::default(), &mut Unobserved)?;
        let before = std::mem::replace(head, head_behind(frame));
        match company {
            Some(company) => company.compare(before.at, head, exchange),
            None => Ok(()),
        }
    }

    /// Whether it has all that the live state has. One that is alone has read its journal to the end.
    fn is_level(&self) -> bool {
        let Followed { exchange, company, .. } = &self.followed;
        company.as_ref().is_none_or(|company| company.live.read().seq() == exchange.seq())
    }

    /// A snapshot only spares replaying: one that cannot be written is reported and tried again later.
    fn save(&mut self) {
        // A start replays from the snapshot, so history must have everything before it, for good.
        let seq = self.followed.exchange.seq();
        if seq == self.followed.saved || !self.history_has(seq) {
            return;
        }
        let Followed { exchange, saved, head, snapshots, history, company, .. } = &mut self.followed;
        if !history.make_durable(HISTORY_PATIENCE) {
            tracing::warn!("history is not durable: no snapshot now");
            return;
        }
        let content = codec::encode_snapshot(exchange);
        match snapshots.save(head, &content) {
            Ok(()) => *saved = seq,
            Err(error) => tracing::warn!(%error, "no snapshot was written"),
        }
        if let Some(company) = company {
            company.offer_snapshot(head, &content);
        }
    }

    /// Gives history a moment to store what was followed.
    fn history_has(&self, seq: u64) -> bool {
        let patience = Instant::now() + HISTORY_PATIENCE;
        while self.followed.history.stored() < seq {
            self.followed.history.hurry();
            if Instant::now() > patience {
                tracing::warn!(seq, "history is behind: no snapshot now");
                return false;
            }
            thread::sleep(LOOK_EVERY);
        }
        true
    }
}
