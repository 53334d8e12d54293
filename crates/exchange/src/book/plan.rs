//! Planning: computes what a taker would do to the book, without changing it.
//!
//! One function serves quotes, the funds check, the FOK check and fills. Self-trade prevention is applied only
//! here.

use super::ladder::Rank;
use super::{Book, BookSide, NodeIndex};
use crate::index::{OrderSlot, UserIndex};
use crate::numbers::{Money, Price, Shares};

/// A taker's behaviour at an order of its own user. Spec, stpMode table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnOrders {
    /// Skip it.
    Skip,
    /// Cancel it and continue.
    CancelOldest,
    /// Stop.
    CancelNewest,
    /// Cancel it and stop.
    CancelBoth,
}

/// The quantity that a taker wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    Shares(Shares),
    /// As many shares as this amount buys, best price first.
    Money(Money),
}

/// An incoming order to match.
#[derive(Clone, Copy, Debug)]
pub struct Taker {
    pub user: UserIndex,
    /// The side of the taker.
    pub side: BookSide,
    /// The taker trades NO: its price is the complement of the book's.
    pub in_no: bool,
    /// The worst book price that it accepts.
    pub limit: Price,
    pub want: Want,
    /// Currency base: the payout of one share in whole currency.
    pub base: i64,
    pub own_orders: OwnOrders,
}

/// A quantity taken from one resting order, at its price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    pub quantity: Shares,
    pub node: NodeIndex,
    pub order: OrderSlot,
    pub price: Price,
    /// The resting order is fully filled.
    pub closes: bool,
}

/// The result of planning. Reused between commands for its buffers.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub fills: Vec<Fill>,
    /// Own orders to cancel for self-trade prevention.
    pub cancels: Vec<OrderSlot>,
    pub shares: Shares,
    /// The value of the fills at the prices of the taker's outcome, before fees.
    pub value: Money,
    /// Everything wanted was found, except for an amount below the price of one unit.
    pub complete: bool,
    /// The walk stopped at an own order (CANCEL_NEWEST, CANCEL_BOTH).
    pub stopped_at_own: bool,
    /// The walk stopped after as many fills as were asked for; there may be more.
    pub is_cut: bool,
}

impl Plan {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.fills.clear();
        self.cancels.clear();
        (self.shares, self.value) = (Shares::ZERO, Money::ZERO);
        (self.complete, self.stopped_at_own, self.is_cut) = (false, false, false);
    }
}

impl Book {
    /// Walks the opposite side, best price first and oldest first, and records what would happen.
    #[inline(always)]
    pub fn plan(&self, taker: &Taker, plan: &mut Plan) {
        self.plan_up_to(usize::MAX, taker, plan);
    }

    /// Like `plan`, and stops after this many fills.
    #[inline(always)]
    pub fn plan_up_to(&self, fills_max: usize, taker: &Taker, plan: &mut Plan) {
        plan.clear();
        let maker_side = taker.side.opposite();
        let worst = Rank::of(taker.limit, maker_side);
        let best = self.ladder(maker_side).top();
        if best < worst {
            plan.complete = taker.want == Want::Shares(Shares::ZERO);
            return;
        }
        match taker.want {
            Want::Shares(shares) => self.walk::<false>(taker, shares.units(), (best, worst), fills_max, plan),
            Want::Money(money) => self.walk::<true>(taker, money.units(), (best, worst), fills_max, plan),
        }
    }

    /// Walks from rank `best` down to `worst`; `left` is the wanted quantity in units or money.
    #[inline(never)]
    fn walk<const BY_MONEY: bool>(
        &self,
        taker: &Taker,
        mut left: i64,
        (best, worst): (Rank, Rank),
        fills_max: usize,
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
                if plan.fills.len() == fills_max {
                    plan.is_cut = true;
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
        if !plan.complete && !plan.stopped_at_own && !plan.is_cut {
            // No acceptable maker is left. An amount below the price of one unit does not count as a remainder.
            plan.complete = if BY_MONEY { left < last_unit } else { left == 0 };
        }
    }
}

impl Plan {
    /// Handles an own order and returns whether the walk ends. A skipped order is ignored; the other modes apply only
    /// if the taker could still take from the order.
    #[cold]
    pub(super) fn meets_own(&mut self, own_orders: OwnOrders, order: OrderSlot, fits: i64) -> bool {
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
