//! Requests whose longest look at the state is measured: the time for which a request holds the lock that the writer needs.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use http::Request;
use server::limits::OPERATOR_RATE;
use server::node::Node;
use server::pipeline::clock::ManualClock;
use server::streams::StreamSettings;
use tokio::runtime::Runtime;

use crate::Problem;

/// How long a room of `changes` is kept. Each read of changes must open its room, which is the longest part.
const ROOM_KEPT: Duration = Duration::from_millis(1);
/// How often a read is sent. Rooms of `changes` are closed in between.
const TIMES: usize = 40;

/// The callers of the measured requests.
#[derive(Clone, Debug)]
pub struct Callers {
    /// The public key of a user.
    pub public_key: String,
    /// The token of an operator.
    pub token: &'static str,
}

/// A read of a user, or of an operator if its path says so.
#[derive(Clone, Debug)]
pub struct Question {
    pub name: String,
    pub path: String,
    /// The JSON body of a POST; the others are GET requests.
    body: Option<String>,
}

impl Question {
    pub fn get(name: &str, path: impl Into<String>) -> Question {
        Question { name: name.to_owned(), path: path.into(), body: None }
    }

    pub fn post(name: &str, path: impl Into<String>, body: impl Into<String>) -> Question {
        Question { name: name.to_owned(), path: path.into(), body: Some(body.into()) }
    }

    fn request(&self, callers: &Callers) -> Result<Request<Body>, Problem> {
        let builder = match self.body {
            Some(_) => Request::post(&self.path).header("content-type", "application/json"),
            None => Request::get(&self.path),
        };
        let builder = match self.path.starts_with("/admin") {
            true => builder.header("authorization", format!("Bearer {}", callers.token)),
            false => builder.header("x-public-key", &callers.public_key),
        };
        Ok(builder.body(self.body.clone().map_or_else(Body::empty, Body::from))?)
    }
}

/// The routes of a node, with the clock that it follows.
#[derive(Debug)]
pub struct Looker<'a> {
    node: &'a Node,
    clock: Arc<ManualClock>,
    callers: Callers,
    runtime: Runtime,
    public: Router,
    admin: Router,
}

impl<'a> Looker<'a> {
    pub fn new(node: &'a Node, clock: Arc<ManualClock>, callers: Callers) -> Result<Looker<'a>, Problem> {
        let settings = StreamSettings {
            heartbeat_every: ROOM_KEPT,
            changes_kept_for: ROOM_KEPT,
            ..StreamSettings::default()
        };
        if !node.app.streams().configure(settings) {
            return Err("the node has settings of its own".into());
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (public, admin) =
            (server::routes::router(node.app.clone()), server::admin::router(node.app.clone()));
        Ok(Looker { node, clock, callers, runtime, public, admin })
    }

    /// The longest look of each of many requests.
    pub fn looks(&self, question: &Question) -> Result<Vec<Duration>, Problem> {
        let is_operators = question.path.starts_with("/admin") || question.path == "/metrics";
        let router = if is_operators { &self.admin } else { &self.public };
        let mut looks: Vec<Duration> = Vec::new();
        for _ in 0..TIMES {
            let request = question.request(&self.callers)?;
            // The clock stands otherwise, and the limit of an operator's requests would be reached.
            self.clock.advance_micros(1_000_000 / i64::from(OPERATOR_RATE.tokens));
            while self.node.app.streams().change_logs() > 0 {
                std::thread::sleep(ROOM_KEPT);
            }
            let shared = self.node.app.reading().shared();
            shared.take_longest_read();
            self.runtime.block_on(send(router, request, &question.path))?;
            looks.push(shared.take_longest_read());
        }
        Ok(looks)
    }
}

async fn send(router: &Router, request: Request<Body>, path: &str) -> Result<(), Problem> {
    use tower_service::Service;
    let answer = router.clone().call(request).await?;
    let status = answer.status();
    let body = to_bytes(answer.into_body(), usize::MAX).await?;
    if !status.is_success() {
        return Err(format!("{path} returned {status}: {}", String::from_utf8_lossy(&body)).into());
    }
    Ok(())
}
