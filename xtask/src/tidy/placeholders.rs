//! Rule: no cell of a Markdown table has a word in capitals where a figure belongs.
//!
//! Such a word is written before a measurement and replaced after it. It is found in a row that has a figure in another
//! cell: there, a bare word in capitals, with a unit or without, stands for a figure. The first cell names the row and is
//! not read. Code in backticks passes, and so do the words that a worked example has beside its figures.

use super::Violation;
use super::links::plain_lines;
use super::tree::Tree;

const WORDS: &[&str] = &["BUY", "NGN", "NO", "SELL", "USD", "YES"];
const UNITS: &[&str] = &["%", "B", "GB", "GiB", "KB", "KiB", "MB", "MiB", "ms", "ns", "s", "×", "µs"];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, text) in tree.documents() {
        for (line, row) in plain_lines(text) {
            violations.extend(placeholders(row).into_iter().map(|cell| {
                let what = format!("`{cell}` stands for a figure: measure it, or leave it out");
                Violation::new(path, line, what)
            }));
        }
    }
    violations
}

fn placeholders(line: &str) -> Vec<&str> {
    let Some(row) = line.trim().strip_prefix('|') else { return Vec::new() };
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    if !cells.iter().any(|cell| is_figure(cell)) {
        return Vec::new();
    }
    cells.into_iter().skip(1).filter(|cell| is_placeholder(cell)).collect()
}

/// The first word of a cell that has nothing behind it but a unit.
fn quantity(cell: &str) -> Option<&str> {
    let (first, rest) = cell.split_once(' ').unwrap_or((cell, ""));
    (rest.is_empty() || UNITS.contains(&rest)).then_some(first)
}

fn is_figure(cell: &str) -> bool {
    let cell = cell.trim_start_matches(['≤', '≥', '<', '>', '~', '−', '-', ' ']);
    quantity(cell).is_some_and(|word| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || [',', '.'].contains(&c))
    })
}

fn is_placeholder(cell: &str) -> bool {
    quantity(cell).is_some_and(|word| {
        word.len() > 1
            && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
            && !WORDS.contains(&word)
            && !UNITS.contains(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree::Tree;

    fn found(text: &str) -> Vec<String> {
        check(&Tree::planted(&[("docs/a.md", text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_word_in_capitals_in_the_place_of_a_figure_is_found() {
        let text = "| Bytes of | Before | Now | Bound |\n|---|---|---|---|\n| a person | 1,921 | PERSON | 700 |\n| the state | 690 MB | HEAP MB |\n| a read | READ_TIME | ≤ 0.5 ms |\n";
        let expected = [
            "docs/a.md:3: `PERSON` stands for a figure: measure it, or leave it out",
            "docs/a.md:4: `HEAP MB` stands for a figure: measure it, or leave it out",
            "docs/a.md:5: `READ_TIME` stands for a figure: measure it, or leave it out",
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn words_that_are_meant_pass() {
        for row in [
            "| HTTP | 12 | 13 |",
            "| 1 | YES | 0.52 |",
            "| BUY | `GTC` | 100 |",
            "| field | NULL | an empty field |",
            "| cancels | 20 a second | API key |",
            "| 415 | MB |",
            "The word PERSON | 12",
            "```\n| a | 1 | PERSON |\n```",
        ] {
            assert_eq!(found(&format!("{row}\n")), [""; 0], "{row}");
        }
    }
}
