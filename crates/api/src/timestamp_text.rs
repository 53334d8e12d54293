//! The text of a time between 1970 and the end of 9999, on the stack. Every order carries two of them, and a formatter
//! costs several times as much; other years are left to the calendar library.

/// `2026-07-28T23:42:38.123456Z`.
const TEXT_MAX: usize = 27;
const MICROS_PER_SECOND: u64 = 1_000_000;
const SECONDS_PER_DAY: u64 = 86_400;
/// 9999-12-31: the library stops during the day before, and what is beyond is its business.
const DAYS_END: u64 = 2_932_895;

pub(crate) struct TimestampText {
    bytes: [u8; TEXT_MAX],
    length: usize,
}

impl TimestampText {
    /// None outside of these years.
    pub(crate) fn new(micros: i64) -> Option<TimestampText> {
        let micros = u64::try_from(micros).ok()?;
        let (seconds, fraction) = (micros / MICROS_PER_SECOND, micros % MICROS_PER_SECOND);
        let (days, second) = (seconds / SECONDS_PER_DAY, seconds % SECONDS_PER_DAY);
        if days >= DAYS_END - 1 {
            return None;
        }
        let (year, month, day) = civil(days);
        let mut text = TimestampText { bytes: *b"0000-00-00T00:00:00.000000Z", length: 19 };
        text.digits(0, 4, year);
        text.digits(5, 2, month);
        text.digits(8, 2, day);
        text.digits(11, 2, second / 3600);
        text.digits(14, 2, second / 60 % 60);
        text.digits(17, 2, second % 60);
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

    fn digits(&mut self, at: usize, count: usize, mut value: u64) {
        for place in self.bytes[at..at + count].iter_mut().rev() {
            *place = b'0' + (value % 10) as u8;
            value /= 10;
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        // Only ASCII is ever written.
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

/// Year, month and day of a day since 1970. Years begin in March here, so that the leap day comes last.
const fn civil(days: u64) -> (u64, u64, u64) {
    // From 0000-03-01, in cycles of 400 years, which have 146097 days each.
    let days = days + 719_468;
    let (cycle, day_of_cycle) = (days / 146_097, days % 146_097);
    let year_of_cycle =
        (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (cycle * 400 + year_of_cycle + (month <= 2) as u64, month, day)
}

#[cfg(test)]
mod tests {
    use super::TimestampText;

    #[test]
    fn every_day_is_written_as_the_calendar_library_writes_it() {
        for day in 0_i64..2_932_894 {
            // Another time of the day and another fraction every day.
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
