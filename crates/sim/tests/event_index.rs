//! The event index in memory, updated request by request, equals a rebuilt index.

use exchange::Request;
use exchange::change::Change;
use exchange::command::Command;
use exchange::identity::Actor;
use exchange::index::ListingIndex;
use exchange::numbers::Currency;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;
use server::event_lists::{LiveEvents, member};
use sim::generator::Generator;
use sim::harness::Harness;

const SEEDS: u64 = 60;
const COMMANDS_PER_SEED: usize = 900;
/// Commands between two comparisons.
const PACE: usize = 25;

/// Changes that were applied to the index.
#[derive(Debug, Default)]
struct Followed {
    edited: usize,
    moved: usize,
    retired: usize,
}

/// An index, and the exchange that it follows.
struct Followers {
    harness: Harness,
    live: LiveEvents,
    followed: Followed,
}

impl Followers {
    fn step(&mut self, at: Time, request: &Request) -> Result<Reply, Reject> {
        let result = self.harness.step(at, request).unwrap_or_else(|failure| panic!("{failure:?}"));
        let changes = self.harness.exchange.changes();
        for change in changes {
            match change {
                Change::EventEdited { .. } => self.followed.edited += 1,
                Change::EventStatus { .. } => self.followed.moved += 1,
                Change::EventRetired(_) => self.followed.retired += 1,
                _ => {}
            }
        }
        if LiveEvents::is_changed_by(changes) {
            self.live.follow(&self.harness.exchange);
        }
        result
    }

    fn day(&mut self, seed: u64) {
        let mut generator = Generator::new(seed);
        for number in 0..COMMANDS_PER_SEED {
            let (at, request) = generator.next(&self.harness.exchange, &self.harness.shadow);
            // The harness would tick by itself, and only the changes of its last request can be followed.
            if self.harness.exchange.next_due().is_some_and(|due| due <= at) {
                let tick = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
                self.step(at, &tick).expect("time is never refused");
            }
            let result = self.step(at, &request);
            generator.learn(&request, &result);
            if number % PACE == 0 {
                compare(&self.harness, &self.live, seed, number);
            }
        }
    }
}

fn compare(harness: &Harness, live: &LiveEvents, seed: u64, number: usize) {
    let exchange = &harness.exchange;
    let anew = LiveEvents::of(exchange);
    assert!(live.postings == anew.postings, "seed {seed}: the index differs after {number} commands");
    let lively = live.recently_traded(exchange.now());
    for (_, event) in exchange.catalogue().events() {
        let both = |market| Currency::ALL.map(|currency| ListingIndex::new(market, currency));
        let mut listings = event.markets.iter().copied().flat_map(both);
        let traded = listings
            .any(|listing| exchange.catalogue().listing(listing).activity.recent(exchange.now()).orders > 0);
        assert!(!traded || lively.contains(member(event.serial)), "seed {seed}: {} is lively", event.slug);
    }
}

#[test]
fn an_index_that_follows_every_request_equals_one_made_anew() {
    let mut all = Followed::default();
    for seed in 1..=SEEDS {
        let harness = Harness::default();
        let live = LiveEvents::of(&harness.exchange);
        let mut followers = Followers { harness, live, followed: all };
        followers.day(seed);
        all = followers.followed;
    }
    assert!(all.edited > 10 && all.moved > 100 && all.retired > 10, "{all:?}");
}
