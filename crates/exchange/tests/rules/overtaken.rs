//! Proposals that end by themselves, and never block a new one.

use exchange::change::{Change, ProposalStep};
use exchange::command::{CloseTrading, Command, CreateOperator, ResolveMarket};
use exchange::governance::Ending;
use exchange::id::{OperatorId, ProposalId};
use exchange::identity::Role;
use exchange::order::Outcome;
use exchange::reject::Reject;

use crate::rules::persons::{command, create, operator_id};
use crate::rules::propose::{proposal_id, propose, resolution, stage, stage_under};
use crate::rules::world::{World, event_of, market_id};

fn steps(world: &World) -> Vec<(ProposalId, ProposalStep)> {
    let step = |change: &Change| match change {
        Change::Proposal { proposal, step } => Some((*proposal, *step)),
        _ => None,
    };
    world.changes().iter().filter_map(step).collect()
}

#[test]
fn a_proposal_ends_when_its_event_ends_otherwise() {
    let mut world = stage();
    world.run_by("olga", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    let resolve = Command::ResolveMarket(ResolveMarket { market: market_id("m"), outcome: Outcome::No });
    world.run_by("ada", resolve).expect("resolved");
    assert_eq!(steps(&world), [(proposal_id("p"), ProposalStep::Overtaken)]);
    assert_eq!(world.exchange.governance().proposals().len(), 0);
    let catalogue = world.exchange.catalogue();
    let event = catalogue.event(catalogue.find_event(event_of("m")).expect("the event"));
    let endings: Vec<_> = event.resolutions.iter().map(|resolution| &resolution.ending).collect();
    assert_eq!(endings, [&Ending::Overtaken, &Ending::Finalised]);
}

#[test]
fn a_proposal_that_no_longer_applies_does_not_block_a_new_one() {
    let mut world = stage();
    world.event(exchange::catalogue::EventKind::Grouped, exchange::catalogue::Engine::Clob, 0, &["a", "b"]);
    let close =
        Command::CloseTrading(CloseTrading { target: exchange::command::Target::Event(event_of("a")) });
    world.system(close).expect("closed");
    world.run_by("olga", propose("old", resolution(&[("a", Outcome::Yes)]))).expect("proposed");
    let pending = world.run_by("olga", propose("new", resolution(&[("a", Outcome::No)])));
    assert_eq!(pending, Err(Reject::ProposalPending));
    world
        .run_by("ada", Command::ResolveMarket(ResolveMarket { market: market_id("a"), outcome: Outcome::No }))
        .expect("resolved");
    let mut rest = resolution(&[("a", Outcome::No)]);
    if let exchange::governance::Subject::Resolution { verdict, .. } = &mut rest {
        *verdict =
            exchange::governance::Verdict::Outcomes(vec![crate::rules::propose::ruling("b", Outcome::Yes)]);
    }
    world.run_by("olga", propose("new", rest)).expect("the old one no longer applies");
    let expected =
        [(proposal_id("old"), ProposalStep::Overtaken), (proposal_id("new"), ProposalStep::Proposed)];
    assert_eq!(steps(&world), expected);
}

#[test]
fn under_rules_3_a_thousand_old_proposals_that_no_longer_apply_make_room() {
    let mut world = stage_under(3);
    for number in 0..1_000_u128 {
        let new = Command::CreateOperator(CreateOperator {
            id: OperatorId::new(1_000 + number),
            name: "late".into(),
            role: Role::Viewer,
            token_hash: exchange::id::Hash32::of(&format!("late {number}")),
        });
        world.run_by("ada", propose(&format!("old {number}"), command(new))).expect("proposed");
    }
    let one_more = propose("more", command(create("more", Role::Viewer)));
    assert_eq!(world.run_by("ada", one_more.clone()), Err(Reject::TooManyProposals));
    // The token of the first is used elsewhere, so its proposal can no longer be carried out.
    let token_hash = exchange::id::Hash32::of("late 0");
    let taken = Command::CreateOperator(CreateOperator {
        id: operator_id("x"),
        name: "x".into(),
        role: Role::Viewer,
        token_hash,
    });
    world.run_by("ada", taken).expect("made");
    world.run_by("ada", one_more).expect("room");
    assert_eq!(world.exchange.governance().proposals().len(), 1_000);
}

#[test]
fn under_rules_4_old_proposals_of_others_stay_however_many_wait() {
    let mut world = stage();
    let new = |number: u128, name: &str| {
        Command::CreateOperator(CreateOperator {
            id: OperatorId::new(1_000 + number),
            name: name.into(),
            role: Role::Viewer,
            token_hash: exchange::id::Hash32::of(&format!("late {number}")),
        })
    };
    for number in 0..1_000_u128 {
        let by = format!("approver {}", number / 100);
        if number % 100 == 0 {
            world.operator(&by, Role::Approver);
        }
        let old = propose(&format!("old {number}"), command(new(number, "late")));
        world.run_by(&by, old).expect("proposed");
    }
    world.run_by("ada", new(0, "first")).expect("made");
    let same = propose("same", command(new(1, "late")));
    assert_eq!(world.run_by("ada", same), Err(Reject::ProposalPending));
    world.run_by("ada", propose("more", command(create("more", Role::Viewer)))).expect("her first");
    assert_eq!(steps(&world), [(proposal_id("more"), ProposalStep::Proposed)]);
    let governance = world.exchange.governance();
    assert_eq!(governance.proposals().len(), 1_001);
    assert!(governance.proposal(proposal_id("old 0")).is_some(), "it can no longer be carried out");
}
