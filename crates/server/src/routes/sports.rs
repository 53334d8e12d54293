//! Leagues, teams and games.

use std::sync::Arc;

use api::query::{GamesQuery, TeamsQuery};
use axum::extract::{Request, State};
use http::HeaderMap;

use crate::app::App;
use crate::http::Answered;
use crate::http::caching::{Freshness, ok_tagged};
use crate::view;

pub(super) async fn list_leagues(State(app): State<Arc<App>>, headers: HeaderMap) -> Answered {
    let sports = app.reading().sports();
    app.charge_rows(sports.leagues.len())?;
    ok_tagged(&headers, Freshness::Slow, &view::sport::leagues(&sports))
}

pub(super) async fn list_teams(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = TeamsQuery::parse(request.uri().query().unwrap_or_default())?;
    app.charge_rows(query.pages().size as usize)?;
    let teams = view::sport::teams(&app.reading().sports(), &query);
    ok_tagged(request.headers(), Freshness::Slow, &teams)
}

pub(super) async fn list_games(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = GamesQuery::parse(request.uri().query().unwrap_or_default())?;
    app.charge_rows(query.pages().size as usize)?;
    let games = view::sport::games(&app.reading().sports(), &query);
    ok_tagged(request.headers(), Freshness::Slow, &games)
}
