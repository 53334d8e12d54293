//! Planted faults: rules that wait for requests or stream messages, and faults that a request names in a header.
//!
//! `rule` decides when a rule fires, `header` reads the header's text. `front` carries out the effects.

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

    /// The effect on a message of the stream at `path`: the first rule that fires. Every rule that matches counts the
    /// message.
    pub(crate) fn stream_effect(&self, path: &str) -> Option<StreamEffect> {
        let mut rules = self.rules.lock();
        let meant = rules.iter_mut().filter(|rule| rule.matches(None, path, None));
        meant.fold(None, |first, rule| match first {
            None => rule.next_stream_effect(),
            Some(effect) => {
                rule.count_passed();
                Some(effect)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_one_rule_hits_counts_for_the_later_rules_too() {
        let faults = Faults::default();
        for text in [r#"{"fault":"stream-gap"}"#, r#"{"fault":"stream-duplicate","nth":2}"#] {
            let rule: NewRule = serde_json::from_str(text).expect("a rule");
            faults.plant(rule.check().expect("a valid rule"));
        }
        assert_eq!(faults.stream_effect("/ws"), Some(StreamEffect::Gap));
        assert_eq!(faults.stream_effect("/ws"), Some(StreamEffect::Duplicate), "the second message");
        assert_eq!(faults.stream_effect("/ws"), None);
    }
}
