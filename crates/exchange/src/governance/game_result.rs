//! Derives verdicts on a game's events from its score: winner, margin, number of goals. From rules 5 on, a market that the
//! score cannot decide closes and waits for a verdict of its own, and with it the rest of a combined event: one winner decides
//! all of it. Before, it kept every result of its game from being taken.

use minicbor::{Decode, Encode};

use super::{Ruling, Verdict};
use crate::catalogue::checks::{invalid, require};
use crate::catalogue::{Action, EventKind, EventLink, Game, Market, PropDirection, SportMarketType, Status};
use crate::exchange::Exchange;
use crate::id::GameId;
use crate::index::{EventIndex, MarketIndex};
use crate::order::Outcome;
use crate::reject::Reject;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Score {
    #[n(0)]
    pub home: u16,
    #[n(1)]
    pub away: u16,
}

const GOALS_MAX: u16 = 1_000;

pub(crate) fn check_score(score: Score) -> Result<(), Reject> {
    let fits = score.home <= GOALS_MAX && score.away <= GOALS_MAX;
    require(fits, "score", "has at most 1000 goals a team")
}

impl Exchange {
    /// The verdict on each event of the game that the score decides and that can still be decided.
    pub(crate) fn check_game_result(
        &self,
        game: GameId,
        score: Score,
    ) -> Result<Vec<(EventIndex, Verdict)>, Reject> {
        let game = self.catalogue.sports.games.get(&game).ok_or(Reject::GameNotFound)?;
        check_score(score)?;
        if self.since(4) {
            self.check_time_for_result(game, score)?;
        }
        let mut verdicts = Vec::new();
        for index in self.catalogue.events_of_game(game.id) {
            let EventLink::Game { market_type, .. } = self.catalogue.event(index).link else { continue };
            let (mut rulings, markets) = (Vec::new(), self.decidable_markets(index));
            for market in &markets {
                let market = self.catalogue.market(*market);
                match answer(game, score, market_type, market) {
                    Ok(outcome) => rulings.push(Ruling { market: market.id, outcome }),
                    Err(_) if self.since(5) => {}
                    Err(undecided) => return Err(undecided),
                }
            }
            let winners = rulings.iter().filter(|ruling| ruling.outcome == Outcome::Yes).count();
            if self.catalogue.event(index).kind == EventKind::Combined {
                if self.since(5) && (winners > 1 || rulings.len() < markets.len()) {
                    continue;
                }
                if self.since(4) && winners > 1 {
                    return Err(invalid("market", "is the only YES of a combined event"));
                }
            }
            if !rulings.is_empty() {
                verdicts.push((index, Verdict::Outcomes(rulings)));
            }
        }
        let may_correct = self.since(4) && !game.is_paid() && game.score != Some(score);
        if verdicts.is_empty() && game.score.is_some() && !may_correct {
            return Err(invalid("game", "has no event that waits for its result"));
        }
        Ok(verdicts)
    }

    /// Refuses a result before the game begins, and another result after a payout.
    fn check_time_for_result(&self, game: &Game, score: Score) -> Result<(), Reject> {
        if game.is_paid() && game.score != Some(score) {
            return Err(Reject::GameOver);
        }
        if self.now < game.start && !game.has_begun() { Err(Reject::GameNotStarted) } else { Ok(()) }
    }

    /// Closes all markets of a game that still trade: its result is known, or it has begun.
    pub(crate) fn close_game(&mut self, game: GameId) {
        let events: Vec<EventIndex> = self.catalogue.events_of_game(game).collect();
        for event in events {
            self.close_for_result(event);
        }
    }

    /// Markets that have opened and have not ended.
    fn decidable_markets(&self, event: EventIndex) -> Vec<MarketIndex> {
        let mut markets = self.unfinished_markets(event);
        markets.retain(|market| self.catalogue.market(*market).status != Status::Draft);
        markets
    }

    /// Closes markets that still trade, with refunds, before their verdict is enforced.
    pub(crate) fn close_for_result(&mut self, event: EventIndex) {
        let mut markets = self.decidable_markets(event);
        markets.retain(|market| self.catalogue.market(*market).status.after(Action::Close).is_some());
        if !markets.is_empty() {
            self.close_markets(event, &markets);
        }
    }
}

fn answer(
    game: &Game,
    score: Score,
    market_type: SportMarketType,
    market: &Market,
) -> Result<Outcome, Reject> {
    let (home, away) = (i32::from(score.home), i32::from(score.away));
    let prop = market.details.prop;
    let margin = match prop.and_then(|prop| prop.team) {
        Some(team) if team == game.home => Some(home - away),
        Some(team) if team == game.away => Some(away - home),
        Some(_) => return Err(invalid("market", "asks about a team that did not play")),
        None => None,
    };
    let holds = match (market_type, margin) {
        (SportMarketType::TeamH2h3Way, Some(margin)) => margin > 0,
        (SportMarketType::TeamH2h3Way, None) => home == away,
        (SportMarketType::GoalSpread, Some(margin)) => beyond(margin, market)?,
        (SportMarketType::GoalSpread, None) => return Err(invalid("market", "has no team for its spread")),
        (SportMarketType::TotalGoals, _) => beyond(home + away, market)?,
    };
    Ok(if holds { Outcome::Yes } else { Outcome::No })
}

/// Over is more than the line, under is less; an exact hit is neither.
fn beyond(goals: i32, market: &Market) -> Result<bool, Reject> {
    let line = market.details.prop.and_then(|prop| prop.line);
    let line = line.ok_or(invalid("market", "has no line for its goals"))?;
    let direction = market.details.prop.and_then(|prop| prop.direction).unwrap_or(PropDirection::Over);
    Ok(match direction {
        PropDirection::Over => goals * 100 > line,
        PropDirection::Under => goals * 100 < line,
    })
}
