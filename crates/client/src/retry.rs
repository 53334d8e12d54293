//! When a request may be sent again, as the API guide says under "When no answer comes".
//!
//! Nothing here waits or sends: `Attempts` decides, the transport acts. A write that adds something carries one
//! idempotency key on every try, so the exchange executes it once. The exchange forgets the key `KEY_SECONDS` after its
//! first use and refuses a signature that is more than five minutes old. So no try is made more than five minutes after
//! the first one, by the clock of the machine and by the clock that does not jump: a try that arrives late finds its key
//! or is refused.

use std::time::{Duration, Instant, SystemTime};

use crate::error::Refusal;
use crate::request::Repeat;

/// How long the exchange remembers a key that this crate made, in seconds. A key of the caller lives for a day.
pub const KEY_SECONDS: u64 = 600;
/// The longest time between the first and the last try.
pub const RETRY_MAX: Duration = Duration::from_secs(300);
/// How long a request is tried unless the caller says otherwise.
pub(crate) const RETRY: Duration = Duration::from_secs(60);

const BACKOFF_FIRST: Duration = Duration::from_millis(50);
const BACKOFF_MAX: Duration = Duration::from_secs(5);

/// The meaning of a failed try for its execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A later try may pass.
    NotExecuted,
    /// The answer was lost, or says that the outcome is unknown.
    MaybeExecuted,
    /// An earlier try with this key is still being executed.
    Pending,
    /// Refused; a repetition would be refused too.
    Final,
}

/// The meaning of a refusing answer. An answer that the exchange did not write says little.
pub(crate) fn classify(refusal: &Refusal) -> Failure {
    match refusal.status {
        _ if refusal.code == "TOO_MANY_IDEMPOTENCY_KEYS" => Failure::Final,
        408 | 429 => Failure::NotExecuted,
        503 if refusal.is_ours && !refusal.is_outcome_unknown => Failure::NotExecuted,
        500.. => Failure::MaybeExecuted,
        409 => Failure::Pending,
        _ => Failure::Final,
    }
}

/// Whether a final refusal of a later try also tells the result of the earlier ones. The exchange remembers results, not
/// early refusals: a 401 of the second try says nothing about the first.
pub(crate) fn settles(refusal: &Refusal) -> bool {
    classify(refusal) == Failure::Final && matches!(refusal.status, 404 | 422)
}

/// A wait that grows with the failures in a row, up to five seconds. `jitter` is a random byte.
pub(crate) fn backoff(failures: u32, jitter: u8) -> Duration {
    let longest = BACKOFF_FIRST.saturating_mul(1 << failures.min(10)).min(BACKOFF_MAX);
    longest / 2 + longest / 2 * u32::from(jitter) / 255
}

/// A random byte. The ids of the crate's keys are random too.
pub(crate) fn jitter() -> u8 {
    uuid::Uuid::new_v4().as_bytes()[0]
}

/// The clocks and the chance that `Attempts` uses.
pub(crate) trait Clocks {
    /// Time since some moment, by the clock that does not jump.
    fn monotonic(&self) -> Duration;
    /// Time since 1970, by the machine's clock.
    fn wall(&self) -> Duration;
    fn jitter(&self) -> u8;
}

/// The machine's own.
#[derive(Debug)]
pub(crate) struct Real(Instant);

impl Real {
    pub(crate) fn new() -> Real {
        Real(Instant::now())
    }
}

impl Clocks for Real {
    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }

    fn wall(&self) -> Duration {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
    }

    fn jitter(&self) -> u8 {
        jitter()
    }
}

/// The tries of one request.
#[derive(Debug)]
pub(crate) struct Attempts<C> {
    longest: Duration,
    repeat: Repeat,
    clocks: C,
    began: [Duration; 2],
    failures: u32,
    maybe_executed: bool,
}

impl<C: Clocks> Attempts<C> {
    pub(crate) fn new(longest: Duration, repeat: Repeat, clocks: C) -> Attempts<C> {
        let began = [clocks.monotonic(), clocks.wall()];
        Attempts {
            longest: longest.min(RETRY_MAX),
            repeat,
            clocks,
            began,
            failures: 0,
            maybe_executed: false,
        }
    }

    /// Whether an earlier try may have been executed.
    pub(crate) fn maybe_executed(&self) -> bool {
        self.maybe_executed
    }

    /// The wait until the next try; none if there is no next try.
    pub(crate) fn next_wait(&mut self, failure: Failure, retry_after: Option<Duration>) -> Option<Duration> {
        self.failures += 1;
        // Pending: another delivery of this key is being executed, whatever becomes of this one.
        self.maybe_executed |= match failure {
            Failure::MaybeExecuted => true,
            Failure::Pending => self.repeat == Repeat::Keyed,
            Failure::NotExecuted | Failure::Final => false,
        };
        let may_repeat = match failure {
            Failure::NotExecuted => true,
            Failure::MaybeExecuted => self.repeat != Repeat::Never,
            Failure::Pending => self.repeat == Repeat::Keyed,
            Failure::Final => false,
        };
        let wait = retry_after.unwrap_or_default().max(backoff(self.failures, self.clocks.jitter()));
        (may_repeat && self.elapsed() + wait <= self.longest).then_some(wait)
    }

    /// Whether a try may still be sent. Asked after the wait: the machine may have slept through it.
    pub(crate) fn is_in_time(&self) -> bool {
        self.elapsed() <= self.longest
    }

    fn elapsed(&self) -> Duration {
        let [monotonic, wall] = self.began;
        self.clocks.monotonic().saturating_sub(monotonic).max(self.clocks.wall().saturating_sub(wall))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[derive(Default)]
    struct Set {
        monotonic: Cell<u64>,
        wall: Cell<u64>,
    }

    impl Clocks for &Set {
        fn monotonic(&self) -> Duration {
            Duration::from_secs(self.monotonic.get())
        }

        fn wall(&self) -> Duration {
            Duration::from_secs(1_000_000 + self.wall.get())
        }

        fn jitter(&self) -> u8 {
            255
        }
    }

    fn refusal(status: u16, body: &str) -> Refusal {
        Refusal::read(status, body, None)
    }

    const OURS: &str = r#"{"error":"x","statusCode":1}"#;

    #[test]
    fn answers_are_classified_as_the_guide_says() {
        let unknown = r#"{"error":"x","statusCode":503,"outcome":"unknown"}"#;
        let keys = r#"{"error":"x","statusCode":429,"code":"TOO_MANY_IDEMPOTENCY_KEYS"}"#;
        for (status, body, expected) in [
            (400, OURS, Failure::Final),
            (401, OURS, Failure::Final),
            (404, OURS, Failure::Final),
            (408, OURS, Failure::NotExecuted),
            (409, OURS, Failure::Pending),
            (422, OURS, Failure::Final),
            (429, OURS, Failure::NotExecuted),
            (429, keys, Failure::Final),
            (500, OURS, Failure::MaybeExecuted),
            (502, "<html>", Failure::MaybeExecuted),
            (503, OURS, Failure::NotExecuted),
            (503, unknown, Failure::MaybeExecuted),
            (503, "<html>", Failure::MaybeExecuted),
            (504, OURS, Failure::MaybeExecuted),
        ] {
            assert_eq!(classify(&refusal(status, body)), expected, "{status} {body}");
        }
    }

    #[test]
    fn only_results_of_the_rules_settle_earlier_tries() {
        let settling: Vec<_> = [400, 401, 403, 404, 409, 422, 429, 503]
            .into_iter()
            .filter(|status| settles(&refusal(*status, OURS)))
            .collect();
        assert_eq!(settling, [404, 422]);
    }

    #[test]
    fn a_write_without_a_key_is_not_repeated_after_an_unknown_outcome() {
        let clocks = Set::default();
        for (repeat, failure, is_repeated) in [
            (Repeat::Harmless, Failure::MaybeExecuted, true),
            (Repeat::Keyed, Failure::MaybeExecuted, true),
            (Repeat::Never, Failure::MaybeExecuted, false),
            (Repeat::Never, Failure::NotExecuted, true),
            (Repeat::Keyed, Failure::Pending, true),
            (Repeat::Harmless, Failure::Pending, false),
            (Repeat::Keyed, Failure::Final, false),
        ] {
            let mut attempts = Attempts::new(RETRY, repeat, &clocks);
            assert_eq!(attempts.next_wait(failure, None).is_some(), is_repeated, "{repeat:?} {failure:?}");
            let is_open =
                failure == Failure::MaybeExecuted || (repeat, failure) == (Repeat::Keyed, Failure::Pending);
            assert_eq!(attempts.maybe_executed(), is_open, "{repeat:?} {failure:?}");
        }
    }

    #[test]
    fn a_pending_write_stays_open_when_later_tries_are_not_executed() {
        let clocks = Set::default();
        let mut attempts = Attempts::new(RETRY, Repeat::Keyed, &clocks);
        attempts.next_wait(Failure::Pending, None);
        attempts.next_wait(Failure::NotExecuted, None);
        assert!(attempts.maybe_executed());
    }

    #[test]
    fn no_try_comes_after_the_end_by_either_clock() {
        let clocks = Set::default();
        let mut attempts = Attempts::new(Duration::from_secs(400), Repeat::Keyed, &clocks);
        clocks.monotonic.set(290);
        assert!(attempts.next_wait(Failure::NotExecuted, None).is_some());
        assert!(attempts.next_wait(Failure::NotExecuted, Some(Duration::from_secs(20))).is_none());
        clocks.monotonic.set(301);
        assert!(!attempts.is_in_time(), "five minutes, however long the caller allows");
        // The machine slept: its monotonic clock stood still.
        clocks.monotonic.set(1);
        clocks.wall.set(301);
        assert!(!attempts.is_in_time());
    }

    #[test]
    fn waits_grow_to_five_seconds_and_respect_the_named_one() {
        let waits: Vec<_> = (1..=9).map(|failures| backoff(failures, 255).as_millis()).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
        assert_eq!(backoff(7, 0), Duration::from_millis(2_500));
        let clocks = Set::default();
        let mut attempts = Attempts::new(RETRY, Repeat::Harmless, &clocks);
        let named = Duration::from_secs(9);
        assert_eq!(attempts.next_wait(Failure::NotExecuted, Some(named)), Some(named));
    }
}
