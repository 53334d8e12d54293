//! The edge over the transport of the crate `lane`.
//!
//! A lane verifies, charges and encodes the requests of a turn, submits them together, and renders the answers that the
//! apply thread delivers per group. An answer that needs history is completed on the runtime. A request that a lane does
//! not serve moves its connection to hyper for good (`http/serving.rs`).

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use api::error::{ErrorBody, ErrorKind};
use http::{HeaderName, header};
use lane::{Begin, Body, Closing, HandedOver, Mailbox, Outcome, Response, Service, Ticket};
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use super::answer::Rendered;
use super::call::Given;
use super::fields::Fields;
use super::matching::{Found, Row};
use super::meter::Meter;
use super::number_format;
use super::opened::{Circumstances, LastCaller, Opened, Value, request_id};
use super::serve::{Called, DecidedResponse, Edge, Head, Receipt, finish};
use super::wait_for_sequence::WAIT;
use crate::failure::Failure;
use crate::http::access_log::{CLIENT_CLOSED_REQUEST, HANDLER_PANICKED};
use crate::http::admission::ConnectionSlot;
use crate::http::{address, host, page};
use crate::limits::{AnswerKind, Network, TooMuchUnread, UnreadAnswer};
use crate::pipeline::sequencer::{AnswerSink, Submitted};
use crate::signals::traces::WriteTrace;

/// Fields whose requests hyper serves: their rules need more than a lane has.
const FOR_HYPER: [HeaderName; 3] = [WAIT, header::CONTENT_ENCODING, page::PAGE];

/// Serves the lanes of the public listener.
#[derive(Debug)]
pub struct InLane {
    edge: Arc<Edge>,
    runtime: Handle,
    handed_over: UnboundedSender<HandedOver<LaneConnection>>,
}

/// A connection in a lane.
#[derive(Debug)]
pub struct LaneConnection {
    slot: ConnectionSlot,
    address: SocketAddr,
    /// Most connections have one caller.
    last: LastCaller,
    /// The request in flight.
    open: Option<OpenRequest>,
    /// The response that the client has not read.
    unread: Option<UnreadAnswer>,
}

/// A request in flight, and the number of its row.
struct OpenRequest {
    opened: Opened,
    row: usize,
    /// Why its network may not send it now.
    refusal: Option<Failure>,
    /// Set while the exchange decides.
    receipt: Option<Receipt>,
}

impl std::fmt::Debug for OpenRequest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("OpenRequest").field("row", &self.row).finish_non_exhaustive()
    }
}

impl LaneConnection {
    pub(crate) fn new(slot: ConnectionSlot, address: SocketAddr) -> LaneConnection {
        LaneConnection { slot, address, last: None, open: None, unread: None }
    }

    pub(crate) fn into_parts(self) -> (ConnectionSlot, SocketAddr) {
        (self.slot, self.address)
    }
}

/// A reply to a request in flight.
#[allow(clippy::large_enum_variant, reason = "nearly all replies are decisions")]
#[derive(Debug)]
pub enum LaneReply {
    /// The decision of the exchange, and when it was delivered.
    Submitted(Submitted, Instant),
    /// A response that was completed on the runtime.
    Rendered(Box<Rendered>),
}

/// The state of a lane.
#[derive(Debug)]
pub struct LaneState {
    mailbox: Arc<Mailbox<InLane>>,
    answers: Arc<LaneAnswers>,
    /// Writes of this turn.
    writes: Vec<TurnWrite>,
}

/// A write to submit at the end of a turn, with its trace if it is traced.
type TurnWrite = (Ticket, exchange::Request, Option<Arc<WriteTrace>>);

/// Delivers the answers of a group to a lane.
#[derive(Debug)]
struct LaneAnswers(Arc<Mailbox<InLane>>);

impl AnswerSink for LaneAnswers {
    fn deliver(&self, answers: &mut Vec<(Ticket, Submitted)>) {
        // One reading for the group.
        let now = Instant::now();
        let replies = answers.drain(..).map(|(ticket, answer)| (ticket, LaneReply::Submitted(answer, now)));
        self.0.deliver(&mut replies.collect());
    }
}

impl InLane {
    /// `handed_over` receives the connections that continue behind hyper.
    pub(crate) fn new(
        edge: Arc<Edge>,
        runtime: Handle,
        handed_over: UnboundedSender<HandedOver<LaneConnection>>,
    ) -> InLane {
        InLane { edge, runtime, handed_over }
    }

    /// The row of a request that a lane serves: one that answers at once, from memory, in its usual form.
    fn find<'p>(&self, head: &lane::Head<'p>) -> Option<(&Row, Found<'_, 'p>)> {
        let found = self.edge.rows.find(head.method, head.path);
        let row = found.row.filter(|row| self.edge.is_endpoint(row))?;
        let is_quick = !row.operation.is_heavy && !row.operation.is_packed;
        let has_host =
            head.headers.find_single(&header::HOST).is_ok_and(|host| host.is_some_and(host::is_host));
        let is_usual = has_host && !FOR_HYPER.iter().any(|name| head.headers.has_field(name));
        (is_quick && is_usual).then_some((row, found))
    }

    /// The response to a complete request, unless it follows later.
    fn answer(
        &self,
        lane: &mut LaneState,
        open: &mut OpenRequest,
        request: &lane::Request<'_>,
        ticket: Ticket,
    ) -> Option<Rendered> {
        if let Some(refusal) = open.refusal.take() {
            return Some(Rendered::refusal(&refusal));
        }
        let Body::Whole(body) = request.body else {
            let late = ErrorBody::new(ErrorKind::RequestTimeout, "The body did not come in time");
            return Some(Rendered::refusal(&late.into()));
        };
        let meter = open.opened.meter.clone();
        let called = match meter.run(|| self.call(request, body, open, &meter)) {
            Ok(called) => called,
            Err(failure) => return Some(Rendered::refusal(&failure)),
        };
        match called {
            Called::Answer(rendered) => Some(rendered),
            Called::Later(answering) => self.poll(lane, meter, answering, ticket),
            Called::Submit((request, receipt)) => {
                open.receipt = Some(receipt);
                let trace = open.opened.active.as_mut().map(|active| active.begin_write());
                lane.writes.push((ticket, request, trace));
                None
            }
        }
    }

    fn call(
        &self,
        request: &lane::Request<'_>,
        body: &[u8],
        open: &OpenRequest,
        meter: &Meter,
    ) -> Result<Called, Failure> {
        let lane::Head { method, path, query, headers } = request.head;
        let found = self.edge.rows.find(method, path);
        let (Some(row), Ok(parameters)) = (found.row, &found.parameters) else {
            return Err(ErrorBody::internal().into());
        };
        let head = Head { method, path, query, fields: &headers };
        let verified = self.edge.verify_head(row.operation, &head, None, meter)?;
        let (operation, address) = (row.operation, open.opened.address);
        let given = Given { operation, fields: &headers, query, parameters, body, address };
        self.edge.call(row, given, &head, verified, meter)
    }

    /// Polls an answer once. If it has to wait, the runtime completes it.
    fn poll(
        &self,
        lane: &LaneState,
        meter: Meter,
        answering: Pin<Box<dyn Future<Output = Result<Rendered, Failure>> + Send>>,
        ticket: Ticket,
    ) -> Option<Rendered> {
        // A read that waits for history sets a timer of the runtime.
        let _inside = self.runtime.enter();
        let mut waiting = Box::pin(meter.wait(answering));
        match waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => Some(Rendered::of(answer)),
            Poll::Pending => {
                let mailbox = lane.mailbox.clone();
                self.runtime.spawn(async move {
                    mailbox.send(ticket, LaneReply::Rendered(Box::new(Rendered::of(waiting.await))));
                });
                None
            }
        }
    }

    /// The response to a decided command, unless the runtime completes it.
    fn respond(
        &self,
        lane: &LaneState,
        open: &mut OpenRequest,
        submitted: Submitted,
        ticket: Ticket,
    ) -> Option<Rendered> {
        let (receipt, meter) = (open.receipt.take()?, open.opened.meter.clone());
        let (receipt, incomplete) = match meter.run(|| self.edge.decide(receipt, submitted)) {
            Ok(DecidedResponse::Now(rendered)) => return Some(rendered),
            Ok(DecidedResponse::Later(receipt, incomplete)) => (receipt, incomplete),
            Err(failure) => return Some(Rendered::refusal(&failure)),
        };
        let (app, mailbox) = (self.edge.app.clone(), lane.mailbox.clone());
        self.runtime.spawn(async move {
            let completing = async {
                let response = app.writing().complete(&receipt, incomplete).await;
                drop(receipt);
                response.map(Rendered::of_write)
            };
            let rendered = Rendered::of(meter.wait(completing).await);
            mailbox.send(ticket, LaneReply::Rendered(Box::new(rendered)));
        });
        None
    }

    fn send(
        &self,
        connection: &mut LaneConnection,
        mut rendered: Rendered,
        response: Response<'_>,
    ) -> Outcome {
        let Some(OpenRequest { mut opened, row, .. }) = connection.open.take() else {
            rendered = Rendered::refusal(&ErrorBody::internal().into());
            return response.status(rendered.status).send(&rendered.body);
        };
        let row = self.edge.rows.row(row);
        finish(&mut rendered, &opened);
        let (network, kind) = (opened.meter.network(), AnswerKind::of(row.operation.method.as_str()));
        match self.edge.app.limits().unread.count(network, rendered.body.len(), kind) {
            Ok(counted) => connection.unread = counted,
            Err(TooMuchUnread) => rendered = Rendered::refusal(&self.edge.too_much_unread()),
        }
        // By the time of the turn, an answer within the turn would take no time.
        let times = self.edge.times();
        let Rendered { status, content, body, fields, retry_after, is_replayed, refusal, .. } = rendered;
        opened.note(&self.edge.app, (status, refusal), times, (Some(&row.fields), &mut connection.last));
        let mut head = response.status(status);
        if !matches!(status, 204 | 304) {
            head = head.field("content-type", content.as_bytes());
        }
        if let Some(seconds) = retry_after {
            head = head.number("retry-after", seconds);
        }
        if is_replayed {
            head = head.lines("idempotent-replayed: true\r\n");
        }
        for (name, value) in &fields {
            head = head.field(name.as_str(), value.as_bytes());
        }
        let mut head = Some(head);
        opened.write_fields(status, times.0, |name, value| {
            head = head.take().map(|head| match value {
                Value::Static(text) => head.field(name.as_str(), text.as_bytes()),
                Value::Bytes(bytes) => head.field(name.as_str(), bytes),
                Value::Number(number) => head.number(name.as_str(), number),
            });
        });
        match head {
            Some(head) => head.send(&body),
            None => unreachable!("each field puts the head back"),
        }
    }
}

impl Service for InLane {
    type Connection = LaneConnection;
    type Reply = LaneReply;
    type Lane = LaneState;

    fn start_lane(&self, mailbox: &Arc<Mailbox<InLane>>) -> LaneState {
        let answers = Arc::new(LaneAnswers(mailbox.clone()));
        LaneState { mailbox: mailbox.clone(), answers, writes: Vec::new() }
    }

    fn begin(
        &self,
        _: &mut LaneState,
        connection: &mut LaneConnection,
        head: &lane::Head<'_>,
        now: Instant,
    ) -> Begin {
        let Some((row, found)) = self.find(head) else { return Begin::HandOver };
        let app = &self.edge.app;
        let id = request_id(&head.headers);
        let address = address::behind(connection.address.ip(), &head.headers, app.web().proxies());
        let network = Network::of(address);
        let asked = number_format::asked(&head.headers);
        let decimals = asked.as_ref().copied().unwrap_or_default();
        let meter = Meter::new(app.tariff().clone(), id, (network, row.fare), decimals);
        let method = row.operation.method.to_http();
        let charged = self.edge.check_unread(&meter, &method, &found).and_then(|()| meter.charge_network());
        let circumstances = Circumstances {
            address,
            began: now,
            is_from_page: false,
            is_open: app.web().allows_cross_origin() && !row.operation.is_own,
        };
        let refusal = charged.and(asked.map(drop)).err();
        let begin = if refusal.is_some() { Begin::ServeNow } else { Begin::Serve };
        let opened = Opened::new(app, meter, method, &found, &head.headers, circumstances);
        connection.open = Some(OpenRequest { opened, row: row.number, refusal, receipt: None });
        begin
    }

    fn call(
        &self,
        lane: &mut LaneState,
        connection: &mut LaneConnection,
        request: &lane::Request<'_>,
        ticket: Ticket,
        response: Response<'_>,
    ) -> Outcome {
        let answer = match &mut connection.open {
            Some(open) => self.answer(lane, open, request, ticket),
            None => Some(Rendered::refusal(&ErrorBody::internal().into())),
        };
        match answer {
            Some(answer) => self.send(connection, answer, response),
            None => Outcome::waiting(),
        }
    }

    fn complete(
        &self,
        lane: &mut LaneState,
        connection: &mut LaneConnection,
        reply: LaneReply,
        ticket: Ticket,
        response: Response<'_>,
    ) -> Outcome {
        let answer = match (reply, &mut connection.open) {
            (LaneReply::Submitted(submitted, decided_at), Some(open)) => {
                let stages = self.edge.app.writing().sequencer().writer_status().stages();
                if stages.is_on() {
                    stages.answer.record_duration(response.now().saturating_duration_since(decided_at));
                }
                self.respond(lane, open, submitted, ticket)
            }
            (LaneReply::Rendered(rendered), Some(_)) => Some(*rendered),
            (_, None) => Some(Rendered::refusal(&ErrorBody::internal().into())),
        };
        match answer {
            Some(answer) => self.send(connection, answer, response),
            None => Outcome::waiting(),
        }
    }

    fn end_turn(&self, lane: &mut LaneState) {
        if lane.writes.is_empty() {
            return;
        }
        // One reading for the turn.
        let sequencer = self.edge.app.writing().sequencer();
        let now = sequencer.writer_status().stages().now();
        for (ticket, request, trace) in lane.writes.drain(..) {
            if let Err(error) = sequencer.submit_to(lane.answers.clone(), ticket, request, now, trace) {
                lane.mailbox.send(ticket, LaneReply::Submitted(Err(error), now));
            }
        }
    }

    fn flushed(&self, connection: &mut LaneConnection) {
        connection.unread = None;
    }

    fn hand_over(&self, handed: HandedOver<LaneConnection>) {
        // After the listener has ended nothing receives it: the connection is closed.
        let _ = self.handed_over.send(handed);
    }

    fn closed(&self, mut connection: LaneConnection, closing: Closing) {
        if closing == Closing::TooSlow {
            connection.slot.count_slow();
        }
        if let Some(mut open) = connection.open.take() {
            let status = if closing == Closing::Panicked { HANDLER_PANICKED } else { CLIENT_CLOSED_REQUEST };
            let fields = (Some(&self.edge.rows.row(open.row).fields), &mut connection.last);
            open.opened.note(&self.edge.app, (status, None), self.edge.times(), fields);
        }
    }
}
