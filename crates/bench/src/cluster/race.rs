//! The turns: every contestant gets one per round, so that disturbances of the machine affect all of them. The order
//! changes with each round, so that leftover disk work does not always affect the same contestant.

use std::time::{Duration, Instant};

use load::Problem;
use load::disk::Raw;
use load::generator::Generator;
use load::processor::Spent;
use load::random::Random;
use load::requests::{Reads, Singles};
use load::times::Times;
use tokio::runtime::{Builder, Runtime};

use crate::contestant::{Contestant, Progress};
use crate::database::{Database, Floor};
use crate::options::RaceOptions;
use crate::report;

/// Related requests of one user, see `requests.rs`: no order is left far from the market.
const TURN_REQUESTS: usize = 8;

/// The disk and PostgreSQL without our code.
const FLOORS: [&str; 2] = ["disk, fdatasync", "PostgreSQL, INSERT"];

/// The results of a contestant in one part.
#[derive(Debug, Default)]
pub(crate) struct Score {
    pub(crate) name: &'static str,
    /// Requests per second of each round.
    pub(crate) rates: Vec<f64>,
    /// The times of all rounds together, and the median of each round: a quiet round has more times and would outweigh
    /// the others.
    pub(crate) times: Vec<Duration>,
    pub(crate) middles: Vec<f64>,
    pub(crate) answers: usize,
    pub(crate) done: Progress,
    /// How often a frame was offered to the log, successfully or not. `None` for a single writer.
    pub(crate) offers: Option<u64>,
    pub(crate) spent: Spent,
    pub(crate) database_spent: Duration,
}

impl Score {
    pub(crate) fn named(name: &'static str) -> Score {
        Score { name, ..Score::default() }
    }

    fn add(&mut self, per_second: f64, times: Vec<Duration>) {
        self.rates.push(per_second);
        self.middles.push(Times::of(times.clone()).p50);
        self.answers += times.len();
        self.times.extend(times);
    }
}

pub(crate) fn run(options: &RaceOptions) -> Result<(), Problem> {
    let began = Instant::now();
    let folder = tempfile::tempdir()?;
    let runtime = Builder::new_multi_thread().enable_all().thread_name("worker").build()?;
    let database = Database::start(options.standby);
    println!("{}", database.describe());
    eprintln!("Setting the stage…");
    let contestants = contestants(&runtime, &database, folder.path())?;
    println!(
        "Load, nodes and PostgreSQL share {} processors. Only ratios within this run count.",
        std::thread::available_parallelism()?
    );
    let mut race = Race { database, contestants, options, next_key: 1 << 32 };
    // Half of the time is for writes, a third for waiting, the rest for reads; a single part gets all of it.
    let time = |part: &str, hundredths: u32| {
        let hundredths = if options.only.as_deref() == Some(part) { 100 } else { hundredths };
        Duration::from_secs(u64::from(options.seconds)) * hundredths / 100
    };
    if options.wants("writes") {
        report::writes(&race.writes(time("writes", 55))?, options.connections);
    }
    if options.wants("waiting") {
        let raw = Raw::new(&folder.path().join("raw"))?;
        report::waiting(&race.waiting(raw, time("waiting", 30))?);
    }
    if options.wants("reads") {
        report::reads(&race.reads(time("reads", 15))?, options.connections);
    }
    eprintln!("Stopping…");
    println!("\nAt the end");
    for contestant in race.contestants {
        contestant.end(&runtime)?;
    }
    runtime.shutdown_timeout(Duration::from_secs(5));
    println!("Took {:.0} s in all.", began.elapsed().as_secs_f64());
    Ok(())
}

fn contestants(
    runtime: &Runtime,
    database: &Database,
    folder: &std::path::Path,
) -> Result<Vec<Contestant>, Problem> {
    let mut contestants = vec![Contestant::alone(runtime, "file, 1 node", &folder.join("file"))?];
    for (name, nodes) in [("PostgreSQL, 1 node", 1), ("PostgreSQL, 2 nodes", 2), ("PostgreSQL, 3 nodes", 3)] {
        let (log, settings) = database.log();
        let folder = folder.join(nodes.to_string());
        contestants.push(Contestant::sharing(runtime, name, &folder, (log, &settings), nodes)?);
    }
    Ok(contestants)
}

struct Race<'a> {
    database: Database,
    contestants: Vec<Contestant>,
    options: &'a RaceOptions,
    next_key: u64,
}

impl Race<'_> {
    /// The first of a range of unused idempotency keys, enough for a turn.
    fn fresh_keys(&mut self) -> u64 {
        self.next_key += 1 << 32;
        self.next_key
    }

    fn scores(&self) -> Vec<Score> {
        self.contestants.iter().map(|contestant| Score::named(contestant.name)).collect()
    }

    /// Single orders on many connections at full speed, spread evenly over a contestant's nodes.
    fn writes(&mut self, time: Duration) -> Result<Vec<Score>, Problem> {
        let mut scores = self.scores();
        let (rounds, connections) = (self.options.rounds, self.options.connections);
        let turn = time / (rounds * scores.len() as u32);
        for round in 0..=rounds {
            progress("writes", round, rounds);
            for index in order(round, scores.len()) {
                let (score, keys) = (&mut scores[index], self.fresh_keys());
                let contestant = &self.contestants[index];
                let mut script = Singles::new(&contestant.users, &contestant.markets, connections, keys);
                let mut generator = Generator::spread(&contestant.addresses(), connections)?;
                let before = Counted::now(&self.database, contestant);
                let start = Instant::now();
                // The first round is a warm-up.
                let load = generator.timed(&mut script, if round == 0 { turn / 4 } else { turn })?;
                contestant.settle()?;
                let elapsed = start.elapsed();
                load.check()?;
                if round > 0 {
                    score.add(load.answers as f64 / elapsed.as_secs_f64(), load.times);
                    before.add_to(score, &self.database, contestant);
                }
            }
        }
        Ok(scores)
    }

    /// One writer that waits for each response, at the first node; the floors take turns with it.
    fn waiting(&mut self, mut raw: Raw, time: Duration) -> Result<Vec<Score>, Problem> {
        let mut scores = self.scores();
        scores.splice(0..0, FLOORS.map(Score::named));
        let mut floor: Floor = self.database.floor()?;
        let rounds = self.options.rounds;
        let turn = time / (rounds * scores.len() as u32);
        for round in 0..=rounds {
            progress("waiting", round, rounds);
            let turn = if round == 0 { turn / 4 } else { turn };
            for index in order(round, scores.len()) {
                let keys = self.fresh_keys();
                let times = match index {
                    0 => raw.measure(turn)?,
                    1 => floor.measure(turn)?,
                    _ => one_by_one(&self.contestants[index - FLOORS.len()], keys, turn)?,
                };
                if round > 0 {
                    let sum: Duration = times.iter().sum();
                    scores[index].add(times.len() as f64 / sum.as_secs_f64(), times);
                }
            }
        }
        Ok(scores)
    }

    /// Books and tickers at full speed, from one node and from two.
    fn reads(&mut self, time: Duration) -> Result<Vec<Score>, Problem> {
        let readers = &self.contestants[1..3];
        let mut scores: Vec<_> = readers.iter().map(|contestant| Score::named(contestant.name)).collect();
        let (rounds, connections) = (self.options.rounds, self.options.connections);
        let turn = time / (rounds * scores.len() as u32);
        for round in 0..=rounds {
            progress("reads", round, rounds);
            for index in order(round, scores.len()) {
                let (contestant, score) = (&readers[index], &mut scores[index]);
                let paths = contestant.markets.iter().flat_map(|market| market.hot.iter().cloned());
                let mut script = Reads::new(paths);
                let mut generator = Generator::spread(&contestant.addresses(), connections)?;
                let before = Spent::now();
                let load = generator.timed(&mut script, if round == 0 { turn / 4 } else { turn })?;
                load.check()?;
                if round > 0 {
                    score.add(load.answers as f64 / load.elapsed.as_secs_f64(), load.times);
                    score.spent.add(&Spent::now().since(&before));
                }
            }
        }
        Ok(scores)
    }
}

/// The order of the contestants in a round.
fn order(round: u32, count: usize) -> Vec<usize> {
    let mut random = Random::new(u64::from(round));
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, random.below(last as u32 + 1) as usize);
    }
    order
}

fn progress(part: &str, round: u32, rounds: u32) {
    eprintln!("{part}: round {round} of {rounds}{}", if round == 0 { ", warm-up" } else { "" });
}

fn one_by_one(contestant: &Contestant, keys: u64, time: Duration) -> Result<Vec<Duration>, Problem> {
    let mut script = Singles::new(&contestant.users, &contestant.markets, 1, keys);
    let mut generator = Generator::connect(contestant.addresses()[0], 1)?;
    let (mut times, mut last) = (Vec::new(), Vec::new());
    let start = Instant::now();
    while start.elapsed() < time || !times.len().is_multiple_of(TURN_REQUESTS) {
        let asked = Instant::now();
        last = generator.once(&mut script, &last)?;
        times.push(asked.elapsed());
    }
    contestant.settle()?;
    Ok(times)
}

/// The counters at the start of a turn.
struct Counted {
    progress: Progress,
    offers: Option<u64>,
    spent: Spent,
    database_spent: Duration,
}

impl Counted {
    fn now(database: &Database, contestant: &Contestant) -> Counted {
        Counted {
            progress: contestant.progress(),
            offers: contestant.database.as_ref().map(|name| database.offers(name)),
            database_spent: database.spent(),
            spent: Spent::now(),
        }
    }

    /// Adds the difference since then to a score.
    fn add_to(&self, score: &mut Score, database: &Database, contestant: &Contestant) {
        score.spent.add(&Spent::now().since(&self.spent));
        score.database_spent += database.spent().saturating_sub(self.database_spent);
        score.done.add(&contestant.progress().since(&self.progress));
        let offers = contestant.database.as_ref().map(|name| database.offers(name));
        if let (Some(now), Some(before)) = (offers, self.offers) {
            *score.offers.get_or_insert(0) += now - before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn every_candidate_has_one_turn_in_a_round_and_the_order_changes() {
        let orders: Vec<Vec<usize>> = (0..6).map(|round| order(round, 6)).collect();
        for order in &orders {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
        }
        assert!(orders.iter().any(|order| *order != orders[0]));
    }
}
