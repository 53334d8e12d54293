//! `confirm_operator`: two persons agree that an operator is a separate person, not a second token of its creator.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::OperatorId;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ConfirmOperator {
    #[n(0)]
    pub operator: OperatorId,
}

impl Exchange {
    pub(crate) fn confirm_operator(
        &mut self,
        caller: Caller,
        command: &ConfirmOperator,
    ) -> Result<Reply, Reject> {
        let ConfirmOperator { operator } = *command;
        let is_confirmed = self.find_operator(operator)?.is_own_person();
        match caller {
            Caller::System | Caller::Proposal { is_agreed: true, .. } => {}
            Caller::Proposal { operator: glass, .. } if self.since(4) && self.is_break_glass(glass) => {
                // There is nothing to vouch for in an operator who is its own person.
                if !is_confirmed {
                    self.directory.hold(operator, glass);
                }
                return Ok(Reply::Done);
            }
            Caller::Proposal { .. } => return Err(Reject::NeedsAnother),
            Caller::Operator { .. } | Caller::User { .. } => return Err(Reject::NeedsProposal),
        }
        if let Some(record) = self.directory.operators.get_mut(&operator) {
            record.become_own_person();
        }
        Ok(Reply::Done)
    }
}
