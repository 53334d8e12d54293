//! The sequence that the current request's response was made from. The edge sends it as `x-sequence`.

use std::cell::Cell;
use std::future::Future;

tokio::task_local! {
    static SEQUENCE: Cell<Option<u64>>;
}

/// Records the sequence of a state that the response was made from. With several reads the lowest counts: the response
/// is no older than that.
pub(crate) fn note_sequence(sequence: u64) {
    // Outside a request there is no response.
    let _ = SEQUENCE.try_with(|noted| noted.set(Some(noted.get().unwrap_or(sequence).min(sequence))));
}

/// Records the sequence of the request's own write, in place of earlier reads: a client that waits for it at another node
/// must see the write.
pub(crate) fn note_own_write(sequence: u64) {
    let _ = SEQUENCE.try_with(|noted| noted.set(Some(sequence)));
}

/// Runs a step of a request. Returns its result and the sequence that it noted.
pub(crate) fn run_noting_sequence<T>(step: impl FnOnce() -> T) -> (T, Option<u64>) {
    SEQUENCE.sync_scope(Cell::new(None), || {
        let done = step();
        (done, SEQUENCE.with(Cell::get))
    })
}

/// Runs a request. Returns its response and the sequence that it noted.
pub(crate) async fn with_noted_sequence<T>(request: impl Future<Output = T>) -> (T, Option<u64>) {
    let noting = async {
        let response = request.await;
        (response, SEQUENCE.with(Cell::get))
    };
    SEQUENCE.scope(Cell::new(None), noting).await
}
