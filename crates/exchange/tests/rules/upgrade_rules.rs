//! The rules version only rises, and only to versions of this build.

use exchange::catalogue::{Interval, NewSeries};
use exchange::command::{AmendOrders, Command, Request, UpgradeRules};
use exchange::idempotency::{IdempotencyKey, KeyWindow};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{Amendment, Item, OrderStatus, Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Span;
use exchange::{Exchange, Undecidable};

use crate::rules::create_series::new_series;
use crate::rules::world::{World, limit, price};

#[test]
fn upgrade_rules_refuses_versions_that_are_not_newer() {
    let mut world = World::new();
    let now = world.exchange.rules_version();
    for version in [0, now] {
        let refused = world.system(Command::UpgradeRules(UpgradeRules { version }));
        assert_eq!(refused, Err(Reject::VersionNotNewer), "{version}");
        assert_eq!(world.exchange.rules_version(), now);
        assert!(world.changes().is_empty());
    }
}

#[test]
fn upgrade_rules_cannot_be_decided_for_rules_that_this_build_does_not_know() {
    let mut world = World::new();
    world.clob("rain", 0);
    let (seq, digest) = (world.exchange.seq(), world.exchange.digest());
    for version in [Exchange::RULES_VERSION + 1, u32::MAX] {
        let command = Command::UpgradeRules(UpgradeRules { version });
        let request = Request { actor: Actor::System, idempotency: None, command };
        // Long after a timer was due: nothing fires either.
        match world.exchange.apply(world.now + Span::days(400), &request) {
            Err(Undecidable::UnknownRules { version: asked, known }) => {
                assert_eq!((asked, known), (version, Exchange::RULES_VERSION));
            }
            other => panic!("an older build must stop here: {other:?}"),
        }
        assert_eq!((world.exchange.seq(), world.exchange.digest()), (seq, digest), "nothing changed");
    }
}

#[test]
fn upgrade_rules_begins_with_the_first_version() {
    assert_eq!(
        Exchange::new().rules_version(),
        1,
        "a new journal is decided by the first rules until it says otherwise"
    );
}

#[test]
fn upgrade_rules_asks_for_a_minimum_of_what_rests_from_its_command_on() {
    let mut world = World::under_first_rules();
    world.clob("rain", 0);
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    world.mint("alice", "rain", Currency::Usd, Money::whole(50)).expect("sets");
    let dust = |name: &str| limit(name, "rain", Outcome::Yes, Side::Sell, Shares::new(1), 60);
    let kept = world.place("alice", dust("first")).expect("the first rules take it");
    assert_eq!(kept.status, OrderStatus::Open);

    world.system(Command::UpgradeRules(UpgradeRules { version: 2 })).expect("newer rules");
    let (currency, minimum) = (Currency::Usd, Money::whole(1));
    let refused = Reject::BelowMinimum { side: Side::Sell, currency, minimum };
    assert_eq!(world.place("alice", dust("second")), Err(refused));
    assert!(world.exchange.order(kept.terms.id).is_some(), "what rests stays");
}

#[test]
fn upgrade_rules_asks_for_a_minimum_of_what_an_amend_moves_from_its_command_on() {
    let mut world = World::under_first_rules();
    world.clob("rain", 0);
    for user in ["alice", "bob"] {
        world.rich_user(user, Money::whole(100), Money::ZERO);
        world.mint(user, "rain", Currency::Usd, Money::whole(50)).expect("sets");
    }
    let rests = limit("rests", "rain", Outcome::Yes, Side::Sell, Shares::whole(10), 60);
    let order = world.place("alice", rests).expect("an order").terms.id;
    let takes = limit("takes", "rain", Outcome::Yes, Side::Buy, Shares::whole(9), 60);
    world.place("bob", takes).expect("an order that leaves one share");
    let amend = |world: &mut World, cents| {
        let amendment = Amendment { order, new_price: Some(price(cents)), new_size: None };
        let command = Command::AmendOrders(AmendOrders { items: vec![Item::Valid(amendment)] });
        match world.by("alice", command) {
            Ok(Reply::Results(mut results)) => results.remove(0).outcome.map(|record| record.status),
            other => panic!("a batch is answered by its results: {other:?}"),
        }
    };
    assert_eq!(amend(&mut world, 70), Ok(OrderStatus::PartialFilled));
    world.system(Command::UpgradeRules(UpgradeRules { version: 2 })).expect("newer rules");
    let (currency, minimum) = (Currency::Usd, Money::whole(1));
    assert_eq!(amend(&mut world, 80), Err(Reject::BelowMinimum { side: Side::Sell, currency, minimum }));
}

#[test]
fn upgrade_rules_allows_windows_of_keys_and_series_of_five_minutes_from_its_command_on() {
    let mut world = World::under_first_rules();
    world.system(Command::UpgradeRules(UpgradeRules { version: 2 })).expect("newer rules");
    let window = KeyWindow::new(600);
    let key = Some(IdempotencyKey { scope: 1, scope_low: 2, body: 3, window });
    let system = |idempotency, command| Request { actor: Actor::System, idempotency, command };
    let quick = NewSeries { interval: Interval::FiveMinute, ..new_series("btc") };
    for newer in [system(key, Command::Tick), system(None, Command::CreateSeries(quick))] {
        assert_eq!(newer.rules(), 3);
        let (seq, digest) = (world.exchange.seq(), world.exchange.digest());
        let undecided = world.exchange.apply(world.now, &newer).expect_err("rules 2 do not include it");
        assert!(matches!(undecided, Undecidable::NewerCommand { rules: 3, current: 2, .. }), "{undecided}");
        assert_eq!((world.exchange.seq(), world.exchange.digest()), (seq, digest), "nothing changed");
        let mut upgraded = world.clone();
        upgraded.system(Command::UpgradeRules(UpgradeRules { version: 3 })).expect("newer rules");
        upgraded.request(&newer).expect("rules 3 include it");
    }
}
