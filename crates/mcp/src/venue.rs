//! The seam to the exchange: one call, one answer. `exchange.rs` implements it over HTTP, tests by a script.
//!
//! The implementation repeats a call where that is safe. A failure says whether the call may have been executed.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything but letters, digits, hyphens and underscores.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// A text as one segment of a path; none if it cannot be one. An address with `%2E%2E` leads to the parent, as with `..`.
pub(crate) fn segment(text: &str) -> Option<String> {
    (!matches!(text, "" | "." | "..")).then(|| encoded(text))
}

/// A text as one part of a query or of a resource's address. It cannot leave its place.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) method: Method,
    /// From `/v1` on, with every part encoded.
    pub(crate) path: String,
    pub(crate) query: Vec<(&'static str, String)>,
    pub(crate) body: Option<String>,
    /// A read of the account, with its public key. A write is always signed.
    pub(crate) is_of_account: bool,
    /// The idempotency key of a write that adds something.
    pub(crate) key: Option<String>,
}

/// The methods that the tools need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
    Delete,
}

impl Call {
    pub(crate) fn get(path: impl Into<String>) -> Call {
        let (method, path) = (Method::Get, path.into());
        Call { method, path, query: Vec::new(), body: None, is_of_account: false, key: None }
    }

    pub(crate) fn post(path: impl Into<String>, body: String) -> Call {
        Call { method: Method::Post, body: Some(body), ..Call::get(path) }
    }

    pub(crate) fn delete(path: impl Into<String>) -> Call {
        Call { method: Method::Delete, ..Call::get(path) }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl fmt::Display) -> Call {
        self.query.push((name, value.to_string()));
        self
    }

    pub(crate) fn of_account(self) -> Call {
        Call { is_of_account: true, ..self }
    }

    pub(crate) fn keyed(self, key: &str) -> Call {
        Call { key: Some(key.to_owned()), ..self }
    }
}

/// A call without a success. It has no text of the venue: only statuses and the words of closed sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The exchange refused; nothing happened.
    Refused {
        status: u16,
        /// The rule that refused, such as `INSUFFICIENT_BALANCE`.
        code: Option<&'static str>,
    },
    /// The exchange cannot be reached or cannot answer now; nothing was written.
    Unavailable,
    /// A write that may have been executed.
    Unknown,
    /// An answer that cannot be read. A write was executed.
    Unreadable,
}

impl Failure {
    pub(crate) fn is_not_found(&self) -> bool {
        matches!(self, Failure::Refused { status: 404, .. })
    }

    /// Whether a write was certainly not executed.
    pub(crate) fn is_harmless(&self) -> bool {
        matches!(self, Failure::Refused { .. } | Failure::Unavailable)
    }
}

/// An exchange. The answer is the body as text, so that no number loses a digit.
pub(crate) trait Venue: Send + Sync + 'static {
    fn send(&self, call: Call) -> impl Future<Output = Result<String, Failure>> + Send;
}

#[cfg(test)]
mod tests {
    use super::segment;

    #[test]
    fn a_segment_cannot_leave_its_place() {
        assert_eq!(segment("a/../b?c").as_deref(), Some("a%2F%2E%2E%2Fb%3Fc"));
        assert_eq!(segment("%2e%2e").as_deref(), Some("%252e%252e"));
        for text in ["", ".", ".."] {
            assert_eq!(segment(text), None, "{text:?}");
        }
    }
}
