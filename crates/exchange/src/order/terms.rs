//! The vocabulary of an order, as in the API.

use minicbor::{Decode, Encode};

use crate::book::{BookSide, OwnOrders};
use crate::numbers::Price;

/// One outcome of a market. Outcome 1 is YES.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Outcome {
    #[n(0)]
    Yes,
    #[n(1)]
    No,
}

impl Outcome {
    pub const BOTH: [Outcome; 2] = [Outcome::Yes, Outcome::No];

    pub const fn other(self) -> Outcome {
        match self {
            Outcome::Yes => Outcome::No,
            Outcome::No => Outcome::Yes,
        }
    }

    /// Converts between a price of this outcome and the book's YES price; its own inverse.
    #[inline]
    pub const fn yes_price(self, price: Price) -> Price {
        match self {
            Outcome::Yes => price,
            Outcome::No => price.complement(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Side {
    #[n(0)]
    Buy,
    #[n(1)]
    Sell,
}

impl Side {
    /// `BUY NO` is an ask, `SELL NO` a bid: the book uses YES prices.
    #[inline]
    pub const fn on_book(self, outcome: Outcome) -> BookSide {
        match (self, outcome) {
            (Side::Buy, Outcome::Yes) | (Side::Sell, Outcome::No) => BookSide::Bid,
            (Side::Sell, Outcome::Yes) | (Side::Buy, Outcome::No) => BookSide::Ask,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum OrderKind {
    #[n(0)]
    Limit,
    #[n(1)]
    Market,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum TimeInForce {
    /// Rests until it fills or is cancelled.
    #[n(0)]
    Gtc,
    /// Rests until a given time.
    #[n(1)]
    Gtd,
    /// Fills what it can immediately, never rests.
    #[n(2)]
    Fak,
    /// Fills completely and immediately, or not at all.
    #[n(3)]
    Fok,
}

impl TimeInForce {
    pub const fn rests(self) -> bool {
        matches!(self, TimeInForce::Gtc | TimeInForce::Gtd)
    }
}

/// `stpMode`: what happens when an order would trade with another one of the same user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum SelfTrade {
    #[default]
    #[n(0)]
    Skip,
    #[n(1)]
    CancelOldest,
    #[n(2)]
    CancelNewest,
    #[n(3)]
    CancelBoth,
}

impl From<SelfTrade> for OwnOrders {
    fn from(mode: SelfTrade) -> OwnOrders {
        match mode {
            SelfTrade::Skip => OwnOrders::Skip,
            SelfTrade::CancelOldest => OwnOrders::CancelOldest,
            SelfTrade::CancelNewest => OwnOrders::CancelNewest,
            SelfTrade::CancelBoth => OwnOrders::CancelBoth,
        }
    }
}
