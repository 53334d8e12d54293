//! One request: its text, the headers that it needs, and whether it may be repeated. Nothing here sends.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::query::Query;
use crate::retry::KEY_SECONDS;

/// The headers that a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// None; the public key is sent if there is one.
    Public,
    /// The public key.
    Read,
    /// The public key and a signature, for a read.
    Private,
    /// The public key and a signature.
    Write,
    /// The token and the device of a login, in `Request::headers`.
    Session,
}

/// What sending a request twice does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// A read, or a write that sets the same state again, such as a cancel or an amend.
    Harmless,
    /// A write with an idempotency key, which the exchange executes once.
    Keyed,
    /// A write that would be executed twice.
    Never,
}

/// A request to the exchange, for calls without a method of their own. The body is encoded once: every try sends and
/// signs the same text.
#[derive(Clone)]
pub struct Request {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    /// With its question mark; empty without parameters.
    pub(crate) query: String,
    pub(crate) body: Option<String>,
    pub(crate) access: Access,
    pub(crate) repeat: Repeat,
    pub(crate) idempotency_key: Option<String>,
    /// How long the exchange remembers the key, in seconds; a day if it is not set.
    pub(crate) idempotency_window: Option<u64>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) headers: Vec<(&'static str, String)>,
}

impl Request {
    /// A read of a path, with an optional query behind a question mark.
    pub fn read(path: &str, access: Access) -> Request {
        let (path, query) =
            path.split_once('?').map_or((path, String::new()), |(path, query)| (path, format!("?{query}")));
        Request { query, ..Request::bare("GET", path.to_owned(), access) }
    }

    /// A signed write that may be repeated without harm.
    pub fn write(method: &'static str, path: &str, body: Option<&impl Serialize>) -> Result<Request> {
        let body = body.map(encode).transpose()?;
        Ok(Request { body, ..Request::bare(method, path.to_owned(), Access::Write) })
    }

    /// A signed write that the exchange executes once, however often it arrives. Without a key it gets a random one,
    /// which the exchange forgets after ten minutes; a key of your own lives for a day.
    pub fn keyed_write(path: &str, body: &impl Serialize, key: Option<&str>) -> Result<Request> {
        let (key, window) = match key {
            Some(key) => (key.to_owned(), None),
            None => (Uuid::new_v4().to_string(), Some(KEY_SECONDS)),
        };
        Ok(Request {
            repeat: Repeat::Keyed,
            idempotency_key: Some(key),
            idempotency_window: window,
            ..Request::write("POST", path, Some(body))?
        })
    }

    pub(crate) fn get(path: String, query: &Query, access: Access) -> Request {
        Request { query: query.text(), ..Request::bare("GET", path, access) }
    }

    /// A POST that changes nothing, such as a quote.
    pub(crate) fn question(path: String, body: &impl Serialize) -> Result<Request> {
        Ok(Request { body: Some(encode(body)?), ..Request::bare("POST", path, Access::Public) })
    }

    /// A write without a key and without a signature: a login, or an act of a session.
    pub(crate) fn once(
        path: &str,
        body: &impl Serialize,
        access: Access,
        headers: Vec<(&'static str, String)>,
    ) -> Result<Request> {
        let body = Some(encode(body)?);
        Ok(Request { body, headers, repeat: Repeat::Never, ..Request::bare("POST", path.to_owned(), access) })
    }

    fn bare(method: &'static str, path: String, access: Access) -> Request {
        Request {
            method,
            path,
            query: String::new(),
            body: None,
            access,
            repeat: Repeat::Harmless,
            idempotency_key: None,
            idempotency_window: None,
            timeout: None,
            headers: Vec::new(),
        }
    }

    /// Whether the request can change something.
    pub(crate) fn is_write(&self) -> bool {
        matches!(self.access, Access::Write | Access::Session) || self.repeat == Repeat::Never
    }
}

fn encode(body: &impl Serialize) -> Result<String> {
    serde_json::to_string(body).map_err(|error| Error::Usage(format!("the body is no JSON: {error}")))
}

/// Method and path.
impl fmt::Display for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.method, self.path)
    }
}

/// Without body and headers: a login has secrets in them.
impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Request({self})")
    }
}
