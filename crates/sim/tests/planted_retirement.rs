//! Planted bugs for the checks of retirement: a falsified record, and an event that leaves unreported, too early or
//! too late. Each fires exactly its rule.

use std::sync::Arc;

use exchange::catalogue::RetiredEvent;
use exchange::change::Change;
use exchange::command::{CloseTrading, Command, Request, ResolveMarket, Target};
use exchange::id::MarketId;
use exchange::identity::Actor;
use exchange::numbers::Money;
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::{Span, Time};
use sim::adversary::Arena;
use sim::checks::{Before, LEAVES_IN_TIME, LEAVES_NOTHING, READS_AS_BEFORE, check_retirement};
use sim::failure::Failure;
use sim::random::Random;

fn apply(arena: &mut Arena, at: Time, command: Command) {
    let request = Request { actor: Actor::System, idempotency: None, command };
    arena.exchange.apply(at, &request).expect("a request of this build").expect("allowed");
}

/// An arena whose first event has ended, the time of its end, and the state before the request that retires it.
fn ended() -> (Arena, Time, Before) {
    let mut arena = Arena::new(&mut Random::new(7));
    let (market, at) = (MarketId::new(1), arena.now);
    apply(&mut arena, at, Command::CloseTrading(CloseTrading { target: Target::Market(market) }));
    apply(&mut arena, at, Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::Yes }));
    let mut before = Before::default();
    before.look(&arena.exchange);
    (arena, at, before)
}

/// Like `ended`, after the request that retires the event, with its changes.
fn retired() -> (Arena, Before, Vec<Change>) {
    let (mut arena, at, before) = ended();
    apply(&mut arena, at + Span::hours(48), Command::Tick);
    let changes = arena.exchange.changes().to_vec();
    (arena, before, changes)
}

fn rule(result: Result<(), Failure>) -> String {
    result.expect_err("a planted bug is noticed").rule
}

#[test]
fn a_true_retirement_breaks_no_rule() {
    let (arena, before, changes) = retired();
    assert!(changes.iter().any(|change| matches!(change, Change::EventRetired(_))), "{changes:?}");
    assert_eq!(check_retirement(&before, &arena.exchange, &changes), Ok(()));
}

#[test]
fn a_record_that_shows_something_else_is_named() {
    let (arena, before, changes) = retired();
    let plants: [fn(&mut RetiredEvent); 6] = [
        |record| record.event.details.title = Text::from("another title"),
        |record| record.event.resolved_at = None,
        |record| record.markets[0].market.settlement = None,
        |record| record.markets[0].listings[0].volume += Money::new(1),
        |record| record.markets[0].listings[1].orders += 1,
        |record| record.markets[0].listings[0].closing_price = None,
    ];
    for (number, plant) in plants.iter().enumerate() {
        let falsified: Vec<Change> = changes
            .iter()
            .map(|change| match change {
                Change::EventRetired(record) => {
                    let mut record = (**record).clone();
                    plant(&mut record);
                    Change::EventRetired(Arc::new(record))
                }
                other => other.clone(),
            })
            .collect();
        let found = rule(check_retirement(&before, &arena.exchange, &falsified));
        assert_eq!(found, READS_AS_BEFORE, "plant {number}");
    }
}

#[test]
fn an_event_that_leaves_unreported_is_named() {
    let (arena, mut before, changes) = retired();
    let silent: Vec<Change> =
        changes.into_iter().filter(|change| !matches!(change, Change::EventRetired(_))).collect();
    before.catalogued.names += 2;
    assert_eq!(rule(check_retirement(&before, &arena.exchange, &silent)), LEAVES_IN_TIME);
}

#[test]
fn an_event_that_leaves_too_early_or_stays_too_long_is_named() {
    let (arena, mut before, changes) = retired();
    before.catalogued.age = Span::hours(49);
    assert_eq!(rule(check_retirement(&before, &arena.exchange, &changes)), LEAVES_IN_TIME);

    let (mut arena, at, mut before) = ended();
    apply(&mut arena, at + Span::hours(47), Command::Tick);
    assert_eq!(check_retirement(&before, &arena.exchange, arena.exchange.changes()), Ok(()));
    before.catalogued.age = Span::hours(47);
    assert_eq!(rule(check_retirement(&before, &arena.exchange, arena.exchange.changes())), LEAVES_IN_TIME);
}

#[test]
fn names_that_are_forgotten_or_doubled_are_named() {
    for names in [1, 3] {
        let (arena, mut before, changes) = retired();
        before.catalogued.names = names;
        assert_eq!(rule(check_retirement(&before, &arena.exchange, &changes)), LEAVES_NOTHING);
    }
}
