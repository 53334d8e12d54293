//! Time: microseconds since 1970, stamped by the journal. No code here reads a clock.

use core::fmt;
use core::num::NonZeroU64;
use core::ops::{Add, Sub};

use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

/// The microseconds with an inverted sign bit: the order of these numbers is that of time, and `Option<Time>` takes
/// eight bytes, because `i64::MIN` is not a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(NonZeroU64);

const SIGN: u64 = 1 << 63;

impl Time {
    pub const ZERO: Time = Time::from_micros(0);
    pub const NEVER: Time = Time::from_micros(i64::MAX);
    /// Later dates (after about the year 9999) are refused, so that adding a span cannot overflow.
    pub const MAX: Time = Time::from_micros(253_402_300_799_000_000);

    /// The earliest time stands for `i64::MIN` too.
    #[inline]
    pub const fn from_micros(micros: i64) -> Time {
        match NonZeroU64::new(micros.cast_unsigned() ^ SIGN) {
            Some(shifted) => Time(shifted),
            None => Time(NonZeroU64::MIN),
        }
    }

    pub const fn from_seconds(seconds: i64) -> Time {
        Time::from_micros(seconds * 1_000_000)
    }

    #[inline]
    pub const fn micros(self) -> i64 {
        (self.0.get() ^ SIGN).cast_signed()
    }

    /// The minute of this time, counted from 1970.
    pub const fn minute(self) -> i64 {
        self.micros().div_euclid(60_000_000)
    }

    /// The hour of this time, counted from 1970.
    #[inline]
    pub const fn hour(self) -> i64 {
        self.micros().div_euclid(3_600_000_000)
    }

    /// The day of this time (UTC), counted from 1970.
    pub const fn day(self) -> i64 {
        self.micros().div_euclid(86_400_000_000)
    }

    /// The first multiple of `span` after this instant.
    pub const fn next_multiple(self, span: Span) -> Time {
        Time::from_micros((self.micros().div_euclid(span.0) + 1) * span.0)
    }
}

impl Default for Time {
    fn default() -> Time {
        Time::ZERO
    }
}

impl<C> Encode<C> for Time {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
        e.i64(self.micros())?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Time {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Time, Error> {
        let micros = d.i64()?;
        if micros == i64::MIN {
            Err(Error::message("a time is after the minimum"))
        } else {
            Ok(Time::from_micros(micros))
        }
    }
}

/// A duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(i64);

impl Span {
    /// The smallest duration.
    pub const MICROSECOND: Span = Span(1);

    pub const fn seconds(seconds: i64) -> Span {
        Span(seconds * 1_000_000)
    }

    pub const fn minutes(minutes: i64) -> Span {
        Span::seconds(minutes * 60)
    }

    pub const fn hours(hours: i64) -> Span {
        Span::minutes(hours * 60)
    }

    pub const fn days(days: i64) -> Span {
        Span::hours(days * 24)
    }

    pub const fn micros(self) -> i64 {
        self.0
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time::from_micros(self.micros().saturating_add(span.0))
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    fn sub(self, span: Span) -> Time {
        Time::from_micros(self.micros().saturating_sub(span.0))
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, other: Time) -> Span {
        Span(self.micros() - other.micros())
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.micros() / 1_000_000)?;
        match self.micros() % 1_000_000 {
            0 => Ok(()),
            micros => write!(f, "+{micros}us"),
        }
    }
}
