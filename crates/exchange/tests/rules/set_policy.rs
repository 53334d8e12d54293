//! `SetPolicy`: the allowed policies, and the caps on money that operators move.

use exchange::Exchange;
use exchange::command::{Command, CreditWallet, DebitWallet};
use exchange::governance::Policy;
use exchange::id::UserId;
use exchange::numbers::{Currency, Money, PerCurrency};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::propose::stage;
use crate::rules::world::{World, id};

fn capped() -> Policy {
    Policy {
        entry_max: PerCurrency { usd: Money::whole(50), ngn: Money::whole(5_000) },
        day_max: PerCurrency { usd: Money::whole(120), ngn: Money::whole(5_000) },
        ..Policy::default()
    }
}

fn credit(world: &mut World, by: &str, currency: Currency, amount: i64) -> Result<Reply, Reject> {
    let reference = Text::from(format!("transfer {}", world.exchange.seq()));
    let user = UserId::new(id("alice"));
    world.run_by(
        by,
        Command::CreditWallet(CreditWallet { user, currency, amount: Money::whole(amount), reference }),
    )
}

#[test]
fn set_policy_holds_from_the_next_command_on() {
    let mut world = stage();
    assert_eq!(world.exchange.governance().policy, Policy::default());
    assert_eq!(world.run_by("ada", Command::SetPolicy(capped())), Ok(Reply::Done));
    assert_eq!(world.exchange.governance().policy, capped());
    assert_eq!(world.run_by("olga", Command::SetPolicy(Policy::default())), Err(Reject::NotAllowed));
}

#[test]
fn set_policy_refuses_what_makes_no_sense() {
    let mut world = stage();
    let day = |usd| PerCurrency { usd: Money::whole(usd), ngn: Money::whole(5_000) };
    let table = [
        (Policy { resolution_delay_seconds: 30 * 86_400 + 1, ..capped() }, "resolution_delay"),
        (Policy { retire_after_seconds: 59, ..capped() }, "retire_after"),
        (Policy { retire_after_seconds: 3_650 * 86_400 + 1, ..capped() }, "retire_after"),
        (Policy { entry_max: PerCurrency::default(), ..capped() }, "entry_max"),
        (Policy { day_max: day(49), ..capped() }, "day_max"),
    ];
    for (policy, named) in table {
        match world.run_by("ada", Command::SetPolicy(policy)) {
            Err(Reject::InvalidField { field, .. }) => assert_eq!(field, named),
            other => panic!("{policy:?}: {other:?}"),
        }
    }
}

#[test]
fn no_entry_is_larger_than_its_cap() {
    let mut world = stage();
    world.run_by("ada", Command::SetPolicy(capped())).expect("a policy");
    let max = Money::whole(50);
    let refused = Err(Reject::OverEntryCap { currency: Currency::Usd, max });
    assert_eq!(credit(&mut world, "olga", Currency::Usd, 51), refused);
    let user = UserId::new(id("alice"));
    let debit = Command::DebitWallet(DebitWallet {
        user,
        currency: Currency::Usd,
        amount: Money::whole(51),
        reference: Text::from("out"),
    });
    assert_eq!(world.run_by("olga", debit), refused);
    credit(&mut world, "olga", Currency::Usd, 50).expect("a credit");
}

#[test]
fn an_operators_day_is_capped_over_credits_and_debits_and_ends_at_midnight() {
    let mut world = stage();
    world.run_by("ada", Command::SetPolicy(capped())).expect("a policy");
    for _ in 0..2 {
        credit(&mut world, "olga", Currency::Usd, 50).expect("a credit");
    }
    let left = Money::whole(20);
    let refused = Err(Reject::OverDayCap { currency: Currency::Usd, left });
    assert_eq!(credit(&mut world, "olga", Currency::Usd, 21), refused);
    let debit = |amount, reference: &str| {
        Command::DebitWallet(DebitWallet {
            user: UserId::new(id("alice")),
            currency: Currency::Usd,
            amount: Money::whole(amount),
            reference: Text::from(reference),
        })
    };
    assert_eq!(world.run_by("olga", debit(21, "out")), refused);
    world.run_by("olga", debit(20, "out")).expect("a debit");
    let none = Err(Reject::OverDayCap { currency: Currency::Usd, left: Money::ZERO });
    assert_eq!(credit(&mut world, "olga", Currency::Usd, 1), none);
    credit(&mut world, "ada", Currency::Usd, 50).expect("another person's day");
    credit(&mut world, "olga", Currency::Ngn, 5_000).expect("another currency");

    // Tests begin at midnight.
    world.wait(Span::seconds(86_399));
    assert_eq!(credit(&mut world, "olga", Currency::Usd, 1), none);
    world.wait(Span::seconds(1));
    credit(&mut world, "olga", Currency::Usd, 50).expect("a new day");
}

#[test]
fn the_house_is_under_the_same_caps_and_the_node_under_none() {
    let mut world = stage();
    world.run_by("ada", Command::SetPolicy(capped())).expect("a policy");
    let credit = |reference: &str| {
        Command::CreditWallet(CreditWallet {
            user: Exchange::HOUSE,
            currency: Currency::Usd,
            amount: Money::whole(51),
            reference: Text::from(reference),
        })
    };
    let refused = Err(Reject::OverEntryCap { currency: Currency::Usd, max: Money::whole(50) });
    assert_eq!(world.run_by("ada", credit("a")), refused);
    world.system(credit("a")).expect("the node's credit, by the reference that was refused before");
}
