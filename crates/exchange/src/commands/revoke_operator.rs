//! `revoke_operator`: from this command on the operator may do nothing, and its sessions on the console are over. The
//! record stays, for the audit trail.

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::OperatorId;
use crate::identity::{Operator, Role};
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn revoke_operator(&mut self, caller: Caller, operator: OperatorId) -> Result<Reply, Reject> {
        let approves = |other: &Operator| !other.revoked && other.role == Role::Approver;
        let mut others = self.directory.operators.values().filter(|other| other.id != operator);
        let leaves_approver = others.any(approves);
        let record = self.directory.operators.get_mut(&operator).ok_or(Reject::OperatorNotFound)?;
        // Only the machine's own hand could make another one.
        if caller != Caller::System && approves(record) && !leaves_approver {
            return Err(Reject::LastApprover);
        }
        record.revoked = true;
        self.directory.keep_operator_sessions(operator, |_| false);
        self.arm_ageing();
        Ok(Reply::Done)
    }
}
