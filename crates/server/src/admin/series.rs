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

use super::asking::Asked;
use super::{answers, finding, requests};
use crate::app::App;
use crate::http::{Answered, Failure, json, ok};
use crate::view::words::ToExchange;

pub(super) async fn list_series(State(app): State<Arc<App>>) -> Answered {
    let exchange = app.reading().state();
    let mut all: Vec<_> = exchange.catalogue().series().collect();
    all.sort_by(|one, other| one.terms.slug.cmp(&other.terms.slug));
    ok(&SeriesRows { series: all.into_iter().map(answers::series_state).collect() })
}

pub(super) async fn create_series(asked: Asked) -> Answered {
    let new = requests::new_series(asked.read::<CreateSeries>()?)?;
    let id = new.id;
    asked.operate(Command::CreateSeries(new)).await?;
    shown(&asked, id, StatusCode::CREATED)
}

pub(super) async fn pause_series(Path(series): Path<String>, asked: Asked) -> Answered {
    set_paused(&series, &asked, true).await
}

pub(super) async fn resume_series(Path(series): Path<String>, asked: Asked) -> Answered {
    set_paused(&series, &asked, false).await
}

async fn set_paused(series: &str, asked: &Asked, paused: bool) -> Answered {
    let series = finding::series_id(&asked.app.reading().state(), series)?;
    asked.operate(Command::PauseSeries(PauseSeries { series, paused })).await?;
    shown(asked, series, StatusCode::OK)
}

/// Finalises those results of a series that wait for another person.
pub(super) async fn finalise_series(Path(series): Path<String>, asked: Asked) -> Answered {
    let series = finding::series_id(&asked.app.reading().state(), &series)?;
    match asked.operate(Command::FinaliseSeries(FinaliseSeries { series })).await? {
        Reply::Finalised(finalised) => ok(&FinalisedSeries { finalised }),
        _ => Err(ErrorBody::internal().into()),
    }
}

fn shown(asked: &Asked, id: SeriesId, status: StatusCode) -> Answered {
    let exchange = asked.app.reading().state();
    let series = exchange.catalogue().find_series(id);
    Ok(json(status, &answers::series_state(series.ok_or_else(|| Failure::from(ErrorBody::internal()))?)))
}

pub(super) async fn list_feeds(State(app): State<Arc<App>>) -> Answered {
    let feeds = app.feeds().status();
    ok(&answers::assets(&app.reading().state(), feeds))
}

pub(super) async fn push_price(Path(symbol): Path<String>, asked: Asked) -> Answered {
    let given: PushPrice = asked.read()?;
    let command = Command::RecordPrice(RecordPrice {
        symbol: Text::from(symbol),
        value: exchange::catalogue::AssetPrice(given.value.units()),
        source: Text::from(given.source.as_deref().unwrap_or("push")),
        source_time: given.source_time.map_or_else(|| asked.app.now(), ToExchange::to_exchange),
    });
    asked.operate(command).await?;
    let feeds = asked.app.feeds().status();
    ok(&answers::assets(&asked.app.reading().state(), feeds))
}
