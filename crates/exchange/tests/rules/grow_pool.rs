//! `GrowPool`: more depth at the same price.

use exchange::catalogue::{Engine, EventKind, Status};
use exchange::change::Change;
use exchange::command::{Command, GrowPool, SeedPool};
use exchange::index::UserIndex;
use exchange::numbers::{Currency, Money, Ppm, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;

use crate::rules::lifecycle::world_in;
use crate::rules::world::{World, market_id, market_order, price};

fn grow(amount: Money) -> Command {
    Command::GrowPool(GrowPool { market: market_id("m"), currency: Currency::Usd, amount, between: None })
}

#[test]
fn grow_pool_keeps_the_price_and_leaves_the_house_what_it_does_not_need() {
    let mut world = World::new();
    world.draft(EventKind::Single, Engine::Amm, 0, &["m"]);
    world.credit("house", Currency::Usd, Money::whole(300));
    let seed = Command::SeedPool(SeedPool {
        market: market_id("m"),
        currency: Currency::Usd,
        amount: Money::whole(100),
        price: price(80),
    });
    world.system(seed).expect("a seed");
    world.system(grow(Money::whole(200) + Money::new(99))).expect("more");
    let (sets, yes_price) = (Shares::whole(200), Ppm::new(800_000));
    assert_eq!(
        world.changes(),
        [Change::PoolSeeded { market: market_id("m"), currency: Currency::Usd, sets, yes_price }]
    );

    let listing = world.listing_index("m", Currency::Usd);
    let pool = *world.exchange.catalogue().listing(listing).pool().expect("a pool");
    assert_eq!((pool.yes, pool.no, pool.seeded), (Shares::whole(75), Shares::whole(300), Shares::whole(300)));
    let position = world.exchange.position(UserIndex::HOUSE, listing).expect("the house's position");
    assert_eq!((position.yes.free, position.no.free), (Shares::whole(225), Shares::ZERO));
    assert_eq!(world.exchange.ledger().wallet(UserIndex::HOUSE, Currency::Usd).free, Money::ZERO);
    assert_eq!(world.exchange.ledger().collateral(listing), Money::whole(300));
}

#[test]
fn grow_pool_keeps_the_price_that_trades_have_moved() {
    let mut world = World::new();
    world.amm("m", 0);
    world.rich_user("alice", Money::whole(1_000), Money::ZERO);
    world
        .place("alice", market_order("o", "m", Outcome::Yes, Side::Buy, Money::whole(1_000)))
        .expect("a trade");
    let listing = world.listing_index("m", Currency::Usd);
    let before = *world.exchange.catalogue().listing(listing).pool().expect("a pool");
    world.credit("house", Currency::Usd, Money::whole(1_000));
    world.system(grow(Money::whole(1_000))).expect("more");
    let after = *world.exchange.catalogue().listing(listing).pool().expect("a pool");
    assert_eq!(after.no - before.no, Shares::whole(1_000), "the larger reserve takes all");
    assert!(after.yes > before.yes && after.yes - before.yes < Shares::whole(1_000));
    let drift = after.price(Outcome::Yes).units() - before.price(Outcome::Yes).units();
    assert!(drift.abs() <= 1, "the price stays: {drift}");
}

#[test]
fn grow_pool_refuses_each_broken_rule() {
    let (need, have) = (Money::whole(5), Money::ZERO);
    let unseeded = {
        let mut world = World::new();
        world.draft(EventKind::Single, Engine::Amm, 0, &["m"]);
        world
    };
    let five = Money::whole(5);
    let mut table = vec![
        (World::new(), five, Reject::MarketNotFound),
        (unseeded, five, Reject::PoolNotSeeded),
        (world_in(Status::Open, Engine::Clob), five, Reject::UnsupportedEngine),
        (world_in(Status::Open, Engine::Amm), Money::ZERO, Reject::AmountNotPositive),
        (world_in(Status::Open, Engine::Amm), Money::new(99), Reject::NoWholeSet),
        (world_in(Status::Open, Engine::Amm), Money::new(i64::MAX), Reject::PoolTooLarge),
        (world_in(Status::Open, Engine::Amm), five, Reject::InsufficientBalance { need, have }),
        (world_in(Status::Paused, Engine::Amm), five, Reject::InsufficientBalance { need, have }),
    ];
    for status in [Status::Closed, Status::Resolved, Status::Cancelled] {
        table.push((world_in(status, Engine::Amm), five, Reject::StatusNotAllowed { status }));
    }
    for (mut world, amount, expected) in table {
        assert_eq!(world.system(grow(amount)), Err(expected));
        assert_eq!(world.changes(), []);
    }
}
