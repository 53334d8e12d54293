//! Retirement of games: one that is over and has no event in memory leaves memory at the age of the policy. Its id and a
//! hash of its slug stay. An event that retired before has the game in its record.
//!
//! Games that were over before rules 4 are not listed, because the records of their events may lack them.

use std::sync::Arc;

use crate::catalogue::Game;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::GameId;
use crate::time::Time;

/// Games retired per request.
const RETIRED_AT_ONCE: usize = 100;

impl Exchange {
    /// Lists a game that ended with what happened, and removes one that did not. `was_over`: it had ended before.
    pub(crate) fn list_ended_game(&mut self, id: GameId, was_over: bool) {
        let is_over = self.catalogue.sports.games.get(&id).is_some_and(Game::is_over);
        if !is_over || self.catalogue.events_of_game(id).next().is_some() {
            self.catalogue.ended_games.remove(id);
        } else if !was_over {
            self.catalogue.ended_games.insert(id, self.now);
        }
        self.arm_retirement();
    }

    /// Retires games that have been listed since `due` or longer.
    pub(super) fn retire_ended_games(&mut self, due: Time) {
        let mut is_changed = false;
        for _ in 0..RETIRED_AT_ONCE {
            match self.catalogue.ended_games.first() {
                Some((since, game)) if since <= due => self.retire_game(game),
                _ => break,
            }
            is_changed = true;
        }
        if is_changed {
            self.changes.push(Change::SportsImported);
        }
    }

    fn retire_game(&mut self, id: GameId) {
        self.catalogue.ended_games.remove(id);
        self.end_proposals_for_game(id);
        if let Some(game) = Arc::make_mut(&mut self.catalogue.sports).remove_game(id) {
            self.catalogue.retired.take_game(&game);
        }
    }
}
