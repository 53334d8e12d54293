//! Cancelling an event pays exactly the money that was put in, in every state of the event: a long random day is
//! stopped again and again, and at every stop each event that is not over is cancelled in a copy of the exchange.

use exchange::Exchange;
use exchange::catalogue::Event;
use exchange::change::Change;
use exchange::command::{CancelMarkets, Command, Request, Target};
use exchange::identity::Actor;
use exchange::index::ListingIndex;
use exchange::invariants;
use exchange::numbers::{Cents, Currency, Money};
use sim::generator::Generator;
use sim::harness::Harness;

const SEEDS: u64 = 60;
const COMMANDS_PER_SEED: usize = 900;
/// Commands between two stops.
const PACE: usize = 25;

/// Counts of the states that were covered.
#[derive(Debug, Default)]
struct Met {
    cancelled: u64,
    with_pool: u64,
    with_holders: u64,
    with_orders: u64,
}

fn listings(event: &Event) -> impl Iterator<Item = ListingIndex> + '_ {
    let both = |market| Currency::ALL.map(|currency| ListingIndex::new(market, currency));
    event.markets.iter().copied().flat_map(both)
}

fn paid(changes: &[Change], currency: Currency) -> Money {
    let payouts = changes.iter().map(|change| match change {
        Change::Settled(settled) if settled.currency == currency => settled.payout,
        _ => Money::ZERO,
    });
    payouts.sum()
}

/// Cancels one event in a copy and compares its payouts with the collateral.
fn call_off(exchange: &Exchange, event: &Event, yes: Cents, met: &mut Met) {
    let mut exchange = exchange.clone();
    let collateral = |exchange: &Exchange, currency: Currency| -> Money {
        let of_currency = listings(event).filter(|listing| listing.currency() == currency);
        of_currency.map(|listing| exchange.ledger().collateral(listing)).sum()
    };
    let before = Currency::ALL.map(|currency| collateral(&exchange, currency));
    for listing in listings(event) {
        let place = exchange.catalogue().listing(listing);
        met.with_pool += u64::from(place.pool().is_some());
        met.with_orders += u64::from(place.book().is_some_and(|book| !book.is_empty()));
    }
    met.with_holders += u64::from(before.iter().any(|money| *money > Money::ZERO));
    met.cancelled += 1;
    let command = Command::CancelMarkets(CancelMarkets { target: Target::Event(event.id), yes });
    let request = Request { actor: Actor::System, idempotency: None, command };
    exchange
        .apply(exchange.now(), &request)
        .expect("a request of this build")
        .expect("what is not over can be called off");
    for (currency, before) in Currency::ALL.into_iter().zip(before) {
        assert_eq!(paid(exchange.changes(), currency), before, "{currency:?} of {}", event.id);
        assert_eq!(collateral(&exchange, currency), Money::ZERO);
    }
    invariants::check_all(&exchange).unwrap_or_else(|broken| panic!("{broken}"));
}

fn day(seed: u64, met: &mut Met) {
    let mut generator = Generator::new(seed);
    let mut harness = Harness::default();
    for number in 0..COMMANDS_PER_SEED {
        let (at, request) = generator.next(&harness.exchange, &harness.shadow);
        let result = harness.step(at, &request).unwrap_or_else(|failure| panic!("seed {seed}: {failure:?}"));
        generator.learn(&request, &result);
        if number % PACE != 0 {
            continue;
        }
        let unfinished = |event: &&Event| !event.status.is_final();
        let catalogue = harness.exchange.catalogue();
        for event in catalogue.events().map(|(_, event)| event).filter(unfinished) {
            let cents = (seed.wrapping_mul(31).wrapping_add(number as u64) % 101) as u8;
            call_off(&harness.exchange, event, Cents::new(cents).expect("cents"), met);
        }
    }
}

#[test]
fn calling_an_event_off_pays_exactly_its_collateral_in_ten_thousand_random_states() {
    let halves = std::thread::scope(|scope| {
        let half = |offset: u64| {
            let mut met = Met::default();
            for seed in (1 + offset..=SEEDS).step_by(2) {
                day(seed, &mut met);
            }
            met
        };
        let other = scope.spawn(move || half(1));
        [half(0), other.join().expect("the other half")]
    });
    let total = |count: fn(&Met) -> u64| halves.iter().map(count).sum::<u64>();
    println!("{halves:?}");
    assert!(total(|met| met.cancelled) >= 10_000, "{halves:?}");
    for count in [|met: &Met| met.with_pool, |met: &Met| met.with_holders, |met: &Met| met.with_orders] {
        assert!(total(count) > 2_000, "{halves:?}");
    }
}
