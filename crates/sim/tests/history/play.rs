//! A day, its history and its model, played together.

use exchange::command::Request;
use exchange::time::Time;
use sim::random::Random;

use crate::history::day::Day;
use crate::history::kept::Kept;
use crate::history::model::Model;
use crate::history::trial::{Tally, Trial};

pub struct Play {
    pub day: Day,
    pub model: Model,
    pub kept: Kept,
    pub random: Random,
    pub tally: Tally,
    /// Requests until the group ends.
    group: usize,
    /// In how many of a thousand groups history is closed and opened again.
    restarts: usize,
}

impl Play {
    pub fn new(seed: u64, restarts: usize) -> Play {
        Play {
            day: Day::new(seed),
            model: Model::default(),
            kept: Kept::new(),
            random: Random::new(seed ^ 0x6869_7374),
            tally: Tally::default(),
            group: 1,
            restarts,
        }
    }

    pub fn step(&mut self) {
        let (model, kept) = (&mut self.model, &mut self.kept);
        self.day.step(|applied| {
            model.note(applied);
            kept.note(applied);
        });
        self.stepped();
    }

    pub fn apply(&mut self, at: Time, request: &Request) {
        let (model, kept) = (&mut self.model, &mut self.kept);
        // A refused request has no row, in the model as well.
        let _ = self.day.apply(at, request, |applied| {
            model.note(applied);
            kept.note(applied);
        });
        self.stepped();
    }

    fn stepped(&mut self) {
        self.group -= 1;
        if self.group == 0 {
            self.kept.send_batch();
            self.group = group_size(&mut self.random);
            if self.random.below(1_000) < self.restarts {
                self.kept.reopen();
                self.tally.restarts += 1;
            }
        }
    }

    pub fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.step();
        }
    }

    /// Hands everything over to history, to be compared.
    pub fn trial(&mut self) -> Trial<'_> {
        self.kept.send_batch();
        let Play { day, model, kept, random, tally, .. } = self;
        Trial { exchange: &day.exchange, model, kept, random, tally }
    }

    /// Feeds the whole day again, in other groups. History must ignore everything that it already has.
    pub fn feed_again(&mut self) {
        let (kept, random) = (&mut self.kept, &mut self.random);
        feed(&self.day, kept, random);
    }
}

pub fn feed(day: &Day, kept: &mut Kept, random: &mut Random) {
    let mut group = group_size(random);
    day.replay(|applied| {
        kept.note(applied);
        group -= 1;
        if group == 0 {
            kept.send_batch();
            group = group_size(random);
        }
    });
    kept.send_batch();
}

fn group_size(random: &mut Random) -> usize {
    random.one_of([1, 1, 2, 3, 8, 20, 20, 100])
}

impl Trial<'_> {
    /// Every kind of read, every subset of its filters `rounds` times.
    pub fn check_all(&mut self, rounds: usize) {
        self.check_trades(rounds);
        self.check_orders(rounds);
        self.check_activities(2 * rounds);
        self.check_statements(rounds);
        self.check_results(24 * rounds);
        self.check_candles(4 * rounds);
        self.check_statistics(4 * rounds);
        self.check_asset_prices(4 * rounds);
        self.check_news();
        self.check_answers();
        self.check_retired(rounds);
    }
}
