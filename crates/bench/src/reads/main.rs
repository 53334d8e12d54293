//! `bench reads`: the throughput of history, and the cost of a page when history is short and when it is long.
//!
//! One run: ten thousand trades, and every page is measured; then up to millions, and measured again. A page should
//! cost the same; the result is the ratio of the two.

#[path = "feed.rs"]
mod feed;
#[path = "pages.rs"]
mod pages;

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use load::processor::Spent;
use load::venue;
use mimalloc::MiMalloc;
use pages::Cost;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const HELP: &str = "\
Usage: bench reads [--trades N]

  --trades N   trades of the long history, default 5000000
";

const FEW: u64 = 10_000;
const GOAL_RATIO: f64 = 2.0;
const GOAL_RATE: f64 = 50_000.0;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let many = match arguments.as_slice() {
        [] => Some(5_000_000),
        [option, value] if option == "--trades" => value.parse().ok().filter(|many| *many > FEW),
        _ => None,
    };
    let Some(many) = many else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    match run(many) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench reads: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(many: u64) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (history, recorder, thread) = server::history::open(folder.path())?.into_parts();
    let mut feed = feed::Feed::new(venue::build(), recorder);
    let (mut took, mut spent) = (Duration::ZERO, Spent::default());
    let mut grow = |feed: &mut feed::Feed, trades: u64| {
        let (start, before) = (Instant::now(), Spent::now());
        feed.until(trades, |trades| eprintln!("{trades} trades, {:.0} s", start.elapsed().as_secs_f64()));
        let reached = runtime.block_on(history.wait_for(feed.exchange.seq()));
        took += start.elapsed();
        spent.add(&Spent::now().since(&before));
        reached
    };

    grow(&mut feed, FEW)?;
    let few = pages::measure(&runtime, &history, &feed)?;
    grow(&mut feed, many)?;
    let lots = pages::measure(&runtime, &history, &feed)?;

    report(&few, &lots, many);
    let bytes: u64 = std::fs::read_dir(folder.path())?
        .flatten()
        .filter_map(|file| file.metadata().ok())
        .map(|data| data.len())
        .sum();
    println!(
        "\nStored {:.0} trades/s (two orders each), goal {GOAL_RATE:.0}; {} bytes a trade with its orders.",
        many as f64 / took.as_secs_f64(),
        bytes / many
    );
    println!("Processor time, microseconds a trade: {:.1} in all.", micros_each(spent.total(), many));
    for (name, time) in spent.by_thread().into_iter().filter(|(_, time)| !time.is_zero()) {
        println!("  {name:<20}{:>6.1}", micros_each(time, many));
    }
    drop((feed, history));
    server::history::OpenedHistory::join(thread);
    Ok(())
}

fn micros_each(time: Duration, count: u64) -> f64 {
    time.as_secs_f64() * 1e6 / count as f64
}

fn report(few: &[Cost], many: &[Cost], count: u64) {
    println!("Microseconds for a page of 10, median of 201: first page, last page.\n");
    println!(
        "{:<20}{:>10} rows {:>8} {:>8}   {:>10} rows {:>8} {:>8}   ratio",
        "", FEW, "first", "last", count, "first", "last"
    );
    let mut worst = 0.0_f64;
    for (short, long) in few.iter().zip(many) {
        let ratio = [long.first / short.first, long.last / short.last, long.last / long.first]
            .into_iter()
            .fold(0.0, f64::max);
        worst = worst.max(ratio);
        println!(
            "{:<20}{:>10} rows {:>8.1} {:>8.1}   {:>10} rows {:>8.1} {:>8.1}   {ratio:.2}",
            short.name, short.rows, short.first, short.last, long.rows, long.first, long.last
        );
    }
    println!("\nWorst ratio {worst:.2}, goal at most {GOAL_RATIO:.1}.");
}
