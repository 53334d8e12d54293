//! `SeedPool`: the pool's reserves, the house's left-over shares, its money, and its worst case.

use exchange::catalogue::{Engine, EventKind, Status};
use exchange::change::Change;
use exchange::command::{Command, SeedPool};
use exchange::index::UserIndex;
use exchange::numbers::{Currency, Money, Ppm, Shares};
use exchange::reject::Reject;

use crate::rules::lifecycle::world_in;
use crate::rules::world::{World, market_id, new_event, price};

fn seed(market: &str, currency: Currency, amount: Money, cents: u8) -> Command {
    Command::SeedPool(SeedPool { market: market_id(market), currency, amount, price: price(cents) })
}

fn house(world: &World, currency: Currency) -> Money {
    world.exchange.ledger().wallet(UserIndex::HOUSE, currency).free
}

fn draft(engine: Engine, currencies: &[Currency]) -> World {
    let mut world = World::new();
    let mut new = new_event(EventKind::Single, engine, 0, &["m"]);
    new.currencies = currencies.to_vec();
    world.system(Command::CreateEvent(new)).expect("a draft");
    world
}

/// Sets, price in cents, the pool's YES and NO, maximum liability, left-over YES and NO.
const EXAMPLES: [(i64, u8, i64, i64, i64, i64, i64); 3] = [
    (100_000_000, 50, 100_000_000, 100_000_000, 89_949_621, 0, 0),
    (100_000_000, 70, 42_857_143, 100_000_000, 93_420_483, 57_142_857, 0),
    (50_000_000, 1, 50_000_000, 505_051, 49_494_949, 0, 49_494_949),
];

#[test]
fn seed_pool_takes_whole_sets_from_the_house_and_gives_it_what_the_price_leaves_over() {
    for currency in Currency::ALL {
        for (sets, cents, yes, no, liability, left_yes, left_no) in EXAMPLES {
            let mut world = draft(Engine::Amm, &[currency]);
            let sets = Shares::new(sets);
            let cash = sets.payout(currency);
            // A little more than whole sets: the rest is not charged.
            let rest = Money::new(100 * currency.base() - 1);
            world.credit("house", currency, cash + rest);
            world.system(seed("m", currency, cash + rest, cents)).expect("a seed");

            let listing = world.listing_index("m", currency);
            let pool = *world.exchange.catalogue().listing(listing).pool().expect("a pool");
            assert_eq!((pool.yes, pool.no, pool.seeded), (Shares::new(yes), Shares::new(no), sets));
            assert_eq!(pool.max_liability(), Shares::new(liability));
            assert!(pool.max_liability() <= sets, "the house cannot lose more than its seed");
            let position = world.exchange.position(UserIndex::HOUSE, listing).expect("the house's position");
            assert_eq!((position.yes.free, position.no.free), (Shares::new(left_yes), Shares::new(left_no)));
            assert_eq!((position.yes.cost, position.no.cost), (Money::ZERO, Money::ZERO));
            assert_eq!(house(&world, currency), rest);
            assert_eq!(world.exchange.ledger().collateral(listing), cash);
        }
    }
}

#[test]
fn seed_pool_reports_the_seed_and_its_price() {
    let mut world = draft(Engine::Amm, &Currency::ALL);
    world.credit("house", Currency::Usd, Money::whole(100));
    world.credit("house", Currency::Ngn, Money::whole(100));
    world.system(seed("m", Currency::Usd, Money::whole(100), 50)).expect("a seed");
    let seeded = |currency, sets, price| {
        let yes_price = Ppm::new(price);
        Change::PoolSeeded { market: market_id("m"), currency, sets, yes_price }
    };
    assert_eq!(world.changes(), [seeded(Currency::Usd, Shares::whole(100), 500_000)]);
    world.system(seed("m", Currency::Ngn, Money::whole(100), 80)).expect("a seed");
    assert_eq!(world.changes(), [seeded(Currency::Ngn, Shares::whole(1), 800_000)]);
}

#[test]
fn seed_pool_refuses_each_broken_rule() {
    let rich = |mut world: World| {
        world.credit("house", Currency::Usd, Money::whole(50));
        world
    };
    let usd = |world: World, units, cents, reject| {
        (world, seed("m", Currency::Usd, Money::new(units), cents), reject)
    };
    let fifty = 50_000_000;
    let (need, have) = (Money::new(fifty + 100), Money::new(fifty));
    let mut table = vec![
        usd(draft(Engine::Amm, &Currency::ALL), 0, 50, Reject::AmountNotPositive),
        usd(draft(Engine::Amm, &Currency::ALL), -1, 50, Reject::AmountNotPositive),
        usd(draft(Engine::Amm, &Currency::ALL), 99, 50, Reject::NoWholeSet),
        usd(World::new(), fifty, 50, Reject::MarketNotFound),
        usd(draft(Engine::Clob, &Currency::ALL), fifty, 50, Reject::UnsupportedEngine),
        usd(draft(Engine::Amm, &[Currency::Ngn]), fifty, 50, Reject::UnsupportedCurrency),
        usd(world_in(Status::Open, Engine::Amm), fifty, 50, Reject::PoolAlreadySeeded),
        usd(world_in(Status::Paused, Engine::Amm), fifty, 50, Reject::PoolAlreadySeeded),
        usd(draft(Engine::Amm, &Currency::ALL), i64::MAX, 50, Reject::PoolTooLarge),
        usd(draft(Engine::Amm, &Currency::ALL), (1 << 50) * 100 + 100, 50, Reject::PoolTooLarge),
        usd(draft(Engine::Amm, &Currency::ALL), fifty + 100, 50, Reject::InsufficientBalance { need, have }),
    ];
    for status in [Status::Closed, Status::Resolved, Status::Cancelled] {
        table.push(usd(world_in(status, Engine::Amm), fifty, 50, Reject::StatusNotAllowed { status }));
    }
    for (world, command, expected) in table {
        let mut world = rich(world);
        let before = format!("{:?} {:?}", world.exchange.catalogue(), world.exchange.ledger());
        assert_eq!(world.system(command.clone()), Err(expected), "{command:?}");
        assert_eq!(format!("{:?} {:?}", world.exchange.catalogue(), world.exchange.ledger()), before);
        assert_eq!(world.changes(), []);
    }
}
