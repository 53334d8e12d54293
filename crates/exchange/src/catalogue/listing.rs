//! A market in one currency: where it trades, who holds it, what was traded.

use crate::activity::Activity;
use crate::book::{Book, BookSide};
use crate::numbers::{Money, Ppm, Price};
use crate::order::{Outcome, Side};
use crate::pool::Pool;
use crate::position::PositionSlot;
use crate::stats::Stats;

/// The engine of a listing.
#[derive(Clone, Debug)]
pub enum Venue {
    Book(Box<Book>),
    /// None until it is seeded.
    Pool(Option<Pool>),
    /// Nothing trades here: the market is settled, or its event does not support the currency.
    Idle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastTrade {
    /// In YES price.
    pub price: Price,
    /// The taker's side, seen from YES: a bid or an ask.
    pub side: BookSide,
}

#[derive(Clone, Debug)]
pub struct Listing {
    pub venue: Venue,
    /// Every position ever taken here, until settlement; in order of first touch.
    pub(crate) holders: Vec<PositionSlot>,
    pub stats: Stats,
    pub last_trade: Option<LastTrade>,
    /// The price shown for YES when trading closed; None while the market can trade.
    pub closing_price: Option<Ppm>,
    /// What rests on the book, each order at its own price; zero on a pool.
    pub resting: Money,
    /// Traded value, in money of the taker's outcome.
    pub volume: Money,
    /// Orders accepted.
    pub orders: u64,
    /// Of both the above, what is recent.
    pub activity: Activity,
}

impl Listing {
    pub(crate) fn new(venue: Venue) -> Listing {
        Listing {
            venue,
            holders: Vec::new(),
            stats: Stats::default(),
            last_trade: None,
            closing_price: None,
            resting: Money::ZERO,
            volume: Money::ZERO,
            orders: 0,
            activity: Activity::default(),
        }
    }

    /// The market is settled: book and minutes are given back. Totals stay, and the hours that make an event trend.
    pub(crate) fn give_back(&mut self) {
        assert!(
            self.holders.is_empty() && self.resting == Money::ZERO,
            "a settled listing has no holder and no order"
        );
        self.venue = Venue::Idle;
        self.holders = Vec::new();
        self.stats = Stats::default();
        self.activity.shrink();
    }

    /// Whether it holds nothing that only trading needs.
    pub fn is_given_back(&self) -> bool {
        matches!(self.venue, Venue::Idle)
            && self.holders.capacity() == 0
            && self.resting == Money::ZERO
            && self.stats == Stats::default()
    }

    pub fn book(&self) -> Option<&Book> {
        match &self.venue {
            Venue::Book(book) => Some(book),
            Venue::Pool(_) | Venue::Idle => None,
        }
    }

    pub fn pool(&self) -> Option<&Pool> {
        match &self.venue {
            Venue::Pool(pool) => pool.as_ref(),
            Venue::Book(_) | Venue::Idle => None,
        }
    }

    /// The price shown for YES. While the market can trade, book: mid, else last trade, else one half; pool: marginal.
    /// Afterwards the price at the moment of closing.
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

    /// A pool keeps no last trade.
    fn last_price(&self) -> Ppm {
        self.last_trade.map_or(Ppm::HALF, |last| last.price.into())
    }

    pub fn price(&self, outcome: Outcome) -> Ppm {
        match outcome {
            Outcome::Yes => self.yes_price(),
            Outcome::No => self.yes_price().complement(),
        }
    }

    /// What one share of `outcome` costs now; zero if none is offered.
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
