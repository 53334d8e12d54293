//! The published proof of solvency at one sequence. It is renewed on demand, at a limited rate.
//!
//! The follower makes it from its own state, between two frames, so neither the writer nor its readers wait. A request
//! sets a flag (`latest`), the follower polls it (`is_requested`), and all waiting requests get the same proof.

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

/// While the state changes, a proof is served for at least this long…
const AGE_MIN: Duration = Duration::from_millis(500);
/// …and for at least this multiple of the time it took to make, so that proofs take a small part of the follower's
/// time.
const AGE_BY_COST: u32 = 10;
/// How long a request waits; the follower may be busy writing a snapshot.
const PATIENCE: Duration = Duration::from_secs(20);

/// A proof at one sequence.
#[derive(Debug)]
pub struct Published {
    pub solvency: Solvency,
    pub tree: Tree,
    made: Instant,
    /// The age up to which it is served.
    age_max: Duration,
}

/// Requests for proofs, and the latest proof.
#[derive(Debug)]
pub struct Proofs {
    master: MasterKey,
    /// A proof of an earlier sequence is never served.
    is_exact: bool,
    requested: AtomicBool,
    latest: watch::Sender<Option<Arc<Published>>>,
}

/// No proof was made in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoProof;

impl Proofs {
    /// The nonces of all trees are derived from the master key; none is stored. `is_exact`: every proof is of the
    /// requested sequence or a later one, at any cost.
    pub fn new(master: MasterKey, is_exact: bool) -> Proofs {
        Proofs { master, is_exact, requested: AtomicBool::new(false), latest: watch::Sender::new(None) }
    }

    /// Returns a proof at this sequence, or a recent enough one. Otherwise waits for the follower to make one.
    pub async fn latest(&self, sequence: u64) -> Result<Arc<Published>, NoProof> {
        let last = self.latest.borrow().clone();
        match last.filter(|published| published.is_fresh(sequence, self.is_exact)) {
            Some(published) => Ok(published),
            None if self.is_exact => self.wait_for_sequence(sequence).await,
            None => self.wait_for_next().await,
        }
    }

    /// Waits until the follower has reached the sequence, and has made a proof there.
    async fn wait_for_sequence(&self, sequence: u64) -> Result<Arc<Published>, NoProof> {
        loop {
            let published = self.wait_for_next().await?;
            if published.solvency.sequence >= sequence {
                return Ok(published);
            }
        }
    }

    /// Waits for the next proof.
    pub async fn wait_for_next(&self) -> Result<Arc<Published>, NoProof> {
        let mut made = self.latest.subscribe();
        self.requested.store(true, Ordering::Release);
        let renewed = tokio::time::timeout(PATIENCE, made.changed()).await;
        let published = matches!(renewed, Ok(Ok(()))).then(|| made.borrow().clone());
        published.flatten().ok_or(NoProof)
    }

    /// For the follower: whether a request waits.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Acquire)
    }

    /// For the follower: makes the proof of its state; `head` is the journal head of that state.
    pub(crate) fn publish(&self, exchange: &Exchange, head: &Head) {
        // Cleared first: a request that arrives from now on may need a later state.
        self.requested.store(false, Ordering::Release);
        let began = Instant::now();
        let Some((solvency, tree)) = view::solvency::solvency(exchange, head, &self.master) else {
            tracing::error!(sequence = exchange.seq(), "an account is invalid: cannot make a proof");
            return;
        };
        let cost = began.elapsed();
        tracing::debug!(sequence = exchange.seq(), micros = cost.as_micros(), "made a proof");
        let age_max = AGE_MIN.max(cost * AGE_BY_COST);
        self.latest.send_replace(Some(Arc::new(Published { solvency, tree, made: Instant::now(), age_max })));
    }
}

impl Published {
    fn is_fresh(&self, sequence: u64, is_exact: bool) -> bool {
        self.solvency.sequence == sequence || (!is_exact && self.made.elapsed() < self.age_max)
    }
}
