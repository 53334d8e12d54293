//! Prices: `Price` is the price of an order (1..=99 cents), `Cents` the value of a share in a trade or payout
//! (0..=100), `Ppm` a displayed price (millionths).

use core::fmt;

use minicbor::decode::Error;
use minicbor::{Decode, Decoder, Encode};

use super::print::write_decimal;
use super::{Currency, Money, Shares, half_up, narrow};

/// A price of the book: whole cents from 0.01 to 0.99.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Encode)]
#[cbor(transparent)]
pub struct Price(#[n(0)] u8);

impl Price {
    pub const MIN: Price = Price(1);
    pub const MAX: Price = Price(99);

    pub const fn new(cents: u8) -> Option<Price> {
        if cents >= 1 && cents <= 99 { Some(Price(cents)) } else { None }
    }

    /// The nearest valid price; for bounds that may be out of range.
    pub const fn clamp(cents: i64) -> Price {
        match cents {
            ..=1 => Price::MIN,
            99.. => Price::MAX,
            _ => Price(cents as u8),
        }
    }

    /// For a level of the book, which always has a valid price.
    #[inline]
    pub(crate) const fn of_level(cents: u8) -> Price {
        debug_assert!(cents >= 1 && cents <= 99, "a level has a valid price");
        Price(cents)
    }

    #[inline]
    pub const fn cents(self) -> u8 {
        self.0
    }

    /// The price of the other outcome: the two sum to 1.00.
    #[inline]
    pub const fn complement(self) -> Price {
        Price(100 - self.0)
    }
}

impl From<Price> for Cents {
    #[inline]
    fn from(price: Price) -> Cents {
        Cents(price.0)
    }
}

/// Decoding fails unless the price is valid.
impl<'b, C> Decode<'b, C> for Price {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Price, Error> {
        Price::new(d.u8()?).ok_or_else(|| Error::message("price outside 1..=99"))
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0.{:02}", self.0)
    }
}

impl fmt::Debug for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A value per share in whole cents, 0..=100: a price, or the payout of a settled share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Encode)]
#[cbor(transparent)]
pub struct Cents(#[n(0)] u8);

impl Cents {
    pub const NOTHING: Cents = Cents(0);
    pub const HALF: Cents = Cents(50);
    pub const WHOLE: Cents = Cents(100);

    pub const fn new(cents: u8) -> Option<Cents> {
        if cents <= 100 { Some(Cents(cents)) } else { None }
    }

    #[inline]
    pub const fn cents(self) -> i64 {
        self.0 as i64
    }

    pub const fn complement(self) -> Cents {
        Cents(100 - self.0)
    }
}

impl<'b, C> Decode<'b, C> for Cents {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Cents, Error> {
        Cents::new(d.u8()?).ok_or_else(|| Error::message("value outside 0..=100 cents"))
    }
}

impl fmt::Debug for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// A displayed price in millionths of a base unit.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct Ppm(#[n(0)] i64);

impl Ppm {
    pub const ZERO: Ppm = Ppm(0);
    pub const CENT: Ppm = Ppm(10_000);
    pub const HALF: Ppm = Ppm(500_000);
    pub const WHOLE: Ppm = Ppm(1_000_000);

    pub const fn new(units: i64) -> Ppm {
        Ppm(units)
    }

    pub const fn units(self) -> i64 {
        self.0
    }

    /// The average price of `shares` worth `value`; zero if there are none.
    pub fn average(value: Money, shares: Shares, currency: Currency) -> Ppm {
        if shares == Shares::ZERO {
            return Ppm::ZERO;
        }
        let per_share = i128::from(shares.units()) * i128::from(currency.base());
        Ppm(narrow(half_up(i128::from(value.units()) * 10_000, per_share)))
    }

    pub const fn complement(self) -> Ppm {
        Ppm(1_000_000 - self.0)
    }

    pub const fn distance(self, other: Ppm) -> Ppm {
        Ppm((self.0 - other.0).abs())
    }
}

impl From<Price> for Ppm {
    fn from(price: Price) -> Ppm {
        Ppm(i64::from(price.0) * 10_000)
    }
}

/// Up to six decimals: `0.5`, `0.509604`.
impl fmt::Display for Ppm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(f, self.0, 6, 0)
    }
}

impl fmt::Debug for Ppm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
