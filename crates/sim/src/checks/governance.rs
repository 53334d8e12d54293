//! Who pays: where two are required no operator pays out alone, where a verdict must stand first it stood, and no
//! operator moves more than the caps allow.

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{Command, Request};
use exchange::governance::{Author, Policy, Proposal, Subject, Verdict};
use exchange::id::ProposalId;
use exchange::identity::{Actor, Role};
use exchange::time::Span;

use super::Before;
use crate::failure::{Failure, ensure};

pub const NOBODY_ALONE: &str = "13 where two are required no operator pays alone";
pub const VERDICTS_STAND: &str = "13 a verdict stands in public before it pays";
pub const CAPS_HOLD: &str = "13 no operator moves more than a cap";

/// What waited, and under which policy.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    policy: Policy,
    proposals: Vec<Proposal>,
}

impl Waiting {
    pub(super) fn look(&mut self, exchange: &Exchange) {
        self.policy = exchange.governance().policy;
        self.proposals.clear();
        self.proposals.extend(exchange.governance().proposals().cloned());
    }

    /// What was proposed for an event.
    pub(super) fn verdict(&self, proposal: ProposalId) -> Option<&Verdict> {
        let proposal = self.proposals.iter().find(|each| each.id == proposal)?;
        match &proposal.subject {
            Subject::Resolution { verdict, .. } => Some(verdict),
            _ => None,
        }
    }
}

pub fn check_governance(
    before: &Before,
    exchange: &Exchange,
    request: &Request,
    changes: &[Change],
) -> Result<(), Failure> {
    let Actor::Operator { operator } = request.actor else { return Ok(()) };
    let policy = before.waiting.policy;
    for change in changes {
        if let Change::Funds { currency, amount, .. } = change {
            let (moved, max) = (amount.units().abs(), policy.entry_max.get(*currency).units());
            ensure(moved <= max, CAPS_HOLD, || format!("{moved} of {max} by {operator}"))?;
        }
    }
    // What the clock settled in passing is nobody's doing; what was sequenced before has its own request.
    let acts = matches!(
        request.command,
        Command::ResolveMarket { .. }
            | Command::CancelMarkets { .. }
            | Command::RecordGameResult { .. }
            | Command::Finalise { .. }
    );
    // A draft that is called off gives the house its seed back; nobody else can be in it.
    let pays =
        |change: &Change| matches!(change, Change::Settled(settled) if settled.user != Exchange::HOUSE);
    if !acts || !changes.iter().any(pays) {
        return Ok(());
    }
    let proposal = match request.command {
        Command::Finalise { proposal } => before.waiting.proposals.iter().find(|each| each.id == proposal),
        _ => None,
    };
    let role = exchange.directory().operators().find(|each| each.id == operator).map(|each| each.role);
    let is_another = proposal.is_some_and(
        |proposal| !matches!(proposal.by, Author::Operator { operator: proposer, .. } if proposer == operator),
    );
    ensure(!policy.two_required || (is_another && role == Some(Role::Approver)), NOBODY_ALONE, || {
        format!("{operator} {role:?} paid by {proposal:?}")
    })?;
    let delay = Span::seconds(policy.resolution_delay_seconds.into());
    let stood = proposal.is_some_and(|proposal| exchange.now() >= proposal.at + delay);
    ensure(delay == Span::default() || stood, VERDICTS_STAND, || {
        format!("{proposal:?} at {:?}", exchange.now())
    })
}
