//! Series with named sources: which samples count, when two agree, which samples are kept, which alerts are raised.

use exchange::catalogue::{AssetPrice, Engine, Event, NewSeries, RaisedAlert, Sample, Status};
use exchange::change::{Change, SeriesAlert};
use exchange::codec::{decode_snapshot, encode_snapshot};
use exchange::command::{Command, PauseSeries, RecordPrice, ResolveMarket};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::create_series::{alerts, event_at, new_series, series_id, settle, start_of, tick};
use crate::rules::world::World;

const PRICE: i64 = 60_000_000_000;

/// A world with the series `btc` that counts these sources, made one second after midnight.
fn stage(sources: &[&str], tolerance_ppm: u32) -> World {
    let mut world = World::new();
    world.wait(Span::seconds(1));
    let sources = sources.iter().copied().map(Text::from).collect();
    let new = NewSeries { engine: Engine::Clob, sources, tolerance_ppm, ..new_series("btc") };
    world.system(Command::CreateSeries(new)).expect("a series");
    world
}

/// Records a price that a source saw just now.
fn say(world: &mut World, source: &str, at: Time, value: i64) -> Sample {
    say_late(world, source, at, at, value)
}

/// Records a price that a source saw earlier.
fn say_late(world: &mut World, source: &str, at: Time, source_time: Time, value: i64) -> Sample {
    world.now = at;
    let (source, value) = (Text::from(source), AssetPrice(value));
    let symbol = Text::from("BTC");
    world
        .system(Command::RecordPrice(RecordPrice { symbol, value, source: source.clone(), source_time }))
        .expect("a recorded price");
    Sample { value, source, source_time, at, pushed_by: None }
}

fn before(interval: i64, seconds: i64) -> Time {
    start_of(interval) - Span::seconds(seconds)
}

fn remembered(world: &World) -> Vec<RaisedAlert> {
    let series = world.exchange.catalogue().find_series(series_id("btc")).expect("the series");
    series.alerts.iter().copied().collect()
}

fn winner(world: &World, event: &Event) -> Option<Outcome> {
    world.exchange.catalogue().market(event.markets[0]).resolved_outcome()
}

#[test]
fn a_series_without_named_sources_takes_the_last_sample_of_anyone() {
    let mut world = stage(&[], 0);
    say(&mut world, "first", before(1, 20), 100);
    let last = say(&mut world, "second", before(1, 10), 200);
    settle(&mut world, start_of(1));
    let event = event_at(&world, 1).expect("an event");
    assert_eq!((event.threshold, event.open_samples), (Some(AssetPrice(200)), vec![last]));
}

#[test]
fn a_series_with_one_source_ignores_all_others() {
    let mut world = stage(&["exchange"], 0);
    let heard = say(&mut world, "exchange", before(1, 50), 100);
    say(&mut world, "Exchange", before(1, 5), 300);
    say(&mut world, "other", before(1, 4), 200);
    settle(&mut world, start_of(1));
    let event = event_at(&world, 1).expect("an event");
    assert_eq!((event.threshold, event.open_samples), (Some(AssetPrice(100)), vec![heard]));

    // Other sources continue; the series' own source is silent, so nothing is paid.
    say(&mut world, "other", before(2, 1), 500);
    tick(&mut world, start_of(2) + Span::minutes(2));
    let event = event_at(&world, 1).expect("the event");
    assert_eq!((event.status, event.close_value), (Status::Closed, None));
    assert_eq!(event.close_samples, []);
    assert_eq!(event_at(&world, 2), None);
}

#[test]
fn two_sources_that_agree_give_the_value_of_the_one_named_first() {
    let mut world = stage(&["leading", "checking"], 1_000);
    let leading = say(&mut world, "leading", before(1, 30), PRICE);
    let checking = say(&mut world, "checking", before(1, 2), PRICE + 1_000_000);
    settle(&mut world, start_of(1));
    let event = event_at(&world, 1).expect("an event");
    assert_eq!(event.threshold, Some(AssetPrice(PRICE)));
    assert_eq!(event.open_samples, [leading, checking]);

    let checking = say(&mut world, "checking", before(2, 20), PRICE - 2);
    let leading = say(&mut world, "leading", before(2, 10), PRICE - 1);
    settle(&mut world, start_of(2));
    tick(&mut world, start_of(2) + Span::seconds(60));
    let event = event_at(&world, 1).expect("the event");
    assert_eq!((event.status, winner(&world, &event)), (Status::Resolved, Some(Outcome::No)));
    assert_eq!((event.close_value, event.close_samples), (Some(leading.value), vec![leading, checking]));
    assert_eq!(remembered(&world), []);
}

#[test]
fn two_sources_agree_up_to_the_tolerance_itself_measured_on_the_leading_one() {
    // Leading, checking, tolerance, whether they agree.
    let table = [
        (1_000_000, 1_000_000, 0, true),
        (1_000_000, 1_000_001, 0, false),
        (1_000_000, 1_000_500, 500, true),
        (1_000_000, 999_500, 500, true),
        (1_000_000, 1_000_501, 500, false),
        (1_000_000, 999_499, 500, false),
        // Half a unit is not enough for a whole one.
        (1_999, 2_000, 500, false),
        (2_000, 1_999, 500, true),
        (i64::MAX, i64::MAX - i64::MAX / 10, 100_000, true),
        (i64::MAX, i64::MAX - i64::MAX / 10 - 2, 100_000, false),
        (1, i64::MAX, 100_000, false),
    ];
    for (leading, checking, tolerance, agrees) in table {
        let mut world = stage(&["leading", "checking"], tolerance);
        say(&mut world, "leading", before(1, 2), leading);
        say(&mut world, "checking", before(1, 1), checking);
        settle(&mut world, start_of(1));
        assert_eq!(event_at(&world, 1).is_some(), agrees, "{leading} and {checking} within {tolerance}");
        let expected: &[_] = if agrees { &[] } else { &[(start_of(1), SeriesAlert::SourcesDisagree)] };
        assert_eq!(alerts(&world), expected);
    }
}

#[test]
fn two_sources_that_disagree_leave_the_event_to_an_operator_and_make_no_new_one() {
    let mut world = stage(&["leading", "checking"], 100);
    say(&mut world, "leading", before(1, 2), PRICE);
    say(&mut world, "checking", before(1, 1), PRICE);
    settle(&mut world, start_of(1));
    assert!(event_at(&world, 1).is_some());
    say(&mut world, "leading", before(2, 2), PRICE);
    say(&mut world, "checking", before(2, 1), PRICE * 2);
    settle(&mut world, start_of(2));
    let boundary = Change::SeriesBoundary { series: series_id("btc"), at: start_of(2), value: None };
    assert!(world.changes().contains(&boundary));
    assert_eq!(alerts(&world), [(start_of(2), SeriesAlert::SourcesDisagree)], "one alert for both intervals");
    tick(&mut world, start_of(2) + Span::minutes(5));
    let event = event_at(&world, 1).expect("the event");
    assert_eq!((event.status, event.close_value), (Status::Closed, None));
    assert_eq!(event_at(&world, 2), None);

    let market = world.exchange.catalogue().market(event.markets[0]).id;
    world.system(Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::Yes })).expect("by hand");
    say(&mut world, "leading", before(3, 2), PRICE);
    say(&mut world, "checking", before(3, 1), PRICE);
    settle(&mut world, start_of(3));
    assert!(event_at(&world, 3).is_some(), "with prices that agree the series continues");
}

#[test]
fn of_two_sources_each_must_be_fresh_by_the_boundary_rule() {
    // When the checking source's sample was sequenced and when it was seen, in seconds before the boundary.
    let table = [
        (60, 59, true),
        (1, 59, true),
        (1, 60, false),
        (61, 61, false),
        (30, -1, false),
        (-1, 0, false),
        (0, 0, true),
    ];
    for (at, seen, counts) in table {
        for checking_is_stale in [true, false] {
            let mut world = stage(&["leading", "checking"], 0);
            let (late, punctual) =
                if checking_is_stale { ("checking", "leading") } else { ("leading", "checking") };
            if at > 1 {
                say_late(&mut world, late, before(1, at), before(1, seen), PRICE);
            }
            say(&mut world, punctual, before(1, 1), PRICE);
            if at <= 1 {
                say_late(&mut world, late, before(1, at), before(1, seen), PRICE);
            }
            tick(&mut world, start_of(1) + Span::seconds(2));
            assert_eq!(
                event_at(&world, 1).is_some(),
                counts,
                "{late} came {at} s and was seen {seen} s before"
            );
            let expected = RaisedAlert { at: start_of(1), reason: SeriesAlert::StalePrice };
            assert_eq!(remembered(&world), if counts { vec![] } else { vec![expected] });
        }
    }
}

#[test]
fn a_paused_series_still_alerts_about_an_undecidable_event() {
    let mut world = stage(&["leading"], 0);
    say(&mut world, "leading", start_of(1), PRICE);
    settle(&mut world, start_of(1));
    world
        .system(Command::PauseSeries(PauseSeries { series: series_id("btc"), paused: true }))
        .expect("a pause");
    settle(&mut world, start_of(2));
    assert_eq!(alerts(&world), [(start_of(2), SeriesAlert::StalePrice)]);
    assert_eq!(event_at(&world, 1).expect("the event").status, Status::Closed);
}

#[test]
fn a_source_with_too_many_prices_displaces_only_its_own() {
    let mut world = stage(&["leading", "quiet"], 0);
    say(&mut world, "quiet", before(1, 50), PRICE);
    for number in 0..2_000 {
        let at = Time::from_micros(before(1, 40).micros() + number * 10_000);
        say(&mut world, "leading", at, PRICE);
    }
    settle(&mut world, start_of(1));
    assert!(event_at(&world, 1).is_some());
    let samples = &world.exchange.catalogue().assets()[&Text::from("BTC")];
    assert!(samples.len() < 600, "{} samples are kept", samples.len());
}

#[test]
fn the_last_twenty_alerts_are_remembered_and_come_back_with_a_snapshot() {
    let mut world = stage(&["leading"], 0);
    for interval in 1..=25 {
        settle(&mut world, start_of(interval));
    }
    let expected: Vec<RaisedAlert> = (6..=25)
        .map(|interval| RaisedAlert { at: start_of(interval), reason: SeriesAlert::StalePrice })
        .collect();
    assert_eq!(remembered(&world), expected);
    world.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    assert_eq!(remembered(&world), expected);
}

#[test]
fn the_samples_of_an_event_come_back_with_a_snapshot() {
    let mut world = stage(&["leading", "checking"], 10);
    for (interval, value) in [(1, PRICE), (2, PRICE + 1)] {
        say(&mut world, "leading", before(interval, 2), value);
        say(&mut world, "checking", before(interval, 1), value);
        settle(&mut world, start_of(interval));
    }
    let event = event_at(&world, 1).expect("the event");
    assert_eq!((event.open_samples.len(), event.close_samples.len()), (2, 2));
    world.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    assert_eq!(event_at(&world, 1), Some(event));
}

#[test]
fn create_series_refuses_empty_sources() {
    let text = |name: &str| Text::from(name);
    let table = [
        ("sources", vec![text("")], 0),
        ("sources", vec![text(&"a".repeat(61))], 0),
        ("sources", vec![text("a"), text("a")], 0),
        ("sources", vec![text("a"), text("b"), text("c")], 0),
        ("tolerance_ppm", vec![], 1),
        ("tolerance_ppm", vec![text("a")], 1),
        ("tolerance_ppm", vec![text("a"), text("b")], 100_001),
    ];
    let mut world = World::new();
    for (expected, sources, tolerance_ppm) in table {
        let new = NewSeries { sources, tolerance_ppm, ..new_series("btc") };
        match world.system(Command::CreateSeries(new.clone())) {
            Err(Reject::InvalidField { field, .. }) => assert_eq!(field, expected, "{new:?}"),
            other => panic!("{new:?}: {other:?}"),
        }
    }
    let new = NewSeries {
        sources: vec![text("a"), text(&"b".repeat(60))],
        tolerance_ppm: 100_000,
        ..new_series("btc")
    };
    assert!(world.system(Command::CreateSeries(new)).is_ok());
}
