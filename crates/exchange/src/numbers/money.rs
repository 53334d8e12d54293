//! `Money`: an amount in 10⁻⁶ of its currency. The context determines the currency.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use minicbor::{Decode, Encode};

use super::Currency;
use super::print::write_decimal;

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct Money(#[n(0)] i64);

impl Money {
    pub const ZERO: Money = Money(0);
    /// The maximum amount of an order: 10⁹ of a currency.
    pub const ORDER_MAX: Money = Money(1_000_000_000 * 1_000_000);
    /// All money of a currency stays below this, so that no sum can overflow.
    pub const TOTAL_MAX: Money = Money(1 << 62);

    pub const fn new(units: i64) -> Money {
        Money(units)
    }

    /// Whole currency; for example, `Money::whole(5)` is 5.00.
    pub const fn whole(amount: i64) -> Money {
        Money(amount * 1_000_000)
    }

    pub const fn units(self) -> i64 {
        self.0
    }

    /// For lifetime totals, which are unbounded: they saturate. Balances never need it.
    #[inline]
    pub const fn saturating_add(self, other: Money) -> Money {
        Money(self.0.saturating_add(other.0))
    }

    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// The default minimum order of a market: 1.00 USD, 100.00 NGN.
    pub const fn order_min(currency: Currency) -> Money {
        Money::whole(currency.base())
    }
}

impl Add for Money {
    type Output = Money;
    #[inline]
    fn add(self, other: Money) -> Money {
        Money(self.0 + other.0)
    }
}

impl Sub for Money {
    type Output = Money;
    #[inline]
    fn sub(self, other: Money) -> Money {
        Money(self.0 - other.0)
    }
}

impl Neg for Money {
    type Output = Money;
    #[inline]
    fn neg(self) -> Money {
        Money(-self.0)
    }
}

impl AddAssign for Money {
    #[inline]
    fn add_assign(&mut self, other: Money) {
        self.0 += other.0;
    }
}

impl SubAssign for Money {
    #[inline]
    fn sub_assign(&mut self, other: Money) {
        self.0 -= other.0;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        amounts.fold(Money::ZERO, Add::add)
    }
}

/// At least two decimals, as usual for money: `12.50`, `0.000001`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(f, self.0, 6, 2)
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Money;

    #[test]
    fn money_prints_as_people_write_it() {
        let rows = [
            (12_500_000, "12.50"),
            (1, "0.000001"),
            (-999_990, "-0.99999"),
            (0, "0.00"),
            (1_230_000, "1.23"),
        ];
        for (units, text) in rows {
            assert_eq!(Money::new(units).to_string(), text);
        }
    }
}
