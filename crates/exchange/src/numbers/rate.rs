//! Rates in basis points: the taker's fee and the slippage a taker allows.
//!
//! The fee is `⌈rate · value⌉` over everything an order has taken so far, less what it has paid: however
//! many fills, the order pays what one fill would have cost.

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

    /// The fee of one more fill worth `value` for an order that took `taken` before.
    #[inline]
    pub fn on_next(self, taken: Money, value: Money) -> Money {
        if self.0 == 0 {
            return Money::ZERO;
        }
        self.on(taken + value) - self.on(taken)
    }

    /// The most that can be spent on shares so that with its fee it stays within `budget`.
    pub fn spendable(self, budget: Money) -> Money {
        let whole = i128::from(WHOLE);
        Money::new(narrow(div_floor(whole * i128::from(budget.units()), whole + i128::from(self.0))))
    }

    /// The most gross proceeds whose remainder after the fee stays within `budget`.
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

/// How far a MARKET order may move from the best price: 0..=10000 basis points of it.
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

    /// The highest own price a buyer pays, rounded to the cent inside.
    pub fn buy_bound(self, best: Price) -> Price {
        let bound = i128::from(best.cents()) * i128::from(WHOLE + self.basis_points());
        Price::clamp(narrow(div_floor(bound, i128::from(WHOLE))))
    }

    /// The lowest own price a seller takes, rounded to the cent inside.
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
