//! Reads of many rows in short looks, with a result that is of one sequence.
//!
//! A look copies the keys of all rows. Further looks read a few rows each, so that the writer never waits long. Then a look
//! finds the rows whose market has changed since they were read; if they are few, it reads them again, and all rows are
//! of its sequence. Otherwise they are read in short looks like before.

use exchange::Exchange;
use exchange::index::{EventIndex, ListingIndex, MarketIndex};

use super::state::Shared;

/// The weight of the rows that one look reads. A row of a greater weight is read alone.
const WEIGHT_AT_ONCE: usize = 32;

/// The key of a row.
pub(crate) trait RowKey: Copy + Ord {
    /// The sequence at which the row last changed.
    fn touched_at(&self, exchange: &Exchange) -> u64;

    /// How long it takes to read the row, in units of about two microseconds.
    fn weight(&self) -> usize {
        1
    }
}

impl RowKey for ListingIndex {
    fn touched_at(&self, exchange: &Exchange) -> u64 {
        exchange.catalogue().touched_at(self.market())
    }
}

/// An event with its markets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventKey {
    pub(crate) event: EventIndex,
    /// The event's markets have consecutive indexes.
    first: MarketIndex,
    markets: usize,
}

impl EventKey {
    pub(crate) fn of(exchange: &Exchange, event: EventIndex) -> EventKey {
        let markets = &exchange.catalogue().event(event).markets;
        let first = markets.first().copied().unwrap_or(MarketIndex::from_slot(0));
        EventKey { event, first, markets: markets.len() }
    }
}

impl RowKey for EventKey {
    fn touched_at(&self, exchange: &Exchange) -> u64 {
        let markets = (self.first.slot()..self.first.slot() + self.markets).map(MarketIndex::from_slot);
        markets.map(|market| exchange.catalogue().touched_at(market)).max().unwrap_or(0)
    }

    fn weight(&self) -> usize {
        1 + self.markets
    }
}

/// A row, once it was read.
#[derive(Debug)]
pub(crate) struct GatheredRow<K, T> {
    pub(crate) key: K,
    /// The sequence of the look that read it.
    seq: u64,
    /// Boxed, because rows move while the lock is held.
    value: Option<Box<T>>,
}

impl<K, T> GatheredRow<K, T> {
    pub(crate) fn value(&self) -> &T {
        self.value.as_deref().expect("`gather` returns when all rows are read")
    }

    pub(crate) fn into_value(self) -> T {
        *self.value.expect("`gather` returns when all rows are read")
    }
}

/// Reads the row of each key, by ascending key, and then whatever `finish` reads, all as of one sequence.
///
/// `keys` must be ascending and is called several times. `read` is called for present keys only.
pub(crate) fn gather<K: RowKey, T, F>(
    shared: &Shared,
    keys: impl Fn(&Exchange) -> Vec<K>,
    read: impl Fn(&Exchange, K) -> T,
    finish: impl FnOnce(&Exchange, &[GatheredRow<K, T>]) -> F,
) -> (Vec<GatheredRow<K, T>>, F) {
    let mut rows: Vec<GatheredRow<K, T>> = Vec::new();
    loop {
        let exchange = shared.read();
        let (current, missing) = still_current(&exchange, &keys(&exchange), &mut rows);
        // Dropped after the look.
        let _outdated = std::mem::replace(&mut rows, current);
        let mut missing = missing.as_slice();
        if first_part(&rows, missing) == missing.len() {
            for place in missing {
                fill(&exchange, &mut rows[*place], &read);
            }
            let finished = finish(&exchange, &rows);
            drop(exchange);
            return (rows, finished);
        }
        let seq = exchange.seq();
        drop(exchange);
        while !missing.is_empty() {
            let (some, others) = missing.split_at(first_part(&rows, missing));
            let exchange = shared.read();
            for place in some {
                let row = &mut rows[*place];
                // The subject of a key may be gone, if it has changed since. The next round decides.
                if exchange.seq() == seq || row.key.touched_at(&exchange) <= seq {
                    fill(&exchange, row, &read);
                }
            }
            missing = others;
        }
    }
}

/// How many of the missing rows one look reads.
fn first_part<K: RowKey, T>(rows: &[GatheredRow<K, T>], missing: &[usize]) -> usize {
    let mut weight = 0;
    let fits = |place: &&usize| {
        weight += rows[**place].key.weight();
        weight <= WEIGHT_AT_ONCE
    };
    missing.iter().take_while(fits).count().max(1).min(missing.len())
}

fn fill<K: RowKey, T>(exchange: &Exchange, row: &mut GatheredRow<K, T>, read: impl Fn(&Exchange, K) -> T) {
    row.seq = exchange.seq();
    row.value = Some(Box::new(read(exchange, row.key)));
}

/// A row for each key, and the places of those that must be read. Values that are still current are moved from `rows`.
fn still_current<K: RowKey, T>(
    exchange: &Exchange,
    keys: &[K],
    rows: &mut [GatheredRow<K, T>],
) -> (Vec<GatheredRow<K, T>>, Vec<usize>) {
    let (mut current, mut missing) = (Vec::with_capacity(keys.len()), Vec::new());
    let mut known = rows.iter_mut().peekable();
    for key in keys {
        while known.next_if(|row| row.key < *key).is_some() {}
        let row = known.next_if(|row| row.key == *key);
        let row = row.filter(|row| key.touched_at(exchange) <= row.seq);
        let (seq, value) = row.map_or((0, None), |row| (row.seq, row.value.take()));
        if value.is_none() {
            missing.push(current.len());
        }
        current.push(GatheredRow { key: *key, seq, value });
    }
    (current, missing)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::thread;

    use api::query::PortfolioQuery;
    use exchange::command::Command;
    use exchange::order::Outcome;

    use super::*;
    use crate::view::portfolio::{Held, PortfolioPage, held, listings, portfolio};
    use crate::view::stage::{self, MARKETS, busy_exchange, buy, key};

    fn apply(shared: &Shared, trader: u128, command: Command) {
        stage::apply(&mut shared.write(), key(trader), command);
    }

    #[test]
    fn a_row_is_read_again_only_if_its_market_has_changed() {
        let (exchange, user) = busy_exchange();
        let shared = Shared::new(exchange);
        let reads = AtomicUsize::new(0);
        let first = shared.read().listings_of(user).next().expect("a position");
        let (rows, seq) = gather(
            &shared,
            |exchange| exchange.listings_of(user).collect(),
            |exchange, listing| {
                reads.fetch_add(1, Ordering::Relaxed);
                assert!(exchange.position(user, listing).is_some());
                exchange.seq()
            },
            |exchange, _| exchange.seq(),
        );
        assert_eq!((rows.len(), reads.load(Ordering::Relaxed)), (MARKETS as usize, MARKETS as usize));
        assert!(rows.iter().all(|row| *row.value() == seq), "nothing has changed in between");

        // Another trader's order in the first market.
        apply(&shared, 2, Command::PlaceOrder(buy(9_000, 1, Outcome::Yes, 20, 10)));
        let exchange = shared.read();
        let mut rows = rows;
        let keys: Vec<ListingIndex> = exchange.listings_of(user).collect();
        let (current, missing) = still_current(&exchange, &keys, &mut rows);
        assert_eq!((missing, current[0].key), (vec![0], first));
        assert!(current[1..].iter().all(|row| *row.value() == seq));
    }

    /// Orders and mints on all markets in turn, equal in every run.
    fn disturb(shared: &Shared, number: u128) {
        let market = number * 31 % MARKETS + 1;
        let command = match number % 4 {
            0 => stage::mint(10_000 + number, market),
            1 => Command::PlaceOrder(buy(10_000 + number, market, Outcome::Yes, 35, 4)),
            2 => Command::PlaceOrder(buy(10_000 + number, market, Outcome::No, 60, 4)),
            _ => Command::PlaceOrder(buy(10_000 + number, market, Outcome::No, 72, 3)),
        };
        apply(shared, 1 + number % 3, command);
    }

    #[test]
    fn rows_read_in_parts_while_others_trade_are_those_of_one_look() {
        let (exchange, user) = busy_exchange();
        let shared = Arc::new(Shared::new(exchange));
        let query = PortfolioQuery::parse("size=100").expect("a query");
        let is_over = Arc::new(AtomicBool::new(false));
        let trading = {
            let (shared, is_over) = (shared.clone(), is_over.clone());
            thread::spawn(move || {
                let mut number = 0;
                while !is_over.load(Ordering::Relaxed) && number < 4_000 {
                    disturb(&shared, number);
                    number += 1;
                }
                number
            })
        };
        for round in 0..200 {
            let (rows, (page, whole)) = gather(
                &shared,
                |exchange| listings(exchange, user, &query),
                |exchange, listing| held(exchange, user, listing),
                |exchange, rows| {
                    let page = PortfolioPage::of(exchange, user, values(rows), &query);
                    (page, portfolio(exchange, user, &query))
                },
            );
            let shown = page.into_portfolio(values(&rows), &query);
            assert_eq!(shown, whole, "round {round}");
        }
        is_over.store(true, Ordering::Relaxed);
        trading.join().expect("every command was accepted");
    }

    fn values(rows: &[GatheredRow<ListingIndex, Held>]) -> impl Iterator<Item = &Held> {
        rows.iter().map(GatheredRow::value)
    }
}
