//! Break-glass: the system creates an approver, which for a day may decide about operators alone and about nothing
//! else.

use exchange::Exchange;
use exchange::command::{
    BreakGlass, ChangeRole, Command, ConfirmOperator, CreditWallet, Finalise, PolicyChange, SuspendOperator,
    Withdraw,
};
use exchange::id::{Hash32, UserId};
use exchange::identity::Role;
use exchange::numbers::{Currency, Money};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::persons::{agree, create, operator_id, two_required};
use crate::rules::propose::{proposal_id, propose, resolution, stage_under};
use crate::rules::world::{World, id};

/// Two persons are required, and both approvers are suspended.
fn locked_out() -> World {
    locked_out_under(Exchange::RULES_VERSION)
}

fn locked_out_under(rules: u32) -> World {
    let mut world = stage_under(rules);
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    for operator in [operator_id("ada"), operator_id("abel")] {
        world
            .system(Command::SuspendOperator(SuspendOperator { operator, suspended: true, until: None }))
            .expect("out");
    }
    let (id, token_hash) = (operator_id("rescue"), Hash32::of("rescue"));
    world
        .system(Command::BreakGlass(BreakGlass { id, name: Text::from("rescue"), token_hash }))
        .expect("break-glass");
    world
}

#[test]
fn under_rules_3_break_glass_made_another_person() {
    let mut world = locked_out_under(3);
    assert_eq!(world.run_by("rescue", create("nina", Role::Approver)), Err(Reject::NeedsProposal));
    agree(&mut world, "rescue", "rescue", create("nina", Role::Approver)).expect("nina");
    let back = Command::SuspendOperator(SuspendOperator {
        operator: operator_id("ada"),
        suspended: false,
        until: None,
    });
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
    let alone = PolicyChange { two_required: Some(false), ..PolicyChange::default() };
    let credit = |usd| {
        Command::CreditWallet(CreditWallet {
            user: UserId::new(id("alice")),
            currency: Currency::Usd,
            amount: Money::whole(usd),
            reference: Text::from("for me"),
        })
    };
    for command in [Command::ChangePolicy(alone), credit(1), credit(999_999_999)] {
        assert_eq!(
            agree(&mut world, "rescue", "rescue", command.clone()),
            Err(Reject::NotAllowed),
            "{command:?}"
        );
        assert_eq!(world.run_by("rescue", command.clone()), Err(Reject::NotAllowed), "{command:?}");
    }
    let verdict = world.run_by("rescue", propose("p", resolution(&[("m", Outcome::Yes)])));
    assert_eq!(verdict, Err(Reject::NotAllowed));
}

/// Whom it creates, confirms or promotes alone may be the same person with a second token.
#[test]
fn break_glass_makes_no_second_person() {
    let mut world = locked_out();
    assert_eq!(world.run_by("rescue", create("nina", Role::Approver)), Err(Reject::NeedsProposal));
    agree(&mut world, "rescue", "rescue", create("nina", Role::Approver)).expect("nina");
    let olga = operator_id("olga");
    let promote = Command::ChangeRole(ChangeRole { operator: olga, role: Role::Approver });
    agree(&mut world, "rescue", "rescue", promote).expect("olga approves now");
    let confirm = |name| Command::ConfirmOperator(ConfirmOperator { operator: operator_id(name) });
    agree(&mut world, "rescue", "rescue", confirm("nina")).expect("it confirms nothing");
    for (proposer, finaliser) in [("nina", "olga"), ("olga", "nina")] {
        world.run_by(proposer, propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
        let finalise = Command::Finalise(Finalise { proposal: proposal_id("p") });
        assert_eq!(
            world.run_by(finaliser, finalise),
            Err(Reject::NeedsAnother),
            "{proposer} and {finaliser}"
        );
        let withdraw = Command::Withdraw(Withdraw { proposal: proposal_id("p"), reason: Text::from("no") });
        world.run_by(proposer, withdraw).expect("withdrawn");
    }
    // Those who were two persons before still are, and their agreement makes nina one.
    for name in ["ada", "abel"] {
        let back = Command::SuspendOperator(SuspendOperator {
            operator: operator_id(name),
            suspended: false,
            until: None,
        });
        agree(&mut world, "rescue", "rescue", back).expect("back");
    }
    agree(&mut world, "ada", "abel", confirm("nina")).expect("an agreement");
    world.run_by("ada", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    let finalise = Command::Finalise(Finalise { proposal: proposal_id("p") });
    assert_eq!(world.run_by("nina", finalise), Ok(Reply::Done));
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
