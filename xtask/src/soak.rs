//! `cargo xtask soak [--minutes N] [--seed S] …`: random commands without end against the exchange.
//!
//! The test itself is in `crates/sim`, which also reads the options. When an invariant breaks it prints the seed
//! that leads there again.

use crate::process::{cargo, run as execute};

pub(crate) fn run(extra: &[String]) -> Result<(), String> {
    execute(&mut cargo(arguments(extra)))
}

fn arguments(extra: &[String]) -> Vec<&str> {
    let mut arguments = vec!["run", "--release", "--locked", "-p", "sim", "--", "soak"];
    arguments.extend(extra.iter().map(String::as_str));
    arguments
}

#[cfg(test)]
mod tests {
    #[test]
    fn options_go_to_the_simulator() {
        let extra = ["--seed".to_owned(), "7".to_owned()];
        let expected = ["run", "--release", "--locked", "-p", "sim", "--", "soak", "--seed", "7"];
        assert_eq!(super::arguments(&extra), expected);
    }
}
