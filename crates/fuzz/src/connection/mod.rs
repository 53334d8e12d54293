//! A connection to a running venue: any bytes as client input, through the HTTP parser, the router and, after a
//! handshake, a stream. Every request must get a response, never a 500.
//!
//! The first byte of an input selects the listener. The venue runs in this process with a temporary folder. It is
//! recreated at intervals, since the requests of one input change the state for the next ones.

mod seeds;

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use exchange::command::{Command, CreateOperator, CreateUser, CreditWallet, OpenSession, Request};
use exchange::id::{Hash32, OperatorId, RowId, SessionId, UserId};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Currency, Money};
use exchange::text::Text;
use exchange::time::Time;
use http::StatusCode;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use journal::file::Options;
use server::node::Node;
use server::pipeline::clock::ManualClock;
use server::startup::Disks;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tower_service::Service;

use crate::world;
pub(crate) use seeds::seeds;

/// Inputs per venue; limits the state that they accumulate.
const INPUTS_MAX: u32 = 20_000;
/// Longer than any response takes, except for a long poll, whose client then disconnects.
const PATIENCE: Duration = Duration::from_millis(250);
/// The time between two inputs refills the rate limits.
const STEP_MICROS: i64 = 50_000;
const BUFFER_BYTES: usize = 64 * 1024;
const OPERATORS: u8 = 1;
/// The simulator's seed and the number of its requests that the venue has applied.
const PAST: (u64, usize) = (11, 40);

const TOKEN: &str = "session-token";
const DEVICE: &str = "device";
const OPERATOR_TOKEN: &str = "operator-token";
const USER: UserId = UserId::new(0x7001);

struct Venue {
    runtime: Runtime,
    node: Node,
    public: Router,
    operators: Router,
    clock: Arc<ManualClock>,
    inputs: u32,
    _folder: tempfile::TempDir,
}

static VENUE: Mutex<Option<Venue>> = Mutex::new(None);

pub(crate) fn run(input: &[u8]) {
    let Some((listener, bytes)) = input.split_first() else { return };
    let mut place = VENUE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(full) = place.take_if(|venue| venue.inputs == INPUTS_MAX) {
        full.stop();
    }
    let venue = place.get_or_insert_with(Venue::start);
    venue.inputs += 1;
    venue.clock.advance_micros(STEP_MICROS);
    venue.send(*listener == OPERATORS, bytes);
}

impl Venue {
    fn start() -> Venue {
        let folder = tempfile::tempdir().expect("a folder");
        let past = world::past(PAST.0, PAST.1);
        let begin = past.first().map_or(0, |(at, _)| at.micros());
        let clock = Arc::new(ManualClock::new(begin));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let options = Options { segment_bytes: 1 << 20, prepare_in_background: false, ..Options::default() };
        let disks = Disks::of(folder.path()).expect("a folder to write to");
        let builder = Node::builder(folder.path()).disks(disks).options(options);
        let node = builder.clock(clock.clone()).journal_clock(clock.clone()).start();
        let node = node.expect("a node that starts");
        let people = people().map(|command| Request { actor: Actor::System, idempotency: None, command });
        runtime.block_on(async {
            for (at, request) in past {
                clock.advance_micros((at.micros() - server::pipeline::clock::Clock::now(&*clock)).max(0));
                // A refusal is fine here.
                let _ = node.app.writing().sequencer().submit(request).await.expect("an answer");
            }
            for request in people {
                let answer = node.app.writing().sequencer().submit(request).await.expect("an answer");
                answer.result.expect("a valid new user");
            }
        });
        let public = server::routes::router(node.app.clone());
        let operators = server::admin::router(node.app.clone());
        Venue { runtime, node, public, operators, clock, inputs: 0, _folder: folder }
    }

    fn stop(self) {
        let Venue { runtime, node, public, operators, .. } = self;
        // Open streams end with the runtime. The node waits for all users of its state.
        drop((runtime, public, operators));
        let stopped = node.stop().expect("a clean stop");
        assert_eq!(stopped.live, stopped.replayed, "replaying the journal gives the live state");
    }

    fn send(&self, to_operators: bool, bytes: &[u8]) {
        let router = if to_operators { &self.operators } else { &self.public };
        // Each input has its own client address, so that they do not share a rate limit.
        let address = SocketAddr::from((Ipv4Addr::from_bits(0x0A00_0000 + self.inputs), 1));
        self.runtime.block_on(converse(router, address, bytes));
        assert!(self.node.app.writing().sequencer().writer_status().is_accepting(), "the writer is running");
    }
}

/// Sends `bytes`, closes the sending half and reads the responses until the end or the timeout.
async fn converse(router: &Router, address: SocketAddr, bytes: &[u8]) {
    let service = service_fn(|request| answer(router.clone(), address, request));
    let (ours, theirs) = tokio::io::duplex(BUFFER_BYTES);
    let serving = async {
        let mut builder = http1::Builder::new();
        builder.half_close(true);
        // A client that disconnects is not a defect.
        let _ = builder.serve_connection(TokioIo::new(ours), service).with_upgrades().await;
    };
    let asking = async {
        let (mut read, mut write) = tokio::io::split(theirs);
        let writing = async {
            // The server may already have responded and closed.
            let _ = write.write_all(bytes).await;
            let _ = write.shutdown().await;
        };
        let reading = async {
            let mut answers = [0; 4096];
            while read.read(&mut answers).await.is_ok_and(|count| count > 0) {}
        };
        tokio::join!(writing, reading);
    };
    let _ = tokio::time::timeout(PATIENCE, async { tokio::join!(serving, asking) }).await;
}

async fn answer(
    mut router: Router,
    address: SocketAddr,
    request: http::Request<Incoming>,
) -> Result<axum::response::Response, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(address));
    let shown = format!("{} {}", request.method(), request.uri());
    let response = router.call(request).await?;
    assert_ne!(response.status(), StatusCode::INTERNAL_SERVER_ERROR, "{shown}");
    Ok(response)
}

/// A trader with money and a session, and an operator.
fn people() -> [Command; 5] {
    let hash = |token: &str| Hash32::new(api::signing::body_digest(token.as_bytes()));
    let credit = |currency, amount, reference| {
        Command::CreditWallet(CreditWallet {
            user: USER,
            currency,
            amount: Money::whole(amount),
            reference: Text::from(reference),
        })
    };
    [
        Command::CreateUser(CreateUser {
            id: USER,
            address: hash("fuzz@example.org"),
            tag: Text::from("fuzz"),
            row: RowId::new(1),
            expires_at: Time::NEVER,
        }),
        credit(Currency::Usd, 1_000, "fuzz USD"),
        credit(Currency::Ngn, 100_000, "fuzz NGN"),
        Command::OpenSession(OpenSession {
            user: USER,
            password_version: 0,
            id: SessionId::new(0x7002),
            token_hash: hash(TOKEN),
            device: Text::from(DEVICE),
        }),
        Command::CreateOperator(CreateOperator {
            id: OperatorId::new(0x7003),
            name: Text::from("fuzz"),
            role: Role::Operator,
            token_hash: hash(OPERATOR_TOKEN),
        }),
    ]
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr};

    use axum::Router;
    use http::StatusCode;

    use super::converse;

    fn ask(status: StatusCode) {
        let router = Router::new().fallback(move || async move { status });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        runtime.block_on(converse(&router, address, b"GET /a HTTP/1.1\r\nHost: here\r\n\r\n"));
    }

    #[test]
    #[should_panic(expected = "GET /a")]
    fn a_planted_handler_that_answers_500_is_noticed() {
        ask(StatusCode::NOT_FOUND);
        ask(StatusCode::INTERNAL_SERVER_ERROR);
    }
}
