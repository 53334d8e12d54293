//! Verdicts: an outcome for each of some markets, or cancellation of all at a price. A verdict is checked when proposed
//! and again when enforced. Enforcing it is one step, however many markets it has.

use minicbor::{Decode, Encode};

use crate::catalogue::checks::{invalid, require};
use crate::catalogue::{Action, EventKind, Status};
use crate::command::Target;
use crate::exchange::Exchange;
use crate::id::{EventId, MarketId};
use crate::index::{EventIndex, MarketIndex};
use crate::numbers::Cents;
use crate::order::Outcome;
use crate::reject::Reject;

/// The outcome of one market.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Ruling {
    #[n(0)]
    pub market: MarketId,
    #[n(1)]
    pub outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Verdict {
    /// Other markets are unchanged, except that a YES in a combined event resolves its siblings NO.
    #[n(0)]
    Outcomes(#[n(0)] Vec<Ruling>),
    /// All unfinished markets are cancelled: a YES share pays this, a NO share the rest to 1.00.
    #[n(1)]
    Cancelled {
        #[n(0)]
        yes: Cents,
    },
}

impl Exchange {
    /// Whether a verdict could be enforced now.
    pub(crate) fn check_verdict(&self, event: EventId, verdict: &Verdict) -> Result<EventIndex, Reject> {
        match verdict {
            Verdict::Cancelled { .. } => {
                self.find_targets(Target::Event(event), Action::Cancel).map(|(event, _)| event)
            }
            Verdict::Outcomes(rulings) => {
                let index = self.catalogue.find_event(event).ok_or(Reject::EventNotFound)?;
                self.check_rulings(index, rulings)?;
                Ok(index)
            }
        }
    }

    fn check_rulings(&self, event: EventIndex, rulings: &[Ruling]) -> Result<(), Reject> {
        require(!rulings.is_empty(), "outcomes", "name at least one market")?;
        let mut winners = 0;
        for (place, ruling) in rulings.iter().enumerate() {
            let market = self.find_market_of(event, ruling.market)?;
            let is_repeated = rulings[..place].iter().any(|earlier| earlier.market == ruling.market);
            require(!is_repeated, "outcomes", "name each market once")?;
            if ruling.outcome == Outcome::Yes {
                winners += 1;
                if self.sibling_has_won(market) {
                    return Err(Reject::AlreadyWon);
                }
            }
            let status = self.catalogue.market(market).status;
            status.after(Action::Resolve).ok_or(Reject::StatusNotAllowed { status })?;
        }
        let is_combined = self.catalogue.event(event).kind == EventKind::Combined;
        if is_combined && winners > 1 {
            return Err(invalid("outcomes", "have at most one YES in a combined event"));
        }
        Ok(())
    }

    fn find_market_of(&self, event: EventIndex, market: MarketId) -> Result<MarketIndex, Reject> {
        let index = self.catalogue.find_market(market).ok_or(Reject::MarketNotFound)?;
        if self.catalogue.market(index).event == event { Ok(index) } else { Err(Reject::MarketNotFound) }
    }

    /// Whether another market of a combined event has already resolved YES.
    pub(crate) fn sibling_has_won(&self, market: MarketIndex) -> bool {
        let event = self.catalogue.event(self.catalogue.market(market).event);
        let won =
            |sibling: MarketIndex| self.catalogue.market(sibling).resolved_outcome() == Some(Outcome::Yes);
        event.kind == EventKind::Combined
            && event.markets.iter().any(|sibling| *sibling != market && won(*sibling))
    }

    /// Pays out according to a verdict that was just checked.
    pub(crate) fn enforce(&mut self, event: EventIndex, verdict: &Verdict) {
        match verdict {
            Verdict::Cancelled { yes } => {
                let markets = self.unfinished_markets(event);
                self.cancel_at_price(event, &markets, *yes);
            }
            Verdict::Outcomes(rulings) => {
                // The winner first: it resolves its siblings NO, which includes those that the verdict also names.
                for outcome in [Outcome::Yes, Outcome::No] {
                    for ruling in rulings.iter().filter(|ruling| ruling.outcome == outcome) {
                        let Some(market) = self.catalogue.find_market(ruling.market) else { continue };
                        if self.catalogue.market(market).status == Status::Closed {
                            self.resolve(market, outcome);
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn unfinished_markets(&self, event: EventIndex) -> Vec<MarketIndex> {
        let mut markets = self.catalogue.event(event).markets.clone();
        markets.retain(|market| !self.catalogue.market(*market).status.is_final());
        markets
    }

    /// The payout of a YES share in each market that a verdict affects.
    pub(crate) fn reach_of(&self, event: EventIndex, verdict: &Verdict) -> Vec<(MarketIndex, Cents)> {
        let unfinished = self.unfinished_markets(event);
        let rulings = match verdict {
            Verdict::Cancelled { yes } => {
                return unfinished.into_iter().map(|market| (market, *yes)).collect();
            }
            Verdict::Outcomes(rulings) => rulings,
        };
        let has_winner = self.catalogue.event(event).kind == EventKind::Combined
            && rulings.iter().any(|ruling| ruling.outcome == Outcome::Yes);
        let pays = |market: MarketIndex| {
            let id = self.catalogue.market(market).id;
            let named = rulings.iter().find(|ruling| ruling.market == id).map(|ruling| ruling.outcome);
            match named.or(has_winner.then_some(Outcome::No))? {
                Outcome::Yes => Some(Cents::WHOLE),
                Outcome::No => Some(Cents::NOTHING),
            }
        };
        unfinished.into_iter().filter_map(|market| Some((market, pays(market)?))).collect()
    }
}
