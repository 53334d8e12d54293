//! The value of a holding: the proceeds of selling all of it now, after the fee, computed by the functions of a sale.

use super::{QuotedOutcome, percent_over};
use crate::catalogue::{Listing, Status, Venue};
use crate::exchange::Exchange;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{Currency, Money, Ppm, Shares, mul_floor};
use crate::order::{Outcome, Side, Sizing};
use crate::pool::{Pool, PoolWant};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Valuation {
    pub current_value: Money,
    /// The value per share.
    pub sell_price: Ppm,
    /// The cost per share.
    pub average_price: Ppm,
    /// In hundredths of a percent.
    pub percentage_change: i64,
    pub payout_if_outcome_wins: Money,
}

impl Exchange {
    /// Values a user's holding. Shares without a bid count as zero; own orders are ignored.
    pub fn value_of(&self, user: UserIndex, listing: ListingIndex, outcome: Outcome) -> Valuation {
        let Some(position) = self.position(user, listing) else {
            return Valuation::default();
        };
        let holding = position.holding(outcome);
        let (shares, currency) = (holding.total(), listing.currency());
        if shares == Shares::ZERO {
            return Valuation::default();
        }
        let market = self.catalogue.market(listing.market());
        let place = self.catalogue.listing(listing);
        let subject = QuotedOutcome {
            user,
            listing,
            outcome,
            side: Side::Sell,
            sizing: Sizing::Quantity(shares),
            fee_rate: market.details.fee_rate,
        };
        let current_value = match market.status {
            Status::Closed => at_shown_price(place, outcome, shares, currency),
            _ => {
                let gross = self.gross_proceeds(place, &subject, shares);
                gross - subject.fee_rate.on(gross)
            }
        };
        Valuation {
            current_value,
            sell_price: Ppm::average(current_value, shares, currency),
            average_price: Ppm::average(holding.cost, shares, currency),
            percentage_change: percent_over(current_value, holding.cost),
            payout_if_outcome_wins: shares.payout(currency),
        }
    }
}

impl Exchange {
    fn gross_proceeds(&self, place: &Listing, subject: &QuotedOutcome, shares: Shares) -> Money {
        match &place.venue {
            Venue::Book(book) => self.sweep(book, subject).value,
            // The band is not applied: this is a valuation, not a trade.
            Venue::Pool(pool) => {
                let (want, currency) = (PoolWant::Shares(shares), subject.listing.currency());
                let sell =
                    |pool: &Pool| pool.quote(Side::Sell, subject.outcome, want, subject.fee_rate, currency);
                pool.as_ref().and_then(sell).map_or(Money::ZERO, |trade| trade.value)
            }
            Venue::Idle => Money::ZERO,
        }
    }
}

/// For a closed market: the last displayed price, without a fee.
fn at_shown_price(place: &Listing, outcome: Outcome, shares: Shares, currency: Currency) -> Money {
    let payout = shares.payout(currency);
    Money::new(mul_floor(payout.units(), place.price(outcome).units(), 1_000_000))
}
