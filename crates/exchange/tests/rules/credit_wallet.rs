//! Money in: bounds, references that are never reused, and the bound of all money of a currency.

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{Command, CreditWallet, DebitWallet};
use exchange::id::UserId;
use exchange::numbers::{Currency, Money};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::world::{World, id};

fn credit(user: UserId, currency: Currency, units: i64, reference: &str) -> Command {
    Command::CreditWallet(CreditWallet {
        user,
        currency,
        amount: Money::new(units),
        reference: Text::from(reference),
    })
}

fn alice() -> UserId {
    UserId::new(id("alice"))
}

#[test]
fn credit_wallet_pays_in_from_outside_in_one_currency() {
    let mut world = World::new();
    world.user("alice");
    for (user, total) in [(alice(), 5), (Exchange::HOUSE, 10)] {
        let reply = world.system(credit(user, Currency::Ngn, 5, &user.to_string()));
        assert_eq!(
            reply,
            Ok(Reply::Wallet { currency: Currency::Ngn, free: Money::new(5), held: Money::ZERO })
        );
        let funds = Change::Funds {
            user,
            currency: Currency::Ngn,
            amount: Money::new(5),
            reference: Text::from(user.to_string()),
        };
        assert_eq!(world.changes(), [funds]);
        assert_eq!(world.exchange.ledger().deposited(Currency::Ngn), Money::new(total));
    }
    assert_eq!(world.free("alice", Currency::Usd), Money::ZERO);
    assert_eq!(world.exchange.ledger().deposited(Currency::Usd), Money::ZERO);
}

#[test]
fn credit_wallet_counts_each_reference_once_for_ever() {
    let mut world = World::new();
    world.user("alice");
    world.user("bob");
    world.system(credit(alice(), Currency::Usd, 5, "wire 1")).expect("a credit");
    world.wait(Span::days(3_650));
    let seq = world.exchange.seq();
    assert_eq!(world.system(credit(alice(), Currency::Usd, 5, "wire 1")), Ok(Reply::Repeated { seq }));
    let others = [
        credit(UserId::new(id("bob")), Currency::Usd, 5, "wire 1"),
        credit(alice(), Currency::Ngn, 5, "wire 1"),
        credit(alice(), Currency::Usd, 6, "wire 1"),
        Command::DebitWallet(DebitWallet {
            user: alice(),
            currency: Currency::Usd,
            amount: Money::new(5),
            reference: Text::from("wire 1"),
        }),
    ];
    for other in others {
        assert_eq!(world.system(other.clone()), Err(Reject::ReferenceUsed { seq }), "{other:?}");
    }
    assert_eq!(world.system(credit(UserId::new(9), Currency::Usd, 5, "wire 2")), Err(Reject::UserNotFound));
    assert!(
        world.system(credit(alice(), Currency::Usd, 5, "wire 2")).is_ok(),
        "a refused one was not used up"
    );
    assert_eq!(world.free("alice", Currency::Usd), Money::new(10));
}

#[test]
fn credit_wallet_refuses_amounts_and_references_out_of_range() {
    let most = Money::ORDER_MAX.units();
    let long = "r".repeat(129);
    let rule = "1 to 128 printable bytes";
    let rows = [
        (0, "wire", Some(Reject::AmountNotPositive)),
        (-1, "wire", Some(Reject::AmountNotPositive)),
        (i64::MIN, "wire", Some(Reject::AmountNotPositive)),
        (most + 1, "wire", Some(Reject::AmountTooLarge)),
        (i64::MAX, "wire", Some(Reject::AmountTooLarge)),
        (1, "", Some(Reject::InvalidField { field: "reference", rule })),
        (1, "a\tb", Some(Reject::InvalidField { field: "reference", rule })),
        (1, &long, Some(Reject::InvalidField { field: "reference", rule })),
        (1, &long[1..], None),
        (most, "wire", None),
    ];
    let mut world = World::new();
    world.user("alice");
    for (units, reference, reject) in rows {
        let result = world.system(credit(alice(), Currency::Usd, units, reference));
        assert_eq!(result.err(), reject, "{units} {reference:?}");
    }
    assert_eq!(world.free("alice", Currency::Usd), Money::new(most + 1));
}

#[test]
fn credit_wallet_keeps_all_money_of_a_currency_below_its_bound() {
    let mut exchange = Exchange::new();
    let now = crate::rules::world::START;
    let mut apply = |units: i64, reference: &str| {
        let command = credit(Exchange::HOUSE, Currency::Usd, units, reference);
        let actor = exchange::identity::Actor::System;
        exchange
            .apply(now, &exchange::Request { actor, idempotency: None, command })
            .expect("a request of this build")
    };
    let (most, total) = (Money::ORDER_MAX.units(), Money::TOTAL_MAX.units());
    for number in 0..total / most {
        apply(most, &format!("wire {number}")).expect("below the bound");
    }
    let rest = total % most;
    assert_eq!(apply(rest + 1, "over"), Err(Reject::TotalTooLarge));
    assert!(apply(rest, "full").is_ok());
    assert_eq!(apply(1, "over"), Err(Reject::TotalTooLarge));
    assert_eq!(exchange.ledger().deposited(Currency::Usd), Money::TOTAL_MAX);
}
