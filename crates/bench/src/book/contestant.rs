//! The interface of a contestant, and how its fills are counted.
//!
//! A contestant reports every fill to a [`Tally`]. The timed runs only count; the checking run also computes a digest
//! of who traded with whom, so that equal totals cannot hide different fills.

/// The highest price; the lowest is 1.
pub(crate) const TICK_MAX: u32 = 99;

/// The side of an order, with the numbers of the record format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Buy = 0,
    Sell = 1,
}

impl Side {
    pub(crate) fn opposite(self) -> Self {
        match self {
            Side::Buy => Side::Sell,
            Side::Sell => Side::Buy,
        }
    }
}

/// A limit order. Its `id` is the position of its record in the workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) id: u32,
    pub(crate) side: Side,
    /// In ticks, 1 to 99.
    pub(crate) price: u32,
    pub(crate) quantity: u32,
}

/// The orders left in a book at the end of the workload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Resting {
    /// `None` if the peer cannot report it.
    pub(crate) orders: Option<u64>,
    pub(crate) quantity: u64,
}

/// Receives the fills of a book.
pub(crate) trait Tally {
    fn fill(&mut self, taker: u32, maker: u32, price: u32, quantity: u32);
}

/// A book under test. Adds never fail; cancelling an order that is gone does nothing.
pub(crate) trait Contestant: Default {
    fn add(&mut self, order: Order, tally: &mut impl Tally);
    fn cancel(&mut self, id: u32);
    fn resting(&self) -> Resting;
}

/// Trades and traded volume: everything that a timed run records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) trades: u64,
    pub(crate) volume: u64,
}

impl Tally for Totals {
    #[inline]
    fn fill(&mut self, _taker: u32, _maker: u32, _price: u32, quantity: u32) {
        self.trades += 1;
        self.volume += u64::from(quantity);
    }
}

/// The totals, and a digest over every fill in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digest {
    pub(crate) totals: Totals,
    pub(crate) fills: u64,
}

impl Tally for Digest {
    fn fill(&mut self, taker: u32, maker: u32, price: u32, quantity: u32) {
        self.totals.fill(taker, maker, price, quantity);
        for word in [taker, maker, price, quantity] {
            // The step of FNV-1a, a word at a time.
            self.fills = (self.fills ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
            self.fills ^= self.fills >> 29;
        }
    }
}
