//! Logging in and out, and setting a new password with a token from an operator.

use std::sync::Arc;

use api::error::ErrorBody;
use api::read::read;
use api::request::{Login, PasswordReset};
use api::response::{Message, Session};
use axum::extract::{Request, State};
use exchange::command::Command;
use exchange::id::{Hash32, SessionId};
use exchange::identity::Actor;
use exchange::reply::{LoginUser, Reply};
use exchange::text::Text;
use uuid::Uuid;

use crate::app::App;
use crate::http::charging::Allowance;
use crate::http::writing::read_body;
use crate::http::{Answered, Failure, message, ok};
use crate::secrets::{random_token, token_hash};

pub(super) async fn login(State(app): State<Arc<App>>, request: Request) -> Answered {
    let user = check_login(&app, request).await?;
    ok(&open_session(&app, &user).await?)
}

/// Whose email and password a request has. The page asks here too, so that there is one way in.
pub(crate) async fn check_login(app: &App, request: Request) -> Result<LoginUser, Failure> {
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let login: Login = read(&body)?;
    // First the room: whoever is sent away because of others has not used up an attempt.
    let busy = |_| Failure::from(ErrorBody::rate_limit("Too many logins at once", 1));
    let room = app.passwords.room().map_err(busy)?;
    // The limit is sequenced: it counts for known and unknown addresses alike, and on every node.
    // Addresses are kept in lower case, so that one in another case is the same address and shares its limit.
    let start = Command::StartLogin { email: Hash32::of(&login.email.to_ascii_lowercase()) };
    let Reply::LoginStarted { user } = app.reply(app.submit(Actor::System, None, start).await?)? else {
        return Err(ErrorBody::internal().into());
    };
    let expected = user.as_ref().and_then(|user| user.password_hash.as_ref()).map(ToString::to_string);
    let matches = app.passwords.verify(room, login.password, expected).await;
    match (matches, user) {
        (Err(_), _) => Err(ErrorBody::rate_limit("Too many logins at once", 1).into()),
        (Ok(true), Some(user)) => Ok(user),
        (Ok(_), _) => Err(app.unauthorized("Wrong email or password", "wrong_credentials")),
    }
}

/// A new session of somebody whose password was right.
pub(crate) async fn open_session(app: &App, user: &LoginUser) -> Result<Session, Failure> {
    let (token, device_id) = (random_token(), format!("d_{}", Uuid::new_v4().simple()));
    let open = Command::OpenSession {
        user: user.id,
        password_version: user.password_version,
        id: SessionId::new(Uuid::now_v7().as_u128()),
        token_hash: token_hash(token.as_bytes()),
        device: Text::from(device_id.as_str()),
    };
    app.written(app.submit(Actor::System, None, open).await?)?;
    Ok(Session { token, device_id, user_id: Uuid::from_u128(user.id.as_u128()) })
}

pub(super) async fn logout(State(app): State<Arc<App>>, request: Request) -> Answered {
    let session = app.session(request.method(), request.headers(), Allowance::Write)?;
    app.written(app.submit(session.actor(), None, Command::EndSession).await?)?;
    message(&Message::LOGGED_OUT)
}

pub(super) async fn reset_password(State(app): State<Arc<App>>, request: Request) -> Answered {
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let reset: PasswordReset = read(&body)?;
    let busy = |_| Failure::from(ErrorBody::rate_limit("Too many passwords at once", 1));
    let password_hash = Text::from(app.passwords.hash(reset.password).await.map_err(busy)?);
    let redeem = Command::ResetPassword { token_hash: token_hash(reset.token.as_bytes()), password_hash };
    app.written(app.submit(Actor::System, None, redeem).await?)?;
    message(&Message::PASSWORD_RESET)
}
