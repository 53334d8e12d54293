//! One try of a request: a complete answer, or the way in which there is none.

use std::error::Error as StdError;
use std::{fmt, iter};

use reqwest::header::HeaderMap;
use serde::de::DeserializeOwned;

use crate::error::{Error, Refusal, Result};

/// The longest body of an answer: 64 MiB.
const BODY_BYTES_MAX: usize = 64 << 20;

/// A complete answer.
#[derive(Clone)]
#[non_exhaustive]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
    /// The sequence of the exchange's state that the answer was read from; none if the answer had none.
    pub as_of: Option<u64>,
    /// The exchange had executed the request before: this is the first answer again.
    pub is_replayed: bool,
    /// An earlier try got no answer.
    pub is_repeated: bool,
    /// Since when the route is deprecated, and when it ends; empty if it is not.
    pub deprecation: String,
    /// Method and path of the request.
    pub request: String,
    pub(crate) retry_after: Option<String>,
}

impl Answer {
    /// The body as a value.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(&self.body).map_err(|error| self.unreadable(&error))
    }

    pub(crate) fn unreadable(&self, cause: &dyn fmt::Display) -> Error {
        Error::Unreadable { request: self.request.clone(), cause: cause.to_string() }
    }

    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub(crate) fn refusal(&self) -> Refusal {
        Refusal::read(self.status, &self.body, self.retry_after.as_deref())
    }
}

/// Without the body: an issued key has a secret in it.
impl fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Answer")
            .field("status", &self.status)
            .field("request", &self.request)
            .field("as_of", &self.as_of)
            .field("is_replayed", &self.is_replayed)
            .field("is_repeated", &self.is_repeated)
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// Why there is no complete answer, in words.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// The exchange was not reached: the request was not executed.
    NotSent(String),
    /// The connection ended or timed out before a complete answer: the request may have been executed.
    Lost(String),
}

impl From<reqwest::Error> for NoAnswer {
    fn from(error: reqwest::Error) -> NoAnswer {
        let is_before_sending = error.is_connect();
        // The address may contain a password.
        let error = error.without_url();
        let first: &(dyn StdError + 'static) = &error;
        let causes = iter::successors(Some(first), |&error| error.source());
        let words = causes.map(ToString::to_string).collect::<Vec<_>>().join(": ");
        if is_before_sending { NoAnswer::NotSent(words) } else { NoAnswer::Lost(words) }
    }
}

/// Sends one try and reads the whole answer.
pub(crate) async fn send_try(
    request: reqwest::RequestBuilder,
    described: String,
) -> Result<Answer, NoAnswer> {
    let mut response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await? {
        append(&mut body, &part, BODY_BYTES_MAX)?;
    }
    read_answer(status, &headers, &body, described)
}

/// Adds a part of a body, unless it would become too long. No answer of the exchange is that long.
fn append(body: &mut Vec<u8>, part: &[u8], bytes_max: usize) -> Result<(), NoAnswer> {
    if body.len() + part.len() > bytes_max {
        return Err(NoAnswer::Lost(format!("an answer of more than {bytes_max} bytes")));
    }
    body.extend_from_slice(part);
    Ok(())
}

/// A success that is not JSON is no answer: a proxy may have cut or replaced it.
fn read_answer(status: u16, headers: &HeaderMap, body: &[u8], request: String) -> Result<Answer, NoAnswer> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let deprecation: Vec<_> = ["deprecation", "sunset"].into_iter().filter_map(header).collect();
    let answer = Answer {
        status,
        body: String::from_utf8_lossy(body).into_owned(),
        as_of: header("x-sequence").and_then(|sequence| sequence.parse().ok()),
        is_replayed: header("idempotent-replayed") == Some("true"),
        is_repeated: false,
        deprecation: deprecation.join(" "),
        request,
        retry_after: header("retry-after").map(str::to_owned),
    };
    if answer.is_success() && serde_json::from_slice::<serde::de::IgnoredAny>(body).is_err() {
        return Err(NoAnswer::Lost(format!("status {status} with a body that is not JSON")));
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(status: u16, pairs: &[(&'static str, &str)], body: &str) -> Result<Answer, NoAnswer> {
        let headers = pairs.iter().map(|(name, value)| {
            (reqwest::header::HeaderName::from_static(name), value.parse().expect("a header"))
        });
        read_answer(status, &headers.collect(), body.as_bytes(), "GET /a".to_owned())
    }

    #[test]
    fn the_headers_that_clients_use_are_read() {
        let headers = [("x-sequence", "812"), ("idempotent-replayed", "true"), ("deprecation", "@1")];
        let answer = read(200, &headers, "{}").expect("an answer");
        assert_eq!((answer.as_of, answer.is_replayed, answer.deprecation.as_str()), (Some(812), true, "@1"));
        let plain = read(200, &[("x-sequence", "new")], "[]").expect("an answer");
        assert_eq!((plain.as_of, plain.is_replayed, plain.is_success()), (None, false, true));
    }

    #[test]
    fn a_success_that_is_not_json_is_no_answer_and_a_refusal_may_be_anything() {
        for body in ["", "<html>", r#"{"order":{"id""#] {
            assert!(matches!(read(200, &[], body), Err(NoAnswer::Lost(_))), "{body}");
            assert!(read(502, &[], body).is_ok_and(|answer| !answer.refusal().is_ours));
        }
    }

    #[test]
    fn a_body_is_bounded_and_not_shown() {
        let mut body = Vec::new();
        assert!(append(&mut body, b"ab", 4).is_ok() && append(&mut body, b"cd", 4).is_ok());
        assert!(matches!(append(&mut body, b"e", 4), Err(NoAnswer::Lost(_))));
        assert_eq!(body, b"abcd");
        let answer = read(200, &[], r#"{"secretKey":"sk_live_2"}"#).expect("an answer");
        assert!(!format!("{answer:?}").contains("sk_live"));
    }

    #[test]
    fn an_answer_of_another_shape_is_unreadable_and_names_its_request() {
        let error = read(200, &[], r#"{"a":1}"#).expect("an answer").read::<Vec<u8>>().expect_err("no list");
        assert!(matches!(&error, Error::Unreadable { request, .. } if request == "GET /a"), "{error}");
    }
}
