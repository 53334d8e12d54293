//! Results of games, and drafts that nobody may learn of.

use exchange::catalogue::{EventDetails, Game, GameStatus};
use exchange::command::{
    CancelMarkets, Command, EditEvent, ImportSports, OpenEvent, RecordGameResult, Target,
};
use exchange::governance::{Score, Subject};
use exchange::id::{EventId, GameId};
use exchange::numbers::Cents;
use exchange::time::Span;
use sim::failure::Failure;
use sim::rogue::judge::{GAME_TRADES, NEVER_OPENED, RESULT_ALONE, RESULT_CONTRADICTS, VERDICT_CHANGED};
use sim::rogue::samples::finalise;
use sim::rogue::stage::{Answer, DRAFT, Evil, OLGA, ROGUE, Stage, Who};

use super::{check, propose_as};

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
