//! A closed market refunds a thousand orders with each request. Until then an order is open, in no book, and may be
//! cancelled. Rules 3 refunded all of them at once.

use exchange::book::BookSide;
use exchange::catalogue::{Engine, EventKind, EventLink, GameStatus, SportMarketType, Status};
use exchange::change::{Change, OrderCause};
use exchange::codec::{decode_snapshot, encode_snapshot};
use exchange::command::{
    AmendOrders, CancelAfter, CancelAllOrders, CancelMarkets, CancelOrder, CancelOrdersOf, CloseTrading,
    Command, EraseUser, Finalise, FreezeUser, OpenEvent, RecordGameResult, Request, ResolveMarket,
    SuspendUser, Target,
};
use exchange::governance::Score;
use exchange::id::{GameId, OrderId, UserId};
use exchange::identity::Actor;
use exchange::invariants;
use exchange::numbers::{Cents, Currency, Money, Shares};
use exchange::order::{Amendment, Item, NewOrder, OrderRecord, OrderStatus, Outcome, Side, TimeInForce};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::{Span, Time};

use crate::rules::import_sports::{game, import, league, team};
use crate::rules::lifecycle::statuses;
use crate::rules::propose::{proposal_id, propose, resolution};
use crate::rules::world::{START, World, event_of, id, key_of, limit, market_id, new_event};

/// Orders that one request refunds.
const TURN: usize = 1_000;
/// Orders of the stage: two full turns and a half.
const ORDERS: usize = 2 * TURN + TURN / 2;
const OWNERS: [&str; 6] = ["ann", "ben", "cem", "dan", "eva", "fay"];
const CLOSING: Time = Time::from_seconds(1_767_225_600 + 3_600);

/// A market of a game with a closing date, and people with orders in both currencies, on both sides.
fn stage(rules: u32) -> World {
    let mut world = World::under_rules(rules);
    let derby = game("derby", "Arsenal", "Chelsea");
    world.system(import(&[league("epl")], &[team("Arsenal"), team("Chelsea")], &[derby])).expect("a game");
    let mut new = new_event(EventKind::Combined, Engine::Clob, 0, &["m", "n"]);
    new.details.closing_date = Some(CLOSING);
    let market_type = SportMarketType::TeamH2h3Way;
    new.link = EventLink::Game { game: GameId::new(id("derby")), market_type };
    world.system(Command::CreateEvent(new)).expect("a draft");
    world.system(Command::OpenEvent(OpenEvent { event: event_of("m") })).expect("open");
    for name in OWNERS {
        world.rich_user(name, Money::whole(100_000), Money::whole(10_000_000));
        world.mint(name, "m", Currency::Usd, Money::whole(10_000)).expect("sets");
    }
    place(&mut world, "m", ORDERS);
    world
}

/// Places orders without the check of all invariants after each of them.
fn place(world: &mut World, market: &str, count: usize) {
    for number in 0..count {
        let owner = OWNERS[number % OWNERS.len()];
        let (outcome, side, cents) = match number % 5 {
            0 | 1 => (Outcome::Yes, Side::Buy, 20),
            2 => (Outcome::No, Side::Buy, 30),
            3 => (Outcome::Yes, Side::Buy, 40),
            _ => (Outcome::Yes, Side::Sell, 60),
        };
        let currency = if number % 7 == 0 && side == Side::Buy { Currency::Ngn } else { Currency::Usd };
        let cents = cents + u8::try_from(number % 11).expect("a small number") / 2;
        let name = format!("{market}/{number}");
        let (market, side) = (if side == Side::Sell { "m" } else { market }, side);
        let order = NewOrder { currency, ..limit(&name, market, outcome, side, Shares::whole(10), cents) };
        let request =
            Request { actor: key_of(owner), idempotency: None, command: Command::PlaceOrder(order) };
        world.exchange.apply(world.now, &request).expect("decidable").expect("an order");
    }
    invariants::check_all(&world.exchange).expect("a sound state");
}

fn close(target: Target) -> Command {
    Command::CloseTrading(CloseTrading { target })
}

fn close_event() -> Command {
    close(Target::Event(event_of("m")))
}

fn tick(world: &mut World) {
    world.system(Command::Tick).expect("a tick");
}

/// The orders that the last request closed.
fn closed(world: &World) -> Vec<(&OrderRecord, OrderCause)> {
    let mut closed = Vec::new();
    for change in world.changes() {
        if let Change::Order { record, cause } = change
            && !record.status.is_open()
        {
            closed.push((&record.record, *cause));
        }
    }
    closed
}

/// The number of orders that the last request refunded because their market closed.
fn refunded(world: &World) -> usize {
    let is_refund = |(record, cause): &(&OrderRecord, OrderCause)| {
        record.status == OrderStatus::Cancelled && *cause == OrderCause::MarketClosed
    };
    closed(world).into_iter().filter(is_refund).count()
}

fn held(world: &World) -> Money {
    OWNERS.iter().map(|name| world.held(name, Currency::Usd)).sum()
}

/// A stage whose market has closed with its first refunds made.
fn closing() -> World {
    let mut world = stage(4);
    world.system(close_event()).expect("a close");
    world
}

#[test]
fn a_request_refunds_a_thousand_orders_and_the_next_ones_the_rest() {
    let mut world = stage(4);
    let price = world.exchange.catalogue().listing(world.listing_index("m", Currency::Usd)).yes_price();
    world.system(close_event()).expect("a close");
    assert_eq!((refunded(&world), world.exchange.orders().len()), (TURN, ORDERS - TURN));
    assert_eq!(statuses(&world, "m"), (Status::Closed, Status::Closed));
    for currency in Currency::ALL {
        let listing = world.exchange.catalogue().listing(world.listing_index("m", currency));
        assert!(listing.book().expect("a book").is_empty(), "no order is in the book");
        assert_eq!(listing.resting, Money::ZERO);
    }
    let listing = world.exchange.catalogue().listing(world.listing_index("m", Currency::Usd));
    assert_eq!(listing.yes_price(), price);
    assert!(listing.leaving().is_some() && held(&world) > Money::ZERO);
    let late = limit("late", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);

    assert_eq!(world.exchange.next_due(), Some(world.now), "a tick goes on without other requests");
    assert_eq!(world.place("ann", late.clone()), Err(Reject::MarketNotOpen));
    assert_eq!((refunded(&world), world.exchange.orders().len()), (TURN, TURN / 2), "a refused one does too");
    assert_eq!(world.exchange.next_due(), Some(world.now));
    tick(&mut world);
    assert_eq!((refunded(&world), world.exchange.orders().len()), (TURN / 2, 0));
    assert!(world.exchange.next_due().is_none_or(|due| due > world.now));
    assert!(world.exchange.catalogue().listings().all(|(_, listing)| listing.leaving().is_none()));
    assert_eq!(held(&world), Money::ZERO);
    for name in OWNERS {
        assert_eq!(world.free(name, Currency::Usd), Money::whole(90_000));
        assert_eq!(world.free(name, Currency::Ngn), Money::whole(10_000_000));
    }
    tick(&mut world);
    assert_eq!(world.changes(), []);
}

#[test]
fn refunds_of_one_request_are_in_order_of_creation_and_every_order_is_refunded_once() {
    let mut world = closing();
    let mut all = Vec::new();
    while !closed(&world).is_empty() {
        let turn: Vec<u64> = closed(&world).iter().map(|(record, _)| record.terms.serial).collect();
        assert!(turn.is_sorted());
        all.extend(turn);
        tick(&mut world);
    }
    all.sort_unstable();
    assert!(all.len() == ORDERS && all.windows(2).all(|pair| pair[0] + 1 == pair[1]));
}

#[test]
fn markets_that_close_together_share_one_turn() {
    let mut world = stage(4);
    place(&mut world, "n", TURN / 2 * 5 / 4);
    let all = world.exchange.orders().len();
    world.system(close_event()).expect("a close");
    assert_eq!((refunded(&world), world.exchange.orders().len()), (TURN, all - TURN));
    while !world.exchange.orders().is_empty() {
        let before = world.exchange.orders().len();
        tick(&mut world);
        assert_eq!(
            (refunded(&world), world.exchange.orders().len()),
            (before.min(TURN), before - before.min(TURN))
        );
    }
}

type Closes = fn(&mut World);

/// Every way to close the market that does not end it.
const CLOSES: [(&str, Closes); 5] = [
    ("the closing date", |world| {
        world.now = CLOSING;
        tick(world);
    }),
    ("a command about the event", |world| drop(world.system(close_event()))),
    ("a command about the market", |world| drop(world.system(close(Target::Market(market_id("m")))))),
    ("a game that is called off", |world| drop(import_as(world, GameStatus::Cancelled, 2))),
    ("a game that begins earlier", |world| drop(import_as(world, GameStatus::Unplayed, 0))),
];

fn import_as(world: &mut World, status: GameStatus, hours: i64) -> Result<Reply, Reject> {
    let mut derby = game("derby", "Arsenal", "Chelsea");
    (derby.status, derby.start) = (status, START + Span::hours(hours));
    world.system(import(&[], &[], &[derby]))
}

#[test]
fn every_way_to_close_a_market_refunds_in_turns() {
    for (way, close) in CLOSES {
        let mut world = stage(4);
        close(&mut world);
        assert_eq!(statuses(&world, "m").0, Status::Closed, "{way}");
        assert_eq!((refunded(&world), world.exchange.orders().len()), (TURN, ORDERS - TURN), "{way}");
    }
}

#[test]
fn under_rules_3_a_close_refunded_all_orders_at_once() {
    for (way, close) in &CLOSES[..3] {
        let mut world = stage(3);
        close(&mut world);
        assert_eq!((refunded(&world), world.exchange.orders().len()), (ORDERS, 0), "{way}");
        assert!(world.exchange.next_due().is_none_or(|due| due > world.now));
        let turn: Vec<u64> = closed(&world).iter().map(|(record, _)| record.terms.serial).collect();
        assert!(turn.is_sorted());
    }
}

/// Every way to end a market that is closed.
const ENDS: [(&str, Closes); 4] = [
    ("a resolution", |world| {
        let command = ResolveMarket { market: market_id("m"), outcome: Outcome::Yes };
        world.system(Command::ResolveMarket(command)).expect("a resolution");
    }),
    ("a cancellation", |world| {
        let (target, yes) = (Target::Event(event_of("m")), Cents::HALF);
        world.system(Command::CancelMarkets(CancelMarkets { target, yes })).expect("a cancellation");
    }),
    ("a proposal that is finalised", |world| {
        world.system(Command::Finalise(Finalise { proposal: proposal_id("p") })).expect("finalised");
    }),
    ("the victory of a sibling", |world| {
        let command = ResolveMarket { market: market_id("n"), outcome: Outcome::Yes };
        world.system(Command::ResolveMarket(command)).expect("a resolution");
    }),
];

#[test]
fn a_settlement_finishes_the_refunds_first() {
    for (way, end) in ENDS {
        let mut world = stage(4);
        place(&mut world, "n", TURN);
        world.system(close_event()).expect("a close");
        world.system(propose("p", resolution(&[("m", Outcome::Yes)]))).expect("a proposal");
        let before = world.exchange.orders().len();
        assert!(before > TURN, "{before} orders wait");
        end(&mut world);
        assert!(statuses(&world, "m").0.is_final() && statuses(&world, "n").0.is_final(), "{way}");
        assert_eq!((refunded(&world), world.exchange.orders().len()), (before, 0), "{way}");
        let free: Money = OWNERS.iter().map(|name| world.free(name, Currency::Usd)).sum();
        assert_eq!(
            (held(&world), free),
            (Money::ZERO, Money::whole(600_000)),
            "{way}: the money is whole again"
        );
    }
}

#[test]
fn the_result_of_a_game_closes_refunds_and_pays_at_once() {
    for rules in [3, 4] {
        let mut world = stage(rules);
        let result = RecordGameResult { game: GameId::new(id("derby")), score: Score { home: 1, away: 0 } };
        import_as(&mut world, GameStatus::Finished, 2).expect("an import");
        let before = world.exchange.orders().len();
        assert_eq!(before, if rules < 4 { ORDERS } else { ORDERS - TURN });
        world.system(Command::RecordGameResult(result)).expect("a result");
        assert_eq!((refunded(&world), world.exchange.orders().len()), (before, 0));
        assert_eq!(statuses(&world, "m"), (Status::Resolved, Status::Resolved));
    }
}

#[test]
fn an_open_market_that_ends_is_refunded_by_the_request_that_pays() {
    for rules in [3, 4] {
        let mut world = stage(rules);
        let (target, yes) = (Target::Event(event_of("m")), Cents::HALF);
        world.system(Command::CancelMarkets(CancelMarkets { target, yes })).expect("a cancellation");
        assert_eq!((refunded(&world), world.exchange.orders().len()), (ORDERS, 0));
        // The victory of one market closes the other one and settles it.
        let mut world = stage(rules);
        world.system(close(Target::Market(market_id("n")))).expect("a close");
        let command = ResolveMarket { market: market_id("n"), outcome: Outcome::Yes };
        world.system(Command::ResolveMarket(command)).expect("a resolution");
        assert_eq!((refunded(&world), world.exchange.orders().len()), (ORDERS, 0));
        assert_eq!(statuses(&world, "m").0, Status::Resolved);
    }
}

/// The order that is refunded last, and its owner.
fn last_waiting(world: &World) -> (&'static str, OrderId) {
    let listing = world.exchange.catalogue().listing(world.listing_index("m", Currency::Ngn));
    let last =
        listing.leaving().and_then(|book| book.resting(BookSide::Ask).last()).expect("an order that waits");
    let owner = OWNERS.into_iter().find(|name| world.user_index(name) == last.user).expect("an owner");
    (owner, world.exchange.orders()[last.order].terms.id)
}

fn cancel(world: &mut World, name: &str, order: OrderId) -> Result<Reply, Reject> {
    world.by(name, Command::CancelOrder(CancelOrder { order }))
}

#[test]
fn an_order_that_waits_for_its_refund_may_be_cancelled_once() {
    let mut world = closing();
    let (owner, order) = last_waiting(&world);
    let other = OWNERS.into_iter().find(|name| *name != owner).expect("another owner");
    let hold = world.exchange.order(order).expect("an open order").held_cash();
    let before = world.held(owner, Currency::Ngn);
    let Ok(Reply::Order(reported)) = cancel(&mut world, owner, order) else { panic!("it is open") };
    assert_eq!(reported.record.status, OrderStatus::Cancelled);
    assert_eq!((refunded(&world), closed(&world).len()), (TURN, TURN + 1));
    let (_, cause) = *closed(&world).last().expect("the cancelled order");
    assert!(cause == OrderCause::Cancelled && world.held(owner, Currency::Ngn) <= before - hold);
    let again = cancel(&mut world, owner, order);
    assert_eq!(
        (again, refunded(&world), world.exchange.orders().len()),
        (Err(Reject::OrderNotFound), TURN / 2 - 1, 0)
    );

    let mut world = closing();
    assert_eq!(cancel(&mut world, other, order), Err(Reject::OrderNotFound), "another's");
    tick(&mut world);
    assert_eq!(cancel(&mut world, owner, order), Err(Reject::OrderNotFound), "refunded");
}

#[test]
fn an_order_that_waits_for_its_refund_cannot_be_amended() {
    let mut world = closing();
    let (owner, order) = last_waiting(&world);
    let amendment = Amendment { order, new_price: None, new_size: Some(Shares::whole(1)) };
    let amend = Command::AmendOrders(AmendOrders { items: vec![Item::Valid(amendment)] });
    let Ok(Reply::Results(results)) = world.by(owner, amend) else { panic!("a batch has results") };
    assert_eq!(results[0].outcome, Err(Reject::MarketNotOpen));
}

#[test]
fn an_order_that_expires_before_its_refund_expires() {
    let mut world = stage(4);
    let until = world.now + Span::seconds(1);
    let worst = limit("worst", "m", Outcome::No, Side::Buy, Shares::whole(1_000), 1);
    let worst = NewOrder {
        currency: Currency::Ngn,
        time_in_force: Some(TimeInForce::Gtd),
        expires_at: Some(until),
        ..worst
    };
    world.place("ann", worst).expect("an order");
    world.system(close_event()).expect("a close");
    assert_eq!(last_waiting(&world), ("ann", OrderId::new(id("worst"))));
    world.now = until;
    tick(&mut world);
    let (first, cause) = closed(&world)[0];
    assert_eq!((first.terms.id, first.status), (OrderId::new(id("worst")), OrderStatus::Expired));
    assert_eq!((cause, refunded(&world)), (OrderCause::Expired, TURN));
    assert_eq!(world.exchange.order(OrderId::new(id("worst"))).map(|order| order.user), None);
}

/// What ends all orders of a user, in a request of somebody, and why they end.
type EndsAll = (fn(&str) -> Actor, fn(UserId) -> Command, OrderCause);

#[test]
fn whatever_cancels_all_orders_of_a_user_cancels_those_that_wait_for_refunds() {
    let ways: [EndsAll; 4] = [
        (
            key_of,
            |_| Command::CancelAllOrders(CancelAllOrders { event: None, market: None, currency: None }),
            OrderCause::Cancelled,
        ),
        (
            |_| Actor::System,
            |user| Command::FreezeUser(FreezeUser { user, frozen: true }),
            OrderCause::Operator,
        ),
        (
            |_| Actor::System,
            |user| Command::SuspendUser(SuspendUser { user, suspended: true, keep_orders: false }),
            OrderCause::Operator,
        ),
        (
            |_| Actor::System,
            |user| {
                Command::CancelOrdersOf(CancelOrdersOf {
                    user,
                    event: Some(event_of("m")),
                    market: None,
                    currency: None,
                })
            },
            OrderCause::Operator,
        ),
    ];
    for (actor, command, cause) in ways {
        let mut world = closing();
        let (owner, order) = last_waiting(&world);
        world.apply(actor(owner), command(UserId::new(id(owner)))).expect("a command");
        let ended = closed(&world).into_iter().find(|(record, _)| record.terms.id == order);
        assert_eq!(
            ended.map(|(record, cause)| (record.status, cause)),
            Some((OrderStatus::Cancelled, cause))
        );
        assert_eq!(
            (world.exchange.directory().user(world.user_index(owner)).open_orders(), refunded(&world)),
            (0, TURN)
        );
        assert_eq!(world.held(owner, Currency::Ngn), Money::ZERO);
    }
}

#[test]
fn a_switch_cancels_orders_that_wait_for_refunds() {
    let mut world = stage(4);
    world.by("ann", Command::CancelAfter(CancelAfter { seconds: 30 })).expect("a switch");
    world.system(close_event()).expect("a close");
    world.wait(Span::seconds(30));
    tick(&mut world);
    let causes = closed(&world).iter().filter(|(_, cause)| *cause == OrderCause::Switch).count();
    assert!(causes > 0 && refunded(&world) == TURN, "{causes} orders of ann");
    assert_eq!(world.held("ann", Currency::Usd), Money::ZERO);
}

#[test]
fn a_user_with_an_order_that_waits_for_its_refund_is_not_erased() {
    let mut world = stage(4);
    world.user("zoe");
    world.credit("zoe", Currency::Ngn, Money::whole(1_000));
    let all = limit("all", "m", Outcome::No, Side::Buy, Shares::whole(1_000), 1);
    world.place("zoe", NewOrder { currency: Currency::Ngn, ..all }).expect("an order");
    world.system(close_event()).expect("a close");
    let erase = Command::EraseUser(EraseUser { user: UserId::new(id("zoe")) });
    assert_eq!(world.system(erase), Err(Reject::AccountNotEmpty));
    tick(&mut world);
    assert_eq!((world.exchange.orders().len(), world.free("zoe", Currency::Ngn)), (0, Money::whole(1_000)));
}

#[test]
fn a_snapshot_between_two_turns_goes_on_to_the_same_state() {
    let mut world = closing();
    loop {
        let bytes = encode_snapshot(&world.exchange);
        let restored = decode_snapshot(&bytes).expect("a snapshot");
        invariants::check_all(&restored).expect("a sound state");
        assert!(encode_snapshot(&restored) == bytes);
        assert_eq!(restored.digest(), world.exchange.digest());
        assert_eq!(restored.next_due(), world.exchange.next_due());
        assert_eq!(restored.orders().len(), world.exchange.orders().len());
        let is_done = restored.orders().is_empty();
        let mut twin = world.clone();
        twin.exchange = restored;
        tick(&mut world);
        tick(&mut twin);
        assert_eq!(twin.changes(), world.changes());
        assert_eq!(twin.exchange.digest(), world.exchange.digest());
        if is_done {
            break;
        }
    }
}
