//! Formats a time between 1970 and the end of 9999 on the stack. Every order has two of them, and a general formatter
//! is several times slower. The test compares every day with the calendar library.

/// `"2026-07-28T23:42:38.123456Z"`, with its quotes.
const TEXT_MAX: usize = 29;
const DAY_MICROS: i64 = 86_400_000_000;
/// 9999-12-30: the library's calendar ends during that day; later times are left to the library.
const END_MICROS: i64 = 2_932_894 * DAY_MICROS;

pub(crate) struct TimestampText {
    bytes: [u8; TEXT_MAX],
    /// The length with both quotes.
    length: usize,
}

impl TimestampText {
    /// `None` outside of these years.
    pub(crate) fn new(micros: i64) -> Option<TimestampText> {
        if !(0..END_MICROS).contains(&micros) {
            return None;
        }
        let (days, micros) = ((micros / DAY_MICROS) as u32, (micros % DAY_MICROS) as u64);
        let (seconds, fraction) = ((micros / 1_000_000) as u32, (micros % 1_000_000) as u32);
        let (year, month, day) = date(days);
        let mut text = TimestampText { bytes: *b"\"0000-00-00T00:00:00.000000Z\"", length: 20 };
        text.pair(1, year / 100);
        text.pair(3, year % 100);
        text.pair(6, month);
        text.pair(9, day);
        text.pair(12, seconds / 3_600);
        text.pair(15, seconds / 60 % 60);
        text.pair(18, seconds % 60);
        if fraction > 0 {
            text.pair(21, fraction / 10_000);
            text.pair(23, fraction / 100 % 100);
            text.pair(25, fraction % 100);
            text.length = TEXT_MAX - 2;
            while text.bytes[text.length - 1] == b'0' {
                text.length -= 1;
            }
        }
        text.bytes[text.length] = b'Z';
        text.bytes[text.length + 1] = b'"';
        text.length += 2;
        Some(text)
    }

    /// Writes a number of two digits.
    fn pair(&mut self, at: usize, value: u32) {
        self.bytes[at] = b'0' + (value / 10) as u8;
        self.bytes[at + 1] = b'0' + (value % 10) as u8;
    }

    pub(crate) fn as_str(&self) -> &str {
        // Only ASCII is written.
        std::str::from_utf8(&self.bytes[1..self.length - 1]).unwrap_or_default()
    }

    /// The text as a JSON string.
    pub(crate) fn quoted(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar. Years begin in March here, so that
/// the leap day is the last of its year; 400 years always have 146,097 days.
fn date(days: u32) -> (u32, u32, u32) {
    // From 0000-03-01.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // From March on, the lengths of months repeat every five months, in 153 days.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year_of_era + next_year, month, day)
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
