//! Feeds on a real node: each response of an endpoint becomes a sample or an error, and never blocks anything else.
//!
//! `endpoint` is the HTTP server. Both clocks of the node stand still, so times are exact.

mod endpoint;

use std::sync::Arc;

use exchange::Request;
use exchange::catalogue::{AssetPrice, Sample};
use exchange::command::{Command, CreateOperator, RecordPrice};
use exchange::id::{Hash32, OperatorId};
use exchange::identity::{Actor, Role};
use exchange::text::Text;
use exchange::time::{Span, Time};
use journal::file::Options;
use patience::PATIENCE;
use server::app::App;
use server::feeds::{FeedKind, FeedStatus, FeedTable, read_feeds, tasks};
use server::node::Node;
use server::pipeline::clock::ManualClock;
use stage::soon;
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use endpoint::{Endpoint, Line, good};

const BEGIN: Time = Time::from_seconds(1_893_456_000);
const OPTIONS: Options =
    Options { segment_bytes: 1 << 20, verify_from: journal::Sequence::FIRST, prepare_in_background: false };

/// A node whose feeds run.
struct Running {
    folder: TempDir,
    node: Node,
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Running {
    fn start(feeds: &[FeedTable]) -> Running {
        Running::start_in(tempfile::tempdir().expect("a folder"), feeds)
    }

    fn start_in(folder: TempDir, feeds: &[FeedTable]) -> Running {
        let clock = Arc::new(ManualClock::new(BEGIN.micros()));
        let node =
            Node::builder(folder.path()).clock(clock.clone()).journal_clock(clock).options(OPTIONS).start();
        let node = node.expect("a node");
        assert!(node.app.feeds().declare(read_feeds(feeds).expect("good feeds")), "declared once");
        let (stop, stopping) = watch::channel(false);
        let mut running = JoinSet::new();
        for task in tasks(node.app.feeds(), &stopping) {
            running.spawn(task);
        }
        Running { folder, node, stop, tasks: running }
    }

    fn app(&self) -> &App {
        &self.node.app
    }

    /// The first feed.
    fn status(&self) -> FeedStatus {
        self.app().feeds().status().remove(0)
    }

    /// Polls until the condition holds.
    async fn until(&self, what: &str, holds: impl Fn(&FeedStatus) -> bool) -> FeedStatus {
        let complaint = || format!("{what} did not come: {:?}", self.status());
        soon(complaint, async || Some(self.status()).filter(|status| holds(status))).await
    }

    fn samples(&self) -> Vec<Sample> {
        let exchange = self.app().reading().state();
        let samples = exchange.catalogue().assets().get(&Text::from("BTC"));
        samples.and_then(|samples| samples.last()).cloned().into_iter().collect()
    }

    /// Stops the feeds, waits for them, and stops the node.
    async fn end(mut self) -> TempDir {
        self.stop.send_replace(true);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        timeout(PATIENCE, all).await.expect("feeds that end when they are stopped");
        let stopped = self.node.stop().expect("a stop");
        assert_eq!(stopped.live, stopped.replayed);
        self.folder
    }
}

fn http_feed(endpoint: &Endpoint) -> FeedTable {
    FeedTable {
        name: "endpoint".to_owned(),
        kind: Some(FeedKind::Http),
        symbol: "BTC".to_owned(),
        interval_milliseconds: Some(100),
        url: Some(endpoint.url.clone()),
        value_pointer: Some("/price".to_owned()),
        timeout_milliseconds: Some(10_000),
        retries: Some(0),
        ..FeedTable::default()
    }
}

/// The error of the first round of a feed without retries.
async fn first_error(line: Line, change: impl FnOnce(FeedTable) -> FeedTable) -> String {
    let endpoint = Endpoint::open(vec![line]).await;
    let running = Running::start(&[change(http_feed(&endpoint))]);
    let status = running.until("an error", |status| status.failures > 0).await;
    assert_eq!((status.last_value, status.last_success), (None, None));
    assert!(running.samples().is_empty(), "nothing was recorded");
    running.end().await;
    status.last_error.expect("an error")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_of_an_endpoint_is_recorded_to_the_last_digit_under_the_name_of_its_source() {
    let endpoint = Endpoint::open(vec![good("\"96250.123456\"")]).await;
    let running = Running::start(&[http_feed(&endpoint)]);
    let status = running.until("a price", |status| status.last_value.is_some()).await;
    let value = AssetPrice(96_250_123_456);
    let sample =
        Sample { value, source: Text::from("endpoint"), source_time: BEGIN, at: BEGIN, pushed_by: None };
    assert_eq!(running.samples(), [sample]);
    let expected = FeedStatus {
        name: Text::from("endpoint"),
        kind: FeedKind::Http,
        symbol: Text::from("BTC"),
        last_value: Some(value),
        last_time: Some(BEGIN),
        last_success: Some(BEGIN),
        last_error: None,
        failures: 0,
    };
    assert_eq!(status, expected);
    running.until("a second question", |_| endpoint.asked() > 1).await;
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_from_an_endpoint_is_the_time_of_the_sample() {
    let body = format!("{{\"data\": [{{\"p\": 1.5, \"t\": {}}}]}}", BEGIN.micros() / 1_000 - 61_000);
    let endpoint = Endpoint::open(vec![Line::Answer(200, body)]).await;
    let (value_pointer, time_pointer) = (Some("/data/0/p".to_owned()), Some("/data/0/t".to_owned()));
    let running = Running::start(&[FeedTable { value_pointer, time_pointer, ..http_feed(&endpoint) }]);
    let status = running.until("a price", |status| status.last_value.is_some()).await;
    assert_eq!(status.last_value, Some(AssetPrice(1_500_000)));
    assert_eq!((status.last_time, status.last_success), (Some(BEGIN - Span::seconds(61)), Some(BEGIN)));
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_of_an_answer_is_reported_and_nothing_is_recorded() {
    let huge = format!("{{\"price\": 1, \"more\": \"{}\"}}", "x".repeat(64 * 1024));
    let table = [
        (Line::Answer(500, "{\"price\": 1}".to_owned()), "the endpoint answered 500"),
        (Line::Answer(404, String::new()), "the endpoint answered 404"),
        (Line::Answer(302, "{\"price\": 1}".to_owned()), "the endpoint answered 302"),
        (Line::Answer(200, "<html>price</html>".to_owned()), "the answer is not JSON"),
        (Line::Answer(200, "{\"price\": 1".to_owned()), "the answer is not JSON"),
        (Line::Answer(200, "{\"cost\": 1}".to_owned()), "the answer has nothing at /price"),
        (good("\"dear\""), "\"dear\" at /price is no price"),
        (good("null"), "\"null\" at /price is no price"),
        (good("0"), "\"0\" at /price is no price: it must be more than 0"),
        (good("-1"), "\"-1\" at /price is no price"),
        (good("99999999999999999999"), "is no price: it is too large"),
        (Line::Answer(200, huge), "the answer is longer than 65536 bytes"),
        (Line::Endless, "the answer is longer than 65536 bytes"),
        (Line::HangUp, "the question failed"),
        (Line::Nonsense, "the question failed"),
    ];
    for (line, expected) in table {
        let error = first_error(line.clone(), |feed| feed).await;
        assert!(error.contains(expected), "{line:?}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_is_slow_fails_in_time_even_in_the_middle_of_its_answer() {
    for line in [Line::Silence, Line::HalfAnAnswer] {
        let slow = |feed| FeedTable { timeout_milliseconds: Some(100), ..feed };
        assert_eq!(first_error(line, slow).await, "no answer in time");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_without_a_server_or_without_tls_is_a_connection_error() {
    let endpoint = Endpoint::open(vec![Line::Nonsense]).await;
    let secure = endpoint.url.replace("http://", "https://");
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        format!("http://{}/", listener.local_addr().expect("an address"))
    };
    for (url, expected) in [(secure, "corrupt message"), (closed, "refused")] {
        let error = first_error(good("1"), |feed| FeedTable { url: Some(url.clone()), ..feed }).await;
        assert!(error.starts_with("no connection") && error.contains(expected), "{url}: {error}");
        assert!(!error.contains("of=BTC"), "an address may carry a key: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_the_exchange_refuses_is_a_failure_of_its_feed() {
    let ahead = BEGIN.micros() / 1_000_000 + 61;
    let body = format!("{{\"price\": 1, \"time\": {ahead}}}");
    let error = first_error(Line::Answer(200, body), |feed| FeedTable {
        time_pointer: Some("/time".to_owned()),
        time_format: Some(server::feeds::TimeFormat::Seconds),
        ..feed
    });
    assert!(error.await.starts_with("the price was refused"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_asks_again_before_it_calls_a_round_failed() {
    let script = vec![Line::Answer(503, String::new()), Line::HangUp, good("7")];
    let endpoint = Endpoint::open(script.clone()).await;
    let running = Running::start(&[FeedTable { retries: Some(2), ..http_feed(&endpoint) }]);
    let status = running.until("a price", |status| status.last_value.is_some()).await;
    assert_eq!((status.failures, status.last_error), (0, None));
    running.end().await;

    let endpoint = Endpoint::open(script).await;
    let running = Running::start(&[FeedTable { retries: Some(1), ..http_feed(&endpoint) }]);
    running.until("a failure", |status| status.failures == 1 && status.last_error.is_some()).await;
    let is_well = |status: &FeedStatus| status.last_value.is_some() && status.last_error.is_none();
    assert_eq!(running.until("a price", is_well).await.failures, 1, "what was counted stays counted");
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_does_not_wait_for_a_silent_endpoint() {
    let endpoint = Endpoint::open_held(vec![good("1"), Line::Silence]).await;
    let slow = FeedTable { timeout_milliseconds: Some(30_000), ..http_feed(&endpoint) };
    let running = Running::start(&[slow]);
    endpoint.let_one_pass();
    running.until("the second question", |status| status.last_value.is_some() && endpoint.asked() > 1).await;
    // `end` waits for less time than the request's timeout.
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_hangs_holds_up_neither_another_feed_nor_the_writer() {
    let (silent, talking) =
        (Endpoint::open(vec![Line::Silence]).await, Endpoint::open(vec![good("5")]).await);
    let feeds = [http_feed(&silent), FeedTable { name: "talking".to_owned(), ..http_feed(&talking) }];
    let running = Running::start(&feeds);
    running.until("a question", |_| silent.asked() > 0).await;
    let app = running.app();
    running.until("the other's price", |_| app.feeds().status()[1].last_value.is_some()).await;
    let tick = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
    assert!(app.writing().sequencer().submit(tick).await.is_ok());
    assert_eq!(running.status().failures, 0, "it still waits");
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_simulated_feed_walks_and_continues_after_a_restart() {
    let feed = FeedTable {
        name: "made-up".to_owned(),
        kind: Some(FeedKind::Simulated),
        symbol: "BTC".to_owned(),
        start: Some("96250.5".to_owned()),
        step_ppm: Some(10_000),
        interval_milliseconds: Some(100),
        ..FeedTable::default()
    };
    let running = Running::start(std::slice::from_ref(&feed));
    let first = running.until("a price", |status| status.last_value.is_some()).await.last_value;
    running.until("another price", |status| status.last_value != first).await;
    let last = running.samples()[0].value;
    let app = running.app();
    let far = Command::RecordPrice(RecordPrice {
        symbol: Text::from("BTC"),
        value: AssetPrice(190_000_000_000),
        source: Text::from("made-up"),
        source_time: BEGIN,
    });
    assert!(last.0 < 120_000_000_000, "{last:?} is a few steps away");
    let request = Request { actor: Actor::System, idempotency: None, command: far };
    app.writing().sequencer().submit(request).await.expect("an answer").result.expect("a recorded price");
    let folder = running.end().await;

    let running = Running::start_in(folder, &[feed]);
    assert!(running.status().last_value.is_some_and(|value| value.0 > 170_000_000_000), "it is remembered");
    let before = running.samples()[0].clone();
    running.until("a further price", |_| running.samples()[0] != before).await;
    let next = running.samples()[0].value;
    assert!((before.value.0 - next.0).abs() <= before.value.0 / 50, "from {before:?} to {next:?}");
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pushed_price_shows_on_the_feed_of_its_source_alone() {
    let push = |name: &str| FeedTable {
        name: name.to_owned(),
        kind: Some(FeedKind::Push),
        symbol: "BTC".to_owned(),
        ..FeedTable::default()
    };
    let running = Running::start(&[push("desk"), push("other")]);
    assert!(running.tasks.is_empty(), "pushed feeds need no task");
    let command = Command::RecordPrice(RecordPrice {
        symbol: Text::from("BTC"),
        value: AssetPrice(42),
        source: Text::from("desk"),
        source_time: BEGIN - Span::seconds(5),
    });
    let operator = OperatorId::new(7);
    let create = Command::CreateOperator(CreateOperator {
        id: operator,
        name: Text::from("olga"),
        role: Role::Operator,
        token_hash: Hash32::of("token"),
    });
    let request = Request { actor: Actor::System, idempotency: None, command: create };
    running
        .app()
        .writing()
        .sequencer()
        .submit(request)
        .await
        .expect("an answer")
        .result
        .expect("an operator");
    let request = Request { actor: Actor::Operator { operator }, idempotency: None, command };
    running
        .app()
        .writing()
        .sequencer()
        .submit(request)
        .await
        .expect("an answer")
        .result
        .expect("a recorded price");
    let status = running.app().feeds().status();
    let shown = |status: &FeedStatus| (status.last_value, status.last_time, status.last_success);
    assert_eq!(shown(&status[0]), (Some(AssetPrice(42)), Some(BEGIN - Span::seconds(5)), Some(BEGIN)));
    assert_eq!(shown(&status[1]), (None, None, None));
    running.end().await;
}
