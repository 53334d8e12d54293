//! `confirm_operator`: two persons agree that an operator is a person of its own, and not its maker's second token.

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::OperatorId;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn confirm_operator(&mut self, caller: Caller, operator: OperatorId) -> Result<Reply, Reject> {
        self.find_operator(operator)?;
        match caller {
            Caller::System | Caller::Proposal { is_agreed: true, .. } => {}
            Caller::Proposal { .. } => return Err(Reject::NeedsAnother),
            Caller::Operator { .. } | Caller::User { .. } => return Err(Reject::NeedsProposal),
        }
        if let Some(record) = self.directory.operators.get_mut(&operator) {
            record.become_own_person();
        }
        Ok(Reply::Done)
    }
}
