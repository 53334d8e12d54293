//! `OpenEvent`: from draft to open, all markets at once, pools seeded, the closing date ahead.

use exchange::catalogue::{Engine, EventKind, Status};
use exchange::command::{CancelMarkets, Command, OpenEvent, SeedPool, Target};
use exchange::numbers::{Cents, Currency, Money};
use exchange::reject::Reject;
use exchange::time::Span;

use crate::rules::lifecycle::{event_status, market_status, reported, statuses};
use crate::rules::world::{START, World, event_of, market_id, new_event, price};

fn seed(world: &mut World, market: &str, currency: Currency) {
    world.credit("house", currency, Money::whole(100 * currency.base()));
    let amount = Money::whole(100 * currency.base());
    world
        .system(Command::SeedPool(SeedPool { market: market_id(market), currency, amount, price: price(50) }))
        .expect("a seed");
}

#[test]
fn open_event_opens_every_draft_and_sets_the_closing_date_on_the_clock() {
    let mut world = World::new();
    let mut new = new_event(EventKind::Grouped, Engine::Clob, 0, &["a", "b"]);
    let closing_date = START + Span::hours(1);
    new.details.closing_date = Some(closing_date);
    world.system(Command::CreateEvent(new)).expect("a draft");
    assert_eq!(world.exchange.next_due(), None, "a draft closes nothing");
    world.system(Command::OpenEvent(OpenEvent { event: event_of("a") })).expect("open");
    let expected =
        [market_status("a", Status::Open), market_status("b", Status::Open), event_status("a", Status::Open)];
    assert_eq!(reported(&world), expected);
    assert_eq!(world.exchange.next_due(), Some(closing_date));
}

#[test]
fn open_event_leaves_a_market_that_was_cancelled_as_a_draft() {
    let mut world = World::new();
    world.draft(EventKind::Grouped, Engine::Clob, 0, &["a", "b"]);
    let cancel =
        Command::CancelMarkets(CancelMarkets { target: Target::Market(market_id("b")), yes: Cents::HALF });
    world.system(cancel).expect("b is cancelled");
    world.system(Command::OpenEvent(OpenEvent { event: event_of("a") })).expect("open");
    assert_eq!(statuses(&world, "a"), (Status::Open, Status::Open));
    assert_eq!(statuses(&world, "b"), (Status::Cancelled, Status::Open));
}

#[test]
fn open_event_refuses_an_unseeded_pool() {
    let mut world = World::new();
    world.draft(EventKind::Grouped, Engine::Amm, 0, &["a", "b"]);
    let open = Command::OpenEvent(OpenEvent { event: event_of("a") });
    let all = [("a", Currency::Usd), ("a", Currency::Ngn), ("b", Currency::Usd), ("b", Currency::Ngn)];
    for (market, currency) in all {
        assert_eq!(world.system(open.clone()), Err(Reject::PoolNotSeeded), "before {market} {currency:?}");
        assert_eq!(statuses(&world, "a"), (Status::Draft, Status::Draft));
        seed(&mut world, market, currency);
    }
    world.system(open).expect("all pools are seeded");
    assert_eq!(statuses(&world, "b"), (Status::Open, Status::Open));
}

#[test]
fn open_event_asks_for_no_seed_in_a_currency_the_event_does_not_support() {
    let mut world = World::new();
    let mut new = new_event(EventKind::Single, Engine::Amm, 0, &["m"]);
    new.currencies = vec![Currency::Ngn];
    world.system(Command::CreateEvent(new)).expect("a draft");
    seed(&mut world, "m", Currency::Ngn);
    assert!(world.system(Command::OpenEvent(OpenEvent { event: event_of("m") })).is_ok());
}

#[test]
fn open_event_refuses_a_closing_date_that_has_come() {
    for (wait, opens) in [(59, true), (60, false), (61, false)] {
        let mut world = World::new();
        let mut new = new_event(EventKind::Single, Engine::Clob, 0, &["m"]);
        new.details.closing_date = Some(START + Span::seconds(60));
        world.system(Command::CreateEvent(new)).expect("a draft");
        world.wait(Span::seconds(wait));
        let result = world.system(Command::OpenEvent(OpenEvent { event: event_of("m") }));
        let refusal = Reject::InvalidField { field: "closing_date", rule: "lies in the future" };
        assert_eq!(result.err(), (!opens).then_some(refusal), "after {wait} seconds");
    }
}
