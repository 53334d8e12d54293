//! `Finalise`: carries out a proposal, after its waiting period and by another person where two are required.

use minicbor::{Decode, Encode};

use crate::authority::{Authority, Caller};
use crate::change::{Change, ProposalStep};
use crate::exchange::Exchange;
use crate::governance::{Author, Proposal, Resolution, Subject, Verdict};
use crate::id::ProposalId;
use crate::identity::{Operator, Role};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::time::Span;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Finalise {
    #[n(0)]
    pub proposal: ProposalId,
}

impl Exchange {
    pub(crate) fn finalise(&mut self, caller: Caller, command: &Finalise) -> Result<Reply, Reject> {
        let id = command.proposal;
        let proposal = self.governance.proposal(id).ok_or(Reject::ProposalNotFound)?;
        let finaliser = self.check_finaliser(caller, proposal)?;
        if proposal.subject.is_verdict() {
            let delay = Span::seconds(self.governance.policy.resolution_delay_seconds.into());
            if self.now < proposal.at + delay {
                return Err(Reject::ProposalTooYoung { until: proposal.at + delay });
            }
        }
        // The state may have changed since it was proposed.
        let (proposal, verdicts) = (proposal.clone(), self.check_subject(finaliser, &proposal.subject)?);
        if proposal.verdicts.as_ref().is_some_and(|proposed| *proposed != self.name_events(&verdicts)) {
            return Err(Reject::VerdictChanged);
        }
        let reply = match &proposal.subject {
            Subject::Command(command) => {
                let reply = self.dispatch(finaliser, command)?;
                self.governance.proposals.remove(id);
                reply
            }
            Subject::Resolution { .. } => {
                self.governance.proposals.remove(id);
                for (event, verdict) in verdicts {
                    self.enforce(event, &verdict);
                    self.note_resolution(event, finalised(&proposal, caller, verdict, self.now));
                }
                Reply::Done
            }
            Subject::GameResult { game, score } => {
                self.governance.proposals.remove(id);
                let now = self.now;
                self.end_game(*game, *score, verdicts, |verdict| finalised(&proposal, caller, verdict, now));
                Reply::Done
            }
        };
        self.changes.push(Change::Proposal { proposal: id, step: ProposalStep::Finalised });
        Ok(reply)
    }

    /// Returns the caller as a finaliser, if it may finalise this proposal.
    fn check_finaliser(&self, caller: Caller, proposal: &Proposal) -> Result<Caller, Reject> {
        let Caller::Operator { operator, role } = caller else { return Ok(caller) };
        if !proposal.subject.is_verdict() {
            caller.require(Role::Approver)?;
        }
        let is_same = |proposer| self.directory.is_same_person(operator, proposer);
        let is_agreed = !proposal.proposers().any(is_same);
        self.check_proposers(proposal)?;
        if self.is_break_glass(operator) {
            return match &proposal.subject {
                // Rules 4 carry it out as what it is: the decision of one person.
                Subject::Command(command) if command.is_about_operators() => {
                    Ok(Caller::Proposal { operator, role, is_agreed: is_agreed || !self.since(4) })
                }
                _ => Err(Reject::NotAllowed),
            };
        }
        if self.governance.policy.two_required {
            caller.require(Role::Approver)?;
            if !is_agreed {
                return Err(Reject::NeedsAnother);
            }
        }
        Ok(Caller::Proposal { operator, role, is_agreed })
    }
}

impl Exchange {
    /// Refuses a proposal if none of its proposers may propose it any more.
    fn check_proposers(&self, proposal: &Proposal) -> Result<(), Reject> {
        let authority = match &proposal.subject {
            Subject::Command(command) => command.authority(),
            Subject::Resolution { .. } | Subject::GameResult { .. } => Authority::Operator,
        };
        let may_still = |record: &Operator| {
            let caller = Caller::Operator { operator: record.id, role: record.role };
            record.is_active() && caller.may(authority)
        };
        let may_propose = |proposer| self.directory.operator(proposer).is_some_and(may_still);
        let is_half = proposal.by == Author::Node || proposal.proposers().any(may_propose);
        if self.since(4) && !is_half { Err(Reject::ProposerNotActive) } else { Ok(()) }
    }
}

/// The record of how a proposed verdict ended.
fn finalised(proposal: &Proposal, caller: Caller, verdict: Verdict, now: crate::time::Time) -> Resolution {
    Resolution {
        evidence: proposal.evidence.clone(),
        proposed_by: proposal.by,
        proposed_at: proposal.at,
        ..Resolution::at_once(verdict, caller.author(), now)
    }
}
