//! The Rust client library against the real executable: trading, reading, streams, lost connections, its documents.

mod crashes;
mod cuts;
mod documents;
mod exchange;
mod followers;
mod proxy;
mod reading;
mod sandbox;
mod scripted;
mod streams;
mod trading;
mod transport;

use std::future::Future;

use patience::PATIENCE;
use tokio::time::timeout;

/// An event with a book and one market.
const BOOK: &str = "housing-bill-this-session";

/// Runs a test's async code.
fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(work)
}

/// The result of something that must come soon.
async fn within<T>(what: &str, work: impl Future<Output = T>) -> T {
    timeout(PATIENCE, work).await.unwrap_or_else(|_| panic!("{what} did not come"))
}
