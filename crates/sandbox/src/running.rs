//! The clock at a speed: a task advances it many times a second by what has passed on the machine. What happens then
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
    current: Mutex<Option<(u32, watch::Sender<bool>)>>,
}

impl Running {
    /// Seconds of the venue per second of the machine; `None` while the clock stands.
    pub(crate) fn speed(&self) -> Option<u32> {
        self.current.lock().as_ref().map(|(speed, _)| *speed)
    }

    /// Runs at this speed instead of an earlier one.
    pub(crate) fn start(&self, venue: Arc<tokio::sync::Mutex<Venue>>, speed: u32) {
        let (stop, stopping) = watch::channel(false);
        *self.current.lock() = Some((speed, stop));
        tokio::spawn(run(venue, speed, stopping));
    }

    /// Stops the clock. A step that has begun still ends.
    pub(crate) fn stop(&self) {
        // The task ends when the sender is dropped.
        *self.current.lock() = None;
    }
}

async fn run(venue: Arc<tokio::sync::Mutex<Venue>>, speed: u32, stopping: watch::Receiver<bool>) {
    let mut last = Instant::now();
    loop {
        tokio::time::sleep(STEP).await;
        let mut held = venue.clone().lock_owned().await;
        // A dropped sender means that the clock stands: checked with the venue in hand, so nothing moves after a stop.
        if stopping.has_changed().is_err() {
            return;
        }
        let passed = last.elapsed();
        last += passed;
        let micros = passed.as_micros().saturating_mul(u128::from(speed));
        let stepping = tokio::task::spawn_blocking(move || {
            let now = held.fixed.clock.time().micros();
            let target = now.saturating_add(i64::try_from(micros).unwrap_or(0));
            held.advance_to(Time::from_micros(target))?;
            Ok::<(), Refusal>(held.save()?)
        });
        match stepping.await {
            Ok(Ok(())) => {}
            Ok(Err(refusal)) => {
                let message = refusal.into_body().message;
                tracing::error!(message, "the clock cannot go on");
                return;
            }
            Err(error) => {
                tracing::error!(%error, "the clock cannot go on");
                return;
            }
        }
    }
}
