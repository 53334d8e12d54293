//! Results of games, and drafts that nobody may learn of.

use exchange::catalogue::{
    Engine, EventDetails, EventKind, EventLink, Game, GameStatus, League, SportMarketType, Team,
};
use exchange::command::{
    CancelMarkets, Command, EditEvent, ImportSports, OpenEvent, RecordGameResult, Target,
};
use exchange::governance::{Score, Subject};
use exchange::id::{EventId, GameId, LeagueId, TeamId};
use exchange::numbers::Cents;
use exchange::text::Text;
use exchange::time::Span;
use sim::failure::Failure;
use sim::rogue::judge::{
    GAME_TRADES, NAMES_CHANGED, NEVER_OPENED, RESULT_ALONE, RESULT_CONTRADICTS, VERDICT_CHANGED,
};
use sim::rogue::probe::RESULT_GOES_THROUGH;
use sim::rogue::samples::{draft, finalise};
use sim::rogue::stage::{Answer, DRAFT, Evil, OLGA, ROGUE, Stage, Who};

use super::{check, check_since, probe_often, propose_as};

fn import(stage: &mut Stage, game: Game) -> Result<Answer, Failure> {
    let (leagues, teams) = (Vec::new(), Vec::new());
    let import = ImportSports { leagues, teams, games: vec![game] };
    stage.run(Who::Operator(ROGUE), Command::ImportSports(import))
}

fn result(game: u128, home: u16, away: u16) -> RecordGameResult {
    RecordGameResult { game: GameId::new(game), score: Score { home, away } }
}

fn proposed_result(game: u128, home: u16, away: u16) -> Subject {
    let RecordGameResult { game, score } = result(game, home, away);
    Subject::GameResult { game, score }
}

#[test]
fn a_result_that_an_import_turned_round_is_named() {
    check(Evil::Approver, VERDICT_CHANGED, |stage| {
        stage.wait(Span::hours(4));
        let id = propose_as(stage, OLGA, proposed_result(1, 2, 0))?;
        let game = stage.game(1);
        let _ = import(stage, Game { home: game.away, away: game.home, ..game })?;
        let _ = stage.run(Who::Operator(ROGUE), finalise(id))?;
        Ok(())
    });
}

#[test]
fn a_score_that_one_operator_publishes_is_named() {
    check(Evil::Operator, RESULT_ALONE, |stage| {
        stage.wait(Span::hours(4));
        let _ = stage.run(Who::Operator(ROGUE), Command::RecordGameResult(result(3, 9, 0)))?;
        Ok(())
    });
}

/// The drafts of a game, to be opened after it.
fn open_late(stage: &mut Stage, by: Who, place: usize) -> Result<(), Failure> {
    let catalogue = stage.exchange.catalogue();
    let game = GameId::new(2);
    let event = catalogue.events_of_game(game).nth(place).map(|event| catalogue.event(event));
    let Some(event) = event else { return Ok(()) };
    let details = EventDetails { closing_date: Some(stage.now + Span::hours(1)), ..event.details.clone() };
    let edit = EditEvent { event: event.id, details, markets: Vec::new(), over: None };
    let event = event.id;
    let _ = stage.run(by, Command::EditEvent(edit))?;
    let _ = stage.run(by, Command::OpenEvent(OpenEvent { event }))?;
    Ok(())
}

#[test]
fn a_second_result_that_contradicts_the_first_is_named() {
    check(Evil::Approver, RESULT_CONTRADICTS, |stage| {
        open_late(stage, Who::Owner, 0)?;
        stage.wait(Span::hours(4));
        let _ = stage.run(Who::Owner, Command::RecordGameResult(result(2, 2, 1)))?;
        // The judge also names the market that opens after the game; here it is about the result.
        stage.notes = Some(Vec::new());
        open_late(stage, Who::Operator(ROGUE), 1)?;
        stage.notes = None;
        let _ = stage.run(Who::Owner, Command::RecordGameResult(result(2, 0, 3)))?;
        Ok(())
    });
}

#[test]
fn a_market_that_trades_after_the_result_is_named() {
    check(Evil::Operator, GAME_TRADES, |stage| {
        stage.wait(Span::hours(4));
        let _ = stage.run(Who::Owner, Command::RecordGameResult(result(2, 2, 1)))?;
        open_late(stage, Who::Operator(ROGUE), 0)
    });
}

#[test]
fn a_market_that_trades_while_its_game_is_played_is_named() {
    for status in [GameStatus::Live, GameStatus::Finished, GameStatus::Cancelled] {
        let mut old = Stage::new(super::OLD, Evil::Operator, false).expect("a stage");
        let mut new = Stage::new(super::NEW, Evil::Operator, false).expect("a stage");
        let game = Game { status, ..old.game(1) };
        let broken = import(&mut old, game.clone()).expect_err("it is noticed");
        assert_eq!(broken.rule, GAME_TRADES);
        assert!(import(&mut new, game).expect("no rule is broken").is_ok());
    }
}

#[test]
fn a_cancelled_draft_that_becomes_public_is_named() {
    check(Evil::Operator, NEVER_OPENED, |stage| {
        let (target, yes) = (Target::Event(EventId::new(DRAFT)), Cents::HALF);
        stage.done(Who::Operator(ROGUE), Command::CancelMarkets(CancelMarkets { target, yes }))
    });
}

#[test]
fn names_that_one_operator_changes_under_a_game_with_events_are_named() {
    let name = || Text::from("team-2-in-truth");
    let team = |stage: &Stage| stage.exchange.catalogue().sports().teams[&TeamId::new(1)].clone();
    let imports: [fn(&Stage, Text, Team) -> ImportSports; 4] = [
        |_, name, known| ImportSports { teams: vec![Team { name, ..known }], ..nothing() },
        |_, slug, known| ImportSports { teams: vec![Team { slug, ..known }], ..nothing() },
        |stage, slug, _| ImportSports { games: vec![Game { slug, ..stage.game(1) }], ..nothing() },
        |stage, name, _| {
            let known = stage.exchange.catalogue().sports().leagues[&LeagueId::new(1)].clone();
            ImportSports { leagues: vec![League { name, ..known }], ..nothing() }
        },
    ];
    for import in imports {
        for old in [super::OLD, 4] {
            let mut stage = Stage::new(old, Evil::Operator, false).expect("a stage");
            let import = import(&stage, name(), team(&stage));
            let broken = stage.run(Who::Operator(ROGUE), Command::ImportSports(import));
            assert_eq!(broken.expect_err("it is noticed").rule, NAMES_CHANGED);
        }
        let mut stage = Stage::new(super::NEW, Evil::Operator, false).expect("a stage");
        let import = import(&stage, name(), team(&stage));
        let answer = stage.run(Who::Operator(ROGUE), Command::ImportSports(import));
        assert!(matches!(answer, Ok(Err(exchange::reject::Reject::NameFixed { .. }))), "{answer:?}");
    }
}

const fn nothing() -> ImportSports {
    ImportSports { leagues: Vec::new(), teams: Vec::new(), games: Vec::new() }
}

#[test]
fn a_market_that_keeps_the_result_of_its_game_from_everybody_is_named() {
    for old in [super::OLD, 4] {
        check_since(old, Evil::Operator, RESULT_GOES_THROUGH, |stage| {
            let mut new = draft(50, EventKind::Single, Engine::Clob, 1);
            // By how many goals, and nobody knows whose.
            new.link = EventLink::Game { game: GameId::new(1), market_type: SportMarketType::GoalSpread };
            let event = new.id;
            stage.done(Who::Operator(ROGUE), Command::CreateEvent(new))?;
            stage.done(Who::Operator(ROGUE), Command::OpenEvent(OpenEvent { event }))?;
            stage.wait(Span::hours(4));
            stage.owner(Command::Tick)?;
            probe_often(stage)
        });
    }
}
