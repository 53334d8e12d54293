//! `CreateSeries` and its consequences by the clock: boundaries, events, resolutions, and all failures.

use exchange::catalogue::{
    AssetPrice, Automation, Engine, Event, EventLink, Interval, MarketDetails, NewEvent, NewSeries,
    SeriesCategory, Status,
};
use exchange::change::{Change, SeriesAlert};
use exchange::command::{
    CancelMarkets, CloseTrading, Command, PauseSeries, RecordPrice, ResolveMarket, Target,
};
use exchange::id::{Derived, EventId, MarketId, SeriesId, derive};
use exchange::index::UserIndex;
use exchange::numbers::{Cents, Currency, Money, PerCurrency};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::world::{START, World, event_of, id, new_event};

pub(crate) fn series_id(name: &str) -> SeriesId {
    SeriesId::new(id(name))
}

/// A fifteen-minute series about BTC on a book.
pub(crate) fn new_series(name: &str) -> NewSeries {
    NewSeries {
        id: series_id(name),
        slug: Text::from(name),
        display_name: Text::from("Bitcoin"),
        description: Text::from("Does it rise?"),
        category: SeriesCategory::Crypto,
        interval: Interval::FifteenMinute,
        asset_symbol: Text::from("BTC"),
        automation: Automation::PriceUpDown,
        icon_url: Text::default(),
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        market: MarketDetails::default(),
        seed: PerCurrency { usd: Money::whole(100), ngn: Money::whole(10_000) },
        sources: Vec::new(),
        tolerance_ppm: 0,
    }
}

/// A world with the series `btc`, made one second after midnight.
pub(crate) fn stage(engine: Engine) -> World {
    let mut world = World::new();
    set_stage(&mut world, engine);
    world
}

fn set_stage(world: &mut World, engine: Engine) {
    world.wait(Span::seconds(1));
    let new = NewSeries { engine, ..new_series("btc") };
    world.system(Command::CreateSeries(new)).expect("a series");
}

/// The start of the n-th interval of the day.
pub(crate) fn start_of(interval: i64) -> Time {
    START + Span::minutes(15 * interval)
}

/// Records a price of the source at this instant.
fn sample(world: &mut World, at: Time, value: i64) {
    world.now = at;
    let (symbol, source) = (Text::from("BTC"), Text::from("test"));
    let command =
        Command::RecordPrice(RecordPrice { symbol, value: AssetPrice(value), source, source_time: at });
    world.system(command).expect("a recorded price");
}

/// Records a price and moves one microsecond on: a boundary at this instant is settled.
pub(crate) fn record(world: &mut World, at: Time, value: i64) {
    sample(world, at, value);
    settle(world, at);
}

pub(crate) fn tick(world: &mut World, at: Time) {
    world.now = at;
    world.system(Command::Tick).expect("a tick");
}

/// A tick at the first instant after a boundary.
pub(crate) fn settle(world: &mut World, boundary: Time) {
    tick(world, boundary + Span::MICROSECOND);
}

/// The event of the n-th interval, if it was made.
pub(crate) fn event_at(world: &World, interval: i64) -> Option<Event> {
    let slug = format!("btc-{}", start_of(interval).micros() / 1_000_000);
    let index = world.exchange.catalogue().find_event_by_slug(&slug)?;
    Some(world.exchange.catalogue().event(index).clone())
}

pub(crate) fn alerts(world: &World) -> Vec<(Time, SeriesAlert)> {
    let alert = |change: &Change| match change {
        Change::SeriesAlert { at, reason, .. } => Some((*at, *reason)),
        _ => None,
    };
    world.changes().iter().filter_map(alert).collect()
}

fn boundaries(world: &World) -> Vec<(Time, Option<AssetPrice>)> {
    let boundary = |change: &Change| match change {
        Change::SeriesBoundary { at, value, .. } => Some((*at, *value)),
        _ => None,
    };
    world.changes().iter().filter_map(boundary).collect()
}

fn winner(world: &World, event: &Event) -> Option<Outcome> {
    world.exchange.catalogue().market(event.markets[0]).resolved_outcome()
}

#[test]
fn create_series_begins_with_the_next_full_interval() {
    let table = [
        (Interval::FiveMinute, START + Span::minutes(5)),
        (Interval::FifteenMinute, START + Span::minutes(15)),
        (Interval::Hourly, START + Span::hours(1)),
        (Interval::SixHourly, START + Span::hours(6)),
        (Interval::Daily, START + Span::days(1)),
    ];
    for (interval, next_start) in table {
        for wait in [0, 1] {
            let mut world = World::new();
            world.wait(Span::seconds(wait));
            let new = NewSeries { interval, ..new_series("btc") };
            world.system(Command::CreateSeries(new)).expect("a series");
            assert_eq!(world.changes(), [Change::SeriesCreated { series: series_id("btc") }]);
            let series = world.exchange.catalogue().find_series(series_id("btc")).expect("the series");
            assert_eq!((series.next_start, series.paused), (next_start, false));
            assert_eq!(world.exchange.next_due(), Some(next_start + Span::MICROSECOND));
        }
    }
}

#[test]
fn an_interval_begins_with_an_open_event_whose_threshold_is_the_boundary_price() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1) - Span::seconds(1), 96_250_500_000);
    settle(&mut world, start_of(1));
    assert_eq!(boundaries(&world), [(start_of(1), Some(AssetPrice(96_250_500_000)))]);
    let event = event_at(&world, 1).expect("the first event");
    assert_eq!(
        (event.status, event.threshold, event.close_value),
        (Status::Open, Some(AssetPrice(96_250_500_000)), None)
    );
    assert_eq!(event.link, EventLink::Series { series: series_id("btc"), start: start_of(1) });
    let details = &event.details;
    assert_eq!(&*details.title, "Bitcoin: up or down, 2026-01-01 00:15 to 2026-01-01 00:30 UTC");
    assert_eq!((&*details.category, details.opening_date), ("crypto", Some(start_of(1))));
    assert_eq!(details.closing_date, Some(start_of(2)));
    assert_eq!(details.resolution_date, Some(start_of(2) + Span::seconds(60)));
    let market = world.exchange.catalogue().market(event.markets[0]);
    assert_eq!((&*market.details.yes_label, &*market.details.no_label), ("Up", "Down"));
    assert_eq!((market.status, market.details.threshold), (Status::Open, Some(96_250_500_000)));
}

#[test]
fn an_event_closes_at_its_boundary_and_resolves_a_minute_later() {
    for (close, outcome) in [(101, Outcome::Yes), (100, Outcome::Yes), (99, Outcome::No)] {
        let mut world = stage(Engine::Clob);
        record(&mut world, start_of(1), 100);
        record(&mut world, start_of(2) - Span::seconds(59), close);
        settle(&mut world, start_of(2));
        let event = event_at(&world, 1).expect("the first event");
        assert_eq!((event.status, event.close_value), (Status::Closed, Some(AssetPrice(close))));
        assert_eq!(event_at(&world, 2).expect("the next event").threshold, Some(AssetPrice(close)));

        let resolution = start_of(2) + Span::seconds(60);
        tick(&mut world, resolution - Span::seconds(1));
        assert_eq!(event_at(&world, 1).expect("the event").status, Status::Closed);
        tick(&mut world, resolution);
        let event = event_at(&world, 1).expect("the event");
        assert_eq!((event.status, event.resolved_at), (Status::Resolved, Some(resolution)));
        assert_eq!(winner(&world, &event), Some(outcome), "opened at 100, closed at {close}");
    }
}

#[test]
fn a_price_sequenced_at_the_boundary_itself_counts_for_it() {
    for tick_comes_first in [false, true] {
        let mut world = stage(Engine::Clob);
        sample(&mut world, start_of(1) - Span::seconds(1), 100);
        if tick_comes_first {
            tick(&mut world, start_of(1));
            assert_eq!(event_at(&world, 1), None, "a price of this instant may still come");
        }
        sample(&mut world, start_of(1), 200);
        if !tick_comes_first {
            tick(&mut world, start_of(1));
        }
        settle(&mut world, start_of(1));
        assert_eq!(boundaries(&world), [(start_of(1), Some(AssetPrice(200)))]);
        assert_eq!(event_at(&world, 1).expect("the event").threshold, Some(AssetPrice(200)));
    }
}

#[test]
fn an_event_closes_at_the_boundary_itself_and_its_value_waits_for_the_next_microsecond() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1), 100);
    tick(&mut world, start_of(2));
    let event = event_at(&world, 1).expect("the event");
    assert_eq!((event.status, event.close_value), (Status::Closed, None));
    record(&mut world, start_of(2), 90);
    assert_eq!(event_at(&world, 1).expect("the event").close_value, Some(AssetPrice(90)));
    assert_eq!(event_at(&world, 2).expect("the next event").threshold, Some(AssetPrice(90)));
}

#[test]
fn a_price_sequenced_after_the_boundary_does_not_count_for_it() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1) - Span::seconds(1), 100);
    world.now = start_of(1) + Span::seconds(1);
    let (symbol, source, source_time) = (Text::from("BTC"), Text::from("test"), start_of(1));
    let late = Command::RecordPrice(RecordPrice { symbol, value: AssetPrice(200), source, source_time });
    world.system(late).expect("a recorded price");
    assert_eq!(event_at(&world, 1).expect("the event").threshold, Some(AssetPrice(100)));
}

#[test]
fn a_stale_price_makes_no_event_and_leaves_the_last_one_to_an_operator() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1), 100);
    // Sixty seconds old is too old.
    record(&mut world, start_of(2) - Span::seconds(60), 100);
    settle(&mut world, start_of(2));
    assert_eq!(boundaries(&world), [(start_of(2), None)]);
    assert_eq!(alerts(&world), [(start_of(2), SeriesAlert::StalePrice)]);
    assert_eq!(event_at(&world, 2), None);
    tick(&mut world, start_of(2) + Span::minutes(5));
    let event = event_at(&world, 1).expect("the event");
    assert_eq!((event.status, event.close_value), (Status::Closed, None));

    let market = world.exchange.catalogue().market(event.markets[0]).id;
    world.system(Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::No })).expect("by hand");
    assert_eq!(event_at(&world, 1).expect("the event").status, Status::Resolved);
    record(&mut world, start_of(3), 100);
    assert!(event_at(&world, 3).is_some(), "with a price the series continues");
}

#[test]
fn an_interval_is_made_up_to_ten_seconds_late_and_then_missed() {
    for (late, is_made) in [(1, true), (10_000_000, true), (10_000_001, false)] {
        let mut world = stage(Engine::Clob);
        record(&mut world, start_of(1) - Span::seconds(5), 100);
        tick(&mut world, Time::from_micros(start_of(1).micros() + late));
        assert_eq!(event_at(&world, 1).is_some(), is_made, "{late} microseconds late");
        let expected: &[_] = if is_made { &[] } else { &[(start_of(1), SeriesAlert::Missed)] };
        assert_eq!(alerts(&world), expected);
        assert_eq!(
            world.exchange.catalogue().find_series(series_id("btc")).expect("it").next_start,
            start_of(2)
        );
    }
}

#[test]
fn a_series_that_slept_skips_what_it_missed_and_still_ends_what_it_began() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1), 100);
    record(&mut world, start_of(2) - Span::seconds(30), 90);
    // A year later, five seconds into an interval.
    let year = 365 * 24 * 4;
    tick(&mut world, start_of(year) + Span::seconds(5));
    let event = event_at(&world, 1).expect("the event");
    assert_eq!((event.status, event.close_value), (Status::Resolved, Some(AssetPrice(90))));
    assert_eq!(winner(&world, &event), Some(Outcome::No), "judged by the samples of its own boundary");
    assert_eq!(boundaries(&world), [(start_of(2), Some(AssetPrice(90))), (start_of(year), None)]);
    assert_eq!(
        alerts(&world),
        [(start_of(2), SeriesAlert::Missed), (start_of(year), SeriesAlert::StalePrice)]
    );
    assert_eq!(world.exchange.next_due(), Some(start_of(year + 1) + Span::MICROSECOND));
}

#[test]
fn an_interval_has_at_most_one_event() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1), 100);
    for _ in 0..3 {
        settle(&mut world, start_of(1));
        let pause = |paused| Command::PauseSeries(PauseSeries { series: series_id("btc"), paused });
        world.system(pause(true)).expect("a pause");
        world.system(pause(false)).expect("on again");
    }
    tick(&mut world, start_of(1) + Span::minutes(14));
    assert_eq!(world.exchange.catalogue().events().len(), 1);
}

#[test]
fn an_event_that_an_operator_ended_early_is_left_as_it_is() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1), 100);
    let event = event_at(&world, 1).expect("the event").id;
    world
        .system(Command::CancelMarkets(CancelMarkets { target: Target::Event(event), yes: Cents::HALF }))
        .expect("cancelled");
    record(&mut world, start_of(2), 100);
    tick(&mut world, start_of(2) + Span::minutes(2));
    let event = event_at(&world, 1).expect("the event");
    assert_eq!((event.status, event.close_value), (Status::Cancelled, None));
}

#[test]
fn an_event_that_an_operator_closed_early_is_still_judged_at_its_boundary() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1), 100);
    let event = event_at(&world, 1).expect("the event").id;
    world.system(Command::CloseTrading(CloseTrading { target: Target::Event(event) })).expect("closed");
    record(&mut world, start_of(2), 99);
    tick(&mut world, start_of(2) + Span::seconds(60));
    assert_eq!(winner(&world, &event_at(&world, 1).expect("the event")), Some(Outcome::No));
}

#[test]
fn an_amm_series_is_seeded_by_the_house_and_waits_while_it_is_short() {
    let mut world = stage(Engine::Amm);
    world.credit("house", Currency::Usd, Money::whole(150));
    world.credit("house", Currency::Ngn, Money::whole(9_999));
    record(&mut world, start_of(1), 100);
    assert_eq!(alerts(&world), [(start_of(1), SeriesAlert::HouseShort)]);
    assert_eq!(event_at(&world, 1), None);
    let house = |world: &World, currency| world.exchange.ledger().wallet(UserIndex::HOUSE, currency).free;
    assert_eq!(
        house(&world, Currency::Usd),
        Money::whole(150),
        "nothing is spent on an event that is not made"
    );

    world.credit("house", Currency::Ngn, Money::whole(1));
    record(&mut world, start_of(2), 100);
    let event = event_at(&world, 2).expect("the event");
    assert_eq!(event.status, Status::Open);
    assert_eq!((house(&world, Currency::Usd), house(&world, Currency::Ngn)), (Money::whole(50), Money::ZERO));
    for currency in Currency::ALL {
        let listing = exchange::index::ListingIndex::new(event.markets[0], currency);
        let pool = world.exchange.catalogue().listing(listing).pool().expect("a seeded pool");
        assert_eq!((pool.yes, pool.no), (pool.seeded, pool.seeded), "at 0.50 nothing is left over");
        assert_eq!(pool.seeded.payout(currency), Money::whole(100 * currency.base()));
    }
    // At the end the whole seed comes back, because there were no trades.
    record(&mut world, start_of(3), 100);
    tick(&mut world, start_of(3) + Span::seconds(60));
    assert_eq!(event_at(&world, 2).expect("the event").status, Status::Resolved);
    assert_eq!(house(&world, Currency::Usd), Money::whole(150));
}

#[test]
fn an_event_whose_slug_is_taken_is_not_made() {
    let mut world = World::new();
    let mut new = new_event(exchange::catalogue::EventKind::Single, Engine::Clob, 0, &["m"]);
    new.slug = Text::from(format!("btc-{}", start_of(1).micros() / 1_000_000));
    world.system(Command::CreateEvent(new.clone())).expect("an event before there is a series of this name");
    set_stage(&mut world, Engine::Clob);
    record(&mut world, start_of(1), 100);
    assert_eq!(alerts(&world), [(start_of(1), SeriesAlert::NameTaken)]);
    assert_eq!(event_at(&world, 1).expect("the other one").id, event_of("m"));
}

#[test]
fn a_slug_of_a_series_with_digits_behind_it_is_reserved_and_so_are_derived_ids() {
    let mut world = stage(Engine::Clob);
    let new = new_event(exchange::catalogue::EventKind::Single, Engine::Clob, 0, &["m"]);
    let refused = |world: &mut World, new: NewEvent| match world.system(Command::CreateEvent(new)) {
        Err(Reject::InvalidField { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    for slug in ["btc-0", "btc-1767226500", "btc-99999999999999999999"] {
        assert_eq!(refused(&mut world, NewEvent { slug: Text::from(slug), ..new.clone() }), "slug");
    }
    let derived = derive(Derived::SeriesEvent, 1, 1);
    assert_eq!(refused(&mut world, NewEvent { id: EventId::new(derived), ..new.clone() }), "id");
    let mut with_market = new.clone();
    with_market.markets[0].id = MarketId::new(derived);
    assert_eq!(refused(&mut world, with_market), "id");
    for slug in ["btc", "btc-", "btc-1a", "btc-1-x", "eth-1767226500", "1767226500"] {
        let allowed = NewEvent { slug: Text::from(slug), ..new.clone() };
        let mut copy = world.exchange.clone();
        let request = exchange::Request {
            actor: exchange::identity::Actor::System,
            idempotency: None,
            command: Command::CreateEvent(allowed),
        };
        copy.apply(copy.now(), &request).expect("a request of this build").expect(slug);
    }
}

#[test]
fn create_series_refuses_each_broken_rule() {
    type Spoil = fn(&mut NewSeries);
    let table: &[(&str, Spoil)] = &[
        ("slug", |new| new.slug = Text::from("")),
        ("slug", |new| new.slug = Text::from("a".repeat(101))),
        ("slug", |new| new.slug = Text::from("BTC")),
        ("display_name", |new| new.display_name = Text::from("")),
        ("display_name", |new| new.display_name = Text::from("a".repeat(101))),
        ("description", |new| new.description = Text::from("a".repeat(10_001))),
        ("asset_symbol", |new| new.asset_symbol = Text::from("")),
        ("asset_symbol", |new| new.asset_symbol = Text::from("btc")),
        ("asset_symbol", |new| new.asset_symbol = Text::from("A".repeat(21))),
        ("icon_url", |new| new.icon_url = Text::from("a".repeat(2_001))),
        ("currencies", |new| new.currencies = vec![]),
        ("order_min", |new| new.market.order_min.usd = Money::ZERO),
        ("seed", |new| new.seed.ngn = Money::ZERO),
        ("seed", |new| new.seed.usd = Money::whole(-1)),
    ];
    let mut world = World::new();
    for (expected, spoil) in table {
        let mut new = NewSeries { engine: Engine::Amm, ..new_series("btc") };
        spoil(&mut new);
        match world.system(Command::CreateSeries(new)) {
            Err(Reject::InvalidField { field, .. }) => assert_eq!(field, *expected),
            other => panic!("{expected}: {other:?}"),
        }
    }
    let seeded =
        |usd| NewSeries { engine: Engine::Amm, seed: PerCurrency { usd, ngn: usd }, ..new_series("btc") };
    assert_eq!(world.system(Command::CreateSeries(seeded(Money::new(99)))), Err(Reject::NoWholeSet));
    assert_eq!(world.system(Command::CreateSeries(seeded(Money::new(i64::MAX)))), Err(Reject::PoolTooLarge));
    world.system(Command::CreateSeries(new_series("btc"))).expect("a series");
    let same_id = NewSeries { slug: Text::from("other"), ..new_series("btc") };
    assert_eq!(world.system(Command::CreateSeries(same_id)), Err(Reject::DuplicateId));
    let same_slug = NewSeries { slug: Text::from("btc"), ..new_series("other") };
    assert_eq!(world.system(Command::CreateSeries(same_slug)), Err(Reject::DuplicateSlug));
    assert_eq!(world.exchange.catalogue().series().count(), 1);
}
