//! The nodes of a shared log, listed for an operator before a rules upgrade.

use std::sync::{Mutex, PoisonError};

use exchange::Exchange;
use journal::postgres::{Beside, LiveNode};

/// A separate database connection for queries about nodes.
#[derive(Debug)]
pub struct Nodes(Mutex<Beside>);

impl Nodes {
    pub(crate) fn new(beside: Beside) -> Nodes {
        Nodes(Mutex::new(beside))
    }

    /// The nodes that use the log now. Blocks on the database.
    pub fn live(&self) -> Result<Vec<LiveNode>, journal::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).live_nodes()
    }
}

/// Publishes this node's build and rules version to the other nodes.
pub(crate) fn announce(beside: &mut Beside, mark: u64) -> Result<(), journal::Error> {
    beside.announce(mark, Exchange::RULES_VERSION, env!("CARGO_PKG_VERSION"))
}
