//! A real exchange behind the seam: `crates/client` signs, repeats where that is safe, and says when an outcome is unknown.

use std::time::Duration;

use api::Word;
use api::error::ErrorCode;
use client::{Access, Client, Error, Request};
use serde_json::value::RawValue;

use crate::settings::{McpError, Settings};
use crate::venue::{Call, Failure, Method, Venue, encoded};

/// How long a call is tried. A client of the protocol does not wait much longer for a tool.
const RETRY: Duration = Duration::from_secs(10);

/// A running exchange, as one account.
#[derive(Debug)]
pub(crate) struct Exchange(Client);

impl Exchange {
    pub(crate) fn new(settings: &Settings) -> Result<Exchange, McpError> {
        let builder = Client::builder(&settings.url).currency(settings.currency).retry(RETRY);
        let builder = match &settings.key {
            None => builder,
            Some(key) => match &key.secret {
                Some(secret) => builder.key(&key.public, secret),
                None => builder.public_key(&key.public),
            },
        };
        builder.build().map(Exchange).map_err(|error| McpError::Exchange(error.to_string()))
    }
}

impl Venue for Exchange {
    async fn send(&self, call: Call) -> Result<String, Failure> {
        let request = request(&call).map_err(|error| failure(&error))?;
        self.0.send(&request).await.map(|answer| answer.body).map_err(|error| failure(&error))
    }
}

fn request(call: &Call) -> client::Result<Request> {
    let body = call.body.clone().map(RawValue::from_string).transpose();
    let body = body.map_err(|error| Error::Usage(error.to_string()))?;
    match (call.method, &call.key, body) {
        (Method::Get, ..) => {
            let access = if call.is_of_account { Access::Read } else { Access::Public };
            Ok(Request::read(&path_and_query(call), access))
        }
        (Method::Post, Some(key), Some(body)) => Request::keyed_write(&call.path, &body, Some(key.as_str())),
        (Method::Post, _, body) => Request::write("POST", &call.path, body.as_ref()),
        (Method::Delete, _, body) => Request::write("DELETE", &call.path, body.as_ref()),
    }
}

fn path_and_query(call: &Call) -> String {
    let pairs = call.query.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    let query = pairs.collect::<Vec<_>>().join("&");
    if query.is_empty() { call.path.clone() } else { format!("{}?{query}", call.path) }
}

/// The meaning of an error. A refusal of a repeated write may be the effect of its first try, and an error that this version
/// does not know may be of a write that was executed.
fn failure(error: &Error) -> Failure {
    match error {
        Error::Unreadable { .. } => Failure::Unreadable,
        Error::Transport { .. } | Error::Unavailable(_) | Error::Usage(_) => Failure::Unavailable,
        Error::Refused(refusal) | Error::RateLimited(refusal) if !refusal.is_repeated => {
            let code = ErrorCode::find(&refusal.code).map(Word::as_str);
            Failure::Refused { status: refusal.status, code }
        }
        // `Error::OutcomeUnknown` too.
        _ => Failure::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use client::{Error, Uuid};

    use super::{failure, path_and_query};
    use crate::venue::{Call, Failure};

    #[test]
    fn every_part_of_a_query_is_encoded() {
        let call = Call::get("/v1/pm/books").with("outcomeId[]", "a").with("q", "rain & snow=?");
        assert_eq!(path_and_query(&call), "/v1/pm/books?outcomeId%5B%5D=a&q=rain%20%26%20snow%3D%3F");
        assert_eq!(path_and_query(&Call::get("/v1/pm/solvency")), "/v1/pm/solvency");
    }

    #[test]
    fn a_lost_answer_and_an_unreadable_one_are_not_harmless() {
        let lost = Error::OutcomeUnknown {
            request: "POST /a".to_owned(),
            cause: "the connection ended".to_owned(),
            idempotency_key: None,
            command_id: Some(Uuid::nil()),
            trace_id: String::new(),
        };
        let unreadable = Error::Unreadable { request: String::new(), cause: String::new() };
        assert_eq!(failure(&lost), Failure::Unknown);
        assert!(!failure(&lost).is_harmless() && !failure(&unreadable).is_harmless());
        let transport =
            Error::Transport { request: String::new(), cause: String::new(), trace_id: String::new() };
        assert!(failure(&transport).is_harmless());
        assert!(failure(&Error::Usage("no key".to_owned())).is_harmless(), "nothing was sent");
    }

    #[test]
    fn an_error_without_a_meaning_of_its_own_is_not_harmless() {
        for error in [Error::Missing(String::new()), Error::StreamRefused(String::new())] {
            assert_eq!(failure(&error), Failure::Unknown, "{error:?}");
        }
    }
}
