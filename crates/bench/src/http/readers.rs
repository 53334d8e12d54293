//! The effect of wide history reads on trading: response times at a quarter of the maximum load, alone and with fifty
//! connections that request whole lists continuously.

use std::thread;
use std::time::Duration;

use crate::Problem;
use crate::requests::Reads;
use crate::rows::{Goal, Rows};
use crate::times::Times;

use super::race::Race;
use super::waiting::{open, paced};

const READERS: usize = 50;
const TURNS: u32 = 4;
const GOAL: Goal = Goal::AtMost(1.2);

pub(crate) fn measure(
    race: &mut Race<'_>,
    time: Duration,
    per_second: f64,
    rows: &mut Rows,
) -> Result<(), Problem> {
    let turn = time / (2 * TURNS);
    let (mut quiet, mut beside, mut reads) = (Vec::new(), Vec::new(), 0);
    for _ in 0..TURNS {
        quiet.extend(paced(race, per_second, turn)?);
        let mut readers = open(race, READERS)?;
        let mut script = Reads::new(race.stage.markets.iter().map(|market| market.wide.clone()));
        let reading = thread::spawn(move || -> Result<usize, std::io::Error> {
            Ok(readers.closed(&mut script, turn)?.answers)
        });
        beside.extend(paced(race, per_second, turn)?);
        reads += reading.join().map_err(|_| "the readers ended in a panic")??;
    }
    let (quiet, beside) = (Times::of(quiet), Times::of(beside));
    println!(
        "\nOrders beside {READERS} readers of whole lists: {per_second:.0} orders/s, {reads} pages read"
    );
    quiet.print("quiet");
    beside.print("beside");
    rows.add(
        &format!("orders beside {READERS} readers of whole lists, p99 / quiet"),
        beside.p99 / quiet.p99,
        "",
        GOAL,
    );
    Ok(())
}
