//! A trader's session in a cookie: log in, who am I, log out. The token goes into the cookie and nowhere else, so no
//! script can lose it.

use std::sync::Arc;

use api::Timestamp;
use api::response::Message;
use axum::extract::{Request, State};
use exchange::command::Command;
use exchange::identity::{LoginScope, SESSION_LIFE};
use exchange::index::UserIndex;
use exchange::reject::Reject;
use serde::Serialize;
use uuid::Uuid;

use super::{cookies, device};
use crate::app::App;
use crate::http::credentials::Visit;
use crate::http::page::{Cookie, require_page};
use crate::http::{Answered, Failure, message, ok};
use crate::limits::Network;
use crate::routes::sessions::{check_login, network_of, open_session};
use crate::view::words::ToApi;

/// Who is logged in.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LoggedIn {
    user: Person,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Person {
    id: Uuid,
    email: String,
    tag: String,
    created_at: Timestamp,
}

impl LoggedIn {
    fn of(app: &App, user: UserIndex) -> LoggedIn {
        let exchange = app.shared.read();
        let user = exchange.directory().user(user);
        LoggedIn {
            user: Person {
                id: user.id.to_api(),
                email: user.email.to_string(),
                tag: user.tag.to_string(),
                created_at: user.created_at.to_api(),
            },
        }
    }
}

pub(super) async fn log_in(State(app): State<Arc<App>>, request: Request) -> Answered {
    let is_secure = app.web.is_secure();
    // Another site that could log a reader in under its own name would learn what the reader does next.
    require_page(request.method(), request.headers(), is_secure)?;
    let (network, cookie) = (network_of(&request), device::brought(request.headers(), is_secure));
    let cookie = cookie.as_deref();
    let scope = |email: &str| login_scope(&app, cookie, network, email);
    let user = check_login(&app, request, scope).await?;
    let session = open_session(&app, &user).await?;
    let index = app.shared.read().directory().find(user.id);
    let index = index.ok_or_else(api::error::ErrorBody::internal)?;
    let mut response = ok(&LoggedIn::of(&app, index))?;
    let life = SESSION_LIFE.micros() / 1_000_000;
    cookies::set(&mut response, Cookie::Session, &session.token, life, is_secure);
    device::remember(&mut response, &app, cookie, &user.email);
    Ok(response)
}

/// What an attempt on the page is counted under. The journal sees hashes under the venue's key alone.
fn login_scope(app: &App, cookie: Option<&str>, network: Network, email: &str) -> LoginScope {
    let hash = |purpose: &str, parts: &[&str]| app.keyring.hash(purpose, parts);
    match device::verified(app, cookie, email) {
        Some(device) => {
            LoginScope::Device { email_on_device: hash("page login, email and device", &[email, device]) }
        }
        None => LoginScope::Page {
            email: hash("page login, email", &[email]),
            email_on_network: hash("page login, email and network", &[email, &network.to_string()]),
        },
    }
}

pub(super) async fn who(State(app): State<Arc<App>>, request: Request) -> Answered {
    match app.visit(request.method(), request.headers())? {
        Visit::Known(session) => ok(&LoggedIn::of(&app, session.user)),
        Visit::Over => {
            let mut response = unknown(&app).into_response();
            // The page cannot: it does not even see that there is one.
            cookies::clear(&mut response, Cookie::Session, app.web.is_secure());
            Ok(response)
        }
        Visit::Stranger => Err(unknown(&app)),
    }
}

pub(super) async fn log_out(State(app): State<Arc<App>>, request: Request) -> Answered {
    let is_secure = app.web.is_secure();
    require_page(request.method(), request.headers(), is_secure)?;
    if let Visit::Known(session) = app.visit(request.method(), request.headers())? {
        let answer = app.submit(session.actor(), None, Command::EndSession).await?;
        // It may have ended in between, and that is what is wanted.
        if answer.result != Err(Reject::UnknownSession) {
            app.reply(answer)?;
        }
    }
    let mut response = message(&Message::LOGGED_OUT)?;
    cookies::clear(&mut response, Cookie::Session, is_secure);
    Ok(response)
}

fn unknown(app: &App) -> Failure {
    app.unauthorized("Nobody is logged in", "unknown_session")
}
