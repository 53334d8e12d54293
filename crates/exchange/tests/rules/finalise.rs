//! `Finalise`: by another person where two are required, not before its time, and all in one step.

use exchange::catalogue::{Engine, EventKind, Status};
use exchange::change::{Change, ProposalStep};
use exchange::command::{
    CancelMarkets, CloseTrading, Command, CreateOperator, Finalise, PolicyChange, ResolveMarket, Target,
};
use exchange::governance::{Author, Ending, Policy, Resolution, Subject, Verdict};
use exchange::id::{Hash32, OperatorId};
use exchange::identity::Role;
use exchange::numbers::{Cents, Currency, Money};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::lifecycle::statuses;
use crate::rules::propose::{evidence, proposal_id, propose, resolution, ruling, stage};
use crate::rules::world::{World, event_of, id};

fn finalise(name: &str) -> Command {
    Command::Finalise(Finalise { proposal: proposal_id(name) })
}

fn require_two(world: &mut World, resolution_delay_seconds: u32) {
    let policy = Policy { two_required: true, resolution_delay_seconds, ..Policy::default() };
    world.run_by("ada", Command::SetPolicy(policy)).expect("a policy");
}

fn resolutions(world: &World, market: &str) -> Vec<Resolution> {
    let catalogue = world.exchange.catalogue();
    catalogue.event(catalogue.find_event(event_of(market)).expect("the event")).resolutions.clone()
}

fn author(name: &str, role: Role) -> Author {
    Author::Operator { operator: OperatorId::new(id(name)), role }
}

#[test]
fn finalise_pays_and_the_event_remembers_who_and_why() {
    let mut world = stage();
    world.run_by("olga", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    let proposed_at = world.now;
    world.wait(Span::minutes(5));
    assert_eq!(world.run_by("olga", finalise("p")), Ok(Reply::Done));
    assert_eq!(statuses(&world, "m"), (Status::Resolved, Status::Resolved));
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(100));
    let step = Change::Proposal { proposal: proposal_id("p"), step: ProposalStep::Finalised };
    assert_eq!(world.changes().last(), Some(&step));
    let expected = Resolution {
        verdict: Verdict::Outcomes(vec![ruling("m", Outcome::Yes)]),
        evidence: evidence(),
        proposed_by: author("olga", Role::Operator),
        proposed_at,
        ending: Ending::Finalised,
        ended_by: author("olga", Role::Operator),
        ended_at: world.now,
    };
    assert_eq!(resolutions(&world, "m"), [expected]);
    assert_eq!(world.run_by("olga", finalise("p")), Err(Reject::ProposalNotFound));
}

#[test]
fn where_two_are_required_one_person_cannot_finalise_alone() {
    let mut world = stage();
    require_two(&mut world, 0);
    world.run_by("ada", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    assert_eq!(world.run_by("ada", finalise("p")), Err(Reject::NeedsAnother));
    assert_eq!(world.run_by("olga", finalise("p")), Err(Reject::NotAllowed), "an operator is no approver");
    assert_eq!(statuses(&world, "m").0, Status::Closed);
    assert_eq!(world.run_by("abel", finalise("p")), Ok(Reply::Done));
    assert_eq!(statuses(&world, "m").0, Status::Resolved);
}

#[test]
fn where_two_are_required_nothing_pays_at_once_and_no_way_around_is_left() {
    let mut world = stage();
    require_two(&mut world, 0);
    let market = crate::rules::world::market_id("m");
    let approver = |name: &str| {
        Command::CreateOperator(CreateOperator {
            id: OperatorId::new(id(name)),
            name: Text::from(name),
            role: Role::Approver,
            token_hash: Hash32::of(name),
        })
    };
    let refused = [
        Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::Yes }),
        Command::CancelMarkets(CancelMarkets { target: Target::Event(event_of("m")), yes: Cents::HALF }),
        Command::SetPolicy(Policy::default()),
        approver("another me"),
    ];
    for command in refused {
        assert_eq!(world.run_by("ada", command.clone()), Err(Reject::NeedsProposal), "{command:?}");
    }
    let another = Subject::Command(Box::new(approver("third")));
    for (name, subject) in [
        (
            "policy",
            Subject::Command(Box::new(Command::ChangePolicy(PolicyChange {
                two_required: Some(false),
                ..PolicyChange::default()
            }))),
        ),
        ("approver", another),
    ] {
        world.run_by("ada", propose(name, subject)).expect("proposed");
        assert_eq!(world.run_by("ada", finalise(name)), Err(Reject::NeedsAnother));
    }
    world.run_by("abel", finalise("approver")).expect("a third approver");
    world.run_by("third", finalise("policy")).expect("the policy");
    assert_eq!(world.exchange.governance().policy, Policy::default());
    world
        .run_by("ada", Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::Yes }))
        .expect("alone again");
}

#[test]
fn a_draft_is_cancelled_by_one_person_because_it_pays_no_user() {
    let mut world = stage();
    require_two(&mut world, 60);
    world.draft(EventKind::Single, Engine::Clob, 0, &["draft"]);
    let cancel =
        Command::CancelMarkets(CancelMarkets { target: Target::Event(event_of("draft")), yes: Cents::HALF });
    assert_eq!(world.run_by("olga", cancel), Ok(Reply::Done));
}

#[test]
fn finalise_waits_until_the_verdict_has_stood_long_enough() {
    let mut world = stage();
    let policy = Policy { resolution_delay_seconds: 3_600, ..Policy::default() };
    world.run_by("ada", Command::SetPolicy(policy)).expect("a policy");
    let at_once = Command::ResolveMarket(ResolveMarket {
        market: crate::rules::world::market_id("m"),
        outcome: Outcome::Yes,
    });
    assert_eq!(world.run_by("ada", at_once), Err(Reject::NeedsProposal));
    world.run_by("olga", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    let until = world.now + Span::hours(1);
    world.wait(Span::seconds(3_599));
    assert_eq!(world.run_by("olga", finalise("p")), Err(Reject::ProposalTooYoung { until }));
    world.wait(Span::seconds(1));
    assert_eq!(world.run_by("olga", finalise("p")), Ok(Reply::Done));
}

#[test]
fn finalise_checks_again_and_keeps_an_impossible_proposal() {
    let mut world = stage();
    world.event(EventKind::Grouped, Engine::Clob, 0, &["a", "b"]);
    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Event(event_of("a")) }))
        .expect("a close");
    world.run_by("olga", propose("p", resolution(&[("a", Outcome::Yes)]))).expect("proposed");
    let cancel = Command::CancelMarkets(CancelMarkets {
        target: Target::Market(crate::rules::world::market_id("a")),
        yes: Cents::HALF,
    });
    world.run_by("ada", cancel).expect("cancelled");
    let refused = Err(Reject::StatusNotAllowed { status: Status::Cancelled });
    assert_eq!(world.run_by("olga", finalise("p")), refused);
    assert!(world.exchange.governance().proposal(proposal_id("p")).is_some(), "it waits to be withdrawn");
}

#[test]
fn finalise_ends_a_combined_event_of_fifty_markets_in_one_command() {
    let names: Vec<String> = (0..50).map(|number| format!("m{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut world = stage();
    world.event(EventKind::Combined, Engine::Clob, 0, &names);
    for name in &names {
        world.mint("alice", name, Currency::Usd, Money::whole(1)).expect("sets");
    }
    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Event(event_of("m0")) }))
        .expect("a close");
    let subject = Subject::Resolution {
        event: event_of("m0"),
        verdict: Verdict::Outcomes(vec![ruling("m17", Outcome::Yes)]),
    };
    world.run_by("olga", propose("p", subject)).expect("proposed");
    world.run_by("olga", finalise("p")).expect("finalised");
    for name in &names {
        assert_eq!(statuses(&world, name), (Status::Resolved, Status::Resolved));
    }
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(90), "a set pays what it cost");
}

#[test]
fn finalise_cancels_the_remaining_markets_of_an_event() {
    let mut world = stage();
    world.event(EventKind::Grouped, Engine::Clob, 0, &["a", "b"]);
    world.mint("alice", "b", Currency::Usd, Money::whole(20)).expect("sets");
    world
        .system(Command::CloseTrading(CloseTrading {
            target: Target::Market(crate::rules::world::market_id("a")),
        }))
        .expect("closed");
    let resolve = Command::ResolveMarket(ResolveMarket {
        market: crate::rules::world::market_id("a"),
        outcome: Outcome::Yes,
    });
    world.run_by("olga", resolve).expect("resolved");
    let verdict = Verdict::Cancelled { yes: Cents::new(30).expect("cents") };
    world
        .run_by("olga", propose("p", Subject::Resolution { event: event_of("a"), verdict }))
        .expect("proposed");
    world.run_by("olga", finalise("p")).expect("finalised");
    assert_eq!(statuses(&world, "a"), (Status::Resolved, Status::Resolved));
    assert_eq!(statuses(&world, "b"), (Status::Cancelled, Status::Resolved));
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(90), "10 are in the market m");
    assert_eq!(resolutions(&world, "a").len(), 2);
}
