//! A feed's loop: take a sample, submit it, wait. It logs only transitions between success and failure. It ends on
//! shutdown, or when the sequencer accepts no more requests.

use std::sync::Arc;
use std::time::Duration;

use exchange::Request;
use exchange::catalogue::AssetPrice;
use exchange::command::{Command, RecordPrice};
use exchange::identity::Actor;
use exchange::time::Time;
use tokio::sync::watch;
use tokio::time::sleep;

use super::simulated::Walk;
use super::status::RecordedSample;
use super::{Feed, Feeds, Source, http};
use crate::pipeline::sequencer::SubmitError;

/// The first pause before a retry; each further one is twice as long.
const BACKOFF_FIRST: Duration = Duration::from_millis(200);
const BACKOFF_MAX: Duration = Duration::from_secs(5);

/// The result of a round.
enum Round {
    Recorded(RecordedSample),
    Failed(String),
    /// The sequencer has stopped: no more samples can be recorded.
    Over,
}

/// Runs an active feed until `stopping` becomes true. Returns at once for a passive feed.
pub async fn run(feeds: Arc<Feeds>, feed: Arc<Feed>, mut stopping: watch::Receiver<bool>) {
    let mut walk = match feed.settings.source {
        Source::Simulated(settings) => Some(Walk::new(settings)),
        Source::Http(_) => None,
        Source::Push => return,
    };
    loop {
        let round = async {
            let over = matches!(note(&feed, take(&feeds, &feed, walk.as_mut()).await), Round::Over);
            if !over {
                sleep(feed.settings.interval).await;
            }
            over
        };
        // A stop cancels the round wherever it waits: for the endpoint, between retries, or for the writer.
        tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            over = round => if over { return },
        }
    }
}

/// Stores the result of a round, and logs it if it differs from the previous one.
fn note(feed: &Feed, round: Round) -> Round {
    let (name, symbol) = (&*feed.settings.name, &*feed.settings.symbol);
    match &round {
        Round::Recorded(taken) => {
            if feed.memory.note_success(*taken) {
                tracing::info!(feed = name, symbol, "feed recovered");
            }
        }
        Round::Failed(error) => {
            if feed.memory.note_failure(error.clone()) {
                tracing::warn!(feed = name, symbol, error, "feed failed");
            }
        }
        Round::Over => {}
    }
    round
}

async fn take(feeds: &Feeds, feed: &Feed, walk: Option<&mut Walk>) -> Round {
    let sample = match (&feed.settings.source, walk) {
        (Source::Http(settings), _) => fetch_with_retries(feeds, settings).await,
        (_, Some(walk)) => {
            // Continues from the last recorded price, also after a restart.
            let last = feed.last_recorded(&feeds.shared.read()).map(|taken| taken.value);
            Ok((walk.next(last), feeds.now()))
        }
        (_, None) => return Round::Over,
    };
    match sample {
        Ok((value, seen)) => record(feeds, feed, value, seen).await,
        Err(error) => Round::Failed(error),
    }
}

/// Requests a price, with retries. Returns the last error if all of them fail.
async fn fetch_with_retries(
    feeds: &Feeds,
    settings: &super::HttpSettings,
) -> Result<(AssetPrice, Time), String> {
    let mut backoff = BACKOFF_FIRST;
    let mut attempt = 0;
    loop {
        let answer = http::fetch(settings, feeds.now()).await;
        if answer.is_ok() || attempt == settings.retries {
            return answer;
        }
        attempt += 1;
        sleep(backoff).await;
        backoff = (backoff * 2).min(BACKOFF_MAX);
    }
}

async fn record(feeds: &Feeds, feed: &Feed, value: AssetPrice, seen: Time) -> Round {
    let command = Command::RecordPrice(RecordPrice {
        symbol: feed.settings.symbol.clone(),
        value,
        source: feed.settings.name.clone(),
        source_time: seen,
    });
    let request = Request { actor: Actor::System, idempotency: None, command };
    match feeds.sequencer.submit(request).await {
        Ok(answer) => match answer.result {
            Ok(_) => Round::Recorded(RecordedSample { value, source_time: seen, at: answer.at }),
            Err(reject) => Round::Failed(format!("the price was refused: {reject:?}")),
        },
        Err(
            error @ (SubmitError::Busy
            | SubmitError::LogUnavailable
            | SubmitError::WrongClock
            | SubmitError::NewerRules),
        ) => Round::Failed(error.to_string()),
        // A shared log recovers without a restart.
        Err(SubmitError::Unknown) if !feeds.sequencer.writer_status().has_failed() => {
            Round::Failed(SubmitError::Unknown.to_string())
        }
        Err(SubmitError::Stopping | SubmitError::Unknown) => Round::Over,
    }
}
