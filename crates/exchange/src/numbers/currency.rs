//! The two currencies. They never mix: every amount is kept per currency.

use minicbor::{Decode, Encode};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Currency {
    #[n(0)]
    Usd,
    #[n(1)]
    Ngn,
}

impl Currency {
    pub const ALL: [Currency; 2] = [Currency::Usd, Currency::Ngn];

    /// The payout of one winning share, in whole currency (`currencyBaseMultiplier`).
    pub const fn base(self) -> i64 {
        match self {
            Currency::Usd => 1,
            Currency::Ngn => 100,
        }
    }

    pub const fn code(self) -> &'static str {
        match self {
            Currency::Usd => "USD",
            Currency::Ngn => "NGN",
        }
    }

    pub const fn index(self) -> usize {
        self as usize
    }
}

/// One `T` per currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct PerCurrency<T> {
    #[n(0)]
    pub usd: T,
    #[n(1)]
    pub ngn: T,
}

impl<T> PerCurrency<Option<T>> {
    /// The given ones, and the known ones for the others.
    pub fn over(self, known: PerCurrency<T>) -> PerCurrency<T> {
        PerCurrency { usd: self.usd.unwrap_or(known.usd), ngn: self.ngn.unwrap_or(known.ngn) }
    }
}

impl<T> PerCurrency<T> {
    pub fn get(&self, currency: Currency) -> &T {
        match currency {
            Currency::Usd => &self.usd,
            Currency::Ngn => &self.ngn,
        }
    }

    pub fn get_mut(&mut self, currency: Currency) -> &mut T {
        match currency {
            Currency::Usd => &mut self.usd,
            Currency::Ngn => &mut self.ngn,
        }
    }
}
