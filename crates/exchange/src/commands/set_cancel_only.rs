//! `SetCancelOnly`: refuses new orders while resting orders can be cancelled and reads work. Each cause is lifted
//! separately.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::governance::CancelOnlyCause;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SetCancelOnly {
    #[n(0)]
    pub cause: CancelOnlyCause,
    #[n(1)]
    pub on: bool,
}

impl Exchange {
    pub(crate) fn set_cancel_only(
        &mut self,
        caller: Caller,
        command: &SetCancelOnly,
    ) -> Result<Reply, Reject> {
        let SetCancelOnly { cause, on } = *command;
        let stopped = match cause {
            CancelOnlyCause::Operator => &mut self.governance.stopped_by_operator,
            // Only the node reports a low disk.
            CancelOnlyCause::LowDisk if caller != Caller::System => return Err(Reject::NotAllowed),
            CancelOnlyCause::LowDisk => &mut self.governance.stopped_by_low_disk,
        };
        *stopped = on;
        self.changes.push(Change::CancelOnly { on: self.governance.is_cancel_only() });
        Ok(Reply::Done)
    }
}
