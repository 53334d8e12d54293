//! Concurrent reads: while history is being written, and with commands between the read of memory and the read of
//! history.

use api::query::OrdersQuery;
use exchange::id::UserId;
use server::history::{Page, TradeFilter, Window};
use server::view::live_and_retired::LiveAndRetired;
use server::view::orders::{OrdersSource, seek};

use crate::history::orders::{self, Asked};
use crate::history::pages::page;
use crate::history::play::Play;
use crate::history::trades;

/// Reads without waiting for queued writes. The answer must be of one moment: its rows are those of a list with the
/// returned length.
pub fn glance(play: &mut Play, filter: TradeFilter, window: Window) {
    let got = play.kept.wait(play.kept.history().trades(filter, window)).expect("history answers");
    let mut trial = play.trial();
    let all = trades::matching(trial.model, &filter);
    let unseen = all.len().checked_sub(got.total as usize).expect("no trade is invented");
    let expected = page(&all[unseen..], window);
    trial.same_page(&got, &expected, || format!("trades {filter:?} {window:?}, {unseen} not stored yet"));
}

/// Reads orders; `commands` are applied after memory has determined the question for history. Later orders are not
/// part of the answer; later closes are. Returns how many of the rows have closed.
pub fn late_orders(play: &mut Play, user: UserId, asked: &Asked, window: Window, commands: usize) -> usize {
    let query = OrdersQuery::parse(&asked.text(window)).expect("the words are of the API");
    let (placed_before, question) = {
        let exchange = &play.day.exchange;
        let index = exchange.directory().find(user).expect("the user is there");
        let retired = play.model.retired.iter().map(|(_, record)| &**record);
        let known = LiveAndRetired::new(exchange, exchange.shelve(retired));
        let Ok(OrdersSource::History(question)) = seek(&known, index, &query) else {
            panic!("open states are memory's, all others are history's: {asked:?}");
        };
        (exchange.next_order_serial(), question)
    };
    let open_before: Vec<_> = play.day.shadow.orders.values().map(|order| order.serial).collect();
    play.steps(commands);
    let trial = play.trial();
    let got = trial.kept.ask(trial.exchange, |history| history.orders(question));
    let got = trial.kept.with_records(trial.exchange, user, got);
    let mut rows = orders::matching(trial.model, user, asked);
    rows.retain(|(serial, _)| *serial < placed_before);
    let expected = page(&rows, window);
    let serials = |page: &Page<_>, rows: Vec<u64>| (rows, page.total, page.next);
    let got_serials: Vec<_> = got.rows.iter().map(|record| record.terms.serial).collect();
    let expected_serials: Vec<_> = expected.rows.iter().map(|record| record.terms.serial).collect();
    let (total, next) = (expected.total, expected.next);
    assert_eq!(serials(&got, got_serials.clone()), (expected_serials, total, next), "{asked:?} {window:?}");
    play.tally.comparisons += 1;
    let has_closed = |serial: &&u64| open_before.contains(serial) && !is_open(play, **serial);
    got_serials.iter().filter(has_closed).count()
}

fn is_open(play: &Play, serial: u64) -> bool {
    play.day.shadow.orders.values().any(|order| order.serial == serial)
}
