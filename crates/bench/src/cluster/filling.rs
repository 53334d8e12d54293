//! Creates a long log quickly: generated commands of a trading venue, applied as they are generated and appended in
//! large frames, with a stored snapshot some way before the end. The tail after it is in frames as small as those of a
//! busy node.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use api::signing::MasterKey;
use exchange::Exchange;
use exchange::codec;
use exchange::time::Time;
use journal::postgres::{Database, Options};
use journal::testing::ManualClock;
use load::Problem;
use load::filling::{FRAME_COMMANDS, Filling, MASTER_KEY, apply};
use load::venue;
use load::workload::Recorder;
use server::people::{PostgresRows, begin};

/// Commands per frame after the snapshot.
const TAIL_FRAME_COMMANDS: u64 = 50;
/// The time span of the log, up to now.
const COVERED: Duration = Duration::from_secs(3_600);
const SAY_EVERY: u64 = 1_000_000;

/// Fills an empty log with this many commands, the last `tail` of them after its snapshot.
pub(crate) fn fill(url: &str, commands: u64, tail: u64) -> Result<(), Problem> {
    let began = Instant::now();
    let database = Database::open(url, Options::default())?;
    // No user of this venue has a row, and none logs in.
    begin(&mut PostgresRows::open(&database)?, &MasterKey::new(MASTER_KEY))?;
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros())?;
    let covered = i64::try_from(COVERED.as_micros())?;
    // Evenly spaced, from an hour ago until now.
    let at = |done: u64| {
        let share = i128::from(covered) * i128::from(done) / i128::from(commands);
        Time::from_micros(now - covered + share as i64)
    };
    let clock = ManualClock::new(0);
    let journal = database.journal(Some(Box::new(clock.clone())))?;
    let mut filling = Filling::of(Box::new(journal), clock);

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
            database.shared_tables()?.save_snapshot(&filling.head, |sink| sink.write_all(&content))?;
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
            apply(&mut exchange, at, request)?;
            filling.push(request);
        }
        filling.append()?;
    }
    Ok(exchange)
}
