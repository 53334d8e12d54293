//! Idempotency keys: one decision per key for 24 hours of sequenced time, for every repetition.

use exchange::Exchange;
use exchange::command::{CancelOrder, CancelOrders, Command, MintSets, Request, RevokeApiKey, SetWatchlist};
use exchange::id::{EventId, OperationId, OrderId};
use exchange::idempotency::{IdempotencyKey, KEYS_PER_USER_MAX};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::{Span, Time};

use crate::world::{START, World, key_of, market_id};

fn key(scope: u64, body: u64) -> Option<IdempotencyKey> {
    Some(IdempotencyKey { scope, scope_low: !scope, body })
}

fn request(actor: Actor, idempotency: Option<IdempotencyKey>, command: Command) -> Request {
    Request { actor, idempotency, command }
}

/// Ten sets for alice.
fn mint() -> Command {
    let (market, currency) = (market_id("rain"), Currency::Usd);
    Command::MintSets(MintSets { id: OperationId::new(1), market, currency, amount: Money::whole(10) })
}

fn world() -> World {
    let mut world = World::new();
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    world.clob("rain", 0);
    world
}

fn keys_of(world: &World) -> usize {
    world.exchange.memory().len()
}

#[test]
fn the_same_key_and_body_replay_and_change_nothing() {
    let mut world = world();
    let first = request(key_of("alice"), key(1, 7), mint());
    assert!(matches!(world.request(&first), Ok(Reply::Sets(_))));
    let seq = world.exchange.seq();
    for _ in 0..3 {
        world.wait(Span::hours(1));
        assert_eq!(world.request(&first), Ok(Reply::Replayed { seq }));
        assert!(world.changes().is_empty());
        assert_eq!(world.free("alice", Currency::Usd), Money::whole(90));
    }
    let other_key = request(key_of("alice"), key(2, 7), mint());
    assert!(matches!(world.request(&other_key), Ok(Reply::Sets(_))), "another key is another request");
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(80));
}

#[test]
fn the_same_key_with_another_body_is_refused() {
    let mut world = world();
    world.request(&request(key_of("alice"), key(1, 7), mint())).expect("a mint");
    let other = request(key_of("alice"), key(1, 8), mint());
    assert_eq!(world.request(&other), Err(Reject::IdempotencyMismatch));
    assert!(world.changes().is_empty());
    let seq = world.exchange.seq() - 1;
    let first = request(key_of("alice"), key(1, 7), mint());
    assert_eq!(world.request(&first), Ok(Reply::Replayed { seq }), "the first one is still remembered");
}

#[test]
fn a_key_is_forgotten_after_exactly_24_hours() {
    let mut world = world();
    let first = request(key_of("alice"), key(1, 7), mint());
    world.request(&first).expect("a mint");
    let seq = world.exchange.seq();
    let end = START + Span::hours(24);
    assert_eq!(world.exchange.next_due(), Some(end));
    world.now = Time::from_micros(end.micros() - 1);
    assert_eq!(world.request(&first), Ok(Reply::Replayed { seq }));
    world.now = end;
    assert!(matches!(world.request(&first), Ok(Reply::Sets(_))), "it is a new request now");
    assert_eq!(keys_of(&world), 1);
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(80));
}

#[test]
fn refusals_of_the_rules_are_remembered_and_those_of_the_edge_are_not() {
    let watch =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(404), watched: true, is_retired: false });
    let amount = Money::whole(1_000);
    let (market, currency) = (market_id("rain"), Currency::Usd);
    let mint_of = |amount| Command::MintSets(MintSets { id: OperationId::new(1), market, currency, amount });
    let rows = [
        (watch, Reject::EventNotFound, true),
        (Command::CancelOrder(CancelOrder { order: OrderId::new(404) }), Reject::OrderNotFound, true),
        (mint_of(amount), Reject::InsufficientBalance { need: amount, have: Money::whole(100) }, true),
        (mint_of(Money::ZERO), Reject::AmountNotPositive, false),
        (mint_of(Money::new(99)), Reject::NoWholeSet, false),
        (Command::CancelOrders(CancelOrders { orders: Vec::new() }), Reject::BatchSize { max: 100 }, false),
        (Command::Tick, Reject::NotAllowed, false),
    ];
    for (command, reject, is_remembered) in rows {
        let mut world = world();
        let asked = request(key_of("alice"), key(1, 7), command.clone());
        assert_eq!(world.request(&asked), Err(reject.clone()), "{command:?}");
        assert_eq!((reject.is_remembered(), keys_of(&world)), (is_remembered, usize::from(is_remembered)));
        let seq = world.exchange.seq();
        let again = if is_remembered { Ok(Reply::Replayed { seq }) } else { Err(reject) };
        assert_eq!(world.request(&asked), again, "{command:?}");
    }
}

#[test]
fn a_limit_reached_is_not_remembered_so_that_a_retry_can_succeed() {
    let mut world = World::new();
    world.user("alice");
    let revoke = |key_number| {
        let session = exchange::id::SessionId::new(crate::world::id("alice/session"));
        let command = Command::RevokeApiKey(RevokeApiKey {
            key: exchange::id::KeyId::new(crate::world::id("alice/key")),
        });
        request(Actor::Session { session }, key(key_number, 7), command)
    };
    assert!(world.request(&revoke(1)).is_ok());
    assert_eq!(world.request(&revoke(2)), Err(Reject::KeyNotFound));
    assert!(matches!(world.request(&revoke(3)), Err(Reject::LimitReached { .. })));
    assert!(matches!(world.request(&revoke(2)), Ok(Reply::Replayed { .. })), "a replay spends nothing");
    world.wait(Span::minutes(30));
    assert_eq!(world.request(&revoke(3)), Err(Reject::KeyNotFound), "decided anew");
}

#[test]
fn a_user_has_200_000_keys_and_replays_are_answered_beyond_that() {
    let mut world = world();
    world.user("bob");
    let not_there = |user: &str, number: u64| {
        request(key_of(user), key(number, 7), Command::CancelOrder(CancelOrder { order: OrderId::new(404) }))
    };
    let first_seq = world.exchange.seq() + 1;
    for number in 0..u64::from(KEYS_PER_USER_MAX) {
        // Calls the exchange directly: the invariants are checked once, at the end.
        let result =
            world.exchange.apply(START, &not_there("alice", number)).expect("a request of this build");
        assert_eq!(result, Err(Reject::OrderNotFound));
    }
    let beyond = u64::from(KEYS_PER_USER_MAX);
    assert_eq!(world.request(&not_there("alice", beyond)), Err(Reject::TooManyIdempotencyKeys));
    assert_eq!(world.request(&not_there("alice", 0)), Ok(Reply::Replayed { seq: first_seq }));
    assert_eq!(
        world.request(&not_there("bob", beyond + 1)),
        Err(Reject::OrderNotFound),
        "another user has room"
    );
    let free = request(key_of("alice"), None, Command::CancelOrder(CancelOrder { order: OrderId::new(404) }));
    assert_eq!(world.request(&free), Err(Reject::OrderNotFound), "without a key there is no limit");

    world.now = START + Span::hours(24);
    assert_eq!(world.request(&not_there("alice", beyond)), Err(Reject::OrderNotFound));
    assert_eq!(keys_of(&world), 1, "all the others were forgotten at once");
}

#[test]
fn keys_of_the_node_and_of_operators_are_not_kept() {
    let mut exchange = Exchange::new();
    let tick = request(Actor::System, key(1, 7), Command::Tick);
    assert_eq!(exchange.apply(START, &tick).expect("a request of this build"), Ok(Reply::Done));
    assert_eq!(exchange.apply(START, &tick).expect("a request of this build"), Ok(Reply::Done));
    assert_eq!(exchange.next_due(), None);
}
