//! A row of a table of endpoints: everything about an endpoint except its function.
//!
//! The router, the OpenAPI document, the fares, the access matrix and the counters follow from the rows. `table.rs` has the
//! macro that writes them.

use api::error::{BadRequest, ErrorBody};

use super::body::{Body, Query};
use super::deprecation::Deprecated;
use super::freshness::Freshness;

/// The credentials that an operation needs. Spec, Authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Public,
    /// Public, and personal when `X-Public-Key` is sent.
    Personal,
    Session,
    /// `X-Public-Key` alone.
    Read,
    /// A read that a public key alone does not open: a session, or a signature.
    Private,
    Write,
    /// Any operator's token. This and the next two are for the operators' listener.
    Viewer,
    /// The token of an operator whose role is operator or approver.
    Operator,
    /// An approver's token.
    Approver,
}

impl Access {
    pub const fn is_operators(self) -> bool {
        matches!(self, Access::Viewer | Access::Operator | Access::Approver)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Delete,
}

impl Method {
    pub const GET: Method = Method::Get;
    pub const POST: Method = Method::Post;
    pub const PUT: Method = Method::Put;
    pub const DELETE: Method = Method::Delete;

    pub(crate) const fn to_http(self) -> http::Method {
        match self {
            Method::Get => http::Method::GET,
            Method::Post => http::Method::POST,
            Method::Put => http::Method::PUT,
            Method::Delete => http::Method::DELETE,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Delete => "DELETE",
        }
    }
}

pub const JSON: &str = "application/json";
pub const YAML: &str = "application/yaml";
pub const HTML: &str = "text/html";
pub const TEXT: &str = "text/plain";

#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The name of its function; an alias has a suffix.
    pub id: &'static str,
    pub method: Method,
    pub path: &'static str,
    pub tag: &'static str,
    pub summary: &'static str,
    /// Empty on the operators' listener and for a page.
    pub description: &'static str,
    pub access: Access,
    pub query: Option<Query>,
    pub body: Option<Body>,
    /// The media types of a body that is a file.
    pub file: &'static [&'static str],
    pub success: u16,
    /// None: plain text, or JSON without a schema.
    pub answer: Option<Body>,
    /// The media type of a success.
    pub content: &'static str,
    /// The body of a 503 response, if it is not an error body.
    pub unavailable: Option<Body>,
    /// The body of a 202 response: the command was proposed and needs another person.
    pub accepted: Option<Body>,
    /// Some: the operation is deprecated, and its responses have the headers for that.
    pub deprecated: Option<Deprecated>,
    /// The operation whose scope of idempotency keys it shares.
    pub alias: Option<(Method, &'static str)>,
    /// How quickly its answer becomes outdated. Some: answers have a tag, and may be cached.
    pub(crate) freshness: Option<Freshness>,
    /// Its function is in the table; others are behind the router of pages.
    pub is_called: bool,
    /// Only a signature opens it, not a page's session.
    pub is_signed_only: bool,
    /// Large answers are compressed.
    pub is_packed: bool,
    /// It may take long (a walk, compression, history): a lane leaves it to the runtime.
    pub is_heavy: bool,
    /// A malformed body is refused as a batch.
    pub is_batch: bool,
    /// Requests have no idempotency key.
    pub is_keyless: bool,
    /// It cancels, so it is charged to the bucket of cancels.
    pub is_cancel: bool,
    /// Only pages of the same origin may read its answers.
    pub is_own: bool,
    /// A probe: free of limits, and logged at `debug`.
    pub is_probe: bool,
    /// A page or a file of one, in its own bucket.
    pub is_file: bool,
}

impl Operation {
    /// A row with every default.
    pub const fn new(id: &'static str, method: Method, path: &'static str, access: Access) -> Operation {
        Operation {
            id,
            method,
            path,
            tag: "",
            summary: "",
            description: "",
            access,
            query: None,
            body: None,
            file: &[],
            success: 200,
            answer: None,
            content: JSON,
            unavailable: None,
            accepted: None,
            deprecated: None,
            alias: None,
            freshness: None,
            is_called: false,
            is_signed_only: false,
            is_packed: false,
            is_heavy: false,
            is_batch: false,
            is_keyless: false,
            is_cancel: false,
            is_own: false,
            is_probe: false,
            is_file: false,
        }
    }

    /// A page or a stream: a row without documentation.
    pub(crate) const fn hidden(method: Method, path: &'static str) -> Operation {
        Operation::new("", method, path, Access::Public)
    }

    /// A body that may be missing counts as `{}`.
    pub(crate) const fn optional(mut self) -> Operation {
        if let Some(body) = &mut self.body {
            body.is_optional = true;
        }
        self
    }

    /// The answer is an array.
    pub(crate) const fn list(mut self) -> Operation {
        if let Some(answer) = &mut self.answer {
            answer.is_list = true;
        }
        self
    }

    pub(crate) const fn file(mut self, media_types: &'static [&'static str]) -> Operation {
        self.file = media_types;
        self
    }

    pub(crate) const fn success(mut self, status: u16) -> Operation {
        self.success = status;
        self
    }

    pub(crate) const fn content(mut self, content: &'static str) -> Operation {
        self.content = content;
        self
    }

    pub(crate) const fn unavailable(mut self, body: Body) -> Operation {
        self.unavailable = Some(body);
        self
    }

    pub(crate) const fn accepted(mut self, body: Body) -> Operation {
        self.accepted = Some(body);
        self
    }

    pub(crate) const fn alias(mut self, method: Method, path: &'static str) -> Operation {
        self.alias = Some((method, path));
        self
    }

    pub(crate) const fn live(mut self) -> Operation {
        self.freshness = Some(Freshness::Live);
        self
    }

    pub(crate) const fn slow(mut self) -> Operation {
        self.freshness = Some(Freshness::Slow);
        self
    }

    pub(crate) const fn packed(mut self) -> Operation {
        self.is_packed = true;
        self
    }

    pub(crate) const fn heavy(mut self) -> Operation {
        self.is_heavy = true;
        self
    }

    pub(crate) const fn cancel(mut self) -> Operation {
        self.is_cancel = true;
        self
    }

    pub(crate) const fn own(mut self) -> Operation {
        self.is_own = true;
        self
    }

    pub(crate) const fn signed_only(mut self) -> Operation {
        self.is_signed_only = true;
        self
    }

    pub(crate) const fn probe(mut self) -> Operation {
        self.is_probe = true;
        self
    }

    /// A page, or a file that a page loads.
    pub(crate) const fn page(mut self) -> Operation {
        self.is_file = true;
        self
    }

    /// The method and path that scope its idempotency keys.
    pub(crate) const fn scope(&self) -> (Method, &'static str) {
        match self.alias {
            Some(scope) => scope,
            None => (self.method, self.path),
        }
    }

    pub(crate) const fn batch(mut self) -> Operation {
        self.is_batch = true;
        self
    }

    /// Whether its requests have a body to read.
    pub(crate) const fn reads_body(&self) -> bool {
        self.body.is_some() || matches!(self.access, Access::Write)
    }

    /// The error of a malformed body.
    pub(crate) fn refuse_body(&self, bad: BadRequest) -> ErrorBody {
        if self.is_batch { ErrorBody::bad_batch(bad.message) } else { bad.into() }
    }

    /// Requests have no idempotency key: nothing is written, or only to the people store or as a file.
    pub(crate) const fn keyless(mut self) -> Operation {
        self.is_keyless = true;
        self
    }

    /// Whether a repetition under an `Idempotency-Key` is answered with the first answer.
    pub fn is_repeatable(&self) -> bool {
        let is_write = match self.access {
            Access::Write => true,
            Access::Operator | Access::Approver => self.method != Method::Get,
            _ => false,
        };
        is_write && !self.is_keyless
    }
}
