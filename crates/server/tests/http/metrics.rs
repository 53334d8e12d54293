//! Numbers for Prometheus.

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
