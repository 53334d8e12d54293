//! Events: made as drafts from a JSON description, then opened, paused, resumed, closed, cancelled.

use std::sync::Arc;

use api::error::{BadRequest, ErrorBody};
use api::read::read;
use axum::Extension;
use axum::extract::{Path, Request, State};
use exchange::command::{Command, Target};
use exchange::id::EventId;
use exchange::numbers::Cents;
use http::StatusCode;

use super::access::Operating;
use super::answers::EventState;
use super::requests::{CancelMarkets, CreateEvent};
use crate::app::App;
use crate::http::writing::read_body;
use crate::http::{Answered, Failure, json};
use crate::view::words::ToExchange;

pub(super) async fn create_event(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    request: Request,
) -> Answered {
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let new = read::<CreateEvent>(&body)?.into_new()?;
    let event = new.id;
    decide(&app, operating, event, StatusCode::CREATED, Command::CreateEvent(new)).await
}

pub(super) async fn open_event(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    Path(event): Path<String>,
) -> Answered {
    let event = event_id(&event)?;
    decide(&app, operating, event, StatusCode::OK, Command::OpenEvent { event }).await
}

pub(super) async fn pause_trading(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    Path(event): Path<String>,
) -> Answered {
    let event = event_id(&event)?;
    let command = Command::PauseTrading { target: Target::Event(event) };
    decide(&app, operating, event, StatusCode::OK, command).await
}

pub(super) async fn resume_trading(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    Path(event): Path<String>,
) -> Answered {
    let event = event_id(&event)?;
    let command = Command::ResumeTrading { target: Target::Event(event) };
    decide(&app, operating, event, StatusCode::OK, command).await
}

pub(super) async fn close_trading(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    Path(event): Path<String>,
) -> Answered {
    let event = event_id(&event)?;
    let command = Command::CloseTrading { target: Target::Event(event) };
    decide(&app, operating, event, StatusCode::OK, command).await
}

pub(super) async fn cancel_markets(
    State(app): State<Arc<App>>,
    Extension(operating): Extension<Operating>,
    Path(event): Path<String>,
    request: Request,
) -> Answered {
    let event = event_id(&event)?;
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let cancel: CancelMarkets = if body.is_empty() { CancelMarkets::default() } else { read(&body)? };
    let yes = cancel.yes_price.map_or(Ok(Cents::HALF), |price| whole_cents(price.units()))?;
    let command = Command::CancelMarkets { target: Target::Event(event), yes };
    decide(&app, operating, event, StatusCode::OK, command).await
}

async fn decide(
    app: &App,
    operating: Operating,
    event: EventId,
    status: StatusCode,
    command: Command,
) -> Answered {
    app.reply(app.submit(operating.actor(), None, command).await?)?;
    let state = EventState::find(&app.shared.read(), event);
    Ok(json(status, &state.ok_or_else(|| Failure::from(ErrorBody::internal()))?))
}

/// A value per share, given in millionths.
fn whole_cents(millionths: i64) -> Result<Cents, BadRequest> {
    let cents = (millionths % 10_000 == 0).then(|| u8::try_from(millionths / 10_000).ok()).flatten();
    cents.and_then(Cents::new).ok_or_else(|| BadRequest::at("yesPrice", "must be 0 to 1 in whole cents"))
}

fn event_id(text: &str) -> Result<EventId, Failure> {
    let id = api::identifier::parse(text).map_err(|_| ErrorBody::not_found("Event not found"))?;
    Ok(id.to_exchange())
}
