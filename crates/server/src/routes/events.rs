//! Events: a page of them, one by id or by slug, its resolution and its news.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::{EventQuery, EventsQuery};
use api::response::Event;
use axum::extract::{Path, Request, State};
use exchange::Exchange;
use exchange::index::{EventIndex, UserIndex};

use super::paths::event_id;
use crate::app::App;
use crate::event_lists::EventPage;
use crate::history::{NEWS_MAX, RetiredName};
use crate::http::caching::{Freshness, ok_tagged};
use crate::http::{Answered, Failure};
use crate::reading::history_failure;
use crate::view;
use crate::view::resolution::ResolutionSource;
use crate::view::words::ToExchange;

pub(super) async fn list_events(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = EventsQuery::parse(request.uri().query().unwrap_or_default())?;
    app.charge_rows(query.pages().size as usize)?;
    let viewer = app.viewer(request.headers())?;
    let wanted = view::event::list_query(&app.reading().read_state(), &query, viewer, app.now());
    let found = match wanted {
        Some(wanted) => app.find_events(&wanted).await?,
        None => EventPage::default(),
    };
    let currency = view::event::list_currency(&query);
    let show = |exchange: &Exchange, index: EventIndex| view::event::shown(exchange, index, currency, None);
    let (events, watched) = app.reading().show_events(&found, viewer, show).await?;
    let events = view::event::page(events, &watched, found.total, &query);
    ok_tagged(request.headers(), Freshness::Live, &events)
}

pub(super) async fn get_event(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Answered {
    let id = event_id(&id)?;
    show(&app, request, RetiredName::Event(id), |exchange| view::event::find(exchange, id)).await
}

/// An event by id. A wrong viewer is refused only if the id and the query are valid.
pub(super) async fn find_event(
    app: &App,
    id: &str,
    query: Option<&str>,
    viewer: Result<Option<UserIndex>, Failure>,
) -> Result<Event, Failure> {
    let id = event_id(id)?;
    let query = EventQuery::parse(query.unwrap_or_default())?;
    find_named(app, &query, viewer?, RetiredName::Event(id), |exchange| view::event::find(exchange, id)).await
}

pub(super) async fn get_event_by_slug(
    State(app): State<Arc<App>>,
    Path(slug): Path<String>,
    request: Request,
) -> Answered {
    let name = RetiredName::Slug(slug.clone());
    show(&app, request, name, |exchange| view::event::find_by_slug(exchange, &slug)).await
}

pub(super) async fn get_resolution(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Answered {
    let id = event_id(&id)?;
    let known = app.reading().with_retired(vec![RetiredName::Event(id)]).await?;
    let (exchange, _) = known.event(id).ok_or_else(event_not_found)?;
    let index = view::event::find(exchange, id).ok_or_else(event_not_found)?;
    app.charge_rows(exchange.catalogue().event(index).markets.len())?;
    let resolution = ResolutionSource::of(exchange, index);
    drop(known);
    ok_tagged(request.headers(), Freshness::Live, &resolution.into_resolution())
}

pub(super) async fn list_news(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Answered {
    let id = event_id(&id)?;
    app.charge_rows(NEWS_MAX)?;
    let is_public = {
        let known = app.reading().with_retired(vec![RetiredName::Event(id)]).await?;
        let found = known.first(|exchange| view::event::find(exchange, id));
        found.is_some()
    };
    if !is_public {
        return Err(event_not_found());
    }
    let stored = app.reading().history_now().await?.news(id).await.map_err(history_failure)?;
    app.settle_rows(NEWS_MAX, stored.len());
    ok_tagged(request.headers(), Freshness::Live, &view::news::news_list(&stored))
}

async fn show(
    app: &App,
    request: Request,
    name: RetiredName,
    find: impl Fn(&Exchange) -> Option<EventIndex>,
) -> Answered {
    let (parts, _) = request.into_parts();
    let query = EventQuery::parse(parts.uri.query().unwrap_or_default())?;
    let viewer = app.viewer(&parts.headers)?;
    let event = find_named(app, &query, viewer, name, find).await?;
    ok_tagged(&parts.headers, Freshness::Live, &event)
}

async fn find_named(
    app: &App,
    query: &EventQuery,
    viewer: Option<UserIndex>,
    name: RetiredName,
    find: impl Fn(&Exchange) -> Option<EventIndex>,
) -> Result<Event, Failure> {
    let known = app.reading().with_retired(vec![name]).await?;
    let watchlist = viewer.map(|viewer| &*known.live.directory().user(viewer).watchlist);
    let (exchange, index) = known.first(find).ok_or_else(event_not_found)?;
    app.charge_rows(exchange.catalogue().event(index).markets.len())?;
    Ok(view::event::shown(exchange, index, query.currency.to_exchange(), watchlist))
}

fn event_not_found() -> Failure {
    ErrorBody::not_found("Event not found").into()
}
