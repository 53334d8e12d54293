//! `Withdraw`: nothing is paid, and the event records the withdrawn verdict.

use exchange::catalogue::Status;
use exchange::command::{Command, Finalise, PolicyChange, Withdraw};
use exchange::governance::{Ending, Policy, Subject};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::rules::lifecycle::statuses;
use crate::rules::propose::{proposal_id, propose, resolution, stage, stage_under};
use crate::rules::world::event_of;

fn withdraw(name: &str, reason: &str) -> Command {
    Command::Withdraw(Withdraw { proposal: proposal_id(name), reason: Text::from(reason) })
}

#[test]
fn withdraw_takes_a_proposal_back_and_the_event_keeps_the_reason() {
    let mut world = stage();
    world.run_by("ada", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    let empty = world.run_by("olga", withdraw("p", ""));
    assert!(matches!(empty, Err(Reject::InvalidField { field: "reason", .. })), "{empty:?}");
    assert_eq!(world.run_by("olga", withdraw("p", "The count was repeated")), Ok(Reply::Done));
    assert_eq!(statuses(&world, "m"), (Status::Closed, Status::Closed));
    let catalogue = world.exchange.catalogue();
    let event = catalogue.event(catalogue.find_event(event_of("m")).expect("the event"));
    let endings: Vec<_> = event.resolutions.iter().map(|each| each.ending.clone()).collect();
    assert_eq!(endings, [Ending::Withdrawn { reason: Text::from("The count was repeated") }]);
    assert_eq!(world.run_by("olga", withdraw("p", "again")), Err(Reject::ProposalNotFound));
    let finalise = Command::Finalise(Finalise { proposal: proposal_id("p") });
    assert_eq!(world.run_by("olga", finalise), Err(Reject::ProposalNotFound));
    world.run_by("ada", propose("p", resolution(&[("m", Outcome::No)]))).expect("another verdict");
}

#[test]
fn withdraw_of_a_policy_leaves_the_policy() {
    let mut world = stage();
    let change = PolicyChange { two_required: Some(true), ..PolicyChange::default() };
    world
        .run_by("ada", propose("p", Subject::Command(Box::new(Command::ChangePolicy(change)))))
        .expect("proposed");
    world.run_by("ada", withdraw("p", "not now")).expect("withdrawn");
    assert_eq!(world.exchange.governance().policy, Policy::default());
}

#[test]
fn an_event_keeps_the_last_twenty_proposals_that_came_to_nothing_and_takes_another() {
    let mut world = stage();
    for n in 0..60 {
        world.run_by("olga", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
        world.run_by("olga", withdraw("p", &format!("no {n}"))).expect("withdrawn");
    }
    let catalogue = world.exchange.catalogue();
    let event = catalogue.event(catalogue.find_event(event_of("m")).expect("the event"));
    let endings: Vec<_> = event.resolutions.iter().map(|each| each.ending.clone()).collect();
    let last = (40..60).map(|n| Ending::Withdrawn { reason: Text::from(format!("no {n}")) });
    assert_eq!(endings, last.collect::<Vec<_>>());
    world.run_by("ada", propose("p", resolution(&[("m", Outcome::No)]))).expect("another verdict");
}

#[test]
fn under_rules_3_an_event_remembers_fifty_proposals_that_came_to_nothing_and_takes_no_more() {
    let mut world = stage_under(3);
    let propose_again = |world: &mut crate::rules::world::World| {
        world.run_by("olga", propose("p", resolution(&[("m", Outcome::Yes)])))
    };
    for _ in 0..51 {
        propose_again(&mut world).expect("proposed");
        world.run_by("olga", withdraw("p", "no")).expect("withdrawn");
    }
    assert_eq!(propose_again(&mut world), Err(Reject::TooManyProposals));
}
