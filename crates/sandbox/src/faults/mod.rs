//! Planted faults: rules that wait for requests or stream messages, and faults that a request names in a header.
//!
//! `rule` decides when a rule fires, `header` reads the header's text. What a fault does is done by `front`.

mod header;
mod rule;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

pub(crate) use header::{FAULT_HEADER, read_header};
pub(crate) use rule::{Effect, NewRule, Rule, StreamEffect};

/// The planted rules, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    rules: Mutex<Vec<Rule>>,
    last: AtomicU64,
    names_users: AtomicBool,
}

impl Faults {
    /// Plants a rule and returns it with its id.
    pub(crate) fn plant(&self, mut rule: Rule) -> Rule {
        rule.id = self.last.fetch_add(1, Ordering::AcqRel) + 1;
        if rule.user.is_some() {
            self.names_users.store(true, Ordering::Release);
        }
        self.rules.lock().push(rule.clone());
        rule
    }

    pub(crate) fn all(&self) -> Vec<Rule> {
        self.rules.lock().clone()
    }

    /// Removes one rule, or all of them. Returns whether there was one.
    pub(crate) fn remove(&self, id: Option<u64>) -> bool {
        let mut rules = self.rules.lock();
        let before = rules.len();
        rules.retain(|rule| id.is_some_and(|id| rule.id != id));
        rules.len() < before
    }

    /// Whether a rule names a user.
    pub(crate) fn names_users(&self) -> bool {
        self.names_users.load(Ordering::Acquire)
    }

    /// The effect on a request: the first rule that fires. Every rule that matches counts the request.
    pub(crate) fn effect(&self, method: &str, path: &str, user: Option<&[String]>) -> Option<Effect> {
        let mut rules = self.rules.lock();
        let meant = rules.iter_mut().filter(|rule| rule.matches(Some(method), path, user));
        meant.fold(None, |first, rule| match first {
            None => rule.next_effect(),
            Some(effect) => {
                rule.count_passed();
                Some(effect)
            }
        })
    }

    /// The effect on a message of the stream at `path`.
    pub(crate) fn stream_effect(&self, path: &str, user: Option<&[String]>) -> Option<StreamEffect> {
        let mut rules = self.rules.lock();
        let mut meant = rules.iter_mut().filter(|rule| rule.matches(None, path, user));
        meant.find_map(Rule::next_stream_effect)
    }
}
