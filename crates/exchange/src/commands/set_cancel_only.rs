//! `SetCancelOnly`: nothing new is taken, what rests can be cancelled, reads go on. Each cause is lifted on its own.

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::governance::CancelOnlyCause;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn set_cancel_only(
        &mut self,
        caller: Caller,
        cause: CancelOnlyCause,
        on: bool,
    ) -> Result<Reply, Reject> {
        let stopped = match cause {
            CancelOnlyCause::Operator => &mut self.governance.stopped_by_operator,
            // The disk is the node's to judge.
            CancelOnlyCause::LowDisk if caller != Caller::System => return Err(Reject::NotAllowed),
            CancelOnlyCause::LowDisk => &mut self.governance.stopped_by_low_disk,
        };
        *stopped = on;
        self.changes.push(Change::CancelOnly { on: self.governance.is_cancel_only() });
        Ok(Reply::Done)
    }
}
