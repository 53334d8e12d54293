//! `bench years`: a year of twenty 15-minute series with trades, in simulated time, on a real exchange and a real
//! history.
//!
//! It prints and checks what must not grow over the years: peak memory, the snapshot, and a start from it. The start is
//! measured in a separate process, which also shows the memory of the state alone.

#[path = "year.rs"]
mod year;

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use data_encoding::HEXLOWER;
use exchange::codec::{decode_snapshot, encode_snapshot};
use load::Problem;
use load::counts::memory_mib;
use load::folders::bytes_of;
use mimalloc::MiMalloc;
use year::{SERIES, Year};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const HELP: &str = "\
Usage: bench years [--days N] [--trades N]

  --days N     simulated days, default 365
  --trades N   trades per event, default 3
";

const PEAK_MIB_MAX: f64 = 1_024.0;
const SNAPSHOT_MB_MAX: f64 = 20.0;
const START_SECONDS_MAX: f64 = 10.0;
/// Hidden: the child process that starts from a snapshot.
const START: &str = "start-from";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [start, snapshot, history] = arguments.as_slice()
        && start == START
    {
        return reported(start_from(Path::new(snapshot), Path::new(history)).map(|()| true));
    }
    let (mut days, mut trades) = (365, 3);
    for pair in arguments.chunks(2) {
        match pair {
            [option, value] if option == "--days" => days = value.parse().unwrap_or(0),
            [option, value] if option == "--trades" => trades = value.parse().unwrap_or(0),
            _ => days = 0,
        }
    }
    if days == 0 || trades == 0 {
        eprint!("{HELP}");
        return ExitCode::from(2);
    }
    reported(run(days, trades))
}

fn reported(result: Result<bool, Problem>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench years: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether every limit was kept.
fn run(days: u32, trades: u32) -> Result<bool, Problem> {
    let folder = tempfile::tempdir()?;
    let history_folder = folder.path().join("history");
    println!("{days} days of {SERIES} 15-minute series, {trades} trades in each event.");
    let began = Instant::now();
    let (history, recorder, thread) = server::history::open(&history_folder)?.into_parts();
    let mut year = Year::new(recorder);
    for day in 1..=days {
        year.day(trades);
        if day % 30 == 0 {
            eprintln!("{day} days, {:.0} s, {:.0} MiB", began.elapsed().as_secs_f64(), memory_mib("VmRSS")?);
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    while runtime.block_on(history.wait_for(year.exchange.seq())).is_err() {
        if history.has_stopped() {
            return Err("history has stopped".into());
        }
    }
    let catalogue = year.exchange.catalogue();
    println!(
        "{} requests, {} trades, {} events retired, {} in memory, in {:.0} s.",
        year.exchange.seq(),
        year.trades,
        catalogue.retired_count(),
        catalogue.events().len(),
        began.elapsed().as_secs_f64()
    );
    let bytes = encode_snapshot(&year.exchange);
    let digest = year.exchange.digest();
    drop((year, history));
    server::history::OpenedHistory::join(thread);
    let snapshot = folder.path().join("snapshot");
    fs::write(&snapshot, &bytes)?;
    println!("History on disk: {:.1} GB.", bytes_of(&history_folder)? as f64 / 1e9);

    let peak = memory_mib("VmHWM")?;
    let started = child(&snapshot, &history_folder)?;
    let same = started.digest == HEXLOWER.encode(&digest);
    let bounds = [
        ("Peak memory, history included", peak, PEAK_MIB_MAX, "MiB"),
        ("Snapshot", bytes.len() as f64 / 1e6, SNAPSHOT_MB_MAX, "MB"),
        ("Start from the snapshot", started.seconds, START_SECONDS_MAX, "s"),
    ];
    for (name, value, bound, unit) in bounds {
        println!("{name:<32}{value:>10.2} {unit:<4} at most {bound}");
    }
    println!("{:<32}{:>10.2} MiB", "State after that start", started.state_mib);
    println!("The started state has {} digest.", if same { "the same" } else { "ANOTHER" });
    Ok(same && bounds.iter().all(|(_, value, bound, _)| value <= bound))
}

/// The results of a start in a separate process.
struct Started {
    seconds: f64,
    state_mib: f64,
    digest: String,
}

fn child(snapshot: &Path, history: &Path) -> Result<Started, Problem> {
    let output = Command::new(std::env::current_exe()?).arg(START).arg(snapshot).arg(history).output()?;
    let text = String::from_utf8(output.stdout)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [seconds, state, digest] if output.status.success() => {
            Ok(Started { seconds: seconds.parse()?, state_mib: state.parse()?, digest: (*digest).to_owned() })
        }
        _ => Err(format!("the start failed: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// Prints the seconds until the state is loaded and history is open, the memory of the state, and its digest.
fn start_from(snapshot: &Path, history: &Path) -> Result<(), Problem> {
    let began = Instant::now();
    let bytes = fs::read(snapshot)?;
    let before = memory_mib("VmRSS")?;
    let exchange = decode_snapshot(&bytes)?;
    let state = memory_mib("VmRSS")? - before;
    let (history, recorder, thread) = server::history::open(history)?.into_parts();
    let seconds = began.elapsed().as_secs_f64();
    println!("{seconds} {state} {}", HEXLOWER.encode(&exchange.digest()));
    drop((history, recorder));
    server::history::OpenedHistory::join(thread);
    Ok(())
}
