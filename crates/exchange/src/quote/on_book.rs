//! A quote from the book: the sums of a MARKET order without a limit that skips its own orders.

use super::{Outline, QuotedOutcome};
use crate::book::{Book, OwnOrders, Plan, Sweep, Taker, Want};
use crate::exchange::Exchange;
use crate::numbers::{Ppm, Price};
use crate::order::{Outcome, Side, Sizing};

impl Exchange {
    pub(super) fn outline_on_book(&self, book: &Book, subject: &QuotedOutcome) -> Outline {
        outline_of_sums(subject, self.sweep(book, subject))
    }

    pub(super) fn sweep(&self, book: &Book, subject: &QuotedOutcome) -> Sweep {
        self.sums(subject.listing, &market_taker(subject), book, &mut Plan::default())
    }
}

pub(super) fn outline_of_sums(subject: &QuotedOutcome, sums: Sweep) -> Outline {
    let Sweep { shares, value, complete, before, after, .. } = sums;
    let own =
        |price: Option<Price>| price.map_or(Ppm::ZERO, |price| Ppm::from(subject.outcome.yes_price(price)));
    Outline { shares, value, before: own(before), after: own(after), complete, over_liability: false }
}

pub(super) fn market_taker(subject: &QuotedOutcome) -> Taker {
    let own_limit = match subject.side {
        Side::Buy => Price::MAX,
        Side::Sell => Price::MIN,
    };
    let want = match (subject.sizing, subject.side) {
        (Sizing::Quantity(shares), _) => Want::Shares(shares),
        (Sizing::Amount(amount), Side::Buy) => Want::Money(subject.fee_rate.spendable(amount)),
        (Sizing::Amount(amount), Side::Sell) => Want::Money(subject.fee_rate.sellable(amount)),
    };
    Taker {
        user: subject.user,
        side: subject.side.on_book(subject.outcome),
        in_no: subject.outcome == Outcome::No,
        limit: subject.outcome.yes_price(own_limit),
        want,
        base: subject.listing.currency().base(),
        own_orders: OwnOrders::Skip,
    }
}
