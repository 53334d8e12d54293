//! Exact decimals: money, shares and prices of an answer, without floats.

use std::fmt;
use std::ops::{Add, Mul, Sub};

/// Digits after the point. Further digits of a literal are cut off.
const PLACES: usize = 12;
const ONE: i128 = 1_000_000_000_000;

/// A number with twelve digits after the point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(i128);

impl Decimal {
    pub const ZERO: Decimal = Decimal(0);
    pub const ONE: Decimal = Decimal(ONE);

    /// A whole number.
    pub const fn whole(value: i64) -> Decimal {
        Decimal(value as i128 * ONE)
    }

    /// Hundredths, such as the cents of a price.
    pub const fn hundredths(value: i64) -> Decimal {
        Decimal(value as i128 * (ONE / 100))
    }

    /// Millionths.
    pub const fn millionths(value: i64) -> Decimal {
        Decimal(value as i128 * (ONE / 1_000_000))
    }

    /// Reads a literal without an exponent. `None`: it has one, or is no number of a plausible size.
    pub fn parse(literal: &str) -> Option<Decimal> {
        let (sign, digits) = match literal.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, literal),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let all_digits = |text: &str| {
            !text.is_empty() && text.len() <= 30 && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !all_digits(whole) || !all_digits(fraction) || whole.len() > 18 {
            return None;
        }
        let fraction: String = fraction.chars().chain("0".repeat(PLACES).chars()).take(PLACES).collect();
        let value = whole.parse::<i128>().ok()? * ONE + fraction.parse::<i128>().ok()?;
        Some(Decimal(sign * value))
    }

    /// The difference without its sign.
    pub fn distance(self, other: Decimal) -> Decimal {
        Decimal(self.0.saturating_sub(other.0).saturating_abs())
    }

    /// The next multiple of `step`, upwards. `step` is above 0, and so is the number.
    pub fn rounded_up(self, step: Decimal) -> Decimal {
        Decimal(self.0.saturating_add(step.0 - 1) / step.0 * step.0)
    }

    /// The quotient, cut off after twelve digits. `None` for a division by 0.
    pub fn divided_by(self, divisor: Decimal) -> Option<Decimal> {
        self.0.checked_mul(ONE)?.checked_div(divisor.0).map(Decimal)
    }
}

impl Add for Decimal {
    type Output = Decimal;

    fn add(self, other: Decimal) -> Decimal {
        Decimal(self.0.saturating_add(other.0))
    }
}

impl Sub for Decimal {
    type Output = Decimal;

    fn sub(self, other: Decimal) -> Decimal {
        Decimal(self.0.saturating_sub(other.0))
    }
}

/// Products are cut off after twelve digits. A product beyond the type is its bound: numbers of a server may be absurd, and
/// an absurd number equals nothing that a check expects.
impl Mul for Decimal {
    type Output = Decimal;

    fn mul(self, other: Decimal) -> Decimal {
        let (high, low) = (self.0 / 1_000_000, self.0 % 1_000_000);
        let parts = high.saturating_mul(other.0).saturating_add(low.saturating_mul(other.0) / 1_000_000);
        Decimal(parts / 1_000_000)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = (self.0.unsigned_abs() / ONE as u128, self.0.unsigned_abs() % ONE as u128);
        let text = format!("{}{whole}.{fraction:012}", if self.0 < 0 { "-" } else { "" });
        formatter.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    fn read(literal: &str) -> Decimal {
        Decimal::parse(literal).expect("a literal")
    }

    #[test]
    fn literals_are_read_and_written_exactly() {
        for literal in ["0", "1", "-0.5", "0.000001", "123456789.123456"] {
            assert_eq!(read(literal).to_string(), literal);
        }
        assert_eq!(read("1.10").to_string(), "1.1");
        for refused in ["", "1e3", ".5", "1.", "x", "--1", "1234567890123456789"] {
            assert_eq!(Decimal::parse(refused), None, "{refused}");
        }
    }

    #[test]
    fn absurd_numbers_of_a_server_have_an_absurd_product_and_do_not_panic() {
        let absurd = read("999999999999999999");
        let product = absurd * absurd;
        assert!(product > absurd);
        assert!(product * product + product >= product);
        assert!(read("-999999999999999999") * absurd < Decimal::ZERO);
        assert!(product.distance(read("-999999999999999999") * absurd) > absurd);
    }

    #[test]
    fn arithmetic_is_exact() {
        assert_eq!(read("0.1") + read("0.2"), read("0.3"));
        assert_eq!(read("1") - read("0.01"), read("0.99"));
        assert_eq!(read("20.4081") * read("0.49"), read("9.999969"));
        assert_eq!(read("-2.5") * read("0.01"), read("-0.025"));
        assert_eq!(read("1").divided_by(read("0.03")), Some(read("33.333333333333")));
        assert_eq!(read("1").divided_by(Decimal::ZERO), None);
        assert_eq!(read("33.33333").rounded_up(Decimal::ONE), Decimal::whole(34));
        assert_eq!(read("2").rounded_up(Decimal::ONE), Decimal::whole(2));
        assert_eq!(read("0.4").distance(read("0.7")), Decimal::hundredths(30));
    }
}
