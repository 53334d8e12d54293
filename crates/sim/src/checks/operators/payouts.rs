//! Payouts to users: where two persons are required, each needs a proposal that another person finalised, or an
//! automatic resolution by prices that no operator pushed. The node, and so the owner of the machine, is trusted.

use exchange::Exchange;
use exchange::catalogue::EventLink;
use exchange::change::Change;
use exchange::command::Command;
use exchange::governance::Subject;
use exchange::id::{MarketId, OperatorId};
use exchange::identity::Actor;

use super::{Answered, OperatorBook, Proposed};
use crate::counts::{Counts, Rare};
use crate::failure::{Failure, ensure};

pub const TWO_PERSONS_PAY: &str = "13 where two are required no payout rests on one person";

impl OperatorBook {
    /// `finalised` was already checked: another person finalised each of them.
    pub(super) fn check_payouts(
        &self,
        answered: Answered<'_>,
        finalised: &[Proposed],
        counts: &mut Counts,
    ) -> Result<(), Failure> {
        if !answered.two_required {
            return Ok(());
        }
        let mut by_proposal = false;
        for change in answered.changes {
            let Change::Settled(settled) = change else { continue };
            // Cancelling a draft refunds the house's seed; no user can have a position in it.
            if settled.user == Exchange::HOUSE {
                continue;
            }
            let is_proposed = finalised.iter().any(|proposed| ends(answered, proposed, settled.market));
            by_proposal |= is_proposed;
            let is_founded = is_proposed || is_by_owner(answered) || is_by_feeds(answered, settled.market);
            ensure(is_founded, TWO_PERSONS_PAY, || format!("{settled:?} by {:?}", answered.request))?;
        }
        if let (Actor::Operator { operator }, true) = (answered.request.actor, by_proposal) {
            let is_series = finalised.iter().any(|proposed| proposed.series.is_some());
            counts.note_if(is_series, Rare::PushedResultPays);
            let by_glass = finalised.iter().any(|proposed| self.rests_on_glass(proposed, operator));
            counts.note_if(by_glass, Rare::GlassPersonsPay);
        }
        Ok(())
    }

    /// The known exception: only a break-glass operator vouches that a proposer and the finaliser are two persons.
    fn rests_on_glass(&self, proposed: &Proposed, operator: OperatorId) -> bool {
        let glass_of = |id: &OperatorId| self.log.operators.get(id).and_then(|known| known.glass_behind());
        let behind = glass_of(&operator).unwrap_or(operator);
        let is_one = |proposer: &OperatorId| glass_of(proposer).unwrap_or(*proposer) == behind;
        proposed.proposers.iter().any(is_one)
    }
}

/// Whether a proposal resolves the event of a market.
fn ends(answered: Answered<'_>, proposed: &Proposed, market: MarketId) -> bool {
    let catalogue = answered.exchange.catalogue();
    let Some(market) = catalogue.find_market(market) else { return false };
    let event = catalogue.event(catalogue.market(market).event);
    match &proposed.subject {
        Subject::Resolution { event: named, .. } => *named == event.id,
        Subject::GameResult { game: named, .. } => {
            matches!(event.link, EventLink::Game { game, .. } if game == *named)
        }
        Subject::Command(_) => false,
    }
}

fn is_by_owner(answered: Answered<'_>) -> bool {
    let acts = matches!(
        answered.request.command,
        Command::ResolveMarket(_)
            | Command::CancelMarkets(_)
            | Command::RecordGameResult(_)
            | Command::Finalise(_)
            | Command::FinaliseSeries(_)
    );
    acts && answered.request.actor == Actor::System
}

/// Whether a series event was resolved automatically by prices that no operator pushed.
fn is_by_feeds(answered: Answered<'_>, market: MarketId) -> bool {
    let catalogue = answered.exchange.catalogue();
    let Some(market) = catalogue.find_market(market) else { return false };
    let event = catalogue.event(catalogue.market(market).event);
    let EventLink::Series { series, start } = event.link else { return false };
    let is_due = event.details.resolution_date.is_some_and(|date| date <= answered.exchange.now());
    is_due && answered.prices.pushers(answered.exchange, series, start).is_empty()
}
