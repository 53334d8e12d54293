//! Series, and the asset prices that they open and close with.

use std::sync::Arc;

use api::admin::request::{CreateSeries, PushPrice};
use api::admin::response::{Assets, FeedState, SeriesRows};
use api::error::ErrorBody;
use api::timestamp::OptionalDate;
use axum::extract::{Path, State};
use exchange::command::{Command, FinaliseSeries, PauseSeries, RecordPrice};
use exchange::id::SeriesId;
use exchange::text::Text;
use http::StatusCode;

use super::operator_request::OperatorRequest;
use super::{answers, finding, requests};
use crate::app::App;
use crate::feeds::{FeedKind, FeedStatus};
use crate::http::{Answered, ok};
use crate::respond::Shown;
use crate::view::words::{ToApi, ToExchange};

pub(super) async fn list_series(State(app): State<Arc<App>>) -> Answered {
    let series = {
        let exchange = app.reading().read_state();
        let mut all: Vec<_> = exchange.catalogue().series().collect();
        all.sort_by(|one, other| one.terms.slug.cmp(&other.terms.slug));
        all.into_iter().map(answers::series_state).collect()
    };
    ok(&SeriesRows { series })
}

pub(super) async fn create_series(request: OperatorRequest) -> Answered {
    let id = SeriesId::new(request.new_id().as_u128());
    let new = requests::new_series(id, request.read::<CreateSeries>()?)?;
    request.answer_or_propose(StatusCode::CREATED, Ok(Command::CreateSeries(new))).await
}

pub(super) async fn pause_series(Path(series): Path<String>, request: OperatorRequest) -> Answered {
    set_paused(&series, &request, true).await
}

pub(super) async fn resume_series(Path(series): Path<String>, request: OperatorRequest) -> Answered {
    set_paused(&series, &request, false).await
}

async fn set_paused(series: &str, request: &OperatorRequest, paused: bool) -> Answered {
    let series = finding::series_id(&request.app.reading().read_state(), series);
    let command = series.map(|series| Command::PauseSeries(PauseSeries { series, paused }));
    request.answer(StatusCode::OK, command).await
}

/// Finalises those results of a series that wait for another person.
pub(super) async fn finalise_series(Path(series): Path<String>, request: OperatorRequest) -> Answered {
    let series = finding::series_id(&request.app.reading().read_state(), &series);
    let command = series.map(|series| Command::FinaliseSeries(FinaliseSeries { series }));
    request.answer(StatusCode::OK, command).await
}

pub(super) async fn list_feeds(State(app): State<Arc<App>>) -> Answered {
    let assets = answers::assets(&app.reading().read_state());
    ok(&Assets { feeds: feeds(&app), assets })
}

pub(super) async fn push_price(Path(symbol): Path<String>, request: OperatorRequest) -> Answered {
    let given: PushPrice = request.read()?;
    let source = given.source.as_deref().unwrap_or("push");
    let mut feeds = feeds(&request.app);
    let command = Command::RecordPrice(RecordPrice {
        symbol: Text::from(symbol.as_str()),
        value: exchange::catalogue::AssetPrice(given.value.units()),
        source: Text::from(source),
        source_time: given.source_time.map_or_else(|| request.app.now(), ToExchange::to_exchange),
    });
    let Shown::Assets(assets) = request.operate(Ok(command)).await? else {
        return Err(ErrorBody::internal().into());
    };
    // The price is the last of its asset, and of the feed that it was pushed for.
    if let Some(pushed) = assets.iter().find(|asset| asset.symbol == symbol) {
        let push = FeedKind::Push.to_string();
        let is_fed =
            |feed: &&mut FeedState| feed.kind == push && feed.symbol == symbol && feed.name == source;
        for feed in feeds.iter_mut().filter(is_fed) {
            feed.last_value = Some(pushed.value);
            feed.last_success = OptionalDate(Some(pushed.recorded_at));
        }
    }
    ok(&Assets { feeds, assets })
}

/// The feeds of this node. What they did since the start is no part of the state.
fn feeds(app: &App) -> Vec<FeedState> {
    app.feeds().status().into_iter().map(feed_state).collect()
}

fn feed_state(status: FeedStatus) -> FeedState {
    FeedState {
        name: status.name.to_string(),
        kind: status.kind.to_string(),
        symbol: status.symbol.to_string(),
        last_value: status.last_value.map(ToApi::to_api),
        last_success: status.last_success.to_api(),
        last_error: status.last_error,
        failures: status.failures,
    }
}
