//! `RecordGameResult`: one score decides every market of every event of the game, in one command.

use exchange::catalogue::EventLink;
use exchange::catalogue::{Event, Game, GameStatus, SportMarketType, Status};
use exchange::change::{Change, OrderCause, ProposalStep};
use exchange::command::{Command, Finalise, MintSets, OpenEvent, RecordGameResult};
use exchange::governance::{Policy, Preview, Score, Subject};
use exchange::id::{GameId, OperationId, OutcomeId};
use exchange::identity::Role;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{NewOrder, Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Span;

use crate::rules::propose::{proposal_id, propose};
use crate::rules::samples::{new_soccer_events, sports};
use crate::rules::world::{START, World, id, limit};

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
