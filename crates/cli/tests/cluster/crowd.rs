//! Three nodes of one venue, a user with a key and sessions, and requests to one node or to all nodes at once.

use std::sync::Barrier;
use std::thread;

use exchange::Request;
use exchange::command::{Command, OpenSession};
use exchange::id::{SessionId, UserId};
use exchange::identity::Actor;
use exchange::text::Text;
use pgtest::Server;
use serde_json::Value;
use server::node::Node as NodeInside;
use server::secrets::{random_token, token_hash};
use server::shared_log::SharedLogSettings;
use stage::demo::{market, signed_headers};
use uuid::Uuid;

use crate::drill::NODES;
use crate::nodes::{Node, Venue};

pub(crate) struct Crowd {
    pub(crate) server: Server,
    pub(crate) database: String,
    nodes: Vec<Node>,
    /// The venue's people: email, password, keys.
    record: Value,
    /// All sessions of the first person.
    pub(crate) sessions: Vec<Session>,
    /// The path that watches an event: a write that can be repeated.
    pub(crate) watchlist: String,
}

/// The session of a login.
#[derive(Clone)]
pub(crate) struct Session {
    token: String,
    device: String,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) sequence: Option<u64>,
    pub(crate) retry_after: Option<u64>,
    pub(crate) body: Value,
}

/// A request to send.
#[derive(Clone)]
pub(crate) struct Ask {
    method: &'static str,
    path: String,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Crowd {
    /// Starts the nodes with the limits in `rates`, and opens so many sessions for the first person.
    pub(crate) fn gather(sessions: usize, rates: &'static [&'static str]) -> Crowd {
        let server = Server::start(&[]);
        let database = server.create_database();
        let url = server.url(&database);
        let (venue, (record, orders)) = Venue::build(&url, |demo| {
            let (orders, _) = market(demo, "rain-in-lagos-on-new-years-day");
            (demo.json.clone(), orders)
        });
        let event = orders.split('/').nth(4).expect("an event in the path");
        let watchlist = format!("/v1/pm/events/{event}/watchlist");
        let user = record["users"][0]["userId"].as_str().expect("a user").parse().expect("an id");
        let sessions = open_sessions(&url, &venue, user, sessions);
        let nodes: Vec<Node> = (0..NODES).map(|_| venue.node(&url).limited_to(rates)).collect();
        nodes.iter().for_each(|node| assert!(node.start(), "{}", node.log()));
        Crowd { server, database, nodes, record, sessions, watchlist }
    }

    /// A text field of a person in the venue's record.
    pub(crate) fn text(&self, person: usize, name: &str) -> String {
        self.record["users"][person][name].as_str().expect("a text").to_owned()
    }

    pub(crate) fn send(&self, node: usize, ask: &Ask) -> Answer {
        ask.send(&self.nodes[node].address().expect("a node that serves"))
    }

    /// Sends all requests at once, spread over the nodes.
    pub(crate) fn send_all(&self, asks: &[Ask]) -> Vec<Answer> {
        let barrier = Barrier::new(asks.len());
        let send = |(number, ask): (usize, &Ask)| {
            barrier.wait();
            self.send(number % NODES, ask)
        };
        thread::scope(|scope| {
            let sent: Vec<_> = asks.iter().enumerate().map(|ask| scope.spawn(move || send(ask))).collect();
            sent.into_iter().map(|answer| answer.join().expect("an answer")).collect()
        })
    }
}

/// One login per two minutes is allowed, so a node of this process opens as many sessions as are needed.
fn open_sessions(url: &str, venue: &Venue, user: Uuid, count: usize) -> Vec<Session> {
    let folder = tempfile::tempdir().expect("a folder");
    venue.copy_key(folder.path());
    let settings = SharedLogSettings::new(url);
    let node = NodeInside::builder(folder.path()).shared_log(&settings).start();
    let node = node.expect("a node that starts");
    let open = |_| {
        let session = Session { token: random_token(), device: "d_test".to_owned() };
        let command = Command::OpenSession(OpenSession {
            user: UserId::new(user.as_u128()),
            password_version: 0,
            id: SessionId::new(Uuid::now_v7().as_u128()),
            token_hash: token_hash(session.token.as_bytes()),
            device: Text::from(session.device.as_str()),
        });
        let request = Request { actor: Actor::System, idempotency: None, command };
        let answer = node.app.writing().sequencer().submit_blocking(request).expect("an answer");
        answer.result.expect("a session");
        session
    };
    let sessions = (0..count).map(open).collect();
    node.stop().expect("a clean stop");
    sessions
}

impl Ask {
    pub(crate) fn new(method: &'static str, path: impl Into<String>) -> Ask {
        Ask { method, path: path.into(), headers: Vec::new(), body: Vec::new() }
    }

    pub(crate) fn json(self, body: &Value) -> Ask {
        self.body(serde_json::to_vec(body).expect("JSON"))
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Ask {
        self.body = body.into();
        self
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Ask {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn in_session(self, session: &Session) -> Ask {
        self.header("x-auth-token", &session.token).header("x-device-id", &session.device)
    }

    pub(crate) fn signed(mut self, public: &str, secret: &str) -> Ask {
        self.headers.extend(signed_headers(public, secret, self.method, &self.path, &self.body));
        self
    }

    /// The answering node must have reached this sequence.
    pub(crate) fn at_or_after(self, sequence: u64) -> Ask {
        self.header("x-wait-for-sequence", sequence.to_string())
    }

    pub(crate) fn send(&self, address: &str) -> Answer {
        self.try_send(address).expect("an answer")
    }

    /// None: the connection ended before the answer did.
    pub(crate) fn try_send(&self, address: &str) -> Option<Answer> {
        let mut request = http::Request::builder().method(self.method).uri(format!("{address}{}", self.path));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let agent =
            ureq::Agent::config_builder().http_status_as_error(false).allow_non_standard_methods(true);
        let agent: ureq::Agent = agent.build().into();
        let request = request.body(self.body.clone()).expect("a request");
        let mut response = agent.run(request).ok()?;
        let text = response.body_mut().read_to_string().ok()?;
        let number = |name: &str| response.headers().get(name)?.to_str().ok()?.parse().ok();
        Some(Answer {
            status: response.status().as_u16(),
            sequence: number("x-sequence"),
            retry_after: number("retry-after"),
            body: serde_json::from_str(&text).expect("a JSON body"),
        })
    }
}

impl Session {
    /// The session in the response to a login.
    pub(crate) fn of(body: &Value) -> Session {
        let text = |name: &str| body[name].as_str().expect("a text").to_owned();
        Session { token: text("token"), device: text("deviceId") }
    }
}

impl Answer {
    /// Checks a 429: header and body have the same wait, which is at most this long.
    #[track_caller]
    pub(crate) fn limited(&self, seconds_max: u64) {
        assert_eq!((self.status, &self.body["error"]), (429, &Value::from("rate_limit")), "{}", self.body);
        let wait = self.retry_after.expect("a wait");
        assert_eq!(self.body["retryAfter"], wait, "{}", self.body);
        assert!((1..=seconds_max).contains(&wait), "{}", self.body);
    }

    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> &Value {
        assert_eq!(self.status, status, "{}", self.body);
        &self.body
    }

    /// The sequence of an accepted write.
    #[track_caller]
    pub(crate) fn written_at(&self) -> u64 {
        self.sequence.unwrap_or_else(|| panic!("a sequence beside {}", self.body))
    }
}
