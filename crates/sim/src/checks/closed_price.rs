//! The displayed price of a market does not change when trading closes, nor until the market is settled.

use exchange::Exchange;
use exchange::catalogue::{Market, Status};
use exchange::change::{Change, OrderCause};
use exchange::index::ListingIndex;
use exchange::numbers::Currency;

use super::Before;
use crate::failure::{Failure, ensure};

pub const CLOSED_PRICE: &str = "12 a closed market shows the price that it was closed at";

pub fn check_closed_prices(before: &Before, exchange: &Exchange, changes: &[Change]) -> Result<(), Failure> {
    for (index, market) in exchange.catalogue().markets() {
        let Some(was) = before.markets.get(&index).copied() else { continue };
        let stays_closed = was == Status::Closed && market.status == Status::Closed;
        let closes = was.has_orders() && market.status == Status::Closed && !is_moved(market, changes);
        if !(stays_closed || closes) {
            continue;
        }
        for currency in Currency::ALL {
            let listing = ListingIndex::new(index, currency);
            let (price, shown) = (before.prices[&listing], exchange.catalogue().listing(listing).yes_price());
            ensure(shown == price, CLOSED_PRICE, || {
                format!("market {} in {} moved from {price} to {shown}", market.id, currency.code())
            })?;
        }
    }
    Ok(())
}

/// Whether the command changed the displayed price before it closed the market: for example, an order that expires at
/// the closing date is removed first.
fn is_moved(market: &Market, changes: &[Change]) -> bool {
    changes.iter().any(|change| match change {
        Change::Order { record, cause } => record.market == market.id && *cause != OrderCause::MarketClosed,
        Change::Trade(trade) => trade.market == market.id,
        Change::PoolSeeded { market: seeded, .. } => *seeded == market.id,
        _ => false,
    })
}
