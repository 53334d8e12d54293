//! Simulated prices for the demo's series: a feed for each asset that has none in the settings.

use std::time::Duration;

use exchange::catalogue::AssetPrice;
use exchange::text::Text;
use server::feeds::{FeedSettings, SimulatedSettings, Source};

use super::linked::SERIES;

const PAUSE: Duration = Duration::from_secs(1);
const SEED: u64 = 7;
/// The largest step per second, in millionths of the price.
const STEP_PPM: u32 = 150;

/// One feed per asset, even if several series use it.
pub(super) fn add_simulated(feeds: &mut Vec<FeedSettings>) {
    for (place, sample) in SERIES.iter().enumerate() {
        if feeds.iter().any(|feed| *feed.symbol == *sample.symbol) {
            continue;
        }
        let walk = SimulatedSettings {
            start: AssetPrice(sample.price),
            step_ppm: STEP_PPM,
            // A separate seed, so that assets do not move in step.
            seed: SEED + place as u64,
        };
        feeds.push(FeedSettings {
            name: Text::from("demo"),
            symbol: Text::from(sample.symbol),
            interval: PAUSE,
            source: Source::Simulated(walk),
        });
    }
}
