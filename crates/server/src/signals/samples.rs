//! An hour of samples, one a minute: throughput, response times and business. A console that is opened later still shows
//! what happened before.

use std::collections::VecDeque;

use exchange::numbers::Currency;
use parking_lot::Mutex;

use super::histogram::{Counts, DURATION_BOUNDS};
use super::venue::VenueTotals;

/// The interval between samples.
pub const SAMPLE_SECONDS: i64 = 60;
/// Samples kept.
pub const SAMPLES_MAX: usize = 60;

/// Totals since the start, at one instant.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    pub durations: Counts<{ DURATION_BOUNDS.len() }>,
    pub errors: u64,
    pub applied: u64,
    pub venue: [VenueTotals; Currency::ALL.len()],
}

/// Activity in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The end of the interval, in Unix seconds.
    pub at: i64,
    pub seconds: i64,
    /// Responses of both listeners, without probes and scrapes of metrics.
    pub requests: u64,
    /// Those with a status of 500 or more.
    pub errors: u64,
    /// Commands applied, those of other nodes included.
    pub commands: u64,
    pub p50_micros: Option<u64>,
    pub p99_micros: Option<u64>,
    /// By currency, in the order of `Currency::ALL`: totals of the interval, and the users who traded in it.
    pub venue: [(VenueTotals, u64); Currency::ALL.len()],
}

#[derive(Debug, Default)]
pub struct Samples(Mutex<Ring>);

#[derive(Debug, Default)]
struct Ring {
    last: Option<(i64, Totals)>,
    samples: VecDeque<Sample>,
}

impl Samples {
    /// Takes a sample if the last one is old enough. `traders` returns the number of users who traded in a currency since
    /// a time.
    pub fn take(&self, now: i64, totals: Totals, traders: impl Fn(Currency, i64) -> u64) {
        let mut ring = self.0.lock();
        let Some((last, before)) = ring.last else {
            ring.last = Some((now, totals));
            return;
        };
        if now < last + SAMPLE_SECONDS {
            return;
        }
        let sample = Sample::between(&before, &totals, (last, now), traders);
        if ring.samples.len() == SAMPLES_MAX {
            ring.samples.pop_front();
        }
        ring.samples.push_back(sample);
        ring.last = Some((now, totals));
    }

    /// All samples, oldest first.
    pub fn all(&self) -> Vec<Sample> {
        self.0.lock().samples.iter().copied().collect()
    }
}

impl Sample {
    fn between(
        before: &Totals,
        after: &Totals,
        (last, now): (i64, i64),
        traders: impl Fn(Currency, i64) -> u64,
    ) -> Sample {
        let durations = after.durations.since(&before.durations);
        let venue = Currency::ALL.map(|currency| {
            let (old, new) = (before.venue[currency as usize], after.venue[currency as usize]);
            let totals = VenueTotals {
                volume: new.volume.saturating_sub(old.volume),
                fees: new.fees.saturating_sub(old.fees),
                trades: new.trades.saturating_sub(old.trades),
            };
            (totals, traders(currency, last))
        });
        Sample {
            at: now,
            seconds: now - last,
            requests: durations.count(),
            errors: after.errors.saturating_sub(before.errors),
            commands: after.applied.saturating_sub(before.applied),
            p50_micros: durations.quantile(50),
            p99_micros: durations.quantile(99),
            venue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::histogram::Durations;

    #[test]
    fn a_sample_is_the_difference_of_a_minute_and_an_hour_of_them_is_kept() {
        let (samples, durations) = (Samples::default(), Durations::default());
        let take = |now: i64, applied: u64| {
            let volume = VenueTotals { volume: applied * 10, fees: applied, trades: applied };
            let venue = [volume, VenueTotals::default()];
            let totals = Totals { durations: durations.counts(), errors: 0, applied, venue };
            samples
                .take(now, totals, |currency, since| u64::from(currency == Currency::Usd && since >= 1_000));
        };
        take(1_000, 5);
        durations.record(70);
        take(1_059, 7);
        assert!(samples.all().is_empty(), "not yet a minute");
        take(1_060, 8);
        let [sample] = samples.all()[..] else { panic!("one sample") };
        assert_eq!((sample.at, sample.seconds, sample.requests, sample.commands), (1_060, 60, 1, 3));
        assert_eq!((sample.p50_micros, sample.p99_micros), (Some(100), Some(100)));
        assert_eq!(sample.venue[0], (VenueTotals { volume: 30, fees: 3, trades: 3 }, 1));
        assert_eq!(sample.venue[1], (VenueTotals::default(), 0));
        for minute in 2..=70 {
            take(1_000 + minute * 60, 8);
        }
        let all = samples.all();
        assert_eq!((all.len(), all[59].at, all[0].at), (60, 5_200, 5_200 - 59 * 60));
        assert_eq!((all[59].requests, all[59].p50_micros), (0, None));
    }
}
