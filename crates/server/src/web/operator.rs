//! An operator's console session: log in with a token, who am I, log out. The session's token is only in a cookie; the
//! operator's own token is not stored.

use std::sync::Arc;

use api::error::ErrorBody;
use api::json::WriteJson;
use api::read::read;
use api::response::Message;
use api::terms;
use axum::extract::{Request, State};
use axum::response::Response;
use exchange::command::{Command, EndOperatorSession, OpenOperatorSession};
use exchange::id::OperatorId;
use exchange::identity::OPERATOR_SESSION_LIFE;
use exchange::reject::Reject;
use serde::Deserialize;
use uuid::Uuid;

use super::cookies;
use crate::admin::access::{
    ConsoleSession, console_session, find_console_session, operator_by_token, refusal,
};
use crate::app::App;
use crate::http::access_log::log_operator_login;
use crate::http::page::{Cookie, require_page};
use crate::http::{Answered, ok};
use crate::http::{address, body};
use crate::respond::Shown;
use crate::secrets::{random_token, token_hash};
use crate::view::words::ToApi;

/// Contains a secret, so it does not implement `Debug`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LogIn {
    token: String,
}

#[derive(Debug, WriteJson)]
struct LoggedIn {
    operator: ShownOperator,
}

#[derive(Debug, WriteJson)]
struct ShownOperator {
    id: Uuid,
    name: String,
    role: terms::Role,
}

pub(super) async fn log_in(State(app): State<Arc<App>>, request: Request) -> Answered {
    let is_secure = app.web().is_secure();
    require_page(request.method(), request.headers(), is_secure)?;
    let address = address::connected(request.extensions());
    let (parts, body) = request.into_parts();
    let body = body::read(&parts.headers, body).await?;
    let LogIn { token } = read(&body)?;
    let operator = operator_by_token(&app, token.as_bytes());
    log_operator_login(address, &operator);
    let Some(operator) = operator? else { return Ok(refusal(&app)) };
    let session = random_token();
    let open =
        Command::OpenOperatorSession(OpenOperatorSession { token_hash: token_hash(session.as_bytes()) });
    let opened = app.writing().submit(operator.actor(), None, open).await?;
    let Shown::Operator(operator) = app.writing().shown(opened)? else {
        return Err(ErrorBody::internal().into());
    };
    let shown = ShownOperator { id: operator.operator_id, name: operator.name, role: operator.role };
    let mut response = ok(&LoggedIn { operator: shown })?;
    let life = OPERATOR_SESSION_LIFE.micros() / 1_000_000;
    cookies::set(&mut response, Cookie::Operator, &session, life, is_secure);
    Ok(response)
}

pub(super) async fn current_session(State(app): State<Arc<App>>, request: Request) -> Answered {
    match find_console_session(&app, request.method(), request.headers())? {
        Some(session) => logged_in(&app, session.operator.0),
        None => Ok(refusal(&app)),
    }
}

pub(super) async fn log_out(State(app): State<Arc<App>>, request: Request) -> Answered {
    let is_secure = app.web().is_secure();
    require_page(request.method(), request.headers(), is_secure)?;
    if let Some(ConsoleSession { operator, session }) =
        console_session(&app, request.method(), request.headers())?
    {
        let end = Command::EndOperatorSession(EndOperatorSession { token_hash: session });
        let answer = app.writing().submit(operator.actor(), None, end).await?;
        // The session may have ended in between, which has the intended effect.
        if !matches!(answer.result, Err(Reject::UnknownSession | Reject::UnknownOperator)) {
            app.writing().reply(answer)?;
        }
    }
    let mut response = ok(&Message::LOGGED_OUT)?;
    cookies::clear(&mut response, Cookie::Operator, is_secure);
    Ok(response)
}

fn logged_in(app: &App, operator: OperatorId) -> Result<Response, crate::http::Failure> {
    let exchange = app.reading().state();
    let mut operators = exchange.directory().operators();
    let found = operators.find(|known| known.id == operator).ok_or_else(ErrorBody::internal)?;
    ok(&LoggedIn {
        operator: ShownOperator {
            id: found.id.to_api(),
            name: found.name.to_string(),
            role: found.role.to_api(),
        },
    })
}
