//! Imports of games, their events and results.

use exchange::catalogue::{Game, GameStatus, Standing};
use exchange::command::{Command, ImportSports, RecordGameResult};
use exchange::governance::Score;
use exchange::text::Text;
use exchange::time::Span;

use super::{ADA, Form, SYSTEM, Work};
use crate::ids;
use crate::world::{LARGE_GAME, Script, Sizes, Stage, game, import, soccer_events, team};

/// Items of one import.
const ITEMS: u32 = 1_000;

pub fn forms(sizes: &Sizes) -> Vec<Form> {
    [imports(sizes), linked(sizes), results(sizes)].into_iter().flatten().collect()
}

fn live(game: Game) -> Game {
    let standing = Standing { score: Score { home: 1, away: 0 }, clock: Text::from("63'") };
    Game { status: GameStatus::Live, standing: Some(standing), ..game }
}

fn imports(sizes: &Sizes) -> Vec<Form> {
    let sizes = *sizes;
    let last = sizes.games - ITEMS;
    let games = move |first: u32| (first..first + ITEMS).map(move |number| game(number, &sizes));
    let mut unknown: Vec<Game> = games(last).collect();
    unknown[ITEMS as usize - 1].away = ids::team(u32::MAX);
    let teams =
        ImportSports { leagues: Vec::new(), teams: (0..ITEMS).map(team).collect(), games: Vec::new() };
    let score = || import([live(game(sizes.games - 1, &sizes))]);
    let all = Work::Items("games", ITEMS);
    vec![
        Form::plain("one score", SYSTEM, score()),
        Form::plain("one score, not read by others", SYSTEM, score()).after_stage(own_copy(&sizes)),
        Form::with("1,000 known games", SYSTEM, import(games(last)), all),
        Form::with("1,000 scores", SYSTEM, import(games(last).map(live)), all),
        Form::with("1,000 new games", SYSTEM, import(games(sizes.games)), all),
        Form::with("1,000 known teams", SYSTEM, Command::ImportSports(teams), Work::Items("teams", ITEMS)),
        Form::refused("1,000 games, one of an unknown team", SYSTEM, import(unknown)),
        Form::refused("one game of an unknown team", SYSTEM, {
            import([Game { away: ids::team(u32::MAX), ..game(sizes.games, &sizes) }])
        }),
    ]
}

/// The measured state copies what it shares with the world by imports of all games.
fn own_copy(sizes: &Sizes) -> impl Fn(&mut Stage) + 'static {
    let sizes = *sizes;
    move |stage| {
        let now = stage.now;
        let mut script = Script::new(stage, now);
        for first in (0..sizes.games).step_by(ITEMS as usize) {
            script.system(import((first..first + ITEMS).map(|number| game(number, &sizes))));
        }
    }
}

fn linked(sizes: &Sizes) -> Vec<Form> {
    let sizes = *sizes;
    let count = sizes.linked_games;
    let linked = move || (1..=count).map(move |number| game(number, &sizes));
    let events = Work::Items("events", 3 * count);
    let begins = import([live(game(LARGE_GAME, &sizes))]);
    let moved = linked().map(|game| Game { start: game.start - Span::hours(1), ..game });
    let postponed = linked().map(|game| Game { status: GameStatus::Postponed, ..game });
    vec![
        Form::with("a game with 63 markets begins", SYSTEM, begins, Work::Units),
        Form::with("games with three events each begin", SYSTEM, import(linked().map(live)), events),
        Form::with("games with three events each move", SYSTEM, import(moved), events),
        Form::with("games with three events each are postponed", SYSTEM, import(postponed), events),
        Form::plain("100 markets", ADA, soccer_events(count + 1, 20, 20)),
        Form::refused("known events", ADA, soccer_events(LARGE_GAME, 20, 20)),
    ]
}

fn results(sizes: &Sizes) -> Vec<Form> {
    let sizes = *sizes;
    let record = |number| {
        let score = Score { home: 2, away: 1 };
        Command::RecordGameResult(RecordGameResult { game: ids::game(number), score })
    };
    let begin = move |script: &mut Script<'_>| {
        script.system(import([live(game(LARGE_GAME, &sizes))]));
    };
    vec![
        Form::with("63 markets with holders", SYSTEM, record(LARGE_GAME), Work::Units).after(begin),
        Form::plain("without events", SYSTEM, record(sizes.games - 1))
            .after(move |script| script.system(import([live(game(sizes.games - 1, &sizes))]))),
        Form::refused("not begun", ADA, record(LARGE_GAME)),
        Form::refused("by one of two persons", ADA, record(LARGE_GAME)).after_stage(move |stage| {
            let now = stage.now;
            begin(&mut Script::new(stage, now));
            // Or the refused request would refund orders of the game, of which each request refunds some.
            stage.settle(now + Span::seconds(1));
        }),
    ]
}
