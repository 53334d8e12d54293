//! A service for tests, a client, and a clock that only the tests move.
//!
//! `/echo` answers at once with the method, the query and the body. `/wait` keeps its ticket for the test. `/refuse` is
//! answered before its body. `/large/N` answers with N bytes. `/panic` panics. All other paths are handed over.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lane::{
    Begin, Body, Clock, Closing, Config, HandedOver, Head, Lanes, Mailbox, Outcome, Request, Response,
    Service, Ticket,
};

/// A bound on the tests' own waiting. Reaching it fails a test.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Echo {
    waiting: Mutex<Sender<Waiter>>,
    handed: Mutex<Sender<HandedOver<Peer>>>,
    closed: Mutex<Sender<Closing>>,
    pub flushed: AtomicUsize,
    pub turns_with_calls: AtomicUsize,
    /// `/hold` stops the lane until the test gives this up.
    pub hold: Mutex<()>,
    pub is_held: AtomicBool,
}

/// The state of a connection; the counter has the number of those that exist.
pub struct Peer {
    alive: Arc<AtomicUsize>,
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

pub struct Local {
    mailbox: Arc<Mailbox<Echo>>,
    calls: usize,
}

/// A request that waits for the test's reply.
pub struct Waiter {
    pub ticket: Ticket,
    pub mailbox: Arc<Mailbox<Echo>>,
    pub body: String,
}

impl Waiter {
    pub fn reply(&self, text: &str) {
        self.mailbox.send(self.ticket, text.to_owned());
    }
}

impl Service for Echo {
    type Connection = Peer;
    type Reply = String;
    type Lane = Local;

    fn start_lane(&self, mailbox: &Arc<Mailbox<Echo>>) -> Local {
        Local { mailbox: mailbox.clone(), calls: 0 }
    }

    fn begin(&self, _: &mut Local, _: &mut Peer, head: &Head<'_>, _: Instant) -> Begin {
        match head.path {
            "/refuse" => Begin::ServeNow,
            "/echo" | "/hold" | "/wait" | "/panic" => Begin::Serve,
            path if path.starts_with("/large/") => Begin::Serve,
            _ => Begin::HandOver,
        }
    }

    fn call(
        &self,
        lane: &mut Local,
        _: &mut Peer,
        request: &Request<'_>,
        ticket: Ticket,
        response: Response<'_>,
    ) -> Outcome {
        lane.calls += 1;
        let head = &request.head;
        let body = match request.body {
            Body::Whole(body) => String::from_utf8_lossy(body).into_owned(),
            Body::Late => return response.status(408).send(b"late"),
            Body::Unread => return response.status(429).send(b"unread"),
        };
        match head.path {
            "/echo" => {
                let text = format!("{} {} {body}", head.method, head.query.unwrap_or("-"));
                response.status(200).field("x-kind", b"echo").send(text.as_bytes())
            }
            "/hold" => {
                self.is_held.store(true, Ordering::SeqCst);
                drop(self.hold.lock().unwrap());
                response.status(200).send(body.as_bytes())
            }
            "/wait" => {
                let waiter = Waiter { ticket, mailbox: lane.mailbox.clone(), body };
                self.waiting.lock().unwrap().send(waiter).expect("the test listens");
                Outcome::waiting()
            }
            "/panic" => panic!("a test's panic"),
            "/refuse" => response.status(429).send(body.as_bytes()),
            path => {
                let bytes = path.trim_start_matches("/large/").parse().expect("a number");
                response.status(200).send(&vec![b'x'; bytes])
            }
        }
    }

    /// `more` in a reply announces another one.
    fn complete(
        &self,
        _: &mut Local,
        _: &mut Peer,
        reply: String,
        _: Ticket,
        response: Response<'_>,
    ) -> Outcome {
        match reply.as_str() {
            "more" => Outcome::waiting(),
            text => response.status(200).send(text.as_bytes()),
        }
    }

    fn end_turn(&self, lane: &mut Local) {
        if std::mem::take(&mut lane.calls) > 0 {
            self.turns_with_calls.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn flushed(&self, _: &mut Peer) {
        self.flushed.fetch_add(1, Ordering::SeqCst);
    }

    fn hand_over(&self, handed: HandedOver<Peer>) {
        // The test may have ended.
        let _ = self.handed.lock().unwrap().send(handed);
    }

    fn closed(&self, connection: Peer, closing: Closing) {
        drop(connection);
        let _ = self.closed.lock().unwrap().send(closing);
    }
}

/// Running lanes, and the ends of the service's channels.
pub struct Venue {
    pub lanes: Lanes<Echo>,
    pub service: Arc<Echo>,
    pub waiting: Receiver<Waiter>,
    pub handed: Receiver<HandedOver<Peer>>,
    pub closed: Receiver<Closing>,
    listener: TcpListener,
    pub alive: Arc<AtomicUsize>,
    millis: Arc<AtomicU64>,
}

impl Venue {
    pub fn start() -> Venue {
        Venue::with(|_| ())
    }

    pub fn with(change: impl FnOnce(&mut Config)) -> Venue {
        let (waiting_sender, waiting) = channel();
        let (handed_sender, handed) = channel();
        let (closed_sender, closed) = channel();
        let service = Arc::new(Echo {
            waiting: Mutex::new(waiting_sender),
            handed: Mutex::new(handed_sender),
            closed: Mutex::new(closed_sender),
            flushed: AtomicUsize::new(0),
            turns_with_calls: AtomicUsize::new(0),
            hold: Mutex::default(),
            is_held: AtomicBool::new(false),
        });
        let (millis, begin) = (Arc::new(AtomicU64::new(0)), Instant::now());
        let moved = millis.clone();
        let clock = Clock::new(move || begin + Duration::from_millis(moved.load(Ordering::SeqCst)));
        let mut config = Config { lanes: 1, clock, ..Config::default() };
        change(&mut config);
        let lanes = Lanes::start(&config, service.clone()).expect("threads");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        Venue { lanes, service, waiting, handed, closed, listener, alive: Arc::default(), millis }
    }

    /// Connects a client; a lane serves the other end.
    pub fn connect(&self) -> Client {
        let client =
            TcpStream::connect(self.listener.local_addr().expect("an address")).expect("a connection");
        client.set_read_timeout(Some(PATIENCE)).expect("an option");
        client.set_nodelay(true).expect("an option");
        let (stream, _) = self.listener.accept().expect("a connection");
        self.alive.fetch_add(1, Ordering::SeqCst);
        self.lanes.add(stream, Peer { alive: self.alive.clone() });
        Client { stream: client, read: Vec::new() }
    }

    /// Moves the clock and lets every lane see it.
    pub fn pass(&self, time: Duration) {
        self.millis.fetch_add(time.as_millis() as u64, Ordering::SeqCst);
        self.lanes.wake();
    }

    pub fn waiter(&self) -> Waiter {
        self.waiting.recv_timeout(PATIENCE).expect("a request that waits")
    }

    pub fn next_handed(&self) -> HandedOver<Peer> {
        self.handed.recv_timeout(PATIENCE).expect("a connection that was handed over")
    }

    pub fn next_closed(&self) -> Closing {
        self.closed.recv_timeout(PATIENCE).expect("a connection that ended")
    }
}

pub struct Client {
    pub stream: TcpStream,
    read: Vec<u8>,
}

/// A response as received.
#[derive(Debug, PartialEq, Eq)]
pub struct Received {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Client {
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).expect("a write");
    }

    /// Reads one response by its length.
    pub fn receive(&mut self) -> Received {
        self.try_receive().expect("a response")
    }

    /// `None` at the end of the stream.
    pub fn try_receive(&mut self) -> Option<Received> {
        let head_end = loop {
            match self.read.windows(4).position(|window| window == b"\r\n\r\n") {
                Some(at) => break at + 4,
                None => self.fill()?,
            }
        };
        let head = String::from_utf8(self.read[..head_end].to_vec()).expect("text");
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.expect("a length").parse().expect("a number");
        while self.read.len() < head_end + length {
            self.fill()?;
        }
        let body = String::from_utf8(self.read[head_end..head_end + length].to_vec()).expect("text");
        self.read.drain(..head_end + length);
        Some(Received { status: head[9..12].parse().expect("a status"), head, body })
    }

    pub fn ask(&mut self, request: impl AsRef<[u8]>) -> String {
        self.send(request);
        self.receive().body
    }

    /// Whether the stream has ended, after any number of bytes.
    pub fn is_closed(&mut self) -> bool {
        while self.fill().is_some() {}
        true
    }

    /// `None` at the end of the stream. A reset is an end too.
    fn fill(&mut self) -> Option<()> {
        let mut buffer = [0; 64 << 10];
        match self.stream.read(&mut buffer) {
            Ok(0) => None,
            Ok(bytes) => {
                self.read.extend_from_slice(&buffer[..bytes]);
                Some(())
            }
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => None,
            Err(error) => panic!("the lane did not answer: {error}"),
        }
    }
}

pub fn post(path: &str, body: &str) -> String {
    let length = body.len();
    format!("POST {path} HTTP/1.1\r\nhost: test\r\ncontent-length: {length}\r\n\r\n{body}")
}

pub fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n")
}
