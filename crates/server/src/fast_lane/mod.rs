//! The fast lane: hot routes over the transport of the crate `lane`, with the functions that serve them behind hyper.
//!
//! A lane verifies, charges and encodes the requests of a turn, submits them together, and renders the answers that the
//! apply thread delivers per group. A response that needs history is completed on the runtime. Any other request moves
//! its connection to hyper for good (`http/serving.rs`).

mod request;
mod response;

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use api::error::{ErrorBody, ErrorKind};
use lane::{Begin, Body, Closing, HandedOver, Head, Mailbox, Outcome, Response, Service, Ticket};
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use crate::app::App;
use crate::http::Failure;
use crate::http::access_log::{CLIENT_CLOSED_REQUEST, CallerFields, HANDLER_PANICKED};
use crate::http::admission::ConnectionSlot;
use crate::http::charged::{Party, RequestNotes};
use crate::http::charging::{collect, too_much_unread};
use crate::http::fare::{Fare, Fares};
use crate::limits::{AnswerKind, Network, TooMuchUnread, UnreadAnswer};
use crate::pipeline::sequencer::{AnswerSink, Submitted};
use crate::routes::hot::{HOT_ROUTES, HotRoute, HotWrite, OwnedRead};
use crate::signals::access_lines::WrittenFields;
use crate::signals::requests::RouteSlot;
use crate::signals::traces::WriteTrace;
use crate::writing::{Decided, OpenWrite, WriteReceipt};
use request::{LineFields, OpenRequest, is_for_the_router, request_id};
use response::LaneResponse;

/// Serves the lanes of the public listener.
#[derive(Debug)]
pub struct FastLane {
    app: Arc<App>,
    /// By number.
    routes: [LaneRoute; HOT_ROUTES.len()],
    runtime: Handle,
    handed_over: UnboundedSender<HandedOver<LaneConnection>>,
}

/// A hot route: its charge, its counters and its fields of the access log.
#[derive(Debug)]
struct LaneRoute {
    fare: Fare,
    slot: RouteSlot,
    /// Written with the first line.
    fields: OnceLock<WrittenFields>,
}

/// A connection in a lane.
#[derive(Debug)]
pub struct LaneConnection {
    slot: ConnectionSlot,
    address: SocketAddr,
    network: Network,
    /// The caller of the last logged request, and its fields of the access log. Most connections have one caller.
    caller: Option<(CallerFields, WrittenFields)>,
    /// The request in flight.
    open: Option<OpenRequest>,
    /// The response that the client has not read.
    unread: Option<UnreadAnswer>,
}

impl LaneConnection {
    pub(crate) fn new(slot: ConnectionSlot, address: SocketAddr) -> LaneConnection {
        let network = Network::of(address.ip());
        LaneConnection { slot, address, network, caller: None, open: None, unread: None }
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
    Response(RequestNotes, LaneResponse),
}

/// The state of a lane.
#[derive(Debug)]
pub struct LaneState {
    mailbox: Arc<Mailbox<FastLane>>,
    answers: Arc<LaneAnswers>,
    /// Writes of this turn.
    writes: Vec<TurnWrite>,
}

/// A write to submit at the end of a turn, with its trace if it is traced.
type TurnWrite = (Ticket, exchange::Request, Option<Arc<WriteTrace>>);

/// Delivers the answers of a group to a lane.
#[derive(Debug)]
struct LaneAnswers(Arc<Mailbox<FastLane>>);

impl AnswerSink for LaneAnswers {
    fn deliver(&self, answers: &mut Vec<(Ticket, Submitted)>) {
        // One reading for the group.
        let now = Instant::now();
        let replies = answers.drain(..).map(|(ticket, answer)| (ticket, LaneReply::Submitted(answer, now)));
        self.0.deliver(&mut replies.collect());
    }
}

impl FastLane {
    /// `handed_over` receives the connections that continue behind hyper.
    pub(crate) fn new(
        app: Arc<App>,
        runtime: Handle,
        handed_over: UnboundedSender<HandedOver<LaneConnection>>,
    ) -> FastLane {
        let fares = Fares::new();
        let routes = HOT_ROUTES.map(|(method, pattern)| {
            let slot = app.signals().requests.slot(method, Some(pattern));
            LaneRoute { fare: fares.of_route(method, pattern), slot, fields: OnceLock::new() }
        });
        FastLane { app, routes, runtime, handed_over }
    }

    fn begin_write(&self, write: HotWrite<'_>, head: &Head<'_>, body: &[u8]) -> Result<OpenWrite, Failure> {
        let route = (write.pattern(), write.parameters());
        let authorised = self.app.authorise(head, route, body, write.bucket())?;
        let (cost, command) = write.command(body)?;
        self.app.begin_write(&authorised, cost, command)
    }

    /// Answers a read at once if it needs only memory; otherwise the runtime completes it.
    fn read(
        &self,
        lane: &LaneState,
        open: &mut OpenRequest,
        read: OwnedRead,
        ticket: Ticket,
    ) -> Option<LaneResponse> {
        // A read that waits for history sets a timer of the runtime.
        let _inside = self.runtime.enter();
        let answering = read.answer(self.app.clone());
        let mut waiting: Pin<Box<_>> = Box::pin(open.notes.wait(answering));
        match waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready((notes, answer)) => {
                open.notes = notes;
                Some(LaneResponse::of_read(answer))
            }
            Poll::Pending => {
                let mailbox = lane.mailbox.clone();
                self.runtime.spawn(async move {
                    let (notes, answer) = waiting.await;
                    mailbox.send(ticket, LaneReply::Response(notes, LaneResponse::of_read(answer)));
                });
                None
            }
        }
    }

    /// The response to a decided write, unless the runtime completes it.
    fn respond(
        &self,
        lane: &LaneState,
        open: &mut OpenRequest,
        submitted: Submitted,
        ticket: Ticket,
    ) -> Option<LaneResponse> {
        let receipt = open.receipt.take()?;
        let decided = open.notes.run(|| self.app.writing().decide_response(&receipt, submitted));
        let incomplete = match decided {
            Ok(Decided::Incomplete(incomplete)) => incomplete,
            Ok(Decided::Response(response)) => return Some(LaneResponse::of_write(Ok(response))),
            Err(failure) => return Some(LaneResponse::of_write(Err(failure))),
        };
        let (app, mailbox, notes) = (self.app.clone(), lane.mailbox.clone(), open.notes);
        self.runtime.spawn(async move {
            let completing = async {
                let response = app.writing().complete(&receipt, incomplete).await;
                drop::<WriteReceipt>(receipt);
                response
            };
            let (notes, response) = notes.wait(completing).await;
            mailbox.send(ticket, LaneReply::Response(notes, LaneResponse::of_write(response)));
        });
        None
    }

    fn send(
        &self,
        connection: &mut LaneConnection,
        answer: &LaneResponse,
        response: Response<'_>,
    ) -> Outcome {
        let method = connection.open.as_ref().map_or("", |open| HOT_ROUTES[open.route()].0);
        let (network, kind) = (connection.network, AnswerKind::of(method));
        let refused = match self.app.limits().unread.count(network, answer.body().len(), kind) {
            Ok(counted) => {
                connection.unread = counted;
                None
            }
            Err(TooMuchUnread) => Some(LaneResponse::refusal(&too_much_unread(&self.app))),
        };
        let answer = refused.as_ref().unwrap_or(answer);
        match connection.open.take() {
            Some(open) => {
                let fields = self.line_fields(connection, &open);
                open.enclose(&self.app, fields, answer, response)
            }
            None => LaneResponse::refusal(&ErrorBody::internal().into()).write(response),
        }
    }
}

impl Service for FastLane {
    type Connection = LaneConnection;
    type Reply = LaneReply;
    type Lane = LaneState;

    fn start_lane(&self, mailbox: &Arc<Mailbox<FastLane>>) -> LaneState {
        let answers = Arc::new(LaneAnswers(mailbox.clone()));
        LaneState { mailbox: mailbox.clone(), answers, writes: Vec::new() }
    }

    fn begin(
        &self,
        _: &mut LaneState,
        connection: &mut LaneConnection,
        head: &Head<'_>,
        now: Instant,
    ) -> Begin {
        let Some(route) = HotRoute::find(head.method, head.path).filter(|_| !is_for_the_router(head)) else {
            return Begin::HandOver;
        };
        let LaneRoute { fare, slot, .. } = self.routes[route.number()];
        let charge = collect(&self.app, connection.network, head.method, fare);
        let notes = RequestNotes {
            id: request_id(head),
            paid: charge.paid,
            charged: charge.charged,
            sequence: None,
            party: Party::default(),
        };
        let refusal = charge.result.err();
        let begin = if refusal.is_some() { Begin::ServeNow } else { Begin::Serve };
        let began = request::Began { at: now, route: route.number(), slot };
        connection.open = Some(OpenRequest::new(head, began, notes, refusal, self.app.signals().traces()));
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
        let answer = match (&mut connection.open, HotRoute::find(request.head.method, request.head.path)) {
            (Some(open), Some(route)) => self.answer(lane, open, route, request, ticket),
            _ => Some(LaneResponse::refusal(&ErrorBody::internal().into())),
        };
        match answer {
            Some(answer) => self.send(connection, &answer, response),
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
                let stages = self.app.writing().sequencer().writer_status().stages();
                if stages.is_on() {
                    stages.answer.record_duration(response.now().saturating_duration_since(decided_at));
                }
                self.respond(lane, open, submitted, ticket)
            }
            (LaneReply::Response(notes, answer), Some(open)) => {
                open.notes = notes;
                Some(answer)
            }
            (_, None) => Some(LaneResponse::refusal(&ErrorBody::internal().into())),
        };
        match answer {
            Some(answer) => self.send(connection, &answer, response),
            None => Outcome::waiting(),
        }
    }

    fn end_turn(&self, lane: &mut LaneState) {
        if lane.writes.is_empty() {
            return;
        }
        // One reading for the turn.
        let sequencer = self.app.writing().sequencer();
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
        if let Some(open) = connection.open.take() {
            let status = if closing == Closing::Panicked { HANDLER_PANICKED } else { CLIENT_CLOSED_REQUEST };
            let fields = self.line_fields(&mut connection, &open);
            open.abandon(&self.app, fields, status);
        }
    }
}

impl FastLane {
    fn line_fields<'a>(&'a self, connection: &'a mut LaneConnection, open: &OpenRequest) -> LineFields<'a> {
        LineFields {
            route: &self.routes[open.route()].fields,
            address: connection.address.ip(),
            caller: &mut connection.caller,
        }
    }

    /// The response to a complete request, unless it follows later.
    fn answer(
        &self,
        lane: &mut LaneState,
        open: &mut OpenRequest,
        route: HotRoute<'_>,
        request: &lane::Request<'_>,
        ticket: Ticket,
    ) -> Option<LaneResponse> {
        if let Some(refusal) = open.refusal.take() {
            return Some(LaneResponse::refusal(&refusal));
        }
        let Body::Whole(body) = request.body else {
            let late = ErrorBody::new(ErrorKind::RequestTimeout, "The body did not come in time");
            return Some(LaneResponse::refusal(&late.into()));
        };
        match route {
            HotRoute::Write(write) => match open.notes.run(|| self.begin_write(write, &request.head, body)) {
                Ok(OpenWrite { request, receipt }) => {
                    open.receipt = Some(receipt);
                    let trace = open.active.as_mut().map(|active| active.begin_write());
                    lane.writes.push((ticket, request, trace));
                    None
                }
                Err(failure) => Some(LaneResponse::refusal(&failure)),
            },
            HotRoute::Read(read) => {
                match open.notes.run(|| OwnedRead::begin(&self.app, read, &request.head, body)) {
                    Ok(read) => self.read(lane, open, read, ticket),
                    Err(failure) => Some(LaneResponse::refusal(&failure)),
                }
            }
        }
    }
}
