//! `SetCancelOnly`: commands that add risk are refused, all others pass.

use exchange::change::Change;
use exchange::command::{
    AmendOrders, BurnSets, CancelAllOrders, CancelOrder, CloseTrading, PlaceOrders, Request, SetCancelOnly,
    SetWatchlist,
};
use exchange::command::{Command, Target};
use exchange::governance::CancelOnlyCause;
use exchange::id::{OperationId, OrderId};
use exchange::idempotency::IdempotencyKey;
use exchange::identity::Role;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{Amendment, Item, Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::{World, event_of, id, key_of, limit, market_id};

fn stop(cause: CancelOnlyCause, on: bool) -> Command {
    Command::SetCancelOnly(SetCancelOnly { cause, on })
}

fn stage() -> World {
    let mut world = World::new();
    world.operator("olga", Role::Operator);
    world.clob("m", 0);
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    world.mint("alice", "m", Currency::Usd, Money::whole(10)).expect("sets");
    for name in ["1", "2"] {
        world
            .place("alice", limit(name, "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40))
            .expect("an order");
    }
    world
}

#[test]
fn set_cancel_only_refuses_what_adds_risk_and_lets_the_rest_through() {
    let mut world = stage();
    assert_eq!(world.run_by("olga", stop(CancelOnlyCause::Operator, true)), Ok(Reply::Done));
    assert_eq!(world.changes(), [Change::CancelOnly { on: true }]);
    let order = limit("3", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    let amendment =
        Amendment { order: OrderId::new(id("1")), new_price: None, new_size: Some(Shares::whole(5)) };
    let refused = [
        Command::PlaceOrder(order.clone()),
        Command::PlaceOrders(PlaceOrders { items: vec![Item::Valid(order.clone())] }),
        Command::AmendOrders(AmendOrders { items: vec![Item::Valid(amendment)] }),
    ];
    for command in refused {
        assert_eq!(world.by("alice", command.clone()), Err(Reject::CancelOnly), "{command:?}");
    }
    let minted = world.mint("alice", "m", Currency::Usd, Money::whole(1));
    assert_eq!(minted.map(|_| ()), Err(Reject::CancelOnly));
    world.by("alice", Command::CancelOrder(CancelOrder { order: OrderId::new(id("1")) })).expect("a cancel");
    world
        .by("alice", Command::CancelAllOrders(CancelAllOrders { event: None, market: None, currency: None }))
        .expect("all");
    let (market, currency, amount) = (market_id("m"), Currency::Usd, Money::whole(1));
    let burn = Command::BurnSets(BurnSets { id: OperationId::new(1), market, currency, amount });
    world.by("alice", burn).expect("a burn");
    world
        .by(
            "alice",
            Command::SetWatchlist(SetWatchlist { event: event_of("m"), watched: true, is_retired: false }),
        )
        .expect("watched");
    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Event(event_of("m")) }))
        .expect("operators go on");
}

#[test]
fn each_cause_is_lifted_on_its_own() {
    let mut world = stage();
    let order = |name: &str| limit(name, "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    world.run_by("olga", stop(CancelOnlyCause::Operator, true)).expect("stopped");
    world.system(stop(CancelOnlyCause::LowDisk, true)).expect("stopped again");
    world.run_by("olga", stop(CancelOnlyCause::Operator, false)).expect("one lifted");
    assert_eq!(world.place("alice", order("3")), Err(Reject::CancelOnly));
    let causes: Vec<_> = world.exchange.governance().cancel_only_causes().collect();
    assert_eq!(causes, [CancelOnlyCause::LowDisk]);
    world.system(stop(CancelOnlyCause::LowDisk, false)).expect("both lifted");
    world.place("alice", order("3")).expect("an order");
}

#[test]
fn the_disk_is_the_nodes_to_judge() {
    let mut world = stage();
    assert_eq!(world.run_by("olga", stop(CancelOnlyCause::LowDisk, true)), Err(Reject::NotAllowed));
    assert!(!world.exchange.governance().is_cancel_only());
}

#[test]
fn a_refusal_of_those_days_is_not_remembered_under_its_idempotency_key() {
    let mut world = stage();
    let request = Request {
        actor: key_of("alice"),
        idempotency: Some(IdempotencyKey { scope: 1, scope_low: 2, body: 3, window: None }),
        command: Command::PlaceOrder(limit("3", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40)),
    };
    world.run_by("olga", stop(CancelOnlyCause::Operator, true)).expect("stopped");
    assert_eq!(world.request(&request), Err(Reject::CancelOnly));
    world.run_by("olga", stop(CancelOnlyCause::Operator, false)).expect("lifted");
    assert!(matches!(world.request(&request), Ok(Reply::Order(_))), "the same request is tried again");
}
