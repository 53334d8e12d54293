//! `Finalise`: what was proposed happens, if it has stood long enough, and by another person where two are required.

use crate::authority::Caller;
use crate::change::{Change, ProposalStep};
use crate::exchange::Exchange;
use crate::governance::{Proposal, Resolution, Subject, Verdict};
use crate::id::ProposalId;
use crate::identity::Role;
use crate::index::EventIndex;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::time::Span;

impl Exchange {
    pub(crate) fn finalise(&mut self, caller: Caller, id: ProposalId) -> Result<Reply, Reject> {
        let proposal = self.governance.proposal(id).ok_or(Reject::ProposalNotFound)?;
        self.check_finaliser(caller, proposal)?;
        if proposal.subject.pays() {
            let delay = Span::seconds(self.governance.policy.resolution_delay_seconds.into());
            if self.now < proposal.at + delay {
                return Err(Reject::ProposalTooYoung { until: proposal.at + delay });
            }
        }
        // The world may have moved since it was proposed.
        let (proposal, verdicts) = (proposal.clone(), self.check_subject(&proposal.subject)?);

        self.governance.proposals.remove(&id);
        self.enact(caller, proposal, verdicts);
        self.changes.push(Change::Proposal { proposal: id, step: ProposalStep::Finalised });
        Ok(Reply::Done)
    }

    fn check_finaliser(&self, caller: Caller, proposal: &Proposal) -> Result<(), Reject> {
        if !proposal.subject.pays() {
            caller.require(Role::Approver)?;
        }
        if caller == Caller::System || !self.governance.policy.two_required {
            return Ok(());
        }
        caller.require(Role::Approver)?;
        if caller.author().is_same_person(&proposal.by) { Err(Reject::NeedsAnother) } else { Ok(()) }
    }

    /// Does what `check_subject` found possible.
    fn enact(&mut self, caller: Caller, proposal: Proposal, verdicts: Vec<(EventIndex, Verdict)>) {
        let Proposal { subject, evidence, by, at, .. } = proposal;
        let (author, now) = (caller.author(), self.now);
        let told = |verdict: Verdict| Resolution {
            evidence: evidence.clone(),
            proposed_by: by,
            proposed_at: at,
            ..Resolution::at_once(verdict, author, now)
        };
        match subject {
            Subject::Resolution { .. } => {
                for (event, verdict) in verdicts {
                    self.enforce(event, &verdict);
                    self.note_resolution(event, told(verdict));
                }
            }
            Subject::GameResult { game, score } => self.end_game(game, score, verdicts, told),
            Subject::Policy(policy) => self.governance.policy = policy,
            Subject::Approver { id, name, token_hash } => {
                self.add_operator(id, name, Role::Approver, token_hash);
            }
        }
    }
}
