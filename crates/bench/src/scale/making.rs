//! Makes a data folder of a size: applies the commands in memory, writes them to the journal in large frames, saves a
//! snapshot, and rebuilds history. Then measures the processor time of further orders in memory.

use std::path::Path;
use std::time::Instant;

use exchange::codec::encode_snapshot;
use exchange::time::Time;
use exchange::{Exchange, Request};

use super::child::give;
use super::sizes::Dimensions;
use crate::Problem;
use crate::filling::{FRAME_COMMANDS, Filling, apply, save_snapshot};
use crate::processor::process_time;
use crate::venue::{START, requests_of};
use crate::workload::Recorder;

/// Time between two commands.
const STEP_MICROS: i64 = 10;

pub(crate) fn run(folder: &Path, dimensions: Dimensions) -> Result<(), Problem> {
    let mut recorder = make(folder, dimensions)?;
    give("orders", recorder.exchange().orders().len() as f64);
    give("commands", recorder.exchange().seq() as f64);

    // Orders that the journal does not have; nothing reads this state afterwards.
    let at = after(recorder.exchange().seq());
    let before = process_time();
    for _ in 0..dimensions.steps {
        recorder.step(at);
    }
    let spent = process_time() - before;
    give("order_us", spent.as_secs_f64() * 1e6 / f64::from(dimensions.steps));
    drop(recorder);

    let before = process_time();
    let commands = server::node::rebuild_history(folder, |_, _| ())?;
    give("replay_us", (process_time() - before).as_secs_f64() * 1e6 / commands as f64);
    Ok(())
}

/// The time of a command, by its sequence. A frame has the time of its first command.
fn after(seq: u64) -> Time {
    let frame = seq - seq % FRAME_COMMANDS;
    Time::from_micros(START.micros() + frame.cast_signed() * STEP_MICROS)
}

/// Journal and snapshot; returns the state that they give.
fn make(folder: &Path, dimensions: Dimensions) -> Result<Recorder, Problem> {
    let mut filling = Filling::create(folder)?;
    let mut exchange = Exchange::new();
    for request in requests_of(dimensions.venue()) {
        apply(&mut exchange, after(filling.head.next.0), &request)?;
        store(&mut filling, &request)?;
    }
    let mut recorder = Recorder::of(exchange, dimensions.venue());
    let orders = dimensions.orders as usize;
    let attempts = recorder.exchange().seq() as usize + orders + dimensions.commands as usize;
    loop {
        let (refused, why) = recorder.refused();
        if refused > attempts {
            return Err(format!("most orders are refused, so this size cannot be reached: {why:?}").into());
        }
        let at = after(filling.head.next.0);
        let (resting, seq) = (recorder.exchange().orders().len(), recorder.exchange().seq());
        let request = match resting < orders {
            true => recorder.rest(at),
            false if seq >= dimensions.commands => break,
            false if seq.is_multiple_of(4) => recorder.step(at),
            false => recorder.withdraw(at),
        };
        store(&mut filling, &request)?;
    }
    filling.append()?;
    let began = Instant::now();
    let content = encode_snapshot(recorder.exchange());
    give("encode_ms", began.elapsed().as_secs_f64() * 1e3);
    give("snapshot_mb", content.len() as f64 / 1e6);
    give("stored_mb", save_snapshot(folder, &filling.head, &content)? as f64 / 1e6);
    Ok(recorder)
}

fn store(filling: &mut Filling, request: &Request) -> Result<(), Problem> {
    filling.stamp(after(filling.head.next.0));
    filling.push(request);
    if filling.pushed() == FRAME_COMMANDS { filling.append() } else { Ok(()) }
}
