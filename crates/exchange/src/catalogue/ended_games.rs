//! Games that are over and have no event in memory, in the order in which both became true. They retire in that order.

use std::collections::{BTreeMap, BTreeSet};

use crate::id::GameId;
use crate::time::Time;

#[derive(Clone, Debug, Default)]
pub(crate) struct EndedGames {
    since: BTreeMap<GameId, Time>,
    /// Every entry once more, by time.
    order: BTreeSet<(Time, GameId)>,
}

impl EndedGames {
    /// Lists a game, unless it is listed already.
    pub(crate) fn insert(&mut self, game: GameId, at: Time) {
        let since = *self.since.entry(game).or_insert(at);
        self.order.insert((since, game));
    }

    pub(crate) fn remove(&mut self, game: GameId) {
        if let Some(at) = self.since.remove(&game) {
            self.order.remove(&(at, game));
        }
    }

    /// The game that has been listed for the longest time, and since when.
    pub(crate) fn first(&self) -> Option<(Time, GameId)> {
        self.order.first().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.since.len()
    }

    /// All games and since when they are listed, by game.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (GameId, Time)> {
        self.since.iter().map(|(game, at)| (*game, *at))
    }
}
