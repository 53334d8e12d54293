//! A shelf: retired events restored for reading, with the read interface of an exchange.

use core::ops::Deref;

use crate::catalogue::{EventLink, RetiredEvent};
use crate::exchange::Exchange;
use crate::governance::Subject;
use crate::id::{GameId, LeagueId, MarketId, TeamId};
use crate::index::{MarketIndex, UserIndex};
use crate::numbers::{Currency, Money};
use crate::order::NewOrder;
use crate::reject::Reject;

/// An exchange that contains only retired events, and the series, games and teams that they refer to. It has no users.
#[derive(Debug)]
pub struct Shelf(Exchange);

impl Deref for Shelf {
    type Target = Exchange;

    fn deref(&self) -> &Exchange {
        &self.0
    }
}

impl Shelf {
    pub fn empty() -> Shelf {
        Shelf(Exchange::empty())
    }

    /// The refusal of an order for a retired market: as given by the rules while the market was in memory.
    pub fn refuse_order(&self, new: &NewOrder) -> Reject {
        self.0.check_order(UserIndex::NOBODY, new).err().unwrap_or(Reject::MarketNotOpen)
    }

    /// The refusal of a mint or burn in a retired market.
    pub fn refuse_sets(&self, market: MarketId, currency: Currency, amount: Money) -> Reject {
        self.0.check_sets(market, currency, amount).err().unwrap_or(Reject::MarketNotOpen)
    }
}

impl Exchange {
    /// Restores retired events as this exchange showed them before. Names of series, games and teams are the current
    /// ones.
    pub fn shelve<'a>(&self, retired: impl IntoIterator<Item = &'a RetiredEvent>) -> Shelf {
        let mut shelf = Exchange::empty();
        (shelf.seq, shelf.now, shelf.rules_version) = (self.seq, self.now, self.rules_version);
        shelf.governance.policy = self.governance.policy;
        for record in retired {
            if shelf.catalogue.find_event(record.event.id).is_some() {
                continue;
            }
            self.copy_link(&mut shelf, record.event.link);
            for team in record.markets.iter().filter_map(|retired| retired.market.details.prop?.team) {
                self.copy_team(&mut shelf, team);
            }
            shelf.put_retired(record);
        }
        Shelf(shelf)
    }

    fn put_retired(&mut self, record: &RetiredEvent) {
        let first = self.catalogue.next_market().slot();
        let mut event = record.event.clone();
        event.markets = (first..first + record.markets.len()).map(MarketIndex::from_slot).collect();
        let index = self.catalogue.add_event(event);
        for retired in &record.markets {
            let mut market = retired.market.clone();
            market.event = index;
            let [usd, ngn] = &retired.listings;
            self.catalogue.add_market(market, [usd.to_listing(), ngn.to_listing()]);
            self.ledger.add_market();
        }
    }

    fn copy_link(&self, shelf: &mut Exchange, link: EventLink) {
        match link {
            EventLink::None => {}
            EventLink::Series { series, .. } => {
                if let Some(found) = self.catalogue.series.get(&series) {
                    shelf.catalogue.series.entry(series).or_insert_with(|| found.clone());
                }
            }
            EventLink::Game { game, .. } => self.copy_game(shelf, game),
        }
    }

    /// Copies a game and a proposed result, which is shown with the game's events.
    fn copy_game(&self, shelf: &mut Exchange, id: GameId) {
        let Some(game) = self.catalogue.sports.games.get(&id) else { return };
        shelf.catalogue.sports.games.insert(id, game.clone());
        self.copy_league(shelf, game.league);
        self.copy_team(shelf, game.home);
        self.copy_team(shelf, game.away);
        let is_about = |subject: &Subject| matches!(subject, Subject::GameResult { game, .. } if *game == id);
        let proposals = self.governance.proposals().filter(|proposal| is_about(&proposal.subject));
        shelf.governance.proposals.extend(proposals.map(|proposal| (proposal.id, proposal.clone())));
    }

    fn copy_team(&self, shelf: &mut Exchange, id: TeamId) {
        if let Some(team) = self.catalogue.sports.teams.get(&id) {
            shelf.catalogue.sports.teams.insert(id, team.clone());
            self.copy_league(shelf, team.league);
        }
    }

    fn copy_league(&self, shelf: &mut Exchange, id: LeagueId) {
        if let Some(league) = self.catalogue.sports.leagues.get(&id) {
            shelf.catalogue.sports.leagues.insert(id, league.clone());
        }
    }
}
