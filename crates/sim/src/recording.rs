//! Records journals of this version: a few random runs that together carry out every command and reach every rare
//! state, with the digests that a replay must produce. `tests/recorded.rs` replays the journals of every version.
//!
//! A recorded run is a folder with a journal as a node writes it, and `digests.txt`: sequence and digest, one pair per
//! line. It is never recorded again: a build with other digests has changed the meaning of a journal.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use data_encoding::HEXLOWER;
use exchange::Exchange;
use exchange::codec::encode_request;
use exchange::command::Request;
use exchange::time::Time;
use journal::disk::RealDisk;
use journal::file::{FileJournal, Options};
use journal::testing::ManualClock;
use journal::{Appended, Journal, Payload, Sequence};

use crate::generator::Generator;
use crate::harness::Harness;

/// The file with a run's digests.
pub const DIGESTS: &str = "digests.txt";
/// Commands between two digests.
const DIGEST_EVERY: u64 = 100;
/// The cost of another run, in commands: a few runs are easier to inspect than many.
const DAY_COST: usize = 200;
/// The maximum overhead of a frame with one request.
const FRAME_BYTES: u64 = 144;
const SECTOR_BYTES: u64 = 512;

/// A seed, and when its run first reached each state and command.
#[derive(Clone, Debug)]
struct Day {
    seed: u64,
    journal: Vec<(Time, Request)>,
    /// The journal length at which each was first reached.
    reached: Vec<(&'static str, usize)>,
}

/// Plays `seeds` runs and records as few commands as possible that reach everything they reach. Returns what none
/// reached.
pub fn record(folder: &Path, seeds: u64, commands: usize) -> io::Result<Vec<&'static str>> {
    let days: Vec<Day> = (1..=seeds).map(|seed| play(seed, commands)).collect();
    let mut wanted: BTreeSet<&'static str> =
        days.iter().flat_map(|day| day.reached.iter().map(|(what, _)| *what)).collect();
    let missed = crate::counts::Counts::default().missed();
    let missed = missed.into_iter().filter(|what| !wanted.contains(what)).collect();
    // By seed. A run can be chosen again with a greater length, but is written once.
    let mut chosen: BTreeMap<u64, &[(Time, Request)]> = BTreeMap::new();
    while !wanted.is_empty() {
        let Some((day, length)) = cheapest(&days, &wanted) else { break };
        for (what, _) in day.reached.iter().filter(|(_, at)| *at <= length) {
            wanted.remove(what);
        }
        chosen.insert(day.seed, &day.journal[..length]);
        println!("seed {}: {length} commands, {} to go", day.seed, wanted.len());
    }
    for (seed, requests) in chosen {
        write_day(&folder.join(format!("seed-{seed:04}")), requests)?;
    }
    Ok(missed)
}

fn play(seed: u64, commands: usize) -> Day {
    let (mut harness, mut generator) = (Harness::default(), Generator::new(seed));
    let mut day = Day { seed, journal: Vec::new(), reached: Vec::new() };
    let mut missing = harness.counts.missed();
    // A restored copy follows the run; that is one of the rare states.
    harness.restore().unwrap_or_else(|failure| panic!("seed {seed}: {failure:?}"));
    for _ in 0..commands {
        let (at, request) = generator.next(&harness.exchange, &harness.shadow);
        let result = harness.step(at, &request).unwrap_or_else(|failure| panic!("seed {seed}: {failure:?}"));
        generator.learn(&request, &result);
        let still = harness.counts.missed();
        if still.len() < missing.len() {
            let length = harness.journal.len();
            let now = missing.iter().filter(|what| !still.contains(what));
            day.reached.extend(now.map(|what| (*what, length)));
            missing = still;
        }
    }
    day.journal = harness.journal;
    day
}

/// The prefix of a run that reaches the most wanted states for its length.
fn cheapest<'a>(days: &'a [Day], wanted: &BTreeSet<&'static str>) -> Option<(&'a Day, usize)> {
    let mut best: Option<(&Day, usize, usize)> = None;
    for day in days {
        let mut gained = 0;
        for (what, length) in &day.reached {
            gained += usize::from(wanted.contains(what));
            // Compares `gained / cost` by cross multiplication.
            let cost = length + DAY_COST;
            let is_better = best.is_none_or(|(_, most, of)| gained * (of + DAY_COST) > most * cost);
            if gained > 0 && is_better {
                best = Some((day, gained, *length));
            }
        }
    }
    best.map(|(day, _, length)| (day, length))
}

fn write_day(folder: &Path, requests: &[(Time, Request)]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let encoded: Vec<(i64, Vec<u8>)> = requests
        .iter()
        .map(|(at, request)| {
            let mut bytes = Vec::new();
            encode_request(request, &mut bytes);
            (at.micros(), bytes)
        })
        .collect();
    let room: u64 = encoded.iter().map(|(_, bytes)| bytes.len() as u64 + FRAME_BYTES).sum();
    let segment_bytes = (room + 4 * SECTOR_BYTES).next_multiple_of(SECTOR_BYTES);
    let options = Options { segment_bytes, prepare_in_background: false, ..Options::default() };
    let (disk, clock) = (Arc::new(RealDisk::new(folder)?), ManualClock::default());
    let mut journal = FileJournal::create(disk, Box::new(clock.clone()), options, *b"recorded journal")
        .map_err(io::Error::other)?;
    let (mut exchange, mut digests) = (Exchange::new(), String::new());
    for ((at, bytes), (time, request)) in encoded.iter().zip(requests) {
        clock.set(*at);
        let mut payload = Payload::new();
        payload.push(bytes);
        match journal.append(Sequence(exchange.seq() + 1), &payload).map_err(io::Error::other)? {
            Appended::Stored { header, .. } => {
                assert_eq!(header.at, time.micros(), "the recorded time is kept")
            }
            other => return Err(io::Error::other(format!("{other:?}"))),
        }
        // Refusals are part of a run.
        let _ = exchange.apply(*time, request).map_err(io::Error::other)?;
        if exchange.seq().is_multiple_of(DIGEST_EVERY) || exchange.seq() == requests.len() as u64 {
            let digest = HEXLOWER.encode(&exchange.digest());
            // Writing to a `String` cannot fail.
            let _ = writeln!(digests, "{} {digest}", exchange.seq());
        }
    }
    drop(journal);
    // Files that a writer leaves next to its segments.
    for name in ["journal.lock", "spare.tmp"] {
        match fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::write(folder.join(DIGESTS), digests)
}
