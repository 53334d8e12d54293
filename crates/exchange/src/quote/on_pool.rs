//! A quote from the pool. Beyond the maximum liability it shows the curve's numbers and sets the flag.

use super::{Outline, QuotedOutcome};
use crate::numbers::{Money, Ppm, Shares};
use crate::order::Sizing;
use crate::pool::{Pool, PoolTrade, PoolWant};

pub(super) fn outline(pool: &Pool, subject: &QuotedOutcome) -> Outline {
    let want = match subject.sizing {
        Sizing::Amount(amount) => PoolWant::Amount(amount),
        Sizing::Quantity(shares) => PoolWant::Shares(shares),
    };
    let trade = pool.quote(subject.side, subject.outcome, want, subject.fee_rate, subject.listing.currency());
    outline_of(pool, subject, trade)
}

/// `trade`: `None` if the pool does not have that much.
pub(super) fn outline_of(pool: &Pool, subject: &QuotedOutcome, trade: Option<PoolTrade>) -> Outline {
    let nothing = Outline {
        shares: Shares::ZERO,
        value: Money::ZERO,
        before: Ppm::ZERO,
        after: Ppm::ZERO,
        complete: false,
        over_liability: trade.is_none(),
    };
    let Some(trade) = trade.filter(|trade| trade.sets > Shares::ZERO && trade.shares > Shares::ZERO) else {
        return nothing;
    };
    let mut moved = *pool;
    moved.set_reserves(subject.outcome, trade.after);
    Outline {
        shares: trade.shares,
        value: trade.value,
        before: pool.price(subject.outcome),
        after: moved.price(subject.outcome),
        complete: trade.within_liability(),
        over_liability: !trade.within_liability(),
    }
}
