//! A read in several parts keeps the rows whose market was not touched since. So a row of a position, an open order or an
//! event may change, appear or disappear only in a request that touches its market.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::change::Change;
use exchange::index::{EventIndex, ListingIndex, MarketIndex, UserIndex};
use exchange::numbers::Currency;
use server::view;
use sim::generator::Generator;
use sim::harness::Harness;

const SEEDS: u64 = 12;
const COMMANDS_PER_SEED: usize = 400;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Row {
    Position(UserIndex, ListingIndex),
    Order(UserIndex, u64),
    Event(EventIndex),
}

/// A row as text, and the markets that it depends on.
type Shown = (String, Vec<MarketIndex>);

fn rows(exchange: &Exchange) -> BTreeMap<Row, Shown> {
    let mut rows = BTreeMap::new();
    for (user, record) in exchange.directory().users() {
        for listing in exchange.listings_of(user) {
            let held = view::portfolio::held(exchange, user, listing);
            let changed = view::changes::positions(exchange, user, listing);
            rows.insert(
                Row::Position(user, listing),
                (format!("{held:?} {changed:?}"), vec![listing.market()]),
            );
        }
        for entry in record.open_order_list().iter() {
            let order = &exchange.orders()[entry.slot];
            assert_eq!(
                (entry.serial(), entry.side(), entry.outcome(), entry.status(), entry.listing),
                (
                    order.terms.serial,
                    order.terms.side,
                    order.terms.outcome,
                    order.terms.open_status(),
                    order.listing
                ),
                "the list of open orders has the fields of the order"
            );
            let shown = (format!("{entry:?} {:?}", order.terms), vec![order.listing.market()]);
            rows.insert(Row::Order(user, entry.serial()), shown);
        }
    }
    for (index, event) in exchange.catalogue().events() {
        let shown = Currency::ALL.map(|currency| view::event::event(exchange, index, currency, None));
        rows.insert(Row::Event(index), (format!("{shown:?}"), event.markets.clone()));
    }
    rows
}

#[test]
fn a_row_changes_only_in_a_request_that_touches_its_market() {
    let mut changed = [0; 3];
    for seed in 1..=SEEDS {
        let (mut harness, mut generator) = (Harness::default(), Generator::new(seed));
        let mut before = rows(&harness.exchange);
        for number in 0..COMMANDS_PER_SEED {
            let (at, request) = generator.next(&harness.exchange, &harness.shadow);
            let seq = harness.exchange.seq();
            let result = harness.step(at, &request).unwrap_or_else(|failure| panic!("{failure:?}"));
            generator.learn(&request, &result);
            let exchange = &harness.exchange;
            let after = rows(exchange);
            // Names of games and teams are shown with events, and are not read in parts.
            let renamed = exchange.changes().iter().any(|change| matches!(change, Change::SportsImported));
            let keys = before.keys().chain(after.keys().filter(|row| !before.contains_key(row)));
            for row in keys.filter(|row| before.get(row) != after.get(row)) {
                let (_, markets) = before.get(row).or_else(|| after.get(row)).expect("one of them has it");
                let is_touched = markets.iter().any(|market| exchange.catalogue().touched_at(*market) > seq);
                let is_named = renamed && matches!(row, Row::Event(_));
                assert!(
                    is_touched || is_named,
                    "seed {seed}, command {number}: {request:?} changed {row:?} from {:?} to {:?}",
                    before.get(row),
                    after.get(row)
                );
                changed[match row {
                    Row::Position(..) => 0,
                    Row::Order(..) => 1,
                    Row::Event(_) => 2,
                }] += 1;
            }
            before = after;
        }
    }
    assert!(changed.iter().all(|count| *count > 100), "{changed:?}");
}
