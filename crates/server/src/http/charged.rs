//! Which bucket a request was charged to and what it left, on its way from the handler to the answer's headers.

use std::cell::Cell;
use std::future::Future;

use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::limits::{Allowed, Rate, Refused};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

#[derive(Clone, Copy, Debug)]
pub(super) struct Charged {
    policy: &'static str,
    rate: Rate,
    remaining: u32,
    reset_seconds: u64,
}

tokio::task_local! {
    static CHARGED: Cell<Option<Charged>>;
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
    let _ = CHARGED.try_with(|cell| cell.set(Some(charged)));
}

/// Whether a bucket was charged for the request that runs.
pub(super) fn is_noted() -> bool {
    CHARGED.try_with(|cell| cell.get().is_some()).unwrap_or(false)
}

/// Runs a request and adds `RateLimit` and `RateLimit-Policy` to its answer. `first` is what it was charged before.
pub(super) async fn watch(first: Option<Charged>, request: impl Future<Output = Response>) -> Response {
    CHARGED
        .scope(Cell::new(first), async {
            let mut response = request.await;
            if let Some(charged) = CHARGED.with(Cell::get) {
                write(charged, response.headers_mut());
            }
            response
        })
        .await
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
