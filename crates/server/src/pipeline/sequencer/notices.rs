//! Notifications of other nodes' appends to a shared log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};
use journal::Sequence;

/// Notifications of other nodes' appends.
#[derive(Clone, Debug)]
pub struct AppendNotices {
    highest: Arc<AtomicU64>,
    pub(super) wake: Receiver<()>,
    /// Keeps the channel open; otherwise `recv` would return `Disconnected` in a loop.
    _sender: Sender<()>,
}

impl AppendNotices {
    /// The receiver, and a callback to call with the sequence of each new frame.
    pub fn channel() -> (AppendNotices, impl Fn(Sequence) + Send + use<>) {
        let (highest, (sender, wake)) = (Arc::new(AtomicU64::new(0)), bounded(1));
        let notices = AppendNotices { highest: highest.clone(), wake, _sender: sender.clone() };
        let notify = move |sequence: Sequence| {
            highest.fetch_max(sequence.0, Ordering::AcqRel);
            // A notification that is already queued suffices.
            let _ = sender.try_send(());
        };
        (notices, notify)
    }

    /// Whether another node was reported to have taken this sequence. Clears the report, because the caller reads the
    /// log next.
    pub(super) fn take_notice(&self, sequence: Sequence) -> bool {
        self.highest.swap(0, Ordering::AcqRel) >= sequence.0
    }
}
