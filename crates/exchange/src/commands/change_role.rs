//! `change_role`: changes an operator's role.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::OperatorId;
use crate::identity::Role;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ChangeRole {
    #[n(0)]
    pub operator: OperatorId,
    #[n(1)]
    pub role: Role,
}

impl Exchange {
    pub(crate) fn change_role(&mut self, caller: Caller, command: &ChangeRole) -> Result<Reply, Reject> {
        let ChangeRole { operator, role } = *command;
        self.check_change_role(caller, operator, role)?;
        self.check_alone(caller)?;
        if self.find_operator(operator)?.role < role {
            self.hold_by_break_glass(caller, operator);
        }
        if let Some(record) = self.directory.operators.get_mut(&operator) {
            record.role = role;
        }
        Ok(Reply::Done)
    }

    pub(crate) fn check_change_role(
        &self,
        caller: Caller,
        operator: OperatorId,
        role: Role,
    ) -> Result<(), Reject> {
        self.find_operator(operator)?;
        if role == Role::Approver { Ok(()) } else { self.check_leaves_approvers(caller, operator) }
    }
}
