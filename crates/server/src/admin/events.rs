//! Events: created as drafts from a JSON description, edited, opened, paused, resumed, closed, cancelled.

use std::sync::Arc;

use api::admin::query::AdminEventsQuery;
use api::admin::request::{CancelMarkets, CreateEvent, EditEvent};
use api::admin::response::EventList;
use api::error::{ErrorBody, ErrorCode};
use api::response::Pagination;
use axum::extract::{Path, Request, State};
use exchange::Exchange;
use exchange::command::{
    self, CloseTrading, Command, MarketEdit, OpenEvent, PauseTrading, ResumeTrading, Target,
};
use exchange::id::EventId;
use exchange::index::EventIndex;
use http::StatusCode;

use super::operator_request::OperatorRequest;
use super::{answers, finding, requests};
use crate::app::App;
use crate::event_lists::{EventFilter, ListOrder, ListQuery, Substring};
use crate::http::{Answered, Failure, ok};
use crate::view::words::ToExchange;

pub(super) async fn list_events(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = AdminEventsQuery::parse(request.uri().query().unwrap_or_default())?;
    let filter = EventFilter {
        shows_private: true,
        status: query.status.map(ToExchange::to_exchange),
        category: query.category.as_ref().map(|category| category.to_lowercase()),
        substring: query.keyword.as_deref().map(Substring::of_title_or_slug),
        ..EventFilter::default()
    };
    let found = app
        .reading()
        .find_events(&ListQuery { filter, order: ListOrder::Newest, pages: query.pages() }, |_| Ok(()))
        .await?;
    let row = |exchange: &Exchange, index: EventIndex| answers::event_row(exchange.catalogue().event(index));
    let (events, _) = app.reading().show_events(&found, None, row).await?;
    ok(&EventList { events, pagination: Pagination::new(query.pages(), found.total) })
}

pub(super) async fn get_event(State(app): State<Arc<App>>, Path(event): Path<String>) -> Answered {
    let known = app.reading().with_retired(finding::event_names(&event)).await?;
    let found = known.first(|exchange| finding::event(exchange, &event).ok());
    let (exchange, index) = found.ok_or_else(|| ErrorBody::not_found("Event not found"))?;
    let detail = answers::event_detail(exchange, index);
    drop(known);
    ok(&detail)
}

pub(super) async fn create_event(request: OperatorRequest) -> Answered {
    let event = EventId::new(request.new_id().as_u128());
    let new = requests::new_event(event, request.read::<CreateEvent>()?)?;
    request.answer(StatusCode::CREATED, Ok(Command::CreateEvent(new))).await
}

pub(super) async fn edit_event(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    let edit: EditEvent = request.read()?;
    // Another edit may come in between. What this one leaves out stays as the other one made it.
    let mut attempts = 0;
    loop {
        let command = edited(&request, &event, edit.clone()).await;
        attempts += 1;
        match request.answer(StatusCode::OK, command).await {
            Err(failure) if failure.body.code == Some(ErrorCode::EditedMeanwhile) && attempts < EDITS_MAX => {
            }
            answered => return answered,
        }
    }
}

/// The most attempts at an edit while others edit the same draft.
const EDITS_MAX: usize = 8;

/// The edit command: the current event with the given changes. It names the edit that it goes on from, and is refused after
/// another one.
async fn edited(request: &OperatorRequest, event: &str, edit: EditEvent) -> Result<Command, Failure> {
    let event = finding::event_in_memory(&request.app, event).await?;
    let exchange = request.app.reading().read_state();
    let catalogue = exchange.catalogue();
    let found = catalogue.event(finding::event(&exchange, &event.to_string())?);
    let mut details = found.details.clone();
    let mut markets = Vec::new();
    for (index, edit) in requests::change_event(edit, &mut details).into_iter().enumerate() {
        let market = catalogue.market(finding::market(&exchange, &edit.market)?);
        let mut details = market.details.clone();
        requests::change_market(edit, index, &mut details)?;
        markets.push(MarketEdit { market: market.id, details });
    }
    let over = (request.has_rules(4)).then(|| found.edited_at.unwrap_or(0));
    Ok(Command::EditEvent(command::EditEvent { event, details, markets, over }))
}

pub(super) async fn open_event(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    act(&event, &request, |event| Command::OpenEvent(OpenEvent { event })).await
}

pub(super) async fn pause_event(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    act(&event, &request, |event| Command::PauseTrading(PauseTrading { target: Target::Event(event) })).await
}

pub(super) async fn resume_event(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    act(&event, &request, |event| Command::ResumeTrading(ResumeTrading { target: Target::Event(event) }))
        .await
}

pub(super) async fn close_event(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    act(&event, &request, |event| Command::CloseTrading(CloseTrading { target: Target::Event(event) })).await
}

pub(super) async fn cancel_event(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    let yes = requests::yes_price(&request.read_or_default::<CancelMarkets>()?)?;
    act(&event, &request, |event| {
        Command::CancelMarkets(command::CancelMarkets { target: Target::Event(event), yes })
    })
    .await
}

async fn act(event: &str, request: &OperatorRequest, command: impl FnOnce(EventId) -> Command) -> Answered {
    let event = finding::event_in_memory(&request.app, event).await;
    request.answer(StatusCode::OK, event.map(command)).await
}
