//! `RecordGameResult`: one score decides every market of every event of the game, in one command.

use exchange::catalogue::{
    Engine, Event, EventKind, EventLink, Game, GameStatus, MarketDetails, NewEvent, NewMarket, Prop,
    SportMarketType, Status, Team,
};
use exchange::change::{Change, OrderCause, ProposalStep};
use exchange::command::{
    Command, EditEvent, Finalise, ImportSports, MarketEdit, MintSets, OpenEvent, RecordGameResult,
};
use exchange::governance::{Policy, Preview, Ruling, Score, Subject, Verdict};
use exchange::id::{EventId, GameId, MarketId, OperationId, OutcomeId, TeamId};
use exchange::identity::Role;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{NewOrder, Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::propose::{proposal_id, propose};
use crate::rules::samples::{new_soccer_events, sports};
use crate::rules::world::{START, World, id, limit, new_event};

const GAME: &str = "game";

fn record(home: u16, away: u16) -> Command {
    Command::RecordGameResult(RecordGameResult { game: GameId::new(id(GAME)), score: Score { home, away } })
}

/// The game's three events, open.
fn stage() -> World {
    let mut world = World::new();
    world.system(sports()).expect("sports");
    let reply = world.system(Command::CreateSoccerEvents(new_soccer_events()));
    let Ok(Reply::Events(events)) = reply else { panic!("{reply:?}") };
    for event in events {
        world.system(Command::OpenEvent(OpenEvent { event })).expect("open");
    }
    world
}

/// Until the game begins, which closes its events.
fn kick_off(world: &mut World) {
    world.now = START + Span::days(3);
}

fn events(world: &World) -> impl Iterator<Item = (&Event, SportMarketType)> {
    world.exchange.catalogue().events().filter_map(|(_, event)| match event.link {
        EventLink::Game { market_type, .. } => Some((event, market_type)),
        _ => None,
    })
}

/// The titles of the markets that resolved YES.
fn winners(world: &World) -> Vec<String> {
    let catalogue = world.exchange.catalogue();
    let markets = events(world).flat_map(|(event, _)| &event.markets).map(|market| catalogue.market(*market));
    let won = markets.filter(|market| market.resolved_outcome() == Some(Outcome::Yes));
    won.map(|market| market.details.title.to_string()).collect()
}

fn game(world: &World) -> &Game {
    &world.exchange.catalogue().sports().games[&GameId::new(id(GAME))]
}

#[test]
fn record_game_result_answers_winner_spread_and_totals() {
    let table: [(u16, u16, &[&str]); 6] = [
        (0, 0, &["Draw"]),
        (1, 0, &["reds wins"]),
        (2, 0, &["reds wins", "reds wins by more than 1.5 goals", "Over 1.5 goals"]),
        (3, 0, &["reds wins", "reds wins by more than 1.5 goals", "Over 1.5 goals", "Over 2.5 goals"]),
        (1, 1, &["Draw", "Over 1.5 goals"]),
        (1, 3, &["blues wins", "blues wins by more than 1.5 goals", "Over 1.5 goals", "Over 2.5 goals"]),
    ];
    for (home, away, expected) in table {
        let mut world = stage();
        kick_off(&mut world);
        assert_eq!(world.system(record(home, away)), Ok(Reply::Done));
        assert_eq!(winners(&world), expected, "{home}:{away}");
        assert!(events(&world).all(|(event, _)| event.status == Status::Resolved));
        assert!(events(&world).all(|(event, _)| event.resolutions.len() == 1));
        assert_eq!(
            (game(&world).status, game(&world).score),
            (GameStatus::Finished, Some(Score { home, away }))
        );
        let again = world.system(record(home, away));
        assert!(matches!(again, Err(Reject::InvalidField { field: "game", .. })), "{again:?}");
    }
}

#[test]
fn record_game_result_refunds_what_still_rests_before_it_pays() {
    let mut world = stage();
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    let market = {
        let (event, _) = events(&world).next().expect("an event");
        world.exchange.catalogue().market(event.markets[0]).id
    };
    let outcome = OutcomeId::of(market, 0);
    let order = limit("1", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    world.place("alice", NewOrder { outcome, ..order }).expect("an order");
    kick_off(&mut world);
    world.system(record(2, 1)).expect("a result");
    let refunded = |change: &Change| matches!(change, Change::Order { cause: OrderCause::MarketClosed, .. });
    assert!(world.changes().iter().any(refunded));
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(100));
}

#[test]
fn record_game_result_refuses_an_unknown_game_and_an_absurd_score() {
    let mut world = World::new();
    assert_eq!(world.system(record(1, 0)), Err(Reject::GameNotFound));
    world.system(sports()).expect("sports");
    let absurd = world.system(record(1_001, 0));
    assert!(matches!(absurd, Err(Reject::InvalidField { field: "score", .. })), "{absurd:?}");
    assert_eq!(game(&world).score, None);
}

#[test]
fn an_import_does_not_take_a_result_away() {
    let mut world = stage();
    kick_off(&mut world);
    world.system(record(1, 0)).expect("a result");
    world.system(sports()).expect("the same sports once more");
    assert_eq!(
        (game(&world).status, game(&world).score),
        (GameStatus::Finished, Some(Score { home: 1, away: 0 }))
    );
}

#[test]
fn where_two_are_required_a_result_is_proposed_by_one_and_finalised_by_another() {
    let mut world = stage();
    for name in ["ada", "abel"] {
        world.operator(name, Role::Approver);
    }
    let policy = Policy { two_required: true, ..Policy::default() };
    world.run_by("ada", Command::SetPolicy(policy)).expect("a policy");
    kick_off(&mut world);
    assert_eq!(world.run_by("ada", record(1, 0)), Err(Reject::NeedsProposal));
    let subject = Subject::GameResult { game: GameId::new(id(GAME)), score: Score { home: 1, away: 0 } };
    world.run_by("ada", propose("p", subject.clone())).expect("proposed");
    assert_eq!(world.run_by("abel", propose("q", subject)), Err(Reject::ProposalPending));
    let finalise = Command::Finalise(Finalise { proposal: proposal_id("p") });
    assert_eq!(world.run_by("ada", finalise.clone()), Err(Reject::NeedsAnother));
    world.run_by("abel", finalise).expect("finalised");
    assert_eq!(winners(&world), ["reds wins"]);
}

#[test]
fn a_preview_of_a_result_is_what_it_then_pays_in_all_events_of_the_game() {
    let mut world = stage();
    world.rich_user("alice", Money::whole(1_000), Money::ZERO);
    let first = |(event, _): (&Event, SportMarketType)| event.markets[0];
    let markets: Vec<_> = events(&world).map(first).collect();
    let markets: Vec<_> =
        markets.iter().map(|market| world.exchange.catalogue().market(*market).id).collect();
    for market in &markets {
        let (currency, amount) = (Currency::Usd, Money::whole(10));
        let mint = Command::MintSets(MintSets {
            id: OperationId::new(market.as_u128()),
            market: *market,
            currency,
            amount,
        });
        world.by("alice", mint).expect("sets");
    }
    let subject = Subject::GameResult { game: GameId::new(id(GAME)), score: Score { home: 2, away: 0 } };
    kick_off(&mut world);
    world.system(Command::Tick).expect("the closing date");
    let preview = world.exchange.preview_subject(&subject).expect("a preview");
    assert_eq!(preview.payouts.len(), markets.len());
    let had = world.free("alice", Currency::Usd);
    world.system(record(2, 0)).expect("a result");
    assert_eq!(world.free("alice", Currency::Usd) - had, preview.total(Currency::Usd));
    let policy = Subject::Command(Box::new(Command::SetPolicy(Policy::default())));
    assert_eq!(world.exchange.preview_subject(&policy), Ok(Preview::default()), "a policy has no payouts");
}

#[test]
fn a_proposed_result_ends_when_its_game_ends_otherwise() {
    let mut world = stage();
    world.operator("olga", Role::Operator);
    let subject = Subject::GameResult { game: GameId::new(id(GAME)), score: Score { home: 1, away: 0 } };
    kick_off(&mut world);
    world.run_by("olga", propose("p", subject)).expect("proposed");
    world.system(record(0, 2)).expect("another result");
    let overtaken = Change::Proposal { proposal: proposal_id("p"), step: ProposalStep::Overtaken };
    assert!(world.changes().contains(&overtaken), "{:?}", world.changes());
    assert_eq!(world.exchange.governance().proposals().len(), 0);
}

/// An open event of the game with these markets, beside its three.
fn link(
    world: &mut World,
    name: &str,
    kind: EventKind,
    market_type: SportMarketType,
    props: &[Prop],
) -> EventId {
    let market = |(place, prop): (usize, &Prop)| NewMarket {
        id: MarketId::new(id(&format!("{name} {place}"))),
        details: MarketDetails {
            title: Text::from(format!("{name} {place}")),
            prop: Some(*prop),
            ..MarketDetails::default()
        },
    };
    let event = EventId::new(id(name));
    let new = NewEvent {
        id: event,
        slug: Text::from(name),
        markets: props.iter().enumerate().map(market).collect(),
        link: EventLink::Game { game: GameId::new(id(GAME)), market_type },
        ..new_event(kind, Engine::Clob, 0, &["unused"])
    };
    world.system(Command::CreateEvent(new)).expect("an event");
    world.system(Command::OpenEvent(OpenEvent { event })).expect("open");
    event
}

fn prop(team: Option<&str>, line: Option<i32>) -> Prop {
    Prop { line, direction: None, team: team.map(|team| TeamId::new(id(team))) }
}

fn status_of(world: &World, event: EventId) -> (Status, Vec<Option<Outcome>>) {
    let catalogue = world.exchange.catalogue();
    let event = catalogue.event(catalogue.find_event(event).expect("an event"));
    let outcomes = event.markets.iter().map(|market| catalogue.market(*market).resolved_outcome());
    (event.status, outcomes.collect())
}

/// Two persons decide what the score left open.
fn decide(world: &mut World, name: &str, rulings: &[(&str, Outcome)]) {
    let rulings = rulings
        .iter()
        .map(|(market, outcome)| Ruling { market: MarketId::new(id(market)), outcome: *outcome });
    let verdict = Verdict::Outcomes(rulings.collect());
    let subject = Subject::Resolution { event: EventId::new(id(name)), verdict };
    world.run_by("ada", propose("own", subject)).expect("proposed");
    let finalise = Command::Finalise(Finalise { proposal: proposal_id("own") });
    world.run_by("abel", finalise).expect("finalised");
}

fn two_approvers(world: &mut World) {
    for name in ["ada", "abel"] {
        world.operator(name, Role::Approver);
    }
    let policy = Policy { two_required: true, ..Policy::default() };
    world.run_by("ada", Command::SetPolicy(policy)).expect("a policy");
}

/// Markets that no score decides, each as one operator could link it alone.
fn undecidable() -> [(&'static str, SportMarketType, Prop); 4] {
    [
        ("a team that does not play", SportMarketType::TeamH2h3Way, prop(Some("greens"), None)),
        ("a spread of nobody", SportMarketType::GoalSpread, prop(None, Some(150))),
        ("a spread without a line", SportMarketType::GoalSpread, prop(Some("reds"), None)),
        ("goals without a line", SportMarketType::TotalGoals, prop(None, None)),
    ]
}

fn with_greens(world: &mut World) {
    let Command::ImportSports(ImportSports { teams, .. }) = sports() else { panic!("sports") };
    let greens = Team {
        id: TeamId::new(id("greens")),
        slug: Text::from("greens"),
        name: Text::from("greens"),
        ..teams[0].clone()
    };
    let (leagues, games) = (Vec::new(), Vec::new());
    world
        .system(Command::ImportSports(ImportSports { leagues, teams: vec![greens], games }))
        .expect("a team");
}

#[test]
fn a_market_that_the_score_cannot_decide_waits_for_its_own_verdict() {
    for (name, market_type, strange) in undecidable() {
        let mut world = stage();
        with_greens(&mut world);
        two_approvers(&mut world);
        // Beside one that the score does decide.
        let sound = match market_type {
            SportMarketType::TotalGoals => prop(None, Some(50)),
            _ => prop(Some("reds"), Some(50)),
        };
        link(&mut world, "strange", EventKind::Grouped, market_type, &[strange, sound]);
        let strange = EventId::new(id("strange"));
        kick_off(&mut world);
        let subject = Subject::GameResult { game: GameId::new(id(GAME)), score: Score { home: 2, away: 1 } };
        world.run_by("ada", propose("p", subject)).expect(name);
        let finalise = Command::Finalise(Finalise { proposal: proposal_id("p") });
        world.run_by("abel", finalise).expect(name);
        assert_eq!(status_of(&world, strange), (Status::Closed, vec![None, Some(Outcome::Yes)]), "{name}");
        let others = events(&world).filter(|(event, _)| event.id != strange);
        assert!(others.map(|(event, _)| event.status).all(|status| status == Status::Resolved), "{name}");
        assert!(game(&world).is_paid());
        decide(&mut world, "strange", &[("strange 0", Outcome::No)]);
        assert_eq!(status_of(&world, strange).0, Status::Resolved, "{name}");
    }
}

/// The record of the result closes it, if nothing has before.
#[test]
fn a_market_that_the_score_cannot_decide_closes_with_the_result() {
    let mut world = stage();
    let strange =
        link(&mut world, "strange", EventKind::Single, SportMarketType::TotalGoals, &[prop(None, None)]);
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    let outcome = OutcomeId::of(MarketId::new(id("strange 0")), 0);
    let order = limit("1", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    world.place("alice", NewOrder { outcome, ..order }).expect("an order");
    kick_off(&mut world);
    world.system(record(2, 1)).expect("a result");
    assert_eq!(status_of(&world, strange), (Status::Closed, vec![None]));
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(100), "nothing is locked");
    let again = world.system(record(2, 1));
    assert!(matches!(again, Err(Reject::InvalidField { field: "game", .. })), "{again:?}");
}

/// In a combined event one market wins. Where two would, or where the winner may be one that the score cannot decide, all of
/// it is left to a verdict of its own.
#[test]
fn a_combined_event_is_decided_as_a_whole_or_waits() {
    let mut world = stage();
    with_greens(&mut world);
    two_approvers(&mut world);
    let (kind, three) = (EventKind::Combined, SportMarketType::TeamH2h3Way);
    let draws = [prop(Some("reds"), None), prop(None, None), prop(None, None)];
    let twice = link(&mut world, "twice", kind, three, &draws);
    let stranger = [prop(None, None), prop(Some("greens"), None)];
    let stranger = link(&mut world, "stranger", kind, three, &stranger);
    kick_off(&mut world);
    world.system(record(1, 1)).expect("a result");
    assert_eq!(status_of(&world, twice), (Status::Closed, vec![None; 3]));
    assert_eq!(status_of(&world, stranger), (Status::Closed, vec![None; 2]));
    assert_eq!(winners(&world), ["Draw", "Over 1.5 goals"]);
    decide(&mut world, "twice", &[("twice 1", Outcome::Yes)]);
    decide(&mut world, "stranger", &[("stranger 1", Outcome::Yes)]);
    for event in [twice, stranger] {
        assert_eq!(status_of(&world, event).0, Status::Resolved);
    }
}

/// Whichever comes first, the link or what makes it undecidable.
#[test]
fn an_edit_of_a_linked_draft_keeps_no_result_from_being_taken() {
    let mut world = stage();
    let (name, kind) = ("edited", EventKind::Single);
    let event = EventId::new(id(name));
    let market = MarketId::new(id("edited 0"));
    let title = Text::from("Over 1.5 goals");
    let details = MarketDetails { title, prop: Some(prop(None, Some(150))), ..MarketDetails::default() };
    let new = NewEvent {
        id: event,
        slug: Text::from(name),
        markets: vec![NewMarket { id: market, details: details.clone() }],
        link: EventLink::Game { game: GameId::new(id(GAME)), market_type: SportMarketType::TotalGoals },
        ..new_event(kind, Engine::Clob, 0, &["unused"])
    };
    let edit = EditEvent {
        event,
        details: new.details.clone(),
        markets: vec![MarketEdit { market, details: MarketDetails { prop: None, ..details } }],
        over: None,
    };
    world.system(Command::CreateEvent(new)).expect("an event that the score decides");
    world.system(Command::EditEvent(edit)).expect("and no more");
    world.system(Command::OpenEvent(OpenEvent { event })).expect("open");
    kick_off(&mut world);
    world.system(record(0, 2)).expect("a result");
    assert_eq!(status_of(&world, event), (Status::Closed, vec![None]));
    assert_eq!(winners(&world), ["blues wins", "blues wins by more than 1.5 goals", "Over 1.5 goals"]);
}

#[test]
fn until_rules_4_one_market_kept_every_result_of_its_game_from_being_taken() {
    for (name, market_type, strange) in undecidable() {
        let mut world = World::under_rules(4);
        world.system(sports()).expect("sports");
        with_greens(&mut world);
        link(&mut world, "strange", EventKind::Single, market_type, &[strange]);
        kick_off(&mut world);
        for score in [(1, 0), (0, 0), (0, 3)] {
            let refused = world.system(record(score.0, score.1));
            assert!(
                matches!(refused, Err(Reject::InvalidField { field: "market", .. })),
                "{name}: {refused:?}"
            );
        }
    }
}
