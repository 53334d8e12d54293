//! All sizes on one page: a Markdown table, each figure with its ratio to the base, and the memory of one more person,
//! event or order.

use super::child::Figures;
use super::sizes::{Dimensions, Sizes};
use crate::Problem;
use crate::rows::{Goal, Rows, short};

/// The columns after the dimensions: title and figure.
const COLUMNS: [(&str, &str); 9] = [
    ("order, µs", "order_us"),
    ("read, µs", "read_us"),
    ("heap, MiB", "heap_mib"),
    ("state, MiB", "state_mib"),
    ("node, MiB", "node_mib"),
    ("snapshot, MB", "snapshot_mb"),
    ("encode, ms", "encode_ms"),
    ("decode, ms", "decode_ms"),
    ("start, s", "start_s"),
];

/// Goals for the heap bytes of one more person, event and resting order.
const PERSON_GOAL: Goal = Goal::AtMost(700.0);
const EVENT_GOAL: Goal = Goal::AtMost(3_072.0);
const ORDER_GOAL: Goal = Goal::AtMost(250.0);

pub(crate) fn run(sizes: &Sizes) -> Result<(), Problem> {
    let titles: Vec<&str> = COLUMNS.iter().map(|(title, _)| *title).collect();
    println!("| people | events | resting orders | {} |", titles.join(" | "));
    println!("|{}", "---|".repeat(3 + COLUMNS.len()));
    let mut measured: Vec<(Dimensions, Figures)> = Vec::new();
    let mut skipped = Vec::new();
    for dimensions in sizes.all() {
        if let Some(why) = dimensions.does_not_fit()? {
            skipped.push(format!("Skipped: {}: {why}.", dimensions.describe()));
            continue;
        }
        let figures = Figures::measure(dimensions)?;
        let base = measured.first().map(|(_, figures)| figures);
        println!("{}", row(&dimensions, &figures, base));
        measured.push((dimensions, figures));
    }
    skipped.iter().for_each(|line| println!("\n{line}"));
    marginal(&measured).print();
    println!(
        "\nIn brackets: the ratio to the first line. Order: processor time in memory, without journal and HTTP. \
         Read: an event, a book or a ticker inside the process, median. Heap and state: the state alone; node: with \
         everything. Start: until the node accepts requests."
    );
    Ok(())
}

fn row(dimensions: &Dimensions, figures: &Figures, base: Option<&Figures>) -> String {
    let cells: Vec<String> =
        COLUMNS.iter().map(|(_, name)| cell(figures.get(name), base.map(|base| base.get(name)))).collect();
    let Dimensions { people, events, orders, .. } = dimensions;
    format!("| {people} | {events} | {orders} | {} |", cells.join(" | "))
}

fn cell(value: f64, base: Option<f64>) -> String {
    match base {
        _ if value.is_nan() => "not measured".to_owned(),
        Some(base) => format!("{} ({} ×)", short(value), short(value / base)),
        None => short(value),
    }
}

/// Heap bytes of one more person, event and order: from the largest size of each dimension and the base.
fn marginal(measured: &[(Dimensions, Figures)]) -> Rows {
    let mut rows = Rows::default();
    let Some((base, smallest)) = measured.first() else { return rows };
    let mut add = |name: &str, goal, count: fn(&Dimensions) -> u32, others: fn(&Dimensions) -> (u32, u32)| {
        let grown = measured
            .iter()
            .rev()
            .find(|(dimensions, _)| count(dimensions) > count(base) && others(dimensions) == others(base));
        if let Some((dimensions, figures)) = grown {
            let bytes = (figures.get("heap_mib") - smallest.get("heap_mib")) * f64::from(1 << 20);
            rows.add(name, bytes / f64::from(count(dimensions) - count(base)), " B", goal);
        }
    };
    add("heap of one more person", PERSON_GOAL, |size| size.people, |size| (size.events, size.orders));
    add("heap of one more event", EVENT_GOAL, |size| size.events, |size| (size.people, size.orders));
    add("heap of one more resting order", ORDER_GOAL, |size| size.orders, |size| (size.people, size.events));
    rows
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn a_cell_names_its_growth() {
        assert_eq!(cell(3.0, None), "3.00");
        assert_eq!(cell(3.0, Some(2.0)), "3.00 (1.50 ×)");
        assert_eq!(cell(f64::NAN, Some(2.0)), "not measured");
    }
}
