//! Links of events: series that open by recorded prices, and leagues with their games.

use exchange::catalogue::{
    AssetPrice, Automation, Engine, Game, GameStatus, Interval, League, MarketDetails, NewSeries,
    SeriesCategory, Team,
};
use exchange::command::{Command, ImportSports, OpenEvent, RecordPrice};
use exchange::commands::create_soccer_events::NewSoccerEvents;
use exchange::id::{GameId, LeagueId, SeriesId, TeamId};
use exchange::numbers::{Currency, PerCurrency};
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};
use server::pipeline::clock::Clock;

use super::Stage;

/// Ids of the sports below.
pub const ENGLAND: u128 = 0xe1;
pub const SPAIN: u128 = 0xe2;
pub const ARSENAL: u128 = 0xa1;
pub const CHELSEA: u128 = 0xa2;
pub const MADRID: u128 = 0xa3;
pub const DERBY: u128 = 0xd1;

impl Stage {
    /// A series of order books about `symbol`, from the next full interval on.
    pub async fn create_series(
        &self,
        slug: &str,
        category: SeriesCategory,
        interval: Interval,
        symbol: &str,
    ) {
        let id = self.seq().into();
        self.operate(Command::CreateSeries(NewSeries {
            id: SeriesId::new(id),
            slug: Text::from(slug),
            display_name: Text::from(symbol),
            description: Text::from("Does it rise?"),
            category,
            interval,
            asset_symbol: Text::from(symbol),
            automation: Automation::PriceUpDown,
            icon_url: Text::from(format!("/icons/{symbol}.svg")),
            engine: Engine::Clob,
            currencies: Currency::ALL.to_vec(),
            market: MarketDetails::default(),
            seed: PerCurrency::default(),
            sources: Vec::new(),
            tolerance_ppm: 0,
        }))
        .await;
    }

    /// Moves the clock to the next full interval and records a price there: an event ends and another begins.
    pub async fn pass_boundary(&self, interval: Interval, symbol: &str, value: i64) {
        let now = Time::from_micros(self.clock.now());
        self.clock.advance_micros((now.next_multiple(interval.span()) - now).micros());
        let source_time = Time::from_micros(self.clock.now());
        let (symbol, source) = (Text::from(symbol), Text::from("test"));
        self.operate(Command::RecordPrice(RecordPrice {
            symbol,
            value: AssetPrice(value),
            source,
            source_time,
        }))
        .await;
        self.clock.advance_micros(1);
        self.operate(Command::Tick).await;
    }

    /// Two leagues, three teams, two games of the first league: Arsenal at home and, a day later, Chelsea.
    pub async fn import_sports(&self) {
        let now = Time::from_micros(self.clock.now());
        let leagues = vec![
            league(SPAIN, "spain-la-liga", "Spain - La Liga", "LL"),
            league(ENGLAND, "england-premier-league", "England - Premier League", "EPL"),
        ];
        let teams = vec![
            team(MADRID, "Madrid", SPAIN),
            team(CHELSEA, "Chelsea", ENGLAND),
            team(ARSENAL, "Arsenal", ENGLAND),
        ];
        let games = vec![
            game(0xd2, "return", (CHELSEA, ARSENAL), now + Span::hours(26), GameStatus::Unplayed),
            game(DERBY, "derby", (ARSENAL, CHELSEA), now + Span::hours(2), GameStatus::Live),
        ];
        self.operate(Command::ImportSports(ImportSports { leagues, teams, games })).await;
    }

    /// The three open events of the derby, which has not begun.
    pub async fn create_soccer_events(&self) {
        let derby = self.app().reading().state().catalogue().sports().games.get(&GameId::new(DERBY)).cloned();
        let derby = Game { status: GameStatus::Unplayed, ..derby.expect("imported sports") };
        let (leagues, teams, games) = (Vec::new(), Vec::new(), vec![derby]);
        self.operate(Command::ImportSports(ImportSports { leagues, teams, games })).await;
        let new = NewSoccerEvents {
            game: GameId::new(DERBY),
            engine: Engine::Clob,
            currencies: vec![Currency::Usd],
            market: MarketDetails::default(),
            spreads: vec![150],
            totals: vec![150, 250],
        };
        let Reply::Events(events) = self.operate(Command::CreateSoccerEvents(new)).await else {
            panic!("a game has its events");
        };
        for event in events {
            self.operate(Command::OpenEvent(OpenEvent { event })).await;
        }
    }
}

fn league(id: u128, key: &str, name: &str, short_name: &str) -> League {
    League {
        id: LeagueId::new(id),
        key: Text::from(key),
        name: Text::from(name),
        short_name: Text::from(short_name),
        sport: Text::from("soccer"),
        image_url: Text::from(format!("/leagues/{key}.svg")),
    }
}

fn team(id: u128, name: &str, league: u128) -> Team {
    Team {
        id: TeamId::new(id),
        sport: Text::from("soccer"),
        name: Text::from(name),
        slug: Text::from(name.to_lowercase()),
        short_code: Text::from(name[..3].to_uppercase()),
        league: LeagueId::new(league),
        image_url: Text::default(),
        is_popular: name == "Arsenal",
    }
}

fn game(id: u128, slug: &str, (home, away): (u128, u128), start: Time, status: GameStatus) -> Game {
    Game {
        id: GameId::new(id),
        slug: Text::from(slug),
        sport: Text::from("soccer"),
        league: LeagueId::new(ENGLAND),
        home: TeamId::new(home),
        away: TeamId::new(away),
        start,
        status,
        is_popular: slug == "derby",
        utc_offset_minutes: 60,
        score: None,
        standing: None,
        is_unpaid: None,
    }
}
