//! Response times, compared with the disk alone, which takes turns with the requests on the same file system.

use std::time::{Duration, Instant};

use load::Problem;
use load::disk::Raw;
use load::generator::Generator;
use load::requests::Singles;
use load::times::Times;

use super::CONNECTIONS;
use super::race::Race;

const TURNS: u32 = 12;

/// One connection with one request at a time, then half of our maximum; each in turns with the disk alone.
pub(crate) fn measure(
    race: &mut Race<'_>,
    mut raw: Raw,
    time: Duration,
    half_per_second: f64,
) -> Result<(), Problem> {
    let turn = time / (4 * TURNS);
    let (mut alone, mut disk, mut loaded, mut disk_beside) = (vec![], vec![], vec![], vec![]);
    for _ in 0..TURNS {
        alone.extend(one_by_one(race, turn)?);
        disk.extend(raw.measure(turn)?);
    }
    for _ in 0..TURNS {
        loaded.extend(paced(race, half_per_second, turn)?);
        disk_beside.extend(raw.measure(turn)?);
    }
    let (alone, disk) = (Times::of(alone), Times::of(disk));
    println!("\nOne connection, one request at a time");
    alone.print("ours");
    disk.print("disk");
    verdict("p50", alone.p50 / disk.p50, 1.8);
    println!("  p99 {:.2} x the disk's", alone.p99 / disk.p99);

    let (loaded, disk) = (Times::of(loaded), Times::of(disk_beside));
    println!("\nHalf load: {half_per_second:.0} requests/s");
    loaded.print("ours");
    disk.print("disk");
    verdict("p99", loaded.p99 / disk.p99, 5.0);
    Ok(())
}

fn verdict(what: &str, ratio: f64, goal: f64) {
    let verdict = if ratio <= goal { "reached" } else { "missed" };
    println!("  {what} {ratio:.2} x the disk's, goal {goal}: {verdict}");
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

pub(crate) fn paced(race: &mut Race<'_>, per_second: f64, time: Duration) -> Result<Vec<Duration>, Problem> {
    let mut script = Singles::new(&race.stage.users, &race.stage.markets, CONNECTIONS, race.fresh_keys());
    let mut generator = Generator::connect(race.ours.address, CONNECTIONS)?;
    let load = generator.paced(&mut script, per_second, time)?;
    load.check()?;
    race.stage.settle()?;
    Ok(load.times)
}
