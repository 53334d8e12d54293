//! The expected result of a run, computed from the log of sequenced requests: no state, no timers, no memory that is
//! ever cleared. Slow and plain on purpose; it shares no code with the exchange.

use std::ops::Add;

use exchange::change::SeriesAlert;
use exchange::time::{Span, Time};

/// A request as it was sequenced.
#[derive(Clone, Copy, Debug)]
pub struct Logged {
    pub at: Time,
    /// Of the series' own asset: source, value, when it was seen.
    pub price: Option<(usize, i64, Time)>,
}

/// The expected result of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    NotMade,
    /// The event has this threshold and is as yet undecided.
    Running {
        threshold: i64,
    },
    /// It closed without a price.
    Left {
        threshold: i64,
    },
    Resolved {
        threshold: i64,
        close: i64,
        up: bool,
    },
}

/// Counts of each result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub made: u32,
    pub missed: u32,
    pub stale: u32,
    pub disagreeing: u32,
    pub resolved: u32,
    pub left: u32,
    pub restarts: u32,
    /// Made by a node that was up again within the ten seconds.
    pub late: u32,
    pub up: u32,
    pub down: u32,
}

impl Add for Tally {
    type Output = Tally;
    fn add(self, other: Tally) -> Tally {
        Tally {
            made: self.made + other.made,
            missed: self.missed + other.missed,
            stale: self.stale + other.stale,
            disagreeing: self.disagreeing + other.disagreeing,
            resolved: self.resolved + other.resolved,
            left: self.left + other.left,
            restarts: self.restarts + other.restarts,
            late: self.late + other.late,
            up: self.up + other.up,
            down: self.down + other.down,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    pub log: &'a [Logged],
    /// How many sources the series names; the first ones count.
    pub named: usize,
    pub tolerance_ppm: u32,
    pub span: Span,
}

impl Model<'_> {
    /// The first request at or after an instant.
    fn first_from(&self, instant: Time) -> Option<usize> {
        self.log.iter().position(|logged| logged.at >= instant)
    }

    /// The first request after a boundary.
    fn first_after(&self, boundary: Time) -> Option<usize> {
        self.first_from(boundary + Span::MICROSECOND)
    }

    /// The price at a boundary: of all that was sequenced at or before it.
    fn value_at(&self, boundary: Time) -> Result<i64, SeriesAlert> {
        let end = self.first_after(boundary).unwrap_or(self.log.len());
        let last = |wanted: Option<usize>| {
            let mut found = None;
            for logged in &self.log[..end] {
                let Some((source, value, seen)) = logged.price else { continue };
                let age = boundary.micros() - seen.micros();
                if (0..60_000_000).contains(&age) && wanted.is_none_or(|wanted| wanted == source) {
                    found = Some(value);
                }
            }
            found.ok_or(SeriesAlert::StalePrice)
        };
        match self.named {
            0 => last(None),
            1 => last(Some(0)),
            _ => {
                let (leading, checking) = (last(Some(0))?, last(Some(1))?);
                let apart = i128::from((leading - checking).abs()) * 1_000_000;
                let allowed = i128::from(leading) * i128::from(self.tolerance_ppm);
                if apart <= allowed { Ok(leading) } else { Err(SeriesAlert::SourcesDisagree) }
            }
        }
    }

    /// Whether a request was sequenced within ten seconds of the start.
    fn was_up(&self, start: Time) -> bool {
        self.first_after(start).is_some_and(|first| self.log[first].at - start <= Span::seconds(10))
    }

    pub fn expected(&self, start: Time, tally: &mut Tally) -> Expected {
        let threshold = match (self.was_up(start), self.value_at(start)) {
            (false, _) => {
                tally.missed += 1;
                return Expected::NotMade;
            }
            (true, Err(SeriesAlert::SourcesDisagree)) => {
                tally.disagreeing += 1;
                return Expected::NotMade;
            }
            (true, Err(_)) => {
                tally.stale += 1;
                return Expected::NotMade;
            }
            (true, Ok(threshold)) => threshold,
        };
        tally.made += 1;
        let first = self.first_after(start).map_or(start, |first| self.log[first].at);
        tally.late += u32::from(first - start > Span::seconds(1));
        let end = start + self.span;
        match self.value_at(end) {
            _ if self.first_after(end).is_none() => Expected::Running { threshold },
            Err(_) => {
                tally.left += 1;
                Expected::Left { threshold }
            }
            Ok(_) if self.first_from(end + Span::seconds(60)).is_none() => Expected::Running { threshold },
            Ok(close) => {
                let up = close >= threshold;
                tally.resolved += 1;
                *(if up { &mut tally.up } else { &mut tally.down }) += 1;
                Expected::Resolved { threshold, close, up }
            }
        }
    }

    /// Whether an alert about a boundary is justified. A boundary without a request can have two: a missed interval,
    /// and the end of an interval that was not missed.
    pub fn may_alert(&self, boundary: Time, reason: SeriesAlert) -> bool {
        match reason {
            SeriesAlert::Missed => !self.was_up(boundary),
            reason => self.value_at(boundary) == Err(reason),
        }
    }

    /// The alert that must exist exactly once for a boundary at which the node was up.
    pub fn must_alert(&self, boundary: Time) -> Option<SeriesAlert> {
        if self.was_up(boundary) { self.value_at(boundary).err() } else { None }
    }
}
