//! Finalised proposals: who finalised them, and whether that is another person.

use exchange::change::{Change, ProposalStep};
use exchange::command::{Command, Finalise, FinaliseSeries};
use exchange::governance::Subject;
use exchange::id::{OperatorId, ProposalId};
use exchange::identity::Actor;
use exchange::time::Time;

use super::log::TrackedOperator;
use super::{Answered, Backing, OperatorBook, Proposed};
use crate::counts::{Counts, Rare};
use crate::failure::{Failure, ensure};

pub const ANOTHER_PERSON: &str = "13 where two are required no person finalises what that person proposed";
pub const GLASS_FOR_OPERATORS: &str = "13 a break-glass operator finalises what is about operators alone";
pub const FINALISED_BY_NAME: &str = "13 a proposal is finalised by the command that names it";

impl OperatorBook {
    /// The proposals that this request finalised.
    pub(super) fn take_finalised(
        &mut self,
        answered: Answered<'_>,
        is_done: bool,
    ) -> Result<Vec<Proposed>, Failure> {
        let id = |change: &Change| match change {
            Change::Proposal { proposal, step: ProposalStep::Finalised } => Some(*proposal),
            _ => None,
        };
        let ids: Vec<ProposalId> = answered.changes.iter().filter_map(id).collect();
        let wants_some =
            matches!(answered.request.command, Command::Finalise(_) | Command::FinaliseSeries(_));
        ensure(ids.is_empty() != (is_done && wants_some), FINALISED_BY_NAME, || {
            format!("{ids:?} by {:?}", answered.request)
        })?;
        let mut finalised = Vec::new();
        for id in ids {
            let proposed = self.proposals.remove(&id);
            let is_named = match (&answered.request.command, &proposed) {
                (Command::Finalise(Finalise { proposal }), Some(_)) => *proposal == id,
                (Command::FinaliseSeries(FinaliseSeries { series }), Some(proposed)) => {
                    proposed.series == Some(*series)
                }
                _ => false,
            };
            ensure(is_named, FINALISED_BY_NAME, || format!("{id} by {:?}", answered.request))?;
            finalised.extend(proposed);
        }
        Ok(finalised)
    }

    /// Determines how many persons support a finalised proposal.
    pub(super) fn judge(
        &self,
        answered: Answered<'_>,
        proposed: &Proposed,
        counts: &mut Counts,
    ) -> Result<Backing, Failure> {
        let Actor::Operator { operator } = answered.request.actor else { return Ok(Backing::Node) };
        let now = answered.exchange.now();
        let detail = || format!("{operator} finalised {proposed:?}");
        let Some(known) = self.log.operators.get(&operator) else {
            return Err(Failure::new(ANOTHER_PERSON, detail()));
        };
        let is_agreed = !self.is_one_of(proposed, operator);
        if known.is_glass(now) {
            ensure(is_about_operators(&proposed.subject), GLASS_FOR_OPERATORS, detail)?;
            ensure(known.is_active_approver(), ANOTHER_PERSON, detail)?;
            counts.note_if(answered.two_required && !is_agreed, Rare::GlassAlone);
            return Ok(if is_agreed { Backing::Agreed } else { Backing::Glass(operator) });
        }
        let needs_approver = answered.two_required || !proposed.subject.is_verdict();
        ensure(!needs_approver || known.is_active_approver(), ANOTHER_PERSON, detail)?;
        ensure(!answered.two_required || is_agreed, ANOTHER_PERSON, detail)?;
        if answered.two_required {
            note_finaliser(known, now, counts);
        }
        Ok(if is_agreed { Backing::Agreed } else { Backing::Alone(operator) })
    }

    /// Whether the operator may be the same person as one of the proposers.
    pub(super) fn is_one_of(&self, proposed: &Proposed, operator: OperatorId) -> bool {
        proposed.proposers.iter().any(|proposer| self.log.is_one_person(operator, *proposer))
    }
}

fn note_finaliser(known: &TrackedOperator, now: Time, counts: &mut Counts) {
    counts.note_if(known.made == Backing::Agreed, Rare::AgreedOperatorFinalises);
    let was_alone = matches!(known.made, Backing::Alone(_));
    counts.note_if(was_alone && known.confirmed.is_some(), Rare::ConfirmedFinalises);
    counts.note_if(known.glass_at.is_some() && !known.is_glass(now), Rare::GlassOverFinalises);
}

fn is_about_operators(subject: &Subject) -> bool {
    let Subject::Command(command) = subject else { return false };
    matches!(
        **command,
        Command::CreateOperator(_)
            | Command::ChangeRole(_)
            | Command::ConfirmOperator(_)
            | Command::SuspendOperator(_)
            | Command::RevokeOperator(_)
    )
}
