//! Per-request notes: its id, the client's network, its payment and the last charge, the caller and the command; and the
//! response headers with the charge and the sequence of the state that was read.

use std::cell::Cell;
use std::future::Future;
use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use exchange::id::{KeyId, OperatorId, UserId};
use http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

use super::fare::Fare;
use super::writing::mark_replayed;
use crate::limits::{Allowed, AnswerKind, Network, Rate, Refused, TooMuchUnread, UnreadBytes};
use crate::reading::{run_noting_sequence, with_noted_sequence};
use crate::signals::request_id::RequestId;

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
    id: RequestId,
    paid: Cell<Paid>,
    charged: Cell<Option<Charged>>,
    party: Cell<Party>,
    is_replayed: Cell<bool>,
    /// None in a lane, which counts what it sends itself.
    unread: Option<UnreadCounter>,
    /// The answer was dropped: its network has to read others first.
    has_too_much_unread: Cell<bool>,
}

/// Counts the answer to one request.
#[derive(Clone, Debug)]
pub(super) struct UnreadCounter {
    pub(super) all: Arc<UnreadBytes>,
    pub(super) kind: AnswerKind,
}

/// The caller of a request and the object of its command, for the access log. It has no secret: a key is named by its
/// id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Party {
    pub(crate) user: Option<UserId>,
    pub(crate) key: Option<KeyId>,
    pub(crate) operator: Option<OperatorId>,
    /// The order, or another object that the command creates or changes.
    pub(crate) command: Option<Uuid>,
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

    /// Whether it leaves fewer requests than another one.
    const fn is_tighter(self, other: Charged) -> bool {
        self.remaining < other.remaining
    }

    /// The header fields that show the charge.
    pub(crate) fn fields(self) -> [(HeaderName, String); 2] {
        let Charged { policy, rate, remaining, reset_seconds } = self;
        let limit = [("\";r=", u64::from(remaining)), (";t=", reset_seconds)];
        let described = [("\";q=", u64::from(rate.tokens)), (";w=", u64::from(rate.seconds))];
        [(LIMIT, item(policy, limit)), (POLICY, item(policy, described))]
    }
}

/// Records a charge; the headers show the last one.
pub(super) fn note(charged: Charged) {
    // Outside a request there are no headers to set.
    let _ = CONTEXT.try_with(|context| context.charged.set(Some(charged)));
}

/// Records a charge beside the last one; the headers show the one that leaves less.
pub(super) fn note_further(charged: Charged) {
    let _ = CONTEXT.try_with(|context| match context.charged.get() {
        Some(last) if last.is_tighter(charged) => {}
        _ => context.charged.set(Some(charged)),
    });
}

/// The tokens that the network of the current request has paid. `None` outside a request.
pub(super) fn paid() -> Option<Paid> {
    CONTEXT.try_with(|context| context.paid.get()).ok()
}

/// Records how many tokens its network has paid for the current request.
pub(super) fn note_paid(tokens: u32) {
    let _ = CONTEXT.try_with(|context| context.paid.set(Paid { tokens, ..context.paid.get() }));
}

/// Changes what is known of the current request's caller.
pub(crate) fn note_party(change: impl FnOnce(&mut Party)) {
    let _ = CONTEXT.try_with(|context| {
        let mut party = context.party.get();
        change(&mut party);
        context.party.set(party);
    });
}

/// Notes the order or other object that the current request is about.
pub(crate) fn note_command(id: Option<Uuid>) {
    if id.is_some() {
        note_party(|party| party.command = id);
    }
}

/// Notes that the response to an operator repeats an earlier one.
pub(crate) fn note_replayed() {
    let _ = CONTEXT.try_with(|context| context.is_replayed.set(true));
}

/// The caller of the current request, as far as it is known.
pub(super) fn party() -> Party {
    CONTEXT.try_with(|context| context.party.get()).unwrap_or_default()
}

/// Counts the bytes of the current request's answer for its network until they are sent. Empty if there are too many already:
/// the envelope then refuses the request.
pub(super) fn count_unread(bytes: Vec<u8>) -> Bytes {
    let counter =
        CONTEXT.try_with(|context| context.unread.clone().map(|unread| (unread, context.paid.get().network)));
    let Ok(Some((UnreadCounter { all, kind }, network))) = counter else { return bytes.into() };
    all.count_bytes(network, bytes, kind).unwrap_or_else(|TooMuchUnread| {
        let _ = CONTEXT.try_with(|context| context.has_too_much_unread.set(true));
        Bytes::new()
    })
}

/// Whether the answer to the current request was dropped.
pub(super) fn has_too_much_unread() -> bool {
    CONTEXT.try_with(|context| context.has_too_much_unread.get()).unwrap_or(false)
}

/// The id of the current request. `None` outside a request.
pub(crate) fn request_id() -> Option<RequestId> {
    CONTEXT.try_with(|context| context.id).ok()
}

/// The notes of a request that is handled in several steps, on several threads.
#[derive(Clone, Copy, Debug)]
pub struct RequestNotes {
    pub(crate) id: RequestId,
    pub(crate) paid: Paid,
    pub(crate) charged: Option<Charged>,
    /// The sequence of the state that the response was made from.
    pub(crate) sequence: Option<u64>,
    pub(crate) party: Party,
}

impl RequestNotes {
    fn context(&self) -> RequestContext {
        let RequestNotes { id, paid, charged, party, .. } = *self;
        let (paid, charged, party) = (Cell::new(paid), Cell::new(charged), Cell::new(party));
        let (is_replayed, has_too_much_unread) = (Cell::new(false), Cell::new(false));
        RequestContext { id, paid, charged, party, is_replayed, unread: None, has_too_much_unread }
    }

    /// Takes the notes of a step.
    fn take(&mut self, context: &RequestContext) {
        (self.paid, self.charged) = (context.paid.get(), context.charged.get());
        self.party = context.party.get();
    }

    /// Runs a step without awaiting.
    pub(crate) fn run<T>(&mut self, step: impl FnOnce() -> T) -> T {
        let (done, sequence) = CONTEXT.sync_scope(self.context(), || {
            let noted = run_noting_sequence(step);
            CONTEXT.with(|context| self.take(context));
            noted
        });
        self.note_sequence(sequence);
        done
    }

    /// Runs a step that may await.
    pub(crate) async fn wait<T>(mut self, step: impl Future<Output = T>) -> (RequestNotes, T) {
        let context = self.context();
        let step = async {
            let noted = with_noted_sequence(step).await;
            CONTEXT.with(|context| self.take(context));
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
    id: RequestId,
    paid: Paid,
    first: Option<Charged>,
    unread: UnreadCounter,
    request: impl Future<Output = Response>,
) -> Response {
    let (paid, charged, party) = (Cell::new(paid), Cell::new(first), Cell::new(Party::default()));
    let (is_replayed, has_too_much_unread) = (Cell::new(false), Cell::new(false));
    let unread = Some(unread);
    let context = RequestContext { id, paid, charged, party, is_replayed, unread, has_too_much_unread };
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
            if CONTEXT.with(|context| context.is_replayed.get()) {
                mark_replayed(&mut response);
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
