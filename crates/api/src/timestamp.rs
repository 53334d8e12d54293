//! Times of the wire format: RFC 3339 texts outside, microseconds since 1970 inside. An unset date is `""`.
//!
//! No code here reads a clock.

use std::fmt;

use jiff::tz::Offset;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::{WriteJson, Writer};
use crate::timestamp_text::TimestampText;

/// The longest text that is parsed; RFC 3339 with nanoseconds and an offset has 35 characters.
const TEXT_MAX: usize = 40;

/// A point in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// Why a text is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimestampFault;

impl fmt::Display for TimestampFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("must be an RFC 3339 time, such as 2026-07-28T23:42:38Z")
    }
}

impl std::error::Error for TimestampFault {}

impl Timestamp {
    pub const fn from_micros(micros: i64) -> Timestamp {
        Timestamp(micros)
    }

    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whole milliseconds since 1970, rounded down.
    pub const fn millis(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Monday 00:00 UTC of the same week.
    pub fn start_of_week(self) -> Timestamp {
        const DAY: i64 = 86_400_000_000;
        let days = self.0.div_euclid(DAY);
        // 1 January 1970 was a Thursday.
        Timestamp((days - (days + 3).rem_euclid(7)) * DAY)
    }

    /// The first of the same month, 00:00 UTC.
    pub fn start_of_month(self) -> Timestamp {
        self.midnight_of(|date| date.first_of_month())
    }

    /// 1 January of the same year, 00:00 UTC.
    pub fn start_of_year(self) -> Timestamp {
        self.midnight_of(|date| date.first_of_year())
    }

    fn midnight_of(self, pick: impl FnOnce(jiff::civil::Date) -> jiff::civil::Date) -> Timestamp {
        let date = pick(Offset::UTC.to_datetime(self.shown()).date());
        let midnight = Offset::UTC.to_timestamp(date.to_datetime(jiff::civil::Time::midnight()));
        midnight.map_or(self, |midnight| Timestamp(midnight.as_microsecond()))
    }

    /// Parses a date, a time and an offset; digits below a microsecond are truncated.
    pub fn parse(text: &str) -> Result<Timestamp, TimestampFault> {
        if !has_the_form(text) {
            return Err(TimestampFault);
        }
        let parsed = text.parse::<jiff::Timestamp>().or_else(|_| end_of_time(text))?;
        Ok(Timestamp(parsed.as_microsecond()))
    }

    /// Like `parse`, for a query string, where the `+` of the offset may have become a space.
    pub fn parse_query(text: &str) -> Result<Timestamp, TimestampFault> {
        match text.len().checked_sub("+01:00".len()) {
            Some(at) if text.is_ascii() && text.as_bytes()[at] == b' ' => {
                Timestamp::parse(&format!("{}+{}", &text[..at], &text[at + 1..]))
            }
            _ => Timestamp::parse(text),
        }
    }

    /// The nearest time that the calendar supports; nine thousand years in either direction.
    fn shown(self) -> jiff::Timestamp {
        let bound = if self.0 < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        jiff::Timestamp::from_microsecond(self.0).unwrap_or(bound)
    }
}

/// The calendar ends some hours before the last day of 9999 does. Many programs use the last moment of that day for
/// "never", so it is mapped to the latest supported time. The form of `text` was checked before.
fn end_of_time(text: &str) -> Result<jiff::Timestamp, TimestampFault> {
    let last = jiff::civil::date(9999, 12, 30);
    match text[..19].parse::<jiff::civil::DateTime>() {
        Ok(date) if date.date() >= last && text.ends_with(['Z', 'z']) => Ok(jiff::Timestamp::MAX),
        _ => Err(TimestampFault),
    }
}

/// Only plain RFC 3339: `2026-07-28T23:42:38`, an optional fraction, then `Z` or `±hh:mm`. The library's parser accepts
/// more.
fn has_the_form(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() > TEXT_MAX || bytes.len() < "2026-07-28T23:42:38Z".len() {
        return false;
    }
    let fits = |bytes: &[u8], form: &[u8]| {
        bytes.len() == form.len()
            && bytes.iter().zip(form).all(|(byte, mark)| match mark {
                b'0' => byte.is_ascii_digit(),
                b'T' => matches!(byte, b'T' | b't'),
                mark => byte == mark,
            })
    };
    let (date, rest) = bytes.split_at(19);
    let fraction = match rest.split_first() {
        Some((b'.', digits)) => 1 + digits.iter().take_while(|byte| byte.is_ascii_digit()).count(),
        _ => 0,
    };
    let offset = &rest[fraction..];
    fits(date, b"0000-00-00T00:00:00")
        && fraction != 1
        && (matches!(offset, b"Z" | b"z") || fits(offset, b"+00:00") || fits(offset, b"-00:00"))
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.shown(), formatter)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match TimestampText::new(self.0) {
            Some(text) => serializer.serialize_str(text.as_str()),
            None => serializer.collect_str(self),
        }
    }
}

impl WriteJson for Timestamp {
    fn write_json(&self, out: &mut Writer) {
        match TimestampText::new(self.0) {
            Some(text) => out.raw(text.quoted()),
            // The text of the library has no characters to escape.
            None => out.raw(format!("\"{self}\"").as_bytes()),
        }
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Timestamp::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// A date that may not be set: then it is the empty string, never null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptionalDate(pub Option<Timestamp>);

impl From<Option<Timestamp>> for OptionalDate {
    fn from(timestamp: Option<Timestamp>) -> OptionalDate {
        OptionalDate(timestamp)
    }
}

impl Serialize for OptionalDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(timestamp) => timestamp.serialize(serializer),
            None => serializer.serialize_str(""),
        }
    }
}

impl WriteJson for OptionalDate {
    fn write_json(&self, out: &mut Writer) {
        match self.0 {
            Some(timestamp) => timestamp.write_json(out),
            None => out.raw(b"\"\""),
        }
    }
}

impl<'de> Deserialize<'de> for OptionalDate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionalDate, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let timestamp = (!text.is_empty()).then(|| Timestamp::parse(&text)).transpose();
        timestamp.map(OptionalDate).map_err(serde::de::Error::custom)
    }
}

/// A time shown with the UTC offset of the place where it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    pub at: Timestamp,
    pub utc_offset_minutes: i16,
}

impl fmt::Display for LocalTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = Offset::from_seconds(i32::from(self.utc_offset_minutes) * 60).unwrap_or(Offset::UTC);
        fmt::Display::fmt(&self.at.shown().display_with_offset(offset), formatter)
    }
}

impl WriteJson for LocalTime {
    fn write_json(&self, out: &mut Writer) {
        out.raw(format!("\"{self}\"").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::{LocalTime, OptionalDate, Timestamp};

    #[test]
    fn times_are_printed_with_no_more_decimals_than_they_have() {
        let table = [
            (0, "1970-01-01T00:00:00Z"),
            (1_785_282_158_000_000, "2026-07-28T23:42:38Z"),
            (1_768_293_512_454_000, "2026-01-13T08:38:32.454Z"),
            (1_768_293_512_000_001, "2026-01-13T08:38:32.000001Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
        ];
        for (micros, text) in table {
            assert_eq!(Timestamp::from_micros(micros).to_string(), text);
            assert_eq!(Timestamp::parse(text), Ok(Timestamp::from_micros(micros)));
        }
        // Times outside the calendar are clamped.
        assert!(Timestamp::from_micros(i64::MAX).to_string().starts_with("9999-12-30T"));
        assert!(Timestamp::from_micros(i64::MIN).to_string().starts_with("-009999-01-02T"));
    }

    #[test]
    fn offsets_lower_case_and_fine_fractions_are_read() {
        let expected = Ok(Timestamp::from_micros(1_785_282_158_123_456));
        for text in [
            "2026-07-28T23:42:38.123456Z",
            "2026-07-28t23:42:38.123456z",
            "2026-07-29T00:42:38.123456+01:00",
            "2026-07-28T18:12:38.123456-05:30",
            "2026-07-28T23:42:38.123456789Z",
        ] {
            assert_eq!(Timestamp::parse(text), expected, "{text}");
        }
        assert_eq!(Timestamp::parse_query("2026-07-29T00:42:38.123456 01:00"), expected);
        assert_eq!(Timestamp::parse_query("2026-07-28T23:42:38.123456Z"), expected);
    }

    #[test]
    fn the_last_moment_of_the_last_year_is_the_last_time_there_is() {
        let last = Ok(Timestamp::from_micros(jiff::Timestamp::MAX.as_microsecond()));
        for text in ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.9999999z", "9999-12-30T22:00:01Z"] {
            assert_eq!(Timestamp::parse(text), last, "{text}");
        }
        assert_ne!(
            Timestamp::parse("9999-12-30T22:00:00Z"),
            last,
            "a time within the calendar is not clamped"
        );
        for text in ["9999-12-32T23:59:59Z", "9999-12-31T24:59:59Z", "9999-12-31T23:59:59+99:00"] {
            assert!(Timestamp::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            " ",
            "now",
            "2026",
            "2026-07-28",
            "2026-07-28T23:42:38",
            "2026-07-28 23:42:38Z",
            "2026-13-28T23:42:38Z",
            "2026-02-30T23:42:38Z",
            "2026-07-28T25:42:38Z",
            "2026-07-28T23:42:38.Z",
            "2026-07-28T23:42:38+1",
            "1785282158",
            "2026-07-28T23:42:38Z ",
            "2026-07-28T23:42:38+99:00",
            "+002026-07-28T23:42:38Z",
            "2026-07-28T23:42:38[UTC]",
            "２０２６-07-28T23:42:38Z",
            "2026-07-28T23:42:38.000000000000000000000000000000001Z",
        ] {
            assert!(Timestamp::parse(text).is_err(), "{text}");
            assert!(Timestamp::parse_query(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_date_that_is_not_set_is_an_empty_text() {
        assert_eq!(serde_json::to_string(&OptionalDate(None)).unwrap(), r#""""#);
        let date = OptionalDate(Some(Timestamp::from_micros(0)));
        assert_eq!(serde_json::to_string(&date).unwrap(), r#""1970-01-01T00:00:00Z""#);
    }

    #[test]
    fn a_local_time_carries_its_offset() {
        let at = Timestamp::parse("2026-04-13T01:00:00Z").unwrap();
        let table = [
            (60, "2026-04-13T02:00:00+01:00"),
            (0, "2026-04-13T01:00:00+00:00"),
            (-210, "2026-04-12T21:30:00-03:30"),
        ];
        for (utc_offset_minutes, text) in table {
            assert_eq!(LocalTime { at, utc_offset_minutes }.to_string(), text);
        }
    }
}
