//! The table of all forms, the longest ones and those above their bounds.

use std::time::Duration;

use load::rows::{Goal, Rows};

use crate::forms::Work;
use crate::lookups::Looked;
use crate::measuring::Measured;

/// What every command may take.
pub const BASE: Duration = Duration::from_millis(2);
/// For each fill, cancelled order or paid position, and for each other thing that a form counts.
const UNIT: Duration = Duration::from_nanos(4_000);
/// 50 ms for 100,000 holders of one market.
const PAID: Duration = Duration::from_nanos(500);
/// 250 ms for 200,000 orders that expire at one instant.
const EXPIRED: Duration = Duration::from_nanos(1_250);

/// For a read, which holds the lock of the state as long.
const LOOK: Duration = Duration::from_micros(200);

/// A form, its time and its bound.
#[derive(Debug)]
pub struct Row {
    pub command: &'static str,
    pub form: &'static str,
    pub units: String,
    pub count: u32,
    pub median: Duration,
    pub longest: Duration,
    pub bound: Duration,
}

impl Row {
    pub fn of(measured: &Measured) -> Row {
        let effects = measured.effects;
        let units = u32::try_from(effects.units()).expect("fewer units than orders");
        let (count, bound) = match measured.form.work {
            Work::Nothing => (units, BASE),
            Work::Units => (units, BASE + UNIT * units),
            Work::Items(_, items) => (items + units, BASE + UNIT * (items + units)),
            Work::Settling => (units, BASE.max(PAID * units)),
            Work::Expiring => (units, BASE.max(EXPIRED * units)),
            Work::CancellingAll => (units, BASE.max(UNIT * units)),
        };
        let named = [(effects.fills, "fills"), (effects.cancelled, "cancelled"), (effects.paid, "paid")];
        let named = named.iter().filter(|(count, _)| *count > 0);
        let mut units: Vec<String> = named.map(|(count, name)| format!("{count} {name}")).collect();
        if let Work::Items(name, items) = measured.form.work {
            units.insert(0, format!("{items} {name}"));
        }
        let mut times = measured.times.clone();
        times.sort_unstable();
        Row {
            command: measured.form.request.command.name(),
            form: measured.form.name,
            units: if units.is_empty() { String::from("none") } else { units.join(", ") },
            count,
            median: times[times.len() / 2],
            longest: times[times.len() - 1],
            bound,
        }
    }

    pub fn is_missed(&self) -> bool {
        self.median > self.bound
    }

    /// The part of the bound that it takes.
    pub fn share(&self) -> f64 {
        self.median.as_secs_f64() / self.bound.as_secs_f64()
    }

    fn print(&self) {
        let each = match self.count {
            0 => String::from("–"),
            count => format!("{:.2}", micros(self.median) / f64::from(count)),
        };
        let verdict = if self.is_missed() { "MISSED" } else { "ok" };
        println!(
            "  {:<22} {:<56} {:>9.0} {:>9.0} {each:>7} {:>9.0} {verdict:<6} {}",
            self.command,
            self.form,
            micros(self.median),
            micros(self.longest),
            micros(self.bound),
            self.units
        );
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn heading(text: &str) {
    println!("\n{text}\n");
    println!(
        "  {:<22} {:<56} {:>9} {:>9} {:>7} {:>9}        units",
        "command", "form", "median us", "longest", "each", "bound"
    );
}

pub fn print(mut rows: Vec<Row>, all: bool) -> Vec<Row> {
    rows.sort_by(|one, other| other.share().total_cmp(&one.share()));
    if all {
        heading("All forms, those that take most of their bound first:");
        rows.iter().for_each(Row::print);
    }
    heading("The ten forms that take most of their bound:");
    rows.iter().take(10).for_each(Row::print);
    let missed: Vec<&Row> = rows.iter().filter(|row| row.is_missed()).collect();
    if !missed.is_empty() {
        heading(&format!("{} forms above their bounds:", missed.len()));
        missed.into_iter().for_each(Row::print);
    }
    rows
}

fn print_look(looked: &Looked) {
    let verdict = if looked.median > LOOK { "MISSED" } else { "ok" };
    let (median, longest) = (micros(looked.median), micros(looked.longest));
    println!("  {:<68} {median:>9.1} {longest:>9.1} {verdict}", looked.name);
}

pub fn print_looks(mut looks: Vec<Looked>, all: bool) -> Vec<Looked> {
    looks.sort_by_key(|looked| std::cmp::Reverse(looked.median));
    let shown = if all { looks.len() } else { 10 };
    println!("\nThe reads that hold the lock longest; at most {} us:\n", LOOK.as_micros());
    println!("  {:<68} {:>9} {:>9}", "read", "median us", "longest");
    looks.iter().take(shown).for_each(print_look);
    looks
}

/// Rows of the table of results: the worst form of all, and the worst read.
pub fn worst(rows: &[Row], looks: &[Looked]) -> Rows {
    let mut table = Rows::default();
    if let Some(row) = rows.first() {
        let name = format!(
            "dearest of {} forms of commands, of its bound: {}, {}",
            rows.len(),
            row.command,
            row.form
        );
        table.add(&name, row.share(), "", Goal::AtMost(1.0));
    }
    let bound = micros(LOOK);
    if let Some(looked) = looks.first() {
        let name =
            format!("longest look of {} reads in the world of the goals, {}", looks.len(), looked.name);
        table.add(&name, micros(looked.median), " µs", Goal::AtMost(bound));
    }
    table
}
