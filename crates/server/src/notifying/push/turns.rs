//! Whose message is sent next. A person, and an address that messages go to, have a share of what is sent at once, so
//! that an endpoint without an answer delays only its owner's messages. A failed endpoint rests, longer after each failure.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use exchange::id::{RowId, UserId};
use tokio::time::Instant;

use super::sending::PushJob;

/// Messages that wait; further ones are dropped.
const WAITING_MAX: usize = 256;
/// Of one person.
const WAITING_OF_PERSON_MAX: usize = 16;
const AT_ONCE_MAX: usize = 16;
const AT_ONCE_OF_PERSON_MAX: usize = 2;
/// Most browsers use one of three services, so a service has most places, and never the last ones.
const AT_ONCE_OF_HOST_MAX: usize = 12;
/// After one failure; twice as long after each further one.
const REST: Duration = Duration::from_secs(60);
const REST_MAX: Duration = Duration::from_secs(3_600);

#[derive(Debug, Default)]
pub(super) struct Turns {
    /// In the order of arrival.
    waiting: VecDeque<(String, PushJob)>,
    running: Vec<Running>,
    resting: HashMap<RowId, Rest>,
}

/// A message that is being sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Running {
    person: UserId,
    host: String,
    subscription: RowId,
}

#[derive(Debug)]
struct Rest {
    until: Instant,
    failures: u32,
}

/// How the sending of a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    Answered,
    /// No answer came in time, or the answer was 429 or 5xx.
    Failed,
}

impl Turns {
    /// Keeps a message until its turn. Returns false if it is dropped: too many wait, or its subscription rests.
    pub(super) fn add(&mut self, host: String, job: PushJob, now: Instant) -> bool {
        let of_person = self.waiting.iter().filter(|(_, other)| other.person == job.person).count();
        let rests = self.resting.get(&job.id).is_some_and(|rest| now < rest.until);
        let is_kept = !rests && of_person < WAITING_OF_PERSON_MAX && self.waiting.len() < WAITING_MAX;
        if is_kept {
            self.waiting.push_back((host, job));
        }
        is_kept
    }

    /// The next message to send now.
    pub(super) fn next(&mut self, now: Instant) -> Option<(Running, PushJob)> {
        let resting = &self.resting;
        self.waiting.retain(|(_, job)| resting.get(&job.id).is_none_or(|rest| now >= rest.until));
        let place = self.waiting.iter().position(|(host, job)| self.has_place(host, job))?;
        let (host, job) = self.waiting.remove(place)?;
        let running = Running { person: job.person, host, subscription: job.id };
        self.running.push(running.clone());
        Some((running, job))
    }

    fn has_place(&self, host: &str, job: &PushJob) -> bool {
        let running =
            |is_it: &dyn Fn(&Running) -> bool| self.running.iter().filter(|each| is_it(each)).count();
        self.running.len() < AT_ONCE_MAX
            && running(&|each| each.host == host) < AT_ONCE_OF_HOST_MAX
            && running(&|each| each.person == job.person) < AT_ONCE_OF_PERSON_MAX
    }

    pub(super) fn end(&mut self, ended: &Running, sent: Sent, now: Instant) {
        if let Some(place) = self.running.iter().position(|running| running == ended) {
            self.running.swap_remove(place);
        }
        if sent == Sent::Answered {
            self.resting.remove(&ended.subscription);
            return;
        }
        // A subscription that has no message for long begins anew.
        self.resting.retain(|_, rest| now < rest.until + REST_MAX);
        let failures = self.resting.get(&ended.subscription).map_or(0, |rest| rest.failures);
        let rest = REST.saturating_mul(1 << failures.min(16)).min(REST_MAX);
        self.resting.insert(ended.subscription, Rest { until: now + rest, failures: failures + 1 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::entries::PushTarget;

    fn job(person: u128, subscription: u128) -> PushJob {
        let target = PushTarget { endpoint: String::new(), public_key: Vec::new(), secret: Vec::new() };
        PushJob { person: UserId::new(person), id: RowId::new(subscription), target, payload: Vec::new() }
    }

    fn all(turns: &mut Turns, now: Instant) -> Vec<Running> {
        std::iter::from_fn(|| turns.next(now).map(|(running, _)| running)).collect()
    }

    fn persons(running: &[Running]) -> Vec<u128> {
        running.iter().map(|running| running.person.as_u128()).collect()
    }

    #[test]
    fn a_person_holds_up_only_their_own() {
        let (mut turns, now) = (Turns::default(), Instant::now());
        let kept = (0..70).filter(|n| turns.add("slow".to_owned(), job(1, n % 5), now)).count();
        assert_eq!(kept, WAITING_OF_PERSON_MAX);
        assert!(turns.add("other".to_owned(), job(2, 9), now));
        assert_eq!(persons(&all(&mut turns, now)), [1, 1, 2]);
    }

    #[test]
    fn a_host_leaves_places_for_others() {
        let (mut turns, now) = (Turns::default(), Instant::now());
        for person in 0..20 {
            assert!(turns.add("slow".to_owned(), job(person, person), now));
        }
        assert!(turns.add("other".to_owned(), job(99, 99), now));
        let running = all(&mut turns, now);
        assert_eq!(running.iter().filter(|running| running.host == "slow").count(), AT_ONCE_OF_HOST_MAX);
        assert!(persons(&running).contains(&99));
        turns.end(&running[0], Sent::Answered, now);
        assert_eq!(persons(&all(&mut turns, now)), [12], "the next in the order of arrival");
    }

    #[test]
    fn everybody_together_has_a_limit() {
        let (mut turns, now) = (Turns::default(), Instant::now());
        let kept = (0..1_000).filter(|n| turns.add(n.to_string(), job(*n, *n), now)).count();
        assert_eq!((kept, all(&mut turns, now).len()), (WAITING_MAX, AT_ONCE_MAX));
    }

    #[test]
    fn a_subscription_that_failed_rests_longer_each_time_until_it_answers() {
        let (mut turns, mut now) = (Turns::default(), Instant::now());
        for rest in [REST, 2 * REST, 4 * REST] {
            assert!(turns.add("h".to_owned(), job(1, 5), now) && turns.add("h".to_owned(), job(1, 6), now));
            let running = all(&mut turns, now);
            turns.end(&running[0], Sent::Failed, now);
            turns.end(&running[1], Sent::Answered, now);
            assert!(!turns.add("h".to_owned(), job(1, 5), now + rest - Duration::from_millis(1)));
            now += rest;
        }
        assert!(turns.add("h".to_owned(), job(1, 5), now));
        let running = all(&mut turns, now);
        turns.end(&running[0], Sent::Answered, now);
        assert!(turns.add("h".to_owned(), job(1, 5), now));
    }

    #[test]
    fn messages_that_wait_for_a_subscription_that_failed_are_dropped() {
        let (mut turns, now) = (Turns::default(), Instant::now());
        for _ in 0..4 {
            assert!(turns.add("h".to_owned(), job(1, 5), now));
        }
        let running = all(&mut turns, now);
        assert_eq!(running.len(), AT_ONCE_OF_PERSON_MAX);
        for ended in &running {
            turns.end(ended, Sent::Failed, now);
        }
        assert_eq!(all(&mut turns, now), []);
        assert!(turns.waiting.is_empty());
    }
}
