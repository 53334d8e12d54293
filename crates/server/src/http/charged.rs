//! What is noted of a request while it runs: the network that asks and what it has paid, and for the answer's headers the
//! last charge and how far the state was that the answer comes from.

use std::cell::Cell;
use std::future::Future;

use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::fare::Fare;
use crate::limits::{Allowed, Network, Rate, Refused};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const SEQUENCE: HeaderName = HeaderName::from_static("x-sequence");

#[derive(Clone, Copy, Debug)]
pub(super) struct Charged {
    policy: &'static str,
    rate: Rate,
    remaining: u32,
    reset_seconds: u64,
}

tokio::task_local! {
    static NOTED: Noted;
}

#[derive(Debug)]
struct Noted {
    paid: Cell<Paid>,
    charged: Cell<Option<Charged>>,
    sequence: Cell<Option<u64>>,
}

/// What the network of a request has paid for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paid {
    pub(super) network: Network,
    pub(super) fare: Fare,
    /// Tokens that were taken and not returned.
    pub(super) tokens: u32,
}

impl Charged {
    pub(super) fn new(policy: &'static str, rate: Rate, taken: &Result<Allowed, Refused>) -> Charged {
        let (remaining, reset_seconds) = match taken {
            Ok(allowed) => (allowed.remaining, allowed.reset_seconds),
            Err(refused) => (0, refused.retry_after_seconds),
        };
        Charged { policy, rate, remaining, reset_seconds }
    }
}

/// Notes a charge; the last one of a request is shown.
pub(super) fn note(charged: Charged) {
    // Outside of a request there is nobody to tell.
    let _ = NOTED.try_with(|noted| noted.charged.set(Some(charged)));
}

/// Notes that the answer comes from a state that had applied everything up to here. Of several looks the earliest counts:
/// the answer is no older than that.
pub(crate) fn note_sequence(sequence: u64) {
    let earliest = |noted: &Noted| {
        let before = noted.sequence.get().unwrap_or(sequence);
        noted.sequence.set(Some(before.min(sequence)));
    };
    let _ = NOTED.try_with(earliest);
}

/// What the network of the running request has paid.
pub(super) fn paid() -> Option<Paid> {
    NOTED.try_with(|noted| noted.paid.get()).ok()
}

/// Notes how many tokens of its network the running request holds from now on.
pub(super) fn note_paid(tokens: u32) {
    let _ = NOTED.try_with(|noted| noted.paid.set(Paid { tokens, ..noted.paid.get() }));
}

/// Runs a request and adds `RateLimit`, `RateLimit-Policy` and `x-sequence` to its answer. `first` is what it was charged before.
pub(super) async fn watch(
    paid: Paid,
    first: Option<Charged>,
    request: impl Future<Output = Response>,
) -> Response {
    let noted = Noted { paid: Cell::new(paid), charged: Cell::new(first), sequence: Cell::new(None) };
    NOTED
        .scope(noted, async {
            let mut response = request.await;
            let (charged, sequence) = NOTED.with(|noted| (noted.charged.get(), noted.sequence.get()));
            if let Some(charged) = charged {
                write(charged, response.headers_mut());
            }
            // What was refused says nothing about the state.
            if let Some(sequence) = sequence.filter(|_| !is_refusal(&response)) {
                response.headers_mut().insert(SEQUENCE, HeaderValue::from(sequence));
            }
            response
        })
        .await
}

fn is_refusal(response: &Response) -> bool {
    response.status().is_client_error() || response.status().is_server_error()
}

fn write(charged: Charged, headers: &mut HeaderMap) {
    let Charged { policy, rate, remaining, reset_seconds } = charged;
    let limit = [("\";r=", u64::from(remaining)), (";t=", reset_seconds)];
    let described = [("\";q=", u64::from(rate.per_second)), (";w=", 1)];
    for (name, parameters) in [(LIMIT, limit), (POLICY, described)] {
        if let Ok(value) = HeaderValue::try_from(item(policy, parameters)) {
            headers.insert(name, value);
        }
    }
}

/// `"policy";a=1;b=2`, by hand: every answer has two of them, and formatting is the dearest way to write digits.
fn item(policy: &str, parameters: [(&str, u64); 2]) -> String {
    let mut text = String::with_capacity(48);
    text.push('"');
    text.push_str(policy);
    for (name, value) in parameters {
        text.push_str(name);
        push_digits(&mut text, value);
    }
    text
}

fn push_digits(text: &mut String, value: u64) {
    if value >= 10 {
        push_digits(text, value / 10);
    }
    text.push(char::from(b'0' + (value % 10) as u8));
}

#[cfg(test)]
mod tests {
    use super::item;

    #[test]
    fn a_policy_is_written_with_its_numbers() {
        assert_eq!(item("write", [("\";r=", 0), (";t=", 1_200)]), r#""write";r=0;t=1200"#);
        let most = format!(r#""read";q={};w=1"#, u64::MAX);
        assert_eq!(item("read", [("\";q=", u64::MAX), (";w=", 1)]), most);
    }
}
