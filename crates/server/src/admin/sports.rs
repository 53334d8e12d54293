//! Leagues, teams and games, imported from a file; the linked events of a soccer game, and its result.

use std::sync::Arc;

use api::admin::request::{CreateSoccerEvents, ImportSports};
use api::admin::response::{EventStates, ImportedCounts};
use api::error::ErrorBody;
use api::query::PageQuery;
use axum::extract::{Path, State};
use exchange::command::{self, Command, RecordGameResult};
use exchange::id::GameId;
use exchange::reply::Reply;
use http::StatusCode;

use super::operator_request::OperatorRequest;
use super::{answers, finding, requests};
use crate::app::App;
use crate::event_lists::{EventFilter, EventPage, ListOrder, ListQuery};
use crate::http::{Answered, Failure, json, ok};
use crate::view::words::ToExchange;

/// At most this many events of a game are shown.
const EVENTS_MAX: u32 = 100;

pub(super) async fn list_sports(State(app): State<Arc<App>>) -> Answered {
    let sports = app.reading().read_state().catalogue().sports().clone();
    ok(&answers::sports_data(&sports))
}

pub(super) async fn import_sports(request: OperatorRequest) -> Answered {
    let given: ImportSports = request.read()?;
    let sports = request.app.reading().read_state().catalogue().sports().clone();
    let imported = requests::imported(given, &sports)?;
    let counts = ImportedCounts {
        leagues: imported.leagues.len(),
        teams: imported.teams.len(),
        games: imported.games.len(),
    };
    let (leagues, teams, games) = (imported.leagues, imported.teams, imported.games);
    request.operate(Command::ImportSports(command::ImportSports { leagues, teams, games })).await?;
    ok(&counts)
}

pub(super) async fn create_soccer_events(Path(game): Path<String>, request: OperatorRequest) -> Answered {
    let given: CreateSoccerEvents = request.read()?;
    let game = finding::game_id(&request.app.reading().read_state(), &game)?;
    let reply =
        request.operate(Command::CreateSoccerEvents(requests::new_soccer_events(given, game)?)).await?;
    let Reply::Events(ids) = reply else { return Err(ErrorBody::internal().into()) };
    let exchange = request.app.reading().read_state();
    let events = ids.into_iter().filter_map(|id| answers::find_event_state(&exchange, id)).collect();
    Ok(json(StatusCode::CREATED, &EventStates { events }))
}

pub(super) async fn record_result(Path(game): Path<String>, request: OperatorRequest) -> Answered {
    let score: api::response::Score = request.read()?;
    let game = finding::game_id(&request.app.reading().read_state(), &game)?;
    // Before the command: if history cannot be read, nothing has happened yet.
    let found = find_events_of(&request.app, game).await?;
    request.operate(Command::RecordGameResult(RecordGameResult { game, score: score.to_exchange() })).await?;
    let known = request.app.reading().with_page_events(&found).await?;
    let linked = found.ids.iter().rev().filter_map(|id| known.event(*id));
    let events = linked.map(|(exchange, index)| answers::event_state(exchange, index)).collect();
    drop(known);
    ok(&EventStates { events })
}

async fn find_events_of(app: &App, game: GameId) -> Result<EventPage, Failure> {
    let filter = EventFilter { shows_private: true, game: Some(game), ..EventFilter::default() };
    let pages = PageQuery { page: 1, size: EVENTS_MAX };
    app.reading().find_events(&ListQuery { filter, order: ListOrder::Newest, pages }, |_| Ok(())).await
}
