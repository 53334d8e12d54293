//! `RecordGameResult`: records the score of a finished game. Its events are closed if they still trade, and all that the
//! score decides resolve in this command.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::{Game, GameStatus};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::governance::{Resolution, Score, Verdict};
use crate::id::GameId;
use crate::index::EventIndex;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RecordGameResult {
    #[n(0)]
    pub game: GameId,
    #[n(1)]
    pub score: Score,
}

impl Exchange {
    pub(crate) fn record_game_result(
        &mut self,
        caller: Caller,
        command: &RecordGameResult,
    ) -> Result<Reply, Reject> {
        let RecordGameResult { game, score } = *command;
        let verdicts = self.check_game_result(game, score)?;
        let reached = verdicts.iter().flat_map(|(event, _)| self.unfinished_markets(*event));
        let reached: Vec<_> = reached.collect();
        self.check_pays_at_once(caller, &reached)?;

        let (author, at) = (caller.author(), self.now);
        self.end_game(game, score, verdicts, |verdict| Resolution::at_once(verdict, author, at));
        Ok(Reply::Done)
    }

    /// Carries out the verdicts of `check_game_result`.
    pub(crate) fn end_game(
        &mut self,
        game: GameId,
        score: Score,
        verdicts: Vec<(EventIndex, Verdict)>,
        told: impl Fn(Verdict) -> Resolution,
    ) {
        let (is_newer, pays) = (self.since(4), !verdicts.is_empty());
        let was_over = self.catalogue.sports.games.get(&game).is_some_and(Game::is_over);
        if let Some(game) = Arc::make_mut(&mut self.catalogue.sports).games.get_mut(&game) {
            let was_paid = game.is_paid();
            (game.status, game.score, game.standing) = (GameStatus::Finished, Some(score), None);
            game.is_unpaid = (is_newer && !was_paid && !pays).then_some(true);
        }
        self.changes.push(Change::SportsImported);
        if is_newer {
            self.list_ended_game(game, was_over);
        }
        self.end_proposals_for_game(game);
        if self.since(5) {
            // Also what the score does not decide.
            self.close_game(game);
        }
        for (event, verdict) in verdicts {
            self.close_for_result(event);
            self.enforce(event, &verdict);
            self.note_resolution(event, told(verdict));
        }
    }
}
