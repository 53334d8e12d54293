//! `Withdraw`: an operator withdraws a proposal, its own or another's. The event records what was proposed and why it
//! was withdrawn.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::checks::check_title;
use crate::change::{Change, ProposalStep};
use crate::exchange::Exchange;
use crate::governance::Ending;
use crate::id::ProposalId;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Withdraw {
    #[n(0)]
    pub proposal: ProposalId,
    #[n(1)]
    pub reason: Text,
}

impl Exchange {
    pub(crate) fn withdraw(&mut self, caller: Caller, command: &Withdraw) -> Result<Reply, Reject> {
        let &Withdraw { proposal: id, ref reason } = command;
        check_title("reason", reason)?;
        let proposal = self.governance.proposals.remove(id).ok_or(Reject::ProposalNotFound)?;

        self.note_ended(proposal, Ending::Withdrawn { reason: reason.clone() }, caller.author());
        self.changes.push(Change::Proposal { proposal: id, step: ProposalStep::Withdrawn });
        Ok(Reply::Done)
    }
}
