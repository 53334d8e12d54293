//! `patience` for asynchronous tests.

use patience::{Complaint, PATIENCE, Pauses};

/// Asks until there is an answer, and returns it. Panics with the complaint when the patience is at its end.
pub async fn soon<T>(complaint: impl Complaint, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let mut pauses = Pauses::new();
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        let Some(pause) = pauses.next() else { panic!("waited {PATIENCE:?}: {}", complaint.words()) };
        tokio::time::sleep(pause).await;
    }
}
