//! The follower's exchange with the other nodes of a shared log: it compares digests at checkpoints, stores snapshots
//! for new nodes and releases this node's mark at the end.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use exchange::{Exchange, codec};
use journal::postgres::SharedTables;
use journal::{Head, Sequence};

use super::sequencer::WriterStatus;
use super::state::Shared;
use crate::node_mark::NodeMark;
use crate::start_error::StartError;

/// Bytes of a digest shown in a message.
const SHOWN_BYTES: usize = 8;

/// The follower's view of the other nodes: it stays behind the live state and compares digests at checkpoints.
#[derive(Debug)]
pub struct Peers {
    pub(crate) live: Arc<Shared>,
    pub(crate) writer_status: Arc<WriterStatus>,
    pub(crate) tables: SharedTables,
    pub(crate) mark: NodeMark,
    pub(crate) node: [u8; 16],
    /// The interval between checkpoints, in the log's time.
    pub(crate) checkpoint_every: Duration,
    /// Commands after which one of the nodes stores a snapshot in the database.
    pub(crate) snapshot_every: u64,
}

impl Peers {
    /// Compares digests with the other nodes whenever the log's time passes a checkpoint, which is the same frame on
    /// every node.
    pub(crate) fn compare(
        &mut self,
        before: i64,
        head: &Head,
        exchange: &Exchange,
    ) -> Result<(), StartError> {
        let every = i64::try_from(self.checkpoint_every.as_micros()).unwrap_or(i64::MAX).max(1);
        if before.div_euclid(every) == head.at.div_euclid(every) {
            return Ok(());
        }
        let ours = exchange.digest();
        let theirs = match self.tables.compare(Sequence(exchange.seq()), self.node, &ours) {
            Ok(theirs) => theirs,
            Err(error) => {
                tracing::warn!(%error, "cannot compare digests");
                return Ok(());
            }
        };
        if theirs == ours {
            return Ok(());
        }
        self.writer_status.diverge();
        let shown = |digest: &[u8]| HEXLOWER.encode(&digest[..SHOWN_BYTES.min(digest.len())]);
        Err(StartError::Diverged { seq: exchange.seq(), ours: shown(&ours), theirs: shown(&theirs) })
    }

    /// Releases the mark of a node that stops: its next start need not wait for it.
    pub(crate) fn release_mark(&mut self) {
        if let Err(error) = self.tables.release(self.mark.number()) {
            tracing::warn!(%error, "this node's mark is not released: its next start waits a moment");
        }
    }

    /// Stores a snapshot for new nodes, unless the newest stored one is recent enough.
    pub(crate) fn offer_snapshot(&mut self, head: &Head, exchange: &Exchange) {
        let stored = self.tables.newest_snapshot().and_then(|newest| {
            let is_due = head.next.0.saturating_sub(newest.0) >= self.snapshot_every;
            let write = |sink: &mut dyn Write| codec::write_snapshot(exchange, |bytes| sink.write_all(bytes));
            if is_due { self.tables.save_snapshot(head, write) } else { Ok(false) }
        });
        match stored {
            Ok(true) => tracing::info!(sequence = head.next.0 - 1, "stored a snapshot in the log's database"),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "cannot store a snapshot in the log's database"),
        }
    }
}
