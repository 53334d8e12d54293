//! Planted bugs for the checks on frozen, suspended and erased accounts: the exchange did something else than the
//! checks observed.

use exchange::Exchange;
use exchange::command::{
    CancelOrdersOf, Command, CreateUser, CreditWallet, EraseUser, FreezeUser, Request, SuspendUser,
};
use exchange::id::{Hash32, RowId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Time;
use sim::adversary::Arena;
use sim::checks::{Before, ErasedBook, FrozenBook};
use sim::counts::Counts;
use sim::failure::Failure;
use sim::generator::Generator;
use sim::harness::Harness;
use sim::random::Random;
use sim::shadow::Shadow;

const SETTLEMENT: &str = "after a freeze wallet and positions change by settlement alone";
const ERASURES: &str = "users are erased by their own command alone, and for ever";
const LEFT: &str = "an erased user has no access, money, shares or open orders";
const FREEZES: &str = "users are frozen and released by their own command alone";

fn request(command: Command) -> Request {
    Request { actor: Actor::System, idempotency: None, command }
}

fn create(user: UserId) -> Command {
    let (address, tag) = (Hash32::of("user@example.com"), Text::from("user"));
    let (row, expires_at) = (RowId::new(1), Time::NEVER);
    Command::CreateUser(CreateUser { id: user, address, tag, row, expires_at })
}

fn freeze(user: UserId, frozen: bool) -> Command {
    Command::FreezeUser(FreezeUser { user, frozen })
}

fn credit(user: UserId, amount: i64) -> Command {
    let (currency, reference) = (Currency::Usd, Text::from(format!("credit {amount}")));
    Command::CreditWallet(CreditWallet { user, currency, amount: Money::whole(amount), reference })
}

fn apply(exchange: &mut Exchange, command: Command) -> Result<Reply, Reject> {
    exchange.apply(exchange.now(), &request(command)).expect("a request of this build")
}

fn follow(book: &mut FrozenBook, exchange: &Exchange, told: Command) -> Result<(), Failure> {
    let mut before = Before::default();
    before.look(exchange);
    book.follow(&before, exchange, &request(told), &Ok(Reply::Done), &mut Counts::default())
}

fn rule(result: Result<(), Failure>) -> String {
    result.expect_err("a planted bug is noticed").rule
}

/// A user with money, frozen, and the book that has recorded it.
fn stage() -> (Exchange, FrozenBook, UserId) {
    let (mut exchange, mut book, user) = (Exchange::new(), FrozenBook::default(), UserId::new(1));
    for command in [create(user), credit(user, 5), freeze(user, true)] {
        apply(&mut exchange, command.clone()).expect("a stage");
        follow(&mut book, &exchange, command).expect("a true report");
    }
    (exchange, book, user)
}

#[test]
fn money_that_reached_a_frozen_wallet_is_named() {
    let (mut exchange, mut book, user) = stage();
    assert_eq!(apply(&mut exchange, credit(user, 7)), Err(Reject::UserFrozen));
    assert_eq!(follow(&mut book, &exchange, Command::Tick), Ok(()));
    for command in [freeze(user, false), credit(user, 7), freeze(user, true)] {
        apply(&mut exchange, command).expect("behind the book's back");
    }
    assert_eq!(rule(follow(&mut book.clone(), &exchange, Command::Tick)), SETTLEMENT);
    assert_eq!(rule(follow(&mut book, &exchange, freeze(user, true))), SETTLEMENT, "a second freeze");
}

#[test]
fn a_release_by_another_command_is_named() {
    let (mut exchange, mut book, user) = stage();
    apply(&mut exchange, freeze(user, false)).expect("a release");
    assert_eq!(rule(follow(&mut book.clone(), &exchange, Command::Tick)), FREEZES);
    assert_eq!(follow(&mut book, &exchange, freeze(user, false)), Ok(()));
    apply(&mut exchange, freeze(user, true)).expect("a freeze");
    assert_eq!(rule(follow(&mut book, &exchange, Command::Tick)), FREEZES);
}

#[test]
fn a_freeze_that_left_an_order_open_is_named() {
    let arena = Arena::new(&mut Random::new(7));
    let makers = arena.exchange.directory().users().find(|(_, user)| user.open_orders() > 0);
    let maker = makers.expect("a maker").1.id;
    assert_eq!(rule(follow(&mut FrozenBook::default(), &arena.exchange, freeze(maker, true))), SETTLEMENT);
}

fn erased_follows(book: &mut ErasedBook, exchange: &Exchange, told: Command) -> Result<(), Failure> {
    let mut before = Before::default();
    before.look(exchange);
    book.follow(&before, exchange, &request(told), &Ok(Reply::Done), &mut Counts::default())
}

#[test]
fn an_erasure_without_its_command_or_a_command_without_its_erasure_is_named() {
    let (mut exchange, user) = (Exchange::new(), UserId::new(1));
    apply(&mut exchange, create(user)).expect("a user");
    let erase = || Command::EraseUser(EraseUser { user });
    let mut book = ErasedBook::default();
    assert_eq!(rule(erased_follows(&mut book.clone(), &exchange, erase())), ERASURES, "nothing was erased");
    apply(&mut exchange, erase()).expect("erased");
    assert_eq!(rule(erased_follows(&mut book.clone(), &exchange, Command::Tick)), ERASURES, "no command");
    assert_eq!(erased_follows(&mut book, &exchange, erase()), Ok(()));
    assert_eq!(erased_follows(&mut book, &exchange, Command::Tick), Ok(()));
    let mut anew = Exchange::new();
    apply(&mut anew, create(user)).expect("a user");
    assert_eq!(rule(erased_follows(&mut book, &anew, Command::Tick)), ERASURES, "an erased user is back");
}

#[test]
fn a_person_erased_with_money_and_access_is_named() {
    let arena = Arena::new(&mut Random::new(7));
    let rich = arena.exchange.directory().users().find(|(_, user)| user.open_orders() > 0);
    let told = Command::EraseUser(EraseUser { user: rich.expect("a maker").1.id });
    assert_eq!(rule(erased_follows(&mut ErasedBook::default(), &arena.exchange, told)), LEFT);
}

/// A short day after which some user has open orders.
fn busy_day() -> (Harness, UserId) {
    for seed in 1..30 {
        let (mut harness, mut generator) = (Harness::default(), Generator::new(seed));
        for _ in 0..200 {
            let (at, request) = generator.next(&harness.exchange, &harness.shadow);
            let result = harness.step(at, &request).expect("a sound day");
            generator.learn(&request, &result);
        }
        let users = harness.exchange.directory().users();
        let busy = users.filter(|(_, user)| user.open_orders() > 0).map(|(_, user)| user.id).last();
        if let Some(user) = busy {
            return (harness, user);
        }
    }
    panic!("no user has open orders");
}

fn shadow_follows(shadow: &mut Shadow, exchange: &Exchange, told: Command) -> Result<(), Failure> {
    let request = request(told);
    let purse = shadow.purse(exchange, &request);
    shadow.follow(exchange, &request, &Ok(Reply::Done), purse, &mut Counts::default())
}

#[test]
fn orders_that_an_operator_cancelled_silently_or_did_not_cancel_are_named() {
    let (harness, user) = busy_day();
    let suspend = |keep_orders| Command::SuspendUser(SuspendUser { user, suspended: true, keep_orders });
    let all_of =
        || Command::CancelOrdersOf(CancelOrdersOf { user, event: None, market: None, currency: None });
    let ends_once = "9 a closed order stays closed, an open one ends once";
    let as_ruled = "8 the exchange did what the rules say";
    let rows = [
        (suspend(false), suspend(false), None),
        (suspend(true), suspend(true), None),
        (freeze(user, true), freeze(user, true), None),
        (all_of(), all_of(), None),
        (suspend(false), suspend(true), Some(ends_once)),
        (freeze(user, true), Command::Tick, Some(ends_once)),
        (suspend(true), suspend(false), Some(as_ruled)),
        (suspend(true), freeze(user, true), Some(as_ruled)),
        (suspend(true), all_of(), Some(as_ruled)),
    ];
    for (done, told, fires) in rows {
        let (mut exchange, mut shadow) = (harness.exchange.clone(), harness.shadow.clone());
        apply(&mut exchange, done.clone()).expect("a command");
        let named = shadow_follows(&mut shadow, &exchange, told.clone()).err().map(|failure| failure.rule);
        assert_eq!(named.as_deref(), fires, "{done:?} reported as {told:?}");
    }
}
