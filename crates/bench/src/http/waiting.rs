//! How long an answer takes, beside what the disk alone takes: a preallocated file, a positioned write of 4 KiB and
//! `fdatasync`, in turns with the requests and on the same file system.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::generator::Generator;
use super::race::{Race, check, micros};
use super::requests::Singles;
use super::{CONNECTIONS, Problem};

const PREALLOCATED_BYTES: u64 = 64 << 20;
const WRITE_BYTES: u64 = 4 << 10;
const TURNS: u32 = 12;

/// The bare disk.
pub(crate) struct Raw {
    file: File,
    offset: u64,
}

impl Raw {
    pub(crate) fn new(path: &Path) -> Result<Raw, Problem> {
        let file = OpenOptions::new().create_new(true).write(true).open(path)?;
        // Small pieces, as the journal does: the quickest way known to a quick `fdatasync` later.
        let zeros = vec![0; 64 << 10];
        for offset in (0..PREALLOCATED_BYTES).step_by(zeros.len()) {
            file.write_all_at(&zeros, offset)?;
        }
        file.sync_all()?;
        Ok(Raw { file, offset: 0 })
    }

    fn append(&mut self) -> Result<(), Problem> {
        self.file.write_all_at(&[7; WRITE_BYTES as usize], self.offset)?;
        self.file.sync_data()?;
        self.offset = (self.offset + WRITE_BYTES) % PREALLOCATED_BYTES;
        Ok(())
    }
}

/// One connection with one request at a time, then half of what we can do; each in turns with the disk alone.
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
        disk.extend(raw_for(&mut raw, turn)?);
    }
    for _ in 0..TURNS {
        loaded.extend(paced(race, half_per_second, turn)?);
        disk_beside.extend(raw_for(&mut raw, turn)?);
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
    // Whole turns, so that nothing is left far from the market.
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
    check(&load)?;
    race.stage.settle()?;
    Ok(load.times)
}

fn raw_for(raw: &mut Raw, time: Duration) -> Result<Vec<Duration>, Problem> {
    let mut times = Vec::new();
    let start = Instant::now();
    while start.elapsed() < time {
        let asked = Instant::now();
        raw.append()?;
        times.push(asked.elapsed());
    }
    Ok(times)
}

/// In microseconds.
pub(crate) struct Times {
    count: usize,
    p50: f64,
    pub(crate) p99: f64,
    longest: f64,
}

impl Times {
    pub(crate) fn of(mut times: Vec<Duration>) -> Times {
        times.sort_unstable();
        let count = times.len();
        let at = |percent: usize| times.get(count * percent / 100).copied().map_or(f64::NAN, micros);
        let longest = times.last().copied().map_or(f64::NAN, micros);
        Times { count, p50: at(50), p99: at(99), longest }
    }

    pub(crate) fn print(&self, who: &str) {
        let Times { count, p50, p99, longest } = self;
        println!("  {who:<6}p50 {p50:7.0}  p99 {p99:7.0}  longest {longest:7.0} us   {count} times");
    }
}
