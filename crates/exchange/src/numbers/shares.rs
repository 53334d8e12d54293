//! `Shares`: a quantity of shares or sets, or a pool's reserve, in 10⁻⁴ of a share.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Sub, SubAssign};

use minicbor::{Decode, Encode};

use super::print::write_decimal;
use super::{Cents, Currency, Money, narrow};

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct Shares(#[n(0)] i64);

impl Shares {
    pub const ZERO: Shares = Shares(0);
    /// The maximum quantity of an order: 10⁹ shares.
    pub const ORDER_MAX: Shares = Shares(1_000_000_000 * 10_000);

    pub const fn new(units: i64) -> Shares {
        Shares(units)
    }

    /// Whole shares.
    pub const fn whole(count: i64) -> Shares {
        Shares(count * 10_000)
    }

    #[inline]
    pub const fn units(self) -> i64 {
        self.0
    }

    /// For lifetime totals, which are unbounded: they saturate. Holdings never need it.
    #[inline]
    pub const fn saturating_add(self, other: Shares) -> Shares {
        Shares(self.0.saturating_add(other.0))
    }

    /// The value of these shares at `price`: a whole number of units, so a book trade never rounds.
    #[inline]
    pub fn value_at(self, price: Cents, currency: Currency) -> Money {
        let per_unit = price.cents() * currency.base();
        Money::new(narrow(i128::from(self.0) * i128::from(per_unit)))
    }

    /// The payout of these shares if their outcome wins; also the cost of as many sets.
    #[inline]
    pub fn payout(self, currency: Currency) -> Money {
        self.value_at(Cents::WHOLE, currency)
    }

    /// The number of shares that `money` buys at `price`, rounded down.
    pub fn affordable(money: Money, price: Cents, currency: Currency) -> Shares {
        Shares(money.units().div_euclid(price.cents() * currency.base()))
    }

    /// The number of complete sets that `money` buys, rounded down.
    pub fn sets(money: Money, currency: Currency) -> Shares {
        Shares::affordable(money, Cents::WHOLE, currency)
    }
}

impl Add for Shares {
    type Output = Shares;
    #[inline]
    fn add(self, other: Shares) -> Shares {
        Shares(self.0 + other.0)
    }
}

impl Sub for Shares {
    type Output = Shares;
    #[inline]
    fn sub(self, other: Shares) -> Shares {
        Shares(self.0 - other.0)
    }
}

impl AddAssign for Shares {
    #[inline]
    fn add_assign(&mut self, other: Shares) {
        self.0 += other.0;
    }
}

impl SubAssign for Shares {
    #[inline]
    fn sub_assign(&mut self, other: Shares) {
        self.0 -= other.0;
    }
}

impl Sum for Shares {
    fn sum<I: Iterator<Item = Shares>>(shares: I) -> Shares {
        shares.fold(Shares::ZERO, Add::add)
    }
}

/// Up to four decimals, without trailing zeros: `100`, `33.3333`.
impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(f, self.0, 4, 0)
    }
}

impl fmt::Debug for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
