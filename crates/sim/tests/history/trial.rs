//! Comparisons of a history with the model, and their counts.

use std::fmt::Debug;

use exchange::Exchange;
use server::history::Page;
use server::view::live_and_retired::LiveAndRetired;
use sim::random::Random;

use crate::history::kept::Kept;
use crate::history::model::Model;

/// Counts of comparisons and of rare cases in them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub comparisons: u64,
    pub rows: u64,
    pub empty: u64,
    /// Answers with a next page.
    pub continued: u64,
    pub restarts: u64,
    pub answers_forgotten: u64,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.comparisons += other.comparisons;
        self.rows += other.rows;
        self.empty += other.empty;
        self.continued += other.continued;
        self.restarts += other.restarts;
        self.answers_forgotten += other.answers_forgotten;
    }
}

/// A state of the exchange, its history, and the model of both.
pub struct Trial<'a> {
    pub exchange: &'a Exchange,
    pub model: &'a Model,
    pub kept: &'a Kept,
    pub random: &'a mut Random,
    pub tally: &'a mut Tally,
}

impl<'a> Trial<'a> {
    /// Memory, and the retired events of the model.
    pub fn known(&self) -> LiveAndRetired<'a> {
        LiveAndRetired::new(
            self.exchange,
            self.exchange.shelve(self.model.retired.iter().map(|(_, record)| &**record)),
        )
    }
}

impl Trial<'_> {
    /// Rows, their order, the total and the next cursor.
    pub fn same_page<T: PartialEq + Debug>(
        &mut self,
        got: &Page<T>,
        expected: &Page<&T>,
        question: impl FnOnce() -> String,
    ) {
        let is_same = got.rows.iter().eq(expected.rows.iter().copied())
            && (got.total, got.next) == (expected.total, expected.next);
        assert!(is_same, "{}\n  answered {got:#?}\n  expected {expected:#?}", question());
        self.tally.comparisons += 1;
        self.tally.rows += got.rows.len() as u64;
        self.tally.empty += u64::from(got.rows.is_empty());
        self.tally.continued += u64::from(got.next.is_some());
    }

    pub fn same<T: PartialEq + Debug>(&mut self, got: &T, expected: &T, question: impl FnOnce() -> String) {
        assert!(got == expected, "{}\n  answered {got:#?}\n  expected {expected:#?}", question());
        self.tally.comparisons += 1;
    }
}
