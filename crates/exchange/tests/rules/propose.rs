//! `Propose`: the checks before a verdict becomes public. Nothing is paid yet, and the preview is exact to the unit.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventKind, Status};
use exchange::change::{Change, ProposalStep};
use exchange::command::{
    CancelMarkets, CloseTrading, Command, Finalise, PolicyChange, Propose, Target, Withdraw,
};
use exchange::governance::{Author, Evidence, Preview, Proposal, Ruling, Subject, Verdict};
use exchange::id::{OperatorId, ProposalId};
use exchange::identity::Role;
use exchange::numbers::{Cents, Currency, Money, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::rules::world::{World, event_of, id, limit, market_id, market_order};

pub(crate) fn evidence() -> Evidence {
    Evidence { text: Text::from("The official count"), link: Text::from("https://example.com/count") }
}

pub(crate) fn ruling(market: &str, outcome: Outcome) -> Ruling {
    Ruling { market: market_id(market), outcome }
}

/// The end of the event that the first of these markets named.
pub(crate) fn resolution(markets: &[(&str, Outcome)]) -> Subject {
    let rulings = markets.iter().map(|(market, outcome)| ruling(market, *outcome)).collect();
    Subject::Resolution { event: event_of(markets[0].0), verdict: Verdict::Outcomes(rulings) }
}

pub(crate) fn propose(name: &str, subject: Subject) -> Command {
    Command::Propose(Propose { id: proposal_id(name), subject, evidence: evidence() })
}

pub(crate) fn proposal_id(name: &str) -> ProposalId {
    ProposalId::new(id(name))
}

/// A closed book `m` with sets in it, an operator, two approvers.
pub(crate) fn stage() -> World {
    stage_under(Exchange::RULES_VERSION)
}

pub(crate) fn stage_under(rules: u32) -> World {
    let mut world = World::under_rules(rules);
    world.operator("olga", Role::Operator);
    world.operator("ada", Role::Approver);
    world.operator("abel", Role::Approver);
    world.clob("m", 0);
    world.rich_user("alice", Money::whole(100), Money::whole(10_000));
    world.mint("alice", "m", Currency::Usd, Money::whole(10)).expect("sets");
    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Event(event_of("m")) }))
        .expect("a close");
    world
}

#[test]
fn propose_lets_a_verdict_stand_and_changes_nothing_else() {
    let mut world = stage();
    let before = world.free("alice", Currency::Usd);
    let subject = resolution(&[("m", Outcome::Yes)]);
    assert_eq!(world.run_by("olga", propose("p", subject.clone())), Ok(Reply::Done));
    let expected = Change::Proposal { proposal: proposal_id("p"), step: ProposalStep::Proposed };
    assert_eq!(world.changes(), [expected]);
    assert_eq!(world.free("alice", Currency::Usd), before);
    let by = Author::Operator { operator: OperatorId::new(id("olga")), role: Role::Operator };
    let proposal = Proposal {
        id: proposal_id("p"),
        subject,
        evidence: evidence(),
        by,
        at: world.now,
        series: None,
        also_by: Vec::new(),
        verdicts: None,
    };
    let governance = world.exchange.governance();
    assert_eq!(governance.proposals().collect::<Vec<_>>(), [&proposal]);
    assert_eq!(governance.proposal_for(event_of("m")), Some(&proposal));
}

#[test]
fn propose_refuses_what_could_not_be_carried_out() {
    let mut world = stage();
    world.event(EventKind::Combined, Engine::Clob, 0, &["a", "b"]);
    world.clob("open", 0);
    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Event(event_of("a")) }))
        .expect("a close");
    let in_event = |event: &str, rulings: Vec<Ruling>| Subject::Resolution {
        event: event_of(event),
        verdict: Verdict::Outcomes(rulings),
    };
    let field = |field, rule| Reject::InvalidField { field, rule };
    let both = vec![ruling("a", Outcome::Yes), ruling("b", Outcome::Yes)];
    let table = [
        (resolution(&[("nowhere", Outcome::Yes)]), Reject::EventNotFound),
        (in_event("m", vec![]), field("outcomes", "name at least one market")),
        (in_event("m", vec![ruling("a", Outcome::No)]), Reject::MarketNotFound),
        (in_event("m", vec![ruling("nowhere", Outcome::No)]), Reject::MarketNotFound),
        (
            in_event("m", vec![ruling("m", Outcome::No), ruling("m", Outcome::No)]),
            field("outcomes", "name each market once"),
        ),
        (in_event("a", both), field("outcomes", "have at most one YES in a combined event")),
        (resolution(&[("open", Outcome::Yes)]), Reject::StatusNotAllowed { status: Status::Open }),
    ];
    for (subject, reject) in table {
        assert_eq!(world.run_by("olga", propose("p", subject.clone())), Err(reject), "{subject:?}");
    }
    assert_eq!(world.exchange.governance().proposals().len(), 0);
}

#[test]
fn propose_asks_for_evidence_of_what_pays() {
    let mut world = stage();
    let said = |text: &str, link: &str| Evidence { text: Text::from(text), link: Text::from(link) };
    let subject = resolution(&[("m", Outcome::Yes)]);
    for (text, link) in [("", ""), ("text", "javascript:alert(1)"), ("", "example.com")] {
        let (id, subject) = (proposal_id("p"), subject.clone());
        let result =
            world.run_by("olga", Command::Propose(Propose { id, subject, evidence: said(text, link) }));
        assert!(matches!(result, Err(Reject::InvalidField { .. })), "{text:?} {link:?}: {result:?}");
    }
    for (text, link) in [("text", ""), ("", "https://example.com")] {
        let (id, subject) = (proposal_id(link), subject.clone());
        world
            .run_by("olga", Command::Propose(Propose { id, subject, evidence: said(text, link) }))
            .expect("proposed");
        let withdraw = Command::Withdraw(Withdraw { proposal: id, reason: Text::from("again") });
        world.run_by("olga", withdraw).expect("withdrawn");
    }
}

#[test]
fn propose_lets_one_verdict_stand_for_an_event_at_a_time() {
    let mut world = stage();
    world.run_by("olga", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    let second = world.run_by("ada", propose("q", resolution(&[("m", Outcome::No)])));
    assert_eq!(second, Err(Reject::ProposalPending));
    let same_id = world.run_by(
        "ada",
        propose("p", Subject::Command(Box::new(Command::ChangePolicy(PolicyChange::default())))),
    );
    assert_eq!(same_id, Err(Reject::DuplicateId));
}

#[test]
fn propose_leaves_settings_and_approvers_to_approvers() {
    let mut world = stage();
    let policy = Subject::Command(Box::new(Command::ChangePolicy(PolicyChange {
        two_required: Some(true),
        ..PolicyChange::default()
    })));
    assert_eq!(world.run_by("olga", propose("p", policy.clone())), Err(Reject::NotAllowed));
    world.run_by("ada", propose("p", policy)).expect("proposed");
}

#[test]
fn a_preview_is_what_the_verdict_then_pays() {
    let mut world = World::new();
    world.event(EventKind::Grouped, Engine::Amm, 0, &["a", "b"]);
    for name in ["alice", "bob"] {
        world.rich_user(name, Money::whole(1_000), Money::whole(100_000));
    }
    let bought = market_order("1", "a", Outcome::Yes, Side::Buy, Money::whole(100));
    world.place("alice", bought).expect("a trade");
    world.place("bob", market_order("2", "a", Outcome::No, Side::Buy, Money::whole(70))).expect("a trade");
    world.mint("bob", "b", Currency::Ngn, Money::whole(700)).expect("sets");
    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Event(event_of("a")) }))
        .expect("a close");
    let verdict = Verdict::Outcomes(vec![ruling("a", Outcome::Yes), ruling("b", Outcome::No)]);
    let preview = world.exchange.preview(event_of("a"), &verdict).expect("a preview");
    let winners: Vec<_> =
        preview.payouts.iter().map(|each| (each.market, each.currency, each.winners)).collect();
    let (a, b) = (market_id("a"), market_id("b"));
    let expected =
        [(a, Currency::Usd, 1), (a, Currency::Ngn, 0), (b, Currency::Usd, 0), (b, Currency::Ngn, 1)];
    assert_eq!(winners, expected);

    let before = |world: &World| {
        Currency::ALL.map(|currency| {
            ["alice", "bob", "house"].iter().fold(Money::ZERO, |sum, name| sum + world.free(name, currency))
        })
    };
    let had = before(&world);
    let subject = Subject::Resolution { event: event_of("a"), verdict };
    world.system(propose("p", subject)).expect("proposed");
    world.system(Command::Finalise(Finalise { proposal: proposal_id("p") })).expect("finalised");
    for (currency, (had, has)) in Currency::ALL.into_iter().zip(had.into_iter().zip(before(&world))) {
        assert_eq!(has - had, preview.total(currency), "{currency:?}");
        assert!(preview.total(currency) > Money::ZERO);
    }
}

#[test]
fn a_preview_counts_the_orders_that_are_refunded_and_leaves_out_what_is_empty() {
    let mut world = World::new();
    world.clob("m", 0);
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    let verdict = Verdict::Cancelled { yes: Cents::HALF };
    let preview = |world: &World| world.exchange.preview(event_of("m"), &verdict).expect("a preview");
    assert_eq!(preview(&world), Preview::default());
    let order = limit("1", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    world.place("alice", order).expect("an order");
    let payouts = preview(&world).payouts;
    assert_eq!(
        payouts.iter().map(|each| (each.sets, each.resting_orders)).collect::<Vec<_>>(),
        [(Shares::ZERO, 1)]
    );
}

#[test]
fn a_preview_of_one_market_called_off_leaves_its_siblings_out_and_is_what_it_then_pays() {
    let mut world = World::new();
    world.event(EventKind::Grouped, Engine::Clob, 0, &["a", "b"]);
    world.rich_user("alice", Money::whole(1_000), Money::ZERO);
    world.mint("alice", "a", Currency::Usd, Money::whole(30)).expect("sets");
    world.mint("alice", "b", Currency::Usd, Money::whole(50)).expect("sets");
    let (target, yes) = (Target::Market(market_id("a")), Cents::HALF);
    let preview = world.exchange.preview_cancel(target, yes).expect("a preview");
    assert_eq!(preview.payouts.iter().map(|each| each.market).collect::<Vec<_>>(), [market_id("a")]);
    let had = world.free("alice", Currency::Usd);
    world.system(Command::CancelMarkets(CancelMarkets { target, yes })).expect("called off");
    assert_eq!(world.free("alice", Currency::Usd) - had, preview.total(Currency::Usd));
    let status = Status::Cancelled;
    assert_eq!(world.exchange.preview_cancel(target, yes), Err(Reject::StatusNotAllowed { status }));
}
