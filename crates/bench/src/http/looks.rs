//! The longest time that a read held the state's lock. A long one delays every order behind it.

use server::app::App;

use crate::rows::{Goal, Rows};
use crate::times::micros;

const GOAL_MICROS: f64 = 200.0;

pub(crate) fn report(app: &App, rows: &mut Rows) {
    let longest = app.reading().shared().longest_read();
    rows.add("longest look", micros(longest), " µs", Goal::AtMost(GOAL_MICROS));
}
