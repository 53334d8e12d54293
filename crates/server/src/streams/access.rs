//! Authenticates the messages of the user endpoint, and checks whether a credential is still valid. Keys and sessions
//! are looked up in the live state, so a revocation, rotation, logout or suspension takes effect with the request that
//! made it.
//!
//! A public key only identifies a reader. Changing an account needs a proof: a session, or a signature for this
//! connection.

use api::signing::{SignedRequest, SigningFault, TIMESTAMP_WINDOW_SECONDS};
use api::stream::Auth;
use exchange::Exchange;
use exchange::id::{KeyId, SessionId, UserId};
use exchange::identity::{Actor, ApiKey};
use exchange::index::UserIndex;
use exchange::text::Text;
use exchange::time::Time;

use super::room::Endpoint;
use crate::app::App;
use crate::limits::BucketOwner;
use crate::secrets::token_hash;

pub(super) const AUTH_REQUIRED: &str =
    "auth required: include auth.accessToken or auth.apiKey in every message";
const PROOF_REQUIRED: &str = "Unauthorized: a public key alone only reads. This needs auth.accessToken, or auth.apiKey with \
     auth.timestamp and auth.signature for this connection";
const UNKNOWN: &str = "Unauthorized: the key or the session is unknown or over";
/// The method in the text to sign.
const SIGNED_METHOD: &str = "WS";

/// A user, and the credential that identifies them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StreamCaller {
    pub(super) user: UserId,
    index: UserIndex,
    credential: Credential,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Credential {
    Key { key: KeyId, generation: u32 },
    Session { session: SessionId, expires_at: Time },
}

/// A caller whose identity is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProvenCaller(StreamCaller);

/// Why a message is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Denied {
    /// It lacks credentials.
    Missing(&'static str),
    /// Its credentials are wrong. Costs extra, to slow down guessing.
    Wrong(String),
}

fn unknown() -> Denied {
    Denied::Wrong(UNKNOWN.to_owned())
}

/// Identifies the sender of a message. Without `auth` it is the connection's visitor, if there is one.
pub(super) fn identify(
    app: &App,
    auth: Option<&Auth>,
    visitor: Option<StreamCaller>,
) -> Result<StreamCaller, Denied> {
    let exchange = app.reading().state();
    let found = match auth {
        None => Some(visitor.ok_or(Denied::Missing(AUTH_REQUIRED))?),
        Some(Auth { access_token: Some(token), device_id, .. }) => {
            by_session(&exchange, token, device_id.as_deref())
        }
        Some(Auth { api_key: Some(key), .. }) => by_key(&exchange, key),
        Some(_) => return Err(Denied::Missing(AUTH_REQUIRED)),
    };
    found.filter(|caller| is_accepted(app, &exchange, caller)).ok_or_else(unknown)
}

/// Proves that a message is from its caller: by the session, or by the key's signature over `body`.
pub(super) fn prove(
    app: &App,
    caller: StreamCaller,
    auth: Option<&Auth>,
    body: &str,
) -> Result<ProvenCaller, Denied> {
    let Credential::Key { key, generation } = caller.credential else { return Ok(ProvenCaller(caller)) };
    let Some(Auth {
        api_key: Some(public_key), timestamp: Some(timestamp), signature: Some(signature), ..
    }) = auth
    else {
        return Err(Denied::Missing(PROOF_REQUIRED));
    };
    let known = app.access().find_key(public_key.as_bytes());
    let known = known.filter(|known| (known.caller.key, known.caller.generation) == (key, generation));
    let signed = SignedRequest {
        timestamp: Some(timestamp.to_string().as_bytes()),
        signature: Some(signature.as_bytes()),
        method: SIGNED_METHOD,
        path: Endpoint::User.path(),
        body: body.as_bytes(),
    }
    .verify(&known.ok_or_else(unknown)?.key, app.now_micros() / 1_000_000);
    signed.map(|()| ProvenCaller(caller)).map_err(|fault| Denied::Wrong(describe_fault(&fault)))
}

/// Describes a signing fault with the field names of a message.
fn describe_fault(fault: &SigningFault) -> String {
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
/// The user logged in on a page, by the cookie of its connection.
pub(super) fn by_cookie(app: &App, token: &str) -> Option<StreamCaller> {
    let exchange = app.reading().state();
    by_session(&exchange, token, None).filter(|caller| is_accepted(app, &exchange, caller))
}

fn is_accepted(app: &App, exchange: &Exchange, caller: &StreamCaller) -> bool {
    caller.is_valid(exchange, app.now()) && app.access().admits(caller.user)
}

fn by_session(exchange: &Exchange, token: &str, device: Option<&str>) -> Option<StreamCaller> {
    let directory = exchange.directory();
    let (user, session) = directory.find_by_token(token_hash(token.as_bytes()))?;
    let is_here = device.is_none_or(|device| *session.device == *device);
    is_here.then(|| StreamCaller {
        user: directory.user(user).id,
        index: user,
        credential: Credential::Session { session: session.id, expires_at: session.expires_at() },
    })
}

fn by_key(exchange: &Exchange, public_key: &str) -> Option<StreamCaller> {
    let directory = exchange.directory();
    let (user, key) = directory.find_by_public_key(&Text::from(public_key))?;
    let credential = Credential::Key { key: key.id, generation: key.generation };
    Some(StreamCaller { user: directory.user(user).id, index: user, credential })
}

impl ProvenCaller {
    pub(super) const fn caller(&self) -> StreamCaller {
        self.0
    }

    /// The actor of the caller's commands.
    pub(super) const fn actor(&self) -> Actor {
        match self.0.credential {
            Credential::Key { key, generation } => Actor::Key { key, generation },
            Credential::Session { session, .. } => Actor::Session { session },
        }
    }

    /// The account that the caller's writes are charged to.
    pub(super) const fn bucket_owner(&self) -> BucketOwner {
        match self.0.credential {
            Credential::Key { key, .. } => BucketOwner::Key(key),
            Credential::Session { .. } => BucketOwner::WebSessions(self.0.index),
        }
    }
}

impl StreamCaller {
    /// Whether the key or session is still valid and its owner active.
    pub(super) fn is_valid(&self, exchange: &Exchange, now: Time) -> bool {
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

    /// Whether the session has expired. Expiry causes no notification.
    pub(super) fn is_over(&self, now: Time) -> bool {
        matches!(self.credential, Credential::Session { expires_at, .. } if expires_at <= now)
    }
}
