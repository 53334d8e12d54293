//! Retirement: ended events leave memory after the age of the policy, with a record of everything that was visible.

use std::sync::Arc;

use exchange::catalogue::{Engine, EventKind, RetiredEvent, Status};
use exchange::change::Change;
use exchange::codec::{decode_retired, decode_snapshot, encode_retired, encode_snapshot};
use exchange::command::{
    CancelAllOrders, CancelMarkets, CloseTrading, Command, PauseSeries, ResolveMarket, SetWatchlist, Target,
};
use exchange::governance::Policy;
use exchange::numbers::{Cents, Currency, Money, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::time::Span;

use crate::rules::create_series::{new_series, record, series_id, stage, start_of, tick};
use crate::rules::world::{World, event_of, limit, market_id, new_event};

const AGE: Span = Span::hours(48);

/// Two people, and a market of a single event with trades and with resting orders.
fn traded(market: &str) -> World {
    let mut world = World::new();
    for name in ["alice", "bob"] {
        world.rich_user(name, Money::whole(1_000), Money::whole(100_000));
    }
    trade(&mut world, market);
    world
}

fn trade(world: &mut World, market: &str) {
    world.clob(market, 200);
    world.mint("bob", market, Currency::Usd, Money::whole(100)).expect("sets");
    let sell = limit(&format!("{market}/s"), market, Outcome::Yes, Side::Sell, Shares::whole(20), 40);
    world.place("bob", sell).expect("an order");
    let buy = limit(&format!("{market}/b"), market, Outcome::Yes, Side::Buy, Shares::whole(10), 45);
    world.place("alice", buy).expect("a trade");
}

fn resolve(world: &mut World, market: &str) {
    let target = Target::Market(market_id(market));
    world.system(Command::CloseTrading(CloseTrading { target })).expect("closed");
    let command = ResolveMarket { market: market_id(market), outcome: Outcome::Yes };
    world.system(Command::ResolveMarket(command)).expect("resolved");
}

fn retired(world: &World) -> Vec<Arc<RetiredEvent>> {
    let of = |change: &Change| match change {
        Change::EventRetired(retired) => Some(retired.clone()),
        _ => None,
    };
    world.changes().iter().filter_map(of).collect()
}

/// Everything that a reader can see of all events, independent of their place in memory.
fn shown(exchange: &exchange::Exchange) -> Vec<String> {
    let catalogue = exchange.catalogue();
    let event = |event: &exchange::catalogue::Event| {
        let markets = event.markets.iter().map(|index| {
            let market = catalogue.market(*index);
            let listings = Currency::ALL.map(|currency| {
                let listing = catalogue.listing(exchange::index::ListingIndex::new(*index, currency));
                let prices =
                    Outcome::BOTH.map(|outcome| (listing.price(outcome), listing.buy_price(outcome)));
                format!(
                    "{:?} {:?} {:?} {} {:?} {prices:?}",
                    listing.last_trade,
                    listing.closing_price,
                    listing.volume,
                    listing.orders,
                    listing.activity
                )
            });
            format!("{:?} {:?} {:?} {listings:?}", market.id, market.details, market.settlement)
        });
        let markets: Vec<String> = markets.collect();
        let without = exchange::catalogue::Event { markets: Vec::new(), ..event.clone() };
        format!("{without:?} {markets:?}")
    };
    catalogue.events().map(|(_, each)| event(each)).collect()
}

#[test]
fn a_settled_listing_gives_back_its_book_at_once() {
    let mut world = traded("rain");
    let listing = world.listing_index("rain", Currency::Usd);
    let place = |world: &World| world.exchange.catalogue().listing(listing).clone();
    let before = place(&world);
    assert!(!before.is_given_back() && before.book().is_some());
    resolve(&mut world, "rain");
    let after = place(&world);
    assert!(after.is_given_back() && after.book().is_none(), "{after:?}");
    assert_eq!((after.volume, after.orders), (before.volume, before.orders));
    assert_eq!((after.last_trade, after.closing_price.is_some()), (before.last_trade, true));
    let day = after.stats.day(world.now, Outcome::Yes);
    assert_eq!((day.count, day.last), (0, None), "the minutes are history's now");
}

#[test]
fn a_listing_in_a_currency_that_the_event_does_not_support_has_no_book() {
    let mut world = World::new();
    let mut new = new_event(EventKind::Single, Engine::Clob, 0, &["rain"]);
    new.currencies = vec![Currency::Usd];
    world.system(Command::CreateEvent(new)).expect("an event");
    let book = |currency| world.exchange.catalogue().listing(world.listing_index("rain", currency)).book();
    assert!(book(Currency::Usd).is_some() && book(Currency::Ngn).is_none());
}

#[test]
fn an_ended_event_leaves_memory_after_two_days_with_a_record_of_all_that_it_showed() {
    let mut world = traded("rain");
    world.clob("snow", 0);
    resolve(&mut world, "rain");
    let (before, ended_at) = (shown(&world.exchange), world.now);
    tick(&mut world, ended_at + AGE - Span::MICROSECOND);
    assert_eq!((retired(&world).len(), world.exchange.catalogue().events().len()), (0, 2));
    assert_eq!(world.exchange.next_due(), Some(ended_at + AGE));

    tick(&mut world, ended_at + AGE);
    let records = retired(&world);
    assert_eq!(records.len(), 1);
    let catalogue = world.exchange.catalogue();
    assert_eq!(
        (catalogue.events().len(), catalogue.markets().len(), catalogue.listings().count()),
        (1, 1, 2)
    );
    assert_eq!(catalogue.find_event(event_of("rain")), None);
    assert_eq!(catalogue.find_event_by_slug("rain-event"), None);
    assert_eq!(catalogue.find_market(market_id("rain")), None);
    assert_eq!((catalogue.retired_count(), catalogue.retired_name_count()), (1, 2));
    assert_eq!(catalogue.last_retired_at(), world.exchange.seq());

    let shelf = world.exchange.shelve(records.iter().map(|record| &**record));
    assert!(before.contains(&shown(&shelf)[0]), "{before:?}");
    let bytes = encode_retired(&records[0]);
    assert_eq!(decode_retired(&bytes).expect("readable"), *records[0]);
    assert!(decode_retired(&bytes[..bytes.len() - 1]).is_err());
}

#[test]
fn a_cancelled_event_retires_when_its_last_market_has_ended() {
    let mut world = World::new();
    world.event(EventKind::Grouped, Engine::Clob, 0, &["a", "b"]);
    let cancel = |world: &mut World, market: &str| {
        let command = CancelMarkets { target: Target::Market(market_id(market)), yes: Cents::HALF };
        world.system(Command::CancelMarkets(command)).expect("cancelled");
    };
    cancel(&mut world, "a");
    world.wait(AGE);
    world.wait(AGE);
    cancel(&mut world, "b");
    assert_eq!(world.exchange.catalogue().events().len(), 1, "it has ended only now");
    let ended_at = world.now;
    tick(&mut world, ended_at + AGE - Span::MICROSECOND);
    assert_eq!(retired(&world), []);
    tick(&mut world, ended_at + AGE);
    assert_eq!(retired(&world)[0].event.status, Status::Cancelled);
    assert_eq!(world.exchange.catalogue().markets().len(), 0);
}

#[test]
fn names_of_a_retired_event_stay_taken_for_ever() {
    let mut world = traded("rain");
    resolve(&mut world, "rain");
    world.wait(AGE);
    tick(&mut world.clone(), world.now);
    let (new, other) = (|name| new_event(EventKind::Single, Engine::Clob, 0, &[name]), "snow");
    let create = |world: &mut World, new| world.system(Command::CreateEvent(new));
    let mut same_id = new(other);
    same_id.id = event_of("rain");
    let mut same_slug = new(other);
    same_slug.slug = new("rain").slug;
    for _ in 0..2 {
        assert_eq!(create(&mut world, same_id.clone()), Err(Reject::DuplicateId));
        assert_eq!(create(&mut world, same_slug.clone()), Err(Reject::DuplicateSlug));
        world.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    }
    create(&mut world, new(other)).expect("another name");
}

#[test]
fn the_rules_do_not_find_a_retired_market_and_a_shelf_refuses_like_an_ended_market() {
    let mut world = traded("rain");
    resolve(&mut world, "rain");
    let again = limit("again", "rain", Outcome::No, Side::Buy, Shares::whole(10), 40);
    let small = limit("small", "rain", Outcome::No, Side::Buy, Shares::new(1), 1);
    let elsewhere = exchange::order::NewOrder {
        path: Some(exchange::order::OrderPath { event: event_of("snow"), market: market_id("rain") }),
        ..again.clone()
    };
    let orders = [again, small, elsewhere];
    let said: Vec<Reject> =
        orders.iter().map(|order| world.place("alice", order.clone()).expect_err("refused")).collect();
    assert_eq!(said[0], Reject::MarketNotOpen);
    let sets = |world: &mut World| world.mint("alice", "rain", Currency::Usd, Money::whole(1));
    assert_eq!(sets(&mut world), Err(Reject::MarketNotOpen));

    world.wait(AGE);
    tick(&mut world.clone(), world.now);
    assert_eq!(world.place("alice", orders[0].clone()), Err(Reject::OutcomeNotFound));
    let records = retired(&world);
    assert_eq!(records.len(), 1, "the order's own request retired the event before it");
    let shelf = world.exchange.shelve(records.iter().map(|record| &**record));
    let now: Vec<Reject> = orders.iter().map(|order| shelf.refuse_order(order)).collect();
    assert_eq!(now, said);
    assert_eq!(shelf.refuse_sets(market_id("rain"), Currency::Usd, Money::whole(1)), Reject::MarketNotOpen);
    assert_eq!(sets(&mut world), Err(Reject::MarketNotFound));
    let all = CancelAllOrders { event: Some(event_of("rain")), market: None, currency: None };
    assert_eq!(world.by("alice", Command::CancelAllOrders(all)), Err(Reject::EventNotFound));
}

#[test]
fn a_watched_event_stays_on_its_list_when_it_retires_and_can_be_taken_off() {
    let mut world = traded("rain");
    let watch =
        |watched| Command::SetWatchlist(SetWatchlist { event: event_of("rain"), watched, is_retired: false });
    world.by("alice", watch(true)).expect("watched");
    resolve(&mut world, "rain");
    world.wait(AGE);
    tick(&mut world.clone(), world.now);
    assert_eq!(world.by("bob", watch(true)), Err(Reject::EventNotFound));
    let listed = |world: &World| {
        let alice = world.exchange.directory().user(world.user_index("alice"));
        alice.watchlist.contains(&event_of("rain"))
    };
    assert!(listed(&world));
    world.by("alice", watch(true)).expect("it is watched already");
    world.by("alice", watch(false)).expect("taken off");
    assert!(!listed(&world));
    assert_eq!(world.by("alice", watch(false)), Err(Reject::EventNotFound));
    let found = SetWatchlist { event: event_of("rain"), watched: true, is_retired: true };
    world.by("alice", Command::SetWatchlist(found)).expect("the node found it in history");
    assert!(listed(&world));
}

#[test]
fn a_shorter_age_retires_what_is_older_a_hundred_with_each_request() {
    let mut world = World::new();
    let names: Vec<String> = (0..150).map(|number| format!("m{number}")).collect();
    for name in &names {
        world.clob(name, 0);
        let command = CancelMarkets { target: Target::Market(market_id(name)), yes: Cents::HALF };
        world.system(Command::CancelMarkets(command)).expect("cancelled");
    }
    world.wait(Span::hours(1));
    let policy = Policy { retire_after_seconds: 3_600, ..Policy::default() };
    world.system(Command::SetPolicy(policy)).expect("a policy");
    assert_eq!(world.exchange.catalogue().events().len(), 150, "timers come before the command");
    world.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    world.system(Command::Tick).expect("a tick");
    assert_eq!((retired(&world).len(), retired(&world)[0].event.id), (100, event_of("m0")));
    world.system(Command::Tick).expect("a tick");
    assert_eq!((retired(&world).len(), world.exchange.catalogue().events().len()), (50, 0));
    assert_eq!(world.exchange.next_due(), None);
}

#[test]
fn events_of_a_series_leave_nothing() {
    let mut world = stage(Engine::Clob);
    let snapshot_bytes = |world: &World| encode_snapshot(&world.exchange).len();
    let mut lengths = Vec::new();
    for interval in 1..=1_000 {
        record(&mut world, start_of(interval), 100 + interval % 3);
        if interval % 250 == 0 {
            lengths.push(snapshot_bytes(&world));
        }
    }
    let catalogue = world.exchange.catalogue();
    assert!(catalogue.retired_count() > 700, "{}", catalogue.retired_count());
    assert_eq!(catalogue.retired_name_count(), 0);
    assert!(catalogue.events().len() < 200, "{}", catalogue.events().len());
    let (first, last) = (lengths[0], lengths[3]);
    assert!(last.abs_diff(first) < 1_000, "{lengths:?}");
}

#[test]
fn a_restart_after_retirements_continues_like_an_exchange_that_never_stopped() {
    let mut world = traded("rain");
    trade(&mut world, "snow");
    world.system(Command::CreateSeries(new_series("btc"))).expect("a series");
    resolve(&mut world, "rain");
    let ended_at = world.now;
    for interval in 1..=220 {
        record(&mut world, start_of(interval), 100 + interval % 3);
    }
    assert!(world.now > ended_at + AGE && world.exchange.catalogue().retired_count() > 10);
    let mut restarted = world.clone();
    restarted.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    for (number, each) in [&mut world, &mut restarted].into_iter().enumerate() {
        trade(each, "hail");
        for interval in 221..=260 {
            record(each, start_of(interval), 100 + interval % 3);
        }
        resolve(each, "snow");
        let later = each.now + AGE;
        tick(each, later);
        assert!(!retired(each).is_empty(), "exchange {number}");
    }
    assert_eq!(world.exchange.digest(), restarted.exchange.digest());
    assert_eq!(encode_snapshot(&world.exchange), encode_snapshot(&restarted.exchange));
    assert_eq!(world.exchange.next_due(), restarted.exchange.next_due());
}

#[test]
fn a_paused_series_does_not_wait_for_a_current_event_that_has_retired() {
    let mut world = stage(Engine::Clob);
    let policy = Policy { retire_after_seconds: 60, ..Policy::default() };
    world.system(Command::SetPolicy(policy)).expect("a policy");
    record(&mut world, start_of(1), 100);
    let pause = |paused| Command::PauseSeries(PauseSeries { series: series_id("btc"), paused });
    world.system(pause(true)).expect("paused");
    let market = world.exchange.catalogue().markets().next().expect("the event's market").1.id;
    world.system(Command::CloseTrading(CloseTrading { target: Target::Market(market) })).expect("closed");
    world.system(Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::No })).expect("resolved");
    let later = world.now + Span::seconds(60);
    tick(&mut world, later);
    assert_eq!(retired(&world).len(), 1);
    assert_eq!(world.exchange.next_due(), None, "no timer for its end or for a next event");
    world.system(pause(false)).expect("resumed");
    record(&mut world, start_of(2), 100);
    assert_eq!(world.exchange.catalogue().events().len(), 1);
}
