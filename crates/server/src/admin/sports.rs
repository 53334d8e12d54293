//! Leagues, teams and games from a file; the linked events of a soccer game, and its result.

use std::sync::Arc;

use api::error::ErrorBody;
use axum::extract::{Path, State};
use exchange::catalogue::EventLink;
use exchange::command::{self, Command, RecordGameResult};
use exchange::id::GameId;
use exchange::reply::Reply;
use http::StatusCode;

use super::answers::{EventState, EventStates, ImportedCounts, SportsData};
use super::asking::Asked;
use super::finding;
use super::requests::{CreateSoccerEvents, ImportSports};
use crate::app::App;
use crate::http::{Answered, json, ok};
use crate::view::words::ToExchange;

pub(super) async fn list_sports(State(app): State<Arc<App>>) -> Answered {
    ok(&SportsData::of(app.shared.read().catalogue().sports()))
}

pub(super) async fn import_sports(asked: Asked) -> Answered {
    let given: ImportSports = asked.read()?;
    let imported = given.into_imported(asked.app.shared.read().catalogue().sports())?;
    let counts = ImportedCounts {
        leagues: imported.leagues.len(),
        teams: imported.teams.len(),
        games: imported.games.len(),
    };
    let (leagues, teams, games) = (imported.leagues, imported.teams, imported.games);
    asked.operate(Command::ImportSports(command::ImportSports { leagues, teams, games })).await?;
    ok(&counts)
}

pub(super) async fn create_soccer_events(Path(game): Path<String>, asked: Asked) -> Answered {
    let given: CreateSoccerEvents = asked.read()?;
    let game = finding::game_id(&asked.app.shared.read(), &game)?;
    let reply = asked.operate(Command::CreateSoccerEvents(given.into_new(game)?)).await?;
    let Reply::Events(ids) = reply else { return Err(ErrorBody::internal().into()) };
    let exchange = asked.app.shared.read();
    let events = ids.into_iter().filter_map(|id| EventState::find(&exchange, id)).collect();
    Ok(json(StatusCode::CREATED, &EventStates { events }))
}

pub(super) async fn record_result(Path(game): Path<String>, asked: Asked) -> Answered {
    let score: api::response::Score = asked.read()?;
    let game = finding::game_id(&asked.app.shared.read(), &game)?;
    asked.operate(Command::RecordGameResult(RecordGameResult { game, score: score.to_exchange() })).await?;
    ok(&events_of(&asked.app, game))
}

fn events_of(app: &App, game: GameId) -> EventStates {
    let exchange = app.shared.read();
    let is_linked = |link: EventLink| matches!(link, EventLink::Game { game: linked, .. } if linked == game);
    let linked = exchange.catalogue().events().filter(|(_, event)| is_linked(event.link));
    EventStates { events: linked.map(|(index, _)| EventState::of(&exchange, index)).collect() }
}
