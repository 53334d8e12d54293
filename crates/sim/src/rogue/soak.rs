//! Plays many seeds on all cores: until the rogue has sent so many commands, for a given time, or until a rule is broken.

use core::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::play::{Broken, play, trace};
use super::tally::Tally;

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub first_seed: u64,
    /// Commands of the rogue after which no stage begins. Threads differ in how soon each ends its stage.
    pub commands: u64,
    /// Exactly these stages, so that every run of the plan is the same.
    pub stages: Option<u64>,
    pub time_max: Option<Duration>,
    pub threads: usize,
    /// Print a line every few seconds.
    pub progress: bool,
}

const PROGRESS_EVERY: Duration = Duration::from_secs(10);

struct Progress {
    next: AtomicU64,
    stop: AtomicBool,
    tally: Mutex<(Tally, Instant)>,
    broken: Mutex<Option<Box<Broken>>>,
}

/// Runs the plan, and stops at the first broken rule.
pub fn soak(plan: Plan) -> Result<Tally, Box<Broken>> {
    let start = Instant::now();
    let progress = Progress {
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        tally: Mutex::new((Tally::default(), start)),
        broken: Mutex::new(None),
    };
    thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| work(&plan, &progress, start));
        }
    });
    let broken = progress.broken.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let tally = progress.tally.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    broken.map_or(Ok(tally.0), Err)
}

fn work(plan: &Plan, progress: &Progress, start: Instant) {
    while !progress.stop.load(Ordering::Relaxed) {
        if plan.time_max.is_some_and(|time_max| start.elapsed() >= time_max) {
            return;
        }
        let index = progress.next.fetch_add(1, Ordering::Relaxed);
        if plan.stages.is_some_and(|stages| index >= stages) {
            return;
        }
        match play(plan.first_seed.wrapping_add(index)) {
            Ok(tally) => add(plan, progress, &tally, start),
            Err(broken) => {
                progress.stop.store(true, Ordering::Relaxed);
                if let Ok(mut first) = progress.broken.lock() {
                    first.get_or_insert(broken);
                }
            }
        }
    }
}

fn add(plan: &Plan, progress: &Progress, tally: &Tally, start: Instant) {
    let Ok(mut sum) = progress.tally.lock() else { return };
    sum.0.add(tally);
    if sum.0.by_rogue >= plan.commands {
        progress.stop.store(true, Ordering::Relaxed);
    }
    if plan.progress && sum.1.elapsed() >= PROGRESS_EVERY {
        sum.1 = Instant::now();
        let (seconds, commands) = (start.elapsed().as_secs().max(1), sum.0.by_rogue);
        let (stages, speed) = (sum.0.stages, commands / seconds);
        println!("{seconds:>6} s  {stages:>7} stages  {commands:>10} commands of the rogue  {speed:>7}/s");
    }
}

/// Describes a broken rule, with the requests that led to it.
pub fn report(broken: &Broken) -> String {
    let Broken { seed, commands, failure } = broken;
    let mut text = format!("seed {seed}, after {commands} commands of the rogue, rule: {}\n", failure.rule);
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "{}", failure.detail);
    for line in trace(*seed) {
        let _ = writeln!(text, "  {line}");
    }
    text
}
