//! What happens to a request before and after its function, for both transports.
//!
//! In this order: find the row, charge the network (`open`), verify what the head can prove, read the body, verify the
//! signature and charge its owner (`Sent`), call the function (`call`), carry out its command, and finish the response:
//! tag and compression. `behind_hyper.rs` and `in_lane.rs` are the two transports.

use std::sync::Arc;
use std::time::Instant;

use api::error::{BadRequest, ErrorBody};
use api::signing::body_digest;
use bytes::Bytes;
use exchange::Request;
use exchange::command::Command;
use exchange::idempotency::IdempotencyKey;
use exchange::reply::Reply;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use uuid::Uuid;

use super::answer::Rendered;
use super::call::{Authorised, Call, Given, Sender};
use super::fields::Fields;
use super::freshness::{is_known, tag_of};
use super::idempotency::{canonical, idempotency_key, key_window, scope_of};
use super::matching::{Found, Row, Rows};
use super::meter::{Meter, OwnerBucket};
use super::opened::Opened;
use super::operation::{Access, Operation};
use super::table::{Endpoints, Step};
use crate::app::App;
use crate::failure::Failure;
use crate::http::credentials::Caller;
use crate::limits::AnswerKind;
use crate::pipeline::sequencer::Submitted;
use crate::view;
use crate::writing::{Decided, OpenWrite, WriteReceipt};

/// When a client whose network has too many unread answers may ask again.
const UNREAD_RETRY_SECONDS: u64 = 1;

/// The endpoints of a listener.
pub struct Edge {
    pub(super) app: Arc<App>,
    pub(super) endpoints: Box<dyn Endpoints>,
    pub(super) rows: Rows,
    pub(super) is_public: bool,
}

impl std::fmt::Debug for Edge {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Edge").field("is_public", &self.is_public).finish_non_exhaustive()
    }
}

/// Makes a response of a reply.
pub(crate) type Render = Box<dyn FnOnce(Reply) -> Result<Rendered, Failure> + Send>;

/// A submitted command, and what its reply is made into.
#[allow(missing_debug_implementations, reason = "a closure has nothing to print")]
pub(crate) enum Receipt {
    /// A user's write, whose response `respond` renders.
    Write(WriteReceipt),
    /// Another command, with the id of what it creates.
    Submitted(Option<Uuid>, Render),
}

impl Edge {
    /// `hidden`: rows without a function here, such as pages and streams.
    pub(crate) fn new(
        app: Arc<App>,
        endpoints: Box<dyn Endpoints>,
        hidden: impl Iterator<Item = &'static Operation>,
        is_public: bool,
    ) -> Edge {
        let rows = Rows::new(endpoints.operations().iter().chain(hidden), &app.signals().requests);
        Edge { app, endpoints, rows, is_public }
    }

    /// Whether a row's function is in the table, and not behind the router of pages.
    pub(super) fn is_endpoint(&self, row: &Row) -> bool {
        self.endpoints.operations().get(row.number).is_some_and(|operation| operation.is_called)
    }

    /// Refuses a read of a network that does not read what it asked for.
    pub(super) fn check_unread(
        &self,
        meter: &Meter,
        method: &Method,
        found: &Found<'_, '_>,
    ) -> Result<(), Failure> {
        let is_probe = found.row.is_some_and(|row| row.operation.is_probe);
        let is_read = AnswerKind::of(method.as_str()) == AnswerKind::Read && !is_probe;
        if !is_read || !self.app.limits().unread.is_full(meter.network()) {
            return Ok(());
        }
        Err(self.too_much_unread())
    }

    /// The refusal of a read whose network has to read others first.
    pub(super) fn too_much_unread(&self) -> Failure {
        self.app.signals().refusals.record_rate_limit("unread");
        let message = "Read the answers in flight before asking for more";
        ErrorBody::rate_limit(message, UNREAD_RETRY_SECONDS).into()
    }

    /// Verifies what the head alone can prove, before the body is read. `page` has the fields of a request that may come
    /// from a page of ours: a lane has none. None: the body decides.
    pub(super) fn verify_head(
        &self,
        operation: &Operation,
        head: &Head<'_>,
        page: Option<(&Method, &HeaderMap)>,
        meter: &Meter,
    ) -> Result<Option<Sender>, Failure> {
        let app = &self.app;
        Ok(match operation.access {
            Access::Public => Some(Sender::Anyone),
            Access::Personal => {
                let viewer = match page {
                    Some((_, headers)) => app.viewer(meter, headers),
                    None => app.viewer_by_key(meter, head.fields),
                };
                // A request with a body is refused before it is read.
                if operation.body.is_some() {
                    viewer.clone()?;
                }
                Some(Sender::Viewer(viewer))
            }
            Access::Read => Some(Sender::Reader(match page {
                Some((_, headers)) => app.reader(meter, headers)?,
                None => app.reader_by_key(meter, head.fields)?,
            })),
            Access::Private => Some(Sender::Reader(app.private_reader(meter, head, page)?)),
            Access::Session => {
                let is_read = operation.method == super::operation::Method::Get;
                let bucket = if is_read { OwnerBucket::Read } else { OwnerBucket::Write };
                Some(Sender::Session(app.session(meter, head.fields, page, bucket)?))
            }
            Access::Write => {
                without_query(head.query)?;
                let page = page.filter(|_| !operation.is_signed_only);
                let bucket = bucket_of(operation);
                let from_page = match page {
                    Some((method, headers)) => app.authenticate_page_write(meter, method, headers, bucket)?,
                    None => None,
                };
                from_page.map(|caller| Sender::Writer(Authorised { caller, idempotency: None, bucket }))
            }
            // The router of the operators' listener verifies them.
            Access::Viewer | Access::Operator | Access::Approver => return Err(ErrorBody::internal().into()),
        })
    }

    /// Verifies a signature over the head and the body, unless the head has proved the sender, and reads the key of a
    /// repetition.
    fn verify_body(
        &self,
        given: &Given<'_>,
        head: &Head<'_>,
        verified: Option<Sender>,
        meter: &Meter,
    ) -> Result<Sender, Failure> {
        let caller = match verified {
            Some(Sender::Writer(Authorised { caller, .. })) => Some(caller),
            Some(other) => return Ok(other),
            None => None,
        };
        let (bucket, digest) = (bucket_of(given.operation), body_digest(given.body));
        let caller = match caller {
            Some(caller) => caller,
            None => self.app.signer(meter, head, given.body, &digest, bucket)?,
        };
        let idempotency = match given.operation.is_repeatable() {
            true => self.key(given, &caller, &digest)?,
            false => None,
        };
        Ok(Sender::Writer(Authorised { caller, idempotency, bucket }))
    }

    fn key(
        &self,
        given: &Given<'_>,
        caller: &Caller,
        digest: &[u8; 32],
    ) -> Result<Option<IdempotencyKey>, Failure> {
        let window = key_window(given.fields)?;
        let (method, pattern) = given.operation.scope();
        let path = || canonical(pattern, given.parameters.iter().map(AsRef::as_ref));
        let key = idempotency_key(given.fields, &scope_of(caller), method.as_str(), path, digest)?;
        Ok(key.map(|key| IdempotencyKey { window, ..key }))
    }

    /// Calls the function of a row. The result is an answer, or what follows.
    pub(super) fn call(
        &self,
        row: &Row,
        given: Given<'_>,
        head: &Head<'_>,
        verified: Option<Sender>,
        meter: &Meter,
    ) -> Result<Called, Failure> {
        let sender = self.verify_body(&given, head, verified, meter)?;
        let call = Call::new(given, sender, meter, self.app.now());
        Ok(match self.endpoints.call(row.number, &call)? {
            Step::Write(cost, command) => {
                Called::Submit(self.begin_write(&call.authorised(), cost, command, meter)?)
            }
            Step::Submit(actor, command, render) => {
                let receipt = Receipt::Submitted(view::command::id(&command), render);
                Called::Submit((Request { actor, idempotency: None, command }, receipt))
            }
            Step::Answer(rendered) => Called::Answer(rendered),
            Step::Later(answering) => Called::Later(answering),
            Step::Elsewhere => return Err(ErrorBody::internal().into()),
        })
    }

    /// Charges a write for its further items and checks it. The result is ready to be submitted.
    fn begin_write(
        &self,
        authorised: &Authorised,
        cost: u32,
        command: Command,
        meter: &Meter,
    ) -> Result<(Request, Receipt), Failure> {
        let Authorised { caller, idempotency, bucket } = *authorised;
        let writing = self.app.writing();
        // A replay costs one token, regardless of its batch size.
        let is_replay = |key: IdempotencyKey| cost > 1 && writing.has_answered(&key);
        let cost = if idempotency.is_some_and(is_replay) { 1 } else { cost };
        if cost > 1 {
            meter.charge_items(caller.bucket_owner, bucket, 1, cost)?;
        }
        let OpenWrite { request, receipt } =
            writing.begin(caller.user, caller.actor, idempotency, command, meter.decimals())?;
        meter.note_command(receipt.command_id());
        Ok((request, Receipt::Write(receipt)))
    }

    /// The response to a decided command, unless it needs history.
    pub(super) fn decide(&self, receipt: Receipt, submitted: Submitted) -> Result<DecidedResponse, Failure> {
        match receipt {
            Receipt::Submitted(command_id, render) => {
                render(self.app.writing().decided(submitted, command_id)?).map(DecidedResponse::Now)
            }
            Receipt::Write(receipt) => match self.app.writing().decide_response(&receipt, submitted)? {
                Decided::Response(response) => Ok(DecidedResponse::Now(Rendered::of_write(response))),
                Decided::Incomplete(incomplete) => Ok(DecidedResponse::Later(receipt, incomplete)),
            },
        }
    }

    /// The time at which a response's head is written, of the machine and of the process.
    pub(super) fn times(&self) -> (i64, Instant) {
        (self.app.now_micros(), Instant::now())
    }
}

/// The head of a request.
pub(crate) struct Head<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) fields: &'a dyn Fields,
}

/// What a call leads to.
#[allow(missing_debug_implementations, reason = "a future has nothing to print")]
#[allow(
    clippy::large_enum_variant,
    reason = "orders are the common call, and boxing would cost each of them"
)]
pub(crate) enum Called {
    Answer(Rendered),
    Submit((Request, Receipt)),
    Later(std::pin::Pin<Box<dyn Future<Output = Result<Rendered, Failure>> + Send>>),
}

/// A response to a decided command.
pub(crate) enum DecidedResponse {
    Now(Rendered),
    Later(WriteReceipt, Box<crate::writing::IncompleteResponse>),
}

fn bucket_of(operation: &Operation) -> OwnerBucket {
    if operation.is_cancel { OwnerBucket::Cancel } else { OwnerBucket::Write }
}

/// Refuses a query string, because the signature would not cover it.
pub(crate) fn without_query(query: Option<&str>) -> Result<(), Failure> {
    match query {
        Some(_) => Err(BadRequest::new("A signed request has no query string").into()),
        None => Ok(()),
    }
}

/// Adds the tag of content that may be cached, and answers 304 for content that the client has.
pub(crate) fn finish(rendered: &mut Rendered, opened: &Opened) {
    let Some(freshness) = rendered.freshness else { return };
    let tag = tag_of(&rendered.body);
    if opened.known.as_ref().is_some_and(|known| is_known(known, &tag)) {
        rendered.status = StatusCode::NOT_MODIFIED.as_u16();
        rendered.body = Bytes::new();
    }
    if let Ok(value) = HeaderValue::try_from(tag) {
        rendered.fields.push((header::ETAG, value));
    }
    // A personal response has a field of its own.
    if !opened.is_personal {
        let cache_control = HeaderValue::from_static(freshness.cache_control());
        rendered.fields.push((header::CACHE_CONTROL, cache_control));
    }
}
