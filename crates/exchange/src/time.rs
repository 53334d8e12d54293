//! Time: microseconds since 1970, stamped by the journal. No code here reads a clock.

use core::fmt;
use core::ops::{Add, Sub};

use minicbor::{Decode, Encode};

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct Time(#[n(0)] i64);

impl Time {
    pub const ZERO: Time = Time(0);
    pub const NEVER: Time = Time(i64::MAX);
    /// Later dates (after about the year 9999) are refused, so that adding a span cannot overflow.
    pub const MAX: Time = Time(253_402_300_799_000_000);

    pub const fn from_micros(micros: i64) -> Time {
        Time(micros)
    }

    pub const fn from_seconds(seconds: i64) -> Time {
        Time(seconds * 1_000_000)
    }

    pub const fn micros(self) -> i64 {
        self.0
    }

    /// The minute of this time, counted from 1970.
    pub const fn minute(self) -> i64 {
        self.0.div_euclid(60_000_000)
    }

    /// The hour of this time, counted from 1970.
    #[inline]
    pub const fn hour(self) -> i64 {
        self.0.div_euclid(3_600_000_000)
    }

    /// The day of this time (UTC), counted from 1970.
    pub const fn day(self) -> i64 {
        self.0.div_euclid(86_400_000_000)
    }

    /// The first multiple of `span` after this instant.
    pub const fn next_multiple(self, span: Span) -> Time {
        Time((self.0.div_euclid(span.0) + 1) * span.0)
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
        Time(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    fn sub(self, span: Span) -> Time {
        Time(self.0.saturating_sub(span.0))
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, other: Time) -> Span {
        Span(self.0 - other.0)
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0 / 1_000_000)?;
        match self.0 % 1_000_000 {
            0 => Ok(()),
            micros => write!(f, "+{micros}us"),
        }
    }
}
