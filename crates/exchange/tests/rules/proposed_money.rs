//! Money above an operator's caps: a proposal that any operator makes and an approver finalises.

use exchange::command::{Command, CreditWallet, DebitWallet, Finalise, GrowPool, PriceRange, SeedPool};
use exchange::governance::Policy;
use exchange::id::UserId;
use exchange::numbers::{Currency, Money, Ppm, Price};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::rules::persons::{agree, two_required};
use crate::rules::propose::stage;
use crate::rules::world::{World, id, market_id};

fn credit(amount: i64, reference: &str) -> Command {
    Command::CreditWallet(CreditWallet {
        user: UserId::new(id("alice")),
        currency: Currency::Usd,
        amount: Money::whole(amount),
        reference: Text::from(reference),
    })
}

#[test]
fn the_default_caps_are_a_million_dollars_an_entry_and_ten_a_day() {
    let policy = Policy::default();
    assert_eq!(
        (policy.entry_max.usd, policy.day_max.usd),
        (Money::whole(1_000_000), Money::whole(10_000_000))
    );
    let naira = (Money::whole(100_000_000), Money::whole(1_000_000_000));
    assert_eq!((policy.entry_max.ngn, policy.day_max.ngn), naira);
}

#[test]
fn a_credit_above_the_caps_is_proposed_by_any_operator_and_finalised_by_an_approver() {
    let mut world = stage();
    let (large, before) = (credit(1_000_001, "large"), world.free("alice", Currency::Usd));
    let max = Money::whole(1_000_000);
    assert_eq!(
        world.run_by("olga", large.clone()),
        Err(Reject::OverEntryCap { currency: Currency::Usd, max })
    );
    assert_eq!(agree(&mut world, "olga", "olga", large.clone()), Err(Reject::NotAllowed), "no approver");
    assert_eq!(agree(&mut world, "olga", "ada", credit(1_000_001, "other")).map(|_| ()), Ok(()));
    assert_eq!(world.free("alice", Currency::Usd), before + Money::whole(1_000_001));
    let again = agree(&mut world, "olga", "ada", credit(1_000_001, "other"));
    assert_eq!(again, Err(Reject::DuplicateReference), "a proposal is checked when it is made");
    assert_eq!(agree(&mut world, "olga", "ada", large), Err(Reject::ProposalPending), "it waits already");
}

#[test]
fn a_proposed_debit_is_checked_again_when_it_is_finalised() {
    let mut world = stage();
    let debit = Command::DebitWallet(DebitWallet {
        user: UserId::new(id("alice")),
        currency: Currency::Usd,
        amount: Money::whole(80),
        reference: Text::from("out"),
    });
    let spend = Command::DebitWallet(DebitWallet {
        user: UserId::new(id("alice")),
        currency: Currency::Usd,
        amount: Money::whole(50),
        reference: Text::from("earlier"),
    });
    let subject = crate::rules::persons::command(debit);
    world.run_by("olga", crate::rules::propose::propose("p", subject)).expect("proposed");
    world.run_by("olga", spend).expect("a debit");
    let finalised = world
        .run_by("ada", Command::Finalise(Finalise { proposal: crate::rules::propose::proposal_id("p") }));
    let refused = Reject::InsufficientBalance { need: Money::whole(80), have: Money::whole(40) };
    assert_eq!(finalised, Err(refused));
}

/// A draft pool that the house could seed with millions.
fn pool() -> World {
    let mut world = stage();
    world.credit("house", Currency::Usd, Money::whole(20_000_000));
    world.draft(exchange::catalogue::EventKind::Single, exchange::catalogue::Engine::Amm, 0, &["pool"]);
    world
}

fn seed(amount: i64) -> Command {
    let (market, currency) = (market_id("pool"), Currency::Usd);
    Command::SeedPool(SeedPool { market, currency, amount: Money::whole(amount), price: Price::clamp(50) })
}

fn grow(amount: i64) -> Command {
    Command::GrowPool(GrowPool {
        market: market_id("pool"),
        currency: Currency::Usd,
        amount: Money::whole(amount),
        between: Some(PriceRange { low: Ppm::new(490_000), high: Ppm::new(510_000) }),
    })
}

#[test]
fn where_two_are_required_pools_are_under_the_caps_too() {
    let mut world = pool();
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    let max = Money::whole(1_000_000);
    let refused = Err(Reject::OverEntryCap { currency: Currency::Usd, max });
    assert_eq!(world.run_by("olga", seed(1_000_001)), refused);
    assert_eq!(agree(&mut world, "olga", "ada", seed(1_000_001)), Ok(Reply::Done));
    assert_eq!(world.run_by("olga", grow(1_000_001)), refused);
    for _ in 0..10 {
        world.run_by("olga", grow(1_000_000)).expect("a growth");
    }
    let spent = Err(Reject::OverDayCap { currency: Currency::Usd, left: Money::ZERO });
    assert_eq!(world.run_by("olga", grow(1)), spent, "seeds count against the day");
}

#[test]
fn where_one_is_enough_pools_have_no_cap() {
    let mut world = pool();
    assert_eq!(world.run_by("olga", seed(2_000_000)), Ok(Reply::Done));
    assert_eq!(world.run_by("olga", grow(2_000_000)), Ok(Reply::Done));
}
