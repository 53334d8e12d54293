//! Calendar dates and minutes, for titles. Integers only; UTC, Gregorian.

use crate::time::Time;

/// `2026-01-01 00:15`.
pub(crate) fn date_and_minute(at: Time) -> String {
    let minutes = at.minute();
    let (year, month, day) = civil(minutes.div_euclid(1_440));
    let minute = minutes.rem_euclid(1_440);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minute / 60, minute % 60)
}

/// Year, month and day of the `days`-th day after 1970-01-01. Years start in March, so that the leap day is the last of
/// its year; eras of 400 years all have the same length.
const fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + (month <= 2) as i64, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_written_as_people_write_it() {
        let table = [
            (0, "1970-01-01 00:00"),
            (951_782_399, "2000-02-28 23:59"),
            (951_782_400, "2000-02-29 00:00"),
            (951_868_800, "2000-03-01 00:00"),
            (1_767_225_600, "2026-01-01 00:00"),
            (1_772_323_199, "2026-02-28 23:59"),
            (1_772_323_200, "2026-03-01 00:00"),
            (1_798_761_540, "2026-12-31 23:59"),
            (4_107_542_400, "2100-03-01 00:00"),
            (253_402_300_799, "9999-12-31 23:59"),
        ];
        for (seconds, text) in table {
            assert_eq!(date_and_minute(Time::from_seconds(seconds)), text);
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut before = civil(-1);
        assert_eq!(before, (1969, 12, 31));
        for days in 0..200_000 {
            let (year, month, day) = civil(days);
            let leap = before.0 % 4 == 0 && (before.0 % 100 != 0 || before.0 % 400 == 0);
            let last = match before.1 {
                2 => 28 + i64::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            let expected = match before {
                (year, 12, 31) => (year + 1, 1, 1),
                (year, month, day) if day == last => (year, month + 1, 1),
                (year, month, day) => (year, month, day + 1),
            };
            assert_eq!((year, month, day), expected);
            before = expected;
        }
    }
}
