//! The walk: what a taker would do to the book, decided without changing it.
//!
//! One function serves the quote, the funds check, the FOK test and the fill. It is the only place
//! where self-trade prevention meets the queue.

use super::ladder::Rank;
use super::{Book, BookSide, NodeIndex};
use crate::numbers::{Money, Price, Shares};

/// What a taker does when the walk reaches an order of the same user. Spec, stpMode table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnOrders {
    /// Pass it over.
    Skip,
    /// Cancel it and go on.
    CancelOldest,
    /// Stop.
    CancelNewest,
    /// Cancel it and stop.
    CancelBoth,
}

/// How much a taker wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    Shares(Shares),
    /// As many shares as this money pays for, best price first.
    Money(Money),
}

/// An order that looks for counterparties.
#[derive(Clone, Copy, Debug)]
pub struct Taker {
    pub user: u32,
    /// The side the order itself is on.
    pub side: BookSide,
    /// Trades in NO: its own price is the complement of the book's.
    pub in_no: bool,
    /// The worst price of the book it accepts.
    pub limit: Price,
    pub want: Want,
    /// Currency base: what one share pays in whole currency.
    pub base: i64,
    pub own_orders: OwnOrders,
}

/// So many shares of one resting order, at its price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    pub quantity: Shares,
    pub node: NodeIndex,
    pub order: u32,
    pub price: Price,
    /// Nothing of the resting order remains.
    pub closes: bool,
}

/// The result of a walk. Kept between commands for its buffers.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub fills: Vec<Fill>,
    /// Slots of own orders that self-trade prevention cancels.
    pub cancels: Vec<u32>,
    pub shares: Shares,
    /// What the fills are worth in the taker's own outcome, before any fee.
    pub value: Money,
    /// Nothing of what was wanted is left, but less than one unit's price.
    pub complete: bool,
    /// The walk ended at an own order (CANCEL_NEWEST, CANCEL_BOTH).
    pub stopped_at_own: bool,
}

impl Plan {
    #[inline]
    fn clear(&mut self) {
        self.fills.clear();
        self.cancels.clear();
        (self.shares, self.value) = (Shares::ZERO, Money::ZERO);
        (self.complete, self.stopped_at_own) = (false, false);
    }
}

impl Book {
    /// Walks the other side, best price first and oldest first, and writes down what would happen.
    #[inline(always)]
    pub fn plan(&self, taker: &Taker, plan: &mut Plan) {
        plan.clear();
        let maker_side = taker.side.opposite();
        let worst = Rank::of(taker.limit, maker_side);
        let best = self.ladder(maker_side).top();
        if best < worst {
            plan.complete = taker.want == Want::Shares(Shares::ZERO);
            return;
        }
        match taker.want {
            Want::Shares(shares) => self.walk::<false>(taker, shares.units(), best, worst, plan),
            Want::Money(money) => self.walk::<true>(taker, money.units(), best, worst, plan),
        }
    }

    /// The walk from rank `best` down to `worst`, for what is `left` of shares or of money.
    #[inline(never)]
    fn walk<const BY_MONEY: bool>(
        &self,
        taker: &Taker,
        mut left: i64,
        best: Rank,
        worst: Rank,
        plan: &mut Plan,
    ) {
        let maker_side = taker.side.opposite();
        let ladder = self.ladder(maker_side);
        let (mut rank, mut last_unit) = (best, 0);
        let (mut shares, mut value) = (0, 0);
        'walk: loop {
            let price = rank.price(maker_side);
            let own_price = if taker.in_no { price.complement() } else { price };
            let unit = i64::from(own_price.cents()) * taker.base;
            let mut index = ladder.head(rank);
            while let Some(node) = self.nodes.get(index) {
                let fits = if BY_MONEY { left / unit } else { left };
                if node.user == taker.user {
                    if plan.meets_own(taker.own_orders, node.order, fits) {
                        break 'walk;
                    }
                    index = node.next;
                    continue;
                }
                if fits == 0 {
                    plan.complete = true;
                    break 'walk;
                }
                let closes = node.remaining <= fits;
                let quantity = if closes { node.remaining } else { fits };
                plan.fills.push(Fill {
                    quantity: Shares::new(quantity),
                    node: index,
                    order: node.order,
                    price,
                    closes,
                });
                shares += quantity;
                value += quantity * unit;
                left -= if BY_MONEY { quantity * unit } else { quantity };
                last_unit = unit;
                if !closes {
                    plan.complete = true;
                    break 'walk;
                }
                index = node.next;
            }
            match ladder.below(rank) {
                Some(next) if next >= worst => rank = next,
                _ => break,
            }
        }
        (plan.shares, plan.value) = (Shares::new(shares), Money::new(value));
        if !plan.complete && !plan.stopped_at_own {
            // Makers ran out, or the bound was reached: change below the last unit's price is no remainder.
            plan.complete = if BY_MONEY { left < last_unit } else { left == 0 };
        }
    }
}

impl Plan {
    /// An own order stands in the way; says whether the walk ends here. One that is passed over is as good as
    /// not there; the others are met only by a taker that could still take from them.
    #[cold]
    fn meets_own(&mut self, own_orders: OwnOrders, order: u32, fits: i64) -> bool {
        match own_orders {
            OwnOrders::Skip => {}
            _ if fits == 0 => self.complete = true,
            OwnOrders::CancelOldest => self.cancels.push(order),
            OwnOrders::CancelNewest => self.stopped_at_own = true,
            OwnOrders::CancelBoth => {
                self.cancels.push(order);
                self.stopped_at_own = true;
            }
        }
        self.complete || self.stopped_at_own
    }
}
