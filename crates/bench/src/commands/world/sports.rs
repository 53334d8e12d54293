//! Leagues, teams and games, with events for some of the games.

use exchange::catalogue::{Engine, Game, GameStatus, League, Team};
use exchange::command::{Command, ImportSports, OpenEvent};
use exchange::commands::create_soccer_events::NewSoccerEvents;
use exchange::numbers::Currency;
use exchange::text::Text;

use super::{Script, Sizes, details};
use crate::ids;

const TEAMS: u32 = 2_000;
const LEAGUES: u32 = 20;
/// Items of one import.
const CHUNK: u32 = 1_000;
/// The game with events of 63 markets.
pub const LARGE: u32 = 0;

fn league(number: u32) -> League {
    League {
        id: ids::league(number),
        key: Text::from(format!("league-{number}")),
        name: Text::from(format!("League {number}")),
        short_name: Text::from("L"),
        sport: Text::from("soccer"),
        image_url: Text::default(),
    }
}

pub fn team(number: u32) -> Team {
    Team {
        id: ids::team(number),
        sport: Text::from("soccer"),
        name: Text::from(format!("Team {number}")),
        slug: Text::from(format!("team-{number}")),
        short_code: Text::from("ABC"),
        league: ids::league(number % LEAGUES),
        image_url: Text::default(),
        is_popular: false,
    }
}

/// A game as it is imported before its start.
pub fn game(number: u32, sizes: &Sizes) -> Game {
    let home = number % TEAMS;
    Game {
        id: ids::game(number),
        slug: Text::from(format!("game-{number}")),
        sport: Text::from("soccer"),
        league: ids::league(home % LEAGUES),
        home: ids::team(home),
        away: ids::team((home + 1) % TEAMS),
        start: sizes.kick_off(),
        status: GameStatus::Unplayed,
        is_popular: false,
        utc_offset_minutes: 0,
        score: None,
        standing: None,
        is_unpaid: None,
    }
}

pub fn import(games: impl IntoIterator<Item = Game>) -> Command {
    let games = games.into_iter().collect();
    Command::ImportSports(ImportSports { leagues: Vec::new(), teams: Vec::new(), games })
}

/// Three events of a game, with this many margins of each team and numbers of goals.
pub fn soccer_events(number: u32, spreads: i32, totals: i32) -> Command {
    let lines = |count: i32| (0..count).map(|line| 50 + 100 * line).collect();
    Command::CreateSoccerEvents(NewSoccerEvents {
        game: ids::game(number),
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        market: details(String::new()),
        spreads: lines(spreads),
        totals: lines(totals),
    })
}

pub fn games(script: &mut Script, sizes: &Sizes) {
    script.system(Command::ImportSports(ImportSports {
        leagues: (0..LEAGUES).map(league).collect(),
        teams: Vec::new(),
        games: Vec::new(),
    }));
    for first in (0..TEAMS).step_by(CHUNK as usize) {
        let teams = (first..first + CHUNK).map(team).collect();
        script.system(Command::ImportSports(ImportSports { leagues: Vec::new(), teams, games: Vec::new() }));
    }
    for first in (0..sizes.games).step_by(CHUNK as usize) {
        script.system(import((first..first + CHUNK).map(|number| game(number, sizes))));
    }
    for number in 0..=sizes.linked_games {
        let (spreads, totals) = if number == LARGE { (20, 20) } else { (1, 2) };
        script.system(soccer_events(number, spreads, totals));
        for place in 0..3 {
            script.system(Command::OpenEvent(OpenEvent { event: ids::game_event(number, place) }));
        }
    }
}
