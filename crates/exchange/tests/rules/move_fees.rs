//! Fees leave by a proposal: to the house or out, under a reference of their own.

use exchange::change::Change;
use exchange::command::{Command, FeesTo, Finalise, MoveFees};
use exchange::identity::Role;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::rules::persons::agree;
use crate::rules::world::{World, limit};

/// A market whose trade left a fee of 2 %.
fn stage() -> World {
    let mut world = World::new();
    world.operator("olga", Role::Operator);
    world.operator("ada", Role::Approver);
    world.clob("m", 200);
    for name in ["alice", "bob"] {
        world.rich_user(name, Money::whole(100), Money::whole(10_000));
    }
    world.place("alice", limit("a", "m", Outcome::Yes, Side::Buy, Shares::whole(20), 50)).expect("an order");
    world.place("bob", limit("b", "m", Outcome::No, Side::Buy, Shares::whole(20), 50)).expect("an order");
    assert!(fees(&world) > Money::ZERO);
    world
}

fn fees(world: &World) -> Money {
    world.exchange.ledger().accounts(Currency::Usd).fees()
}

fn move_fees(amount: Money, to: FeesTo, reference: &str) -> Command {
    Command::MoveFees(MoveFees { currency: Currency::Usd, amount, to, reference: Text::from(reference) })
}

#[test]
fn move_fees_is_always_a_proposal_that_an_approver_finalises() {
    let mut world = stage();
    let all = fees(&world);
    let to_house = move_fees(all, FeesTo::House, "May");
    assert_eq!(world.run_by("ada", to_house.clone()), Err(Reject::NeedsProposal));
    assert_eq!(agree(&mut world, "olga", "olga", to_house), Err(Reject::NotAllowed));
    let house = world.free("house", Currency::Usd);
    world.run_by("ada", Command::Finalise(Finalise { proposal: last_proposal(&world) })).expect("moved");
    assert_eq!((fees(&world), world.free("house", Currency::Usd)), (Money::ZERO, house + all));
    let moved = Change::FeesMoved {
        currency: Currency::Usd,
        amount: all,
        to: FeesTo::House,
        reference: Text::from("May"),
    };
    assert_eq!(world.changes().first(), Some(&moved));
}

fn last_proposal(world: &World) -> exchange::id::ProposalId {
    world.exchange.governance().proposals().last().expect("a proposal").id
}

#[test]
fn fees_that_go_out_leave_the_exchange() {
    let mut world = stage();
    let (all, before) = (fees(&world), world.exchange.ledger().deposited(Currency::Usd));
    assert_eq!(agree(&mut world, "ada", "ada", move_fees(all, FeesTo::Outside, "May")), Ok(Reply::Done));
    assert_eq!(world.exchange.ledger().deposited(Currency::Usd), before - all);
}

#[test]
fn move_fees_refuses_more_than_there_is_and_a_used_reference() {
    let mut world = stage();
    let all = fees(&world);
    let refused = agree(&mut world, "ada", "ada", move_fees(all + Money::new(1), FeesTo::House, "May"));
    assert_eq!(refused, Err(Reject::InsufficientBalance { need: all + Money::new(1), have: all }));
    agree(&mut world, "ada", "ada", move_fees(Money::new(1), FeesTo::House, "May")).expect("moved");
    let again = agree(&mut world, "ada", "ada", move_fees(Money::new(2), FeesTo::House, "May"));
    assert_eq!(again, Err(Reject::DuplicateReference));
}
