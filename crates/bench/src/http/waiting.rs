//! Response times, compared with the disk alone, which takes turns with the requests on the same file system.
//!
//! At half load, requests and disk follow the same absolute schedule and sleep in between. The disk then appends what
//! is due as one frame, of the size that our frames have, so it shows the best that a journal on this disk can do.

use std::time::{Duration, Instant};

use crate::Problem;
use crate::disk::Raw;
use crate::generator::Generator;
use crate::requests::{Reads, Singles};
use crate::rows::{Goal, Rows};
use crate::times::Times;

use super::CONNECTIONS;
use super::race::Race;

const TURNS: u32 = 12;

/// One connection with one request at a time, then half of our maximum; each in turns with the disk alone.
pub(crate) fn measure(
    race: &mut Race<'_>,
    mut raw: Raw,
    time: Duration,
    half_per_second: f64,
    rows: &mut Rows,
) -> Result<(), Problem> {
    let turn = time / (4 * TURNS);
    let (mut alone, mut disk) = (vec![], vec![]);
    for _ in 0..TURNS {
        alone.extend(one_by_one(race, turn)?);
        disk.extend(raw.measure(turn)?);
    }
    let (alone, disk) = (Times::of(alone), Times::of(disk));
    println!("\nOne connection, one request at a time");
    alone.print("ours");
    disk.print("disk");
    rows.add("one connection, p50 / disk's", alone.p50 / disk.p50, "", Goal::AtMost(2.0));
    println!("  p50 {:.2} x, p99 {:.2} x the disk's", alone.p50 / disk.p50, alone.p99 / disk.p99);
    half_load(race, &mut raw, turn, half_per_second, rows)
}

fn half_load(
    race: &mut Race<'_>,
    raw: &mut Raw,
    turn: Duration,
    per_second: f64,
    rows: &mut Rows,
) -> Result<(), Problem> {
    let (mut loaded, mut disk) = (vec![], vec![]);
    race.journal.advance()?;
    for _ in 0..TURNS {
        loaded.extend(paced(race, per_second, turn)?);
        let frames = race.journal.advance()?;
        disk.extend(raw.paced(per_second, turn, &frames)?);
    }
    let (loaded, disk) = (Times::of(loaded), Times::of(disk));
    println!("\nHalf load: {per_second:.0} requests/s, due by the clock, for ours and for the disk");
    loaded.print("ours");
    disk.print("disk");
    println!("  p50 {:.2} x, p99 {:.2} x the disk's", loaded.p50 / disk.p50, loaded.p99 / disk.p99);
    let name = "half load, p99 / the disk paced the same way";
    rows.add(name, loaded.p99 / disk.p99, "", Goal::AtMost(5.0));
    Ok(())
}

fn one_by_one(race: &mut Race<'_>, time: Duration) -> Result<Vec<Duration>, Problem> {
    let mut script = Singles::new(&race.stage.users, &race.stage.markets, 1, race.fresh_keys());
    let mut generator = Generator::connect(race.ours.address, 1)?;
    let (mut times, mut last) = (Vec::new(), Vec::new());
    let start = Instant::now();
    // Whole turns, so that no order is left far from the market.
    while start.elapsed() < time || !times.len().is_multiple_of(8) {
        let asked = Instant::now();
        last = generator.once(&mut script, &last)?;
        times.push(asked.elapsed());
    }
    race.stage.settle()?;
    Ok(times)
}

/// Connections that have had a response each: a new connection is not part of the measured time.
pub(crate) fn open(race: &Race<'_>, connections: usize) -> Result<Generator, Problem> {
    let mut generator = Generator::connect(race.ours.address, connections)?;
    let mut script = Reads::new(race.stage.markets.iter().map(|market| market.event.clone()));
    generator.closed(&mut script, Duration::ZERO)?.check()?;
    Ok(generator)
}

pub(crate) fn paced(race: &mut Race<'_>, per_second: f64, time: Duration) -> Result<Vec<Duration>, Problem> {
    let mut script = Singles::new(&race.stage.users, &race.stage.markets, CONNECTIONS, race.fresh_keys());
    let mut generator = open(race, CONNECTIONS)?;
    let load = generator.paced(&mut script, per_second, time)?;
    load.check()?;
    race.stage.settle()?;
    Ok(load.times)
}
