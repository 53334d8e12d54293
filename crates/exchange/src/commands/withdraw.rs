//! `Withdraw`: an operator takes a proposal back, its own or another's. An event keeps what was proposed for it, and why it
//! came to nothing.

use crate::authority::Caller;
use crate::catalogue::checks::check_title;
use crate::change::{Change, ProposalStep};
use crate::exchange::Exchange;
use crate::governance::Ending;
use crate::id::ProposalId;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

impl Exchange {
    pub(crate) fn withdraw(
        &mut self,
        caller: Caller,
        id: ProposalId,
        reason: &Text,
    ) -> Result<Reply, Reject> {
        check_title("reason", reason)?;
        let proposal = self.governance.proposals.remove(&id).ok_or(Reject::ProposalNotFound)?;

        self.note_ended(proposal, Ending::Withdrawn { reason: reason.clone() }, caller.author());
        self.changes.push(Change::Proposal { proposal: id, step: ProposalStep::Withdrawn });
        Ok(Reply::Done)
    }
}
