//! A feed's loop: take a sample, hand it to the writer, wait. It never blocks anybody, tells of a change for the worse or
//! the better once, and ends when it is told to or when nothing is taken any more.

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
use super::status::Taken;
use super::{Feed, Source, http};
use crate::app::App;
use crate::sequencer::SubmitError;

/// The first pause before asking again; each further one is twice as long.
const BACKOFF_FIRST: Duration = Duration::from_millis(200);
const BACKOFF_MAX: Duration = Duration::from_secs(5);

/// What a round came to.
enum Round {
    Taken(Taken),
    Failed(String),
    /// Nothing is taken any more.
    Over,
}

/// Runs an active feed until it is told to stop. A passive one ends at once.
pub async fn run(app: Arc<App>, feed: Arc<Feed>, mut stopping: watch::Receiver<bool>) {
    let mut walk = match feed.settings.source {
        Source::Simulated(settings) => Some(Walk::new(settings)),
        Source::Http(_) => None,
        Source::Push => return,
    };
    loop {
        let round = async {
            let over = matches!(note(&feed, take(&app, &feed, walk.as_mut()).await), Round::Over);
            if !over {
                sleep(feed.settings.interval).await;
            }
            over
        };
        // In the middle of a question, a pause or a wait for the writer: a stop comes first.
        tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            over = round => if over { return },
        }
    }
}

/// Remembers how a round went, and says so if it went otherwise than the one before.
fn note(feed: &Feed, round: Round) -> Round {
    let (name, symbol) = (&*feed.settings.name, &*feed.settings.symbol);
    match &round {
        Round::Taken(taken) => {
            if feed.memory.note_success(*taken) {
                tracing::info!(feed = name, symbol, "a feed works again");
            }
        }
        Round::Failed(error) => {
            if feed.memory.note_failure(error.clone()) {
                tracing::warn!(feed = name, symbol, error, "a feed fails");
            }
        }
        Round::Over => {}
    }
    round
}

async fn take(app: &App, feed: &Feed, walk: Option<&mut Walk>) -> Round {
    let sample = match (&feed.settings.source, walk) {
        (Source::Http(settings), _) => ask_again(app, settings).await,
        (_, Some(walk)) => {
            // After a restart the walk goes on where it was.
            let last = feed.last_recorded(&app.shared.read()).map(|taken| taken.value);
            Ok((walk.next(last), app.now()))
        }
        (_, None) => return Round::Over,
    };
    match sample {
        Ok((value, seen)) => record(app, feed, value, seen).await,
        Err(error) => Round::Failed(error),
    }
}

/// Asks until there is an answer or there were enough questions; the last fault is told.
async fn ask_again(app: &App, settings: &super::HttpSettings) -> Result<(AssetPrice, Time), String> {
    let mut backoff = BACKOFF_FIRST;
    let mut attempt = 0;
    loop {
        let answer = http::ask(settings, app.now()).await;
        if answer.is_ok() || attempt == settings.retries {
            return answer;
        }
        attempt += 1;
        sleep(backoff).await;
        backoff = (backoff * 2).min(BACKOFF_MAX);
    }
}

async fn record(app: &App, feed: &Feed, value: AssetPrice, seen: Time) -> Round {
    let command = Command::RecordPrice(RecordPrice {
        symbol: feed.settings.symbol.clone(),
        value,
        source: feed.settings.name.clone(),
        source_time: seen,
    });
    let request = Request { actor: Actor::System, idempotency: None, command };
    match app.sequencer.submit(request).await {
        Ok(answer) => match answer.result {
            Ok(_) => Round::Taken(Taken { value, source_time: seen, at: answer.at }),
            Err(reject) => Round::Failed(format!("the price was refused: {reject:?}")),
        },
        Err(
            error @ (SubmitError::Busy
            | SubmitError::Away
            | SubmitError::WrongClock
            | SubmitError::NewerRules),
        ) => Round::Failed(error.to_string()),
        // A shared log comes back by itself.
        Err(SubmitError::Unknown) if !app.sequencer.pulse().has_failed() => {
            Round::Failed(SubmitError::Unknown.to_string())
        }
        Err(SubmitError::Stopping | SubmitError::Unknown) => Round::Over,
    }
}
