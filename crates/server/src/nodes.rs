//! The nodes of a shared log, as an operator asks about them before the rules move on.

use std::sync::{Mutex, PoisonError};

use exchange::Exchange;
use journal::postgres::{Beside, LiveNode};

/// A connection beside the log for questions about nodes.
#[derive(Debug)]
pub struct Nodes(Mutex<Beside>);

impl Nodes {
    pub(crate) fn new(beside: Beside) -> Nodes {
        Nodes(Mutex::new(beside))
    }

    /// The nodes that are on the log now. Waits for the database.
    pub fn live(&self) -> Result<Vec<LiveNode>, journal::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).live_nodes()
    }
}

/// The build and the rules that this node tells the others about.
pub(crate) fn announce(beside: &mut Beside, mark: u64) -> Result<(), journal::Error> {
    beside.announce(mark, Exchange::RULES_VERSION, env!("CARGO_PKG_VERSION"))
}
