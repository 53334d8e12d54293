//! Decides whether a history of one register has an order in which every answer is right.
//!
//! The search is that of Wing and Gong with Lowe's memory of visited configurations: it takes the operations one by
//! one, each only after those that must precede it, and gives up a configuration (operations taken, value) that it has
//! seen. A history of several registers is linearizable if each of its registers is, so they are checked one by one.
//!
//! Which operation must precede which is the model of docs/operating/cluster.md. An operation that was answered before
//! another one began precedes it, except that a session's read may look into the past. There it must follow only the
//! earlier operations of its own client.

use std::collections::HashSet;
use std::fmt::Write;

/// The most operations in a history: the search keeps them as bits.
pub(super) const EVENTS_MAX: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Sets the value.
    Write(i64),
    /// Adds to the value.
    Add(i64),
    /// Returned this value, and had to be current.
    Read(i64),
    /// Returned this value, and had to be no older than its client's earlier operations.
    SessionRead(i64),
}

/// An operation of a client. Instants are numbers of one clock, and no two are equal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) client: usize,
    pub(super) called: u64,
    /// None: the outcome is unknown. It may take effect at any later time, or never.
    pub(super) answered: Option<u64>,
    pub(super) action: Action,
}

/// Checks a history that began with this value. The error describes it.
pub(super) fn check(initial: i64, history: &[Event]) -> Result<(), String> {
    assert!(history.len() <= EVENTS_MAX, "a history has at most {EVENTS_MAX} operations");
    let precede = |first: &Event, second: &Event| {
        let is_free = matches!(second.action, Action::SessionRead(_)) && first.client != second.client;
        !is_free && first.answered.is_some_and(|answered| answered < second.called)
    };
    let mask = |is_in: &dyn Fn(&Event) -> bool| {
        let bits = history.iter().enumerate().filter(|(_, event)| is_in(event));
        bits.fold(0_u128, |mask, (number, _)| mask | 1 << number)
    };
    let before = history.iter().map(|second| mask(&|first| precede(first, second))).collect();
    let answered = mask(&|event| event.answered.is_some());
    let mut search = Search { history, before, answered, visited: HashSet::new() };
    match search.can_finish(0, initial) {
        true => Ok(()),
        false => Err(describe(initial, history)),
    }
}

struct Search<'a> {
    history: &'a [Event],
    /// For each operation those that must precede it.
    before: Vec<u128>,
    /// The operations that certainly took effect.
    answered: u128,
    visited: HashSet<(u128, i64)>,
}

impl Search<'_> {
    /// Whether all answered operations can follow those in `taken`, which left this value.
    fn can_finish(&mut self, taken: u128, value: i64) -> bool {
        let taken = self.take_reads(taken, value);
        if taken & self.answered == self.answered {
            return true;
        }
        if !self.visited.insert((taken, value)) {
            return false;
        }
        (0..self.history.len()).any(|number| {
            let after = match self.history[number].action {
                Action::Write(written) => written,
                Action::Add(added) => value + added,
                Action::Read(_) | Action::SessionRead(_) => return false,
            };
            self.is_next(number, taken) && self.can_finish(taken | 1 << number, after)
        })
    }

    /// Takes every read that can be next. It changes nothing, so no order is lost by taking it as early as possible.
    fn take_reads(&self, mut taken: u128, value: i64) -> u128 {
        loop {
            let found = (0..self.history.len()).find(|number| {
                let action = self.history[*number].action;
                let fits = action == Action::Read(value) || action == Action::SessionRead(value);
                fits && self.is_next(*number, taken)
            });
            match found {
                Some(number) => taken |= 1 << number,
                None => return taken,
            }
        }
    }

    fn is_next(&self, number: usize, taken: u128) -> bool {
        taken & 1 << number == 0 && self.before[number] & !taken == 0
    }
}

/// The history as a list, in the order of calls.
fn describe(initial: i64, history: &[Event]) -> String {
    let mut events = history.to_vec();
    events.sort_by_key(|event| event.called);
    let mut text = format!("no order of these operations explains every answer; it began with {initial}\n");
    for Event { client, called, answered, action } in events {
        let answered = answered.map_or("never".to_owned(), |answered| answered.to_string());
        writeln!(text, "client {client}: {action:?}, called at {called}, answered at {answered}")
            .expect("a string takes everything");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Action, Event, check};
    use Action::{Add, Read, SessionRead, Write};

    /// An operation of a client with the instants of its call and its answer.
    fn event(client: usize, called: u64, answered: u64, action: Action) -> Event {
        Event { client, called, answered: Some(answered), action }
    }

    fn unanswered(client: usize, called: u64, action: Action) -> Event {
        Event { client, called, answered: None, action }
    }

    #[track_caller]
    fn right(history: &[Event]) {
        check(0, history).unwrap_or_else(|violation| panic!("{violation}"));
    }

    #[track_caller]
    fn wrong(history: &[Event]) {
        assert!(check(0, history).is_err(), "a violation was not found");
    }

    #[test]
    fn a_stale_read_is_found() {
        let write = event(0, 1, 2, Write(5));
        right(&[write, event(1, 3, 4, Read(5))]);
        wrong(&[write, event(1, 3, 4, Read(0))]);
        // While the write is in flight both values are right, but not the old one after the new one.
        let slow = event(0, 1, 10, Write(5));
        right(&[slow, event(1, 2, 3, Read(0)), event(2, 4, 5, Read(5))]);
        wrong(&[slow, event(1, 2, 3, Read(5)), event(2, 4, 5, Read(0))]);
    }

    #[test]
    fn a_lost_write_is_found() {
        wrong(&[event(0, 1, 2, Write(5)), event(0, 3, 4, Write(6)), event(1, 5, 6, Read(5))]);
        wrong(&[event(0, 1, 2, Add(5)), event(0, 3, 4, Add(6)), event(1, 5, 6, Read(5))]);
    }

    #[test]
    fn a_write_that_took_effect_twice_is_found() {
        right(&[event(0, 1, 2, Add(5)), event(1, 3, 4, Read(5))]);
        wrong(&[event(0, 1, 2, Add(5)), event(1, 3, 4, Read(10))]);
        let again = [event(0, 1, 2, Write(5)), event(0, 3, 4, Write(6)), event(1, 5, 6, Read(6))];
        right(&again);
        wrong(&[again.as_slice(), &[event(1, 7, 8, Read(5))]].concat());
    }

    #[test]
    fn a_value_that_nobody_wrote_is_found() {
        wrong(&[event(0, 1, 2, Read(7))]);
        wrong(&[event(0, 1, 2, SessionRead(7))]);
        // Nor may a read see a write that is sent later.
        wrong(&[event(0, 1, 2, Read(5)), event(1, 3, 4, Write(5))]);
        wrong(&[event(0, 1, 2, SessionRead(5)), event(1, 3, 4, Write(5))]);
    }

    #[test]
    fn an_unknown_outcome_may_be_either_and_late_but_not_change_back() {
        let lost = unanswered(0, 1, Write(5));
        right(&[lost, event(1, 2, 3, Read(0))]);
        right(&[lost, event(1, 2, 3, Read(5))]);
        right(&[lost, event(1, 2, 3, Read(0)), event(1, 4, 5, Read(5))]);
        wrong(&[lost, event(1, 2, 3, Read(5)), event(1, 4, 5, Read(0))]);
        // Its own client has gone on; the write may still arrive.
        right(&[lost, event(0, 2, 3, Write(6)), event(1, 4, 5, Read(5))]);
    }

    #[test]
    fn a_session_may_read_the_past_but_neither_go_back_nor_miss_its_own_writes() {
        let writes = [event(0, 1, 2, Write(5)), event(0, 3, 4, Write(6))];
        let with = |more: &[Event]| [writes.as_slice(), more].concat();
        right(&with(&[event(1, 5, 6, SessionRead(0)), event(1, 7, 8, SessionRead(5))]));
        wrong(&with(&[event(1, 5, 6, SessionRead(6)), event(1, 7, 8, SessionRead(5))]));
        wrong(&with(&[event(1, 5, 6, Write(7)), event(1, 7, 8, SessionRead(6))]));
        right(&with(&[event(1, 5, 6, Write(7)), event(1, 7, 8, SessionRead(7))]));
        // A current read of another client comes after what a session has already seen.
        wrong(&[event(0, 1, 20, Write(5)), event(1, 2, 3, SessionRead(5)), event(2, 4, 5, Read(0))]);
    }

    #[test]
    fn a_long_history_of_concurrent_operations_is_decided() {
        // Six clients add at the same time, round after round; the reads between the rounds see every sum.
        let (mut history, mut clock, mut sum) = (Vec::new(), 0, 0);
        for round in 0..16 {
            for client in 0..6 {
                history.push(event(client, clock + client as u64, clock + 10 + client as u64, Add(round)));
            }
            sum += 6 * round;
            history.push(event(6, clock + 20, clock + 21, Read(sum)));
            history.push(event(7, clock + 22, clock + 23, SessionRead(sum - round)));
            clock += 30;
        }
        right(&history);
        let last = history.iter().rposition(|event| matches!(event.action, Read(_))).expect("a read");
        history[last].action = Read(sum - 1);
        wrong(&history);
    }
}
