//! A session on the operators' console: twelve hours, twenty an operator, its owner's alone.

use exchange::command::{Command, OpenOperatorSession, RevokeOperator};
use exchange::id::{Hash32, OperatorId};
use exchange::identity::{Actor, Role};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::{Span, Time};

use crate::rules::world::{START, World, id};

fn open(token: &str) -> Command {
    Command::OpenOperatorSession(OpenOperatorSession { token_hash: Hash32::of(token) })
}

fn owner(world: &World, token: &str) -> Option<OperatorId> {
    let found = world.exchange.directory().find_operator_session(Hash32::of(token));
    found.map(|(operator, _)| operator.id)
}

#[test]
fn open_operator_session_is_for_every_role_and_belongs_to_the_sender() {
    let mut world = World::new();
    for (name, role) in [("vera", Role::Viewer), ("otto", Role::Operator), ("anna", Role::Approver)] {
        world.operator(name, role);
        assert_eq!(world.run_by(name, open(name)), Ok(Reply::Done));
        assert_eq!(owner(&world, name), Some(OperatorId::new(id(name))));
    }
    assert_eq!(world.system(open("node")), Err(Reject::NotAllowed), "the node is no operator");
    let stranger = Actor::Operator { operator: OperatorId::new(404) };
    assert_eq!(world.apply(stranger, open("stranger")), Err(Reject::UnknownOperator));
    assert_eq!(world.run_by("vera", open("anna")), Err(Reject::DuplicateId));
    assert_eq!(owner(&world, "anna"), Some(OperatorId::new(id("anna"))));
}

#[test]
fn open_operator_session_lasts_twelve_hours_to_the_instant() {
    let mut world = World::new();
    world.operator("anna", Role::Approver);
    world.run_by("anna", open("console")).expect("a session");
    let end = START + Span::hours(12);
    assert_eq!(world.exchange.next_due(), Some(end));
    world.now = Time::from_micros(end.micros() - 1);
    world.system(Command::Tick).expect("a tick");
    assert!(owner(&world, "console").is_some());
    world.now = end;
    world.system(Command::Tick).expect("a tick");
    assert_eq!(owner(&world, "console"), None);
    assert_eq!(world.exchange.next_due(), None);
}

#[test]
fn open_operator_session_drops_the_oldest_when_there_are_twenty() {
    let mut world = World::new();
    world.operator("anna", Role::Approver);
    world.operator("axel", Role::Approver);
    world.run_by("axel", open("axel's")).expect("a session");
    for number in 0..21 {
        world.wait(Span::seconds(1));
        world.run_by("anna", open(&format!("console {number}"))).expect("a session");
    }
    assert_eq!(owner(&world, "console 0"), None);
    assert!((1..21).all(|number| owner(&world, &format!("console {number}")).is_some()));
    assert!(owner(&world, "axel's").is_some(), "others are not touched");
}

#[test]
fn revoke_operator_ends_the_sessions_of_the_revoked_operator() {
    let mut world = World::new();
    world.operator("anna", Role::Approver);
    world.operator("otto", Role::Operator);
    for (name, token) in [("anna", "anna's"), ("otto", "otto's"), ("otto", "otto's other")] {
        world.run_by(name, open(token)).expect("a session");
    }
    let revoke = Command::RevokeOperator(RevokeOperator { operator: OperatorId::new(id("otto")) });
    world.run_by("anna", revoke).expect("revoked");
    assert_eq!((owner(&world, "otto's"), owner(&world, "otto's other")), (None, None));
    assert!(owner(&world, "anna's").is_some());
    assert_eq!(world.run_by("otto", open("again")), Err(Reject::UnknownOperator));
}
