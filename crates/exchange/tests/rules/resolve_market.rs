//! `ResolveMarket`: winners are paid 1.00 a share, the others nothing, and no collateral is left.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventKind, Settlement, Status};
use exchange::change::{Change, Settled};
use exchange::command::{CancelMarkets, CloseTrading, Command, PauseTrading, ResolveMarket, Target};
use exchange::id::UserId;
use exchange::index::UserIndex;
use exchange::numbers::{Cents, Currency, Money, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::lifecycle::{event_status, market_status, reported, statuses};
use crate::rules::world::{World, event_of, id, limit, market_id, market_order};

/// The payouts of the last request, in order.
pub(crate) fn settled(world: &World) -> Vec<Settled> {
    let payout = |change: &Change| match change {
        Change::Settled(settled) => Some(*settled),
        _ => None,
    };
    world.changes().iter().filter_map(payout).collect()
}

/// The payout of the last request to a user.
pub(crate) fn settled_of(world: &World, user: UserId) -> Settled {
    let mut all = settled(world).into_iter().filter(|settled| settled.user == user);
    let (only, second) = (all.next(), all.next());
    assert_eq!(second, None, "a position is settled once");
    only.expect("a settled position")
}

fn user(name: &str) -> UserId {
    UserId::new(id(name))
}

pub(crate) fn close(world: &mut World, market: &str) {
    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Market(market_id(market)) }))
        .expect("a close");
}

fn resolve(world: &mut World, market: &str, outcome: Outcome) -> Result<Reply, Reject> {
    world.system(Command::ResolveMarket(ResolveMarket { market: market_id(market), outcome }))
}

/// Everything of a market is paid and removed.
pub(crate) fn assert_settled(world: &World, market: &str, yes: Cents) {
    for currency in Currency::ALL {
        let index = world.listing_index(market, currency);
        let listing = world.exchange.catalogue().listing(index);
        assert_eq!(world.exchange.ledger().collateral(index), Money::ZERO);
        assert_eq!(listing.pool(), None, "the pool's shares were paid to the house");
        assert!(listing.book().is_none_or(|book| book.is_empty()));
        for (user, _) in world.exchange.directory().users() {
            assert!(world.exchange.position(user, index).is_none());
        }
    }
    let catalogue = world.exchange.catalogue();
    let market = catalogue.market(catalogue.find_market(market_id(market)).expect("the market"));
    assert_eq!(market.settlement, Some(Settlement { yes, at: world.now }));
}

/// Alice buys YES at 0.40 and sells a quarter of it at 0.60, all to or from Bob, at 2 %.
fn traded() -> World {
    let mut world = World::new();
    world.clob("m", 200);
    for name in ["alice", "bob"] {
        world.rich_user(name, Money::whole(100), Money::whole(10_000));
    }
    let orders = [
        ("bob", limit("1", "m", Outcome::No, Side::Buy, Shares::whole(100), 60)),
        ("alice", limit("2", "m", Outcome::Yes, Side::Buy, Shares::whole(100), 40)),
        ("bob", limit("3", "m", Outcome::Yes, Side::Buy, Shares::whole(25), 60)),
        ("alice", limit("4", "m", Outcome::Yes, Side::Sell, Shares::whole(25), 60)),
    ];
    for (user, order) in orders {
        world.place(user, order).expect("an order");
    }
    close(&mut world, "m");
    world
}

#[test]
fn resolve_market_pays_the_winners_and_reports_what_each_position_came_to() {
    for (outcome, alice_paid, bob_paid) in [(Outcome::Yes, 75, 25), (Outcome::No, 0, 100)] {
        let mut world = traded();
        let (alice_before, bob_before) =
            (world.free("alice", Currency::Usd), world.free("bob", Currency::Usd));
        resolve(&mut world, "m", outcome).expect("a resolution");
        assert_eq!(
            reported(&world),
            [market_status("m", Status::Resolved), event_status("m", Status::Resolved)]
        );
        let yes_pays = if outcome == Outcome::Yes { Cents::WHOLE } else { Cents::NOTHING };
        let one = |name, yes, no, payout, cost: (i64, i64), trade_result| Settled {
            user: user(name),
            market: market_id("m"),
            currency: Currency::Usd,
            yes: Shares::whole(yes),
            no: Shares::whole(no),
            yes_pays,
            payout: Money::whole(payout),
            yes_cost: Money::new(cost.0),
            no_cost: Money::new(cost.1),
            trade_result: Money::new(trade_result),
            is_refund: false,
        };
        // Alice: 40.80 for 100 shares, a quarter of that left with 15.00 − 0.30. Bob: 60.00 and 15.00, no fee.
        let bob = one("bob", 25, 100, bob_paid, (15_000_000, 60_000_000), 0);
        let alice = one("alice", 75, 0, alice_paid, (30_600_000, 0), 14_700_000 - 10_200_000);
        assert_eq!(settled(&world), [bob, alice], "in order of first touch");
        assert_eq!(world.free("alice", Currency::Usd), alice_before + Money::whole(alice_paid));
        assert_eq!(world.free("bob", Currency::Usd), bob_before + Money::whole(bob_paid));
        assert_settled(&world, "m", yes_pays);
        let catalogue = world.exchange.catalogue();
        let market = catalogue.market(catalogue.find_market(market_id("m")).expect("the market"));
        assert_eq!(market.resolved_outcome(), Some(outcome));
    }
}

#[test]
fn resolve_market_pays_both_currencies_each_from_its_own_collateral() {
    let mut world = World::new();
    world.clob("m", 0);
    world.rich_user("alice", Money::whole(100), Money::whole(10_000));
    world.mint("alice", "m", Currency::Usd, Money::whole(7)).expect("sets");
    world.mint("alice", "m", Currency::Ngn, Money::whole(300)).expect("sets");
    close(&mut world, "m");
    resolve(&mut world, "m", Outcome::No).expect("a resolution");
    let paid: Vec<_> = settled(&world).iter().map(|each| (each.currency, each.no, each.payout)).collect();
    let usd = (Currency::Usd, Shares::whole(7), Money::whole(7));
    let ngn = (Currency::Ngn, Shares::whole(3), Money::whole(300));
    assert_eq!(paid, [usd, ngn]);
    assert_settled(&world, "m", Cents::NOTHING);
}

#[test]
fn resolve_market_pays_the_pools_shares_to_the_house_and_reports_its_whole_result() {
    for outcome in Outcome::BOTH {
        let mut world = World::new();
        world.amm("m", 200);
        world.rich_user("alice", Money::whole(100), Money::ZERO);
        let order = market_order("o", "m", Outcome::Yes, Side::Buy, Money::whole(100));
        let bought = world.place("alice", order).expect("a trade").terms.filled;
        let listing = world.listing_index("m", Currency::Usd);
        let pool = *world.exchange.catalogue().listing(listing).pool().expect("a pool");
        let collateral = world.exchange.ledger().collateral(listing);
        close(&mut world, "m");
        resolve(&mut world, "m", outcome).expect("a resolution");

        let (alice, houses) = (settled_of(&world, user("alice")), settled(&world));
        let house = houses.iter().find(|each| each.user == Exchange::HOUSE && each.currency == Currency::Usd);
        let house = house.expect("the house's pool");
        let (won, alice_won) = match outcome {
            Outcome::Yes => (pool.yes, bought),
            Outcome::No => (pool.no, Shares::ZERO),
        };
        assert_eq!((house.yes, house.no, house.cost()), (pool.yes, pool.no, Money::whole(10_000)));
        assert_eq!(
            (house.payout, alice.payout),
            (won.payout(Currency::Usd), alice_won.payout(Currency::Usd))
        );
        assert_eq!(house.payout + alice.payout, collateral);
        assert!(
            house.cost() - house.payout <= pool.seeded.payout(Currency::Usd),
            "never more than the seed is lost"
        );
        assert_eq!(world.exchange.ledger().wallet(UserIndex::HOUSE, Currency::Usd).free, house.payout);
        assert_settled(&world, "m", if outcome == Outcome::Yes { Cents::WHOLE } else { Cents::NOTHING });
    }
}

#[test]
fn one_yes_of_a_combined_event_closes_what_is_open_and_makes_the_rest_no() {
    let mut world = World::new();
    world.event(EventKind::Combined, Engine::Clob, 0, &["a", "b", "c", "d"]);
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    for market in ["a", "b", "c", "d"] {
        world.mint("alice", market, Currency::Usd, Money::whole(5)).expect("sets");
    }
    let resting = limit("resting", "b", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    world.place("alice", resting).expect("an order");
    world
        .system(Command::PauseTrading(PauseTrading { target: Target::Market(market_id("c")) }))
        .expect("c pauses");
    let cancel =
        Command::CancelMarkets(CancelMarkets { target: Target::Market(market_id("d")), yes: Cents::HALF });
    world.system(cancel).expect("d is cancelled");
    close(&mut world, "a");
    resolve(&mut world, "a", Outcome::Yes).expect("a resolution");

    let expected = [
        market_status("a", Status::Resolved),
        market_status("b", Status::Closed),
        market_status("b", Status::Resolved),
        market_status("c", Status::Closed),
        market_status("c", Status::Resolved),
        event_status("a", Status::Resolved),
    ];
    assert_eq!(reported(&world), expected);
    for (market, yes) in
        [("a", Cents::WHOLE), ("b", Cents::NOTHING), ("c", Cents::NOTHING), ("d", Cents::HALF)]
    {
        assert_settled(&world, market, yes);
    }
    assert_eq!(statuses(&world, "d"), (Status::Cancelled, Status::Resolved));
    assert_eq!(
        world.free("alice", Currency::Usd),
        Money::whole(100),
        "sets pay what they cost, orders come back"
    );
    for market in ["b", "c", "d"] {
        assert_eq!(resolve(&mut world, market, Outcome::Yes), Err(Reject::AlreadyWon));
    }
    let refused = Err(Reject::StatusNotAllowed { status: Status::Resolved });
    assert_eq!(resolve(&mut world, "a", Outcome::Yes), refused);
    assert_eq!(resolve(&mut world, "b", Outcome::No), refused);
}

#[test]
fn a_combined_event_may_end_with_no_winner() {
    let mut world = World::new();
    world.event(EventKind::Combined, Engine::Clob, 0, &["a", "b"]);
    for (market, status) in [("a", Status::Open), ("b", Status::Resolved)] {
        close(&mut world, market);
        resolve(&mut world, market, Outcome::No).expect("a resolution");
        assert_eq!(statuses(&world, market), (Status::Resolved, status), "NO decides no other market");
    }
}

#[test]
fn markets_of_a_grouped_event_resolve_each_on_its_own_and_several_may_win() {
    let mut world = World::new();
    world.event(EventKind::Grouped, Engine::Clob, 0, &["a", "b", "c"]);
    for market in ["a", "b", "c"] {
        close(&mut world, market);
    }
    let steps = [
        ("a", Outcome::Yes, Status::Closed),
        ("b", Outcome::Yes, Status::Closed),
        ("c", Outcome::No, Status::Resolved),
    ];
    for (market, outcome, event) in steps {
        resolve(&mut world, market, outcome).expect("a resolution");
        assert_eq!(statuses(&world, market), (Status::Resolved, event));
    }
    assert!(
        world.system(Command::CloseTrading(CloseTrading { target: Target::Event(event_of("a")) })).is_err()
    );
}

#[test]
fn a_position_that_was_sold_whole_still_reports_its_result_and_an_untouched_one_does_not() {
    let mut world = World::new();
    world.clob("m", 0);
    for name in ["alice", "bob", "carol"] {
        world.rich_user(name, Money::whole(100), Money::ZERO);
    }
    let orders = [
        ("bob", limit("1", "m", Outcome::No, Side::Buy, Shares::whole(10), 60)),
        ("alice", limit("2", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40)),
        ("bob", limit("3", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 50)),
        ("alice", limit("4", "m", Outcome::Yes, Side::Sell, Shares::whole(10), 50)),
        ("carol", limit("5", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 10)),
    ];
    for (user, order) in orders {
        world.place(user, order).expect("an order");
    }
    close(&mut world, "m");
    resolve(&mut world, "m", Outcome::Yes).expect("a resolution");
    let alice = settled_of(&world, user("alice"));
    assert_eq!((alice.yes, alice.payout, alice.trade_result), (Shares::ZERO, Money::ZERO, Money::whole(1)));
    assert_eq!(settled(&world).len(), 2, "Carol's order never filled");
    assert_eq!(world.free("carol", Currency::Usd), Money::whole(100));
    assert_settled(&world, "m", Cents::WHOLE);
}
