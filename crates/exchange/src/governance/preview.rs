//! Computes what a verdict would pay, without changing anything.

use super::{Subject, Verdict};
use crate::book::Book;
use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::id::{EventId, MarketId};
use crate::index::{EventIndex, ListingIndex, MarketIndex, UserIndex};
use crate::numbers::{Cents, Currency, Money, Shares};
use crate::reject::Reject;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    pub payouts: Vec<MarketPayout>,
}

/// The payout of one market in one currency. Empty ones are omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarketPayout {
    pub market: MarketId,
    pub currency: Currency,
    /// The payout of a YES share; NO pays the rest to 1.00.
    pub yes_pays: Cents,
    /// Outstanding sets, including those of pools and the house. YES and NO shares are equal in number.
    pub sets: Shares,
    /// Users with a payout, not counting the house.
    pub winners: u64,
    /// Payout to users. The sum with `to_house` is the whole collateral.
    pub to_users: Money,
    pub to_house: Money,
    /// Orders that are cancelled and refunded first.
    pub resting_orders: u64,
}

impl Preview {
    pub fn total(&self, currency: Currency) -> Money {
        let of_currency = self.payouts.iter().filter(|payout| payout.currency == currency);
        of_currency.fold(Money::ZERO, |total, payout| total + payout.to_users + payout.to_house)
    }
}

impl Exchange {
    pub fn preview(&self, event: EventId, verdict: &Verdict) -> Result<Preview, Reject> {
        let event = self.check_verdict(event, verdict)?;
        let mut preview = Preview::default();
        self.preview_event(&mut preview, event, verdict);
        Ok(preview)
    }

    /// The payout of a proposal if it were finalised now; empty if it pays nothing.
    pub fn preview_subject(&self, subject: &Subject) -> Result<Preview, Reject> {
        match subject {
            Subject::Resolution { event, verdict } => self.preview(*event, verdict),
            Subject::GameResult { game, score } => {
                let mut preview = Preview::default();
                for (event, verdict) in self.check_game_result(*game, *score)? {
                    self.preview_event(&mut preview, event, &verdict);
                }
                Ok(preview)
            }
            Subject::Command(_) => Ok(Preview::default()),
        }
    }

    /// The payout if an event or a market were cancelled.
    pub fn preview_cancel(&self, target: Target, yes: Cents) -> Result<Preview, Reject> {
        let (_, markets) = self.find_targets(target, Action::Cancel)?;
        let mut preview = Preview::default();
        for market in markets {
            for currency in Currency::ALL {
                preview.payouts.extend(self.preview_market(market, currency, yes));
            }
        }
        Ok(preview)
    }

    fn preview_event(&self, preview: &mut Preview, event: EventIndex, verdict: &Verdict) {
        for (market, yes_pays) in self.reach_of(event, verdict) {
            for currency in Currency::ALL {
                preview.payouts.extend(self.preview_market(market, currency, yes_pays));
            }
        }
    }

    fn preview_market(
        &self,
        market: MarketIndex,
        currency: Currency,
        yes_pays: Cents,
    ) -> Option<MarketPayout> {
        let index = ListingIndex::new(market, currency);
        let listing = self.catalogue.listing(index);
        let resting: usize = [listing.book(), listing.leaving()].into_iter().flatten().map(Book::len).sum();
        let pays = |yes: Shares, no: Shares| {
            yes.value_at(yes_pays, currency) + no.value_at(yes_pays.complement(), currency)
        };
        let pool = listing.pool().map_or(Money::ZERO, |pool| pays(pool.yes, pool.no));
        let house = self.position(UserIndex::HOUSE, index);
        let house = house.map_or(Money::ZERO, |position| pays(position.yes.total(), position.no.total()));
        // Every pair of shares is paid its set, so the users get what the house does not. A walk through all holders would
        // keep the writer waiting.
        let collateral = self.ledger.collateral(index);
        let payout = MarketPayout {
            market: self.catalogue.market(market).id,
            currency,
            yes_pays,
            sets: Shares::sets(collateral, currency),
            winners: listing.holder_counts.winners(yes_pays).into(),
            to_users: collateral - pool - house,
            to_house: pool + house,
            resting_orders: u64::try_from(resting).unwrap_or(u64::MAX),
        };
        (payout.sets > Shares::ZERO || resting > 0).then_some(payout)
    }
}
