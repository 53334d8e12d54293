//! The order book of one (market, currency), entirely in YES prices: `BUY NO @q` is an ask at `1−q`, `SELL NO @q` a bid
//! at `1−q`.
//!
//! It handles prices, quantities, users and queue positions, not money, fees or order states. Matching has two steps:
//! `plan` computes the fills without changing anything, `take` applies them. `sweep` sums a plan over whole levels. Every
//! operation is O(1) apart from the fills; a large book keeps `blocks` for walks through long levels.

mod blocks;
mod ladder;
#[cfg(feature = "testing")]
pub mod naive;
mod node;
mod plan;
mod sweep;

pub use node::NodeIndex;
pub use plan::{Fill, OwnOrders, Plan, Taker, Want};
pub use sweep::{OwnResting, Sweep};

use crate::index::{OrderSlot, UserIndex};
use crate::numbers::{Price, Shares};
use ladder::{Ladder, Rank};
use node::{Node, Nodes};

/// A side of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookSide {
    Bid,
    Ask,
}

impl BookSide {
    #[inline]
    pub const fn opposite(self) -> BookSide {
        match self {
            BookSide::Bid => BookSide::Ask,
            BookSide::Ask => BookSide::Bid,
        }
    }
}

/// One resting order, as returned to readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resting {
    pub price: Price,
    pub user: UserIndex,
    pub order: OrderSlot,
    pub remaining: Shares,
}

#[derive(Clone, Debug, Default)]
pub struct Book {
    nodes: Nodes,
    ladders: [Ladder; 2],
}

impl Book {
    #[inline]
    fn ladder(&self, side: BookSide) -> &Ladder {
        &self.ladders[side as usize]
    }

    /// The best price resting on `side`.
    pub fn best(&self, side: BookSide) -> Option<Price> {
        self.ladder(side).best().map(|rank| rank.price(side))
    }

    /// The best price on `side` among the orders of users other than `user`.
    pub fn best_of_others(&self, side: BookSide, user: UserIndex) -> Option<Price> {
        self.resting(side).find(|resting| resting.user != user).map(|resting| resting.price)
    }

    /// Adds an order at the end of its level.
    #[inline(always)]
    pub fn rest(
        &mut self,
        side: BookSide,
        price: Price,
        user: UserIndex,
        order: OrderSlot,
        remaining: Shares,
    ) -> NodeIndex {
        let rank = Rank::of(price, side);
        self.ladders[side as usize]
            .push_back(&mut self.nodes, Node::new(side, rank, user, order, remaining.units()))
    }

    /// Removes an order and returns its remaining quantity.
    #[inline(always)]
    pub fn remove(&mut self, index: NodeIndex) -> Shares {
        let side = self.nodes[index].side;
        Shares::new(self.ladders[side as usize].unlink(&mut self.nodes, index))
    }

    /// Reduces an order; it keeps its queue position.
    pub fn reduce(&mut self, index: NodeIndex, remaining: Shares) {
        let node = &self.nodes[index];
        assert!(
            remaining > Shares::ZERO && remaining.units() <= node.remaining,
            "reduce only makes an order smaller and never empty"
        );
        let less = node.remaining - remaining.units();
        self.ladders[node.side as usize].shrink(node.rank, less);
        self.nodes.reduce(index, less);
    }

    pub fn remaining(&self, index: NodeIndex) -> Shares {
        Shares::new(self.nodes[index].remaining)
    }

    /// Applies the fills of a plan that was made on this state.
    #[inline(always)]
    pub fn take(&mut self, fills: &[Fill]) {
        for fill in fills {
            let quantity = fill.quantity.units();
            let node = &self.nodes[fill.node];
            let ladder = &mut self.ladders[node.side as usize];
            if fill.closes {
                assert!(node.remaining == quantity, "a closing fill takes the whole order");
                ladder.unlink(&mut self.nodes, fill.node);
            } else {
                assert!(node.remaining > quantity, "a fill that does not close leaves a remainder");
                ladder.shrink(node.rank, quantity);
                self.nodes.reduce(fill.node, quantity);
            }
        }
    }

    /// The number of resting orders.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ladders.iter().all(|ladder| ladder.best().is_none())
    }

    /// All orders on `side`, best price first, oldest first within a price.
    pub fn resting(&self, side: BookSide) -> impl Iterator<Item = Resting> {
        let ladder = self.ladder(side);
        ladder.ranks().flat_map(move |rank| self.queue(ladder.head(rank), rank.price(side)))
    }

    /// Price and total quantity of each level, best first.
    pub fn levels(&self, side: BookSide) -> impl Iterator<Item = (Price, Shares)> {
        let ladder = self.ladder(side);
        ladder.ranks().map(move |rank| (rank.price(side), Shares::new(ladder.total(rank))))
    }

    fn queue(&self, head: NodeIndex, price: Price) -> impl Iterator<Item = Resting> {
        let first = self.nodes.get(head);
        core::iter::successors(first, |node| self.nodes.get(node.next)).map(move |node| Resting {
            price,
            user: node.user,
            order: node.order,
            remaining: Shares::new(node.remaining),
        })
    }
}

#[cfg(test)]
impl Book {
    /// A planted bug: a level whose total is one unit too small.
    pub(crate) fn spoil_total(&mut self, side: BookSide, price: Price) {
        self.ladders[side as usize].shrink(Rank::of(price, side), 1);
    }
}
