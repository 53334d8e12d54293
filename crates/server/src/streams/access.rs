//! The sender of a message on the endpoint that asks for it, what proves it, and whether it still holds. Keys and sessions
//! are looked up in the live state, so what is revoked, rotated, ended or suspended stops with the request that did so.
//!
//! A public key names a reader. To change an account takes a proof: a session, or a signature for this very connection.

use api::signing::{SignedRequest, SigningFault, TIMESTAMP_WINDOW_SECONDS};
use api::stream::Auth;
use exchange::Exchange;
use exchange::id::{KeyId, SessionId, UserId};
use exchange::identity::{Actor, ApiKey};
use exchange::index::UserIndex;
use exchange::text::Text;
use exchange::time::Time;

use super::room::Endpoint;
use crate::app::{App, Spender};
use crate::secrets::token_hash;

pub(super) const AUTH_REQUIRED: &str =
    "auth required: include auth.accessToken or auth.apiKey in every message";
const PROOF_REQUIRED: &str = "Unauthorized: a public key alone only reads. This needs auth.accessToken, or auth.apiKey with \
     auth.timestamp and auth.signature for this connection";
const UNKNOWN: &str = "Unauthorized: the key or the session is unknown or over";
/// The method in a signed message.
const SIGNED_METHOD: &str = "WS";

/// A user, and the credential that names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    pub(super) user: UserId,
    index: UserIndex,
    credential: Credential,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Credential {
    Key { key: KeyId, generation: u32 },
    Session { session: SessionId, expires_at: Time },
}

/// A caller who has proved who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proven(Caller);

/// Why a message is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Denied {
    /// It came without what it needs.
    Missing(&'static str),
    /// What it came with is wrong. Guesses have a price.
    Wrong(String),
}

fn unknown() -> Denied {
    Denied::Wrong(UNKNOWN.to_owned())
}

/// Finds the sender of a message. One without auth is from the visitor, if the connection has one.
pub(super) fn identify(app: &App, auth: Option<&Auth>, visitor: Option<Caller>) -> Result<Caller, Denied> {
    let exchange = app.shared.read();
    let found = match auth {
        None => Some(visitor.ok_or(Denied::Missing(AUTH_REQUIRED))?),
        Some(Auth { access_token: Some(token), device_id, .. }) => {
            by_session(&exchange, token, device_id.as_deref())
        }
        Some(Auth { api_key: Some(key), .. }) => by_key(&exchange, key),
        Some(_) => return Err(Denied::Missing(AUTH_REQUIRED)),
    };
    found.filter(|caller| caller.holds(&exchange, app.now())).ok_or_else(unknown)
}

/// Proves that a message is from the caller that it names: by the session, or by the key's signature over `body`.
pub(super) fn prove(app: &App, caller: Caller, auth: Option<&Auth>, body: &str) -> Result<Proven, Denied> {
    let Credential::Key { key, generation } = caller.credential else { return Ok(Proven(caller)) };
    let Some(Auth {
        api_key: Some(public_key), timestamp: Some(timestamp), signature: Some(signature), ..
    }) = auth
    else {
        return Err(Denied::Missing(PROOF_REQUIRED));
    };
    let known = app.find_key(public_key.as_bytes());
    let known = known.filter(|known| (known.caller.key, known.caller.generation) == (key, generation));
    let signed = SignedRequest {
        timestamp: Some(timestamp.to_string().as_bytes()),
        signature: Some(signature.as_bytes()),
        method: SIGNED_METHOD,
        path: Endpoint::User.path(),
        body: body.as_bytes(),
    }
    .verify(&known.ok_or_else(unknown)?.key, app.now_micros() / 1_000_000);
    signed.map(|()| Proven(caller)).map_err(|fault| Denied::Wrong(in_words_of_streams(&fault)))
}

/// The fault of a signature, with the names that a message has for its parts.
fn in_words_of_streams(fault: &SigningFault) -> String {
    match fault {
        SigningFault::HeaderMissing { .. } => PROOF_REQUIRED.to_owned(),
        SigningFault::TimestampNotANumber => {
            "Unauthorized: auth.timestamp must be Unix seconds in decimal digits".to_owned()
        }
        SigningFault::TimestampOutsideWindow { skew_seconds } => format!(
            "Unauthorized: auth.timestamp is {} seconds {} the server's time; at most {TIMESTAMP_WINDOW_SECONDS} are allowed",
            skew_seconds.unsigned_abs(),
            if *skew_seconds < 0 { "behind" } else { "ahead of" }
        ),
        SigningFault::SignatureNotBase64 | SigningFault::SignatureLength { .. } => {
            "Unauthorized: auth.signature must be the base64 of the 32 bytes of an HMAC-SHA256".to_owned()
        }
        SigningFault::BodyHashMismatch | SigningFault::SignatureMismatch => {
            "Unauthorized: auth.signature does not match this key, timestamp, setting and clientId".to_owned()
        }
    }
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
        index: user,
        credential: Credential::Session { session: session.id, expires_at: session.expires_at() },
    })
}

fn by_key(exchange: &Exchange, public_key: &str) -> Option<Caller> {
    let directory = exchange.directory();
    let (user, key) = directory.find_by_public_key(&Text::from(public_key))?;
    let credential = Credential::Key { key: key.id, generation: key.generation };
    Some(Caller { user: directory.user(user).id, index: user, credential })
}

impl Proven {
    pub(super) const fn caller(&self) -> Caller {
        self.0
    }

    /// As whom a command of theirs is sequenced.
    pub(super) const fn actor(&self) -> Actor {
        match self.0.credential {
            Credential::Key { key, generation } => Actor::Key { key, generation },
            Credential::Session { session, .. } => Actor::Session { session },
        }
    }

    /// Whose bucket a write of theirs is charged to.
    pub(super) const fn spender(&self) -> Spender {
        match self.0.credential {
            Credential::Key { key, .. } => Spender::Key(key),
            Credential::Session { .. } => Spender::Pages(self.0.index),
        }
    }
}

impl Caller {
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
                let is_it = |held: &ApiKey| held.id == key && held.generation == generation;
                owner.keys.iter().any(|held| is_it(held) && !held.needs_rotation)
            }
            Credential::Session { .. } => !self.is_over(now),
        };
        is_the_same && owner.is_active()
    }

    /// Whether its time is over, which nobody announces.
    pub(super) fn is_over(&self, now: Time) -> bool {
        matches!(self.credential, Credential::Session { expires_at, .. } if expires_at <= now)
    }
}
