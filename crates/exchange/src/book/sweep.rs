//! What a taker would take, summed over whole levels: without its fills, and at a cost that does not depend on how many
//! orders of others rest. Only a level whose own orders end the walk or may end it is walked, by whole blocks up to the one
//! where that happens. Quotes, valuations and checks of funds need no more than this.

use super::blocks::BlockIndex;
use super::ladder::Rank;
use super::{Book, NodeIndex, OwnOrders, Plan, Taker, Want};
use crate::index::OrderSlot;
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
    /// The orders and blocks of levels that were walked: what the sums cost.
    pub steps: usize,
}

/// The taker's own orders on the side that it takes from, by price.
#[derive(Clone, Debug)]
pub struct OwnResting {
    shares: [i64; 1 + Price::MAX.cents() as usize],
    orders: Vec<(Price, OrderSlot, NodeIndex)>,
    /// The prices whose orders are all cancelled, one bit each.
    cancelled: u128,
}

impl OwnResting {
    pub const NONE: OwnResting =
        OwnResting { shares: [0; 1 + Price::MAX.cents() as usize], orders: Vec::new(), cancelled: 0 };

    pub fn add(&mut self, price: Price, shares: Shares, order: OrderSlot, node: NodeIndex) {
        self.shares[usize::from(price.cents())] += shares.units();
        self.orders.push((price, order, node));
    }

    fn at(&self, price: Price) -> i64 {
        self.shares[usize::from(price.cents())]
    }

    fn cancel(&mut self, price: Price) {
        self.cancelled |= 1 << price.cents();
    }

    fn cancelled(&self) -> impl Iterator<Item = OrderSlot> {
        let is_cancelled =
            |order: &&(Price, OrderSlot, NodeIndex)| self.cancelled & (1 << order.0.cents()) != 0;
        self.orders.iter().filter(is_cancelled).map(|order| order.1)
    }
}

impl Book {
    /// Makes the plan of `Book::plan` without its fills; its cancels may be in another order. `own` has all orders of the
    /// taker's user on the other side.
    pub fn sweep(&self, taker: &Taker, mut own: OwnResting, plan: &mut Plan) -> Sweep {
        plan.clear();
        let maker_side = taker.side.opposite();
        let (ladder, worst) = (self.ladder(maker_side), Rank::of(taker.limit, maker_side));
        let (by_money, mut left) = match taker.want {
            Want::Shares(shares) => (false, shares.units()),
            Want::Money(money) => (true, money.units()),
        };
        let (mut before, mut after) = (None, None);
        let (mut shares, mut value, mut last_unit, mut steps) = (0, 0, 0, 0);
        for rank in ladder.ranks() {
            let price = rank.price(maker_side);
            let offered = ladder.total(rank) - own.at(price);
            let is_over = plan.complete || plan.stopped_at_own || rank < worst;
            if is_over && offered > 0 {
                after = Some(price);
                break;
            }
            if is_over {
                continue;
            }
            let own_price = if taker.in_no { price.complement() } else { price };
            let unit = i64::from(own_price.cents()) * taker.base;
            let fits = if by_money { left / unit } else { left };
            let (taken, walked) = self.take_level(rank, fits, taker, &mut own, plan);
            steps += walked;
            if taken > 0 {
                before = before.or(Some(price));
                after = Some(price);
                last_unit = unit;
            }
            shares += taken;
            value += taken * unit;
            left -= if by_money { taken * unit } else { taken };
            if taken < offered {
                after = Some(price);
                break;
            }
        }
        plan.cancels.extend(own.cancelled());
        (plan.shares, plan.value) = (Shares::new(shares), Money::new(value));
        if !plan.complete && !plan.stopped_at_own {
            // As in `plan`: an amount below the price of one unit does not count as a remainder.
            plan.complete = if by_money { left < last_unit } else { left == 0 };
        }
        Sweep { shares: plan.shares, value: plan.value, complete: plan.complete, before, after, steps }
    }

    /// What the taker takes from a level if this many shares still fit, and the steps to know it.
    fn take_level(
        &self,
        rank: Rank,
        fits: i64,
        taker: &Taker,
        own: &mut OwnResting,
        plan: &mut Plan,
    ) -> (i64, usize) {
        let (ladder, price) = (self.ladder(taker.side.opposite()), rank.price(taker.side.opposite()));
        let offered = ladder.total(rank) - own.at(price);
        if taker.own_orders == OwnOrders::Skip || own.at(price) == 0 {
            plan.complete = fits < offered;
            return (offered.min(fits), 1);
        }
        if taker.own_orders == OwnOrders::CancelOldest && fits > offered {
            own.cancel(price);
            return (offered, 1);
        }
        // What happens depends on the places of the own orders in the queue.
        self.walk_level(ladder.head(rank), fits, taker, self.own_by_block(own, price), plan)
    }

    /// The own orders at a price, each with its block and what it has left, ordered by block. Without blocks, none.
    fn own_by_block(&self, own: &OwnResting, price: Price) -> Vec<(BlockIndex, i64, OrderSlot)> {
        let at_price = own.orders.iter().filter(|order| order.0 == price && self.nodes.has_blocks());
        let in_block = |&(_, order, node): &(Price, OrderSlot, NodeIndex)| {
            let node = &self.nodes[node];
            (node.block, node.remaining, order)
        };
        let mut orders: Vec<_> = at_price.map(in_block).collect();
        orders.sort_unstable_by_key(|order| order.0);
        orders
    }

    /// Takes from a level in the order of its queue, and passes a block at once if the walk cannot end in it.
    fn walk_level(
        &self,
        head: NodeIndex,
        fits: i64,
        taker: &Taker,
        own: Vec<(BlockIndex, i64, OrderSlot)>,
        plan: &mut Plan,
    ) -> (i64, usize) {
        let (mut index, mut left, mut steps) = (head, fits, 0);
        while let Some(node) = self.nodes.get(index) {
            steps += 1;
            if let Some((block, entry)) = self.nodes.block_from(index) {
                let begin = own.partition_point(|order| order.0 < block);
                let here = &own[begin..][..own[begin..].partition_point(|order| order.0 == block)];
                let offered = entry.total - here.iter().map(|order| order.1).sum::<i64>();
                let is_passed = here.is_empty() || taker.own_orders == OwnOrders::CancelOldest;
                if is_passed && left > offered {
                    plan.cancels.extend(here.iter().map(|order| order.2));
                    left -= offered;
                    index = self.nodes.behind(entry);
                    continue;
                }
            }
            index = node.next;
            if node.user == taker.user {
                if plan.meets_own(taker.own_orders, node.order, left) {
                    break;
                }
                continue;
            }
            plan.complete = left < node.remaining;
            left -= left.min(node.remaining);
            if plan.complete {
                break;
            }
        }
        (fits - left, steps)
    }
}
