//! Our book: `exchange::book::Book`, with the self-trade check enabled and its fills read back.
//!
//! In the exchange, an order stores its node in the book. Here the map from id to node takes that role, and its time
//! and bytes count as ours.

use exchange::book::{Book, BookSide, NodeIndex, OwnOrders, Plan, Taker, Want};
use exchange::index::{OrderSlot, UserIndex};
use exchange::numbers::{Price, Shares};

use super::by_id::ById;
use super::contestant::{Contestant, Order, Resting, Side, Tally};

/// Few enough users that some orders meet their own.
pub(crate) type OursSharedUsers = Ours<1_024>;
/// Every order has a separate user, so the self-trade rules never apply.
pub(crate) type OursDistinctUsers = Ours<{ u32::MAX }>;

#[derive(Debug)]
pub(crate) struct Ours<const USERS: u32> {
    book: Book,
    plan: Plan,
    /// `NONE` once the order is gone.
    places: ById<NodeIndex>,
}

impl<const USERS: u32> Default for Ours<USERS> {
    fn default() -> Self {
        Self { book: Book::default(), plan: Plan::default(), places: ById::new(NodeIndex::NONE) }
    }
}

impl<const USERS: u32> Contestant for Ours<USERS> {
    fn add(&mut self, order: Order, tally: &mut impl Tally) {
        let taker = Taker {
            user: UserIndex::from_slot((order.id % USERS) as usize),
            side: match order.side {
                Side::Buy => BookSide::Bid,
                Side::Sell => BookSide::Ask,
            },
            in_no: false,
            limit: Price::new(order.price as u8).expect("ticks are cents"),
            want: Want::Shares(Shares::new(i64::from(order.quantity))),
            base: 1,
            own_orders: OwnOrders::Skip,
        };
        self.book.plan(&taker, &mut self.plan);
        self.take(order.id, tally);
        let left = i64::from(order.quantity) - self.plan.shares.units();
        if left > 0 {
            self.rest(order.id, &taker, Shares::new(left));
        }
    }

    fn cancel(&mut self, id: u32) {
        let place = self.places.get(id);
        if place != NodeIndex::NONE {
            self.book.remove(place);
            self.places.set(id, NodeIndex::NONE);
        }
    }

    fn resting(&self) -> Resting {
        let sides = [BookSide::Bid, BookSide::Ask].into_iter();
        let resting = sides.flat_map(|side| self.book.resting(side));
        Resting {
            orders: Some(self.book.len() as u64),
            quantity: resting.map(|order| order.remaining.units().unsigned_abs()).sum(),
        }
    }
}

impl<const USERS: u32> Ours<USERS> {
    #[inline(always)]
    fn take(&mut self, taker: u32, tally: &mut impl Tally) {
        for fill in &self.plan.fills {
            let quantity = fill.quantity.units() as u32;
            let maker = fill.order.slot() as u32;
            tally.fill(taker, maker, u32::from(fill.price.cents()), quantity);
            if fill.closes {
                self.places.set(maker, NodeIndex::NONE);
            }
        }
        self.book.take(&self.plan.fills);
    }

    /// Inlined, so that the calls of this harness do not count as the book's.
    #[inline(always)]
    fn rest(&mut self, id: u32, taker: &Taker, left: Shares) {
        let order = OrderSlot::from_slot(id as usize);
        let place = self.book.rest(taker.side, taker.limit, taker.user, order, left);
        self.places.set(id, place);
    }
}
