//! A lane: a thread that serves its connections in turns.
//!
//! A turn reads every ready socket once and calls the service for at most one request of each connection, so that no
//! connection delays the others. Then it submits (`end_turn`), and only then renders and writes: the writer of the
//! service can begin with the turn's requests meanwhile.

use std::borrow::Cow;
use std::io;
use std::mem::{self, MaybeUninit};
use std::net::{Shutdown, TcpStream as StdStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mio::event::Event;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use slab::Slab;

use crate::config::Config;
use crate::connection::{Connection, Stage, Transfer};
use crate::date::Date;
use crate::head::{self, Parsed};
use crate::mailbox::{Mail, Mailbox, Ticket};
use crate::response::{Outcome, Response};
use crate::service::{Begin, Body, Closing, HandedOver, Request, Service};
use crate::socket;

/// The token of the mailbox; a connection's token is its slot.
pub(crate) const MAILBOX: Token = Token(usize::MAX);
/// Events per turn; more ready sockets wait for the next one.
const EVENTS_MAX: usize = 1_024;
/// Bytes per read.
const READ_BYTES_MAX: usize = 32 << 10;
/// Number of response buffers kept for reuse, and their largest size.
const SPARE_BUFFERS_MAX: usize = 256;
const SPARE_BYTES_MAX: usize = 64 << 10;

pub(crate) struct Lane<S: Service> {
    service: Arc<S>,
    local: S::Lane,
    config: Config,
    poll: Poll,
    mailbox: Arc<Mailbox<S>>,
    mail: Mail<S>,
    connections: Slab<Connection<S::Connection>>,
    /// Every socket is read into this buffer.
    buffer: Vec<u8>,
    spare: Vec<Vec<u8>>,
    /// Connections with bytes that no event announces.
    queued: Vec<usize>,
    /// Connections with a response to write.
    answering: Vec<usize>,
    /// Requests so far.
    serial: u64,
    now: Instant,
    next_sweep: Instant,
    date: Date,
    /// When the drain ends, while there is one.
    drained_by: Option<Instant>,
    /// Connections that the drain has cut off.
    cut: usize,
}

/// What to do with the bytes of a connection.
enum Step {
    /// Keep them: the request is incomplete.
    More,
    HandOver,
    /// Drop this many; they were served.
    Served(usize),
}

impl<S: Service> Lane<S> {
    pub(crate) fn new(service: Arc<S>, config: Config, poll: Poll, mailbox: Arc<Mailbox<S>>) -> Lane<S> {
        let now = config.clock.now();
        Lane {
            local: service.start_lane(&mailbox),
            service,
            poll,
            mailbox,
            mail: Mail::default(),
            connections: Slab::new(),
            buffer: vec![0; READ_BYTES_MAX],
            spare: Vec::new(),
            queued: Vec::new(),
            answering: Vec::new(),
            serial: 0,
            now,
            next_sweep: now + config.timeouts.sweep_interval(),
            date: Date::new(now),
            drained_by: None,
            cut: 0,
            config,
        }
    }

    /// Serves until the drain is over. Returns how many connections it cut off.
    pub(crate) fn run(mut self) -> usize {
        let mut events = Events::with_capacity(EVENTS_MAX);
        while self.drained_by.is_none() || !self.connections.is_empty() {
            let timeout = self.timeout();
            match self.poll.poll(&mut events, timeout) {
                Ok(()) => self.turn(&events),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => panic!("a lane cannot wait for events: {error}"),
            }
        }
        self.cut
    }

    /// How long to wait for events.
    fn timeout(&self) -> Option<Duration> {
        if !self.queued.is_empty() || !self.mailbox.fall_asleep() {
            return Some(Duration::ZERO);
        }
        (!self.connections.is_empty()).then(|| self.next_sweep.saturating_duration_since(self.now))
    }

    fn turn(&mut self, events: &Events) {
        self.now = self.config.clock.now();
        let queued = mem::take(&mut self.queued);
        for event in events {
            self.handle(event);
        }
        for slot in queued {
            self.resume(slot);
        }
        self.end_turn();
        self.collect();
        if self.now >= self.next_sweep {
            self.sweep();
        }
        for slot in mem::take(&mut self.answering) {
            self.flush(slot);
        }
    }

    fn end_turn(&mut self) {
        if guarded(|| self.service.end_turn(&mut self.local)).is_some() {
            return;
        }
        // Whether the requests of the turn were submitted is unknown.
        let is_waiting = |connection: &Connection<_>| matches!(connection.stage, Stage::Waiting { .. });
        for slot in self.slots(is_waiting) {
            self.close(slot, Closing::Panicked);
        }
    }

    fn handle(&mut self, event: &Event) {
        let slot = event.token().0;
        // The mailbox has no slot.
        let Some(connection) = self.connections.get_mut(slot) else { return };
        connection.is_readable |= event.is_readable();
        connection.is_peer_gone |= event.is_read_closed() || event.is_error();
        match connection.stage {
            Stage::Waiting { .. } if connection.is_peer_gone => self.close(slot, Closing::ByPeer),
            Stage::Answering if event.is_writable() || connection.is_peer_gone => self.answering.push(slot),
            // It is resumed in this turn, with the bytes that were read before. Reading first would find the end of the
            // stream and drop a request among those bytes.
            _ if connection.is_queued => {}
            _ => self.read(slot),
        }
    }

    /// Continues with a connection whose last turn left bytes.
    fn resume(&mut self, slot: usize) {
        let Some(connection) = self.connections.get_mut(slot) else { return };
        if !mem::take(&mut connection.is_queued) || !connection.is_reading() {
            return;
        }
        if matches!(connection.stage, Stage::Head { seen: 0 }) && !connection.kept.is_empty() {
            let kept = mem::take(&mut connection.kept);
            self.advance(slot, Cow::Owned(kept));
        } else {
            self.read(slot);
        }
    }

    fn read(&mut self, slot: usize) {
        let Some(connection) = self.connections.get_mut(slot) else { return };
        if !connection.is_readable || !connection.is_reading() {
            return;
        }
        let mut buffer = mem::take(&mut self.buffer);
        match connection.read(&mut buffer) {
            Transfer::Done(bytes) if connection.kept.is_empty() => {
                self.advance(slot, Cow::Borrowed(&buffer[..bytes]));
            }
            Transfer::Done(bytes) => {
                let mut kept = mem::take(&mut connection.kept);
                kept.extend_from_slice(&buffer[..bytes]);
                self.advance(slot, Cow::Owned(kept));
            }
            Transfer::Blocked => {}
            Transfer::Ended => self.close(slot, Closing::ByPeer),
        }
        self.buffer = buffer;
    }

    /// Serves the request at the beginning of `bytes` if it is complete, and keeps the other bytes.
    fn advance(&mut self, slot: usize, bytes: Cow<'_, [u8]>) {
        let step = self.step(slot, &bytes);
        let Some(connection) = self.connections.get_mut(slot) else { return };
        match step {
            Step::HandOver => return self.hand_over(slot, bytes.into_owned()),
            Step::More => connection.kept = bytes.into_owned(),
            Step::Served(served) if served < bytes.len() => connection.kept = bytes[served..].to_vec(),
            Step::Served(_) => {}
        }
        if connection.is_reading() && connection.is_readable {
            self.queue(slot);
        }
    }

    fn step(&mut self, slot: usize, bytes: &[u8]) -> Step {
        let connection = &mut self.connections[slot];
        match connection.stage {
            Stage::Body { needed } if bytes.len() < needed => return Step::More,
            Stage::Head { seen } if seen > 0 && !head::may_end(bytes, seen) => return self.more(slot, bytes),
            _ => {}
        }
        let mut space = [const { MaybeUninit::uninit() }; head::FIELDS_MAX];
        let (head, head_bytes, body_bytes) = match head::parse(bytes, &mut space) {
            Parsed::Plain { head, head_bytes, body_bytes } => (head, head_bytes, body_bytes),
            Parsed::Partial => return self.more(slot, bytes),
            Parsed::Other => return Step::HandOver,
        };
        if head_bytes > self.config.head_bytes_max || body_bytes > self.config.body_bytes_max {
            return Step::HandOver;
        }
        let needed = head_bytes + body_bytes;
        let mut is_urgent = false;
        if let Stage::Head { .. } = connection.stage {
            match guarded(|| self.service.begin(&mut self.local, &mut connection.state, &head, self.now)) {
                Some(Begin::Serve) => {}
                Some(Begin::ServeNow) => is_urgent = true,
                Some(Begin::HandOver) => return Step::HandOver,
                None => {
                    self.close(slot, Closing::Panicked);
                    return Step::Served(bytes.len());
                }
            }
        }
        let body = match bytes.get(head_bytes..needed) {
            Some(body) => Body::Whole(body),
            None if is_urgent => Body::Unread,
            None => {
                connection.stage = Stage::Body { needed };
                connection.deadline = Some(self.now + self.config.timeouts.body);
                return Step::More;
            }
        };
        connection.is_ending |= body == Body::Unread;
        self.call(slot, &Request { head, body });
        Step::Served(needed.min(bytes.len()))
    }

    /// Waits for more of a head, unless it is already too large.
    fn more(&mut self, slot: usize, bytes: &[u8]) -> Step {
        if bytes.len() >= self.config.head_bytes_max {
            return Step::HandOver;
        }
        self.connections[slot].stage = Stage::Head { seen: bytes.len() };
        Step::More
    }

    fn call(&mut self, slot: usize, request: &Request<'_>) {
        self.serial += 1;
        let ticket = Ticket { slot, serial: self.serial };
        self.respond(ticket, |service, lane, connection, response| {
            service.call(lane, connection, request, ticket, response)
        });
    }

    /// Runs a method of the service that may send the response.
    fn respond(
        &mut self,
        ticket: Ticket,
        answer: impl FnOnce(&S, &mut S::Lane, &mut S::Connection, Response<'_>) -> Outcome,
    ) {
        let slot = ticket.slot;
        let connection = &mut self.connections[slot];
        let mut out = self.spare.pop().unwrap_or_default();
        connection.is_ending |= self.drained_by.is_some();
        let date = self.date.value(self.now);
        let response = Response::new(&mut out, date, self.now, self.drained_by.is_some());
        let outcome = guarded(|| answer(&self.service, &mut self.local, &mut connection.state, response));
        connection.deadline = None;
        match outcome {
            Some(Outcome { is_answered: true }) => {
                (connection.stage, connection.out, connection.sent) = (Stage::Answering, out, 0);
                self.answering.push(slot);
            }
            Some(Outcome { is_answered: false }) => {
                connection.stage = Stage::Waiting { serial: ticket.serial };
                let is_peer_gone = connection.is_peer_gone;
                self.recycle(out);
                if is_peer_gone {
                    self.close(slot, Closing::ByPeer);
                }
            }
            None => self.close(slot, Closing::Panicked),
        }
    }

    /// Handles the mail: replies, new connections, and the order to stop.
    fn collect(&mut self) {
        let mut mail = mem::take(&mut self.mail);
        let stopping = self.mailbox.collect(&mut mail);
        if !mail.replies.is_empty() {
            // A reply may be younger than the turn.
            self.now = self.config.clock.now();
        }
        for (ticket, reply) in mail.replies.drain(..) {
            let awaited = self.connections.get(ticket.slot).map(|connection| connection.stage);
            if awaited == Some(Stage::Waiting { serial: ticket.serial }) {
                self.respond(ticket, |service, lane, connection, response| {
                    service.complete(lane, connection, reply, ticket, response)
                });
            }
        }
        for (stream, state) in mail.arrivals.drain(..) {
            self.add(stream, state);
        }
        self.mail = mail;
        if let (Some(allowed), None) = (stopping, self.drained_by) {
            self.drained_by = Some(self.now + allowed);
            for slot in self.slots(Connection::is_idle) {
                self.close(slot, Closing::Finished);
            }
        }
    }

    fn add(&mut self, stream: StdStream, state: S::Connection) {
        let mut stream = TcpStream::from_std(stream);
        socket::prepare(&stream);
        let entry = self.connections.vacant_entry();
        let interests = Interest::READABLE | Interest::WRITABLE;
        if self.poll.registry().register(&mut stream, Token(entry.key()), interests).is_ok() {
            entry.insert(Connection::new(stream, state, self.now, &self.config.timeouts));
        } else {
            self.mailbox.connections.fetch_sub(1, Ordering::Relaxed);
            self.give_away(stream, Vec::new(), state);
        }
    }

    /// Ends what has taken too long.
    fn sweep(&mut self) {
        let now = self.now;
        self.next_sweep = now + self.config.timeouts.sweep_interval();
        if self.drained_by.is_some_and(|end| now >= end) {
            for slot in self.slots(|_| true) {
                self.cut += 1;
                self.close(slot, Closing::Cut);
            }
        }
        let is_slow =
            |connection: &Connection<_>| connection.stall.as_ref().is_some_and(|stall| stall.is_over(now));
        for slot in self.slots(is_slow) {
            self.close(slot, Closing::TooSlow);
        }
        for slot in self.slots(|connection| connection.deadline.is_some_and(|deadline| now >= deadline)) {
            match self.connections[slot].stage {
                Stage::Body { .. } => self.call_late(slot),
                _ => self.close(slot, Closing::HeadLate),
            }
        }
    }

    /// Calls the service for a request whose body did not arrive in time.
    fn call_late(&mut self, slot: usize) {
        let connection = &mut self.connections[slot];
        connection.is_ending = true;
        let kept = mem::take(&mut connection.kept);
        let mut space = [const { MaybeUninit::uninit() }; head::FIELDS_MAX];
        match head::parse(&kept, &mut space) {
            Parsed::Plain { head, .. } => self.call(slot, &Request { head, body: Body::Late }),
            Parsed::Partial | Parsed::Other => unreachable!("the head was complete and plain before"),
        }
    }

    /// Writes a response, and begins with the next request when all of it is written.
    fn flush(&mut self, slot: usize) {
        let Some(connection) = self.connections.get_mut(slot) else { return };
        if connection.stage != Stage::Answering {
            return;
        }
        match connection.write(&self.config.clock, self.config.timeouts.answer) {
            Transfer::Done(_) => {}
            Transfer::Blocked => return,
            Transfer::Ended => return self.close(slot, Closing::ByPeer),
        }
        let out = mem::take(&mut connection.out);
        connection.stage = Stage::Head { seen: 0 };
        connection.deadline = Some(self.now + self.config.timeouts.header);
        let _ = guarded(|| self.service.flushed(&mut connection.state));
        // The drain may have begun after the response was rendered.
        let is_ending = connection.is_ending || self.drained_by.is_some();
        let has_more = connection.is_readable || !connection.kept.is_empty();
        self.recycle(out);
        if is_ending {
            self.close(slot, Closing::Finished);
        } else if has_more {
            self.queue(slot);
        }
    }

    fn queue(&mut self, slot: usize) {
        if !mem::replace(&mut self.connections[slot].is_queued, true) {
            self.queued.push(slot);
        }
    }

    fn recycle(&mut self, mut out: Vec<u8>) {
        if self.spare.len() < SPARE_BUFFERS_MAX && out.capacity() <= SPARE_BYTES_MAX {
            out.clear();
            self.spare.push(out);
        }
    }

    fn slots(&self, is_wanted: impl Fn(&Connection<S::Connection>) -> bool) -> Vec<usize> {
        self.connections
            .iter()
            .filter(|(_, connection)| is_wanted(connection))
            .map(|(slot, _)| slot)
            .collect()
    }

    fn close(&mut self, slot: usize, closing: Closing) {
        let Some(connection) = self.connections.try_remove(slot) else { return };
        self.mailbox.connections.fetch_sub(1, Ordering::Relaxed);
        match closing {
            Closing::TooSlow | Closing::Cut => socket::reset_on_close(&connection.stream),
            // The peer may have closed it at the same time.
            Closing::Finished => drop(connection.stream.shutdown(Shutdown::Write)),
            Closing::ByPeer | Closing::HeadLate | Closing::Panicked => {}
        }
        drop(connection.stream);
        let _ = guarded(|| self.service.closed(connection.state, closing));
    }

    fn hand_over(&mut self, slot: usize, read: Vec<u8>) {
        let Some(mut connection) = self.connections.try_remove(slot) else { return };
        self.mailbox.connections.fetch_sub(1, Ordering::Relaxed);
        // A failure would leave events for a slot; an event without effect is harmless.
        let _ = self.poll.registry().deregister(&mut connection.stream);
        self.give_away(connection.stream, read, connection.state);
    }

    fn give_away(&self, stream: TcpStream, read: Vec<u8>, connection: S::Connection) {
        let _ = guarded(|| self.service.hand_over(HandedOver { stream: stream.into(), read, connection }));
    }
}

/// Runs code of the service. `None` if it panicked: one connection ends then, not the lane.
fn guarded<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).ok()
}
