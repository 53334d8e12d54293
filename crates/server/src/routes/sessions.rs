//! Logging in and out, and setting a new password with a token that an operator approved.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use api::error::ErrorBody;
use api::read::read;
use api::request::{Login, PasswordReset, PasswordResetRequest};
use api::response::{Message, PasswordResetRequested, Session};
use axum::extract::{ConnectInfo, Request, State};
use exchange::command::{Command, OpenSession, RequestPasswordReset, ResetPassword, StartLogin};
use exchange::id::{Hash32, SessionId, UserId};
use exchange::identity::{Actor, LoginScope, RESET_LIFE};
use exchange::reject::Reject;
use exchange::text::Text;
use http::StatusCode;
use uuid::Uuid;

use crate::app::App;
use crate::http::charging::Allowance;
use crate::http::writing::read_body;
use crate::http::{Answered, Failure, json, message, ok};
use crate::limits::Network;
use crate::secrets::{random_code, random_token, token_hash};
use crate::view::words::ToApi;

/// A user whose password was right.
#[derive(Debug)]
pub(crate) struct LoginUser {
    pub(crate) id: UserId,
    /// In lower case, as all emails are kept.
    pub(crate) email: String,
    password_version: u32,
}

pub(super) async fn login(State(app): State<Arc<App>>, request: Request) -> Answered {
    let scope = |email: &str| LoginScope::Api { email: app.keyring.hash("api login, email", &[email]) };
    let user = check_login(&app, request, scope).await?;
    ok(&open_session(&app, &user).await?)
}

/// The user whose email and password a request has. `scope` says what an attempt with an email in lower case is counted
/// under.
pub(crate) async fn check_login(
    app: &App,
    request: Request,
    scope: impl FnOnce(&str) -> LoginScope,
) -> Result<LoginUser, Failure> {
    let network = network_of(&request);
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let Login { email, password } = read(&body)?;
    charge_password_work(app, network)?;
    let email = email.to_ascii_lowercase();
    // The room comes before the attempt: a caller that is sent away because of others has not used one up.
    let busy = |_| Failure::from(ErrorBody::rate_limit("Too many logins at once", 1));
    let room = app.passwords.room().map_err(busy)?;
    let start = Command::StartLogin(StartLogin { scope: scope(&email) });
    app.reply(app.submit(Actor::System, None, start).await?)?;
    let (expected, user) = find_login(app, email);
    match (app.passwords.verify(room, password, expected).await, user) {
        (Err(_), _) => Err(ErrorBody::rate_limit("Too many logins at once", 1).into()),
        (Ok(true), Some(user)) => Ok(user),
        (Ok(_), _) => Err(app.unauthorized("Wrong email or password", "wrong_credentials")),
    }
}

/// The user with this email, if there is one, and the hash of their password.
fn find_login(app: &App, email: String) -> (Option<String>, Option<LoginUser>) {
    let exchange = app.shared.read();
    let Some(user) = exchange.directory().find_login(&email) else { return (None, None) };
    let expected = user.password_hash.as_ref().map(ToString::to_string);
    (expected, Some(LoginUser { id: user.id, email, password_version: user.password_version }))
}

/// The network that a request comes from.
pub(crate) fn network_of(request: &Request) -> Network {
    let info = request.extensions().get::<ConnectInfo<SocketAddr>>();
    Network::of(info.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip()))
}

/// Charges a login or a password reset to its network, before anything is hashed or sequenced.
fn charge_password_work(app: &App, network: Network) -> Result<(), Failure> {
    let limit = &app.limits.passwords;
    app.charge("passwords", limit.rate(), limit.take(network, 1, app.now_micros()))
}

/// A new session of a user whose password was right.
pub(crate) async fn open_session(app: &App, user: &LoginUser) -> Result<Session, Failure> {
    let (token, device_id) = (random_token(), format!("d_{}", Uuid::new_v4().simple()));
    let open = Command::OpenSession(OpenSession {
        user: user.id,
        password_version: user.password_version,
        id: SessionId::new(Uuid::now_v7().as_u128()),
        token_hash: token_hash(token.as_bytes()),
        device: Text::from(device_id.as_str()),
    });
    app.written(app.submit(Actor::System, None, open).await?)?;
    Ok(Session { token, device_id, user_id: Uuid::from_u128(user.id.as_u128()) })
}

pub(super) async fn logout(State(app): State<Arc<App>>, request: Request) -> Answered {
    let session = app.session(request.method(), request.headers(), Allowance::Write)?;
    app.written(app.submit(session.actor(), None, Command::EndSession).await?)?;
    message(&Message::LOGGED_OUT)
}

pub(super) async fn reset_password(State(app): State<Arc<App>>, request: Request) -> Answered {
    let network = network_of(&request);
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let PasswordReset { token, password, keep_api_keys } = read(&body)?;
    charge_password_work(&app, network)?;
    let token_hash = token_hash(token.as_bytes());
    // A worthless token takes no place from logins that wait for their hash, and leaves nothing in the journal.
    if !is_redeemable(&app, token_hash) {
        return Err(app.refuse(&Reject::TokenNotFound));
    }
    let busy = |_| Failure::from(ErrorBody::rate_limit("Too many passwords at once", 1));
    let password_hash = Text::from(app.passwords.hash(password).await.map_err(busy)?);
    let redeem =
        Command::ResetPassword(ResetPassword { token_hash, password_hash, keep_keys: keep_api_keys });
    app.written(app.submit(Actor::System, None, redeem).await?)?;
    message(&Message::PASSWORD_RESET)
}

/// Whether a reset token is known, approved and not over, as far as this node has come. The exchange decides again.
fn is_redeemable(app: &App, token_hash: Hash32) -> bool {
    let exchange = app.shared.read();
    let reset = exchange.directory().find_reset(token_hash);
    reset.is_some_and(|(_, reset)| reset.is_approved && reset.expires_at() > app.now())
}

/// A person who forgot the password registers the hash of a token that their browser made. The answer is one and the same for
/// an email that no account has.
pub(super) async fn request_password_reset(State(app): State<Arc<App>>, request: Request) -> Answered {
    let network = network_of(&request);
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let PasswordResetRequest { email, token_hash } = read(&body)?;
    charge_password_work(&app, network)?;
    let code = random_code();
    let user = app.shared.read().directory().find_login(&email.to_ascii_lowercase()).map(|user| user.id);
    if let Some(user) = user {
        let command = Command::RequestPasswordReset(RequestPasswordReset {
            user,
            token_hash: Hash32::new(token_hash),
            code: Text::from(code.as_str()),
            network: app.keyring.hash("password reset, network", &[&network.to_string()]),
        });
        app.written(app.submit(Actor::System, None, command).await?)?;
    }
    let expires_at = (app.now() + RESET_LIFE).to_api();
    Ok(json(StatusCode::ACCEPTED, &PasswordResetRequested { code, expires_at }))
}
