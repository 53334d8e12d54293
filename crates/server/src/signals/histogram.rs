//! A histogram of durations with fixed buckets, and one of sizes. Recording is three relaxed additions.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the buckets of durations, in microseconds.
pub const DURATION_BOUNDS: [u64; 19] = [
    10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000, 10_000_000,
];
/// Upper bounds of the buckets of sizes.
pub const SIZE_BOUNDS: [u64; 13] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096];

/// Counts of values by bucket, and their sum. `N` is the number of bounds.
#[derive(Debug)]
pub struct Histogram<const N: usize> {
    bounds: &'static [u64; N],
    buckets: [AtomicU64; N],
    above: AtomicU64,
    sum: AtomicU64,
}

pub type Durations = Histogram<19>;
pub type Sizes = Histogram<13>;

/// The counts of a histogram at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts<const N: usize> {
    pub bounds: &'static [u64; N],
    /// Per bucket, not cumulative.
    pub buckets: [u64; N],
    /// Values above the last bound.
    pub above: u64,
    pub sum: u64,
}

impl Default for Durations {
    fn default() -> Durations {
        Histogram::with_bounds(&DURATION_BOUNDS)
    }
}

impl Default for Sizes {
    fn default() -> Sizes {
        Histogram::with_bounds(&SIZE_BOUNDS)
    }
}

impl<const N: usize> Histogram<N> {
    fn with_bounds(bounds: &'static [u64; N]) -> Histogram<N> {
        let buckets = [const { AtomicU64::new(0) }; N];
        Histogram { bounds, buckets, above: AtomicU64::new(0), sum: AtomicU64::new(0) }
    }

    pub fn record(&self, value: u64) {
        let bucket = self.bounds.iter().position(|bound| value <= *bound);
        bucket.map_or(&self.above, |at| &self.buckets[at]).fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    pub fn counts(&self) -> Counts<N> {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            bounds: self.bounds,
            buckets: std::array::from_fn(|at| load(&self.buckets[at])),
            above: load(&self.above),
            sum: load(&self.sum),
        }
    }
}

impl Durations {
    pub fn record_duration(&self, duration: Duration) {
        self.record(micros(duration));
    }
}

/// Whole microseconds of a duration.
pub fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

impl<const N: usize> Counts<N> {
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum::<u64>() + self.above
    }

    /// Adds the counts of another shard.
    pub fn add(&mut self, other: &Counts<N>) {
        for (bucket, more) in self.buckets.iter_mut().zip(other.buckets) {
            *bucket += more;
        }
        self.above += other.above;
        self.sum = self.sum.wrapping_add(other.sum);
    }

    /// The values recorded since an earlier instant.
    pub fn since(&self, earlier: &Counts<N>) -> Counts<N> {
        Counts {
            bounds: self.bounds,
            buckets: std::array::from_fn(|at| self.buckets[at].saturating_sub(earlier.buckets[at])),
            above: self.above.saturating_sub(earlier.above),
            sum: self.sum.wrapping_sub(earlier.sum),
        }
    }

    /// The value below which `percent` of all values are, interpolated in its bucket. `None` without values. Values above
    /// the last bound count as the last bound.
    pub fn quantile(&self, percent: u64) -> Option<u64> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        // At least one value, so that the quantile is in a bucket that has some.
        let rank = (count * percent).div_ceil(100).max(1);
        let (mut before, mut lower) = (0, 0);
        for (bucket, bound) in self.buckets.iter().zip(self.bounds) {
            if before + bucket >= rank {
                return Some(lower + (bound - lower) * (rank - before) / bucket);
            }
            (before, lower) = (before + bucket, *bound);
        }
        Some(lower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_in_the_first_bucket_whose_bound_it_does_not_exceed() {
        let sizes = Sizes::default();
        for value in [0, 1, 2, 3, 4_096, 4_097] {
            sizes.record(value);
        }
        let counts = sizes.counts();
        assert_eq!((counts.buckets[0], counts.buckets[1], counts.buckets[2]), (2, 1, 1));
        assert_eq!((counts.buckets[12], counts.above, counts.count()), (1, 1, 6));
        assert_eq!(counts.sum, 8_199);
    }

    #[test]
    fn a_quantile_is_interpolated_in_its_bucket() {
        let durations = Durations::default();
        assert_eq!(durations.counts().quantile(50), None);
        for _ in 0..98 {
            durations.record(80);
        }
        durations.record(900);
        durations.record(20_000_000);
        let counts = durations.counts();
        assert_eq!(counts.quantile(50), Some(50 + 50 * 50 / 98));
        assert_eq!(counts.quantile(99), Some(1_000));
        assert_eq!(counts.quantile(100), Some(10_000_000), "above the last bound");
    }

    #[test]
    fn counts_of_shards_add_up_and_an_interval_is_a_difference() {
        let (one, two) = (Sizes::default(), Sizes::default());
        one.record(3);
        let earlier = one.counts();
        one.record(3);
        two.record(100);
        let mut all = one.counts();
        all.add(&two.counts());
        assert_eq!((all.count(), all.sum), (3, 106));
        let since = all.since(&earlier);
        assert_eq!((since.count(), since.sum, since.buckets[2]), (2, 103, 1));
    }
}
