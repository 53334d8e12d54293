//! `CancelMarkets`: orders are refunded first, then every share pays its cents; the sum equals the collateral
//! exactly.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventKind, Status};
use exchange::change::Change;
use exchange::command::{CancelMarkets, Command, PauseTrading, ResolveMarket, SeedPool, Target};
use exchange::id::UserId;
use exchange::numbers::{Cents, Currency, Money, Shares};
use exchange::order::{NewOrder, Outcome, Side};
use exchange::reply::Reply;

use crate::rules::lifecycle::{event_status, market_status, reported, statuses};
use crate::rules::resolve_market::{assert_settled, close, settled, settled_of};
use crate::rules::world::{World, event_of, id, limit, market_id, market_order};

const HOLDERS: [&str; 4] = ["alice", "bob", "carol", "dave"];
/// Shares of the worked examples, in units: YES and NO of each holder.
const YES: [i64; 4] = [123_457, 0, 76_543, 5_000];
const NO: [i64; 4] = [0, 100_000, 80_000, 25_000];

fn cancel(world: &mut World, target: Target, yes: u8) {
    let yes = Cents::new(yes).expect("whole cents");
    assert_eq!(world.system(Command::CancelMarkets(CancelMarkets { target, yes })), Ok(Reply::Done));
}

/// Dave mints all sets and sells the holdings of the examples to the others.
fn examples(currency: Currency) -> World {
    let mut world = World::new();
    world.clob("m", 0);
    for name in HOLDERS {
        world.rich_user(name, Money::whole(100), Money::whole(10_000));
    }
    world.mint("dave", "m", currency, Shares::new(205_000).payout(currency)).expect("sets");
    for (outcome, sold, shares) in [(Outcome::Yes, 200_000, YES), (Outcome::No, 180_000, NO)] {
        let order = |name: &str, side, units| NewOrder {
            currency,
            ..limit(&format!("{name} {outcome:?}"), "m", outcome, side, Shares::new(units), 50)
        };
        world.place("dave", order("dave", Side::Sell, sold)).expect("an order");
        for (name, units) in HOLDERS.into_iter().zip(shares).take(3) {
            if units > 0 {
                world.place(name, order(name, Side::Buy, units)).expect("a trade");
            }
        }
    }
    world
}

#[test]
fn cancel_markets_pays_the_price_vector_to_the_unit() {
    let table = [
        (Currency::Usd, 50, [6_172_850, 5_000_000, 7_827_150, 1_500_000]),
        (Currency::Usd, 37, [4_567_909, 6_300_000, 7_872_091, 1_760_000]),
        (Currency::Ngn, 37, [456_790_900, 630_000_000, 787_209_100, 176_000_000]),
        (Currency::Usd, 0, [0, 10_000_000, 8_000_000, 2_500_000]),
        (Currency::Usd, 100, [12_345_700, 0, 7_654_300, 500_000]),
    ];
    for (currency, yes, payouts) in table {
        let mut world = examples(currency);
        let collateral = world.exchange.ledger().collateral(world.listing_index("m", currency));
        let before = HOLDERS.map(|name| world.free(name, currency));
        cancel(&mut world, Target::Market(market_id("m")), yes);
        for (place, name) in HOLDERS.into_iter().enumerate() {
            let paid = settled_of(&world, UserId::new(id(name)));
            assert_eq!((paid.yes, paid.no), (Shares::new(YES[place]), Shares::new(NO[place])));
            assert_eq!(paid.payout, Money::new(payouts[place]), "{name} at {yes} {currency:?}");
            assert_eq!(world.free(name, currency), before[place] + paid.payout);
        }
        assert_eq!(payouts.iter().sum::<i64>(), collateral.units());
        assert_eq!(collateral, Money::new(20_500_000 * currency.base()));
        assert_settled(&world, "m", Cents::new(yes).expect("cents"));
    }
}

#[test]
fn cancel_markets_pays_the_pool_to_the_house_and_leaves_fees_charged() {
    for yes in [0, 37, 50, 100] {
        let mut world = World::new();
        world.amm("m", 200);
        world.rich_user("alice", Money::whole(100), Money::whole(10_000));
        for (name, outcome) in [("1", Outcome::Yes), ("2", Outcome::No)] {
            world
                .place("alice", market_order(name, "m", outcome, Side::Buy, Money::whole(30)))
                .expect("a trade");
        }
        let fees = world.exchange.ledger().accounts(Currency::Usd).fees();
        let collateral = world.exchange.ledger().collateral(world.listing_index("m", Currency::Usd));
        cancel(&mut world, Target::Event(event_of("m")), yes);
        let paid: Vec<_> =
            settled(&world).into_iter().filter(|each| each.currency == Currency::Usd).collect();
        assert_eq!(paid.iter().map(|each| each.payout).sum::<Money>(), collateral);
        assert_eq!(
            paid.iter().map(|each| each.user).collect::<Vec<_>>(),
            [Exchange::HOUSE, UserId::new(id("alice"))]
        );
        assert!(fees > Money::ZERO);
        assert_eq!(world.exchange.ledger().accounts(Currency::Usd).fees(), fees);
        assert_settled(&world, "m", Cents::new(yes).expect("cents"));
    }
}

#[test]
fn cancel_markets_refunds_resting_orders_before_it_pays() {
    let mut world = examples(Currency::Usd);
    let before = HOLDERS.map(|name| world.free(name, Currency::Usd));
    let buy = limit("buy", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 30);
    let sell = limit("sell", "m", Outcome::Yes, Side::Sell, Shares::new(76_543), 90);
    world.place("bob", buy).expect("a resting order");
    world.place("carol", sell).expect("a resting order");
    cancel(&mut world, Target::Market(market_id("m")), 50);
    let orders = |change: &Change| matches!(change, Change::Order { .. });
    let payouts = |change: &Change| matches!(change, Change::Settled(_));
    let last_order = world.changes().iter().rposition(orders).expect("refunded orders");
    let first_payout = world.changes().iter().position(payouts).expect("payouts");
    assert!(last_order < first_payout);
    assert_eq!(world.free("bob", Currency::Usd), before[1] + Money::new(5_000_000));
    assert_eq!(
        world.free("carol", Currency::Usd),
        before[2] + Money::new(7_827_150),
        "held shares are paid too"
    );
    assert_eq!(world.held("bob", Currency::Usd), Money::ZERO);
}

#[test]
fn cancel_markets_works_from_every_status_that_is_not_final() {
    let mut world = World::new();
    world.event(EventKind::Grouped, Engine::Clob, 0, &["open", "paused", "closed", "resolved"]);
    world
        .system(Command::PauseTrading(PauseTrading { target: Target::Market(market_id("paused")) }))
        .expect("a pause");
    close(&mut world, "closed");
    close(&mut world, "resolved");
    let resolve =
        Command::ResolveMarket(ResolveMarket { market: market_id("resolved"), outcome: Outcome::Yes });
    world.system(resolve).expect("a resolution");
    cancel(&mut world, Target::Event(event_of("open")), 50);
    let expected = [
        market_status("open", Status::Cancelled),
        market_status("paused", Status::Cancelled),
        market_status("closed", Status::Cancelled),
        event_status("open", Status::Resolved),
    ];
    assert_eq!(reported(&world), expected);
    assert_eq!(
        statuses(&world, "resolved"),
        (Status::Resolved, Status::Resolved),
        "what is resolved stays so"
    );
}

#[test]
fn cancel_markets_gives_a_drafts_seed_back_to_the_house() {
    let mut world = World::new();
    world.draft(EventKind::Single, Engine::Amm, 0, &["m"]);
    world.credit("house", Currency::Usd, Money::whole(100));
    let price = crate::rules::world::price(70);
    let seed = Command::SeedPool(SeedPool {
        market: market_id("m"),
        currency: Currency::Usd,
        amount: Money::whole(100),
        price,
    });
    world.system(seed).expect("a seed");
    cancel(&mut world, Target::Market(market_id("m")), 13);
    let house = settled_of(&world, Exchange::HOUSE);
    assert_eq!(
        (house.payout, house.cost()),
        (Money::whole(100), Money::whole(100)),
        "all shares of both sides are its own"
    );
    assert_settled(&world, "m", Cents::new(13).expect("cents"));
}
