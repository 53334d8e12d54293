//! `CreateSoccerEvents`: creates the three linked drafts of one game: winner, winning margin, number of goals.
//!
//! They close when the game starts. Their ids derive from the game's, so a game has them only once.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::checks::require;
use crate::catalogue::{
    Engine, EventDetails, EventKind, EventLink, Game, MarketDetails, NewEvent, NewMarket, Prop,
    PropDirection, SportMarketType, Team,
};
use crate::exchange::Exchange;
use crate::id::{Derived, EventId, GameId, MarketId, derive};
use crate::numbers::Currency;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

/// The linked events of one game.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct NewSoccerEvents {
    #[n(0)]
    pub game: GameId,
    #[n(1)]
    pub engine: Engine,
    #[n(2)]
    pub currencies: Vec<Currency>,
    /// Labels, rules, fee and minimum of every market; titles and props are generated.
    #[n(3)]
    pub market: MarketDetails,
    /// Margins in hundredths of a goal, one market per team each: 150 asks whether the team wins by more than 1.5.
    #[n(4)]
    pub spreads: Vec<i32>,
    /// Lines in hundredths of a goal: 250 asks for more than 2.5 in the whole game. At least two.
    #[n(5)]
    pub totals: Vec<i32>,
}

const LINES_MAX: usize = 20;
/// A line is at most a hundred goals.
const LINE_HUNDREDTHS_MAX: i32 = 10_000;

impl Exchange {
    pub(crate) fn create_soccer_events(&mut self, _: Caller, new: &NewSoccerEvents) -> Result<Reply, Reject> {
        check_lines("spreads", 1, &new.spreads)?;
        check_lines("totals", 2, &new.totals)?;
        let sports = &self.catalogue.sports;
        let game = sports.games.get(&new.game).ok_or(Reject::GameNotFound)?;
        let (home, away) = (sports.teams.get(&game.home), sports.teams.get(&game.away));
        let (Some(home), Some(away)) = (home, away) else { return Err(Reject::TeamNotFound) };
        require(game.sport.eq_ignore_ascii_case("soccer"), "game", "is a soccer game")?;

        let events = Fixture { new, game, home, away, markets: 0 }.events();
        events.iter().try_for_each(|event| self.check_new_event(event))?;
        let ids = events.iter().map(|event| event.id).collect();
        for event in events {
            self.make_event(event);
        }
        Ok(Reply::Events(ids))
    }
}

fn check_lines(field: &'static str, count_min: usize, lines: &[i32]) -> Result<(), Reject> {
    require(lines.len() >= count_min, field, "has enough lines")?;
    require(lines.len() <= LINES_MAX, field, "has at most 20 lines")?;
    let legal = |line: &i32| (0..=LINE_HUNDREDTHS_MAX).contains(line);
    require(lines.iter().all(legal), field, "lie between 0 and 100 goals")?;
    let repeats = lines.iter().enumerate().any(|(place, line)| lines[..place].contains(line));
    require(!repeats, field, "names each line once")
}

/// Builds the events of one game.
#[derive(Debug)]
struct Fixture<'a> {
    new: &'a NewSoccerEvents,
    game: &'a Game,
    home: &'a Team,
    away: &'a Team,
    /// The number of markets created so far: the index of the next one.
    markets: u64,
}

impl Fixture<'_> {
    fn events(mut self) -> [NewEvent; 3] {
        let (winner, margins, totals) = (self.winner(), self.margins(), self.totals());
        [
            self.event(0, EventKind::Combined, SportMarketType::TeamH2h3Way, "winner", "who wins", winner),
            self.event(
                1,
                EventKind::Grouped,
                SportMarketType::GoalSpread,
                "goal-spread",
                "by how much",
                margins,
            ),
            self.event(
                2,
                EventKind::Grouped,
                SportMarketType::TotalGoals,
                "total-goals",
                "how many goals",
                totals,
            ),
        ]
    }

    /// One market each for home, away and draw.
    fn winner(&mut self) -> Vec<NewMarket> {
        let of_team = |team: &Team| Prop { line: None, direction: None, team: Some(team.id) };
        vec![
            self.market(format!("{} wins", self.home.name), Some(of_team(self.home))),
            self.market(format!("{} wins", self.away.name), Some(of_team(self.away))),
            self.market(String::from("Draw"), None),
        ]
    }

    fn margins(&mut self) -> Vec<NewMarket> {
        let mut markets = Vec::new();
        for team in [self.home, self.away] {
            for line in &self.new.spreads {
                let title = format!("{} wins by more than {} goals", team.name, goals(*line));
                markets.push(self.market(title, Some(over(*line, Some(team)))));
            }
        }
        markets
    }

    fn totals(&mut self) -> Vec<NewMarket> {
        let lines = self.new.totals.iter();
        lines
            .map(|line| self.market(format!("Over {} goals", goals(*line)), Some(over(*line, None))))
            .collect()
    }

    fn market(&mut self, title: String, prop: Option<Prop>) -> NewMarket {
        let id = MarketId::new(derive(Derived::SoccerMarket, self.game.id.as_u128(), self.markets));
        self.markets += 1;
        NewMarket { id, details: MarketDetails { title: Text::from(title), prop, ..self.new.market.clone() } }
    }

    fn event(
        &self,
        index: u64,
        kind: EventKind,
        market_type: SportMarketType,
        slug: &str,
        question: &str,
        markets: Vec<NewMarket>,
    ) -> NewEvent {
        let game = self.game;
        NewEvent {
            id: EventId::new(derive(Derived::SoccerEvent, game.id.as_u128(), index)),
            slug: Text::from(format!("{}-{slug}", game.slug)),
            kind,
            engine: self.new.engine,
            currencies: self.new.currencies.clone(),
            details: EventDetails {
                title: Text::from(format!("{} vs {}: {question}", self.home.name, self.away.name)),
                category: Text::from("sports"),
                subcategory: Text::from("soccer"),
                closing_date: Some(game.start),
                ..EventDetails::default()
            },
            markets,
            link: EventLink::Game { game: game.id, market_type },
        }
    }
}

fn over(line: i32, team: Option<&Team>) -> Prop {
    Prop { line: Some(line), direction: Some(PropDirection::Over), team: team.map(|team| team.id) }
}

/// A line as usually written: `2`, `2.5`, `2.25`.
fn goals(hundredths: i32) -> String {
    let (whole, part) = (hundredths / 100, hundredths % 100);
    match (part, part % 10) {
        (0, _) => format!("{whole}"),
        (_, 0) => format!("{whole}.{}", part / 10),
        _ => format!("{whole}.{part:02}"),
    }
}
