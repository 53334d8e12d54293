//! `Withdraw`: a proposal is taken back, by whoever made it or by another operator who knows better. An event keeps
//! what was proposed for it, and why it came to nothing.

use crate::authority::Caller;
use crate::catalogue::checks::check_title;
use crate::change::{Change, ProposalStep};
use crate::exchange::Exchange;
use crate::governance::{Ending, Proposal, Resolution, Subject};
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

        let Proposal { subject, evidence, by, at, .. } = proposal;
        if let Subject::Resolution { event, verdict } = subject
            && let Some(event) = self.catalogue.find_event(event)
        {
            let resolution = Resolution {
                verdict,
                evidence,
                proposed_by: by,
                proposed_at: at,
                ending: Ending::Withdrawn { reason: reason.clone() },
                ended_by: caller.author(),
                ended_at: self.now,
            };
            self.note_resolution(event, resolution);
        }
        self.changes.push(Change::Proposal { proposal: id, step: ProposalStep::Withdrawn });
        Ok(Reply::Done)
    }
}
