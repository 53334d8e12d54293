//! The nodes of a shared log, listed for an operator before a rules upgrade.

use std::sync::{Mutex, PoisonError};

use exchange::Exchange;
use journal::postgres::{LiveNode, SharedTables};

/// A separate database connection for queries about nodes.
#[derive(Debug)]
pub struct Nodes(Mutex<SharedTables>);

impl Nodes {
    pub(crate) fn new(tables: SharedTables) -> Nodes {
        Nodes(Mutex::new(tables))
    }

    /// The nodes that use the log now. Blocks on the database.
    pub fn live(&self) -> Result<Vec<LiveNode>, journal::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).live_nodes()
    }
}

/// Publishes this node's build and rules version to the other nodes.
pub(crate) fn announce(tables: &mut SharedTables, mark: u64) -> Result<(), journal::Error> {
    tables.announce(mark, Exchange::rules_known(), env!("CARGO_PKG_VERSION"))
}
