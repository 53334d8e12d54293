//! Rules on games that hold for everybody: nobody trades on a game that has begun, two results never both pay, and what people
//! trade on keeps its name.

use std::collections::BTreeMap;

use exchange::catalogue::{EventLink, GameStatus, Status};
use exchange::change::Change;
use exchange::governance::Score;
use exchange::id::GameId;

use super::Step;
use crate::failure::{Failure, ensure};

pub const GAME_TRADES: &str = "no market trades on a game that is played, over, called off or decided";
pub const NAMES_CHANGED: &str = "what takes part in a game with events keeps its name";
pub const RESULT_CONTRADICTS: &str = "a game pays by one score";

/// The scores that paid somebody.
#[derive(Clone, Debug, Default)]
pub(super) struct Games {
    paid: BTreeMap<GameId, Score>,
}

impl Games {
    pub(super) fn follow(&mut self, step: Step<'_>) -> Result<(), Failure> {
        for event in &step.after.events {
            let EventLink::Game { game, .. } = event.link else { continue };
            let Some(game) = step.after.game(game) else { continue };
            let has_begun =
                matches!(game.status, GameStatus::Live | GameStatus::Finished | GameStatus::Cancelled);
            let trades = matches!(event.status, Status::Open | Status::Paused);
            ensure(!(trades && (has_begun || game.score.is_some())), GAME_TRADES, || {
                format!("{event:?} of {game:?}: {}", step.describe())
            })?;
            // The sides of the game are another rule's.
            let (Some(known), Some(_)) = (step.before.game(game.id), step.before.event(event.id)) else {
                continue;
            };
            let is_same = |named| step.before.names.get(named) == step.after.names.get(named);
            ensure(known.named.iter().all(is_same), NAMES_CHANGED, || {
                format!("{known:?}: {}", step.describe())
            })?;
        }
        let is_published = step.exchange.changes().contains(&Change::SportsImported);
        if !is_published {
            return Ok(());
        }
        for game in &step.after.games {
            let Some(score) = game.score else { continue };
            if let Some(paid) = self.paid.get(&game.id) {
                ensure(*paid == score, RESULT_CONTRADICTS, || {
                    format!("{paid:?} paid, then {game:?}: {}", step.describe())
                })?;
            }
            let is_new = step.before.game(game.id).is_none_or(|before| before.score != game.score);
            if is_new && pays(step, game.id) {
                self.paid.insert(game.id, score);
            }
        }
        Ok(())
    }
}

/// Whether the command ended an event of the game.
fn pays(step: Step<'_>, game: GameId) -> bool {
    let is_of_game = |link| matches!(link, EventLink::Game { game: of, .. } if of == game);
    step.exchange.changes().iter().any(|change| match change {
        Change::EventStatus { event, status: Status::Resolved } => {
            step.after.event(*event).is_some_and(|event| is_of_game(event.link))
        }
        _ => false,
    })
}
