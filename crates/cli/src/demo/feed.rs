//! Made-up prices for the demo's series: each asset walks a little every second, from a fixed seed, in whole numbers.

use std::sync::Arc;
use std::time::Duration;

use exchange::Request;
use exchange::catalogue::AssetPrice;
use exchange::command::Command;
use exchange::identity::Actor;
use exchange::text::Text;
use fastrand::Rng;
use server::app::App;
use server::sequencer::SubmitError;
use tokio::sync::watch;

use super::linked::{SERIES, SampleSeries};

const PAUSE: Duration = Duration::from_secs(1);
const SEED: u64 = 7;
/// How far a price moves in a second at most, in millionths of itself.
const STEP_MAX: i64 = 150;

/// Records a price of every asset each second until it is told to stop.
pub(super) async fn quote(app: Arc<App>, mut stopping: watch::Receiver<bool>) {
    let mut rng = Rng::with_seed(SEED);
    loop {
        for sample in SERIES {
            let command = Command::RecordPrice {
                symbol: Text::from(sample.symbol),
                value: next(&app, sample, &mut rng),
                source: Text::from("demo"),
                source_time: app.now(),
            };
            let request = Request { actor: Actor::System, idempotency: None, command };
            match app.sequencer.submit(request).await {
                Ok(answer) => {
                    if let Err(reject) = answer.result {
                        tracing::debug!(?reject, "a price was refused");
                    }
                }
                Err(SubmitError::Busy) => {}
                Err(SubmitError::Stopping | SubmitError::Unknown) => return,
            }
        }
        tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// The last recorded price and a step; after a restart the walk goes on where it was.
fn next(app: &App, sample: &SampleSeries, rng: &mut Rng) -> AssetPrice {
    let exchange = app.shared.read();
    let last =
        exchange.catalogue().assets().get(&Text::from(sample.symbol)).and_then(|samples| samples.last());
    let last = last.map_or(sample.price, |last| last.value.0);
    let step = last * rng.i64(-STEP_MAX..=STEP_MAX) / 1_000_000;
    // Never far from where it began: an asset of a demo neither dies nor explodes.
    AssetPrice((last + step).clamp(sample.price / 2, sample.price * 2))
}
