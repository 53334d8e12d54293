//! Who asks. Spec, Authentication: Public, Session, Read, Write.

use api::error::ErrorBody;
use api::signing::{PUBLIC_KEY_HEADER, SIGNATURE_HEADER, SignedRequest, SigningFault, TIMESTAMP_HEADER};
use exchange::id::{KeyId, SessionId};
use exchange::identity::Actor;
use exchange::index::UserIndex;
use exchange::text::Text;
use http::HeaderMap;

use super::{Failure, charged};
use crate::app::App;
use crate::limits::{Allowed, Rate, Refused};
use crate::secrets::token_hash;

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
    fn named_key(&self, headers: &HeaderMap) -> Result<Option<Keyed>, Failure> {
        let Some(public_key) = self.single(headers, PUBLIC_KEY_HEADER)? else { return Ok(None) };
        let public_key = std::str::from_utf8(public_key).ok().map(Text::from);
        let exchange = self.shared.read();
        let found = public_key.and_then(|public_key| {
            let (user, key) = exchange.directory().find_by_public_key(&public_key)?;
            let is_active = !exchange.directory().user(user).disabled;
            is_active.then_some(Keyed { user, key: key.id, generation: key.generation })
        });
        drop(exchange);
        match found {
            Some(keyed) => Ok(Some(keyed)),
            None => Err(self.unauthorized("X-Public-Key is not a key of an active account", "unknown_key")),
        }
    }

    /// A header that may be there once.
    fn single<'h>(&self, headers: &'h HeaderMap, name: &'static str) -> Result<Option<&'h [u8]>, Failure> {
        let mut values = headers.get_all(name).iter();
        let value = values.next().map(http::HeaderValue::as_bytes);
        match values.next() {
            None => Ok(value),
            Some(_) => {
                Err(self.unauthorized(&format!("The header {name} is there twice"), "header_repeated"))
            }
        }
    }

    /// Personalises when a key is given; a wrong one is refused, none is fine.
    pub fn viewer(&self, headers: &HeaderMap) -> Result<Option<UserIndex>, Failure> {
        Ok(self.named_key(headers)?.map(|keyed| keyed.user))
    }

    /// Read: `X-Public-Key` alone, charged to the key.
    pub fn reader(&self, headers: &HeaderMap) -> Result<Keyed, Failure> {
        let keyed = self.named_key(headers)?;
        let keyed =
            keyed.ok_or_else(|| self.unauthorized("The header X-Public-Key is missing", "header_missing"))?;
        self.charge("read", self.limits.read.rate(), self.limits.read.take(keyed.key, 1, self.now_micros()))?;
        Ok(keyed)
    }

    /// Write: the signature over the raw path and the raw body. Nothing is charged yet.
    pub fn signer(
        &self,
        headers: &HeaderMap,
        method: &str,
        path: &str,
        body: &[u8],
    ) -> Result<Keyed, Failure> {
        let timestamp = self.single(headers, TIMESTAMP_HEADER)?;
        let signature = self.single(headers, SIGNATURE_HEADER)?;
        if headers.get(PUBLIC_KEY_HEADER).is_none() {
            return Err(self.unauthorized("The header X-Public-Key is missing", "header_missing"));
        }
        let signed = SignedRequest { timestamp, signature, method, path, body };
        let now = self.now_micros() / 1_000_000;
        match self.named_key(headers) {
            Ok(Some(keyed)) => {
                let key = self.keyring.signing_key(keyed.key, keyed.generation);
                signed.verify(&key, now).map_err(|fault| self.signing_failure(&fault))?;
                Ok(keyed)
            }
            // An unknown key costs the same work and learns nothing from the time it took.
            Ok(None) => Err(self.unauthorized("The header X-Public-Key is missing", "header_missing")),
            Err(unknown) => {
                let _ = signed.verify(self.keyring.dummy(), now);
                Err(unknown)
            }
        }
    }

    /// Session: the token and the device it was given to.
    pub fn session(&self, headers: &HeaderMap) -> Result<InSession, Failure> {
        let token = self.single(headers, "x-auth-token")?;
        let device = self.single(headers, "x-device-id")?;
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
        charged::note(policy, rate, &taken);
        match taken {
            Ok(_) => Ok(()),
            Err(refused) => {
                let message = "Too many requests: wait before the next one";
                Err(ErrorBody::rate_limit(message, refused.retry_after_seconds).into())
            }
        }
    }
}
