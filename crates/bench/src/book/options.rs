//! The options of `bench book`.

use std::path::PathBuf;

pub(crate) const HELP: &str = "\
The matching core: ours, a bare ladder and the peers from crates.io, in turns.

Usage: bench book [OPTIONS]

Options:
  --ops FILE        run the operations of this file instead of generated ones: records of
                    five little-endian u32 (kind 0 add or 1 cancel, id, side 0 buy or
                    1 sell, price in ticks, quantity), the first 10,000 untimed
  --write-ops FILE  write the operations that are run to this file
  --count N         generate N timed operations (default 1,000,000)
  --rounds N        N turns for every contestant (default 5)
  --no-valgrind     skip instructions and bytes
  --help            print this

The exit code is 1 when our book and the bare ladder trade differently.
";

const OPERATIONS_DEFAULT: usize = 1_000_000;
/// Ids are `u32` with one reserved value, and the timed records follow the untimed ones.
const OPERATIONS_MAX: usize = 1_000_000_000;
const ROUNDS_DEFAULT: usize = 5;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) operations_file: Option<PathBuf>,
    pub(crate) operations_written: Option<PathBuf>,
    pub(crate) operations: usize,
    pub(crate) rounds: usize,
    pub(crate) valgrind: bool,
}

/// Why nothing is run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Help,
    Mistake(String),
}

impl Options {
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, Stop> {
        let mut options = Self {
            operations_file: None,
            operations_written: None,
            operations: OPERATIONS_DEFAULT,
            rounds: ROUNDS_DEFAULT,
            valgrind: true,
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || {
                let missing = || Stop::Mistake(format!("{argument} needs a value"));
                arguments.next().ok_or_else(missing)
            };
            match argument.as_str() {
                "--ops" => options.operations_file = Some(value()?.into()),
                "--write-ops" => options.operations_written = Some(value()?.into()),
                "--count" => options.operations = number(value()?, OPERATIONS_MAX)?,
                "--rounds" => options.rounds = number(value()?, usize::MAX)?,
                "--no-valgrind" => options.valgrind = false,
                "--help" | "-h" => return Err(Stop::Help),
                unknown => return Err(Stop::Mistake(format!("unknown option {unknown:?}"))),
            }
        }
        Ok(options)
    }
}

/// An integer from 1 to `max`; underscores and commas may group its digits.
fn number(text: &str, max: usize) -> Result<usize, Stop> {
    let digits = text.replace(['_', ','], "");
    match digits.parse() {
        Ok(number) if (1..=max).contains(&number) => Ok(number),
        _ => Err(Stop::Mistake(format!("{text:?} is not a number from 1 to {max}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Options, Stop> {
        let arguments: Vec<String> = arguments.split_whitespace().map(String::from).collect();
        Options::parse(&arguments)
    }

    #[test]
    fn the_options_are_read() {
        let options = parse("--ops in --write-ops out --count 20_000 --rounds 3 --no-valgrind");
        let expected = Options {
            operations_file: Some("in".into()),
            operations_written: Some("out".into()),
            operations: 20_000,
            rounds: 3,
            valgrind: false,
        };
        assert_eq!(options, Ok(expected));
    }

    #[test]
    fn an_option_without_its_value_is_a_mistake() {
        let mistake = Stop::Mistake("--ops needs a value".into());
        assert_eq!(parse("--rounds 2 --ops"), Err(mistake));
    }

    #[test]
    fn no_rounds_at_all_is_a_mistake() {
        assert!(matches!(parse("--rounds 0"), Err(Stop::Mistake(_))));
    }
}
