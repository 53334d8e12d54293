//! Events: created as drafts from a JSON description, edited, opened, paused, resumed, closed, cancelled.

use std::sync::Arc;

use api::admin::query::AdminEventsQuery;
use api::admin::request::{CancelMarkets, CreateEvent, EditEvent};
use api::admin::response::EventList;
use api::error::ErrorBody;
use api::response::Pagination;
use axum::extract::{Path, Request, State};
use exchange::command::{
    self, CloseTrading, Command, MarketEdit, OpenEvent, PauseTrading, ResumeTrading, Target,
};
use exchange::id::EventId;
use http::StatusCode;

use super::asking::Asked;
use super::{answers, finding, requests};
use crate::app::App;
use crate::event_lists::{EventFilter, Order, Substring, Wanted};
use crate::http::{Answered, Failure, json, ok};
use crate::view::words::ToExchange;

pub(super) async fn list_events(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = AdminEventsQuery::parse(request.uri().query().unwrap_or_default())?;
    let filter = EventFilter {
        shows_drafts: true,
        status: query.status.map(ToExchange::to_exchange),
        category: query.category.as_ref().map(|category| category.to_lowercase()),
        substring: query.keyword.as_deref().map(Substring::of_title_or_slug),
        ..EventFilter::default()
    };
    let found = app.find_events(&Wanted { filter, order: Order::Newest, pages: query.pages() }).await?;
    let known = app.reading().known_page(&found).await?;
    let row = |id: &EventId| {
        let (exchange, index) = known.event(*id)?;
        Some(answers::event_row(exchange.catalogue().event(index)))
    };
    let events = found.ids.iter().filter_map(row).collect();
    ok(&EventList { events, pagination: Pagination::new(query.pages(), found.total) })
}

pub(super) async fn get_event(State(app): State<Arc<App>>, Path(event): Path<String>) -> Answered {
    let known = app.reading().known(finding::event_names(&event)).await?;
    let found = known.first(|exchange| finding::event(exchange, &event).ok());
    let (exchange, index) = found.ok_or_else(|| ErrorBody::not_found("Event not found"))?;
    ok(&answers::event_detail(exchange, index))
}

pub(super) async fn create_event(asked: Asked) -> Answered {
    let new = requests::new_event(asked.read::<CreateEvent>()?)?;
    let event = new.id;
    decide(&asked, event, StatusCode::CREATED, Command::CreateEvent(new)).await
}

pub(super) async fn edit_event(Path(event): Path<String>, asked: Asked) -> Answered {
    let edit: EditEvent = asked.read()?;
    finding::require_event_in_memory(&asked.app, &event).await?;
    let (event, command) = edited(&asked.app, &event, edit)?;
    decide(&asked, event, StatusCode::OK, command).await
}

/// The edit command: the current event with the given changes.
fn edited(app: &App, event: &str, edit: EditEvent) -> Result<(EventId, Command), Failure> {
    let exchange = app.reading().state();
    let catalogue = exchange.catalogue();
    let found = catalogue.event(finding::event(&exchange, event)?);
    let mut details = found.details.clone();
    let mut markets = Vec::new();
    for (index, edit) in requests::change_event(edit, &mut details).into_iter().enumerate() {
        let market = catalogue.market(finding::market(&exchange, &edit.market)?);
        let mut details = market.details.clone();
        requests::change_market(edit, index, &mut details)?;
        markets.push(MarketEdit { market: market.id, details });
    }
    Ok((found.id, Command::EditEvent(command::EditEvent { event: found.id, details, markets })))
}

pub(super) async fn open_event(Path(event): Path<String>, asked: Asked) -> Answered {
    act(&event, &asked, |event| Command::OpenEvent(OpenEvent { event })).await
}

pub(super) async fn pause_event(Path(event): Path<String>, asked: Asked) -> Answered {
    act(&event, &asked, |event| Command::PauseTrading(PauseTrading { target: Target::Event(event) })).await
}

pub(super) async fn resume_event(Path(event): Path<String>, asked: Asked) -> Answered {
    act(&event, &asked, |event| Command::ResumeTrading(ResumeTrading { target: Target::Event(event) })).await
}

pub(super) async fn close_event(Path(event): Path<String>, asked: Asked) -> Answered {
    act(&event, &asked, |event| Command::CloseTrading(CloseTrading { target: Target::Event(event) })).await
}

pub(super) async fn cancel_event(Path(event): Path<String>, asked: Asked) -> Answered {
    let yes = requests::yes_price(&asked.read_or_default::<CancelMarkets>()?)?;
    act(&event, &asked, |event| {
        Command::CancelMarkets(command::CancelMarkets { target: Target::Event(event), yes })
    })
    .await
}

async fn act(event: &str, asked: &Asked, command: impl FnOnce(EventId) -> Command) -> Answered {
    finding::require_event_in_memory(&asked.app, event).await?;
    let event = finding::event_id(&asked.app.reading().state(), event)?;
    decide(asked, event, StatusCode::OK, command(event)).await
}

async fn decide(asked: &Asked, event: EventId, status: StatusCode, command: Command) -> Answered {
    asked.operate(command).await?;
    let state = answers::find_event_state(&asked.app.reading().state(), event);
    Ok(json(status, &state.ok_or_else(|| Failure::from(ErrorBody::internal()))?))
}
