//! The view on a terminal: the alternate screen without a cursor, redrawn completely, restored on drop.

use std::io::{self, Stdout, Write};

use super::plain::{name, ordered, traded};
use super::view::{Level, View};

/// Switch to the alternate screen and hide the cursor; and back.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";
const HOME: &str = "\x1b[H";
const CLEAR_LINE: &str = "\x1b[K";
const CLEAR_BELOW: &str = "\x1b[J";
const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// Width of price and quantity; bars get the rest.
const LEVEL_COLUMNS: usize = 24;
const TRADES_SHOWN: usize = 8;

pub(super) struct Screen {
    output: Stdout,
}

impl Screen {
    pub(super) fn open() -> io::Result<Screen> {
        let mut output = io::stdout();
        write!(output, "{ENTER}")?;
        output.flush()?;
        Ok(Screen { output })
    }

    pub(super) fn show(&mut self, view: &View) -> io::Result<()> {
        let size = rustix::termios::tcgetwinsize(&self.output);
        let (columns, rows) = size.map_or((80, 24), |size| (size.ws_col.into(), size.ws_row.into()));
        let mut lines = picture(view, columns);
        lines.truncate(rows);
        let drawn: Vec<_> = lines.iter().map(|line| format!("{line}{PLAIN}{CLEAR_LINE}")).collect();
        write!(self.output, "{HOME}{}{CLEAR_BELOW}", drawn.join("\r\n"))?;
        self.output.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Errors do not matter: the terminal is gone.
        let _ = write!(self.output, "{LEAVE}");
        let _ = self.output.flush();
    }
}

/// The lines, cut to the width of the terminal.
fn picture(view: &View, columns: usize) -> Vec<String> {
    let target = &view.target;
    let head = format!("{}  [{}]", target.title, if view.status.is_empty() { "…" } else { &view.status });
    let [yes, no] = &target.labels;
    let prices = format!("{yes} {}   {no} {}   {}", view.prices[0], view.prices[1], target.currency);
    let mut lines = vec![format!("{BOLD}{}", cut(&head, columns)), cut(&prices, columns)];
    for (endpoint, why) in &view.lost {
        lines.push(format!("{RED}{}", cut(&format!("no connection ({}): {why}", name(*endpoint)), columns)));
    }
    if let Some(words) = &view.refused {
        lines.push(format!("{RED}{}", cut(words, columns)));
    }
    lines.push(String::new());
    lines.extend(book(view, columns));
    lines.push(String::new());
    lines.push(format!("{BOLD}Trades"));
    for trade in view.trades.iter().take(TRADES_SHOWN) {
        let colour = if trade.side == "BUY" { GREEN } else { RED };
        lines.push(format!("{colour}{}", cut(&traded(trade), columns)));
    }
    if target.has_key() {
        lines.push(String::new());
        lines.push(format!("{BOLD}Your open orders"));
        lines.extend(view.orders.values().map(|order| cut(&ordered(order), columns)));
    }
    lines
}

/// Asks above bids, best prices adjacent, with bars proportional to the quantities.
fn book(view: &View, columns: usize) -> Vec<String> {
    let asks: Vec<_> = view.asks.iter().take(view.depth).collect();
    let bids: Vec<_> = view.bids.iter().take(view.depth).collect();
    let most = asks.iter().chain(&bids).map(|level| level.weight()).fold(0.0, f64::max);
    let room = columns.saturating_sub(LEVEL_COLUMNS);
    let line = |colour: &str, level: &Level| {
        let share = if most > 0.0 { level.weight() / most } else { 0.0 };
        // At least one character, so that every level is visible.
        let bar = "█".repeat(((share * room as f64) as usize).max(1).min(room));
        let numbers = format!("{:>8} {:>12}  ", level.price, level.quantity);
        format!("{}{colour}{bar}", cut(&numbers, columns))
    };
    let mut lines = vec![cut(
        &format!("{BOLD}{:>8} {:>12}  {}{PLAIN}", "price", "shares", view.outcome_label()),
        columns + 8,
    )];
    lines.extend(asks.iter().rev().map(|level| line(RED, level)));
    lines.push(cut(&"─".repeat(LEVEL_COLUMNS), columns));
    lines.extend(bids.iter().map(|level| line(GREEN, level)));
    if asks.is_empty() && bids.is_empty() {
        lines.push("nothing rests here".to_owned());
    }
    lines
}

fn cut(text: &str, columns: usize) -> String {
    text.chars().take(columns).collect()
}

#[cfg(test)]
mod tests {
    use super::super::feed::{Endpoint, Note};
    use super::super::view::tests::{book, fill, target};
    use super::*;

    #[test]
    fn the_picture_has_asks_above_bids_with_bars_and_what_was_traded() {
        let mut view = View::new(target(), 1);
        view.apply(book("yes"));
        view.apply(fill(1, "BUY", "AMM"));
        let lines = picture(&view, 44);
        let place = |wanted: &str| lines.iter().position(|line| line.contains(wanted)).unwrap_or(usize::MAX);
        assert!(place("0.45") < place("0.4 ") && place("0.4 ") < place("01:01:01"), "{lines:#?}");
        assert!(!lines.iter().any(|line| line.contains("0.39")), "one level of each side");
        let bar = |wanted: &str| lines[place(wanted)].matches('█').count();
        assert_eq!((bar("0.45"), bar("0.4 ")), (4, 20), "as long as the quantities");
        assert!(lines.iter().any(|line| line.contains("no connection (market)")));
    }

    #[test]
    fn a_failed_read_is_shown_until_the_next_connection() {
        let mut view = View::new(target(), 1);
        view.apply(Note::Refused("the open orders cannot be read: status 500".to_owned()));
        let is_shown = |view: &View| picture(view, 80).iter().any(|line| line.contains("cannot be read"));
        assert!(is_shown(&view));
        view.apply(Note::Connected(Endpoint::Own));
        assert!(!is_shown(&view));
    }
}
