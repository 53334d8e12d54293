//! `record_skip`: records that an earlier request, which no build can decide, was skipped. The command is alone in a
//! frame of kind `Skip`, so that a start finds it before it reaches that request.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;
use crate::time::Time;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RecordSkip {
    /// The sequence of the skipped request.
    #[n(0)]
    pub skipped: u64,
    /// Why the build that wrote this could not decide the request.
    #[n(1)]
    pub reason: Text,
}

impl Exchange {
    pub(crate) fn record_skip(&mut self, _: Caller, command: &RecordSkip) -> Result<Reply, Reject> {
        if !(1..self.seq).contains(&command.skipped) {
            return Err(Reject::InvalidField { field: "skipped", rule: "is an earlier sequence" });
        }
        self.changes.push(Change::RequestSkipped { seq: command.skipped });
        Ok(Reply::Done)
    }

    /// Skips a request that a `RecordSkip` names: only the sequence and the time advance. Due timers fire with the next
    /// request.
    pub fn pass_over(&mut self, at: Time) {
        self.changes.clear();
        self.seq += 1;
        self.now = self.now.max(at);
        self.ledger.set_now(self.now);
    }
}
