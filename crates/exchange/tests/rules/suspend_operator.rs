//! A suspended operator does nothing until the suspension is lifted, and the last approver is never suspended.

use exchange::command::{Command, OpenOperatorSession, SuspendOperator};
use exchange::id::Hash32;
use exchange::identity::Role;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Span;

use crate::rules::persons::{agree, operator_id, two_required};
use crate::rules::propose::stage;
use crate::rules::world::World;

fn suspend(name: &str, suspended: bool) -> Command {
    Command::SuspendOperator(SuspendOperator { operator: operator_id(name), suspended, until: None })
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

#[test]
fn a_suspension_that_leaves_too_few_approvers_has_an_end() {
    let mut world = stage();
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    let until = |world: &World, hours| {
        let until = Some(world.now + Span::hours(hours));
        Command::SuspendOperator(SuspendOperator { operator: operator_id("abel"), suspended: true, until })
    };
    assert_eq!(world.run_by("ada", suspend("abel", true)), Err(Reject::SuspensionNeedsEnd));
    for hours in [0, 30 * 24 + 1] {
        let command = until(&world, hours);
        assert!(matches!(world.run_by("ada", command), Err(Reject::InvalidField { field: "until", .. })));
    }
    let end = world.now + Span::hours(2);
    let two_hours = until(&world, 2);
    assert_eq!(world.run_by("ada", two_hours), Ok(Reply::Done));
    assert_eq!(world.exchange.next_due(), Some(end));

    // A further suspension may be longer, but not shorter: that would lift it.
    let (shorter, longer) = (until(&world, 1), until(&world, 3));
    world.run_by("ada", shorter).expect("suspended");
    assert_eq!(world.exchange.next_due(), Some(end));
    world.run_by("ada", longer).expect("suspended");
    assert_eq!(world.exchange.next_due(), Some(end + Span::hours(1)));
    world.wait(Span::seconds(3 * 3_600 - 1));
    assert_eq!(world.run_by("abel", suspend("olga", true)), Err(Reject::OperatorSuspended));
    world.wait(Span::seconds(1));
    assert_eq!(world.run_by("abel", suspend("olga", true)), Ok(Reply::Done), "the end of it");

    // One without an end stays without one, and two persons end both kinds.
    let command = Command::SuspendOperator(SuspendOperator {
        operator: operator_id("olga"),
        suspended: true,
        until: Some(world.now + Span::hours(1)),
    });
    world.run_by("ada", command).expect("suspended again");
    world.wait(Span::hours(2));
    assert_eq!(world.run_by("olga", Command::Tick), Err(Reject::OperatorSuspended));
    agree(&mut world, "ada", "abel", suspend("olga", false)).expect("lifted");
    assert_eq!(world.run_by("olga", Command::Tick), Err(Reject::NotAllowed), "she is back");
}
