//! Formats a time between 1970 and the end of 9999 on the stack. Every order has two of them, and a general formatter
//! is several times slower. The calendar is the library's; only the digits are written here.

use jiff::tz::Offset;

/// `2026-07-28T23:42:38.123456Z`.
const TEXT_MAX: usize = 27;
/// 9999-12-30: the library's calendar ends during that day; later times are left to the library.
const END_MICROS: i64 = 2_932_894 * 86_400_000_000;

pub(crate) struct TimestampText {
    bytes: [u8; TEXT_MAX],
    length: usize,
}

impl TimestampText {
    /// `None` outside of these years.
    pub(crate) fn new(micros: i64) -> Option<TimestampText> {
        if !(0..END_MICROS).contains(&micros) {
            return None;
        }
        let at = Offset::UTC.to_datetime(jiff::Timestamp::from_microsecond(micros).ok()?);
        let mut text = TimestampText { bytes: *b"0000-00-00T00:00:00.000000Z", length: 19 };
        text.digits(0, 4, at.year().into());
        for (place, value) in
            [(5, at.month()), (8, at.day()), (11, at.hour()), (14, at.minute()), (17, at.second())]
        {
            text.digits(place, 2, value.into());
        }
        let fraction = at.subsec_nanosecond() / 1_000;
        if fraction > 0 {
            text.digits(20, 6, fraction);
            text.length = TEXT_MAX - 1;
            while text.bytes[text.length - 1] == b'0' {
                text.length -= 1;
            }
        }
        text.bytes[text.length] = b'Z';
        text.length += 1;
        Some(text)
    }

    fn digits(&mut self, at: usize, count: usize, mut value: i32) {
        for place in self.bytes[at..at + count].iter_mut().rev() {
            *place = b'0' + (value % 10) as u8;
            value /= 10;
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        // Only ASCII is written.
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::TimestampText;

    #[test]
    fn every_day_is_written_as_the_calendar_library_writes_it() {
        for day in 0_i64..2_932_894 {
            // Another time of day and another fraction for each day.
            let micros = day * 86_400_000_000 + (day * 7_919_000_003) % 86_400_000_000;
            let micros = if day % 3 == 0 { micros - micros % 1_000_000 } else { micros };
            let expected =
                jiff::Timestamp::from_microsecond(micros).expect("a time of the calendar").to_string();
            assert_eq!(TimestampText::new(micros).expect("a year of four digits").as_str(), expected);
        }
    }

    #[test]
    fn other_years_are_left_to_the_library() {
        assert!(TimestampText::new(-1).is_none());
        assert!(TimestampText::new(i64::MAX).is_none());
        assert!(TimestampText::new(jiff::Timestamp::MAX.as_microsecond()).is_none());
    }
}
