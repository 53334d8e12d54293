//! Authenticates requests. Spec, Authentication: Public, Session, Read, Write; a web session can replace the last
//! three. Private reads are ours. Credentials in headers take precedence: if there are any, only they count.

use api::error::ErrorBody;
use api::signing::{
    PUBLIC_KEY_HEADER, SIGNATURE_HEADER, SignedRequest, SigningFault, TIMESTAMP_HEADER, body_digest,
};
use exchange::id::UserId;
use exchange::identity::Actor;
use exchange::index::UserIndex;
use http::{HeaderMap, HeaderName, Method};
use lane::Repeated;

use super::Failure;
use super::page::{self, Cookie, FoundCookie};
use crate::access::keyring::CallerKey;
use crate::access::{KeyCaller, SessionCaller};
use crate::app::App;
use crate::edge::fields::Fields;
use crate::edge::meter::{Meter, OwnerBucket};
use crate::edge::serve::Head;
use crate::limits::BucketOwner;
use crate::view::words::ToApi;

/// Prepared header names are much cheaper to look up than text.
pub(crate) const PUBLIC_KEY: HeaderName = HeaderName::from_static("x-public-key");
pub(crate) const AUTH_TOKEN: HeaderName = HeaderName::from_static("x-auth-token");
const TIMESTAMP: HeaderName = HeaderName::from_static("x-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("x-signature");
const DEVICE_ID: HeaderName = HeaderName::from_static("x-device-id");
/// A request with any of these is authenticated by headers only.
const CREDENTIALS: [HeaderName; 5] = [PUBLIC_KEY, AUTH_TOKEN, TIMESTAMP, SIGNATURE, DEVICE_ID];

/// A caller identified by its key or by a web session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    pub user: UserIndex,
    user_id: UserId,
    pub actor: Actor,
    pub bucket_owner: BucketOwner,
}

impl From<KeyCaller> for Caller {
    fn from(caller: KeyCaller) -> Caller {
        let KeyCaller { user, user_id, key, generation } = caller;
        Caller { user, user_id, actor: Actor::Key { key, generation }, bucket_owner: BucketOwner::Key(key) }
    }
}

impl From<SessionCaller> for Caller {
    fn from(session: SessionCaller) -> Caller {
        let SessionCaller { user, user_id, .. } = session;
        Caller { user, user_id, actor: session.actor(), bucket_owner: BucketOwner::WebSessions(user) }
    }
}

impl Caller {
    /// Notes the caller for the access log.
    fn noted(self, meter: &Meter) -> Caller {
        meter.note_party(|party| {
            party.user = Some(self.user_id);
            party.key = match self.actor {
                Actor::Key { key, .. } => Some(key),
                _ => None,
            };
        });
        self
    }
}

/// The web session of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSession {
    /// Not from a page, without a cookie, or with credentials in headers.
    Absent,
    /// From a page with a cookie whose session has ended.
    Ended,
    Active(SessionCaller),
}

impl App {
    /// A 401 response with the failed check and the server's time.
    pub fn unauthorized(&self, message: &str, reason: &'static str) -> Failure {
        ErrorBody::unauthorized(message, reason, self.now_micros() / 1_000_000).into()
    }

    fn signing_failure(&self, fault: &SigningFault) -> Failure {
        ErrorBody::signing(fault, self.now_micros() / 1_000_000).into()
    }

    /// The key that a request names, if any; an unknown key is refused.
    fn find_request_key(&self, headers: &dyn Fields) -> Result<Option<CallerKey>, Failure> {
        let Some(public_key) = self.single(headers, &PUBLIC_KEY, PUBLIC_KEY_HEADER)? else { return Ok(None) };
        match self.access().find_key(public_key) {
            Some(known) => Ok(Some(known)),
            None => Err(self.unauthorized("X-Public-Key is not a key of an active account", "unknown_key")),
        }
    }

    /// A header that may occur once. `shown` is its name in messages.
    fn single<'h>(
        &self,
        headers: &'h dyn Fields,
        name: &HeaderName,
        shown: &'static str,
    ) -> Result<Option<&'h [u8]>, Failure> {
        headers.find_single(name).map_err(|Repeated| {
            self.unauthorized(&format!("The header {shown} occurs more than once"), "header_repeated")
        })
    }

    /// The web session of a request, if the page shows the user that it belongs to.
    pub fn page_session(&self, method: &Method, headers: &HeaderMap) -> Result<PageSession, Failure> {
        let found = self.find_page_session(method, headers)?;
        if let PageSession::Active(session) = &found {
            page::require_shown(method, headers, session.user_id.to_api())?;
        }
        Ok(found)
    }

    /// Like `page_session`, whomever the page shows: it asks this to learn who is logged in. Cross-site requests are refused.
    pub fn find_page_session(&self, method: &Method, headers: &HeaderMap) -> Result<PageSession, Failure> {
        let has_credentials = CREDENTIALS.iter().any(|name| headers.contains_key(name));
        if has_credentials || !page::may_have_cookie(headers) {
            return Ok(PageSession::Absent);
        }
        let is_secure = self.web().is_secure();
        let cookie = page::find_cookie(headers, Cookie::Session.name(is_secure));
        if cookie == FoundCookie::Missing {
            return Ok(PageSession::Absent);
        }
        page::refuse_cross_site(method, headers, is_secure)?;
        let found = match cookie {
            FoundCookie::One(token) => self.access().find_session(token.as_bytes(), |_| true),
            FoundCookie::Missing | FoundCookie::Several => None,
        };
        Ok(found.map_or(PageSession::Ended, PageSession::Active))
    }

    /// Like `page_session`, where authentication is required: an ended session is refused, and `None` means that headers must
    /// authenticate.
    fn require_page_session(
        &self,
        method: &Method,
        headers: &HeaderMap,
    ) -> Result<Option<SessionCaller>, Failure> {
        match self.page_session(method, headers)? {
            PageSession::Absent => Ok(None),
            PageSession::Active(session) => Ok(Some(session)),
            PageSession::Ended => Err(self.unknown_session()),
        }
    }

    /// The optional user of a public read. No credentials are fine, a wrong key is refused, and an ended web session is
    /// ignored: public data stays readable.
    pub(crate) fn viewer(&self, meter: &Meter, headers: &HeaderMap) -> Result<Option<UserIndex>, Failure> {
        match self.page_session(&Method::GET, headers)? {
            PageSession::Active(session) => Ok(Some(Caller::from(session).noted(meter).user)),
            PageSession::Absent | PageSession::Ended => self.viewer_by_key(meter, headers),
        }
    }

    /// Like `viewer`, without a web session.
    pub(crate) fn viewer_by_key(
        &self,
        meter: &Meter,
        headers: &dyn Fields,
    ) -> Result<Option<UserIndex>, Failure> {
        let known = self.find_request_key(headers)?;
        Ok(known.map(|known| Caller::from(known.caller).noted(meter).user))
    }

    /// Read: `X-Public-Key` alone, charged to the key and the network; or a web session.
    pub(crate) fn reader(&self, meter: &Meter, headers: &HeaderMap) -> Result<Caller, Failure> {
        if let Some(session) = self.require_page_session(&Method::GET, headers)? {
            let caller = Caller::from(session).noted(meter);
            meter.charge_owner(caller.bucket_owner, OwnerBucket::Read)?;
            return Ok(caller);
        }
        self.reader_by_key(meter, headers)
    }

    /// Like `reader`, without a web session.
    pub(crate) fn reader_by_key(&self, meter: &Meter, headers: &dyn Fields) -> Result<Caller, Failure> {
        let known = self.find_request_key(headers)?;
        let missing = || self.unauthorized("The header X-Public-Key is missing", "header_missing");
        let caller = Caller::from(known.ok_or_else(missing)?.caller).noted(meter);
        meter.charge_read_by_key(caller.bucket_owner)?;
        Ok(caller)
    }

    /// Private read: a session, or a signature over the path without its query. `X-Public-Key` alone is not enough.
    pub(crate) fn private_reader(
        &self,
        meter: &Meter,
        head: &Head<'_>,
        page: Option<(&Method, &HeaderMap)>,
    ) -> Result<Caller, Failure> {
        if !head.fields.has_field(&PUBLIC_KEY) {
            return self.session(meter, head.fields, page, OwnerBucket::Read).map(Caller::from);
        }
        self.signer(meter, head, b"", &body_digest(b""), OwnerBucket::Read)
    }

    /// Write from a page: authenticated and charged by its session, without a signature. `None` if not from a page.
    pub(crate) fn authenticate_page_write(
        &self,
        meter: &Meter,
        method: &Method,
        headers: &HeaderMap,
        bucket: OwnerBucket,
    ) -> Result<Option<Caller>, Failure> {
        let Some(session) = self.require_page_session(method, headers)? else { return Ok(None) };
        let caller = Caller::from(session).noted(meter);
        meter.charge_owner(caller.bucket_owner, bucket)?;
        Ok(Some(caller))
    }

    /// Write: verifies the signature over the raw path and the body, given its digest, then charges the key.
    pub(crate) fn signer(
        &self,
        meter: &Meter,
        head: &Head<'_>,
        body: &[u8],
        digest: &[u8; 32],
        bucket: OwnerBucket,
    ) -> Result<Caller, Failure> {
        let caller = Caller::from(self.verify_signature(head, body, digest)?).noted(meter);
        meter.charge_owner(caller.bucket_owner, bucket)?;
        Ok(caller)
    }

    fn verify_signature(
        &self,
        &Head { method, path, fields: headers, .. }: &Head<'_>,
        body: &[u8],
        digest: &[u8; 32],
    ) -> Result<KeyCaller, Failure> {
        let timestamp = self.single(headers, &TIMESTAMP, TIMESTAMP_HEADER)?;
        let signature = self.single(headers, &SIGNATURE, SIGNATURE_HEADER)?;
        if !headers.has_field(&PUBLIC_KEY) {
            return Err(self.unauthorized("The header X-Public-Key is missing", "header_missing"));
        }
        let signed = SignedRequest { timestamp, signature, method, path, body };
        let now = self.now_micros() / 1_000_000;
        match self.find_request_key(headers) {
            Ok(Some(CallerKey { caller, key })) => {
                signed.verify_digest(&key, now, digest).map_err(|fault| self.signing_failure(&fault))?;
                Ok(caller)
            }
            Ok(None) => Err(self.unauthorized("The header X-Public-Key is missing", "header_missing")),
            // An unknown key takes the same work, so that the duration reveals nothing.
            Err(unknown) => {
                let _ = signed.verify_digest(self.access().keyring().dummy(), now, digest);
                Err(unknown)
            }
        }
    }

    /// Session: the token and the device it was issued to, or a web session. Charges the user. `page` is set for a request
    /// that may come from a page of ours.
    pub(crate) fn session(
        &self,
        meter: &Meter,
        headers: &dyn Fields,
        page: Option<(&Method, &HeaderMap)>,
        bucket: OwnerBucket,
    ) -> Result<SessionCaller, Failure> {
        let session = self.verify_session(headers, page)?;
        Caller::from(session).noted(meter);
        meter.charge_owner(BucketOwner::WebSessions(session.user), bucket)?;
        Ok(session)
    }

    fn verify_session(
        &self,
        headers: &dyn Fields,
        page: Option<(&Method, &HeaderMap)>,
    ) -> Result<SessionCaller, Failure> {
        if let Some((method, headers)) = page
            && let Some(session) = self.require_page_session(method, headers)?
        {
            return Ok(session);
        }
        let token = self.single(headers, &AUTH_TOKEN, "x-auth-token")?;
        let device = self.single(headers, &DEVICE_ID, "x-device-id")?;
        let (Some(token), Some(device)) = (token, device) else {
            return Err(
                self.unauthorized("The headers x-auth-token and x-device-id are required", "header_missing")
            );
        };
        let found = self.access().find_session(token, |given_to| given_to == device);
        found.ok_or_else(|| self.unknown_session())
    }

    fn unknown_session(&self) -> Failure {
        self.unauthorized("The session is unknown or over", "unknown_session")
    }
}
