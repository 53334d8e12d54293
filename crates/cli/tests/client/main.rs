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
use std::time::Duration;

use tokio::time::timeout;

/// How long a test waits for something that comes within a moment unless it is broken.
const PATIENCE: Duration = Duration::from_secs(60);

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
