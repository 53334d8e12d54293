//! Separation of persons: an operator that one person made alone cannot finalise a proposal of that person, in every
//! way that the operators can come to be.

use exchange::catalogue::Status;
use exchange::command::{
    ChangeRole, Command, ConfirmOperator, CreateOperator, Finalise, PolicyChange, RevokeOperator,
    SuspendOperator, Withdraw,
};
use exchange::governance::{Policy, Subject};
use exchange::id::{Hash32, OperatorId};
use exchange::identity::Role;
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::rules::lifecycle::statuses;
use crate::rules::propose::{proposal_id, propose, resolution, stage};
use crate::rules::world::{World, id};

pub(crate) fn operator_id(name: &str) -> OperatorId {
    OperatorId::new(id(name))
}

pub(crate) fn create(name: &str, role: Role) -> Command {
    let (id, token_hash) = (operator_id(name), Hash32::of(name));
    Command::CreateOperator(CreateOperator { id, name: Text::from(name), role, token_hash })
}

pub(crate) fn two_required() -> Policy {
    Policy { two_required: true, ..Policy::default() }
}

fn finalise(name: &str) -> Command {
    Command::Finalise(Finalise { proposal: proposal_id(name) })
}

pub(crate) fn command(command: Command) -> Subject {
    Subject::Command(Box::new(command))
}

/// One operator proposes a command, another finalises it.
pub(crate) fn agree(
    world: &mut World,
    proposer: &str,
    finaliser: &str,
    agreed: Command,
) -> Result<Reply, Reject> {
    let name = format!("proposal {}", world.exchange.seq());
    world.run_by(proposer, propose(&name, command(agreed)))?;
    world.run_by(finaliser, finalise(&name))
}

/// One operator proposes the end of `m`, another finalises it.
fn pay(world: &mut World, proposer: &str, finaliser: &str) -> Result<Reply, Reject> {
    let name = format!("proposal {}", world.exchange.seq());
    world.run_by(proposer, propose(&name, resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    let result = world.run_by(finaliser, finalise(&name));
    if result.is_err() {
        let withdraw =
            Command::Withdraw(Withdraw { proposal: proposal_id(&name), reason: Text::from("Refused") });
        world.run_by("olga", withdraw).expect("withdrawn");
    }
    result
}

#[test]
fn an_operator_made_alone_counts_as_its_maker_and_so_on() {
    let mut world = stage();
    // Before two are required: ada makes anna, anna makes amy; ada also makes arno.
    world.run_by("ada", create("anna", Role::Approver)).expect("anna");
    world.run_by("anna", create("amy", Role::Operator)).expect("amy");
    world.run_by("ada", create("arno", Role::Operator)).expect("arno");
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    // Approvers that exist at that moment are different persons; operators that they made alone are not.
    assert_eq!(pay(&mut world, "amy", "anna"), Err(Reject::NeedsAnother), "anna made amy");
    assert_eq!(pay(&mut world, "amy", "ada"), Err(Reject::NeedsAnother), "ada made anna, who made amy");
    assert_eq!(pay(&mut world, "arno", "ada"), Err(Reject::NeedsAnother));
    assert_eq!(statuses(&world, "m").0, Status::Closed);
    assert_eq!(pay(&mut world, "arno", "anna"), Ok(Reply::Done), "ada's second token and another person");
}

#[test]
fn two_operators_of_one_maker_are_one_person() {
    let mut world = stage();
    world.run_by("ada", create("arno", Role::Operator)).expect("arno");
    world.run_by("ada", create("ann", Role::Operator)).expect("ann");
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    agree(
        &mut world,
        "ada",
        "abel",
        Command::ChangeRole(ChangeRole { operator: operator_id("ann"), role: Role::Approver }),
    )
    .expect("ann approves now");
    assert_eq!(pay(&mut world, "arno", "ann"), Err(Reject::NeedsAnother));
    assert_eq!(pay(&mut world, "ada", "ann"), Err(Reject::NeedsAnother));
    agree(
        &mut world,
        "ada",
        "abel",
        Command::ConfirmOperator(ConfirmOperator { operator: operator_id("ann") }),
    )
    .expect("confirmed");
    assert_eq!(pay(&mut world, "ada", "ann"), Ok(Reply::Done));
}

#[test]
fn nothing_that_changes_who_may_pay_is_done_alone() {
    let mut world = stage();
    world.run_by("ada", create("third", Role::Approver)).expect("a third approver");
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    world
        .run_by(
            "ada",
            Command::SuspendOperator(SuspendOperator {
                operator: operator_id("olga"),
                suspended: true,
                until: None,
            }),
        )
        .expect("at once");
    let olga = operator_id("olga");
    let alone = [
        create("viewer", Role::Viewer),
        create("operator", Role::Operator),
        create("approver", Role::Approver),
        Command::ChangeRole(ChangeRole { operator: olga, role: Role::Approver }),
        Command::ConfirmOperator(ConfirmOperator { operator: olga }),
        Command::SuspendOperator(SuspendOperator { operator: olga, suspended: false, until: None }),
        Command::RevokeOperator(RevokeOperator { operator: olga }),
        Command::ChangePolicy(PolicyChange { two_required: Some(false), ..PolicyChange::default() }),
    ];
    for one in &alone {
        assert_eq!(world.run_by("ada", one.clone()), Err(Reject::NeedsProposal), "{one:?}");
        let name = format!("{one:?}");
        world.run_by("ada", propose(&name, command(one.clone()))).expect("proposed");
        assert_eq!(world.run_by("ada", finalise(&name)), Err(Reject::NeedsAnother), "{one:?}");
        assert_eq!(world.run_by("abel", finalise(&name)), Ok(Reply::Done), "{one:?}");
    }
    assert!(!world.exchange.governance().policy.two_required);
}

#[test]
fn an_operator_made_by_a_proposal_is_a_person_of_its_own() {
    for other in ["ada", "abel", "olga"] {
        let mut world = stage();
        world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
        agree(&mut world, "ada", "abel", create("nina", Role::Approver)).expect("nina");
        assert_eq!(pay(&mut world, other, "nina"), Ok(Reply::Done), "nina is not {other}");
    }
}

#[test]
fn a_lone_approver_cannot_require_two() {
    let mut world = World::new();
    world.operator("ada", Role::Approver);
    world.operator("olga", Role::Operator);
    let policy = Command::SetPolicy(two_required());
    assert_eq!(world.run_by("ada", policy.clone()), Err(Reject::TooFewApprovers));
    world.operator("abel", Role::Approver);
    let suspend = Command::SuspendOperator(SuspendOperator {
        operator: operator_id("abel"),
        suspended: true,
        until: None,
    });
    world.run_by("ada", suspend).expect("suspended");
    assert_eq!(
        world.run_by("ada", policy.clone()),
        Err(Reject::TooFewApprovers),
        "a suspended one does not count"
    );
    world
        .run_by(
            "ada",
            Command::SuspendOperator(SuspendOperator {
                operator: operator_id("abel"),
                suspended: false,
                until: None,
            }),
        )
        .expect("lifted");
    assert_eq!(world.run_by("ada", policy), Ok(Reply::Done));
}

#[test]
fn two_approvers_who_are_one_person_are_not_two() {
    let mut world = stage();
    world.run_by("ada", create("anna", Role::Operator)).expect("anna");
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    let promote = Command::ChangeRole(ChangeRole { operator: operator_id("anna"), role: Role::Approver });
    agree(&mut world, "ada", "abel", promote).expect("anna approves now");
    let less = [
        Command::RevokeOperator(RevokeOperator { operator: operator_id("abel") }),
        Command::ChangeRole(ChangeRole { operator: operator_id("abel"), role: Role::Viewer }),
    ];
    for one in less {
        let refused = world.run_by("ada", propose("less", command(one)));
        assert_eq!(refused, Err(Reject::TooFewApprovers), "ada and anna are one person");
    }
    let confirm = Command::ConfirmOperator(ConfirmOperator { operator: operator_id("anna") });
    agree(&mut world, "ada", "abel", confirm).expect("confirmed");
    let revoke = Command::RevokeOperator(RevokeOperator { operator: operator_id("abel") });
    agree(&mut world, "ada", "anna", revoke).expect("two persons are left");
}

#[test]
fn only_what_may_need_two_persons_is_proposed_and_by_those_who_may_ask_for_it() {
    let mut world = stage();
    let tick = world.run_by("ada", propose("tick", command(Command::Tick)));
    assert_eq!(tick, Err(Reject::NotProposable));
    let lock_out = Command::SuspendOperator(SuspendOperator {
        operator: operator_id("abel"),
        suspended: true,
        until: None,
    });
    assert_eq!(world.run_by("ada", propose("lock", command(lock_out))), Err(Reject::NotProposable));
    let policy = command(Command::ChangePolicy(PolicyChange::default()));
    assert_eq!(world.run_by("olga", propose("policy", policy)), Err(Reject::NotAllowed));
    let whole = command(Command::SetPolicy(two_required()));
    assert_eq!(
        world.run_by("ada", propose("whole", whole)),
        Err(Reject::NotProposable),
        "it would undo others"
    );
}
