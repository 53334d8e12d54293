//! When a verdict pays: not before its waiting period is over. `operators` checks who may pay.

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{Command, Request};
use exchange::governance::{Policy, Proposal, Subject, Verdict};
use exchange::id::{EventId, ProposalId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money};
use exchange::time::Span;

use super::Before;
use super::deeds::finalised;
use crate::failure::{Failure, ensure};

pub const VERDICTS_STAND: &str = "13 a verdict stands in public before it pays";

/// Pending proposals and the policy.
#[derive(Clone, Debug, Default)]
pub struct PendingProposals {
    policy: Policy,
    proposals: Vec<Proposal>,
}

impl PendingProposals {
    pub(super) fn look(&mut self, exchange: &Exchange) {
        self.policy = exchange.governance().policy;
        self.proposals.clear();
        self.proposals.extend(exchange.governance().proposals().cloned());
    }

    pub(crate) fn entry_max(&self, currency: Currency) -> Money {
        *self.policy.entry_max.get(currency)
    }

    pub(super) fn proposal(&self, id: ProposalId) -> Option<&Proposal> {
        self.proposals.iter().find(|each| each.id == id)
    }
}

/// The verdict of finalised proposals on an event; `None` if they do not resolve it by name.
pub(super) fn verdict_on<'a>(before: &'a Before, changes: &[Change], event: EventId) -> Option<&'a Verdict> {
    finalised(before, changes).into_iter().find_map(|proposal| match &proposal.subject {
        Subject::Resolution { event: named, verdict } if *named == event => Some(verdict),
        _ => None,
    })
}

pub fn check_governance(
    before: &Before,
    exchange: &Exchange,
    request: &Request,
    changes: &[Change],
) -> Result<(), Failure> {
    let delay = Span::seconds(before.pending.policy.resolution_delay_seconds.into());
    if delay == Span::default() || !matches!(request.actor, Actor::Operator { .. }) {
        return Ok(());
    }
    // Cancelling a draft refunds the house's seed; no user can have a position in it.
    let pays =
        |change: &Change| matches!(change, Change::Settled(settled) if settled.user != Exchange::HOUSE);
    // Automatic settlements are not an operator's action, and earlier requests were checked on their own.
    let acts = match request.command {
        Command::ResolveMarket(_) | Command::CancelMarkets(_) | Command::RecordGameResult(_) => true,
        Command::Finalise(_) | Command::FinaliseSeries(_) => {
            let proposals = finalised(before, changes);
            let stood = |proposal: &&Proposal| {
                !proposal.subject.is_verdict() || exchange.now() >= proposal.at + delay
            };
            proposals.is_empty() || !proposals.iter().all(stood)
        }
        _ => false,
    };
    ensure(!acts || !changes.iter().any(pays), VERDICTS_STAND, || {
        format!("{request:?} at {:?}", exchange.now())
    })
}
