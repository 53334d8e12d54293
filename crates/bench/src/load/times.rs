//! Summarises times: microseconds, medians, percentiles.

use std::time::Duration;

pub fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// In microseconds.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub count: usize,
    pub p50: f64,
    pub p99: f64,
    pub longest: f64,
}

impl Times {
    pub fn of(mut times: Vec<Duration>) -> Times {
        times.sort_unstable();
        let count = times.len();
        let at = |percent: usize| times.get(count * percent / 100).copied().map_or(f64::NAN, micros);
        let longest = times.last().copied().map_or(f64::NAN, micros);
        Times { count, p50: at(50), p99: at(99), longest }
    }

    pub fn print(&self, who: &str) {
        let Times { count, p50, p99, longest } = self;
        println!("  {who:<7}p50 {p50:7.0}  p99 {p99:7.0}  longest {longest:7.0} us   {count} times");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Times, median};

    #[test]
    fn percentiles_do_not_depend_on_the_order_of_what_was_measured() {
        let times = Times::of((1..=200).rev().map(Duration::from_micros).collect());
        assert_eq!((times.count, times.p50, times.p99, times.longest), (200, 101.0, 199.0, 200.0));
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    }

    #[test]
    fn of_nothing_there_is_no_percentile() {
        assert!(Times::of(Vec::new()).p50.is_nan() && median(&[]).is_nan());
    }
}
