//! The adversary: many short games, and a proof that the measure would notice a gain.

use std::thread;

use exchange::command::{Command, CreditWallet, Request};
use exchange::id::UserId;
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money};
use exchange::text::Text;
use sim::adversary::{Arena, play, worst_case};
use sim::random::Random;

const THREADS: u64 = 2;

#[test]
fn no_trader_gains_for_sure() {
    play_games(125_000);
}

#[test]
#[ignore = "--long"]
fn no_trader_gains_for_sure_in_a_million_games() {
    play_games(500_000);
}

fn play_games(per_thread: u64) {
    let games: Vec<_> = (0..THREADS).map(|seed| thread::spawn(move || play(seed, per_thread))).collect();
    let mut trades = 0;
    for game in games {
        match game.join().expect("a game ends") {
            Ok(played) => {
                println!("{played:?}");
                trades += played.trades;
            }
            Err(failure) => panic!("{failure}"),
        }
    }
    assert!(trades > per_thread, "the games are about trading");
}

#[test]
fn a_gain_would_be_noticed() {
    let mut arena = Arena::new(&mut Random::new(1));
    let before = worst_case(&arena.exchange, arena.trader, Currency::Usd);
    let (user, reference) = (UserId::new(9), Text::from("a gift"));
    let command = Command::CreditWallet(CreditWallet {
        user,
        currency: Currency::Usd,
        amount: Money::new(1),
        reference,
    });
    let gift = Request { actor: Actor::System, idempotency: None, command };
    arena.exchange.apply(arena.now, &gift).expect("a request of this build").expect("a gift");
    assert_eq!(worst_case(&arena.exchange, arena.trader, Currency::Usd), before + 1);
}
