//! Money out: free money only, with references shared with credits.

use exchange::change::Change;
use exchange::command::{Command, CreditWallet, DebitWallet};
use exchange::id::UserId;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::rules::world::{World, id, limit};

fn debit(user: UserId, amount: Money, reference: &str) -> Command {
    Command::DebitWallet(DebitWallet {
        user,
        currency: Currency::Usd,
        amount,
        reference: Text::from(reference),
    })
}

fn alice() -> UserId {
    UserId::new(id("alice"))
}

#[test]
fn debit_wallet_pays_out_and_reports_a_negative_amount() {
    let mut world = World::new();
    world.rich_user("alice", Money::whole(10), Money::whole(10));
    let reply = world.system(debit(alice(), Money::whole(4), "out 1"));
    assert_eq!(
        reply,
        Ok(Reply::Wallet { currency: Currency::Usd, free: Money::whole(6), held: Money::ZERO })
    );
    let funds = Change::Funds {
        user: alice(),
        currency: Currency::Usd,
        amount: -Money::whole(4),
        reference: Text::from("out 1"),
    };
    assert_eq!(world.changes(), [funds]);
    assert_eq!(world.exchange.ledger().deposited(Currency::Usd), Money::whole(6));
    assert_eq!(world.free("alice", Currency::Ngn), Money::whole(10), "the other currency is not touched");
}

#[test]
fn debit_wallet_takes_only_what_is_free() {
    let mut world = World::new();
    world.rich_user("alice", Money::whole(10), Money::ZERO);
    world.clob("rain", 0);
    world
        .place("alice", limit("bid", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 40))
        .expect("a bid");
    let (need, have) = (Money::new(6_000_001), Money::whole(6));
    assert_eq!(world.system(debit(alice(), need, "out")), Err(Reject::InsufficientBalance { need, have }));
    let reply = Reply::Wallet { currency: Currency::Usd, free: Money::ZERO, held: Money::whole(4) };
    assert_eq!(
        world.system(debit(alice(), have, "out")),
        Ok(reply),
        "the refused one did not use the reference up"
    );
}

#[test]
fn debit_wallet_obeys_the_rules_of_credit_wallet_on_amount_user_and_reference() {
    let mut world = World::new();
    world.rich_user("alice", Money::whole(10), Money::ZERO);
    let credit = Command::CreditWallet(CreditWallet {
        user: alice(),
        currency: Currency::Usd,
        amount: Money::whole(1),
        reference: Text::from("shared"),
    });
    world.system(credit).expect("a credit");
    let over = Money::new(Money::ORDER_MAX.units() + 1);
    let rule = "1 to 128 printable bytes";
    let rows = [
        (alice(), Money::ZERO, "out", Reject::AmountNotPositive),
        (alice(), over, "out", Reject::AmountTooLarge),
        (alice(), Money::whole(1), "", Reject::InvalidField { field: "reference", rule }),
        (UserId::new(9), Money::whole(1), "out", Reject::UserNotFound),
        (alice(), Money::whole(1), "shared", Reject::ReferenceUsed { seq: world.exchange.seq() }),
    ];
    for (user, amount, reference, reject) in rows {
        assert_eq!(world.system(debit(user, amount, reference)), Err(reject));
    }
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(11));
}
