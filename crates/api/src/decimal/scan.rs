//! Parses a JSON number into integer units, exactly and without floating point.
//!
//! The text is split into digits and a power of ten. The part below the unit is kept as a `Rest`, so that the caller
//! decides how to round. `print.rs` formats.

use std::fmt;

/// Larger exponents make no sense for money and are refused before any arithmetic.
const EXPONENT_MAX: i32 = 40;

/// Why a text is not a valid number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFault {
    NotANumber { found: &'static str },
    ExponentOutOfRange,
    TooLarge,
    OffTheCent,
    Outside { low: &'static str, high: &'static str },
}

impl fmt::Display for NumberFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberFault::NotANumber { found } => write!(formatter, "must be a number, not {found}"),
            NumberFault::ExponentOutOfRange => {
                write!(formatter, "has an exponent out of range (at most {EXPONENT_MAX} either way)")
            }
            NumberFault::TooLarge => formatter.write_str("is too large"),
            NumberFault::OffTheCent => formatter.write_str("must be a whole number of cents, such as 0.65"),
            NumberFault::Outside { low, high } => write!(formatter, "must be between {low} and {high}"),
        }
    }
}

impl std::error::Error for NumberFault {}

/// The part below the smallest unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rest {
    Nothing,
    UnderHalf,
    HalfOrMore,
}

/// A number truncated to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scanned {
    pub(super) negative: bool,
    /// Units of the magnitude, rounded towards zero.
    pub(super) units: u64,
    pub(super) rest: Rest,
}

/// The parts of a JSON number: `digits` without leading zeros, times ten to `power`.
struct Parts<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: i32,
}

/// Parses a JSON number in units of 10^-`places`.
pub(super) fn scan(text: &str, places: u32) -> Result<Scanned, NumberFault> {
    let parts = split(text)?;
    // The number of digits at or above the unit.
    let kept = parts.whole.len() as i64 + i64::from(parts.exponent) + i64::from(places);
    let digits = || parts.whole.iter().chain(parts.fraction).map(|digit| u64::from(digit - b'0'));
    let count = (parts.whole.len() + parts.fraction.len()) as i64;
    let mut units: u64 = 0;
    for digit in digits().take(kept.clamp(0, count) as usize) {
        units = push(units, digit)?;
    }
    if units > 0 {
        for _ in count..kept {
            units = push(units, 0)?;
        }
    }
    Ok(Scanned { negative: parts.negative, units, rest: rest(digits(), kept) })
}

/// The rest formed by the digits from position `kept` on.
fn rest(digits: impl Iterator<Item = u64>, kept: i64) -> Rest {
    let mut below = digits.skip(kept.max(0) as usize);
    // A negative position means that there are zeros between the unit and the first digit.
    let first = if kept < 0 { 0 } else { below.next().unwrap_or(0) };
    if first >= 5 {
        Rest::HalfOrMore
    } else if first > 0 || below.any(|digit| digit > 0) {
        Rest::UnderHalf
    } else {
        Rest::Nothing
    }
}

fn push(units: u64, digit: u64) -> Result<u64, NumberFault> {
    units.checked_mul(10).and_then(|tens| tens.checked_add(digit)).ok_or(NumberFault::TooLarge)
}

fn split(text: &str) -> Result<Parts<'_>, NumberFault> {
    let bytes = text.as_bytes();
    let not_a_number = NumberFault::NotANumber { found: found(bytes) };
    let (negative, bytes) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        all => (false, all),
    };
    let (mantissa, exponent) = match bytes.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (&bytes[..at], parse_exponent(&bytes[at + 1..], not_a_number)?),
        None => (bytes, 0),
    };
    let (whole, fraction) = match mantissa.iter().position(|byte| *byte == b'.') {
        Some(at) if at + 1 < mantissa.len() => (&mantissa[..at], &mantissa[at + 1..]),
        Some(_) => return Err(not_a_number),
        None => (mantissa, &mantissa[..0]),
    };
    let is_digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    // JSON: at least one digit before the point, and no leading zeros.
    let well_formed = !whole.is_empty() && (whole.len() == 1 || whole[0] != b'0');
    if !well_formed || !is_digits(whole) || !is_digits(fraction) {
        return Err(not_a_number);
    }
    Ok(Parts { negative, whole, fraction, exponent })
}

fn parse_exponent(bytes: &[u8], not_a_number: NumberFault) -> Result<i32, NumberFault> {
    let (sign, digits) = match bytes {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        all => (1, all),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(not_a_number);
    }
    let magnitude = digits.iter().fold(0_i32, |sum, digit| {
        sum.saturating_mul(10).saturating_add(i32::from(digit - b'0')).min(EXPONENT_MAX + 1)
    });
    if magnitude > EXPONENT_MAX { Err(NumberFault::ExponentOutOfRange) } else { Ok(sign * magnitude) }
}

/// The name of the JSON type that a text begins with.
fn found(bytes: &[u8]) -> &'static str {
    match bytes.first() {
        None => "an empty text",
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        Some(_) => "other text",
    }
}

#[cfg(test)]
mod tests {
    use super::{NumberFault, Rest, scan};

    #[test]
    fn scan_truncates_at_the_unit_and_reports_the_rest() {
        let table = [
            ("0", 2, (false, 0, Rest::Nothing)),
            ("-0", 2, (true, 0, Rest::Nothing)),
            ("1", 2, (false, 100, Rest::Nothing)),
            ("1.5", 2, (false, 150, Rest::Nothing)),
            ("1.005", 2, (false, 100, Rest::HalfOrMore)),
            ("1.0049999", 2, (false, 100, Rest::UnderHalf)),
            ("1.00000000000000000000000000000000001", 2, (false, 100, Rest::UnderHalf)),
            ("-12.345", 2, (true, 1234, Rest::HalfOrMore)),
            ("1e2", 2, (false, 10000, Rest::Nothing)),
            ("1E+2", 0, (false, 100, Rest::Nothing)),
            ("125e-2", 1, (false, 12, Rest::HalfOrMore)),
            ("9e-40", 6, (false, 0, Rest::UnderHalf)),
            ("5e-7", 6, (false, 0, Rest::HalfOrMore)),
            ("5e-8", 6, (false, 0, Rest::UnderHalf)),
            ("0.00e40", 6, (false, 0, Rest::Nothing)),
            ("18446744073709551615", 0, (false, u64::MAX, Rest::Nothing)),
        ];
        for (text, places, expected) in table {
            let scanned = scan(text, places).unwrap();
            assert_eq!((scanned.negative, scanned.units, scanned.rest), expected, "{text}");
        }
    }

    #[test]
    fn scan_refuses_what_is_too_large() {
        for text in ["18446744073709551616", "1e40", "1e20", "99999999999999999999999999999999.5", "0.5e39"] {
            assert_eq!(scan(text, 0), Err(NumberFault::TooLarge), "{text}");
        }
        for text in ["1e41", "1e-41", "0e99", "1e99999999999999999999999"] {
            assert_eq!(scan(text, 0), Err(NumberFault::ExponentOutOfRange), "{text}");
        }
    }

    #[test]
    fn scan_refuses_what_json_does_not_call_a_number() {
        let texts = [
            "",
            " ",
            "-",
            "+1",
            "01",
            "00",
            ".5",
            "1.",
            "1e",
            "1e+",
            "1.e2",
            "1.5.2",
            "0x10",
            "NaN",
            "Infinity",
            "-Infinity",
            "1_000",
            "1,5",
            "1 ",
            " 1",
            "\"1\"",
            "null",
            "true",
            "[1]",
            "{}",
            "١",
            "1e1.5",
            "--1",
        ];
        for text in texts {
            assert!(matches!(scan(text, 2), Err(NumberFault::NotANumber { .. })), "{text}");
        }
    }
}
