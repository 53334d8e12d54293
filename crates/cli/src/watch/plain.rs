//! Prints every change as a line, for pipes and logs.

use super::feed::Endpoint;
use super::view::{Level, Order, Trade, View, ViewChange};

pub(super) fn heading(view: &View) -> Vec<String> {
    let target = &view.target;
    vec![format!("market {} {} ({}, {})", target.market, target.title, view.outcome_label(), target.currency)]
}

pub(super) fn lines(view: &View, happened: &ViewChange) -> Vec<String> {
    match happened {
        ViewChange::Connected(endpoint) => vec![format!("connected {}", name(*endpoint))],
        ViewChange::Lost(endpoint, why, wait) => {
            vec![format!("lost {}: {why}; again in {:.1} s", name(*endpoint), wait.as_secs_f64())]
        }
        ViewChange::Book => vec![format!("book {}", book(view))],
        ViewChange::Traded(trade) => vec![format!("trade {}", traded(trade))],
        ViewChange::Status => vec![format!("status {}", view.status)],
        ViewChange::Prices => vec![format!("prices YES {} NO {}", view.prices[0], view.prices[1])],
        ViewChange::Order(order) => vec![format!("order {} {}", order.id, ordered(order))],
        ViewChange::Refused(message) => vec![format!("refused {message}")],
    }
}

pub(super) fn name(endpoint: Endpoint) -> &'static str {
    match endpoint {
        Endpoint::Market => "market",
        Endpoint::Own => "orders",
    }
}

/// At most `depth` levels, best first.
fn book(view: &View) -> String {
    let side = |levels: &[Level]| {
        let shown =
            levels.iter().take(view.depth).map(|level| format!("{} @ {}", level.quantity, level.price));
        let shown: Vec<_> = shown.collect();
        if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
    };
    format!("bids {} | asks {}", side(&view.bids), side(&view.asks))
}

pub(super) fn traded(trade: &Trade) -> String {
    let Trade { side, outcome, quantity, price, currency, at } = trade;
    format!("{at} {side} {quantity} {outcome} @ {price} {currency}")
}

pub(super) fn ordered(order: &Order) -> String {
    let Order { side, outcome, price, remaining, filled, currency, status, cause, .. } = order;
    format!("{side} {outcome} @ {price} {currency} {status} remaining {remaining} filled {filled} ({cause})")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::feed::Note;
    use super::super::view::tests::{book, fill, target};
    use super::*;

    fn said(notes: Vec<Note>) -> Vec<String> {
        let mut view = View::new(target(), 1);
        let mut said = heading(&view);
        for note in notes {
            let happened = view.apply(note);
            said.extend(happened.iter().flat_map(|what| lines(&view, what)));
        }
        said
    }

    #[test]
    fn each_thing_that_happens_is_a_line() {
        let lost = Note::Lost(Endpoint::Market, "it ended".to_owned(), Duration::from_millis(500));
        let notes = vec![Note::Connected(Endpoint::Market), book("yes"), fill(1, "BUY", "AMM"), lost];
        assert_eq!(
            said(notes),
            [
                "market 00000000-0000-0000-0000-000000000000 Rain? (Wet, USD)",
                "connected market",
                "book bids 100 @ 0.4 | asks 20 @ 0.45",
                "trade 01:01:01 BUY 5 Wet @ 0.4 USD",
                "lost market: it ended; again in 0.5 s",
            ]
        );
    }
}
