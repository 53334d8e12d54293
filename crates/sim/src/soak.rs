//! Runs many seeds on all cores: a given number, for a given time, or until one fails.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::counts::Counts;
use crate::run::{FailedRun, run_seed};

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub first_seed: u64,
    /// `None`: unlimited.
    pub seeds: Option<u64>,
    pub commands_per_seed: usize,
    pub time_max: Option<Duration>,
    pub threads: usize,
    /// Print a line every few seconds.
    pub progress: bool,
}

const PROGRESS_EVERY: Duration = Duration::from_secs(5);

struct Progress {
    next: AtomicU64,
    stop: AtomicBool,
    counts: Mutex<(Counts, Instant)>,
    failed: Mutex<Option<Box<FailedRun>>>,
}

/// Runs the plan, and stops at the first failure.
pub fn soak(plan: Plan) -> Result<Counts, Box<FailedRun>> {
    let start = Instant::now();
    let progress = Progress {
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        counts: Mutex::new((Counts::default(), start)),
        failed: Mutex::new(None),
    };
    thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| work(&plan, &progress, start));
        }
    });
    let failed = progress.failed.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let counts = progress.counts.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    failed.map_or(Ok(counts.0), Err)
}

fn work(plan: &Plan, progress: &Progress, start: Instant) {
    while !progress.stop.load(Ordering::Relaxed) {
        let index = progress.next.fetch_add(1, Ordering::Relaxed);
        let is_over = plan.seeds.is_some_and(|seeds| index >= seeds)
            || plan.time_max.is_some_and(|time_max| start.elapsed() >= time_max);
        if is_over {
            return;
        }
        match run_seed(plan.first_seed.wrapping_add(index), plan.commands_per_seed) {
            Ok(counts) => tell(plan, progress, &counts, start),
            Err(failed) => {
                progress.stop.store(true, Ordering::Relaxed);
                if let Ok(mut first) = progress.failed.lock() {
                    first.get_or_insert(failed);
                }
                return;
            }
        }
    }
}

fn tell(plan: &Plan, progress: &Progress, counts: &Counts, start: Instant) {
    let Ok(mut sum) = progress.counts.lock() else { return };
    sum.0.add(counts);
    if plan.progress && sum.1.elapsed() >= PROGRESS_EVERY {
        sum.1 = Instant::now();
        let seconds = start.elapsed().as_secs().max(1);
        let speed = sum.0.commands / seconds;
        println!("{seconds:>6} s  {:>6} seeds  {:>10} commands  {speed:>7}/s", sum.0.seeds, sum.0.commands);
    }
}
