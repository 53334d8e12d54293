//! `bench exchange`: the whole exchange with a mix of orders, cancels, amends and pool trades, and the same requests
//! replayed from their journal bytes, alternating in one run.

use std::process::ExitCode;
use std::time::Instant;

use exchange::Exchange;
use exchange::codec;
use exchange::time::Time;

use load::venue;
use load::workload::{self, Workload};

const HELP: &str = "\
Usage: bench exchange [--count N] [--rounds N]

  --count N    requests per round, default 1000000
  --rounds N   rounds in turns, default 5
";

pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let (mut count, mut rounds) = (1_000_000, 5);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let value = rest.next().and_then(|value| value.parse::<usize>().ok()).filter(|value| *value > 0);
        match (argument.as_str(), value) {
            ("--count", Some(value)) => count = value,
            ("--rounds", Some(value)) => rounds = value,
            ("--help" | "-h", _) => {
                print!("{HELP}");
                return ExitCode::SUCCESS;
            }
            _ => {
                eprint!("bench exchange: invalid argument {argument:?}\n\n{HELP}");
                return ExitCode::from(2);
            }
        }
    }
    let stage = venue::build();
    println!("Recording {count} requests…");
    let workload = workload::record(&stage, count);
    println!("{}", workload.summary);
    let journal = encode(&workload);
    println!("Journal: {} bytes a request.", journal.bytes.len() / count);

    let (mut applied, mut replayed) = (Vec::new(), Vec::new());
    let mut digests = Vec::new();
    for _ in 0..rounds {
        let mut exchange = stage.clone();
        applied.push(per_second(count, || apply(&mut exchange, &workload)));
        digests.push(exchange.digest());
        let mut exchange = stage.clone();
        replayed.push(per_second(count, || replay(&mut exchange, &journal)));
        digests.push(exchange.digest());
    }
    if digests.iter().any(|digest| *digest != digests[0]) {
        eprintln!("bench exchange: the rounds ended in different states");
        return ExitCode::FAILURE;
    }
    report("apply", &mut applied, count);
    report("replay (decode and apply)", &mut replayed, count);
    println!(
        "replay / apply: {:.2} (medians; all rounds ended in one digest)",
        median(&replayed) / median(&applied)
    );
    ExitCode::SUCCESS
}

/// Encoded requests, with the time and the end of each.
struct Journal {
    bytes: Vec<u8>,
    ends: Vec<(Time, usize)>,
}

fn encode(workload: &Workload) -> Journal {
    let mut journal = Journal { bytes: Vec::new(), ends: Vec::new() };
    for (at, request) in &workload.requests {
        codec::encode_request(request, &mut journal.bytes);
        journal.ends.push((*at, journal.bytes.len()));
    }
    journal
}

fn apply(exchange: &mut Exchange, workload: &Workload) {
    for (at, request) in &workload.requests {
        let _ = std::hint::black_box(exchange.apply(*at, request).expect("a request of this build"));
    }
}

fn replay(exchange: &mut Exchange, journal: &Journal) {
    let mut start = 0;
    for (at, end) in &journal.ends {
        let request =
            codec::decode_request(&journal.bytes[start..*end]).expect("bytes that were encoded just now");
        let _ = std::hint::black_box(exchange.apply(*at, &request).expect("a request of this build"));
        start = *end;
    }
}

fn per_second(count: usize, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    count as f64 / start.elapsed().as_secs_f64()
}

fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}

fn report(name: &str, rates: &mut [f64], count: usize) {
    rates.sort_by(f64::total_cmp);
    let (middle, best) = (median(rates), rates[rates.len() - 1]);
    println!(
        "{name}: {middle:.0} commands/s (median), {best:.0} (best), {:.0} ns each, {count} a round",
        1e9 / middle
    );
}
