//! The last trade shown by a listing, in its price and its statistics, is the last reported trade.

use exchange::Exchange;
use exchange::change::Change;
use exchange::index::ListingIndex;
use exchange::order::Outcome;

use crate::failure::{Failure, ensure};

pub const LAST_TRADE: &str = "a listing's last price is that of its last trade";

pub fn check_last_trade(exchange: &Exchange, changes: &[Change]) -> Result<(), Failure> {
    // Only the last trade of each listing matters.
    let trades = changes.iter().rev().filter_map(|change| match change {
        Change::Trade(trade) => Some(trade),
        _ => None,
    });
    let mut seen: Vec<ListingIndex> = Vec::new();
    for trade in trades {
        let Some(market) = exchange.catalogue().find_market(trade.market) else { continue };
        let index = ListingIndex::new(market, trade.currency);
        if seen.contains(&index) {
            continue;
        }
        seen.push(index);
        let listing = exchange.catalogue().listing(index);
        let price = Some(trade.maker.outcome.yes_price(trade.maker.price));
        let shown = listing.last_trade.map(|last| last.price);
        let day = listing.stats.day(exchange.now(), Outcome::Yes);
        ensure(shown == price && day.last == price && day.count > 0, LAST_TRADE, || {
            format!("{index:?} shows {shown:?} and {:?} after {trade:?}", day.last)
        })?;
    }
    Ok(())
}
