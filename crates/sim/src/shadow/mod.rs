//! Naive books, one per listing: the expected behaviour of each placement, amend and cancel.
//!
//! A command is predicted item by item from the rules. The prediction must equal the reported changes, and afterwards
//! every queue of the exchange must equal the naive one.

mod amend;
mod effect;
mod follow;
mod minimum;
mod place;

pub use effect::Effect;
pub use follow::{OrderFunds, caller};
pub use minimum::check_minimums;

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::book::BookSide;
use exchange::book::naive::{self, Fill, NaiveBook};
use exchange::index::ListingIndex;
use exchange::numbers::{Currency, FeeRate};
use exchange::order::{Outcome, Side};

use crate::failure::{Failure, ensure};

/// An open order in the shadow; prices in cents of its own outcome.
#[derive(Clone, Debug)]
pub struct Open {
    pub id: u128,
    pub user: u32,
    pub listing: ListingIndex,
    pub outcome: Outcome,
    pub side: Side,
    pub price: i64,
    pub size: i64,
    pub filled: i64,
    pub taker_value: i64,
    pub fee: i64,
    pub fee_rate: FeeRate,
    pub post_only: bool,
    /// Creation order.
    pub serial: u64,
}

impl Open {
    pub fn remaining(&self) -> i64 {
        self.size - self.filled
    }

    pub fn yes_price(&self) -> i64 {
        yes_price(self.outcome, self.price)
    }

    pub fn book_side(&self) -> naive::Side {
        naive_side(self.side.on_book(self.outcome))
    }

    /// Money held by a BUY.
    pub fn held_cash(&self) -> i64 {
        match self.side {
            Side::Buy => self.remaining() * self.price * base(self.listing.currency()),
            Side::Sell => 0,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Shadow {
    pub books: BTreeMap<ListingIndex, NaiveBook>,
    pub orders: BTreeMap<u128, Open>,
    serials: u64,
}

pub(crate) fn base(currency: Currency) -> i64 {
    match currency {
        Currency::Usd => 1,
        Currency::Ngn => 100,
    }
}

/// Converts between a price of an outcome and the book's, in either direction.
pub(crate) fn yes_price(outcome: Outcome, price: i64) -> i64 {
    match outcome {
        Outcome::Yes => price,
        Outcome::No => 100 - price,
    }
}

fn naive_side(side: BookSide) -> naive::Side {
    match side {
        BookSide::Bid => naive::Side::Bid,
        BookSide::Ask => naive::Side::Ask,
    }
}

/// `⌈rate · value⌉`, implemented independently.
fn fee_on(rate: FeeRate, value: i64) -> i64 {
    let product = i128::from(rate.basis_points()) * i128::from(value);
    ((product + 9_999) / 10_000) as i64
}

impl Shadow {
    /// Own orders that an order on this side with this limit would trade with, oldest first.
    fn own_crossers(&self, user: u32, listing: ListingIndex, side: naive::Side, limit: i64) -> Vec<u128> {
        let Some(book) = self.books.get(&listing) else { return Vec::new() };
        let makers = book.makers(side, limit);
        let mut own: Vec<_> =
            makers.iter().filter(|maker| maker.user == user).map(|maker| maker.id).collect();
        own.sort_by_key(|id| self.orders.get(id).map(|order| order.serial));
        own
    }

    /// Closes own orders for self-trade prevention.
    fn cancel_own(&mut self, ids: &[u128], effects: &mut Vec<Effect>) {
        for id in ids {
            if let Some(order) = self.forget(*id) {
                effects.push(Effect::self_trade(&order));
            }
        }
    }

    fn forget(&mut self, id: u128) -> Option<Open> {
        let order = self.orders.remove(&id)?;
        if let Some(book) = self.books.get_mut(&order.listing) {
            book.remove(id);
        }
        Some(order)
    }

    /// Applies fills for a taker that is not on the book.
    fn take(&mut self, taker: &mut Open, fills: &[Fill], effects: &mut Vec<Effect>) {
        if let Some(book) = self.books.get_mut(&taker.listing) {
            book.take(fills);
        }
        for fill in fills {
            let value = fill.shares * yes_price(taker.outcome, fill.price) * base(taker.listing.currency());
            let fee =
                fee_on(taker.fee_rate, taker.taker_value + value) - fee_on(taker.fee_rate, taker.taker_value);
            taker.filled += fill.shares;
            taker.taker_value += value;
            taker.fee += fee;
            let Some(maker) = self.orders.get_mut(&fill.id) else { continue };
            maker.filled += fill.shares;
            effects.push(Effect::trade(taker, maker, fill, fee));
            effects.push(Effect::maker(maker));
            if maker.remaining() == 0 {
                self.orders.remove(&fill.id);
            }
        }
    }

    /// Adds the remainder of an order at the end of its level.
    fn rest(&mut self, order: Open) {
        let book = self.books.entry(order.listing).or_default();
        book.rest(order.book_side(), order.yes_price(), order.user, order.id, order.remaining());
        self.orders.insert(order.id, order);
    }

    /// The funds that cancelling these orders would release: money, and shares of one outcome.
    fn released(&self, ids: &[u128], outcome: Outcome) -> (i64, i64) {
        let orders = ids.iter().filter_map(|id| self.orders.get(id));
        orders.fold((0, 0), |(cash, shares), order| {
            let is_sold = order.side == Side::Sell && order.outcome == outcome;
            (cash + order.held_cash(), shares + if is_sold { order.remaining() } else { 0 })
        })
    }

    /// Checks that every queue of the exchange equals the naive one.
    pub fn compare_queues(&self, exchange: &Exchange) -> Result<(), Failure> {
        let rule = "7 the quick book and the naive book are the same";
        let mut resting = 0;
        for (listing, place) in exchange.catalogue().listings() {
            let Some(quick) = place.book() else { continue };
            resting += quick.len();
            let Some(naive) = self.books.get(&listing) else {
                ensure(quick.is_empty(), rule, || format!("listing {listing:?} should be empty"))?;
                continue;
            };
            for side in [BookSide::Bid, BookSide::Ask] {
                let naive = naive.side(naive_side(side));
                let mut expected = naive.iter();
                for entry in quick.resting(side) {
                    let seen =
                        (exchange.orders().resting(&entry).terms.id.as_u128(), entry.user.slot() as u32);
                    let at = (i64::from(entry.price.cents()), entry.remaining.units());
                    let same = expected.next().is_some_and(|other| {
                        (other.id, other.user) == seen && (other.price, other.remaining) == at
                    });
                    ensure(same, rule, || {
                        format!("listing {listing:?} has {seen:?} at {at:?}, not {naive:?}")
                    })?;
                }
                ensure(expected.next().is_none(), rule, || {
                    format!("listing {listing:?} lacks some of {naive:?}")
                })?;
            }
        }
        ensure(resting == self.orders.len(), rule, || format!("{resting} rest, not {}", self.orders.len()))
    }
}
