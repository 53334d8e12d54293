//! Numbers for Prometheus.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use exchange::Request;
use exchange::catalogue::AssetPrice;
use exchange::command::{Command, CreateOperator, RecordPrice};
use exchange::id::{Hash32, OperatorId};
use exchange::identity::{Actor, Role};
use exchange::text::Text;
use server::feeds::{FeedKind, FeedTable, read_feeds};
use server::web::WebSettings;
use stage::node::{Stage, get, limit};

#[tokio::test]
async fn metrics_are_in_the_text_format_and_follow_the_exchange() {
    let stage = Stage::open().await;
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let answered = stage.metrics().await;
    assert_eq!(answered.status, 200);
    assert!(
        answered.header("content-type").is_some_and(|kind| kind.starts_with("text/plain; version=0.0.4"))
    );
    let text = answered.text();
    let value = |name: &str| sample(&text, name) as u64;
    assert_eq!(value("bellwether_sequence"), stage.seq());
    assert_eq!(
        (value("bellwether_open_orders"), value("bellwether_users"), value("bellwether_events")),
        (1, 3, 3)
    );
    assert_eq!(value("bellwether_writer_failed"), 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        let name = name.split('{').next().expect("a name");
        assert!(name.starts_with("bellwether_") || name.starts_with("process_"), "{line}");
        assert!(value.parse::<f64>().is_ok(), "{line}");
        let family = ["_bucket", "_sum", "_count"].iter().fold(name, |name, end| name.trim_end_matches(end));
        let is_declared = |name: &str| {
            text.contains(&format!("# HELP {name} ")) && text.contains(&format!("# TYPE {name} "))
        };
        assert!(is_declared(name) || is_declared(family), "{name}");
    }
    stage.close().await;
}

/// The value of a metric with these labels.
fn sample(text: &str, name: &str) -> f64 {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    lines.next().and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name} in {text}"))
}

#[tokio::test]
async fn metrics_count_requests_refusals_stages_and_trades() {
    let stage = Stage::open().await;
    let (book, alice, bob) = (&stage.book, &stage.alice.key, &stage.bob.key);
    let answers = "bellwether_write_stage_duration_seconds_count{stage=\"answer\"}";
    let answers_before = sample(&stage.metrics().await.text(), answers);
    stage.place(alice, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(bob, book, &limit(book.no, "BUY", 60.0, 0.60)).await;
    let many = limit(book.yes, "BUY", 100_000.0, 0.40);
    stage.write(alice, "POST", &book.orders(), &many).await.refused(422, "unprocessable_entity");
    stage.ask(get("/v1/pm/no-such-path")).await.refused(404, "not_found");
    let answered = stage.metrics().await;
    let text = answered.text();
    let route = "method=\"POST\",route=\"/v1/pm/events/{eventId}/markets/{marketId}/orders\"";
    let of = |name: &str, labels: &str| sample(&text, &format!("{name}{{{labels}}}"));
    assert_eq!(of("bellwether_http_requests_total", &format!("{route},class=\"2xx\"")), 2.0);
    assert_eq!(of("bellwether_http_requests_total", &format!("{route},class=\"4xx\"")), 1.0);
    assert_eq!(of("bellwether_http_request_duration_seconds_count", route), 3.0);
    assert_eq!(of("bellwether_http_requests_total", "method=\"other\",route=\"other\",class=\"4xx\""), 1.0);
    assert_eq!(of("bellwether_refusals_total", "reason=\"INSUFFICIENT_BALANCE\""), 1.0);
    assert_eq!(of("bellwether_refusals_total", "reason=\"not_found\""), 1.0);
    assert_eq!(of("bellwether_rate_limit_refusals_total", "policy=\"write\""), 0.0);
    assert_eq!(of("bellwether_volume_total", "currency=\"USD\""), 60.0, "the taker's side");
    assert_eq!(of("bellwether_trades_total", "currency=\"USD\""), 1.0);
    assert!(of("bellwether_fees_total", "currency=\"USD\"") > 0.0);
    assert_eq!(of("bellwether_active_traders", "currency=\"USD\""), 2.0);
    assert!(of("bellwether_open_interest", "currency=\"USD\"") >= 100.0);
    let frames = sample(&text, "bellwether_frames_total");
    assert_eq!(of("bellwether_write_stage_duration_seconds_count", "stage=\"commit\""), frames);
    assert_eq!(sample(&text, answers), answers_before + 3.0, "refusals by the rules are decisions too");
    assert_eq!(sample(&text, "bellwether_group_requests_count"), frames);
    assert!(sample(&text, "bellwether_frame_bytes_total") > 1_000.0);
    assert!(sample(&text, "bellwether_journal_bytes") > 1_000.0);
    assert!(sample(&text, "bellwether_disk_free_bytes") > 0.0);
    stage.close().await;
}

#[tokio::test]
async fn metrics_are_public_only_by_a_setting() {
    let stage = Stage::open().await;
    stage.ask(get("/metrics")).await.refused(404, "not_found");
    let settings = WebSettings { public_metrics: true, ..WebSettings::default() };
    assert!(stage.app().web().configure(settings));
    assert!(stage.ask(get("/metrics")).await.text().contains("\nbellwether_sequence "));
}

#[tokio::test]
async fn a_sample_of_a_minute_has_what_happened_in_it() {
    let stage = Stage::open().await;
    let (book, alice, bob) = (&stage.book, &stage.alice.key, &stage.bob.key);
    let now = stage.now_seconds();
    stage.app().take_sample(now);
    stage.place(alice, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(bob, book, &limit(book.no, "BUY", 60.0, 0.60)).await;
    // Machines that look at the node are not part of its business.
    for probe in ["/health", "/v1/health", "/ready"] {
        stage.ask(get(probe)).await.expect(200);
    }
    assert_eq!(stage.metrics().await.status, 200);
    stage.app().take_sample(now + 60);
    let samples = stage.app().signals().samples.all();
    let [sample] = samples[..] else { panic!("one sample: {samples:?}") };
    assert_eq!((sample.at, sample.seconds, sample.requests, sample.commands), (now + 60, 60, 2, 2));
    assert!(sample.p50_micros.is_some() && sample.p99_micros >= sample.p50_micros);
    let (usd, traders) = sample.venue[0];
    assert_eq!((usd.volume, usd.trades, traders), (60_000_000, 1, 2));
    stage.close().await;
}

#[tokio::test]
async fn metrics_and_ready_show_that_history_has_stopped() {
    let stage = Stage::open().await;
    let has = async |line: &str| stage.metrics().await.text().lines().any(|found| found == line);
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
    let answered = stage.metrics().await;
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

const REFERENCE: &str = include_str!("../../../../docs/operating/reference.md");

/// The names of all metrics in the source.
fn names() -> BTreeSet<&'static str> {
    let sources = [
        include_str!("../../src/routes/metrics/machine.rs"),
        include_str!("../../src/routes/metrics/node.rs"),
        include_str!("../../src/routes/metrics/requests.rs"),
        include_str!("../../src/routes/metrics/venue.rs"),
        include_str!("../../src/routes/metrics/writes.rs"),
        include_str!("../../src/feeds/metrics.rs"),
    ];
    let is_name = |literal: &&str| literal.starts_with("bellwether_") || literal.starts_with("process_");
    let names: BTreeSet<_> = sources.iter().flat_map(|source| source.split('"')).filter(is_name).collect();
    assert!(names.len() >= 60, "only {} metrics", names.len());
    names
}

#[test]
fn the_operating_reference_has_every_metric() {
    for name in names() {
        assert!(REFERENCE.contains(&format!("| `{name}` |")), "docs/operating/reference.md lacks {name}");
    }
}

#[test]
fn every_metric_of_the_operating_reference_exists() {
    let names = names();
    let described = REFERENCE.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let is_metric =
        |kind: &str| ["counter |", "gauge |", "histogram |"].iter().any(|it| kind.starts_with(it));
    let described: Vec<_> = described.filter(|(_, rest)| is_metric(rest)).map(|(name, _)| name).collect();
    assert_eq!(described.len(), names.len(), "one row each");
    let gone: Vec<_> = described.iter().filter(|name| !names.contains(*name)).collect();
    assert!(gone.is_empty(), "docs/operating/reference.md describes {gone:?}");
}
