//! Requests per second, ours and the floor in turns, and the processor time of each.
//!
//! Our turn ends when history has stored everything, so that no work is left for the floor's turn.

use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::runtime::Runtime;

use load::Problem;
use load::generator::{Generator, Load};
use load::processor::Spent;
use load::requests::{BATCH, Batches, Reads, Script, Singles};
use load::stage::{Served, Stage};
use load::times::{median, micros};

use super::CONNECTIONS;
use super::floor::{self, Bodies};

const ROUNDS: u32 = 6;

pub(crate) struct Race<'a> {
    runtime: &'a Runtime,
    pub(crate) stage: &'a Stage,
    pub(crate) ours: Served,
    floor: Served,
    next_key: u64,
    /// The sides that run: ours, then the floor.
    sides: Vec<bool>,
}

/// One side of a race.
#[derive(Default)]
struct Side {
    /// Requests per second of each round, and processor time per request.
    rates: Vec<f64>,
    costs: Vec<f64>,
    spent: Spent,
    answers: usize,
}

impl Side {
    fn add(&mut self, load: &Load, elapsed: Duration, spent: &Spent) {
        self.rates.push(load.answers as f64 / elapsed.as_secs_f64());
        self.costs.push(micros(spent.total()) / load.answers as f64);
        self.spent.add(spent);
        self.answers += load.answers;
    }
}

impl<'a> Race<'a> {
    pub(crate) fn new(
        runtime: &'a Runtime,
        stage: &'a Stage,
        ours: Served,
        side: Option<&str>,
    ) -> Result<Race<'a>, Problem> {
        let bodies = sample(stage, &ours)?;
        println!(
            "Answers: order {} B, cancel {} B, batch {} B, event {} B",
            bodies.place.len(),
            bodies.cancel.len(),
            bodies.batch.len(),
            bodies.event.len()
        );
        let floor = Served::start(runtime, floor::router(&stage.users, bodies))?;
        let takes_part = |is_ours: &bool| side.is_none_or(|side| (side == "ours") == *is_ours);
        let sides = [true, false].into_iter().filter(takes_part).collect();
        Ok(Race { runtime, stage, ours, floor, next_key: 1 << 32, sides })
    }

    pub(crate) fn end(self) -> Result<(), Problem> {
        self.ours.end(self.runtime)?;
        self.floor.end(self.runtime)
    }

    /// The first of a range of unused idempotency keys, enough for a round.
    pub(crate) fn fresh_keys(&mut self) -> u64 {
        self.next_key += 1 << 32;
        self.next_key
    }

    /// Measures single orders and returns our requests per second.
    pub(crate) fn singles(&mut self, time: Duration) -> Result<f64, Problem> {
        let (users, markets) = (self.stage.users.clone(), &self.stage.markets);
        let script = |key| Box::new(Singles::new(&users, markets, CONNECTIONS, key)) as Box<dyn Script>;
        self.run("Durable signed orders, one by one", 0.75, 1, time, script)
    }

    pub(crate) fn batches(&mut self, time: Duration) -> Result<f64, Problem> {
        let (users, markets) = (self.stage.users.clone(), &self.stage.markets);
        let script = |key| Box::new(Batches::new(&users, markets, CONNECTIONS, key)) as Box<dyn Script>;
        self.run("Durable signed orders, batches of 20", 0.55, BATCH, time, script)
    }

    pub(crate) fn reads(&mut self, time: Duration) -> Result<f64, Problem> {
        let markets = &self.stage.markets;
        let paths = || markets.iter().flat_map(|market| [&market.event, &market.hot[0], &market.hot[1]]);
        let script = |_| Box::new(Reads::new(paths().cloned())) as Box<dyn Script>;
        self.run("Hot reads: an event, a book, a ticker", 0.75, 1, time, script)
    }

    fn run(
        &mut self,
        title: &str,
        goal: f64,
        orders: usize,
        time: Duration,
        script: impl Fn(u64) -> Box<dyn Script>,
    ) -> Result<f64, Problem> {
        let turn = time / (self.sides.len() as u32 * ROUNDS);
        let (mut ours, mut floor) = (Side::default(), Side::default());
        for round in 0..=ROUNDS {
            for is_ours in self.sides.clone() {
                let address = if is_ours { self.ours.address } else { self.floor.address };
                let mut script = script(self.fresh_keys());
                let mut generator = Generator::connect(address, CONNECTIONS)?;
                let (before, start) = (Spent::now(), Instant::now());
                // The first round is a warm-up.
                let load = generator.closed(&mut *script, if round == 0 { turn / 4 } else { turn })?;
                self.stage.settle()?;
                let (elapsed, spent) = (start.elapsed(), Spent::now().since(&before));
                load.check()?;
                if round > 0 {
                    let side = if is_ours { &mut ours } else { &mut floor };
                    side.add(&load, elapsed, &spent);
                }
            }
        }
        print(title, goal, orders, &ours, &floor);
        Ok(median(&ours.rates))
    }
}

fn print(title: &str, goal: f64, orders: usize, ours: &Side, floor: &Side) {
    let ratios: Vec<f64> = ours.rates.iter().zip(&floor.rates).map(|(ours, floor)| ours / floor).collect();
    let costs: Vec<f64> = floor.costs.iter().zip(&ours.costs).map(|(floor, ours)| floor / ours).collect();
    println!("\n{title}");
    for (name, side) in [("ours", ours), ("floor", floor)] {
        let rounds: Vec<String> = side.rates.iter().map(|rate| format!("{rate:.0}")).collect();
        let rate = median(&side.rates);
        let of_orders =
            if orders > 1 { format!(" = {:.0} orders/s", rate * orders as f64) } else { String::new() };
        println!("  {name:<6}{rate:>8.0} requests/s{of_orders}   rounds {}", rounds.join(" "));
        let threads = side
            .spent
            .by_thread()
            .into_iter()
            .map(|(thread, time)| (thread, micros(time) / side.answers as f64));
        let threads: Vec<String> = threads
            .filter(|(_, micros)| *micros >= 0.05)
            .map(|(thread, micros)| format!("{thread} {micros:.1}"))
            .collect();
        println!("        {:>8.1} us of processor each: {}", median(&side.costs), threads.join(", "));
    }
    let (ratio, cost) = (median(&ratios), median(&costs));
    let verdict = if ratio >= goal { "reached" } else { "missed" };
    println!("  ratio {ratio:.3} of the floor, goal {goal}: {verdict}; by processor time {cost:.3}");
}

/// One response of each kind, for the floor to repeat.
fn sample(stage: &Stage, ours: &Served) -> Result<Bodies, Problem> {
    let mut singles = Singles::new(&stage.users, &stage.markets, 1, 1 << 16);
    let mut last = Vec::new();
    let mut bodies = Bodies::default();
    let mut generator = Generator::connect(ours.address, 1)?;
    for place in 0..8 {
        last = generator.once(&mut singles, &last)?;
        match place {
            0 => bodies.place = Bytes::from(last.clone()),
            7 => bodies.cancel = Bytes::from(last.clone()),
            _ => {}
        }
    }
    let mut batches = Batches::new(&stage.users, &stage.markets, 1, 2 << 16);
    bodies.batch = Bytes::from(generator.once(&mut batches, &[])?);
    generator.once(&mut batches, &[])?;
    let mut reads = Reads::new(stage.markets.iter().map(|market| market.event.clone()));
    bodies.event = Bytes::from(generator.once(&mut reads, &[])?);
    Ok(bodies)
}
