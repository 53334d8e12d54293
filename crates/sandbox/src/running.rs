//! The clock at a speed: a task advances it many times a second by the time that has passed on the machine. The result
//! depends on the machine, so it is not deterministic.

use std::sync::Arc;
use std::time::{Duration, Instant};

use exchange::time::Time;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::error::Refusal;
use crate::venue::Venue;

/// The pause between two steps.
const STEP: Duration = Duration::from_millis(20);
/// A step passes this many moments at most, so that requests get their turn. A busy venue then lags behind its speed.
const MOMENTS_PER_STEP: usize = 1_000;

const SPEED_MAX: u32 = 100_000;

/// Reads a speed such as `60` or `60x`.
pub fn read_speed(text: &str) -> Result<u32, String> {
    let speed = text.trim_end_matches(['x', '×']).parse::<u32>().ok();
    let speed = speed.filter(|speed| (1..=SPEED_MAX).contains(speed));
    speed.ok_or_else(|| format!("a speed is a whole number from 1 to {SPEED_MAX}, such as 60x"))
}

/// The task that moves the clock, if it runs.
#[derive(Debug, Default)]
pub(crate) struct Running {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The speed, and the sender whose end stops the task.
    current: Option<(u32, watch::Sender<bool>)>,
    /// The number of the last task.
    last: u64,
    /// Why the last task ended by itself.
    failure: Option<String>,
}

impl Running {
    /// Seconds of the venue per second of the machine; `None` while the clock stands.
    pub(crate) fn speed(&self) -> Option<u32> {
        self.state.lock().current.as_ref().map(|(speed, _)| *speed)
    }

    /// The failure that stopped the clock.
    pub(crate) fn failure(&self) -> Option<String> {
        self.state.lock().failure.clone()
    }

    /// Runs at this speed instead of an earlier one.
    pub(crate) fn start(self: &Arc<Running>, venue: Arc<tokio::sync::Mutex<Venue>>, speed: u32) {
        let (stop, stopping) = watch::channel(false);
        let number = self.begin(speed, stop);
        let running = self.clone();
        tokio::spawn(async move {
            if let Err(failure) = run(venue, speed, stopping).await {
                running.fail(number, failure);
            }
        });
    }

    fn begin(&self, speed: u32, stop: watch::Sender<bool>) -> u64 {
        let mut state = self.state.lock();
        *state = State { current: Some((speed, stop)), last: state.last + 1, failure: None };
        state.last
    }

    /// Notes that a task has failed, unless another one has begun since.
    fn fail(&self, number: u64, failure: String) {
        tracing::error!(failure, "the clock cannot go on");
        let mut state = self.state.lock();
        if state.last == number {
            (state.current, state.failure) = (None, Some(failure));
        }
    }

    /// Stops the clock. A step that has begun still ends.
    pub(crate) fn stop(&self) {
        // The task ends when the sender is dropped.
        self.state.lock().current = None;
    }

    /// Stops the clock of a venue that is replaced, whose failure is over.
    pub(crate) fn reset(&self) {
        let mut state = self.state.lock();
        (state.current, state.failure) = (None, None);
    }
}

/// Moves the clock until it is stopped. Returns why it cannot go on.
async fn run(
    venue: Arc<tokio::sync::Mutex<Venue>>,
    speed: u32,
    stopping: watch::Receiver<bool>,
) -> Result<(), String> {
    let mut last = Instant::now();
    loop {
        tokio::time::sleep(STEP).await;
        let mut held = venue.clone().lock_owned().await;
        // A dropped sender means that the clock stands: checked with the venue in hand, so nothing moves after a stop.
        if stopping.has_changed().is_err() {
            return Ok(());
        }
        let passed = last.elapsed();
        last += passed;
        let micros = passed.as_micros().saturating_mul(u128::from(speed));
        let stepping = tokio::task::spawn_blocking(move || {
            let now = held.fixed.clock.time().micros();
            let target = now.saturating_add(i64::try_from(micros).unwrap_or(0));
            held.advance_within(Time::from_micros(target), MOMENTS_PER_STEP)?;
            Ok::<(), Refusal>(held.save()?)
        });
        match stepping.await {
            Ok(stepped) => stepped.map_err(|refusal| refusal.into_body().message)?,
            Err(error) => return Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_failed_stands_and_keeps_its_failure_until_it_runs_again() {
        let running = Running::default();
        let first = running.begin(60, watch::channel(false).0);
        assert_eq!((running.speed(), running.failure()), (Some(60), None));
        running.fail(first, "a full disk".to_owned());
        assert_eq!((running.speed(), running.failure().as_deref()), (None, Some("a full disk")));
        let second = running.begin(10, watch::channel(false).0);
        running.fail(first, "too late".to_owned());
        assert_eq!((running.speed(), running.failure()), (Some(10), None), "the task of an earlier run");
        running.fail(second, "a full disk".to_owned());
        running.reset();
        assert_eq!((running.speed(), running.failure()), (None, None));
    }
}
