//! Who sends a message on the endpoint that asks for it, and whether that still holds. Keys and sessions are looked up in the
//! live state, so what is revoked, rotated, ended or suspended stops with the request that did so.

use api::stream::Auth;
use exchange::Exchange;
use exchange::id::{KeyId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::text::Text;
use exchange::time::Time;

use crate::app::App;
use crate::secrets::token_hash;

pub(super) const AUTH_REQUIRED: &str =
    "auth required: include auth.accessToken or auth.apiKey in every message";
const UNKNOWN: &str = "Unauthorized: the key or the session is unknown or over";

/// Somebody, and by what we know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    pub(super) user: UserId,
    credential: Credential,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Credential {
    Key { key: KeyId, generation: u32 },
    Session { session: SessionId, expires_at: Time },
}

/// Who a message is from. One without auth is from the visitor, if the connection has one.
pub(super) fn identify(
    app: &App,
    auth: Option<&Auth>,
    visitor: Option<Caller>,
) -> Result<Caller, &'static str> {
    let exchange = app.shared.read();
    let Some(auth) = auth else {
        let visitor = visitor.ok_or(AUTH_REQUIRED)?;
        return Some(visitor).filter(|caller| caller.holds(&exchange, app.now())).ok_or(UNKNOWN);
    };
    let found = match (&auth.access_token, &auth.api_key) {
        (Some(token), _) => by_session(&exchange, token, auth.device_id.as_deref()),
        (None, Some(key)) => by_key(&exchange, key),
        (None, None) => return Err(AUTH_REQUIRED),
    };
    found.filter(|caller| caller.holds(&exchange, app.now())).ok_or(UNKNOWN)
}

/// Who is logged in on a page, by the cookie that came with its connection.
pub(super) fn by_cookie(app: &App, token: &str) -> Option<Caller> {
    let exchange = app.shared.read();
    by_session(&exchange, token, None).filter(|caller| caller.holds(&exchange, app.now()))
}

fn by_session(exchange: &Exchange, token: &str, device: Option<&str>) -> Option<Caller> {
    let directory = exchange.directory();
    let (user, session) = directory.find_by_token(token_hash(token.as_bytes()))?;
    let is_here = device.is_none_or(|device| *session.device == *device);
    is_here.then(|| Caller {
        user: directory.user(user).id,
        credential: Credential::Session { session: session.id, expires_at: session.expires_at() },
    })
}

fn by_key(exchange: &Exchange, public_key: &str) -> Option<Caller> {
    let directory = exchange.directory();
    let (user, key) = directory.find_by_public_key(&Text::from(public_key))?;
    let credential = Credential::Key { key: key.id, generation: key.generation };
    Some(Caller { user: directory.user(user).id, credential })
}

impl Caller {
    /// As whom a command of theirs is sequenced.
    pub(super) const fn actor(&self) -> Actor {
        match self.credential {
            Credential::Key { key, generation } => Actor::Key { key, generation },
            Credential::Session { session, .. } => Actor::Session { session },
        }
    }

    /// Whether key or session are still what they were, and their owner may use them.
    pub(super) fn holds(&self, exchange: &Exchange, now: Time) -> bool {
        let directory = exchange.directory();
        let owner = match self.credential {
            Credential::Key { key, .. } => directory.find_by_key(key),
            Credential::Session { session, .. } => directory.find_by_session(session),
        };
        let Some(owner) = owner.map(|index| directory.user(index)) else { return false };
        let is_the_same = match self.credential {
            Credential::Key { key, generation } => {
                owner.keys.iter().any(|held| held.id == key && held.generation == generation)
            }
            Credential::Session { .. } => !self.is_over(now),
        };
        is_the_same && !owner.disabled
    }

    /// Whether its time is over, which nobody announces.
    pub(super) fn is_over(&self, now: Time) -> bool {
        matches!(self.credential, Credential::Session { expires_at, .. } if expires_at <= now)
    }
}
