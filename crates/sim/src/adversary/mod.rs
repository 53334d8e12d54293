//! One trader against static makers and pools: no sequence of moves may make it richer for certain.
//!
//! The measure is the worst case: the cash of a currency, plus for each market the smaller payout of its YES and NO
//! shares. Books are uncrossed and makers static, so there are no free gains: wealth above the initial value would mean
//! rounding that can be exploited, a fee that can be avoided or a hold that leaks.

mod arena;
mod moves;

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::Command;
use exchange::index::UserIndex;
use exchange::numbers::{Currency, Shares};

pub use arena::{Arena, BOOKS, POOLS};

use crate::failure::{Failure, ensure};
use crate::random::Random;
use crate::run::catch;
use moves::Player;

pub const NO_FREE_LUNCH: &str = "no trader gains for sure against static makers and pools";
/// Sequences played from each arena.
const SEQUENCES_PER_ARENA: u64 = 200;

/// The guaranteed wealth in units of a currency, over all outcomes.
pub fn worst_case(exchange: &Exchange, user: UserIndex, currency: Currency) -> i64 {
    let cash = exchange.ledger().wallet(user, currency).total().units();
    let positions = exchange.positions_of(user).filter(|position| position.listing.currency() == currency);
    let sets: Shares = positions.map(|position| position.yes.total().min(position.no.total())).sum();
    cash + sets.payout(currency).units()
}

/// The number of attempts, and how many had an effect.
#[derive(Clone, Copy, Debug, Default)]
pub struct Played {
    pub sequences: u64,
    pub commands: u64,
    pub accepted: u64,
    pub trades: u64,
}

/// Plays this many short sequences.
pub fn play(seed: u64, sequences: u64) -> Result<Played, Failure> {
    let mut random = Random::new(seed);
    let mut played = Played::default();
    while played.sequences < sequences {
        let arena = Arena::new(&mut random);
        for _ in 0..SEQUENCES_PER_ARENA.min(sequences - played.sequences) {
            play_sequence(&arena, &mut random, &mut played)?;
            played.sequences += 1;
        }
    }
    Ok(played)
}

fn play_sequence(arena: &Arena, random: &mut Random, played: &mut Played) -> Result<(), Failure> {
    let mut exchange = arena.exchange.clone();
    let start = Currency::ALL.map(|currency| worst_case(&exchange, arena.trader, currency));
    let mut player = Player::new(random);
    let mut sent: Vec<Command> = Vec::new();
    let length = 3 + random.below(10);
    for _ in 0..length {
        let command = player.next(&exchange, arena, random);
        sent.push(command.clone());
        let result = catch(|| {
            Ok(exchange.apply(arena.now, &arena.request(command.clone())).expect("a request of this build"))
        })?;
        player.learn(&command, &result);
        played.commands += 1;
        played.accepted += u64::from(result.is_ok());
        let is_trade = |change: &&Change| matches!(change, Change::Trade(_) | Change::PoolMoved { .. });
        played.trades += exchange.changes().iter().filter(is_trade).count() as u64;
        for currency in Currency::ALL {
            let (now, before) = (worst_case(&exchange, arena.trader, currency), start[currency.index()]);
            ensure(now <= before, NO_FREE_LUNCH, || {
                format!("{before} became {now} {currency:?} by {sent:#?}")
            })?;
        }
    }
    Ok(())
}
