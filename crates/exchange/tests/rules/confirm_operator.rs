//! Two persons confirm that an operator is a separate person.

use exchange::command::{ChangeRole, Command, ConfirmOperator};
use exchange::identity::Role;
use exchange::reject::Reject;

use crate::rules::persons::{agree, create, operator_id};
use crate::rules::propose::stage;

#[test]
fn a_confirmed_operator_stays_one_person_with_operators_it_made_alone() {
    let mut world = stage();
    world.run_by("ada", create("anna", Role::Operator)).expect("anna");
    world
        .run_by(
            "ada",
            Command::ChangeRole(ChangeRole { operator: operator_id("anna"), role: Role::Approver }),
        )
        .expect("a role");
    world.run_by("anna", create("amy", Role::Approver)).expect("amy");
    agree(
        &mut world,
        "olga",
        "abel",
        Command::ConfirmOperator(ConfirmOperator { operator: operator_id("anna") }),
    )
    .expect_err("an operator may not confirm");
    agree(
        &mut world,
        "ada",
        "abel",
        Command::ConfirmOperator(ConfirmOperator { operator: operator_id("anna") }),
    )
    .expect("confirmed");
    let directory = world.exchange.directory();
    let same = |one: &str, other: &str| directory.is_same_person(operator_id(one), operator_id(other));
    assert!(!same("ada", "anna"));
    assert!(same("amy", "anna") && same("amy", "ada"), "amy's token was made by either of them");
    assert!(!same("amy", "abel"));
}

#[test]
fn a_proposal_that_its_proposer_finalises_makes_no_person() {
    let mut world = stage();
    // One person is enough here: ada finalises her own proposal.
    agree(&mut world, "ada", "ada", create("second me", Role::Approver)).expect("made");
    assert!(world.exchange.directory().is_same_person(operator_id("ada"), operator_id("second me")));
    let confirm = Command::ConfirmOperator(ConfirmOperator { operator: operator_id("second me") });
    assert_eq!(agree(&mut world, "ada", "ada", confirm.clone()), Err(Reject::NeedsAnother));
    assert_eq!(world.run_by("ada", confirm.clone()), Err(Reject::NeedsProposal));
    assert_eq!(
        agree(&mut world, "ada", "second me", confirm),
        Err(Reject::ProposalPending),
        "it still stands"
    );
}
