//! Series, and the asset prices that they open and close with.

use std::sync::Arc;

use api::admin::request::{CreateSeries, PushPrice};
use api::admin::response::{FinalisedSeries, SeriesRows};
use api::error::ErrorBody;
use axum::extract::{Path, State};
use exchange::command::{Command, FinaliseSeries, PauseSeries, RecordPrice};
use exchange::id::SeriesId;
use exchange::reply::Reply;
use exchange::text::Text;
use http::StatusCode;

use super::operator_request::{OperatorRequest, Outcome};
use super::{answers, finding, requests};
use crate::app::App;
use crate::http::{Answered, Failure, json, ok};
use crate::view::words::ToExchange;

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
    match request.operate_or_propose(Command::CreateSeries(new)).await? {
        Outcome::Proposed(proposal) => request.proposed(proposal),
        Outcome::Done(_) => shown(&request, id, StatusCode::CREATED),
    }
}

pub(super) async fn pause_series(Path(series): Path<String>, request: OperatorRequest) -> Answered {
    set_paused(&series, &request, true).await
}

pub(super) async fn resume_series(Path(series): Path<String>, request: OperatorRequest) -> Answered {
    set_paused(&series, &request, false).await
}

async fn set_paused(series: &str, request: &OperatorRequest, paused: bool) -> Answered {
    let series = finding::series_id(&request.app.reading().read_state(), series)?;
    request.operate(Command::PauseSeries(PauseSeries { series, paused })).await?;
    shown(request, series, StatusCode::OK)
}

/// Finalises those results of a series that wait for another person.
pub(super) async fn finalise_series(Path(series): Path<String>, request: OperatorRequest) -> Answered {
    let series = finding::series_id(&request.app.reading().read_state(), &series)?;
    match request.operate(Command::FinaliseSeries(FinaliseSeries { series })).await? {
        Reply::Finalised(finalised) => ok(&FinalisedSeries { finalised }),
        _ => Err(ErrorBody::internal().into()),
    }
}

fn shown(request: &OperatorRequest, id: SeriesId, status: StatusCode) -> Answered {
    let state = request.app.reading().read_state().catalogue().find_series(id).map(answers::series_state);
    Ok(json(status, &state.ok_or_else(|| Failure::from(ErrorBody::internal()))?))
}

pub(super) async fn list_feeds(State(app): State<Arc<App>>) -> Answered {
    let feeds = app.feeds().status();
    let assets = answers::assets(&app.reading().read_state(), feeds);
    ok(&assets)
}

pub(super) async fn push_price(Path(symbol): Path<String>, request: OperatorRequest) -> Answered {
    let given: PushPrice = request.read()?;
    let command = Command::RecordPrice(RecordPrice {
        symbol: Text::from(symbol),
        value: exchange::catalogue::AssetPrice(given.value.units()),
        source: Text::from(given.source.as_deref().unwrap_or("push")),
        source_time: given.source_time.map_or_else(|| request.app.now(), ToExchange::to_exchange),
    });
    request.operate(command).await?;
    let feeds = request.app.feeds().status();
    let assets = answers::assets(&request.app.reading().read_state(), feeds);
    ok(&assets)
}
