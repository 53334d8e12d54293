//! `RecordPrice`: the stored samples, and invalid prices.

use exchange::catalogue::{AssetPrice, Sample};
use exchange::change::Change;
use exchange::command::{Command, RecordPrice};
use exchange::reject::Reject;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::world::{START, World};

fn record(symbol: &str, value: i64, source: &str, source_time: Time) -> Command {
    let (symbol, source) = (Text::from(symbol), Text::from(source));
    Command::RecordPrice(RecordPrice { symbol, value: AssetPrice(value), source, source_time })
}

#[test]
fn record_price_keeps_the_sample_with_both_times() {
    let mut world = World::new();
    world.wait(Span::seconds(3));
    world.system(record("EURUSD", 1_085_000, "feed", START)).expect("a price");
    let value = AssetPrice(1_085_000);
    let reported = Change::PriceRecorded { symbol: Text::from("EURUSD"), value, source_time: START };
    assert_eq!(world.changes(), [reported]);
    let samples = &world.exchange.catalogue().assets()[&Text::from("EURUSD")];
    let sample = Sample {
        value,
        source: Text::from("feed"),
        source_time: START,
        at: START + Span::seconds(3),
        pushed_by: None,
    };
    assert_eq!(samples.last(), Some(&sample));
}

#[test]
fn the_boundary_price_is_the_last_sequenced_sample_of_the_minute_before() {
    let mut world = World::new();
    let boundary = START + Span::seconds(120);
    let before = |seconds| boundary - Span::seconds(seconds);
    // The sequenced time, the source's time, the value.
    let samples = [
        (before(70), before(70), 1),
        (before(50), before(50), 2),
        (before(40), before(60), 3),
        (before(30), before(45), 4),
        (before(20), boundary + Span::seconds(1), 5),
    ];
    for (at, source_time, value) in samples {
        world.now = at;
        world.system(record("BTC", value, "feed", source_time)).expect("a price");
    }
    world.now = boundary + Span::seconds(1);
    world.system(record("BTC", 6, "feed", boundary)).expect("a price");
    let samples = &world.exchange.catalogue().assets()[&Text::from("BTC")];
    // The third is a minute old by its source, the fifth is from a later time, the sixth arrived later.
    assert_eq!(samples.at_boundary(boundary).map(|sample| sample.value), Some(AssetPrice(4)));
    assert_eq!(samples.at_boundary(before(45)).map(|sample| sample.value), Some(AssetPrice(2)));
    assert_eq!(samples.at_boundary(before(71)), None);
}

#[test]
fn record_price_refuses_what_is_no_price() {
    let ahead = |seconds| START + Span::seconds(seconds);
    let table = [
        ("symbol", record("", 1, "feed", START)),
        ("symbol", record("btc", 1, "feed", START)),
        ("symbol", record("BTC/USD", 1, "feed", START)),
        ("symbol", record(&"A".repeat(21), 1, "feed", START)),
        ("value", record("BTC", 0, "feed", START)),
        ("value", record("BTC", -1, "feed", START)),
        ("source", record("BTC", 1, "", START)),
        ("source", record("BTC", 1, &"a".repeat(61), START)),
        ("source_time", record("BTC", 1, "feed", Time::from_micros(ahead(60).micros() + 1))),
        ("source_time", record("BTC", 1, "feed", Time::from_seconds(-1))),
    ];
    let mut world = World::new();
    for (expected, command) in table {
        match world.system(command) {
            Err(Reject::InvalidField { field, .. }) => assert_eq!(field, expected),
            other => panic!("{expected}: {other:?}"),
        }
        assert!(world.changes().is_empty() && world.exchange.catalogue().assets().is_empty());
    }
    let table =
        [record(&"Z9".repeat(10), 1, "f", ahead(60)), record("B", i64::MAX, &"a".repeat(60), Time::ZERO)];
    for command in table {
        assert!(world.system(command).is_ok());
    }
}
