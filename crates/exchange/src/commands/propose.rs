//! `Propose`: say what should happen and why. Nothing happens yet; it stands in public until somebody finalises or
//! withdraws it.

use crate::authority::Caller;
use crate::change::{Change, ProposalStep};
use crate::exchange::Exchange;
use crate::governance::{Evidence, Proposal, Subject, Verdict};
use crate::id::ProposalId;
use crate::identity::{Role, check_name};
use crate::index::EventIndex;
use crate::reject::Reject;
use crate::reply::Reply;

/// What may wait at one time.
const PROPOSALS_MAX: usize = 1_000;
/// Verdicts on one event that came to nothing, before somebody has to look at what goes on there.
const WITHDRAWN_MAX: usize = 50;

impl Exchange {
    pub(crate) fn propose(
        &mut self,
        caller: Caller,
        id: ProposalId,
        subject: &Subject,
        evidence: &Evidence,
    ) -> Result<Reply, Reject> {
        if subject.pays() {
            evidence.check()?;
        } else {
            // Whoever may not set it may not propose it either.
            caller.require(Role::Approver)?;
        }
        self.check_subject(subject)?;
        if self.governance.proposals.contains_key(&id) {
            return Err(Reject::DuplicateId);
        }
        if self.governance.proposals.len() >= PROPOSALS_MAX {
            return Err(Reject::TooManyProposals);
        }
        self.check_first_proposal(subject)?;

        let proposal = Proposal {
            id,
            subject: subject.clone(),
            evidence: evidence.clone(),
            by: caller.author(),
            at: self.now,
        };
        self.governance.proposals.insert(id, proposal);
        self.changes.push(Change::Proposal { proposal: id, step: ProposalStep::Proposed });
        Ok(Reply::Done)
    }

    /// Whether it could be carried out now, and the verdicts it comes to.
    pub(crate) fn check_subject(&self, subject: &Subject) -> Result<Vec<(EventIndex, Verdict)>, Reject> {
        match subject {
            Subject::Resolution { event, verdict } => {
                Ok(vec![(self.check_verdict(*event, verdict)?, verdict.clone())])
            }
            Subject::GameResult { game, score } => self.check_game_result(*game, *score),
            Subject::Policy(policy) => policy.check().map(|()| Vec::new()),
            Subject::Approver { id, name, token_hash } => {
                check_name(name)?;
                self.check_new_operator(*id, *token_hash).map(|()| Vec::new())
            }
        }
    }

    /// One verdict at a time: whoever knows better withdraws the one that stands.
    fn check_first_proposal(&self, subject: &Subject) -> Result<(), Reject> {
        match subject {
            Subject::Resolution { event, .. } => {
                if self.governance.proposal_for(*event).is_some() {
                    return Err(Reject::ProposalPending);
                }
                let index = self.catalogue.find_event(*event).ok_or(Reject::EventNotFound)?;
                let event = self.catalogue.event(index);
                let is_full = event.resolutions.len() >= WITHDRAWN_MAX + event.markets.len();
                if is_full { Err(Reject::TooManyProposals) } else { Ok(()) }
            }
            Subject::GameResult { game, .. } if self.governance.result_proposed_for(*game).is_some() => {
                Err(Reject::ProposalPending)
            }
            _ => Ok(()),
        }
    }
}
