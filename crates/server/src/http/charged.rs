//! Per-request notes: the client's network, its payment and the last charge; and the response headers with the charge
//! and the sequence of the state that was read.

use std::cell::Cell;
use std::future::Future;

use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::fare::Fare;
use crate::limits::{Allowed, Network, Rate, Refused};
use crate::reading::{run_noting_sequence, with_noted_sequence};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
pub(crate) const SEQUENCE: HeaderName = HeaderName::from_static("x-sequence");

#[derive(Clone, Copy, Debug)]
pub struct Charged {
    policy: &'static str,
    rate: Rate,
    remaining: u32,
    reset_seconds: u64,
}

tokio::task_local! {
    static CONTEXT: RequestContext;
}

#[derive(Debug)]
struct RequestContext {
    paid: Cell<Paid>,
    charged: Cell<Option<Charged>>,
}

/// The tokens that the network of a request has paid for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paid {
    pub(super) network: Network,
    pub(super) fare: Fare,
    /// Tokens taken and not refunded.
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

    /// The header fields that show the charge.
    pub(crate) fn fields(self) -> [(HeaderName, String); 2] {
        let Charged { policy, rate, remaining, reset_seconds } = self;
        let limit = [("\";r=", u64::from(remaining)), (";t=", reset_seconds)];
        let described = [("\";q=", u64::from(rate.per_second)), (";w=", 1)];
        [(LIMIT, item(policy, limit)), (POLICY, item(policy, described))]
    }
}

/// Records a charge; the headers show the last one.
pub(super) fn note(charged: Charged) {
    // Outside a request there are no headers to set.
    let _ = CONTEXT.try_with(|context| context.charged.set(Some(charged)));
}

/// The tokens that the network of the current request has paid. `None` outside a request.
pub(super) fn paid() -> Option<Paid> {
    CONTEXT.try_with(|context| context.paid.get()).ok()
}

/// Records how many tokens its network has paid for the current request.
pub(super) fn note_paid(tokens: u32) {
    let _ = CONTEXT.try_with(|context| context.paid.set(Paid { tokens, ..context.paid.get() }));
}

/// The notes of a request that is handled in several steps, on several threads.
#[derive(Clone, Copy, Debug)]
pub struct RequestNotes {
    pub(crate) paid: Paid,
    pub(crate) charged: Option<Charged>,
    /// The sequence of the state that the response was made from.
    pub(crate) sequence: Option<u64>,
}

impl RequestNotes {
    /// Runs a step without awaiting.
    pub(crate) fn run<T>(&mut self, step: impl FnOnce() -> T) -> T {
        let context = RequestContext { paid: Cell::new(self.paid), charged: Cell::new(self.charged) };
        let (done, sequence) = CONTEXT.sync_scope(context, || {
            let noted = run_noting_sequence(step);
            CONTEXT.with(|context| (self.paid, self.charged) = (context.paid.get(), context.charged.get()));
            noted
        });
        self.note_sequence(sequence);
        done
    }

    /// Runs a step that may await.
    pub(crate) async fn wait<T>(mut self, step: impl Future<Output = T>) -> (RequestNotes, T) {
        let context = RequestContext { paid: Cell::new(self.paid), charged: Cell::new(self.charged) };
        let step = async {
            let noted = with_noted_sequence(step).await;
            CONTEXT.with(|context| (self.paid, self.charged) = (context.paid.get(), context.charged.get()));
            noted
        };
        let (done, sequence) = CONTEXT.scope(context, step).await;
        self.note_sequence(sequence);
        (self, done)
    }

    /// With several steps the lowest sequence counts.
    fn note_sequence(&mut self, sequence: Option<u64>) {
        self.sequence = self.sequence.into_iter().chain(sequence).min();
    }
}

/// Runs a request and adds `RateLimit`, `RateLimit-Policy` and `x-sequence` to the response. `first` is the earlier
/// charge.
pub(super) async fn watch(
    paid: Paid,
    first: Option<Charged>,
    request: impl Future<Output = Response>,
) -> Response {
    let context = RequestContext { paid: Cell::new(paid), charged: Cell::new(first) };
    CONTEXT
        .scope(context, async {
            let (mut response, sequence) = with_noted_sequence(request).await;
            if let Some(charged) = CONTEXT.with(|context| context.charged.get()) {
                write(charged, response.headers_mut());
            }
            // An error response says nothing about the state.
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
    for (name, value) in charged.fields() {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
}

/// `"policy";a=1;b=2`. Written by hand, because every response has two of these and `format!` is slower.
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
