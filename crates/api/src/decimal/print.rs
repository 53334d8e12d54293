//! Formats integer units as a JSON number: as few decimals as needed, no trailing zeros, no bare point.

use std::fmt;

/// `i64::MIN` has 19 digits; with a sign, a point and a leading zero every number fits.
const TEXT_MAX: usize = 24;

/// The text of a number, on the stack.
#[derive(Clone, Copy)]
pub(super) struct DecimalText {
    bytes: [u8; TEXT_MAX],
    start: usize,
}

impl DecimalText {
    /// Formats `units` of 10^-`places`. `places` is at most 18.
    pub(super) fn new(units: i64, places: u32) -> DecimalText {
        assert!(places <= 18, "a unit below 10^-18 does not fit the buffer");
        let mut text = DecimalText { bytes: [0; TEXT_MAX], start: TEXT_MAX };
        let scale = 10_u64.pow(places);
        let magnitude = units.unsigned_abs();
        let (mut whole, mut fraction) = (magnitude / scale, magnitude % scale);
        if fraction > 0 {
            let mut digits = places;
            while fraction.is_multiple_of(10) {
                fraction /= 10;
                digits -= 1;
            }
            for _ in 0..digits {
                text.push_digit(fraction % 10);
                fraction /= 10;
            }
            text.push(b'.');
        }
        loop {
            text.push_digit(whole % 10);
            whole /= 10;
            if whole == 0 {
                break;
            }
        }
        if units < 0 {
            text.push(b'-');
        }
        text
    }

    /// The text is written from its end to its beginning.
    fn push(&mut self, byte: u8) {
        self.start -= 1;
        self.bytes[self.start] = byte;
    }

    fn push_digit(&mut self, digit: u64) {
        self.push(b'0' + digit as u8);
    }

    pub(super) fn as_str(&self) -> &str {
        // Only ASCII is pushed.
        std::str::from_utf8(&self.bytes[self.start..]).unwrap_or_default()
    }
}

impl fmt::Display for DecimalText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::DecimalText;

    #[test]
    fn numbers_are_printed_without_needless_characters() {
        let table = [
            (0, 6, "0"),
            (1, 6, "0.000001"),
            (10, 6, "0.00001"),
            (1_000_000, 6, "1"),
            (1_500_000, 6, "1.5"),
            (-1, 6, "-0.000001"),
            (-392, 2, "-3.92"),
            (-500, 2, "-5"),
            (65, 2, "0.65"),
            (70, 2, "0.7"),
            (100, 2, "1"),
            (1_382_100, 4, "138.21"),
            (42, 0, "42"),
            (i64::MAX, 6, "9223372036854.775807"),
            (i64::MIN, 6, "-9223372036854.775808"),
            (i64::MIN, 18, "-9.223372036854775808"),
            (i64::MIN, 0, "-9223372036854775808"),
        ];
        for (units, places, expected) in table {
            assert_eq!(DecimalText::new(units, places).as_str(), expected);
        }
    }
}
