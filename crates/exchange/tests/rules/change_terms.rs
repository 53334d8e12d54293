//! Terms of a market change by the given fields, and a raise is announced an hour before it applies.

use exchange::command::{CancelMarkets, ChangeTerms, Command, Target};
use exchange::commands::NOTICE;
use exchange::numbers::{Cents, FeeRate, Money, PerCurrency};
use exchange::reject::Reject;
use exchange::time::Span;

use crate::rules::persons::agree;
use crate::rules::two_persons::two;
use crate::rules::world::{World, event_of, market_id};

fn terms(fee: u16) -> Command {
    let order_min = PerCurrency { usd: None, ngn: None };
    Command::ChangeTerms(ChangeTerms { market: market_id("m"), fee_rate: FeeRate::new(fee), order_min })
}

fn fee(world: &World) -> u16 {
    let catalogue = world.exchange.catalogue();
    catalogue.market(catalogue.find_market(market_id("m")).expect("a market")).details.fee_rate.basis_points()
}

#[test]
fn a_higher_fee_takes_two_and_an_hours_notice() {
    let mut world = World::new();
    world.clob("m", 200);
    two(&mut world);
    assert_eq!(world.run_by("olga", terms(1_000)), Err(Reject::NeedsProposal));
    agree(&mut world, "olga", "ada", terms(1_000)).expect("agreed");
    let catalogue = world.exchange.catalogue();
    let market = catalogue.market(catalogue.find_market(market_id("m")).expect("a market"));
    let announced = market.announced.expect("it is announced");
    assert_eq!((fee(&world), announced.terms.fee_rate.basis_points()), (200, 1_000));
    assert_eq!(announced.from, world.now + NOTICE);
    let bytes = exchange::codec::encode_snapshot(&world.exchange);
    world.exchange = exchange::codec::decode_snapshot(&bytes).expect("the state");
    world.wait(Span::seconds(3_599));
    world.system(Command::Tick).expect("a tick");
    assert_eq!(fee(&world), 200);
    world.wait(Span::seconds(1));
    world.system(Command::Tick).expect("a tick");
    assert_eq!(fee(&world), 1_000);
    agree(&mut world, "olga", "ada", terms(100)).expect("agreed");
    assert_eq!(fee(&world), 100, "a lower one applies at once");
}

#[test]
fn other_terms_replace_announced_ones() {
    let mut world = World::new();
    world.clob("m", 200);
    world.system(terms(1_000)).expect("announced");
    world.wait(Span::minutes(30));
    world.system(terms(500)).expect("announced anew");
    world.wait(Span::minutes(59));
    world.system(Command::Tick).expect("a tick");
    assert_eq!(fee(&world), 200);
    world.wait(Span::minutes(1));
    world.system(Command::Tick).expect("a tick");
    assert_eq!(fee(&world), 500);
}

#[test]
fn announced_terms_end_with_their_market() {
    let mut world = World::new();
    world.clob("m", 200);
    world.system(terms(1_000)).expect("announced");
    let (target, yes) = (Target::Event(event_of("m")), Cents::HALF);
    world.system(Command::CancelMarkets(CancelMarkets { target, yes })).expect("cancelled");
    assert_eq!(
        world.exchange.next_due(),
        Some(world.now + Span::hours(48)),
        "only the event's retirement waits"
    );
    world.wait(Span::hours(2));
    world.system(Command::Tick).expect("a tick");
    assert_eq!(fee(&world), 200, "the record of an ended market stays");
}

#[test]
fn change_terms_keeps_what_is_not_given_and_refuses_what_no_market_may_have() {
    let mut world = World::new();
    world.clob("m", 200);
    let least = |usd| {
        let order_min = PerCurrency { usd: Some(usd), ngn: None };
        Command::ChangeTerms(ChangeTerms { market: market_id("m"), fee_rate: None, order_min })
    };
    world.system(least(Money::whole(1))).expect("the general minimum");
    assert_eq!(fee(&world), 200);
    let below = world.system(least(Money::new(1)));
    assert!(matches!(below, Err(Reject::InvalidField { .. })), "{below:?}");
    let (market, fee_rate, order_min) = (market_id("ghost"), None, PerCurrency { usd: None, ngn: None });
    let ghost = Command::ChangeTerms(ChangeTerms { market, fee_rate, order_min });
    assert_eq!(world.system(ghost), Err(Reject::MarketNotFound));
}
