//! Messages per second, ours and the floor's in turns. Paced: the next message is sent when all readers have the last
//! one, so messages cannot be combined. Backlog: hundreds are sent at once, and a server may combine several in one
//! write.

use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use load::processor::Spent;
use load::rows::{Goal, Rows};
use load::times::median;
use tokio::runtime::Runtime;

use crate::Problem;
use crate::crowd::{Crowd, Wanted};
use crate::floor::Floor;
use crate::stage::Stage;

const ROUNDS: u32 = 5;
/// Messages sent at once; fewer than a reader's queue holds.
const BACKLOG: u64 = 1_000;
const PACED_GOAL: Goal = Goal::AtLeast(0.9);
const BACKLOG_GOAL: Goal = Goal::AtLeast(7.0);
const PATH: &str = "/ws/v1/markets";

/// Both sides with their readers.
struct Race<'a> {
    stage: &'a mut Stage,
    ours: Crowd,
    floor: Floor,
    theirs: Crowd,
    message: Utf8Bytes,
}

pub(crate) fn measure(
    runtime: &Runtime,
    stage: &mut Stage,
    readers: usize,
    time: Duration,
    rows: &mut Rows,
) -> Result<(), Problem> {
    let floor = Floor::start(runtime)?;
    let message = sample(stage)?;
    let wanted = Wanted {
        address: stage.address,
        path: PATH,
        subscription: Stage::subscription(),
        readers,
        stalled: 0,
        is_timed: false,
    };
    let ours = Crowd::gather(&wanted)?;
    let theirs =
        Crowd::gather(&Wanted { address: floor.address, path: "/", subscription: String::new(), ..wanted })?;
    println!("\n{readers} readers, messages of {} bytes", message.len());
    let mut race = Race { stage, ours, floor, theirs, message };
    let turn = time / (2 * ROUNDS);
    let name = |kind: &str| format!("streams {kind}, {readers} readers / per-message ceiling");
    let ratio = race.run("Paced, one message at a time", turn, 1)?;
    rows.add(&name("paced"), ratio, "", PACED_GOAL);
    let ratio = race.run(&format!("Backlog, {BACKLOG} messages at once"), turn, BACKLOG)?;
    rows.add(&name("with a backlog"), ratio, "", BACKLOG_GOAL);
    race.ours.leave()?;
    race.theirs.leave()?;
    race.floor.end();
    Ok(())
}

impl Race<'_> {
    /// Returns our messages per second as a ratio of the floor's.
    fn run(&mut self, title: &str, turn: Duration, at_once: u64) -> Result<f64, Problem> {
        let (mut ours, mut floor) = (Side::default(), Side::default());
        for round in 0..=ROUNDS {
            // The first round is a warm-up.
            let turn = if round == 0 { turn / 4 } else { turn };
            let rates = (self.ours(turn, at_once)?, self.floor(turn, at_once)?);
            if round > 0 {
                ours.add(rates.0);
                floor.add(rates.1);
            }
        }
        let quotients = |over: &[f64], under: &[f64]| {
            median(&over.iter().zip(under).map(|(over, under)| over / under).collect::<Vec<f64>>())
        };
        println!("  {title}");
        for (name, side) in [("ours", &ours), ("floor", &floor)] {
            let rounds: Vec<String> =
                side.rates.iter().map(|rate| format!("{:.0}", rate / 1_000.0)).collect();
            let (rate, cost) = (median(&side.rates), median(&side.costs));
            println!("    {name:<6}{rate:>10.0} messages/s   rounds, thousands: {}", rounds.join(" "));
            println!("          {cost:>10.2} us of the server's processor each");
        }
        let (ratio, cost) = (quotients(&ours.rates, &floor.rates), quotients(&floor.costs, &ours.costs));
        println!("    ratio {ratio:.2} of one call each; by processor time {cost:.2}");
        Ok(ratio)
    }

    fn ours(&mut self, turn: Duration, at_once: u64) -> Result<Turn, Problem> {
        let mut measured = Turn::begin();
        while measured.start.elapsed() < turn {
            self.stage.trade(at_once)?;
            self.ours.wait_for(at_once)?;
            measured.messages += at_once * self.ours.reading;
        }
        Ok(measured.end())
    }

    fn floor(&mut self, turn: Duration, at_once: u64) -> Result<Turn, Problem> {
        let mut measured = Turn::begin();
        while measured.start.elapsed() < turn {
            for _ in 0..at_once {
                self.floor.publish(&self.message)?;
            }
            self.theirs.wait_for(at_once)?;
            measured.messages += at_once * self.theirs.reading;
        }
        Ok(measured.end())
    }
}

/// One turn of a side.
struct Turn {
    start: Instant,
    before: Spent,
    messages: u64,
    rate: f64,
    /// Microseconds of this process's processor time per message.
    cost: f64,
}

impl Turn {
    fn begin() -> Turn {
        Turn { start: Instant::now(), before: Spent::now(), messages: 0, rate: 0.0, cost: 0.0 }
    }

    fn end(mut self) -> Turn {
        let messages = self.messages as f64;
        self.rate = messages / self.start.elapsed().as_secs_f64();
        self.cost = Spent::now().since(&self.before).total().as_secs_f64() * 1e6 / messages;
        self
    }
}

#[derive(Default)]
struct Side {
    rates: Vec<f64>,
    costs: Vec<f64>,
}

impl Side {
    fn add(&mut self, turn: Turn) {
        self.rates.push(turn.rate);
        self.costs.push(turn.cost);
    }
}

/// One of our messages, for the floor to repeat.
fn sample(stage: &mut Stage) -> Result<Utf8Bytes, Problem> {
    let mut one = crate::readers::Single::enter(stage.address, PATH, &Stage::subscription())?;
    stage.trade(1)?;
    Ok(Utf8Bytes::from(one.text()?))
}
