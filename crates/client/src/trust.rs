//! Whether a local copy is the exchange's state, and the connection that keeps it current.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether a copy equals the exchange's state at `sequence`, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trust {
    /// The last request that the copy includes.
    pub sequence: u64,
    /// Up to this request nothing else has changed.
    pub head: u64,
    /// Whether the copy is the exchange's state, over a live connection.
    pub is_trusted: bool,
    /// Why it is not; empty if it is.
    pub reason: String,
}

impl Trust {
    pub(crate) fn none() -> Trust {
        Trust { sequence: 0, head: 0, is_trusted: false, reason: "no snapshot yet".to_owned() }
    }

    /// This trust, unless the connection has ended since the last step.
    pub(crate) fn while_live(&self, liveness: &Liveness) -> Trust {
        let mut trust = self.clone();
        if trust.is_trusted && !liveness.is_live() {
            trust.is_trusted = false;
            trust.reason = "the connection has ended".to_owned();
        }
        trust
    }
}

/// The connection that a copy came from. The task that reads it says at once when it ends, before the stream's next step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Liveness(Option<(OpenConnection, u64)>);

impl Liveness {
    pub(crate) fn new(open: OpenConnection, number: u64) -> Liveness {
        Liveness(Some((open, number)))
    }

    /// Whether that connection is still open. True without a connection, for copies that no stream has made.
    pub(crate) fn is_live(&self) -> bool {
        self.0.as_ref().is_none_or(|(open, number)| open.is(*number))
    }
}

/// The number of the connection that is open now, shared by the task that keeps it and its copies.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenConnection(Arc<AtomicU64>);

impl OpenConnection {
    /// Numbers begin with 1; 0 means none.
    pub(crate) fn set(&self, number: u64) {
        self.0.store(number, Ordering::Release);
    }

    fn is(&self, number: u64) -> bool {
        self.0.load(Ordering::Acquire) == number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_trusted_only_while_its_own_connection_is_open() {
        let open = OpenConnection::default();
        let trust = Trust { is_trusted: true, reason: String::new(), ..Trust::none() };
        open.set(1);
        let first = Liveness::new(open.clone(), 1);
        assert_eq!(trust.while_live(&first), trust);
        open.set(0);
        assert!(!trust.while_live(&first).is_trusted);
        open.set(2);
        let later = trust.while_live(&first);
        assert_eq!((later.is_trusted, later.reason.as_str()), (false, "the connection has ended"));
    }
}
