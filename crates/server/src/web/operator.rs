//! An operator's token in a cookie: the page asks for it once, and from then on only the browser knows it. There is no
//! session behind it: the cookie is worth what the token is worth, until the browser is closed.

use std::sync::Arc;

use api::read::read;
use api::response::Message;
use api::terms;
use axum::extract::{Request, State};
use axum::response::Response;
use exchange::id::OperatorId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::cookies;
use crate::admin::access::{operator_by_token, refusal, visiting_operator};
use crate::app::App;
use crate::audit::hexadecimal;
use crate::http::page::{Cookie, require_page};
use crate::http::writing::read_body;
use crate::http::{Answered, message, ok};
use crate::view::words::ToApi;

/// Has a secret, so it shows nothing when debugged.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LogIn {
    token: String,
}

#[derive(Debug, Serialize)]
struct LoggedIn {
    operator: Person,
}

#[derive(Debug, Serialize)]
struct Person {
    id: Uuid,
    name: String,
    role: terms::Role,
}

pub(super) async fn log_in(State(app): State<Arc<App>>, request: Request) -> Answered {
    let is_secure = app.web.is_secure();
    require_page(request.method(), request.headers(), is_secure)?;
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let LogIn { token } = read(&body)?;
    let Some(operating) = operator_by_token(&app, token.as_bytes()) else { return Ok(refusal(&app)) };
    let mut response = logged_in(&app, operating.0)?;
    // A token may have any visible character, a cookie may not.
    cookies::set(&mut response, Cookie::Operator, &hexadecimal(token.as_bytes()), None, is_secure);
    Ok(response)
}

pub(super) async fn who(State(app): State<Arc<App>>, request: Request) -> Answered {
    match visiting_operator(&app, request.method(), request.headers())? {
        Some(operating) => logged_in(&app, operating.0),
        None => Ok(refusal(&app)),
    }
}

pub(super) async fn log_out(State(app): State<Arc<App>>, request: Request) -> Answered {
    let is_secure = app.web.is_secure();
    require_page(request.method(), request.headers(), is_secure)?;
    let mut response = message(&Message::LOGGED_OUT)?;
    cookies::clear(&mut response, Cookie::Operator, is_secure);
    Ok(response)
}

fn logged_in(app: &App, operator: OperatorId) -> Result<Response, crate::http::Failure> {
    let exchange = app.shared.read();
    let mut operators = exchange.directory().operators();
    let found = operators.find(|known| known.id == operator).ok_or_else(api::error::ErrorBody::internal)?;
    ok(&LoggedIn {
        operator: Person { id: found.id.to_api(), name: found.name.to_string(), role: found.role.to_api() },
    })
}
