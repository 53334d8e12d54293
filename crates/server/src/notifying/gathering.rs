//! Fills that are told together. Anybody can fill a resting order twenty times a second, a share at a time; its owner gets
//! one message at once, and at most one in each half minute after it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use exchange::id::UserId;

use super::tap::Notice;

const QUIET: Duration = Duration::from_secs(30);

/// What one message tells: a notice, and how many more there are.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) first: Notice,
    pub(super) more: usize,
}

#[derive(Debug, Default)]
pub(super) struct Gathering {
    quiet: HashMap<UserId, Quiet>,
}

/// The time after a message in which its person gets no other one about fills.
#[derive(Debug)]
struct Quiet {
    until: Instant,
    gathered: Option<Told>,
}

impl Told {
    /// None without notices.
    pub(super) fn of(notices: &[Notice]) -> Option<Told> {
        let (first, rest) = notices.split_first()?;
        Some(Told { first: *first, more: rest.len() })
    }
}

impl Gathering {
    /// Returns the fills if they are to be told now, and keeps them otherwise.
    pub(super) fn add(&mut self, fills: Told, now: Instant) -> Option<Told> {
        match self.quiet.get_mut(&fills.first.user) {
            Some(Quiet { gathered: Some(gathered), .. }) => gathered.more += 1 + fills.more,
            Some(quiet) => quiet.gathered = Some(fills),
            None => {
                self.quiet.insert(fills.first.user, Quiet { until: now + QUIET, gathered: None });
                return Some(fills);
            }
        }
        None
    }

    /// Fills that have waited long enough.
    pub(super) fn take_due(&mut self, now: Instant) -> Vec<Told> {
        let mut due = Vec::new();
        self.quiet.retain(|_, quiet| {
            if now < quiet.until {
                return true;
            }
            let gathered = quiet.gathered.take();
            quiet.until = now + QUIET;
            due.extend(gathered.clone());
            gathered.is_some()
        });
        due
    }
}

#[cfg(test)]
mod tests {
    use exchange::id::MarketId;
    use exchange::numbers::{Currency, Ppm, Shares};
    use exchange::order::{Outcome, Side};
    use exchange::time::Time;

    use super::super::tap::NoticeSubject;
    use super::*;

    fn fill(user: u128, seq: u64) -> Told {
        let (side, outcome) = (Side::Buy, Outcome::Yes);
        let subject = NoticeSubject::Fill { side, outcome, shares: Shares::ZERO, price: Ppm::new(400_000) };
        let (market, currency) = (MarketId::new(1), Currency::Usd);
        let first = Notice { user: UserId::new(user), seq, at: Time::ZERO, market, currency, subject };
        Told { first, more: 0 }
    }

    fn told(all: impl IntoIterator<Item = Told>) -> Vec<(u64, usize)> {
        all.into_iter().map(|told| (told.first.seq, told.more)).collect()
    }

    #[test]
    fn the_first_fill_is_told_at_once_and_those_that_follow_together() {
        let (mut gathering, began) = (Gathering::default(), Instant::now());
        assert_eq!(told(gathering.add(fill(1, 1), began)), [(1, 0)]);
        for seq in 2..=20 {
            assert!(gathering.add(fill(1, seq), began).is_none());
        }
        assert_eq!(told(gathering.add(fill(2, 21), began)), [(21, 0)], "another person");
        assert_eq!(told(gathering.take_due(began + QUIET - Duration::from_millis(1))), []);
        assert_eq!(told(gathering.take_due(began + QUIET)), [(2, 18)]);
        assert!(gathering.add(fill(1, 22), began + QUIET).is_none(), "quiet after each message");
        assert_eq!(told(gathering.take_due(began + 2 * QUIET)), [(22, 0)]);
        assert_eq!(told(gathering.take_due(began + 3 * QUIET)), []);
        assert!(gathering.quiet.is_empty(), "nothing is kept about those who are told nothing");
    }
}
