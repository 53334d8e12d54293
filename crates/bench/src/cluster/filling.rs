//! Creates a long log quickly: generated commands of a trading venue, applied as they are generated and appended in
//! large frames, with a stored snapshot some way before the end. The tail after it is in frames as small as those of a
//! busy node.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use api::signing::MasterKey;
use exchange::codec;
use exchange::time::Time;
use exchange::{Exchange, Request};
use journal::postgres::{Database, Options, PostgresJournal};
use journal::testing::ManualClock;
use journal::{Appended, Head, Journal, Payload};
use load::Problem;
use load::venue;
use load::workload::Recorder;
use server::people::{PostgresRows, begin};

/// Commands per frame, before and after the snapshot.
const FRAME_COMMANDS: u64 = 1_000;
const TAIL_FRAME_COMMANDS: u64 = 50;
/// The time span of the log, up to now.
const COVERED: Duration = Duration::from_secs(3_600);
const SAY_EVERY: u64 = 1_000_000;

struct Filling {
    journal: PostgresJournal,
    clock: ManualClock,
    head: Head,
    payload: Payload,
    bytes: u64,
}

impl Filling {
    /// Sets the time of the next frames.
    fn stamp(&self, at: Time) {
        self.clock.set(at.micros());
    }

    fn push(&mut self, request: &Request) {
        self.payload.push_with(|bytes| codec::encode_request(request, bytes));
    }

    fn append(&mut self) -> Result<(), Problem> {
        match self.journal.append(self.head.next, &self.payload)? {
            Appended::Stored { header, hash } => self.head = Head::after(&header, hash),
            other => return Err(format!("the log did not store a frame: {other:?}").into()),
        }
        self.bytes += self.payload.bytes().len() as u64;
        self.payload.clear();
        Ok(())
    }
}

/// Fills an empty log with this many commands, the last `tail` of them after its snapshot.
pub(crate) fn fill(url: &str, commands: u64, tail: u64) -> Result<(), Problem> {
    let began = Instant::now();
    let database = Database::open(url, Options::default())?;
    // The key of `give_key`. No user of this venue has a row, and none logs in.
    begin(&mut PostgresRows::open(&database)?, &MasterKey::new([9; 32]))?;
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros())?;
    let covered = i64::try_from(COVERED.as_micros())?;
    // Evenly spaced, from an hour ago until now.
    let at = |done: u64| {
        let share = i128::from(covered) * i128::from(done) / i128::from(commands);
        Time::from_micros(now - covered + share as i64)
    };
    let clock = ManualClock::new(0);
    let journal = database.journal(Some(Box::new(clock.clone())))?;
    let mut filling = Filling { journal, clock, head: Head::EMPTY, payload: Payload::new(), bytes: 0 };

    let mut recorder = Recorder::new(open_venue(&mut filling, at(0))?);
    let mut snapshot_bytes = 0;
    while recorder.exchange().seq() < commands {
        let done = recorder.exchange().seq();
        let is_before = done < commands - tail;
        let (size, end) =
            if is_before { (FRAME_COMMANDS, commands - tail) } else { (TAIL_FRAME_COMMANDS, commands) };
        let at = at(done);
        filling.stamp(at);
        for _ in 0..size.min(end - done) {
            let request = recorder.step(at);
            filling.push(&request);
        }
        filling.append()?;
        let reached = recorder.exchange().seq();
        if is_before && reached == commands - tail {
            let content = codec::encode_snapshot(recorder.exchange());
            snapshot_bytes = content.len();
            database.shared_tables()?.save_snapshot(&filling.head, &content)?;
        }
        if reached / SAY_EVERY > done / SAY_EVERY {
            eprintln!("{reached} commands, {:.0} s", began.elapsed().as_secs_f64());
        }
    }
    println!("Log: {}", recorder.summary());
    println!(
        "     {} MB of commands, made in {:.0} s; snapshot of {:.1} MB behind {} of them.",
        filling.bytes >> 20,
        began.elapsed().as_secs_f64(),
        snapshot_bytes as f64 / f64::from(1 << 20),
        commands - tail
    );
    Ok(())
}

/// Creates the venue before any trading, in the log and in memory.
fn open_venue(filling: &mut Filling, at: Time) -> Result<Exchange, Problem> {
    let mut exchange = Exchange::new();
    filling.stamp(at);
    for requests in venue::requests().chunks(FRAME_COMMANDS as usize) {
        for request in requests {
            exchange
                .apply(at, request)
                .expect("a request of this build")
                .map_err(|reject| format!("no venue: {reject:?}"))?;
            filling.push(request);
        }
        filling.append()?;
    }
    Ok(exchange)
}
