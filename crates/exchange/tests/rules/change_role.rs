//! A changed role changes an operator's rights, and enough approvers must remain.

use exchange::command::{ChangeRole, Command, RevokeOperator};
use exchange::identity::Role;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::persons::{command, operator_id, two_required};
use crate::rules::propose::{propose, stage};
use crate::rules::world::World;

#[test]
fn change_role_holds_from_the_next_command_on() {
    let mut world = stage();
    let promote = Command::ChangeRole(ChangeRole { operator: operator_id("olga"), role: Role::Approver });
    assert_eq!(world.run_by("olga", promote.clone()), Err(Reject::NotAllowed));
    assert_eq!(world.run_by("ada", promote), Ok(Reply::Done));
    let demote = Command::ChangeRole(ChangeRole { operator: operator_id("ada"), role: Role::Viewer });
    assert_eq!(world.run_by("olga", demote), Ok(Reply::Done), "an approver now");
    let ghost = Command::ChangeRole(ChangeRole { operator: operator_id("ghost"), role: Role::Viewer });
    assert_eq!(world.run_by("olga", ghost.clone()), Err(Reject::OperatorNotFound));
    assert_eq!(world.run_by("ada", ghost), Err(Reject::NotAllowed), "a viewer now");
}

#[test]
fn change_role_keeps_the_last_approver() {
    let mut world = World::new();
    world.operator("ada", Role::Approver);
    let demote = Command::ChangeRole(ChangeRole { operator: operator_id("ada"), role: Role::Operator });
    assert_eq!(world.run_by("ada", demote), Err(Reject::LastApprover));
}

#[test]
fn where_two_are_required_two_approvers_stay() {
    let mut world = stage();
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    let less = [
        Command::RevokeOperator(RevokeOperator { operator: operator_id("abel") }),
        Command::ChangeRole(ChangeRole { operator: operator_id("abel"), role: Role::Operator }),
    ];
    for one in less {
        let refused = world.run_by("ada", propose("less", command(one)));
        assert_eq!(refused, Err(Reject::TooFewApprovers));
    }
}
