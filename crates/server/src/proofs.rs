//! The published proof of one instant, renewed when somebody asks for it and never more often than it costs.
//!
//! The follower makes it out of its own state, between two frames, so the writer and its readers never wait: whoever asks
//! leaves word here (`latest`), the follower sees it (`is_wanted`), and everyone who waits gets the same one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use api::proof::Tree;
use api::response::Solvency;
use api::signing::MasterKey;
use exchange::Exchange;
use journal::Head;
use tokio::sync::watch;

use crate::view;

/// While the state moves on, a proof is served for this long at least…
const AGE_MIN: Duration = Duration::from_millis(500);
/// …and for so many times what it took to make, so that making them is a small part of the follower's work.
const AGE_BY_COST: u32 = 10;
/// The follower may be writing a snapshot.
const PATIENCE: Duration = Duration::from_secs(20);

/// One instant.
#[derive(Debug)]
pub struct Published {
    pub solvency: Solvency,
    pub tree: Tree,
    made: Instant,
    /// How old it may become.
    age_max: Duration,
}

/// Where proofs are asked for and put.
#[derive(Debug)]
pub struct Proofs {
    master: MasterKey,
    wanted: AtomicBool,
    latest: watch::Sender<Option<Arc<Published>>>,
}

/// None came in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoProof;

impl Proofs {
    /// The nonces of all trees come from the master key; nothing of them is kept.
    pub fn new(master: MasterKey) -> Proofs {
        Proofs { master, wanted: AtomicBool::new(false), latest: watch::Sender::new(None) }
    }

    /// A proof that is of this sequence or young enough. Waits for the follower if there is none.
    pub async fn latest(&self, sequence: u64) -> Result<Arc<Published>, NoProof> {
        let last = self.latest.borrow().clone();
        match last.filter(|published| published.is_good(sequence)) {
            Some(published) => Ok(published),
            None => self.renewed().await,
        }
    }

    /// The next one that is made.
    pub async fn renewed(&self) -> Result<Arc<Published>, NoProof> {
        let mut made = self.latest.subscribe();
        self.wanted.store(true, Ordering::Release);
        let renewed = tokio::time::timeout(PATIENCE, made.changed()).await;
        let published = matches!(renewed, Ok(Ok(()))).then(|| made.borrow().clone());
        published.flatten().ok_or(NoProof)
    }

    /// For the follower: whether somebody waits.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Acquire)
    }

    /// For the follower: makes the proof of its state, which ends with `head`.
    pub(crate) fn make(&self, exchange: &Exchange, head: &Head) {
        // Whoever asks from now on may mean a later state.
        self.wanted.store(false, Ordering::Release);
        let began = Instant::now();
        let Some((solvency, tree)) = view::solvency::solvency(exchange, head, &self.master) else {
            tracing::error!(sequence = exchange.seq(), "an account is impossible: there is no proof");
            return;
        };
        let cost = began.elapsed();
        tracing::debug!(sequence = exchange.seq(), micros = cost.as_micros(), "a proof was made");
        let age_max = AGE_MIN.max(cost * AGE_BY_COST);
        self.latest.send_replace(Some(Arc::new(Published { solvency, tree, made: Instant::now(), age_max })));
    }
}

impl Published {
    fn is_good(&self, sequence: u64) -> bool {
        self.solvency.sequence == sequence || self.made.elapsed() < self.age_max
    }
}
