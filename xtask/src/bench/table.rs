//! `cargo xtask bench table [--write] [--small]`: runs every part once and prints the table of results; `--write`
//! replaces the section "Results" of docs/performance.md. The benchmarks print their results as rows of Markdown tables.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::{build, command, machine};
use crate::process::root;

const DOCUMENT: &str = "docs/performance.md";
/// The block begins below this heading and ends before the next one.
const HEADING: &str = "\n## Results\n";
const NEXT_HEADING: &str = "\n## ";

/// The benchmarks whose rows form the first table.
const RESULTS: &[&[&str]] = &[
    &["http"],
    &["signals"],
    &["looks", "--worst"],
    &["commands", "--worst"],
    &["replay"],
    &["start"],
    &["streams", "--only", "race"],
];
/// A trial of the command itself, without a meaningful result.
const RESULTS_SMALL: &[&[&str]] = &[
    &["http", "--seconds", "5"],
    &["signals", "--pairs", "1", "--seconds", "4"],
    &["looks", "--worst", "--small"],
    &["commands", "--worst", "--small"],
    &["replay", "--commands", "20000", "--rounds", "1"],
    &["start", "--small"],
    &["streams", "--only", "race", "--seconds", "1", "--readers", "100"],
];

pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let (mut is_written, mut is_small) = (false, false);
    for option in options {
        match *option {
            "--write" => is_written = true,
            "--small" => is_small = true,
            unknown => return Err(format!("table does not know `{unknown}`")),
        }
    }
    if is_written && is_small {
        return Err("a trial with --small must not be written".to_owned());
    }
    let path = root().join(DOCUMENT);
    let unreadable = |error| format!("{DOCUMENT}: {error}");
    // Before the long run: a document without the section could not take the result.
    replaced(&fs::read_to_string(&path).map_err(unreadable)?, "")?;

    let mut results = Vec::new();
    for words in if is_small { RESULTS_SMALL } else { RESULTS } {
        results.extend(rows(&tables(words)?));
    }
    if !is_small {
        results.extend(build::run()?);
    }
    let scale = tables(if is_small { &["scale", "--small"] } else { &["scale"] })?;
    let block = block(&results, &scale);
    println!("\n{block}");
    if is_written {
        let document = fs::read_to_string(&path).map_err(unreadable)?;
        fs::write(&path, replaced(&document, &block)?).map_err(unreadable)?;
        println!("Written to {DOCUMENT}.");
    }
    Ok(())
}

/// Runs a benchmark, shows its output and returns the lines of its tables.
fn tables(words: &[&str]) -> Result<Vec<String>, String> {
    let mut command: Command = command(words)?;
    println!("==> {}", words.join(" "));
    let failed = |error| format!("{}: {error}", words.join(" "));
    let mut process = command.stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut lines = Vec::new();
    for line in BufReader::new(process.stdout.take().ok_or("no output")?).lines() {
        let line = line.map_err(failed)?;
        println!("{line}");
        if line.starts_with('|') {
            lines.push(line);
        }
    }
    let status = process.wait().map_err(failed)?;
    if status.success() { Ok(lines) } else { Err(format!("{} ended with {status}", words.join(" "))) }
}

/// The rows of tables without their headings, each of which is followed by a line of dashes.
fn rows(lines: &[String]) -> Vec<String> {
    let is_line = |line: &String| line.starts_with("|---");
    let is_heading = |place: usize| lines.get(place + 1).is_some_and(is_line);
    let places = (0..lines.len()).filter(|place| !is_heading(*place) && !is_line(&lines[*place]));
    places.map(|place| lines[place].clone()).collect()
}

fn block(results: &[String], scale: &[String]) -> String {
    let mut block = format!(
        "Commit {}, {}, {}.\n\n| | Measured | Goal | |\n|---|---|---|---|\n",
        machine::commit(),
        machine::date(),
        machine::describe()
    );
    results.iter().for_each(|row| block.push_str(&format!("{row}\n")));
    for (place, line) in scale.iter().enumerate() {
        // A heading begins a new table.
        if scale.get(place + 1).is_some_and(|next| next.starts_with("|---")) {
            block.push('\n');
        }
        block.push_str(&format!("{line}\n"));
    }
    block
}

/// The document with another block in its section of results.
fn replaced(document: &str, block: &str) -> Result<String, String> {
    let missing = || format!("{DOCUMENT} has no section `Results` before another one");
    let (before, rest) = document.split_once(HEADING).ok_or_else(missing)?;
    let (_, after) = rest.split_once(NEXT_HEADING).ok_or_else(missing)?;
    Ok(format!("{before}{HEADING}\n{block}{NEXT_HEADING}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{DOCUMENT, replaced, rows, run};
    use crate::process::root;

    #[test]
    fn only_the_results_are_replaced() {
        let document = "before\n\n## Results\n\nold\n\n## Others\n\nafter\n";
        let expected = "before\n\n## Results\n\nnew\n\n## Others\n\nafter\n";
        assert_eq!(replaced(document, "new\n").unwrap(), expected);
        assert_eq!(replaced(expected, "new\n").unwrap(), expected);
        assert!(replaced("## Results\n", "new\n").unwrap_err().contains(DOCUMENT));
    }

    #[test]
    fn the_document_has_a_section_for_the_results() {
        let document = std::fs::read_to_string(root().join(DOCUMENT)).unwrap();
        assert!(replaced(&document, "").is_ok());
    }

    #[test]
    fn headings_are_not_rows() {
        let lines =
            ["| | Goal |", "|---|---|", "| a | 1 |", "| b | 2 |", "| | Goal |", "|---|---|", "| c | 3 |"];
        let lines: Vec<String> = lines.map(str::to_owned).into();
        assert_eq!(rows(&lines), ["| a | 1 |", "| b | 2 |", "| c | 3 |"]);
    }

    #[test]
    fn a_trial_is_not_written() {
        assert!(run(&["--small", "--write"]).is_err());
        assert!(run(&["--quick"]).unwrap_err().contains("`--quick`"));
    }
}
