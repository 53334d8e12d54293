//! Idempotency keys: one decision per key for 24 hours of sequenced time or for its window, for every repetition.

use exchange::Exchange;
use exchange::codec::{decode_snapshot, encode_snapshot};
use exchange::command::{
    CancelOrder, CancelOrders, Command, MintSets, PauseSeries, Request, RevokeApiKey, SetWatchlist,
};
use exchange::id::{EventId, OperationId, OrderId, SeriesId};
use exchange::idempotency::{IdempotencyKey, KEYS_PER_USER_MAX, KeyWindow};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{NewOrder, OrderStatus, Outcome, Side, TimeInForce};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::{Span, Time};

use crate::rules::persons::operator_id;
use crate::rules::samples::new_series;
use crate::rules::world::{START, World, id, key_of, limit, market_id};

fn key(scope: u64, body: u64) -> Option<IdempotencyKey> {
    Some(IdempotencyKey { scope, scope_low: !scope, body, window: None })
}

fn short_key(scope: u64, seconds: u32) -> Option<IdempotencyKey> {
    let window = Some(KeyWindow::new(seconds).expect("a window"));
    Some(IdempotencyKey { scope, scope_low: !scope, body: 7, window })
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
        let session = exchange::id::SessionId::new(id("alice/session"));
        let command = Command::RevokeApiKey(RevokeApiKey { key: exchange::id::KeyId::new(id("alice/key")) });
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
    // Of 200,001 keys a request forgets 1,000, and so does each that follows at once.
    assert_eq!(keys_of(&world), 200_001 - 1_000 + 1);
    for ticks in 1..=200_usize {
        assert!(world.exchange.next_due().is_some_and(|due| due <= world.now), "more is due");
        let tick = request(Actor::System, None, Command::Tick);
        world.exchange.apply(world.now, &tick).expect("a request of this build").expect("a tick");
        assert_eq!(keys_of(&world), 199_002_usize.saturating_sub(1_000 * ticks).max(1));
    }
    assert_eq!(world.exchange.next_due(), Some(world.now + Span::hours(24)));
}

#[test]
fn keys_of_the_node_and_of_operators_are_not_kept() {
    let mut exchange = Exchange::new();
    let tick = request(Actor::System, key(1, 7), Command::Tick);
    assert_eq!(exchange.apply(START, &tick).expect("a request of this build"), Ok(Reply::Done));
    assert_eq!(exchange.apply(START, &tick).expect("a request of this build"), Ok(Reply::Done));
    assert_eq!(exchange.next_due(), None);
}

#[test]
fn a_key_with_a_window_is_forgotten_after_exactly_its_window() {
    let mut world = world();
    // The day's key is used first and ends last.
    world.request(&request(key_of("alice"), key(1, 7), mint())).expect("a mint");
    let short = request(key_of("alice"), short_key(2, 600), mint());
    let shorter = request(key_of("alice"), short_key(3, 60), mint());
    for asked in [&short, &shorter] {
        world.request(asked).expect("a mint");
    }
    let seq = world.exchange.seq();
    assert_eq!(world.exchange.next_due(), Some(START + Span::seconds(60)));
    world.now = Time::from_micros((START + Span::seconds(60)).micros() - 1);
    assert_eq!(world.request(&shorter), Ok(Reply::Replayed { seq }));
    // A restart changes nothing.
    world.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    world.now = START + Span::seconds(60);
    assert_eq!(world.request(&short), Ok(Reply::Replayed { seq: seq - 1 }), "the other one lives on");
    assert!(matches!(world.request(&shorter), Ok(Reply::Sets(_))), "it is a new request now");
    assert_eq!(keys_of(&world), 3);
    world.now = START + Span::seconds(600);
    assert!(matches!(world.request(&short), Ok(Reply::Sets(_))), "it is a new request now");
    assert_eq!(keys_of(&world), 2, "the day's key, and this one");
    world.now = START + Span::hours(24);
    world.system(Command::Tick).expect("a tick");
    assert_eq!((keys_of(&world), world.free("alice", Currency::Usd)), (0, Money::whole(50)));
}

#[test]
fn a_repetition_with_another_window_is_a_repetition_and_changes_no_life() {
    let mut world = world();
    world.request(&request(key_of("alice"), short_key(1, 600), mint())).expect("a mint");
    let seq = world.exchange.seq();
    world.wait(Span::seconds(599));
    let long = request(key_of("alice"), key(1, 7), mint());
    assert_eq!(world.request(&long), Ok(Reply::Replayed { seq }));
    world.wait(Span::seconds(1));
    assert!(matches!(world.request(&long), Ok(Reply::Sets(_))));
}

/// The write limit of an API key, all day long, each order under a key of its own.
#[test]
fn twenty_placements_a_second_for_a_day_are_never_refused_for_keys_with_a_window() {
    const A_SECOND: u64 = 20;
    const WINDOW: u32 = 600;
    let mut world = world();
    let order = NewOrder {
        time_in_force: Some(TimeInForce::Fak),
        ..limit("a", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 40)
    };
    let mut placed = 0;
    for number in 0..24 * 3_600 * A_SECOND {
        let at = Time::from_micros(START.micros() + (1_000_000 / A_SECOND * number) as i64);
        let new = NewOrder { id: OrderId::new(u128::from(number) + 1), ..order.clone() };
        let asked = request(key_of("alice"), short_key(number, WINDOW), Command::PlaceOrder(new));
        // Calls the exchange directly: the invariants are checked once, at the end.
        match world.exchange.apply(at, &asked).expect("a request of this build") {
            Ok(Reply::Order(order)) => placed += u64::from(order.record.status == OrderStatus::Cancelled),
            other => panic!("placement {number}: {other:?}"),
        }
        assert!(keys_of(&world) as u64 <= u64::from(WINDOW) * A_SECOND, "placement {number}");
    }
    assert_eq!(placed, 1_728_000);
    assert!(placed > 8 * u64::from(KEYS_PER_USER_MAX), "keys that live for a day would not suffice");
    world.now = START + Span::hours(25);
    for _ in 0..=u64::from(WINDOW) * A_SECOND / 1_000 {
        world.system(Command::Tick).expect("a tick");
    }
    assert_eq!(keys_of(&world), 0);
}

/// Two operators, and a command of theirs that is done as often as it is sent.
fn operators(rules: u32) -> (World, [Actor; 2], Command) {
    let mut world = World::under_rules(rules);
    let operators = ["olga", "otto"].map(|name| {
        world.operator(name, Role::Operator);
        Actor::Operator { operator: operator_id(name) }
    });
    world.system(Command::CreateSeries(new_series("bitcoin"))).expect("a series");
    let series = SeriesId::new(id("bitcoin"));
    (world, operators, Command::PauseSeries(PauseSeries { series, paused: false }))
}

/// Uses these keys at once, without the checks of the invariants.
fn use_keys(world: &mut World, actor: Actor, command: &Command, numbers: core::ops::Range<u64>) {
    for number in numbers {
        let request = request(actor, key(number, 7), command.clone());
        assert_eq!(
            world.exchange.apply(world.now, &request).expect("a request of this build"),
            Ok(Reply::Done)
        );
    }
}

/// As many ticks as it takes, without the checks of the invariants but for the last.
fn forget_keys(world: &mut World, count: u64) {
    let tick = request(Actor::System, None, Command::Tick);
    for _ in 0..count / 1_000 {
        world.exchange.apply(world.now, &tick).expect("a request of this build").expect("a tick");
    }
    world.request(&tick).expect("a tick");
}

#[test]
fn each_operator_has_keys_of_its_own() {
    let all = u64::from(KEYS_PER_USER_MAX);
    let (mut world, [olga, otto], command) = operators(Exchange::RULES_VERSION);
    use_keys(&mut world, olga, &command, 0..all);
    let beyond = |actor, number| request(actor, key(all + number, 7), command.clone());
    assert_eq!(world.request(&beyond(olga, 1)), Err(Reject::TooManyIdempotencyKeys));
    assert_eq!(world.request(&request(olga, None, command.clone())), Ok(Reply::Done), "without a key");
    assert_eq!(world.request(&beyond(otto, 1)), Ok(Reply::Done), "another operator has its own");
    let counts = |world: &World| {
        ["olga", "otto"].map(|name| u64::from(world.exchange.memory().of_operator(operator_id(name))))
    };
    assert_eq!(counts(&world), [all, 1]);
    world.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    assert_eq!(counts(&world), [all, 1], "a restart changes nothing");
    assert_eq!(world.request(&beyond(olga, 2)), Err(Reject::TooManyIdempotencyKeys));
    world.now = START + Span::hours(24);
    forget_keys(&mut world, all);
    assert_eq!((counts(&world), keys_of(&world)), ([0, 0], 0));
    assert_eq!(world.request(&beyond(olga, 3)), Ok(Reply::Done));
}

#[test]
fn under_rules_4_all_operators_shared_the_keys_of_the_house() {
    let all = u64::from(KEYS_PER_USER_MAX);
    let (mut world, [olga, otto], command) = operators(4);
    use_keys(&mut world, olga, &command, 0..all);
    let otto = request(otto, key(all + 1, 7), command.clone());
    assert_eq!(world.request(&otto), Err(Reject::TooManyIdempotencyKeys));
    // Those keys stay the house's when the rules are upgraded, and leave after their day.
    let version = Exchange::RULES_VERSION;
    world.system(Command::UpgradeRules(exchange::command::UpgradeRules { version })).expect("newer rules");
    assert_eq!(world.request(&otto), Ok(Reply::Done));
    assert_eq!(world.exchange.memory().of_operator(operator_id("olga")), 0);
    world.now = START + Span::hours(24);
    forget_keys(&mut world, all);
    assert_eq!(keys_of(&world), 0);
}
