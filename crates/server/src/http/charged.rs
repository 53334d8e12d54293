//! Which bucket a request was charged to and what it left, on its way from the handler to the answer's headers.

use std::cell::Cell;
use std::future::Future;

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::limits::{Allowed, Rate, Refused};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

#[derive(Clone, Copy, Debug)]
struct Charged {
    policy: &'static str,
    rate: Rate,
    remaining: u32,
    reset_seconds: u64,
}

tokio::task_local! {
    static CHARGED: Cell<Option<Charged>>;
}

/// Notes a charge; the last one of a request is shown.
pub(super) fn note(policy: &'static str, rate: Rate, taken: &Result<Allowed, Refused>) {
    let (remaining, reset_seconds) = match taken {
        Ok(allowed) => (allowed.remaining, allowed.reset_seconds),
        Err(refused) => (0, refused.retry_after_seconds),
    };
    let charged = Charged { policy, rate, remaining, reset_seconds };
    // Outside of a request there is nobody to tell.
    let _ = CHARGED.try_with(|cell| cell.set(Some(charged)));
}

/// Runs a request and adds `RateLimit` and `RateLimit-Policy` to its answer.
pub(super) async fn watch<R>(
    request: impl Future<Output = R>,
    headers: impl FnOnce(&mut R) -> &mut HeaderMap,
) -> R {
    CHARGED
        .scope(Cell::new(None), async {
            let mut response = request.await;
            if let Some(charged) = CHARGED.with(Cell::get) {
                write(charged, headers(&mut response));
            }
            response
        })
        .await
}

fn write(charged: Charged, headers: &mut HeaderMap) {
    let Charged { policy, rate, remaining, reset_seconds } = charged;
    let limit = format!("\"{policy}\";r={remaining};t={reset_seconds}");
    let described = format!("\"{policy}\";q={};w=1", rate.per_second);
    for (name, text) in [(LIMIT, limit), (POLICY, described)] {
        if let Ok(value) = HeaderValue::try_from(text) {
            headers.insert(name, value);
        }
    }
}
