//! Break-glass: the system creates an approver, which for a day may decide about operators alone and about nothing
//! else.

use exchange::command::{BreakGlass, Command, Finalise, SuspendOperator};
use exchange::governance::Policy;
use exchange::id::Hash32;
use exchange::identity::Role;
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::persons::{agree, create, operator_id, two_required};
use crate::rules::propose::{proposal_id, propose, resolution, stage};
use crate::rules::world::World;

/// Two persons are required, and both approvers are suspended.
fn locked_out() -> World {
    let mut world = stage();
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    for operator in [operator_id("ada"), operator_id("abel")] {
        world.system(Command::SuspendOperator(SuspendOperator { operator, suspended: true })).expect("out");
    }
    let (id, token_hash) = (operator_id("rescue"), Hash32::of("rescue"));
    world
        .system(Command::BreakGlass(BreakGlass { id, name: Text::from("rescue"), token_hash }))
        .expect("break-glass");
    world
}

#[test]
fn break_glass_decides_about_operators_alone() {
    let mut world = locked_out();
    assert_eq!(world.run_by("rescue", create("nina", Role::Approver)), Err(Reject::NeedsProposal));
    agree(&mut world, "rescue", "rescue", create("nina", Role::Approver)).expect("nina");
    let back = Command::SuspendOperator(SuspendOperator { operator: operator_id("ada"), suspended: false });
    agree(&mut world, "rescue", "rescue", back).expect("ada is back");
    world.run_by("ada", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    assert_eq!(
        world.run_by("rescue", Command::Finalise(Finalise { proposal: proposal_id("p") })),
        Err(Reject::NotAllowed)
    );
    assert_eq!(
        world.run_by("nina", Command::Finalise(Finalise { proposal: proposal_id("p") })),
        Ok(Reply::Done)
    );
}

#[test]
fn break_glass_changes_no_policy_and_moves_no_money() {
    let mut world = locked_out();
    let refused = agree(&mut world, "rescue", "rescue", Command::SetPolicy(Policy::default()));
    assert_eq!(refused, Err(Reject::NotAllowed));
}

#[test]
fn break_glass_becomes_an_ordinary_approver_after_a_day() {
    let mut world = locked_out();
    world.wait(Span::hours(24));
    assert_eq!(
        agree(&mut world, "rescue", "rescue", create("nina", Role::Approver)),
        Err(Reject::NeedsAnother)
    );
    world.run_by("olga", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    assert_eq!(
        world.run_by("rescue", Command::Finalise(Finalise { proposal: proposal_id("p") })),
        Ok(Reply::Done)
    );
}
