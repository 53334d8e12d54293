//! Numbers for Prometheus.

use std::time::{Duration, Instant};

use exchange::Request;
use exchange::catalogue::AssetPrice;
use exchange::command::{Command, CreateOperator, RecordPrice};
use exchange::id::{Hash32, OperatorId};
use exchange::identity::{Actor, Role};
use exchange::text::Text;
use server::feeds::{FeedKind, FeedTable, read_feeds};

use crate::stage::{Stage, get, limit};

#[tokio::test]
async fn metrics_are_in_the_text_format_and_follow_the_exchange() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let answered = stage.ask(get("/metrics")).await;
    assert_eq!(answered.status, 200);
    assert!(
        answered.header("content-type").is_some_and(|kind| kind.starts_with("text/plain; version=0.0.4"))
    );
    let text = answered.text();
    let value = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        lines
            .next()
            .and_then(|value| value.parse::<u64>().ok())
            .unwrap_or_else(|| panic!("{name} is not there"))
    };
    assert_eq!(value("bellwether_sequence"), stage.seq());
    assert_eq!(
        (value("bellwether_open_orders"), value("bellwether_users"), value("bellwether_events")),
        (1, 3, 3)
    );
    assert_eq!(value("bellwether_writer_failed"), 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.split_once(' ').expect("a name and a value");
        assert!(name.starts_with("bellwether_") && value.parse::<u64>().is_ok(), "{line}");
        assert!(
            text.contains(&format!("# HELP {name} ")) && text.contains(&format!("# TYPE {name} ")),
            "{name}"
        );
    }
}

#[tokio::test]
async fn metrics_and_ready_show_that_history_has_stopped() {
    let stage = Stage::open().await;
    let has = async |line: &str| stage.ask(get("/metrics")).await.text().lines().any(|found| found == line);
    assert!(has("bellwether_history_stopped 0").await);
    assert_eq!(stage.ask(get("/ready")).await.status, 200);
    std::fs::remove_dir_all(stage.folder().join("history/segments")).expect("damage");
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let began = Instant::now();
    while !stage.app().reading().history().has_stopped() {
        assert!(began.elapsed() < Duration::from_secs(60), "nothing can be stored any more");
        stage.app().reading().history().make_durable(Duration::ZERO);
        tokio::task::yield_now().await;
    }
    assert!(has("bellwether_history_stopped 1").await);
    assert_eq!(stage.ask(get("/ready")).await.status, 503, "closed orders cannot be read here");
}

#[tokio::test]
async fn metrics_have_a_line_for_each_feed() {
    let stage = Stage::open().await;
    let push = |name: &str| FeedTable {
        name: name.to_owned(),
        kind: Some(FeedKind::Push),
        symbol: "BTCUSDT".to_owned(),
        ..FeedTable::default()
    };
    let feeds = read_feeds(&[push("desk"), push("other")]).expect("good feeds");
    assert!(stage.app().feeds().declare(feeds));
    let command = Command::RecordPrice(RecordPrice {
        symbol: Text::from("BTCUSDT"),
        value: AssetPrice(1),
        source: Text::from("desk"),
        source_time: stage.app().now(),
    });
    let operator = OperatorId::new(7);
    let create = Command::CreateOperator(CreateOperator {
        id: operator,
        name: Text::from("olga"),
        role: Role::Operator,
        token_hash: Hash32::of("token"),
    });
    let request = Request { actor: Actor::System, idempotency: None, command: create };
    stage.app().writing().sequencer().submit(request).await.expect("an answer").result.expect("an operator");
    let request = Request { actor: Actor::Operator { operator }, idempotency: None, command };
    stage
        .app()
        .writing()
        .sequencer()
        .submit(request)
        .await
        .expect("an answer")
        .result
        .expect("a recorded price");
    let answered = stage.ask(get("/metrics")).await;
    let (text, now) = (answered.text(), stage.now_seconds());
    let expected = [
        format!("bellwether_feed_last_success_timestamp_seconds{{feed=\"desk\",symbol=\"BTCUSDT\"}} {now}"),
        "bellwether_feed_last_success_timestamp_seconds{feed=\"other\",symbol=\"BTCUSDT\"} 0".to_owned(),
        "# TYPE bellwether_feed_failures_total counter".to_owned(),
        "bellwether_feed_failures_total{feed=\"desk\",symbol=\"BTCUSDT\"} 0".to_owned(),
        "bellwether_feed_failing{feed=\"desk\",symbol=\"BTCUSDT\"} 0".to_owned(),
    ];
    for line in expected {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

#[test]
fn the_operating_reference_has_every_metric() {
    let reference = include_str!("../../../../docs/operating/reference.md");
    let sources =
        [include_str!("../../src/routes/metrics.rs"), include_str!("../../src/feeds/metrics.rs")].concat();
    let mut metrics = 0;
    for literal in sources.split('"').filter(|literal| literal.starts_with("bellwether_")) {
        assert!(
            reference.contains(&format!("| `{literal}` |")),
            "docs/operating/reference.md lacks {literal}"
        );
        metrics += 1;
    }
    assert!(metrics >= 25, "only {metrics} metrics");
}
