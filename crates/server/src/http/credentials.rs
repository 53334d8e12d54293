//! Who asks. Spec, Authentication: Public, Session, Read, Write.

use api::error::ErrorBody;
use api::signing::{PUBLIC_KEY_HEADER, SIGNATURE_HEADER, SignedRequest, SigningFault, TIMESTAMP_HEADER};
use exchange::id::{KeyId, SessionId};
use exchange::identity::Actor;
use exchange::index::UserIndex;
use exchange::text::Text;
use http::{HeaderMap, HeaderName};

use super::Failure;
use super::charged::{self, Charged};
use super::keyring::Known;
use crate::app::App;
use crate::limits::{Allowed, Rate, Refused};
use crate::secrets::token_hash;

/// Looking up a name that is ready costs a fraction of looking up its text.
pub(super) const PUBLIC_KEY: HeaderName = HeaderName::from_static("x-public-key");
pub(super) const AUTH_TOKEN: HeaderName = HeaderName::from_static("x-auth-token");
const TIMESTAMP: HeaderName = HeaderName::from_static("x-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("x-signature");
const DEVICE_ID: HeaderName = HeaderName::from_static("x-device-id");

/// A caller known by its key, signed or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyed {
    pub user: UserIndex,
    pub key: KeyId,
    pub generation: u32,
}

impl Keyed {
    pub const fn actor(&self) -> Actor {
        Actor::Key { key: self.key, generation: self.generation }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InSession {
    pub user: UserIndex,
    pub session: SessionId,
}

impl App {
    /// 401: which check failed, and the server's time.
    pub fn unauthorized(&self, message: &str, reason: &'static str) -> Failure {
        ErrorBody::unauthorized(message, reason, self.now_micros() / 1_000_000).into()
    }

    fn signing_failure(&self, fault: &SigningFault) -> Failure {
        ErrorBody::signing(fault, self.now_micros() / 1_000_000).into()
    }

    /// The key that a request names, if any; an unknown one is refused.
    fn named_key(&self, headers: &HeaderMap) -> Result<Option<Known>, Failure> {
        let Some(public_key) = self.single(headers, &PUBLIC_KEY, PUBLIC_KEY_HEADER)? else { return Ok(None) };
        // Before the look: what changes meanwhile is looked up again.
        let version = self.shared.keys_version();
        if let Some(known) = self.keyring.find(public_key, version) {
            return Ok(Some(known));
        }
        let text = std::str::from_utf8(public_key).ok().map(Text::from);
        let exchange = self.shared.read();
        let found = text.and_then(|public_key| {
            let (user, key) = exchange.directory().find_by_public_key(&public_key)?;
            let is_active = !exchange.directory().user(user).disabled;
            is_active.then_some(Keyed { user, key: key.id, generation: key.generation })
        });
        drop(exchange);
        match found {
            Some(caller) => Ok(Some(self.keyring.keep(public_key, version, caller))),
            None => Err(self.unauthorized("X-Public-Key is not a key of an active account", "unknown_key")),
        }
    }

    /// A header that may be there once. `shown` is its name in a message.
    fn single<'h>(
        &self,
        headers: &'h HeaderMap,
        name: &HeaderName,
        shown: &'static str,
    ) -> Result<Option<&'h [u8]>, Failure> {
        let mut values = headers.get_all(name).iter();
        let value = values.next().map(http::HeaderValue::as_bytes);
        match values.next() {
            None => Ok(value),
            Some(_) => {
                Err(self.unauthorized(&format!("The header {shown} is there twice"), "header_repeated"))
            }
        }
    }

    /// Personalises when a key is given; a wrong one is refused, none is fine.
    pub fn viewer(&self, headers: &HeaderMap) -> Result<Option<UserIndex>, Failure> {
        Ok(self.named_key(headers)?.map(|known| known.caller.user))
    }

    /// Read: `X-Public-Key` alone, charged to the key.
    pub fn reader(&self, headers: &HeaderMap) -> Result<Keyed, Failure> {
        let known = self.named_key(headers)?;
        let Known { caller: keyed, .. } =
            known.ok_or_else(|| self.unauthorized("The header X-Public-Key is missing", "header_missing"))?;
        self.charge("read", self.limits.read.rate(), self.limits.read.take(keyed.key, 1, self.now_micros()))?;
        Ok(keyed)
    }

    /// Write: the signature over the raw path and the raw body, whose digest is handed in. Nothing is charged yet.
    pub fn signer(
        &self,
        headers: &HeaderMap,
        method: &str,
        path: &str,
        body: &[u8],
        digest: &[u8; 32],
    ) -> Result<Keyed, Failure> {
        let timestamp = self.single(headers, &TIMESTAMP, TIMESTAMP_HEADER)?;
        let signature = self.single(headers, &SIGNATURE, SIGNATURE_HEADER)?;
        if !headers.contains_key(&PUBLIC_KEY) {
            return Err(self.unauthorized("The header X-Public-Key is missing", "header_missing"));
        }
        let signed = SignedRequest { timestamp, signature, method, path, body };
        let now = self.now_micros() / 1_000_000;
        match self.named_key(headers) {
            Ok(Some(Known { caller, key })) => {
                signed.verify_digest(&key, now, digest).map_err(|fault| self.signing_failure(&fault))?;
                Ok(caller)
            }
            // An unknown key costs the same work and learns nothing from the time it took.
            Ok(None) => Err(self.unauthorized("The header X-Public-Key is missing", "header_missing")),
            Err(unknown) => {
                let _ = signed.verify_digest(self.keyring.dummy(), now, digest);
                Err(unknown)
            }
        }
    }

    /// Session: the token and the device it was given to.
    pub fn session(&self, headers: &HeaderMap) -> Result<InSession, Failure> {
        let token = self.single(headers, &AUTH_TOKEN, "x-auth-token")?;
        let device = self.single(headers, &DEVICE_ID, "x-device-id")?;
        let (Some(token), Some(device)) = (token, device) else {
            return Err(
                self.unauthorized("The headers x-auth-token and x-device-id are required", "header_missing")
            );
        };
        let hash = token_hash(token);
        let exchange = self.shared.read();
        let found = exchange.directory().find_by_token(hash).and_then(|(user, session)| {
            let lives =
                session.expires_at().micros() > self.now_micros() && session.device.as_bytes() == device;
            lives.then_some(InSession { user, session: session.id })
        });
        drop(exchange);
        found.ok_or_else(|| self.unauthorized("The session is unknown or over", "unknown_session"))
    }

    /// Turns an empty bucket into 429, and notes for the envelope what is left.
    pub fn charge(
        &self,
        policy: &'static str,
        rate: Rate,
        taken: Result<Allowed, Refused>,
    ) -> Result<(), Failure> {
        charged::note(Charged::new(policy, rate, &taken));
        passed(&taken)
    }
}

pub(super) fn passed(taken: &Result<Allowed, Refused>) -> Result<(), Failure> {
    match taken {
        Ok(_) => Ok(()),
        Err(refused) => {
            let message = "Too many requests: wait before the next one";
            Err(ErrorBody::rate_limit(message, refused.retry_after_seconds).into())
        }
    }
}
