//! Walks by cursor over lists that grow and change while they are walked.

use std::collections::BTreeSet;

use exchange::id::UserId;
use server::history::{ActivityFilter, TradeFilter, Window};

use crate::history::orders::{self, Asked};
use crate::history::play::Play;
use crate::history::{activities, trades};

/// The list to walk. Each row keeps its number.
#[derive(Clone, Debug)]
pub enum List {
    Trades(TradeFilter),
    Orders(UserId, Asked),
    Activities(UserId, Option<ActivityFilter>),
}

impl List {
    fn numbers(&self, play: &Play) -> Vec<u64> {
        match self {
            List::Trades(filter) => numbers(&trades::matching(&play.model, filter)),
            List::Orders(user, asked) => numbers(&orders::matching(&play.model, *user, asked)),
            List::Activities(user, group) => numbers(&activities::matching(&play.model, *user, *group)),
        }
    }

    /// One page: the numbers of its rows, and the next cursor. It must equal the model's page at this moment.
    fn page(&self, play: &mut Play, window: Window) -> (Vec<u64>, Option<u64>) {
        let mut trial = play.trial();
        match self {
            List::Trades(filter) => {
                let page = trial.compare_trades(*filter, window);
                (page.rows.iter().map(|stored| stored.serial).collect(), page.next)
            }
            List::Orders(user, asked) => {
                let page = trial.compare_orders(*user, asked, window);
                (page.rows.iter().map(|record| record.terms.serial).collect(), page.next)
            }
            List::Activities(user, group) => {
                let rows = activities::matching(trial.model, *user, *group);
                let page = trial.compare_activities(*user, *group, &rows, window);
                // The numbers of an activity's page are those below its cursor, or the newest.
                let first = match window {
                    Window::After { cursor, .. } => cursor,
                    Window::Page { .. } => page.total,
                };
                ((0..first).rev().take(page.rows.len()).collect(), page.next)
            }
        }
    }
}

fn numbers<T>(rows: &[(u64, T)]) -> Vec<u64> {
    rows.iter().map(|(number, _)| *number).collect()
}

/// Walks from the newest row to the oldest while commands are applied; returns how many rows were seen.
pub fn walk(play: &mut Play, list: &List, size: u64) -> usize {
    let at_start = list.numbers(play);
    let (mut seen, mut window) = (Vec::new(), Window::Page { page: 1, size });
    loop {
        let (rows, next) = list.page(play, window);
        seen.extend(rows);
        match next {
            Some(cursor) => window = Window::After { cursor, size },
            None => break,
        }
        let count = play.random.below(12);
        play.steps(count);
    }
    assert!(seen.is_sorted_by(|newer, older| newer > older), "{list:?}: no row is repeated: {seen:?}");
    let seen: BTreeSet<_> = seen.into_iter().collect();
    let at_end: BTreeSet<_> = list.numbers(play).into_iter().collect();
    for row in at_start.iter().filter(|row| at_end.contains(row)) {
        assert!(seen.contains(row), "{list:?}: row {row} was there all the time and is lost");
    }
    seen.len()
}
