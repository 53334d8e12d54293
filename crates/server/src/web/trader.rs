//! A trader's cookie session: log in, who am I, log out. The token is only in the cookie, so no script can leak it.

use std::sync::Arc;

use api::Timestamp;
use api::json::WriteJson;
use api::read::read;
use api::response::Message;
use axum::extract::{Request, State};
use exchange::command::Command;
use exchange::identity::{LoginScope, SESSION_LIFE};
use exchange::index::UserIndex;
use exchange::reject::Reject;
use uuid::Uuid;

use super::{cookies, device};
use crate::app::App;
use crate::edge::meter;
use crate::http::credentials::PageSession;
use crate::http::page::{Cookie, require_page};
use crate::http::{Answered, Failure, address, body, ok};
use crate::limits::Network;
use crate::people::Address;
use crate::routes::sessions::{LoginUser, SessionEndpoints};
use crate::view::words::ToApi;

/// The logged-in user.
#[derive(Debug, WriteJson)]
#[serde(rename_all = "camelCase")]
struct LoggedIn {
    user: ShownUser,
}

#[derive(Debug, WriteJson)]
#[serde(rename_all = "camelCase")]
struct ShownUser {
    id: Uuid,
    email: String,
    tag: String,
    created_at: Timestamp,
}

impl LoggedIn {
    async fn of(app: &App, user: UserIndex) -> Result<LoggedIn, Failure> {
        let user = {
            let exchange = app.reading().state();
            let user = exchange.directory().user(user);
            (user.id, user.row, user.tag.clone(), user.created_at)
        };
        let (id, row, tag, created_at) = user;
        let email = app.access().emails(vec![(id, row)]).await?.pop().unwrap_or_default();
        let user =
            ShownUser { id: id.to_api(), email, tag: tag.to_string(), created_at: created_at.to_api() };
        Ok(LoggedIn { user })
    }
}

impl From<&LoginUser> for LoggedIn {
    fn from(user: &LoginUser) -> LoggedIn {
        let user = ShownUser {
            id: user.id.to_api(),
            email: user.address.as_str().to_owned(),
            tag: user.tag.to_string(),
            created_at: user.created_at.to_api(),
        };
        LoggedIn { user }
    }
}

pub(super) async fn log_in(State(app): State<Arc<App>>, request: Request) -> Answered {
    let is_secure = app.web().is_secure();
    // Login CSRF: a site that logs a visitor in under its own account could observe what the visitor does next.
    require_page(request.method(), request.headers(), is_secure)?;
    let from = address::connected(request.extensions());
    let (network, cookie) = (Network::of(from), device::find_device(request.headers(), is_secure));
    let cookie = cookie.as_deref();
    let (parts, body) = request.into_parts();
    let login = read(&body::read(&parts.headers, body).await?)?;
    let meter = meter::current().ok_or_else(api::error::ErrorBody::internal)?;
    let sessions = SessionEndpoints {
        reading: app.reading().clone(),
        writing: app.writing().clone(),
        access: app.access().clone(),
    };
    let scope = |address: &Address| login_scope(&app, cookie, network, address);
    let user = sessions.check_login(&meter, (from, app.now()), login, scope).await?;
    let session = sessions.open_session(&user).await?;
    let mut response = ok(&LoggedIn::from(&user))?;
    let life = SESSION_LIFE.micros() / 1_000_000;
    cookies::set(&mut response, Cookie::Session, &session.token, life, is_secure);
    device::remember(&mut response, &app, cookie, user.address.as_str());
    Ok(response)
}

/// The scope that counts a login attempt on the page. The journal contains only hashes, keyed with the lookup key.
fn login_scope(app: &App, cookie: Option<&str>, network: Network, address: &Address) -> LoginScope {
    let hash = |purpose: &str, part: &str| app.access().people().hash(purpose, &[address.as_str(), part]);
    match device::verified(app, cookie, address.as_str()) {
        Some(device) => LoginScope::Device { address_on_device: hash("login of a device", device) },
        None => LoginScope::Page {
            address: app.access().people().address_hash(address),
            address_on_network: hash("login on a network", &network.to_string()),
        },
    }
}

pub(super) async fn current_session(State(app): State<Arc<App>>, request: Request) -> Answered {
    match app.find_page_session(request.method(), request.headers())? {
        PageSession::Active(session) => ok(&LoggedIn::of(&app, session.user).await?),
        PageSession::Ended => {
            let mut response = unknown(&app).into_response();
            // The page cannot clear it: the cookie is invisible to scripts.
            cookies::clear(&mut response, Cookie::Session, app.web().is_secure());
            Ok(response)
        }
        PageSession::Absent => Err(unknown(&app)),
    }
}

pub(super) async fn log_out(State(app): State<Arc<App>>, request: Request) -> Answered {
    let is_secure = app.web().is_secure();
    require_page(request.method(), request.headers(), is_secure)?;
    if let PageSession::Active(session) = app.page_session(request.method(), request.headers())? {
        let answer = app.writing().submit(session.actor(), None, Command::EndSession).await?;
        // The session may have ended in between, which has the intended effect.
        if answer.result != Err(Reject::UnknownSession) {
            app.writing().reply(answer)?;
        }
    }
    let mut response = ok(&Message::LOGGED_OUT)?;
    cookies::clear(&mut response, Cookie::Session, is_secure);
    Ok(response)
}

fn unknown(app: &App) -> Failure {
    app.unauthorized("Not logged in", "unknown_session")
}
