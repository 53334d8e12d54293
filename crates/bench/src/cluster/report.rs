//! The tables. p50 and ratios are medians over the rounds, with ratios taken within a round; p99 is over all rounds.
//! The values of each round follow below.

use load::times::{Times, median, micros};

use crate::race::Score;

/// Times as milliseconds.
const MILLIS: f64 = 1e3;
/// Goal for one writer with a file journal, relative to the disk alone.
const GOAL_FILE: f64 = 1.8;

pub(crate) fn writes(scores: &[Score], connections: usize) {
    println!("\nDurable signed orders, one by one: {connections} connections, spread evenly over the nodes");
    println!(
        "  {:<20}{:>9}{:>9}{:>9}{:>9}{:>12}{:>10}{:>14}{:>12}",
        "", "writes/s", "of file", "p50 ms", "p99 ms", "cmds/frame", "frames/s", "offers/frame", "us each"
    );
    for score in scores {
        let times = Times::of(score.times.clone());
        let rate = median(&score.rates);
        let frames = score.done.frames.iter().sum::<u64>() as f64;
        let in_frame = score.done.commands as f64 / frames;
        let offers = score.offers.map_or("-".to_owned(), |offers| format!("{:.2}", offers as f64 / frames));
        println!(
            "  {:<20}{rate:>9.0}{:>9.2}{:>9.2}{:>9.2}{in_frame:>12.1}{:>10.0}{offers:>14}{:>12}",
            score.name,
            ratio(&score.rates, &scores[0].rates),
            median(&score.middles) / MILLIS,
            times.p99 / MILLIS,
            rate / in_frame,
            cost(score),
        );
    }
    println!(
        "  Offers that lost to another node's are those beyond one for each frame. `us each`: processor time for each write, of\n  \
         our process (all nodes, each of which decides every write, and the load) + of PostgreSQL."
    );
    rounds(scores, "writes/s");
    println!("  Frames that each node got in:");
    for score in scores {
        println!("    {:<20}{:?}", score.name, score.done.frames);
    }
    threads(scores);
}

pub(crate) fn waiting(scores: &[Score]) {
    println!("\nOne writer who waits for each answer, at the first node; the floors in turns with it");
    println!("  {:<20}{:>9}{:>9}{:>9}{:>12}   ratio of p50", "", "per s", "p50 ms", "p99 ms", "longest ms");
    for (place, score) in scores.iter().enumerate() {
        // The floor of the file journal is the disk, that of the others an insert.
        let floor = match place {
            0 | 1 => None,
            2 => Some(&scores[0]),
            _ => Some(&scores[1]),
        };
        let beside = floor.map_or(String::new(), |floor| {
            format!("{:.2} x {}", ratio(&score.middles, &floor.middles), floor.name)
        });
        let times = Times::of(score.times.clone());
        println!(
            "  {:<20}{:>9.0}{:>9.3}{:>9.3}{:>12.1}   {beside}",
            score.name,
            median(&score.rates),
            median(&score.middles) / MILLIS,
            times.p99 / MILLIS,
            times.longest / MILLIS
        );
    }
    let disk = ratio(&scores[2].middles, &scores[0].middles);
    let verdict = if disk <= GOAL_FILE { "reached" } else { "missed" };
    println!("  Goal for the file: p50 at most {GOAL_FILE} x the disk's: {disk:.2}, {verdict}.");
    println!("  p50 of each round, ms:");
    for score in scores {
        let middles: Vec<String> = score.middles.iter().map(|p50| format!("{:.3}", p50 / MILLIS)).collect();
        println!("    {:<20}{}", score.name, middles.join(" "));
    }
    rounds(scores, "per s");
}

pub(crate) fn reads(scores: &[Score], connections: usize) {
    println!(
        "\nHot reads, books and tickers: {connections} connections, on the processors that the load needs too"
    );
    println!("  {:<20}{:>9}{:>11}{:>9}{:>9}{:>9}", "", "reads/s", "of 1 node", "p50 ms", "p99 ms", "us each");
    for score in scores {
        let times = Times::of(score.times.clone());
        println!(
            "  {:<20}{:>9.0}{:>11.2}{:>9.2}{:>9.2}{:>9.1}",
            score.name,
            median(&score.rates),
            ratio(&score.rates, &scores[0].rates),
            median(&score.middles) / MILLIS,
            times.p99 / MILLIS,
            micros(score.spent.total()) / score.answers as f64
        );
    }
    println!(
        "  One machine has no more processors for two nodes than for one: this shows what sharing a log costs readers."
    );
    rounds(scores, "reads/s");
}

/// The median over the rounds of the ratio of two contestants.
fn ratio(ours: &[f64], theirs: &[f64]) -> f64 {
    let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect();
    median(&ratios)
}

fn cost(score: &Score) -> String {
    let each = |time| micros(time) / score.answers as f64;
    format!("{:.0} + {:.0}", each(score.spent.total()), each(score.database_spent))
}

fn rounds(scores: &[Score], unit: &str) {
    println!("  Each round, {unit}:");
    for score in scores {
        let rates: Vec<String> = score.rates.iter().map(|rate| format!("{rate:.0}")).collect();
        println!("    {:<20}{}", score.name, rates.join(" "));
    }
}

fn threads(scores: &[Score]) {
    println!("  Processor time by thread, us for each write:");
    for score in scores {
        let threads = score.spent.by_thread().into_iter();
        let each = threads.map(|(thread, time)| (thread, micros(time) / score.answers as f64));
        let shown: Vec<String> = each
            .filter(|(_, micros)| *micros >= 0.1)
            .map(|(thread, micros)| format!("{thread} {micros:.1}"))
            .collect();
        println!("    {:<20}{}", score.name, shown.join(", "));
    }
}
