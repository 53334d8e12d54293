//! An operator approves a request for a new password; two persons do where two are required.

use exchange::command::Command;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::persons::{agree, two_required};
use crate::rules::propose::stage;
use crate::rules::request_password_reset::{approve, redeem, request};

#[test]
fn a_request_is_good_for_nothing_before_an_operator_approved_it() {
    let mut world = stage();
    world.system(request("alice", "token", "AB12CD", "home")).expect("a request");
    assert_eq!(world.system(redeem("token")), Err(Reject::TokenNotFound));
    assert_eq!(world.run_by("olga", approve("alice", "another")), Err(Reject::TokenNotFound));
    assert_eq!(world.run_by("olga", approve("alice", "token")), Ok(Reply::Done));
    assert_eq!(world.run_by("olga", approve("alice", "token")), Err(Reject::TokenNotFound), "once");
    assert_eq!(world.system(redeem("token")), Ok(Reply::Done));
    assert_eq!(world.system(redeem("token")), Err(Reject::TokenNotFound));
}

#[test]
fn where_two_are_required_two_persons_approve() {
    let mut world = stage();
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    world.system(request("alice", "token", "AB12CD", "home")).expect("a request");
    assert_eq!(world.run_by("olga", approve("alice", "token")), Err(Reject::NeedsProposal));
    agree(&mut world, "olga", "ada", approve("alice", "token")).expect("approved");
    assert_eq!(world.system(redeem("token")), Ok(Reply::Done));
}
