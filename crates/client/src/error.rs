//! Errors. After `Error::OutcomeUnknown` the write may have been executed; after `Error::Unreadable` it was executed.
//!
//! Cancels and amends have no key. If an answer to one is lost, it is sent again, and the second try may be refused because
//! the first was executed: `is_repeated` of a `Refusal` or of `Error::Item` is then true. Every other error of a write means
//! that it was not executed. `Error::was_not_executed` says so for any error.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::models::ItemError;

/// The result of a call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The exchange refused: the request is malformed, not allowed, or against a rule. Nothing happened, unless
    /// `refusal.is_repeated` says that an earlier try of a cancel may have been executed.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// Too many requests. Nothing happened; `refusal.retry_after` says when to try again.
    #[error("{0}")]
    RateLimited(Box<Refusal>),
    /// The service cannot take the request now. Nothing happened.
    #[error("{0}")]
    Unavailable(Box<Refusal>),
    /// The write may have been executed. Repeat it with this key within five minutes, or look up `command_id`.
    #[error("{request}: {cause}: the outcome is unknown{}", key_text(.idempotency_key.as_deref()))]
    OutcomeUnknown {
        /// Method and path.
        request: String,
        /// Why there is no answer.
        cause: String,
        /// The key of the write; none if it had none.
        idempotency_key: Option<String>,
        /// The id of the order or operation that may exist; none if no answer said so.
        command_id: Option<Uuid>,
        /// The `x-trace-id` of the request, which is in the operator's log.
        trace_id: String,
    },
    /// The exchange was not reached, or a read got no answer. Nothing was written.
    #[error("{request}: {cause}")]
    Transport {
        /// Method and path.
        request: String,
        /// What failed.
        cause: String,
        /// The `x-trace-id` of the request.
        trace_id: String,
    },
    /// The exchange answered with success, in a form that this version does not know.
    #[error("{request}: an answer that cannot be read: {cause}")]
    Unreadable {
        /// Method and path.
        request: String,
        /// The fault in the answer.
        cause: String,
    },
    /// The exchange refused a stream or a subscription.
    #[error("the stream was refused: {0}")]
    StreamRefused(String),
    /// An order had not reached its end within the given time. The order is unchanged.
    #[error("order {order_id} is still {status}")]
    WaitTimedOut {
        /// The order.
        order_id: Uuid,
        /// Its status.
        status: String,
    },
    /// One item of a batch failed.
    #[error("item {index} failed: {error}")]
    Item {
        /// Its place in the batch, from 0.
        index: u32,
        /// Why it failed.
        error: ItemError,
        /// An earlier try of an amend got no answer, so this refusal may be of its own effect.
        is_repeated: bool,
    },
    /// There is no such market, outcome or book in what was read.
    #[error("{0}")]
    Missing(String),
    /// The client lacks a key or has a wrong setting, or a call has wrong arguments. Nothing was sent.
    #[error("{0}")]
    Usage(String),
}

fn key_text(key: Option<&str>) -> String {
    key.map(|key| format!("; its idempotency key is {key}")).unwrap_or_default()
}

impl Error {
    /// The body of the refusing answer, if the exchange refused.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Error::Refused(refusal) | Error::RateLimited(refusal) | Error::Unavailable(refusal) => {
                Some(refusal)
            }
            _ => None,
        }
    }

    /// The rule that refused, such as `INSUFFICIENT_BALANCE`; empty without one.
    pub fn code(&self) -> &str {
        match self {
            Error::Item { error, .. } => error.reason.as_deref().unwrap_or(&error.code),
            error => error.refusal().map_or("", |refusal| &refusal.code),
        }
    }

    /// The HTTP status of a refusal.
    pub fn status(&self) -> Option<u16> {
        self.refusal().map(|refusal| refusal.status)
    }

    /// Whether the failed call certainly changed nothing. False means that it may have, or that it did.
    pub fn was_not_executed(&self) -> bool {
        match self {
            Error::OutcomeUnknown { .. } | Error::Unreadable { .. } => false,
            Error::Item { is_repeated, .. } => !is_repeated,
            error => error.refusal().is_none_or(|refusal| !refusal.is_repeated),
        }
    }

    /// Whether it does not exist, or is not yours.
    pub fn is_not_found(&self) -> bool {
        self.status() == Some(404)
    }

    /// The `x-trace-id` of the request, which is in the operator's log; empty for errors without a request.
    pub fn trace_id(&self) -> &str {
        match self {
            Error::OutcomeUnknown { trace_id, .. } | Error::Transport { trace_id, .. } => trace_id,
            error => error.refusal().map_or("", |refusal| &refusal.trace_id),
        }
    }

    /// The error for a refusal, by its status.
    pub(crate) fn of(refusal: Refusal) -> Error {
        let refusal = Box::new(refusal);
        match refusal.status {
            429 => Error::RateLimited(refusal),
            408 | 500.. => Error::Unavailable(refusal),
            _ => Error::Refused(refusal),
        }
    }
}

/// The body of a refusing answer. Programs use `error`, `code` and `reason`; `message` is for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The kind of failure, such as `not_found`.
    pub error: String,
    /// In words.
    pub message: String,
    /// The rule that refused, such as `INSUFFICIENT_BALANCE`; empty without one.
    pub code: String,
    /// The check of the credentials that failed; empty for other refusals.
    pub reason: String,
    /// How long to wait, if the exchange named it.
    pub retry_after: Option<Duration>,
    /// The id of the order or operation that may exist.
    pub command_id: Option<Uuid>,
    /// Whether the exchange itself does not know the outcome.
    pub is_outcome_unknown: bool,
    /// Whether the exchange wrote this body. A proxy in front of it may answer for itself.
    pub is_ours: bool,
    /// An earlier try of this request, a cancel or another write without a key, got no answer. So this refusal may be of
    /// its own effect.
    pub is_repeated: bool,
    /// The `x-trace-id` of the request.
    pub trace_id: String,
}

/// The fields of a refusing body. Each may be missing or of another type: a proxy may have written it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Body {
    error: Value,
    message: Value,
    status_code: Value,
    code: Value,
    reason: Value,
    retry_after: Value,
    outcome: Value,
    command_id: Value,
}

impl Refusal {
    /// Reads the body of a refusing answer, whatever its shape.
    pub(crate) fn read(status: u16, body: &str, retry_after_header: Option<&str>) -> Refusal {
        let body: Body = serde_json::from_str(body).unwrap_or_default();
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let named = body.retry_after.as_f64().or_else(|| body.retry_after.as_str()?.trim().parse().ok());
        let seconds = named.or_else(|| retry_after_header?.trim().parse().ok());
        Refusal {
            status,
            error: word(&body.error),
            message: word(&body.message),
            code: word(&body.code),
            reason: word(&body.reason),
            retry_after: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            command_id: body.command_id.as_str().and_then(|id| Uuid::parse_str(id).ok()),
            is_outcome_unknown: body.outcome == "unknown",
            is_ours: !body.error.is_null() && !body.status_code.is_null(),
            is_repeated: false,
            trace_id: String::new(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.status)?;
        let rule = [&self.code, &self.reason, &self.error].into_iter().find(|word| !word.is_empty());
        for word in rule.into_iter().chain(Some(&self.message).filter(|message| !message.is_empty())) {
            write!(formatter, " {word}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_of_the_exchange_is_read_with_its_code_and_its_wait() {
        let body = r#"{"error":"rate_limit","message":"Slow down","statusCode":429,"retryAfter":2}"#;
        let refusal = Refusal::read(429, body, Some("7"));
        assert!(refusal.is_ours && !refusal.is_outcome_unknown);
        assert_eq!(refusal.retry_after, Some(Duration::from_secs(2)));
        assert_eq!(refusal.to_string(), "429 rate_limit Slow down");
        assert!(matches!(Error::of(refusal), Error::RateLimited(_)));
    }

    #[test]
    fn a_page_of_a_proxy_is_not_ours() {
        for body in ["", "<html>502</html>", "[]", "\"no\"", r#"{"error":{"code":5},"retryAfter":"x"}"#] {
            let refusal = Refusal::read(502, body, Some("1.5"));
            assert!(!refusal.is_ours, "{body}");
            assert_eq!(refusal.retry_after, Some(Duration::from_millis(1_500)), "{body}");
            assert!(matches!(Error::of(refusal), Error::Unavailable(_)));
        }
    }

    #[test]
    fn an_error_names_the_rule_and_the_trace() {
        let body = r#"{"error":"unprocessable_entity","message":"No","statusCode":422,"code":"SLIPPAGE"}"#;
        let error = Error::of(Refusal { trace_id: "t1".to_owned(), ..Refusal::read(422, body, None) });
        assert_eq!((error.code(), error.status(), error.trace_id()), ("SLIPPAGE", Some(422), "t1"));
        assert!(!error.is_not_found());
    }

    #[test]
    fn an_error_says_whether_the_write_was_executed() {
        let refusal = |is_repeated| Error::of(Refusal { is_repeated, ..Refusal::read(422, "{}", None) });
        let item = |is_repeated| {
            let error = ItemError { code: "x".to_owned(), message: String::new(), reason: None };
            Error::Item { index: 0, error, is_repeated }
        };
        assert!(refusal(false).was_not_executed() && item(false).was_not_executed());
        assert!(!refusal(true).was_not_executed() && !item(true).was_not_executed());
        let [request, cause] = ["POST /a", "b"].map(str::to_owned);
        assert!(!Error::Unreadable { request, cause }.was_not_executed());
    }
}
