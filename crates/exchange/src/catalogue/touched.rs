//! The sequence at which each market last changed. Not state: equal states may differ in it, and a snapshot lacks it.

use core::fmt;

use crate::index::MarketIndex;

/// A read in several parts finds out with it which of its parts are current.
#[derive(Clone, Default)]
pub(super) struct Touched {
    /// The sequence of the request being applied.
    pub(super) seq: u64,
    markets: Vec<u64>,
}

impl Touched {
    /// Notes that a market changes.
    #[inline]
    pub(super) fn touch(&mut self, market: MarketIndex) {
        self.markets[market.slot()] = self.seq;
    }

    pub(super) fn add(&mut self, market: MarketIndex) {
        self.markets.resize(market.slot() + 1, self.seq);
    }

    #[inline]
    pub(super) fn at(&self, market: MarketIndex) -> u64 {
        self.markets.get(market.slot()).copied().unwrap_or(0)
    }
}

impl fmt::Debug for Touched {
    /// Empty: tests compare states by their text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Touched")
    }
}
