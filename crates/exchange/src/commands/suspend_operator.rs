//! `suspend_operator`: any approver can suspend any operator immediately, which ends its console sessions. Lifting the
//! suspension takes two persons where two are required.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::OperatorId;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SuspendOperator {
    #[n(0)]
    pub operator: OperatorId,
    #[n(1)]
    pub suspended: bool,
}

impl Exchange {
    pub(crate) fn suspend_operator(
        &mut self,
        caller: Caller,
        command: &SuspendOperator,
    ) -> Result<Reply, Reject> {
        let SuspendOperator { operator, suspended } = *command;
        let record = self.find_operator(operator)?;
        if suspended {
            let is_last = record.is_active_approver() && self.directory.active_approvers().count() == 1;
            if is_last && caller != Caller::System {
                return Err(Reject::LastApprover);
            }
            self.directory.keep_operator_sessions(operator, |_| false);
            self.arm_ageing();
        } else {
            self.check_alone(caller)?;
        }
        if let Some(record) = self.directory.operators.get_mut(&operator) {
            record.suspended = suspended;
        }
        Ok(Reply::Done)
    }
}
