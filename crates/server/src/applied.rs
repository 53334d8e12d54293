//! An applied request, as the pipeline passes it to history, the streams and replays.
//!
//! The types are below all layers that use them: `pipeline` creates them, `history` and `audit_trail` read them.

use exchange::change::Change;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;
use exchange::{Exchange, Request};

/// A request right after it was decided.
#[derive(Debug)]
pub struct Applied<'a> {
    pub seq: u64,
    pub at: Time,
    pub request: &'a Request,
    pub result: &'a Result<Reply, Reject>,
    pub changes: &'a [Change],
    /// The state right after this request.
    pub exchange: &'a Exchange,
}

/// A request after its whole group was decided.
#[derive(Debug)]
pub struct Decided<'a> {
    pub seq: u64,
    pub at: Time,
    pub request: &'a Request,
    pub result: &'a Result<Reply, Reject>,
}

/// Receives every applied request in order, before its caller is answered. It runs on the apply thread, so it must be
/// fast.
pub trait Observer: Send {
    /// The last sequence that the observer stored before this start. A start replays everything after it, even where a
    /// snapshot would make that unnecessary.
    fn stored_until(&self) -> u64 {
        u64::MAX
    }

    fn applied(&mut self, applied: &Applied<'_>);
    /// Stores the response for retries with the same idempotency key. It runs without the state's lock, so readers are
    /// not blocked.
    fn store_answer(&mut self, _: &Decided<'_>) {}

    /// Called after each group; observed changes may be passed on now.
    fn group_ended(&mut self) {}
}

/// An observer that does nothing.
#[derive(Debug)]
pub(crate) struct Unobserved;

impl Observer for Unobserved {
    fn applied(&mut self, _: &Applied<'_>) {}
}
