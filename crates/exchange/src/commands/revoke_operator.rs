//! `revoke_operator`: revokes an operator permanently and ends its console sessions. The record stays, for the audit
//! trail.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::OperatorId;
use crate::identity::Operator;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RevokeOperator {
    #[n(0)]
    pub operator: OperatorId,
}

impl Exchange {
    pub(crate) fn revoke_operator(
        &mut self,
        caller: Caller,
        command: &RevokeOperator,
    ) -> Result<Reply, Reject> {
        let RevokeOperator { operator } = *command;
        self.check_revoke_operator(caller, operator)?;
        self.check_alone(caller)?;
        if let Some(record) = self.directory.operators.get_mut(&operator) {
            record.revoked = true;
        }
        self.directory.keep_operator_sessions(operator, |_| false);
        self.arm_ageing();
        if self.since(4) {
            self.end_proposals_of_inactive();
        }
        Ok(Reply::Done)
    }

    pub(crate) fn check_revoke_operator(&self, caller: Caller, operator: OperatorId) -> Result<(), Reject> {
        self.directory.operator(operator).ok_or(Reject::OperatorNotFound)?;
        self.check_leaves_approvers(caller, operator)
    }

    /// Finds an operator that is not revoked.
    pub(crate) fn find_operator(&self, operator: OperatorId) -> Result<&Operator, Reject> {
        let found = self.directory.operator(operator).filter(|operator| !operator.revoked);
        found.ok_or(Reject::OperatorNotFound)
    }

    /// Refuses to remove an approver if too few would be left to finalise anything. Only the owner of the machine could
    /// then create another one.
    pub(crate) fn check_leaves_approvers(&self, caller: Caller, operator: OperatorId) -> Result<(), Reject> {
        let is_approver = self.directory.operator(operator).is_some_and(Operator::is_active_approver);
        let others = || self.directory.active_approvers().filter(|other| other.id != operator);
        let is_another =
            |one: &Operator| others().any(|other| !self.directory.is_same_person(one.id, other.id));
        match (caller, self.governance.policy.two_required) {
            (Caller::System, _) => Ok(()),
            (_, false) if is_approver && others().count() == 0 => Err(Reject::LastApprover),
            (_, true) if is_approver && !others().any(is_another) => Err(Reject::TooFewApprovers),
            _ => Ok(()),
        }
    }
}
