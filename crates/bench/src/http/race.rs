//! Requests per second, ours and the floor in turns, and what each uses: processor time, context switches, calls, bytes.
//!
//! Our turn ends when history has stored everything, so that no work is left for the floor's turn.

use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::runtime::Runtime;

use crate::Problem;
use crate::allocations::Allocations;
use crate::counts::Counts;
use crate::frames::{FrameReader, FrameSizes};
use crate::generator::{Generator, Load};
use crate::processor::Spent;
use crate::requests::{BATCH, Batches, Reads, Script, Singles};
use crate::rows::{Goal, Rows};
use crate::stage::{Served, Stage};
use crate::times::{median, micros};

use super::CONNECTIONS;
use super::floor::{self, Bodies};
use super::usage;

const ROUNDS: u32 = 6;

pub(crate) struct Race<'a> {
    runtime: &'a Runtime,
    pub(crate) stage: &'a Stage,
    pub(crate) ours: Served,
    floor: Served,
    /// The journal of the stage.
    pub(crate) journal: FrameReader,
    next_key: u64,
    /// The sides that run: ours, then the floor.
    sides: Vec<bool>,
}

/// One kind of requests.
struct Part {
    title: &'static str,
    /// The name in the table of results.
    name: &'static str,
    orders: usize,
    goal: Goal,
    processor_goal: Goal,
}

const SINGLES: Part = Part {
    title: "Durable signed orders, one by one",
    name: "single orders",
    orders: 1,
    goal: Goal::AtLeast(0.75),
    processor_goal: Goal::AtLeast(0.8),
};
const BATCHES: Part = Part {
    title: "Durable signed orders, batches of 20",
    name: "batches of 20",
    orders: BATCH,
    goal: Goal::AtLeast(0.5),
    processor_goal: Goal::Unset,
};
const READS: Part = Part {
    title: "Hot reads: an event, a book, a ticker",
    name: "hot reads",
    orders: 0,
    goal: Goal::AtLeast(0.95),
    processor_goal: Goal::Unset,
};

/// One side of a race.
#[derive(Default)]
struct Side {
    /// Requests per second of each round, and processor time per request.
    rates: Vec<f64>,
    costs: Vec<f64>,
    spent: Spent,
    counts: Counts,
    journal: FrameSizes,
    answers: usize,
}

impl Side {
    fn add(&mut self, load: &Load, elapsed: Duration, spent: &Spent, counts: &Counts) {
        self.rates.push(load.answers as f64 / elapsed.as_secs_f64());
        self.costs.push(micros(spent.total()) / load.answers as f64);
        self.spent.add(spent);
        self.counts.add(counts);
        self.answers += load.answers;
    }
}

impl<'a> Race<'a> {
    /// `folder` is the data folder of the stage.
    pub(crate) fn new(
        runtime: &'a Runtime,
        stage: &'a Stage,
        folder: &Path,
        ours: Served,
        side: Option<&str>,
    ) -> Result<Race<'a>, Problem> {
        let bodies = sample(stage, &ours)?;
        let floor = Served::start(runtime, floor::router(&stage.users, bodies))?;
        let takes_part = |is_ours: &bool| side.is_none_or(|side| (side == "ours") == *is_ours);
        let sides = [true, false].into_iter().filter(takes_part).collect();
        let journal = FrameReader::new(folder);
        Ok(Race { runtime, stage, ours, floor, journal, next_key: 1 << 32, sides })
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
    pub(crate) fn singles(&mut self, time: Duration, rows: &mut Rows) -> Result<f64, Problem> {
        self.run(&SINGLES, time, rows)
    }

    pub(crate) fn batches(&mut self, time: Duration, rows: &mut Rows) -> Result<f64, Problem> {
        self.run(&BATCHES, time, rows)
    }

    pub(crate) fn reads(&mut self, time: Duration, rows: &mut Rows) -> Result<f64, Problem> {
        self.run(&READS, time, rows)
    }

    fn script(&mut self, part: &Part) -> Box<dyn Script> {
        let (key, users, markets) = (self.fresh_keys(), &self.stage.users, &self.stage.markets);
        match part.orders {
            0 => {
                let paths = markets.iter().flat_map(|market| [&market.event, &market.hot[0], &market.hot[1]]);
                Box::new(Reads::new(paths.cloned()))
            }
            1 => Box::new(Singles::new(users, markets, CONNECTIONS, key)),
            _ => Box::new(Batches::new(users, markets, CONNECTIONS, key)),
        }
    }

    fn run(&mut self, part: &Part, time: Duration, rows: &mut Rows) -> Result<f64, Problem> {
        let turn = time / (self.sides.len() as u32 * ROUNDS);
        let (mut ours, mut floor) = (Side::default(), Side::default());
        for round in 0..=ROUNDS {
            for is_ours in self.sides.clone() {
                let address = if is_ours { self.ours.address } else { self.floor.address };
                let mut script = self.script(part);
                let mut generator = Generator::connect(address, CONNECTIONS)?;
                self.journal.advance()?;
                let (spent, counts, start) = (Spent::now(), Counts::now(), Instant::now());
                // The first round is a warm-up.
                let load = generator.closed(&mut *script, if round == 0 { turn / 4 } else { turn })?;
                self.stage.settle()?;
                let elapsed = start.elapsed();
                let (spent, counts) = (Spent::now().since(&spent), Counts::now().since(&counts));
                load.check()?;
                if round > 0 {
                    let side = if is_ours { &mut ours } else { &mut floor };
                    side.add(&load, elapsed, &spent, &counts);
                    side.journal.add(&self.journal.advance()?);
                }
            }
        }
        print(part, &ours, &floor, rows);
        Ok(median(&ours.rates))
    }

    /// Sends single orders to our side for this long, without measuring.
    pub(crate) fn fill(&mut self, time: Duration) -> Result<(), Problem> {
        let mut script = self.script(&SINGLES);
        Generator::connect(self.ours.address, CONNECTIONS)?.closed(&mut *script, time)?.check()
    }

    /// Prints the allocations of both sides.
    pub(crate) fn count(&mut self, part: &str, time: Duration) -> Result<(), Problem> {
        let part = match part {
            "single" => SINGLES,
            "batch" => BATCHES,
            _ => READS,
        };
        println!("{}: allocations, with those of the load", part.title);
        for is_ours in self.sides.clone() {
            let address = if is_ours { self.ours.address } else { self.floor.address };
            let mut generator = Generator::connect(address, CONNECTIONS)?;
            let turn = time / self.sides.len() as u32;
            let mut script = self.script(&part);
            // Fills buffers and caches.
            generator.closed(&mut *script, turn / 4)?.check()?;
            self.stage.settle()?;
            let before = Allocations::now();
            let load = generator.closed(&mut *script, turn * 3 / 4)?;
            self.stage.settle()?;
            let counted = Allocations::now().since(&before);
            load.check()?;
            let (name, answers) = (if is_ours { "ours" } else { "floor" }, load.answers as f64);
            let (count, bytes) = (counted.count as f64 / answers, counted.bytes as f64 / answers);
            println!("  {name:<6}{count:>8.1} allocations each, of {bytes:.0} bytes together");
        }
        Ok(())
    }
}

fn print(part: &Part, ours: &Side, floor: &Side, rows: &mut Rows) {
    let ratios: Vec<f64> = ours.rates.iter().zip(&floor.rates).map(|(ours, floor)| ours / floor).collect();
    let costs: Vec<f64> = floor.costs.iter().zip(&ours.costs).map(|(floor, ours)| floor / ours).collect();
    println!("\n{}", part.title);
    for (name, side) in [("ours", ours), ("floor", floor)].into_iter().filter(|(_, side)| side.answers > 0) {
        print_side(name, part, side);
    }
    let (ratio, cost) = (median(&ratios), median(&costs));
    println!("  ratio {ratio:.3} of the floor; by processor time {cost:.3}");
    rows.add(&format!("{} / floor", part.name), ratio, "", part.goal);
    rows.add(&format!("{} / floor, by processor time", part.name), cost, "", part.processor_goal);
    if part.orders == 1 {
        let each = |count: u64| count as f64 / ours.answers as f64;
        rows.add("journal bytes per order", each(ours.journal.bytes()), " B", Goal::Unset);
        rows.add("context switches per order", each(ours.counts.switches()), "", Goal::Unset);
    }
}

fn print_side(name: &str, part: &Part, side: &Side) {
    let rounds: Vec<String> = side.rates.iter().map(|rate| format!("{rate:.0}")).collect();
    let rate = median(&side.rates);
    let of_orders =
        if part.orders > 1 { format!(" = {:.0} orders/s", rate * part.orders as f64) } else { String::new() };
    println!("  {name:<6}{rate:>8.0} requests/s{of_orders}   rounds {}", rounds.join(" "));
    let answers = side.answers as f64;
    let threads = side.spent.by_thread().into_iter().map(|(thread, time)| (thread, micros(time) / answers));
    let threads: Vec<String> = threads
        .filter(|(_, micros)| *micros >= 0.05)
        .map(|(thread, micros)| format!("{thread} {micros:.1}"))
        .collect();
    println!("        {:>8.1} us of processor each: {}", median(&side.costs), threads.join(", "));
    usage::print(&side.counts, answers);
    if name == "ours" && part.orders > 0 {
        usage::print_journal(&side.journal, answers);
    }
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
