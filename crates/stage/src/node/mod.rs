//! A node with users, money and events, and its router. Both of its clocks are manual.

mod draft;
mod gate;
pub mod lane;
pub mod links;
mod people;
mod scenery;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use exchange::Request;
use exchange::command::Command;
use exchange::identity::Actor;
use exchange::reply::Reply;
use http::HeaderMap;
use http_body_util::BodyExt;
use journal::file::Options;
use journal::testing::FaultyDisk;
use serde_json::Value;
use server::app::App;
use server::node::{Node, Stopped};
use server::notifying::push::endpoint::Reach;
use server::pipeline::clock::{Clock, ManualClock};
use server::routes::router;
use server::shared_log::SharedLogSettings;
use server::startup::Disks;
use tempfile::TempDir;
use tower_service::Service;

pub use draft::{Draft, delete, draft, get, post, put, sign};
pub use gate::Gate;
use gate::Gated;
pub use people::{Key, PASSWORD, User};
pub use scenery::{Market, limit, market, traded};

/// 2030, for both clocks.
const BEGINNING_SECONDS: i64 = 1_893_456_000;
/// A small journal is enough, and quick to make.
pub const OPTIONS: Options =
    Options { segment_bytes: 1 << 20, verify_from: journal::Sequence::FIRST, prepare_in_background: false };

pub struct Stage {
    ground: Ground,
    pub clock: Arc<ManualClock>,
    running: Option<Running>,
    /// A book in both currencies with a fee of 2 %, and a pool of the same kind that was seeded at 0.50.
    pub book: Market,
    pub pool: Market,
    /// Known to operators only.
    pub hidden: Market,
    pub alice: User,
    pub bob: User,
}

/// The folder, disk and log of a node.
struct Ground {
    folder: TempDir,
    disk: Option<FaultyDisk>,
    gate: Option<Arc<Gate>>,
    /// Instead of a journal in the folder.
    log: Option<SharedLogSettings>,
    push_reach: Reach,
}

impl Ground {
    fn new() -> Ground {
        let folder = tempfile::tempdir().expect("a folder");
        Ground { folder, disk: None, gate: None, log: None, push_reach: Reach::Public }
    }
}

struct Running {
    node: Node,
    router: Router,
}

/// A complete response.
#[derive(Clone, Debug)]
pub struct Answered {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Stage {
    /// Alice and Bob with 1,000 USD, 100,000 NGN and a key each; one market on each engine.
    pub async fn open() -> Stage {
        Stage::open_at(BEGINNING_SECONDS).await
    }

    /// Like `open`, with a clock that begins at so many Unix seconds.
    pub async fn open_at(seconds: i64) -> Stage {
        Stage::open_with(seconds, None, None).await
    }

    /// Like `open`, with its journal on a disk with planted faults.
    pub async fn open_on(disk: &FaultyDisk) -> Stage {
        Stage::open_with(BEGINNING_SECONDS, Some(disk.clone()), None).await
    }

    /// Like `open`, with a gate before its journal.
    pub async fn open_behind(gate: &Arc<Gate>) -> Stage {
        Stage::open_with(BEGINNING_SECONDS, None, Some(gate.clone())).await
    }

    /// Like `open`, on a shared log. Its manual clock begins at so many Unix seconds; the edge uses the machine's
    /// clock.
    #[allow(dead_code, reason = "the tests of several nodes stand on it")]
    pub async fn open_on_log(seconds: i64, log: &SharedLogSettings) -> Stage {
        Stage::build(seconds, Ground { log: Some(log.clone()), push_reach: Reach::Loopback, ..Ground::new() })
            .await
    }

    /// Like `open`; push messages may also go to loopback.
    pub async fn open_with_push() -> Stage {
        Stage::build(BEGINNING_SECONDS, Ground { push_reach: Reach::Loopback, ..Ground::new() }).await
    }

    async fn open_with(seconds: i64, disk: Option<FaultyDisk>, gate: Option<Arc<Gate>>) -> Stage {
        Stage::build(seconds, Ground { disk, gate, ..Ground::new() }).await
    }

    async fn build(seconds: i64, ground: Ground) -> Stage {
        let clock = Arc::new(ManualClock::new(seconds * 1_000_000));
        let running = Running::start(&ground, &clock);
        let app = &running.node.app;
        let (book, pool, hidden) = scenery::build(app).await;
        let alice = people::join(app, "alice").await;
        let bob = people::join(app, "bob").await;
        Stage { ground, clock, running: Some(running), book, pool, hidden, alice, bob }
    }

    pub fn app(&self) -> &Arc<App> {
        &self.running.as_ref().expect("a stage that was not closed").node.app
    }

    /// The metrics, from the operators' listener.
    pub async fn metrics(&self) -> Answered {
        ask(server::admin::router(self.app().clone()), get("/metrics")).await
    }

    pub fn router(&self) -> Router {
        self.running.as_ref().expect("a stage that was not closed").router.clone()
    }

    /// The clock that signatures are checked against.
    pub fn now_seconds(&self) -> i64 {
        self.app().now_micros() / 1_000_000
    }

    pub fn digest(&self) -> [u8; 32] {
        self.app().reading().state().digest()
    }

    pub fn seq(&self) -> u64 {
        self.app().reading().state().seq()
    }

    /// Stops the node and starts it again on the same folder.
    pub async fn restart(&mut self) {
        let before = self.stop().await;
        assert_eq!(before.live, before.replayed, "replaying the journal gives what was served");
        self.running = Some(Running::start(&self.ground, &self.clock));
        assert_eq!(self.digest(), before.live, "a restart finds what was left");
    }

    /// Like `restart`, where the start appends requests before it serves, so the state differs.
    pub async fn restart_with_work(&mut self) {
        let before = self.stop().await;
        assert_eq!(before.live, before.replayed, "replaying the journal gives what was served");
        self.running = Some(Running::start(&self.ground, &self.clock));
        assert!(self.seq() > before.seq, "the start did nothing");
    }

    /// Like `restart`, with history deleted in between.
    pub async fn restart_without_history(&mut self) {
        let before = self.stop().await;
        std::fs::remove_dir_all(self.folder().join("history")).expect("a history to lose");
        self.running = Some(Running::start(&self.ground, &self.clock));
        assert_eq!(self.digest(), before.live, "a restart finds what was left");
    }

    /// Abandons a node whose journal has failed, and starts another on its files.
    pub async fn start_anew(&mut self) {
        let Running { node, router } = self.running.take().expect("a stage that was not closed");
        drop(router);
        // The result is ignored: the journal is broken.
        let _ = tokio::task::spawn_blocking(move || node.stop()).await.expect("an end");
        self.ground.disk.as_ref().expect("a disk that can be mended").restart();
        self.running = Some(Running::start(&self.ground, &self.clock));
    }

    /// Stops for good, and checks that the journal replays to the live state.
    pub async fn close(mut self) -> Stopped {
        let stopped = self.stop().await;
        assert_eq!(stopped.live, stopped.replayed, "replaying the journal gives what was served");
        stopped
    }

    async fn stop(&mut self) -> Stopped {
        let Running { node, router } = self.running.take().expect("a stage that was not closed");
        drop(router);
        tokio::task::spawn_blocking(move || node.stop()).await.expect("a stop").expect("a clean stop")
    }

    pub fn folder(&self) -> &std::path::Path {
        self.ground.folder.path()
    }

    /// Sends a request to the router.
    pub async fn ask(&self, draft: Draft) -> Answered {
        match lane::is_on() && lane::can_carry(&draft) {
            true => lane::ask(self.app(), self.router(), draft).await,
            false => ask(self.router(), draft).await,
        }
    }

    /// A signed write with a JSON body.
    pub async fn write(&self, key: &Key, method: &str, path: &str, body: &Value) -> Answered {
        self.ask(draft(method, path).json(body).signed(key, self.now_seconds())).await
    }

    /// A signed write without a body.
    pub async fn write_empty(&self, key: &Key, method: &str, path: &str) -> Answered {
        self.ask(draft(method, path).signed(key, self.now_seconds())).await
    }

    /// A read in a key's name.
    pub async fn read(&self, key: &Key, path: &str) -> Answered {
        self.ask(get(path).named(key)).await
    }

    /// A signed read.
    pub async fn read_signed(&self, key: &Key, path: &str) -> Answered {
        self.ask(get(path).signed(key, self.now_seconds())).await
    }

    /// Places an order that must be accepted, and returns it.
    pub async fn place(&self, key: &Key, market: &Market, body: &Value) -> Value {
        self.write(key, "POST", &market.orders(), body).await.expect(200)["order"].clone()
    }

    /// Creates a user with money and a key.
    pub async fn join(&self, name: &str) -> User {
        people::join(self.app(), name).await
    }

    /// Submits a command of the system.
    pub async fn operate(&self, command: Command) -> Reply {
        operate(self.app(), Actor::System, command).await
    }
}

impl Running {
    fn start(ground: &Ground, clock: &Arc<ManualClock>) -> Running {
        let folder = ground.folder.path();
        if let Some(log) = &ground.log {
            let start = || {
                let builder = Node::builder(folder).shared_log(log).push_reach(ground.push_reach);
                builder.journal_clock(clock.clone()).start()
            };
            // Opening blocks on the database, which an async worker thread must not.
            let node = std::thread::scope(|scope| scope.spawn(start).join()).expect("a start");
            let node = node.expect("a node that starts");
            let router = router(node.app.clone());
            return Running { node, router };
        }
        let mut disks = Disks::of(folder).expect("a folder to write to");
        if let Some(disk) = &ground.disk {
            disks.journal = Arc::new(disk.clone());
        }
        let journal_clock: Arc<dyn Clock> = match &ground.gate {
            Some(gate) => Arc::new(Gated { gate: gate.clone(), clock: clock.clone() }),
            None => clock.clone(),
        };
        let builder = Node::builder(folder).disks(disks).options(OPTIONS).push_reach(ground.push_reach);
        let node = builder.clock(clock.clone()).journal_clock(journal_clock).start();
        let node = node.expect("a node that starts");
        let router = router(node.app.clone());
        Running { node, router }
    }
}

/// Sends a request to a router, in process.
pub async fn ask(mut router: Router, draft: Draft) -> Answered {
    let response = router.call(draft.into_request()).await.expect("a router always answers");
    let (parts, body) = response.into_parts();
    let bytes = Body::new(body).collect().await.expect("a whole body").to_bytes().to_vec();
    Answered { status: parts.status.as_u16(), headers: parts.headers, bytes }
}

async fn operate(app: &App, actor: Actor, command: Command) -> Reply {
    let answer = app.writing().sequencer().submit(Request { actor, idempotency: None, command }).await;
    answer.expect("an answer").result.expect("a command that is taken")
}

impl Answered {
    /// The body of an answer that must have this status and be JSON.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("application/json"), "{}", self.text());
        let body: Value = serde_json::from_slice(&self.bytes).expect("a JSON body");
        body
    }

    /// A refusal with the three keys that every refusal has. Returns the whole body.
    #[track_caller]
    pub fn refused(&self, status: u16, error: &str) -> Value {
        let body = self.expect(status);
        assert_eq!(body["error"], error, "{body}");
        assert_eq!(body["statusCode"], status, "{body}");
        assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
        body
    }

    /// A refusal by the rules: 422 with its code.
    #[track_caller]
    pub fn unprocessable(&self, code: &str) -> Value {
        let body = self.refused(422, "unprocessable_entity");
        assert_eq!(body["code"], code, "{body}");
        body
    }

    /// Checks a 401: its error, the failed check, and a server time.
    #[track_caller]
    pub fn unauthorized(&self, error: &str, reason: &str) -> Value {
        let body = self.refused(401, error);
        assert_eq!(body["reason"], reason, "{body}");
        assert!(body["serverTime"].is_i64(), "{body}");
        body
    }

    /// Checks a 429 with the same wait in header and body.
    #[track_caller]
    pub fn limited(&self, seconds: u64) -> Value {
        let body = self.refused(429, "rate_limit");
        assert_eq!(body["retryAfter"], seconds, "{body}");
        assert_eq!(self.header("retry-after"), Some(seconds.to_string().as_str()));
        body
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// The keys of an object, sorted.
#[track_caller]
pub fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Checks that all of these keys exist.
#[track_caller]
pub fn has_keys(object: &Value, wanted: &[&str]) {
    let present = keys(object);
    for key in wanted {
        assert!(present.contains(key), "{key} is missing in {object}");
    }
}

/// A number, written with or without decimals.
#[track_caller]
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A text.
#[track_caller]
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}
