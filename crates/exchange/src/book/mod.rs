//! The order book of one (market, currency), all in YES price: `BUY NO @q` is an ask at `1−q`,
//! `SELL NO @q` a bid at `1−q`.
//!
//! It knows prices, quantities, users and queue places, and nothing of money, fees or states.
//! Matching is two steps: `plan` looks and changes nothing, `take` carries a plan's fills out.
//! Every operation is O(1) but for the fills themselves.

mod ladder;
mod node;
mod plan;

pub use node::NodeIndex;
pub use plan::{Fill, OwnOrders, Plan, Taker, Want};

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

/// What rests at one place of the queue, as a reader sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resting {
    pub price: Price,
    pub user: u32,
    pub order: u32,
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

    /// The best price on `side` at which someone other than `user` rests.
    pub fn best_of_others(&self, side: BookSide, user: u32) -> Option<Price> {
        self.resting(side).find(|resting| resting.user != user).map(|resting| resting.price)
    }

    /// Puts an order at the tail of its level.
    #[inline(always)]
    pub fn rest(
        &mut self,
        side: BookSide,
        price: Price,
        user: u32,
        order: u32,
        remaining: Shares,
    ) -> NodeIndex {
        let rank = Rank::of(price, side);
        self.ladders[side as usize]
            .push_back(&mut self.nodes, Node::new(side, rank, user, order, remaining.units()))
    }

    /// Takes an order out and says what remained of it.
    #[inline(always)]
    pub fn remove(&mut self, index: NodeIndex) -> Shares {
        let side = self.nodes[index].side;
        Shares::new(self.ladders[side as usize].unlink(&mut self.nodes, index))
    }

    /// Makes an order smaller; it keeps its place.
    pub fn reduce(&mut self, index: NodeIndex, remaining: Shares) {
        let node = &mut self.nodes[index];
        assert!(
            remaining > Shares::ZERO && remaining.units() <= node.remaining,
            "reduce never grows or empties an order"
        );
        let less = node.remaining - remaining.units();
        node.remaining = remaining.units();
        self.ladders[node.side as usize].shrink(node.rank, less);
    }

    pub fn remaining(&self, index: NodeIndex) -> Shares {
        Shares::new(self.nodes[index].remaining)
    }

    /// Carries out the fills of a plan made on this very state.
    #[inline(always)]
    pub fn take(&mut self, fills: &[Fill]) {
        for fill in fills {
            let quantity = fill.quantity.units();
            let node = &mut self.nodes[fill.node];
            let ladder = &mut self.ladders[node.side as usize];
            if fill.closes {
                assert!(node.remaining == quantity, "a fill that closes takes all");
                ladder.unlink(&mut self.nodes, fill.node);
            } else {
                node.remaining -= quantity;
                assert!(node.remaining > 0, "a fill that does not close leaves something");
                ladder.shrink(node.rank, quantity);
            }
        }
    }

    /// Number of resting orders.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Everything on `side`, best price first, within a price oldest first.
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
    /// A planted bug: a level that says one unit less than it has.
    pub(crate) fn spoil_total(&mut self, side: BookSide, price: Price) {
        self.ladders[side as usize].shrink(Rank::of(price, side), 1);
    }
}
