//! A quote from the book: the sums of a MARKET order without a limit that skips its own orders.

use super::{Outline, QuotedOutcome};
use crate::book::{Book, BookSide, Fill, OwnOrders, OwnShares, Plan, Resting, Sweep, Taker, Want};
use crate::exchange::Exchange;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{Ppm, Price, Shares};
use crate::order::{Outcome, Side, Sizing};

impl Exchange {
    pub(super) fn outline_on_book(&self, book: &Book, subject: &QuotedOutcome) -> Outline {
        let Sweep { shares, value, complete, before, after } = self.sweep(book, subject);
        let own = |price: Option<Price>| {
            price.map_or(Ppm::ZERO, |price| Ppm::from(subject.outcome.yes_price(price)))
        };
        Outline { shares, value, before: own(before), after: own(after), complete, over_liability: false }
    }

    pub(super) fn sweep(&self, book: &Book, subject: &QuotedOutcome) -> Sweep {
        let taker = market_taker(subject);
        book.sweep(&taker, &self.own_shares(subject.user, subject.listing, taker.side.opposite()))
    }

    /// What a user offers on one side of a book.
    fn own_shares(&self, user: UserIndex, listing: ListingIndex, side: BookSide) -> OwnShares {
        let mut own = OwnShares::NONE;
        for slot in self.own_orders(user, listing, side) {
            let order = &self.orders[slot];
            own.add(order.terms.outcome.yes_price(order.price()), order.terms.remaining());
        }
        own
    }
}

pub(super) fn outline_of(book: &Book, subject: &QuotedOutcome, plan: &Plan) -> Outline {
    let (before, after) = prices(book, subject, &plan.fills);
    Outline {
        shares: plan.shares,
        value: plan.value,
        before,
        after,
        complete: plan.complete,
        over_liability: false,
    }
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

/// The best price offered by others before the fills, and after them: the best remaining price, or that of the last
/// fill if none remains.
fn prices(book: &Book, subject: &QuotedOutcome, fills: &[Fill]) -> (Ppm, Ppm) {
    let maker_side: BookSide = subject.side.on_book(subject.outcome).opposite();
    let own = |price: Price| Ppm::from(subject.outcome.yes_price(price));
    let is_left = |(place, resting): &(usize, Resting)| {
        let taken = fills.get(*place).map_or(Shares::ZERO, |fill| fill.quantity);
        taken < resting.remaining
    };
    let others = book.resting(maker_side).filter(|resting| resting.user != subject.user);
    let after = others.enumerate().find(is_left).map(|(_, resting)| resting.price);
    let before = fills.first().map_or(Ppm::ZERO, |fill| own(fill.price));
    let last = fills.last().map_or(Ppm::ZERO, |fill| own(fill.price));
    (before, after.map_or(last, own))
}
