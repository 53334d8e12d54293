//! The lines of the access log on their way to the thread that writes them. A thread that answers appends a line to a
//! buffer; the log's thread takes everything that waits, a few times a second. No request waits for the log: when the
//! buffer is full, a line is dropped and counted.
//!
//! A line looks like those of `tracing-subscriber`, as text or as JSON. It is written by hand, because every request
//! has one and the general formatter takes several times as long.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use tracing::Level;
use tracing::level_filters::LevelFilter;
use uuid::Uuid;
use uuid::fmt::Hyphenated;

/// The target of the lines.
pub const TARGET: &str = "access";
/// Bytes that may wait.
const BYTES_MAX: usize = 8 << 20;
/// How long further lines are gathered after the first one.
const GATHER: Duration = Duration::from_millis(50);
/// Bytes that are written without gathering more. So few stay in the cache of a core until they are written.
const ENOUGH_BYTES: usize = 256 << 10;
/// The length of `2026-01-31T23:59:59`.
const SECOND_BYTES: usize = 19;
/// Digits of the largest number.
const DIGITS_MAX: usize = 20;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The text of the last second that this thread has written.
    static SECOND: Cell<(i64, [u8; SECOND_BYTES])> = const { Cell::new((i64::MIN, [0; SECOND_BYTES])) };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFormat {
    Text,
    Json,
}

/// The lines that wait, and which lines are wanted.
#[derive(Debug)]
pub struct AccessLines {
    format: LineFormat,
    wanted: LevelFilter,
    logs_successes: bool,
    /// No line is wanted (`switch`).
    is_off: AtomicBool,
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    written: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    bytes: Vec<u8>,
    /// The empty buffer that is filled while `bytes` are written. The two keep their memory.
    spare: Vec<u8>,
    dropped: u64,
    /// The log's thread writes what it took.
    is_writing: bool,
    /// A caller waits until everything is written.
    is_hurried: bool,
}

impl AccessLines {
    /// `wanted` are the levels of lines that are written. Successful requests are at `info` if `logs_successes`, else
    /// at `debug`.
    pub fn new(format: LineFormat, wanted: LevelFilter, logs_successes: bool) -> AccessLines {
        AccessLines {
            format,
            wanted,
            logs_successes,
            is_off: AtomicBool::new(false),
            waiting: Mutex::default(),
            arrived: Condvar::new(),
            written: Condvar::new(),
        }
    }

    /// Takes lines or refuses them. For a benchmark that compares both.
    pub(crate) fn switch(&self, is_on: bool) {
        self.is_off.store(!is_on, Ordering::Relaxed);
    }

    /// The level of a response with this status. A refusal for a rate limit is for debugging: nothing limits their
    /// number, and metrics count them.
    pub fn level_of(&self, status: u16) -> Level {
        match status {
            429 => Level::DEBUG,
            ..400 if self.logs_successes => Level::INFO,
            ..400 => Level::DEBUG,
            400..500 => Level::INFO,
            _ => Level::WARN,
        }
    }

    pub fn is_wanted(&self, level: Level) -> bool {
        level <= self.wanted && !self.is_off.load(Ordering::Relaxed)
    }

    /// Appends a line. `at` is the time in Unix microseconds; `write` adds the fields.
    pub fn push(&self, level: Level, at: i64, message: &str, write: impl FnOnce(&mut Line<'_>)) {
        SCRATCH.with_borrow_mut(|bytes| {
            bytes.clear();
            let mut line = Line { bytes: &mut *bytes, format: self.format };
            line.begin(level, at, message);
            write(&mut line);
            line.end();
            self.append(bytes);
        });
    }

    /// Appends bytes that are a whole line.
    pub fn append(&self, line: &[u8]) {
        let mut waiting = self.waiting.lock();
        if waiting.bytes.len() + line.len() > BYTES_MAX {
            waiting.dropped += 1;
            return;
        }
        let before = waiting.bytes.len();
        waiting.bytes.extend_from_slice(line);
        let after = waiting.bytes.len();
        drop(waiting);
        // The first line, and the line that makes it worth writing.
        if before == 0 || (before < ENOUGH_BYTES && after >= ENOUGH_BYTES) {
            self.arrived.notify_one();
        }
    }

    /// Writes the lines that wait, or waits for one until `patience` is over. Returns the number of lines dropped
    /// since the last call. Only the log's thread calls it.
    pub fn write_waiting(&self, patience: Duration, log: &mut impl Write) -> io::Result<u64> {
        let mut waiting = self.waiting.lock();
        if waiting.bytes.is_empty() {
            self.arrived.wait_for(&mut waiting, patience);
        }
        if !waiting.bytes.is_empty() && waiting.bytes.len() < ENOUGH_BYTES && !waiting.is_hurried {
            // Enough lines or a flush end this early.
            self.arrived.wait_for(&mut waiting, GATHER);
        }
        let spare = std::mem::take(&mut waiting.spare);
        let mut bytes = std::mem::replace(&mut waiting.bytes, spare);
        let dropped = std::mem::take(&mut waiting.dropped);
        waiting.is_writing = true;
        drop(waiting);
        let done = log.write_all(&bytes);
        bytes.clear();
        let mut waiting = self.waiting.lock();
        waiting.spare = bytes;
        (waiting.is_writing, waiting.is_hurried) = (false, false);
        self.written.notify_all();
        done.map(|()| dropped)
    }

    /// Waits until the lines so far are written, but not longer than `patience`.
    pub fn flush(&self, patience: Duration) {
        let mut waiting = self.waiting.lock();
        waiting.is_hurried = true;
        self.arrived.notify_one();
        self.written.wait_while_for(
            &mut waiting,
            |waiting| !waiting.bytes.is_empty() || waiting.is_writing,
            patience,
        );
    }
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

/// A line that is being written.
#[derive(Debug)]
pub struct Line<'a> {
    bytes: &'a mut Vec<u8>,
    format: LineFormat,
}

impl Line<'_> {
    fn begin(&mut self, level: Level, at: i64, message: &str) {
        match self.format {
            LineFormat::Text => {
                push_time(self.bytes, at);
                self.add(&[heading(level), message]);
            }
            LineFormat::Json => {
                self.add(&["{\"timestamp\":\""]);
                push_time(self.bytes, at);
                self.add(&["\",\"level\":\"", level.as_str(), "\",\"message\":\"", message, "\""]);
            }
        }
    }

    fn end(&mut self) {
        match self.format {
            LineFormat::Text => self.add(&["\n"]),
            LineFormat::Json => self.add(&[",\"target\":\"", TARGET, "\"}\n"]),
        }
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

    /// A network address. Nothing if there is none.
    pub fn address(&mut self, name: FieldName, address: Option<IpAddr>) {
        let Some(address) = address else { return };
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

    fn add(&mut self, parts: &[&str]) {
        parts.iter().for_each(|part| self.bytes.extend_from_slice(part.as_bytes()));
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

/// The level and the target of a line of text. Levels have four or five letters and end in one column.
fn heading(level: Level) -> &'static str {
    match level {
        Level::ERROR => " ERROR access: ",
        Level::WARN => "  WARN access: ",
        Level::INFO => "  INFO access: ",
        Level::DEBUG => " DEBUG access: ",
        Level::TRACE => " TRACE access: ",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    const AT: i64 = 1_769_903_999_000_042;

    fn written(lines: &AccessLines) -> (String, u64) {
        let mut log = Vec::new();
        let dropped = lines.write_waiting(Duration::ZERO, &mut log).expect("a vector takes all");
        (String::from_utf8(log).expect("text"), dropped)
    }

    fn example(format: LineFormat) -> String {
        let lines = AccessLines::new(format, LevelFilter::INFO, true);
        lines.push(Level::INFO, AT, "answered", |line| {
            line.token(field_name!("id"), b"a-1");
            line.text(field_name!("trace"), "odd\"\\\u{e9}");
            line.number(field_name!("status"), 200);
            line.address(field_name!("address"), Some("127.0.0.1".parse().expect("an address")));
            line.id(field_name!("user"), None);
            line.id(field_name!("key"), Some(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef));
        });
        written(&lines).0
    }

    #[test]
    fn a_line_looks_like_the_other_lines_of_the_log() {
        assert_eq!(
            example(LineFormat::Text),
            "2026-01-31T23:59:59.000042Z  INFO access: answered id=\"a-1\" trace=\"odd\\\"\\\\??\" status=200 \
             address=127.0.0.1 key=01234567-89ab-cdef-0123-456789abcdef\n"
        );
        let json = example(LineFormat::Json);
        let expected =
            r#"{"timestamp":"2026-01-31T23:59:59.000042Z","level":"INFO","message":"answered","id":"a-1","#
                .to_owned()
                + r#""trace":"odd\"\\??","status":200,"address":"127.0.0.1","key":"01234567-89ab-cdef-0123-456789abcdef","target":"access"}"#;
        assert_eq!(json.trim_end(), expected);
        serde_json::from_str::<serde_json::Value>(&json).expect("JSON");
        let lines = AccessLines::new(LineFormat::Text, LevelFilter::TRACE, true);
        lines.push(Level::DEBUG, AT, "answered", |_| {});
        assert_eq!(written(&lines).0, "2026-01-31T23:59:59.000042Z DEBUG access: answered\n");
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
            let lines = AccessLines::new(LineFormat::Text, LevelFilter::INFO, true);
            lines.push(Level::INFO, AT, "answered", |line| {
                line.address(field_name!("address"), Some(address.parse().expect("an address")));
            });
            let expected = format!("address={address}\n");
            assert!(written(&lines).0.ends_with(&expected), "{address}");
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

    #[test]
    fn the_level_depends_on_the_status_and_the_setting() {
        for (logs_successes, success) in [(true, Level::INFO), (false, Level::DEBUG)] {
            let lines = AccessLines::new(LineFormat::Text, LevelFilter::INFO, logs_successes);
            assert_eq!((lines.level_of(200), lines.level_of(304)), (success, success));
            assert_eq!((lines.level_of(404), lines.level_of(503)), (Level::INFO, Level::WARN));
            assert_eq!(lines.level_of(429), Level::DEBUG);
            assert!(lines.is_wanted(Level::WARN) && !lines.is_wanted(Level::DEBUG));
        }
    }

    #[test]
    fn a_full_buffer_drops_lines_and_counts_them() {
        let lines = AccessLines::new(LineFormat::Text, LevelFilter::INFO, true);
        let line = [b'x'; 1 << 20];
        for _ in 0..11 {
            lines.append(&line);
        }
        let (text, dropped) = written(&lines);
        assert_eq!((text.len(), dropped), (BYTES_MAX, 3));
        lines.append(b"after\n");
        assert_eq!(written(&lines), ("after\n".to_owned(), 0));
    }

    #[test]
    fn a_flush_returns_when_the_lines_are_written() {
        let lines = Arc::new(AccessLines::new(LineFormat::Text, LevelFilter::INFO, true));
        lines.append(b"one\n");
        let writer = lines.clone();
        let writing = thread::spawn(move || {
            let mut log = Vec::new();
            while log.len() < 8 {
                writer.write_waiting(Duration::from_secs(60), &mut log).expect("a vector takes all");
            }
            log
        });
        lines.flush(Duration::from_secs(60));
        assert!(lines.waiting.lock().bytes.is_empty());
        lines.append(b"two\n");
        lines.flush(Duration::from_secs(60));
        assert_eq!(writing.join().expect("no panic"), b"one\ntwo\n");
    }
}
