//! Simulated prices: a seeded random walk in integers, bounded around its start. For demos only.

use exchange::catalogue::AssetPrice;
use fastrand::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedSettings {
    /// The first price.
    pub start: AssetPrice,
    /// The largest step, in millionths of the current price.
    pub step_ppm: u32,
    pub seed: u64,
}

#[derive(Debug)]
pub(super) struct Walk {
    settings: SimulatedSettings,
    rng: Rng,
}

impl Walk {
    pub(super) fn new(settings: SimulatedSettings) -> Walk {
        Walk { settings, rng: Rng::with_seed(settings.seed) }
    }

    /// One step from `last`, or from the start. The result stays between half and double of the start, so that a demo's
    /// asset neither vanishes nor explodes.
    pub(super) fn next(&mut self, last: Option<AssetPrice>) -> AssetPrice {
        let start = self.settings.start.0;
        let last = i128::from(last.map_or(start, |last| last.0));
        let step_max = i64::from(self.settings.step_ppm);
        let step = last * i128::from(self.rng.i64(-step_max..=step_max)) / 1_000_000;
        let (low, high) = ((start / 2).max(1), start.saturating_mul(2));
        let next = (last + step).clamp(i128::from(low), i128::from(high));
        AssetPrice(i64::try_from(next).unwrap_or(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(settings: SimulatedSettings, steps: usize) -> Vec<i64> {
        let mut walk = Walk::new(settings);
        let mut last = None;
        let step = |_| {
            last = Some(walk.next(last));
            last.map_or(0, |price| price.0)
        };
        (0..steps).map(step).collect()
    }

    const BITCOIN: SimulatedSettings =
        SimulatedSettings { start: AssetPrice(96_250_500_000), step_ppm: 150, seed: 7 };

    #[test]
    fn a_seed_walks_the_same_way_each_time_and_another_seed_another() {
        assert_eq!(walk(BITCOIN, 100), walk(BITCOIN, 100));
        assert_ne!(walk(BITCOIN, 100), walk(SimulatedSettings { seed: 8, ..BITCOIN }, 100));
    }

    #[test]
    fn a_step_is_at_most_as_long_as_was_set() {
        let steps = walk(BITCOIN, 1_000);
        for pair in steps.windows(2) {
            assert!((pair[1] - pair[0]).abs() <= pair[0] * 150 / 1_000_000 + 1, "{pair:?}");
        }
        assert!(
            steps.windows(2).any(|pair| pair[0] < pair[1]) && steps.windows(2).any(|pair| pair[0] > pair[1])
        );
    }

    #[test]
    fn a_walk_stays_between_half_and_double_however_long_and_large() {
        for start in [1, 2, 1_084_200, i64::MAX] {
            let settings = SimulatedSettings { start: AssetPrice(start), step_ppm: 10_000, seed: 3 };
            for price in walk(settings, 20_000) {
                assert!(price >= 1 && price >= start / 2 && price <= start.saturating_mul(2), "{price}");
            }
        }
    }
}
