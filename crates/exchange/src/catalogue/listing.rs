//! A market in one currency: its book or pool, its holders, its trading totals.

use crate::activity::Activity;
use crate::book::{Book, BookSide, NodeIndex};
use crate::numbers::{Cents, Money, Ppm, Price};
use crate::order::{Outcome, Side};
use crate::pool::Pool;
use crate::position::PositionSlot;
use crate::stats::Stats;

/// The trading engine of a listing.
#[derive(Clone, Debug)]
pub enum Venue {
    Book(Box<Book>),
    /// `None` until it is seeded.
    Pool(Option<Pool>),
    /// No trading: the market is settled, or its event does not support the currency.
    Idle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastTrade {
    /// As a YES price.
    pub price: Price,
    /// The taker's side in terms of YES: a bid or an ask.
    pub side: BookSide,
}

/// The number of users with shares of a listing, without the house: what a preview of a settlement shows, without a walk
/// through all positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HolderCounts {
    /// With YES shares, and with NO shares.
    of: [u32; 2],
    of_both: u32,
}

impl HolderCounts {
    /// A user got a first share of `outcome` or gave away the last one.
    pub(crate) fn count(&mut self, outcome: Outcome, has_shares: bool, has_other: bool) {
        let count = |number: &mut u32| if has_shares { *number += 1 } else { *number -= 1 };
        count(&mut self.of[outcome as usize]);
        if has_other {
            count(&mut self.of_both);
        }
    }

    /// The number of users who are paid something if a YES share pays this much.
    pub(crate) fn winners(&self, yes_pays: Cents) -> u32 {
        let [yes, no] = self.of;
        match yes_pays {
            Cents::NOTHING => no,
            Cents::WHOLE => yes,
            _ => yes + no - self.of_both,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Listing {
    pub venue: Venue,
    /// All positions opened here, until settlement; in order of first touch.
    pub(crate) holders: Vec<PositionSlot>,
    /// Derived: a snapshot does not have it.
    pub(crate) holder_counts: HolderCounts,
    pub stats: Stats,
    pub last_trade: Option<LastTrade>,
    /// The displayed YES price when trading closed; `None` while the market can trade.
    pub closing_price: Option<Ppm>,
    /// The book of a closed market while its orders wait for their refunds; never an empty one. Only rules 4 set it.
    pub(crate) leaving: Option<Box<Book>>,
    /// The total value of resting orders, each at its own price; zero for a pool.
    pub resting: Money,
    /// Traded value, at the prices of the taker's outcome.
    pub volume: Money,
    /// Orders accepted.
    pub orders: u64,
    /// The recent part of `volume` and `orders`.
    pub activity: Activity,
}

impl Listing {
    pub(crate) fn new(venue: Venue) -> Listing {
        Listing {
            venue,
            holders: Vec::new(),
            holder_counts: HolderCounts::default(),
            stats: Stats::default(),
            last_trade: None,
            closing_price: None,
            leaving: None,
            resting: Money::ZERO,
            volume: Money::ZERO,
            orders: 0,
            activity: Activity::default(),
        }
    }

    /// Releases the book and the minute statistics after settlement. Totals and the hourly activity stay.
    pub(crate) fn give_back(&mut self) {
        assert!(
            self.holders.is_empty() && self.resting == Money::ZERO && self.leaving.is_none(),
            "a settled listing has no holder and no order"
        );
        self.venue = Venue::Idle;
        self.holders = Vec::new();
        self.holder_counts = HolderCounts::default();
        self.stats = Stats::default();
        self.activity.shrink();
    }

    /// Whether it holds no memory that only trading needs.
    pub fn is_given_back(&self) -> bool {
        matches!(self.venue, Venue::Idle)
            && self.holders.capacity() == 0
            && self.resting == Money::ZERO
            && self.leaving.is_none()
            && self.stats == Stats::default()
    }

    pub fn book(&self) -> Option<&Book> {
        match &self.venue {
            Venue::Book(book) => Some(book),
            Venue::Pool(_) | Venue::Idle => None,
        }
    }

    /// The orders that wait for their refunds after trading has closed. They are in no book that trades or is shown.
    pub fn leaving(&self) -> Option<&Book> {
        self.leaving.as_deref()
    }

    /// Takes all orders out of trading at once. False if there are none.
    pub(super) fn set_aside(&mut self) -> bool {
        match &mut self.venue {
            Venue::Book(book) if !book.is_empty() => {
                self.leaving = Some(core::mem::take(book));
                self.resting = Money::ZERO;
                true
            }
            Venue::Book(_) | Venue::Pool(_) | Venue::Idle => false,
        }
    }

    /// Removes an order that waits for its refund. False if none of this listing waits.
    pub(super) fn remove_leaving(&mut self, node: NodeIndex) -> bool {
        let Some(book) = &mut self.leaving else { return false };
        book.remove(node);
        if book.is_empty() {
            self.leaving = None;
        }
        true
    }

    pub fn pool(&self) -> Option<&Pool> {
        match &self.venue {
            Venue::Pool(pool) => pool.as_ref(),
            Venue::Book(_) | Venue::Idle => None,
        }
    }

    /// The displayed YES price. While the market can trade: for a book the mid price, else the last trade, else one
    /// half; for a pool the marginal price. Afterwards the price at closing.
    pub fn yes_price(&self) -> Ppm {
        self.closing_price.unwrap_or_else(|| self.trading_price())
    }

    fn trading_price(&self) -> Ppm {
        match &self.venue {
            Venue::Pool(pool) => pool.as_ref().map_or(Ppm::HALF, |pool| pool.price(Outcome::Yes)),
            Venue::Book(book) => match (book.best(BookSide::Bid), book.best(BookSide::Ask)) {
                (Some(bid), Some(ask)) => Ppm::new((i64::from(bid.cents()) + i64::from(ask.cents())) * 5_000),
                _ => self.last_price(),
            },
            Venue::Idle => self.last_price(),
        }
    }

    /// The last trade, or one half. A pool records no last trade.
    fn last_price(&self) -> Ppm {
        self.last_trade.map_or(Ppm::HALF, |last| last.price.into())
    }

    pub fn price(&self, outcome: Outcome) -> Ppm {
        match outcome {
            Outcome::Yes => self.yes_price(),
            Outcome::No => self.yes_price().complement(),
        }
    }

    /// The current price of one share of `outcome`; zero if none is offered.
    pub fn buy_price(&self, outcome: Outcome) -> Ppm {
        match &self.venue {
            Venue::Pool(pool) => pool.as_ref().map_or(Ppm::ZERO, |pool| pool.price_of_one(outcome)),
            Venue::Book(book) => match book.best(Side::Buy.on_book(outcome).opposite()) {
                Some(price) => outcome.yes_price(price).into(),
                None => Ppm::ZERO,
            },
            Venue::Idle => Ppm::ZERO,
        }
    }
}
