//! Levels of books: the changes of each request, and whole books at intervals. Prices are those of YES; the book of NO
//! mirrors it.

use std::collections::HashMap;

use exchange::Exchange;
use exchange::catalogue::Listing;
use exchange::id::MarketId;
use exchange::numbers::Currency;
use exchange::order::{Outcome, Side};
use server::view::words::ToApi;

use crate::error::ExportError;
use crate::part::PartWriter;
use crate::selection::Selection;
use crate::table::{Cell, Stamp, Table};

/// Prices in cents are from 1 to 99.
const PRICES: usize = 100;

/// The quantity at each price in cents.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Levels {
    bids: [i64; PRICES],
    asks: [i64; PRICES],
}

impl Levels {
    const EMPTY: Levels = Levels { bids: [0; PRICES], asks: [0; PRICES] };

    fn of(listing: &Listing) -> Levels {
        let mut levels = Levels::EMPTY;
        let Some(book) = listing.book() else { return levels };
        for (price, quantity) in book.levels(Side::Buy.on_book(Outcome::Yes)) {
            levels.bids[usize::from(price.cents())] = quantity.units();
        }
        for (price, quantity) in book.levels(Side::Sell.on_book(Outcome::Yes)) {
            levels.asks[usize::from(price.cents())] = quantity.units();
        }
        levels
    }

    /// The levels that differ from `before`: side, cents and the new quantity. Best prices first, bids before asks.
    fn since(&self, before: &Levels) -> Vec<(&'static str, usize, i64)> {
        let bids = (1..PRICES).rev().filter(|cents| self.bids[*cents] != before.bids[*cents]);
        let asks = (1..PRICES).filter(|cents| self.asks[*cents] != before.asks[*cents]);
        let bids = bids.map(|cents| ("bid", cents, self.bids[cents]));
        bids.chain(asks.map(|cents| ("ask", cents, self.asks[cents]))).collect()
    }
}

/// The books as the files have them.
#[derive(Debug, Default)]
pub(crate) struct WrittenBooks {
    books: HashMap<(MarketId, Currency), Box<Levels>>,
}

impl WrittenBooks {
    /// Writes the levels of a listing that differ from those in the files.
    pub(crate) fn write_changes(
        &mut self,
        part: &mut PartWriter,
        stamp: Stamp,
        (market, currency): (MarketId, Currency),
        listing: &Listing,
    ) -> Result<(), ExportError> {
        let now = Levels::of(listing);
        let written = self.books.get(&(market, currency)).map_or(&Levels::EMPTY, AsRef::as_ref);
        let changed = now.since(written);
        if changed.is_empty() {
            return Ok(());
        }
        for level in changed {
            part.write(Table::BookChanges, &row(stamp, market, currency, level))?;
        }
        self.keep(market, currency, now);
        Ok(())
    }

    /// Writes all selected books of a state, and takes them as those in the files.
    pub(crate) fn write_snapshot(
        &mut self,
        part: &mut PartWriter,
        exchange: &Exchange,
        selection: &Selection,
    ) -> Result<(), ExportError> {
        self.books.clear();
        let stamp = Stamp { sequence: exchange.seq(), at: exchange.now() };
        for (index, listing) in exchange.catalogue().listings() {
            let levels = Levels::of(listing);
            if levels == Levels::EMPTY || !selection.admits_market(exchange, index.market()) {
                continue;
            }
            let market = exchange.catalogue().market(index.market()).id;
            for level in levels.since(&Levels::EMPTY) {
                part.write(Table::BookSnapshots, &row(stamp, market, index.currency(), level))?;
            }
            self.keep(market, index.currency(), levels);
        }
        Ok(())
    }

    fn keep(&mut self, market: MarketId, currency: Currency, levels: Levels) {
        if levels == Levels::EMPTY {
            self.books.remove(&(market, currency));
        } else {
            self.books.insert((market, currency), Box::new(levels));
        }
    }
}

fn row(
    stamp: Stamp,
    market: MarketId,
    currency: Currency,
    (side, cents, quantity): (&str, usize, i64),
) -> Vec<Cell> {
    stamp.row(vec![
        Cell::text(market),
        Cell::text(currency.to_api()),
        Cell::text(side),
        Cell::Decimal(cents as i64),
        Cell::Decimal(quantity),
    ])
}

#[cfg(test)]
mod tests {
    use super::Levels;

    #[test]
    fn changed_levels_come_best_first_and_a_removed_one_has_quantity_0() {
        let (mut before, mut now) = (Levels::EMPTY, Levels::EMPTY);
        (before.bids[40], before.bids[30], before.asks[60]) = (5, 5, 5);
        (now.bids[41], now.bids[30], now.asks[60], now.asks[61]) = (1, 5, 0, 2);
        let expected = [("bid", 41, 1), ("bid", 40, 0), ("ask", 60, 0), ("ask", 61, 2)];
        assert_eq!(now.since(&before), expected);
        assert!(now.since(&now).is_empty());
    }
}
