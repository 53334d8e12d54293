//! A suspended operator does nothing until the suspension is lifted, and the last approver is never suspended.

use exchange::command::{Command, OpenOperatorSession, SuspendOperator};
use exchange::id::Hash32;
use exchange::identity::Role;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::persons::operator_id;
use crate::rules::propose::stage;
use crate::rules::world::World;

fn suspend(name: &str, suspended: bool) -> Command {
    Command::SuspendOperator(SuspendOperator { operator: operator_id(name), suspended })
}

#[test]
fn suspend_operator_stops_the_next_command_and_ends_the_sessions() {
    let mut world = stage();
    let token_hash = Hash32::of("console");
    world
        .run_by("abel", Command::OpenOperatorSession(OpenOperatorSession { token_hash }))
        .expect("a session");
    assert_eq!(world.run_by("ada", suspend("abel", true)), Ok(Reply::Done));
    assert!(world.exchange.directory().find_operator_session(token_hash).is_none());
    assert_eq!(world.run_by("abel", suspend("abel", false)), Err(Reject::OperatorSuspended));
    assert_eq!(world.run_by("ada", suspend("abel", false)), Ok(Reply::Done));
    assert_eq!(
        world.run_by("abel", suspend("olga", true)),
        Ok(Reply::Done),
        "any approver stops any operator"
    );
}

#[test]
fn suspend_operator_keeps_the_last_approver() {
    let mut world = World::new();
    world.operator("ada", Role::Approver);
    world.operator("olga", Role::Operator);
    assert_eq!(world.run_by("ada", suspend("ada", true)), Err(Reject::LastApprover));
    assert_eq!(world.run_by("olga", suspend("ada", true)), Err(Reject::NotAllowed));
    assert_eq!(world.run_by("ada", suspend("ghost", true)), Err(Reject::OperatorNotFound));
    assert_eq!(world.system(suspend("ada", true)), Ok(Reply::Done), "the owner of the machine may");
}
