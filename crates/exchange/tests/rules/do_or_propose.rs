//! One command does what its sender may decide alone, and proposes the rest.

use exchange::command::{Command, DoOrPropose, PlaceOrders, PolicyChange, Withdraw};
use exchange::numbers::{Currency, Money};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::rules::propose::{proposal_id, stage};
use crate::rules::two_persons::{CAP, credit, finalise, require_two};

#[test]
fn what_one_may_not_decide_becomes_a_proposal_in_the_same_command() {
    let mut world = stage();
    require_two(&mut world);
    let either = |name: &str, command: Command| {
        Command::DoOrPropose(DoOrPropose { proposal: proposal_id(name), command: Box::new(command) })
    };
    let small = either("small", credit("alice", CAP, "small"));
    assert!(matches!(world.run_by("olga", small.clone()), Ok(Reply::Wallet { .. })));
    let seq = world.exchange.seq();
    assert_eq!(world.run_by("olga", small), Ok(Reply::Repeated { seq }), "sent again");
    let large = either("large", credit("alice", Money::whole(101), "large"));
    assert_eq!(world.run_by("olga", large), Ok(Reply::Proposed(proposal_id("large"))));
    world.run_by("ada", finalise("large")).expect("finalised");
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(100 - 10 + 100 + 101));
    let above = either("policy", Command::ChangePolicy(PolicyChange::default()));
    assert_eq!(world.run_by("olga", above), Err(Reject::NotAllowed), "for approvers");
    let trade = either("trade", Command::PlaceOrders(PlaceOrders { items: Vec::new() }));
    assert_eq!(world.run_by("olga", trade), Err(Reject::NotAllowed), "not an operator's");
    let impossible = either("none", credit("nobody", Money::whole(101), "none"));
    assert_eq!(world.run_by("olga", impossible), Err(Reject::UserNotFound));
    let withdraw =
        either("w", Command::Withdraw(Withdraw { proposal: proposal_id("x"), reason: Text::from("no") }));
    assert_eq!(world.run_by("olga", withdraw), Err(Reject::ProposalNotFound));
}
