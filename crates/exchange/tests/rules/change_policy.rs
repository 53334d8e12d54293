//! A change of the policy has the given fields, and leaves the others as they are when it is carried out.

use exchange::command::{Command, PolicyChange};
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::persons::{agree, command};
use crate::rules::propose::{propose, stage};
use crate::rules::two_persons::{CAP, finalise, require_two};

#[test]
fn two_changes_of_the_policy_keep_each_others_fields() {
    let mut world = stage();
    require_two(&mut world);
    let delay = PolicyChange { resolution_delay_seconds: Some(3_600), ..PolicyChange::default() };
    let age = PolicyChange { retire_after_seconds: Some(7_200), ..PolicyChange::default() };
    world.run_by("ada", propose("delay", command(Command::ChangePolicy(delay)))).expect("proposed");
    agree(&mut world, "abel", "ada", Command::ChangePolicy(age)).expect("agreed meanwhile");
    world.run_by("abel", finalise("delay")).expect("finalised");
    let policy = world.exchange.governance().policy;
    assert_eq!((policy.resolution_delay_seconds, policy.retire_after_seconds), (3_600, 7_200));
    assert_eq!((policy.two_required, policy.entry_max.usd), (true, CAP));
}

#[test]
fn change_policy_refuses_what_set_policy_refuses() {
    let mut world = stage();
    let change = PolicyChange { retire_after_seconds: Some(1), ..PolicyChange::default() };
    let refused = world.run_by("ada", Command::ChangePolicy(change));
    assert!(matches!(refused, Err(Reject::InvalidField { .. })), "{refused:?}");
    let before = world.exchange.governance().policy;
    assert_eq!(world.run_by("ada", Command::ChangePolicy(PolicyChange::default())), Ok(Reply::Done));
    assert_eq!(world.exchange.governance().policy, before, "nothing was given");
}
