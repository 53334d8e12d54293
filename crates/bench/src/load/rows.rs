//! Results beside their goals, as rows of a Markdown table. `cargo xtask bench table` copies the rows into
//! docs/performance.md.

/// The value that a result must reach.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    AtLeast(f64),
    AtMost(f64),
    /// Measured without a goal.
    Unset,
}

impl Goal {
    pub fn is_reached_by(self, value: f64) -> bool {
        match self {
            Goal::AtLeast(goal) => value >= goal,
            Goal::AtMost(goal) => value <= goal,
            Goal::Unset => true,
        }
    }

    pub fn verdict(self, value: f64) -> &'static str {
        match self {
            Goal::Unset => "",
            _ if self.is_reached_by(value) => "reached",
            _ => "missed",
        }
    }
}

/// The results of a run, in the order in which they are added.
#[derive(Debug, Default)]
pub struct Rows(Vec<String>);

impl Rows {
    /// `unit` begins with a space, if there is one. A value that was not measured (NaN) gets no row.
    pub fn add(&mut self, name: &str, value: f64, unit: &str, goal: Goal) {
        if value.is_nan() {
            return;
        }
        let wanted = match goal {
            Goal::AtLeast(goal) => format!("≥ {goal}{unit}"),
            Goal::AtMost(goal) => format!("≤ {goal}{unit}"),
            Goal::Unset => String::new(),
        };
        let verdict = goal.verdict(value);
        self.0.push(format!("| {name} | {}{unit} | {wanted} | {verdict} |", short(value)));
    }

    pub fn print(&self) {
        if self.0.is_empty() {
            return;
        }
        println!("\n| | Measured | Goal | |\n|---|---|---|---|");
        self.0.iter().for_each(|row| println!("{row}"));
    }
}

/// Three significant digits, or all digits before the point.
pub fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 99.95 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Goal, Rows, short};

    #[test]
    fn a_row_names_value_goal_and_verdict() {
        let mut rows = Rows::default();
        rows.add("single orders / floor", 0.364, "", Goal::AtLeast(0.75));
        rows.add("history", 1_276.4, " B", Goal::AtMost(250.0));
        rows.add("allocations", 48.0, "", Goal::Unset);
        rows.add("not measured", f64::NAN, "", Goal::AtMost(1.0));
        let expected = [
            "| single orders / floor | 0.36 | ≥ 0.75 | missed |",
            "| history | 1276 B | ≤ 250 B | missed |",
            "| allocations | 48.0 |  |  |",
        ];
        assert_eq!(rows.0, expected);
        assert!(Goal::AtMost(5.0).is_reached_by(5.0) && !Goal::AtLeast(5.0).is_reached_by(4.9));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.364, 9.996, 47.04, 99.96, 1_276.4].map(short), ["0.36", "10.0", "47.0", "100", "1276"]);
    }
}
