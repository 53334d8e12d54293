//! Made-up prices for the demo's series: a simulated feed for each asset that the settings have no feed for.

use std::time::Duration;

use exchange::catalogue::AssetPrice;
use exchange::text::Text;
use server::feeds::{FeedSettings, SimulatedSettings, Source};

use super::linked::SERIES;

const PAUSE: Duration = Duration::from_secs(1);
const SEED: u64 = 7;
/// How far a price moves in a second at most, in millionths of itself.
const STEP_PPM: u32 = 150;

/// Several series may be about one asset: it has one price.
pub(super) fn add_simulated(feeds: &mut Vec<FeedSettings>) {
    for (place, sample) in SERIES.iter().enumerate() {
        if feeds.iter().any(|feed| *feed.symbol == *sample.symbol) {
            continue;
        }
        let walk = SimulatedSettings {
            start: AssetPrice(sample.price),
            step_ppm: STEP_PPM,
            // Assets do not move in step.
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
