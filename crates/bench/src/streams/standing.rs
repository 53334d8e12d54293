//! The delay from an order's response to its message, and the server's memory while some readers are stalled.

use std::thread;
use std::time::{Duration, Instant};

use load::counts::memory_mib;

use crate::Problem;
use crate::crowd::{Crowd, Wanted};
use crate::readers::now;
use crate::stage::Stage;

const PATH: &str = "/ws/v1/markets";
/// The pause between the orders of the latency part.
const BETWEEN_ORDERS: Duration = Duration::from_millis(40);
const LOOKS: u32 = 10;
/// Messages at a time, so that stalled readers soon lag by more than their sockets hold.
const AT_ONCE: u64 = 100;
/// Growth that counts as none, allowing for caches and allocators.
const FLAT_MIB: f64 = 64.0;

pub(crate) fn latency(stage: &mut Stage, readers: usize, time: Duration) -> Result<(), Problem> {
    let mut crowd = gather(stage, readers, 0, true)?;
    let began = Instant::now();
    let mut answered = Vec::new();
    while began.elapsed() < time {
        stage.trade(1)?;
        answered.push(now());
        crowd.wait_for(1)?;
        thread::sleep(BETWEEN_ORDERS);
    }
    let mut waits: Vec<u64> = crowd
        .times()?
        .into_iter()
        .filter_map(|(number, at)| {
            // A message may arrive before its order's response.
            answered.get(usize::try_from(number).ok()?).map(|answered| at.saturating_sub(*answered))
        })
        .collect();
    crowd.leave()?;
    waits.sort_unstable();
    let at =
        |percent: usize| waits.get(waits.len() * percent / 100).map_or(f64::NAN, |nanos| *nanos as f64 / 1e6);
    println!("\n{readers} readers: from an order's answer to each of them, {} deliveries", waits.len());
    println!(
        "  p50 {:.2} ms   p99 {:.2} ms   longest {:.2} ms",
        at(50),
        at(99),
        waits.last().map_or(f64::NAN, |nanos| *nanos as f64 / 1e6)
    );
    Ok(())
}

pub(crate) fn memory(stage: &mut Stage, readers: usize, time: Duration) -> Result<(), Problem> {
    let stalled = readers / 10;
    let mut crowd = gather(stage, readers, stalled, false)?;
    let dropped = stage.dropped();
    println!("\n{readers} readers, {stalled} of them take nothing: memory of the server");
    let began = Instant::now();
    let (mut messages, mut sizes) = (0_u64, Vec::new());
    for look in 1..=LOOKS {
        while began.elapsed() < time * look / LOOKS {
            // The active readers set the pace, so memory can only grow because of the stalled ones.
            stage.trade(AT_ONCE)?;
            crowd.wait_for(AT_ONCE)?;
            messages += AT_ONCE;
        }
        let size = memory_mib("VmRSS")?;
        sizes.push(size);
        println!(
            "  {:>5.1} s  {size:>7.1} MiB   {messages:>7} messages to each, {:>4} connected, {:>4} ended as too slow",
            began.elapsed().as_secs_f64(),
            stage.connections(),
            stage.dropped() - dropped,
        );
    }
    crowd.leave()?;
    let growth = sizes.last().unwrap_or(&0.0) - sizes.first().unwrap_or(&0.0);
    let verdict = if growth <= FLAT_MIB { "flat" } else { "not flat" };
    println!("  {growth:+.1} MiB from the first look to the last: {verdict}");
    Ok(())
}

fn gather(stage: &Stage, readers: usize, stalled: usize, is_timed: bool) -> Result<Crowd, Problem> {
    let (address, subscription) = (stage.address, Stage::subscription());
    Crowd::gather(&Wanted { address, path: PATH, subscription, readers, stalled, is_timed })
}
