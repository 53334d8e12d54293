//! The bytes that history stores for an order. A running history shows them badly, because its files grow in steps, so
//! two nodes are stopped and compared: one after its setup, one after orders too.

use super::options::Options;
use super::with_race;
use crate::Problem;
use crate::rows::{Goal, Rows};

const GOAL: Goal = Goal::AtMost(250.0);

pub(crate) fn measure(options: &Options, rows: &mut Rows) -> Result<(), Problem> {
    let empty = with_race(options, |_, _| Ok(()))?;
    let full = with_race(options, |race, _| race.fill(options.share(10)))?;
    let (bytes, orders) = (full.history_bytes.saturating_sub(empty.history_bytes), full.seq - empty.seq);
    println!("History after a stop: {bytes} bytes for {orders} orders and cancels.");
    rows.add("history bytes per order", bytes as f64 / orders as f64, " B", GOAL);
    Ok(())
}
