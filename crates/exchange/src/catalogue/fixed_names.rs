//! The teams and leagues of games with events. People trade on their names, so that an import keeps them from rules 5 on.
//!
//! Not state: counted again from a snapshot.

use std::collections::BTreeMap;

use super::Game;
use crate::id::{LeagueId, TeamId};

/// The number of games with events in memory, by what they name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FixedNames {
    teams: BTreeMap<TeamId, u32>,
    leagues: BTreeMap<LeagueId, u32>,
}

impl FixedNames {
    pub(crate) fn has_team(&self, team: TeamId) -> bool {
        self.teams.contains_key(&team)
    }

    pub(crate) fn has_league(&self, league: LeagueId) -> bool {
        self.leagues.contains_key(&league)
    }

    pub(super) fn add(&mut self, game: &Game) {
        for team in [game.home, game.away] {
            *self.teams.entry(team).or_default() += 1;
        }
        *self.leagues.entry(game.league).or_default() += 1;
    }

    pub(super) fn remove(&mut self, game: &Game) {
        for team in [game.home, game.away] {
            remove_one(&mut self.teams, team);
        }
        remove_one(&mut self.leagues, game.league);
    }
}

fn remove_one<K: Ord>(counts: &mut BTreeMap<K, u32>, key: K) {
    if let Some(count) = counts.get_mut(&key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&key);
        }
    }
}

#[cfg(test)]
impl FixedNames {
    /// A planted bug: a team without a game.
    pub(crate) fn spoil(&mut self) {
        self.teams.insert(TeamId::new(1), 1);
    }
}
