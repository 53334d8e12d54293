//! The id of a request: the caller's `x-request-id` if it is well formed, else the trace id of its `traceparent`, else a
//! new one. A new id needs neither a system call nor an allocation.

use std::cell::Cell;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The longest id that is accepted.
pub const BYTES_MAX: usize = 64;
/// Hexadecimal digits of a new id.
const NEW_BYTES: usize = 16;
/// Numbers that a thread takes at once.
const BLOCK: u64 = 1 << 16;

/// Distinguishes the ids of this process from those of others.
static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one("request ids"));
static NEXT_BLOCK: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The next number of this thread; a multiple of `BLOCK` means that a new block is needed.
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RequestId {
    bytes: [u8; BYTES_MAX],
    length: u8,
}

impl RequestId {
    /// The id of a request with these header fields.
    pub fn of(given: Option<&[u8]>, traceparent: Option<&[u8]>) -> RequestId {
        match given.filter(|given| is_well_formed(given)).or_else(|| traceparent.and_then(trace_of)) {
            Some(text) => RequestId::copied(text),
            None => RequestId::new(),
        }
    }

    /// A new id, unique in this process.
    #[allow(clippy::new_without_default, reason = "every call returns another id")]
    pub fn new() -> RequestId {
        let mut digits = [0; NEW_BYTES];
        let mixed = mix(SEED.wrapping_add(next_number()));
        for (at, digit) in digits.iter_mut().enumerate() {
            let nibble = (mixed >> (60 - 4 * at)) & 0xf;
            *digit = b"0123456789abcdef"[nibble as usize];
        }
        RequestId::copied(&digits)
    }

    fn copied(text: &[u8]) -> RequestId {
        let mut bytes = [0; BYTES_MAX];
        let length = text.len().min(BYTES_MAX);
        bytes[..length].copy_from_slice(&text[..length]);
        RequestId { bytes, length: length as u8 }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    pub fn as_str(&self) -> &str {
        // Only ASCII is accepted.
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

fn is_well_formed(text: &[u8]) -> bool {
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=BYTES_MAX).contains(&text.len()) && text.iter().all(is_allowed)
}

/// A well-formed `traceparent`, in lower-case hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceParent<'a> {
    /// 32 digits.
    pub trace: &'a [u8],
    /// 16 digits.
    pub parent: &'a [u8],
    /// Whether the caller records the trace.
    pub is_sampled: bool,
}

impl<'a> TraceParent<'a> {
    /// Reads `00-` 32 digits `-` 16 digits `-` 2 digits. Later versions may append more fields.
    pub fn read(traceparent: &'a [u8]) -> Option<TraceParent<'a>> {
        let is_hex = |text: &[u8]| text.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let is_zero = |text: &[u8]| text.iter().all(|byte| *byte == b'0');
        let (first, more) = traceparent.split_at_checked(55)?;
        let (version, trace, parent, flags) = (&first[..2], &first[3..35], &first[36..52], &first[53..]);
        let has_dashes = [2, 35, 52].iter().all(|at| first[*at] == b'-');
        let is_end = more.is_empty() || (version != b"00" && more.starts_with(b"-"));
        let is_valid = has_dashes
            && is_end
            && [version, trace, parent, flags].into_iter().all(is_hex)
            && version != b"ff"
            && !is_zero(trace)
            && !is_zero(parent);
        // The lowest bit of the flags.
        let is_sampled = matches!(flags[1], b'1' | b'3' | b'5' | b'7' | b'9' | b'b' | b'd' | b'f');
        is_valid.then_some(TraceParent { trace, parent, is_sampled })
    }
}

/// The trace id of a well-formed `traceparent`.
pub fn trace_of(traceparent: &[u8]) -> Option<&[u8]> {
    TraceParent::read(traceparent).map(|parent| parent.trace)
}

fn next_number() -> u64 {
    NEXT.with(|next| {
        let mut number = next.get();
        if number.is_multiple_of(BLOCK) {
            number = NEXT_BLOCK.fetch_add(1, Ordering::Relaxed) * BLOCK + 1;
        }
        next.set(number + 1);
        number
    })
}

/// A permutation of all 64-bit numbers, so that different numbers give different ids that look random.
fn mix(number: u64) -> u64 {
    let mut mixed = number;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread;

    use super::*;

    const PARENT: &[u8] = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_well_formed_id_is_taken_and_another_is_replaced() {
        for id in ["a", "A-9._z", &"x".repeat(64)] {
            assert_eq!(RequestId::of(Some(id.as_bytes()), None).as_str(), id);
            assert_eq!(RequestId::of(Some(id.as_bytes()), Some(PARENT)).as_str(), id);
        }
        for id in ["", "a b", "a\"b", "a\u{e9}", "a/b", &"x".repeat(65)] {
            let made = RequestId::of(Some(id.as_bytes()), None);
            assert_eq!(made.as_bytes().len(), NEW_BYTES, "{id}");
            let traced = RequestId::of(Some(id.as_bytes()), Some(PARENT));
            assert_eq!(traced.as_str(), "4bf92f3577b34da6a3ce929d0e0e4736", "{id}");
        }
    }

    #[test]
    fn a_trace_id_is_taken_only_from_a_well_formed_traceparent() {
        let trace = |text: &str| trace_of(text.as_bytes()).map(<[u8]>::to_vec);
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(trace(good), Some(b"4bf92f3577b34da6a3ce929d0e0e4736".to_vec()));
        assert_eq!(trace(&good.replacen("00", "01", 1)), trace(good));
        assert_eq!(trace(&(good.replacen("00", "01", 1) + "-more")), trace(good));
        for bad in [
            good.replacen("00", "ff", 1),
            good.to_uppercase(),
            good.to_owned() + "-more",
            good.to_owned() + "0",
            good.replace("4bf92f3577b34da6a3ce929d0e0e4736", &"0".repeat(32)),
            good.replace("00f067aa0ba902b7", &"0".repeat(16)),
            good.replace('-', "_"),
            good[..54].to_owned(),
            String::new(),
        ] {
            assert_eq!(trace(&bad), None, "{bad}");
        }
        let parent = TraceParent::read(good.as_bytes()).expect("a traceparent");
        assert_eq!((parent.parent, parent.is_sampled), (&b"00f067aa0ba902b7"[..], true));
        for (flags, is_sampled) in [("00", false), ("02", false), ("03", true), ("ff", true)] {
            let text = format!("{}{flags}", &good[..53]);
            let parent = TraceParent::read(text.as_bytes()).expect("a traceparent");
            assert_eq!(parent.is_sampled, is_sampled, "{text}");
        }
    }

    #[test]
    fn new_ids_differ_on_all_threads() {
        let made = || (0..2 * BLOCK / 16).map(|_| RequestId::new().as_str().to_owned()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..3).map(|_| thread::spawn(made)).collect();
        let all: Vec<String> =
            threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }
}
