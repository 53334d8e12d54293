//! Events: a page of them, one by id or by slug, and how one ends.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::{EventQuery, EventsQuery};
use axum::extract::{Path, Request, State};
use exchange::Exchange;
use exchange::index::EventIndex;

use super::paths::event_id;
use crate::app::App;
use crate::http::caching::{Freshness, ok_tagged};
use crate::http::{Answered, Failure};
use crate::view;
use crate::view::words::ToExchange;

pub(super) async fn list_events(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = EventsQuery::parse(request.uri().query().unwrap_or_default())?;
    app.charge_rows(query.pages().size as usize)?;
    let viewer = app.viewer(request.headers())?;
    let events = view::event::list(&app.look(), &query, viewer, app.now());
    ok_tagged(request.headers(), Freshness::Live, &events)
}

pub(super) async fn get_event(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Answered {
    let id = event_id(&id)?;
    show(&app, &request, |exchange| view::event::find(exchange, id))
}

pub(super) async fn get_event_by_slug(
    State(app): State<Arc<App>>,
    Path(slug): Path<String>,
    request: Request,
) -> Answered {
    show(&app, &request, |exchange| view::event::find_by_slug(exchange, &slug))
}

pub(super) async fn get_resolution(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Answered {
    let id = event_id(&id)?;
    let exchange = app.look();
    let index = view::event::find(&exchange, id).ok_or_else(event_not_found)?;
    app.charge_rows(exchange.catalogue().event(index).markets.len())?;
    let resolution = view::resolution::resolution(&exchange, index);
    drop(exchange);
    ok_tagged(request.headers(), Freshness::Live, &resolution)
}

fn show(app: &App, request: &Request, find: impl FnOnce(&Exchange) -> Option<EventIndex>) -> Answered {
    let query = EventQuery::parse(request.uri().query().unwrap_or_default())?;
    let viewer = app.viewer(request.headers())?;
    let exchange = app.look();
    let index = find(&exchange).ok_or_else(event_not_found)?;
    app.charge_rows(exchange.catalogue().event(index).markets.len())?;
    let event = view::event::event(&exchange, index, query.currency.to_exchange(), viewer);
    drop(exchange);
    ok_tagged(request.headers(), Freshness::Live, &event)
}

fn event_not_found() -> Failure {
    ErrorBody::not_found("Event not found").into()
}
