//! How tests wait. A test that sleeps for what it expects is slow on a quick machine and fails on a slow one, so tests ask again
//! and again, and only a broken program reaches the limit.

use std::thread;
use std::time::{Duration, Instant};

/// How long something may take on a slow and busy machine.
pub const PATIENCE: Duration = Duration::from_secs(180);
/// What comes at once is seen at once, and what takes long costs few questions.
const PAUSE_MIN: Duration = Duration::from_millis(1);
const PAUSE_MAX: Duration = Duration::from_millis(50);

/// What a test says when nothing came: words, or a closure that looks first.
pub trait Complaint {
    fn words(self) -> String;
}

impl Complaint for &str {
    fn words(self) -> String {
        self.to_owned()
    }
}

impl<F: FnOnce() -> String> Complaint for F {
    fn words(self) -> String {
        self()
    }
}

/// Asks until there is an answer, and returns it. Panics with the complaint when the patience is at its end.
#[track_caller]
pub fn answer<T>(complaint: impl Complaint, mut ask: impl FnMut() -> Option<T>) -> T {
    let mut pauses = Pauses::new();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        let Some(pause) = pauses.next() else { panic!("waited {PATIENCE:?}: {}", complaint.words()) };
        thread::sleep(pause);
    }
}

/// Asks until it is so. Panics with the complaint when the patience is at its end.
#[track_caller]
pub fn until(complaint: impl Complaint, mut is_so: impl FnMut() -> bool) {
    answer(complaint, || is_so().then_some(()));
}

/// The pauses between questions, until the patience is at its end.
#[derive(Debug)]
pub struct Pauses {
    began: Instant,
    next: Duration,
}

impl Pauses {
    #[allow(clippy::new_without_default, reason = "it begins a wait")]
    pub fn new() -> Pauses {
        Pauses { began: Instant::now(), next: PAUSE_MIN }
    }
}

impl Iterator for Pauses {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let pause = self.next;
        self.next = PAUSE_MAX.min(2 * pause);
        (self.began.elapsed() < PATIENCE).then_some(pause)
    }
}

/// Lets everything else go on for a while: the length of a fault or the pace of a load, never the wait for an effect.
pub fn let_run(duration: Duration) {
    thread::sleep(duration);
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn it_asks_again_until_there_is_an_answer() {
        let asked = Cell::new(0);
        let ask = || {
            asked.set(asked.get() + 1);
            (asked.get() == 3).then_some("the third")
        };
        assert_eq!(answer("it never comes", ask), "the third");
        until(|| "it never comes".to_owned(), || asked.get() == 3);
        assert_eq!(asked.get(), 3);
    }
}
