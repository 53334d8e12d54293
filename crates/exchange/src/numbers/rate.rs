//! Rates in basis points: the taker's fee and a taker's maximum slippage.
//!
//! The fee is `⌈rate · value⌉` over everything an order has taken so far, minus the fees already paid: the order pays
//! the same total for any number of fills.

use core::fmt;

use minicbor::decode::Error;
use minicbor::{Decode, Decoder, Encode};

use super::{Money, Price, div_ceil, div_floor, mul_ceil, narrow};

const WHOLE: i64 = 10_000;

/// 0..=1000 basis points: at most 10 %.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode)]
#[cbor(transparent)]
pub struct FeeRate(#[n(0)] u16);

impl FeeRate {
    pub const ZERO: FeeRate = FeeRate(0);

    pub const fn new(basis_points: u16) -> Option<FeeRate> {
        if basis_points <= 1000 { Some(FeeRate(basis_points)) } else { None }
    }

    pub const fn basis_points(self) -> u16 {
        self.0
    }

    /// `F(value) = ⌈rate · value⌉`.
    pub fn on(self, value: Money) -> Money {
        Money::new(mul_ceil(i64::from(self.0), value.units(), WHOLE))
    }

    /// The fee of the next fill worth `value`, for an order that took `taken` before.
    #[inline]
    pub fn on_next_fill(self, taken: Money, value: Money) -> Money {
        if self.0 == 0 {
            return Money::ZERO;
        }
        self.on(taken + value) - self.on(taken)
    }

    /// The largest value of shares that stays within `budget` including the fee.
    pub fn spendable(self, budget: Money) -> Money {
        let whole = i128::from(WHOLE);
        Money::new(narrow(div_floor(whole * i128::from(budget.units()), whole + i128::from(self.0))))
    }

    /// The largest gross proceeds that stay within `budget` after the fee.
    pub fn sellable(self, budget: Money) -> Money {
        let whole = i128::from(WHOLE);
        let bound = whole * (i128::from(budget.units()) + 1) - 1;
        Money::new(narrow(div_floor(bound, whole - i128::from(self.0))))
    }
}

impl<'b, C> Decode<'b, C> for FeeRate {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<FeeRate, Error> {
        FeeRate::new(d.u16()?).ok_or_else(|| Error::message("fee above 10 %"))
    }
}

impl fmt::Debug for FeeRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}bp", self.0)
    }
}

/// The maximum distance of a MARKET order from the best price: 0..=10000 basis points of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode)]
#[cbor(transparent)]
pub struct Slippage(#[n(0)] u16);

impl Slippage {
    pub const fn new(basis_points: u16) -> Option<Slippage> {
        if basis_points <= 10_000 { Some(Slippage(basis_points)) } else { None }
    }

    pub const fn basis_points(self) -> i64 {
        self.0 as i64
    }

    /// The highest price of its outcome that a buyer accepts, rounded down to a cent.
    pub fn buy_bound(self, best: Price) -> Price {
        let bound = i128::from(best.cents()) * i128::from(WHOLE + self.basis_points());
        Price::clamp(narrow(div_floor(bound, i128::from(WHOLE))))
    }

    /// The lowest price of its outcome that a seller accepts, rounded up to a cent.
    pub fn sell_bound(self, best: Price) -> Price {
        let bound = i128::from(best.cents()) * i128::from(WHOLE - self.basis_points());
        Price::clamp(narrow(div_ceil(bound, i128::from(WHOLE))))
    }
}

impl<'b, C> Decode<'b, C> for Slippage {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Slippage, Error> {
        Slippage::new(d.u16()?).ok_or_else(|| Error::message("slippage above 1"))
    }
}
