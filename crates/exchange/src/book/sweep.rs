//! What a taker that skips its own orders would take, summed over whole levels: without its fills, and at a cost that does
//! not depend on how many orders rest. Quotes and valuations need no more than this.

use super::ladder::Rank;
use super::{Book, Taker, Want};
use crate::numbers::{Money, Price, Shares};

/// The sums of the plan that `Book::plan` makes for the same taker, and the best price before and after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sweep {
    pub shares: Shares,
    /// At the prices of the taker's outcome, before fees.
    pub value: Money,
    pub complete: bool,
    /// The price of the first fill, in the book's terms.
    pub before: Option<Price>,
    /// The best price of other users after the fills; without one, the price of the last fill.
    pub after: Option<Price>,
}

/// The taker's own shares on the side that it takes from, by price.
#[derive(Clone, Copy, Debug)]
pub struct OwnShares([i64; 1 + Price::MAX.cents() as usize]);

impl OwnShares {
    pub const NONE: OwnShares = OwnShares([0; 1 + Price::MAX.cents() as usize]);

    pub fn add(&mut self, price: Price, shares: Shares) {
        self.0[usize::from(price.cents())] += shares.units();
    }

    fn at(&self, price: Price) -> i64 {
        self.0[usize::from(price.cents())]
    }
}

impl Book {
    /// `taker.own_orders` must be `Skip`; `own` has all orders of its user on the other side.
    pub fn sweep(&self, taker: &Taker, own: &OwnShares) -> Sweep {
        let maker_side = taker.side.opposite();
        let (ladder, worst) = (self.ladder(maker_side), Rank::of(taker.limit, maker_side));
        let (by_money, mut left) = match taker.want {
            Want::Shares(shares) => (false, shares.units()),
            Want::Money(money) => (true, money.units()),
        };
        let mut sweep = Sweep::default();
        let (mut shares, mut value, mut last_unit) = (0, 0, 0);
        for rank in ladder.ranks() {
            let price = rank.price(maker_side);
            let offered = ladder.total(rank) - own.at(price);
            if offered == 0 {
                continue;
            }
            if rank < worst {
                sweep.after = Some(price);
                break;
            }
            let own_price = if taker.in_no { price.complement() } else { price };
            let unit = i64::from(own_price.cents()) * taker.base;
            let fits = if by_money { left / unit } else { left };
            let taken = offered.min(fits);
            if taken > 0 {
                sweep.before = sweep.before.or(Some(price));
                sweep.after = Some(price);
                last_unit = unit;
            }
            shares += taken;
            value += taken * unit;
            left -= if by_money { taken * unit } else { taken };
            if taken < offered {
                (sweep.complete, sweep.after) = (true, Some(price));
                break;
            }
        }
        (sweep.shares, sweep.value) = (Shares::new(shares), Money::new(value));
        // As in `plan`: an amount below the price of one unit does not count as a remainder.
        sweep.complete |= if by_money { left < last_unit } else { left == 0 };
        sweep
    }
}
