//! A line of the access log, as text or as JSON. It looks like the lines of `tracing-subscriber`, but is written by hand:
//! every request has one, and the general formatter takes several times as long.

use std::cell::Cell;
use std::io::Write;
use std::net::IpAddr;

use tracing::Level;
use uuid::Uuid;
use uuid::fmt::Hyphenated;

/// The length of `2026-01-31T23:59:59`.
const SECOND_BYTES: usize = 19;
/// Digits of the largest number.
const DIGITS_MAX: usize = 20;

thread_local! {
    /// The text of the last second that this thread has written.
    static SECOND: Cell<(i64, [u8; SECOND_BYTES])> = const { Cell::new((i64::MIN, [0; SECOND_BYTES])) };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFormat {
    Text,
    Json,
}

/// The name of a field, with the signs around it in each format.
#[derive(Clone, Copy, Debug)]
pub struct FieldName {
    text: &'static str,
    json: &'static str,
}

/// The name of a field of the access log.
macro_rules! field_name {
    ($name:literal) => {
        $crate::signals::access_lines::FieldName::new(concat!(" ", $name, "="), concat!(",\"", $name, "\":"))
    };
}
pub(crate) use field_name;

impl FieldName {
    pub(crate) const fn new(text: &'static str, json: &'static str) -> FieldName {
        FieldName { text, json }
    }
}

/// Some fields of a line.
pub trait WriteFields {
    fn write(&self, line: &mut Line<'_>);
}

/// Fields that many lines share, in the format of their lines.
#[derive(Debug)]
pub struct WrittenFields(Vec<u8>);

impl WrittenFields {
    pub(super) fn new(format: LineFormat, fields: &impl WriteFields) -> WrittenFields {
        let mut bytes = Vec::new();
        fields.write(&mut Line { bytes: &mut bytes, format });
        WrittenFields(bytes)
    }
}

impl WriteFields for WrittenFields {
    fn write(&self, line: &mut Line<'_>) {
        line.bytes.extend_from_slice(&self.0);
    }
}

/// A line that is being written.
#[derive(Debug)]
pub struct Line<'a> {
    bytes: &'a mut Vec<u8>,
    format: LineFormat,
}

impl Line<'_> {
    pub(super) fn begin(bytes: &mut Vec<u8>, format: LineFormat, level: Level, at: i64) -> Line<'_> {
        match format {
            LineFormat::Text => {
                push_time(bytes, at);
                bytes.extend_from_slice(heading(level).as_bytes());
            }
            LineFormat::Json => {
                bytes.extend_from_slice(b"{\"timestamp\":\"");
                push_time(bytes, at);
                bytes.extend_from_slice(json_heading(level).as_bytes());
            }
        }
        Line { bytes, format }
    }

    pub(super) fn end(self) {
        let end: &[u8] = match self.format {
            LineFormat::Text => b"\n",
            LineFormat::Json => b",\"target\":\"access\"}\n",
        };
        self.bytes.extend_from_slice(end);
    }

    /// A text without quotes, backslashes and characters other than printable ASCII. It is not checked.
    pub fn token(&mut self, name: FieldName, value: &[u8]) {
        self.name(name);
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(value);
        self.bytes.push(b'"');
    }

    /// Any text. What is not printable ASCII becomes a question mark.
    pub fn text(&mut self, name: FieldName, value: &str) {
        self.name(name);
        self.bytes.push(b'"');
        for byte in value.bytes() {
            match byte {
                b'"' | b'\\' => self.bytes.extend_from_slice(&[b'\\', byte]),
                b' '..=b'~' => self.bytes.push(byte),
                _ => self.bytes.push(b'?'),
            }
        }
        self.bytes.push(b'"');
    }

    pub fn number(&mut self, name: FieldName, value: u64) {
        self.name(name);
        push_number(self.bytes, value, 1);
    }

    /// An id, as a UUID. Nothing if there is none.
    pub fn id(&mut self, name: FieldName, id: Option<u128>) {
        let Some(id) = id else { return };
        let mut text = [0; Hyphenated::LENGTH];
        Uuid::from_u128(id).hyphenated().encode_lower(&mut text);
        self.unquoted_text(name, |bytes| bytes.extend_from_slice(&text));
    }

    /// A network address.
    pub fn address(&mut self, name: FieldName, address: IpAddr) {
        self.unquoted_text(name, |bytes| match address {
            IpAddr::V4(address) => {
                for (at, number) in address.octets().into_iter().enumerate() {
                    if at > 0 {
                        bytes.push(b'.');
                    }
                    push_number(bytes, u64::from(number), 1);
                }
            }
            IpAddr::V6(address) => {
                // Writing to a vector cannot fail.
                let _ = write!(bytes, "{address}");
            }
        });
    }

    /// A text that needs no escaping, and as text no quotes.
    fn unquoted_text(&mut self, name: FieldName, write: impl FnOnce(&mut Vec<u8>)) {
        self.name(name);
        let quote: &[u8] = if self.format == LineFormat::Json { b"\"" } else { b"" };
        self.bytes.extend_from_slice(quote);
        write(self.bytes);
        self.bytes.extend_from_slice(quote);
    }

    fn name(&mut self, name: FieldName) {
        let name = match self.format {
            LineFormat::Text => name.text,
            LineFormat::Json => name.json,
        };
        self.bytes.extend_from_slice(name.as_bytes());
    }
}

/// `2026-01-31T23:59:59.123456Z`.
fn push_time(bytes: &mut Vec<u8>, micros: i64) {
    let (second, fraction) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let (last, mut text) = SECOND.get();
    if last != second {
        text = text_of(second);
        SECOND.set((second, text));
    }
    bytes.extend_from_slice(&text);
    bytes.push(b'.');
    push_number(bytes, fraction.unsigned_abs(), 6);
    bytes.push(b'Z');
}

/// The calendar time of a second, in the proleptic Gregorian calendar. Years have four digits.
fn text_of(second: i64) -> [u8; SECOND_BYTES] {
    let (days, rest) = (second.div_euclid(86_400), second.rem_euclid(86_400));
    // Days of years that begin in March, in cycles of 400 years: a leap day is then the last day of its year.
    let shifted = days + 719_468;
    let (cycle, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + cycle * 400 + i64::from(month <= 2);
    let mut text = Vec::with_capacity(SECOND_BYTES);
    let parts = [(year, 4, b'-'), (month, 2, b'-'), (day, 2, b'T'), (rest / 3_600, 2, b':')];
    for (number, width, next) in parts.into_iter().chain([(rest / 60 % 60, 2, b':'), (rest % 60, 2, b' ')]) {
        push_number(&mut text, number.clamp(0, 9_999).unsigned_abs(), width);
        text.push(next);
    }
    text[..SECOND_BYTES].try_into().unwrap_or([b'0'; SECOND_BYTES])
}

/// Decimal digits, at least `width` of them and at least one.
fn push_number(bytes: &mut Vec<u8>, mut number: u64, width: usize) {
    let mut digits = [b'0'; DIGITS_MAX];
    let mut first = DIGITS_MAX;
    while number > 0 || DIGITS_MAX - first < width {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    bytes.extend_from_slice(&digits[first..]);
}

/// Level, target and message of a line of text. Levels have four or five letters and end in one column.
fn heading(level: Level) -> &'static str {
    match level {
        Level::ERROR => " ERROR access: answered",
        Level::WARN => "  WARN access: answered",
        Level::INFO => "  INFO access: answered",
        Level::DEBUG => " DEBUG access: answered",
        Level::TRACE => " TRACE access: answered",
    }
}

/// The end of the time, the level and the message of a line of JSON.
fn json_heading(level: Level) -> &'static str {
    match level {
        Level::ERROR => r#"","level":"ERROR","message":"answered""#,
        Level::WARN => r#"","level":"WARN","message":"answered""#,
        Level::INFO => r#"","level":"INFO","message":"answered""#,
        Level::DEBUG => r#"","level":"DEBUG","message":"answered""#,
        Level::TRACE => r#"","level":"TRACE","message":"answered""#,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: i64 = 1_769_903_999_000_042;

    /// Fields that a function writes.
    struct Fields<F>(F);

    impl<F: Fn(&mut Line<'_>)> WriteFields for Fields<F> {
        fn write(&self, line: &mut Line<'_>) {
            (self.0)(line);
        }
    }

    fn line(format: LineFormat, level: Level, fields: &impl WriteFields) -> String {
        let mut bytes = Vec::new();
        let mut line = Line::begin(&mut bytes, format, level, AT);
        fields.write(&mut line);
        line.end();
        String::from_utf8(bytes).expect("text")
    }

    fn example(line: &mut Line<'_>) {
        line.token(field_name!("id"), b"a-1");
        line.text(field_name!("trace"), "odd\"\\\u{e9}");
        line.number(field_name!("status"), 200);
        line.address(field_name!("address"), IpAddr::from([127, 0, 0, 1]));
        line.id(field_name!("user"), None);
        line.id(field_name!("key"), Some(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef));
    }

    #[test]
    fn a_line_looks_like_the_other_lines_of_the_log() {
        assert_eq!(
            line(LineFormat::Text, Level::INFO, &Fields(example)),
            "2026-01-31T23:59:59.000042Z  INFO access: answered id=\"a-1\" trace=\"odd\\\"\\\\??\" status=200 \
             address=127.0.0.1 key=01234567-89ab-cdef-0123-456789abcdef\n"
        );
        let json = line(LineFormat::Json, Level::INFO, &Fields(example));
        let expected =
            r#"{"timestamp":"2026-01-31T23:59:59.000042Z","level":"INFO","message":"answered","id":"a-1","#
                .to_owned()
                + r#""trace":"odd\"\\??","status":200,"address":"127.0.0.1","key":"01234567-89ab-cdef-0123-456789abcdef","target":"access"}"#;
        assert_eq!(json.trim_end(), expected);
        let none = line(LineFormat::Text, Level::DEBUG, &Fields(|_: &mut Line<'_>| {}));
        assert_eq!(none, "2026-01-31T23:59:59.000042Z DEBUG access: answered\n");
    }

    #[test]
    fn each_level_is_named_in_both_formats() {
        for level in [Level::ERROR, Level::WARN, Level::INFO, Level::DEBUG, Level::TRACE] {
            let text = line(LineFormat::Text, level, &Fields(example));
            assert_eq!(text.split_whitespace().nth(1), Some(level.as_str()));
            let json = line(LineFormat::Json, level, &Fields(example));
            let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
            assert_eq!(
                (&json["level"], &json["target"]),
                (&level.as_str().into(), &super::super::TARGET.into())
            );
        }
    }

    #[test]
    fn fields_written_before_are_equal_to_new_ones() {
        for format in [LineFormat::Text, LineFormat::Json] {
            let written = WrittenFields::new(format, &Fields(example));
            let expected = line(format, Level::INFO, &Fields(example));
            assert_eq!(line(format, Level::INFO, &written), expected);
        }
    }

    #[test]
    fn numbers_and_addresses_are_written_in_full() {
        let number = |number, width| {
            let mut bytes = Vec::new();
            push_number(&mut bytes, number, width);
            String::from_utf8(bytes).expect("digits")
        };
        assert_eq!([number(0, 1), number(7, 6), number(1_234_567, 6)], ["0", "000007", "1234567"]);
        assert_eq!(number(u64::MAX, 1), u64::MAX.to_string());
        for address in ["0.0.0.0", "255.10.100.1", "2001:db8::1"] {
            let parsed = address.parse().expect("an address");
            let fields = Fields(|line: &mut Line<'_>| line.address(field_name!("address"), parsed));
            let expected = format!("address={address}\n");
            assert!(line(LineFormat::Text, Level::INFO, &fields).ends_with(&expected), "{address}");
        }
    }

    #[test]
    fn times_are_those_of_the_calendar() {
        let text = |second: i64| String::from_utf8(text_of(second).to_vec()).expect("text");
        for (second, expected) in [
            (0, "1970-01-01T00:00:00"),
            (951_782_399, "2000-02-28T23:59:59"),
            (951_782_400, "2000-02-29T00:00:00"),
            (951_868_800, "2000-03-01T00:00:00"),
            (1_709_210_096, "2024-02-29T12:34:56"),
            (1_767_225_599, "2025-12-31T23:59:59"),
            (4_107_542_400, "2100-03-01T00:00:00"),
        ] {
            assert_eq!(text(second), expected);
        }
    }
}
