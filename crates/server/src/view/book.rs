//! The order books of outcomes. A market has one book in YES prices; NO is its mirror image.

use api::query::BooksQuery;
use api::response::{Book, BookLevel};
use exchange::Exchange;
use exchange::catalogue::{LastTrade, Listing};
use exchange::id::OutcomeId;
use exchange::index::{ListingIndex, MarketIndex};
use exchange::numbers::Currency;
use exchange::order::{Outcome, Side};
use exchange::time::Time;

use super::market::is_public;
use super::words::{ToApi, ToExchange};

/// A book for each requested outcome, in request order; none if one of them is unknown or belongs to a draft. An
/// outcome that does not trade on a book, or not in this currency, has an empty one.
pub fn books(exchange: &Exchange, query: &BooksQuery, now: Time) -> Option<Vec<Book>> {
    query.outcome_id.iter().map(|id| find_book(exchange, id.to_exchange(), query, now)).collect()
}

/// The book of one outcome; none if the outcome is unknown or belongs to a draft.
pub(crate) fn find_book(exchange: &Exchange, id: OutcomeId, query: &BooksQuery, now: Time) -> Option<Book> {
    let (currency, depth) = (query.currency.to_exchange(), query.depth as usize);
    let (market, outcome) = exchange.catalogue().find_outcome(id)?;
    is_public(exchange, market).then(|| book(exchange, market, outcome, currency, depth, now))
}

pub(super) fn book(
    exchange: &Exchange,
    market: MarketIndex,
    outcome: Outcome,
    currency: Currency,
    depth: usize,
    now: Time,
) -> Book {
    let catalogue = exchange.catalogue();
    let listing = catalogue.listing(ListingIndex::new(market, currency));
    let levels = |side| levels(listing, outcome, side, currency, depth);
    let market = catalogue.market(market).id;
    Book {
        market_id: market.to_api(),
        outcome_id: OutcomeId::of(market, outcome as u64).to_api(),
        timestamp: now.max(exchange.now()).to_api(),
        bids: levels(Side::Buy),
        asks: levels(Side::Sell),
        last_traded_price: listing.last_trade.map(|last| outcome.yes_price(last.price).to_api()),
        last_traded_side: listing.last_trade.map(|last| last_side(last, outcome).to_api()),
    }
}

/// Best price first: the highest bid, the lowest ask.
fn levels(
    listing: &Listing,
    outcome: Outcome,
    side: Side,
    currency: Currency,
    depth: usize,
) -> Vec<BookLevel> {
    let Some(book) = listing.book() else { return Vec::new() };
    let level = |(yes_price, quantity): (_, exchange::numbers::Shares)| {
        let price = outcome.yes_price(yes_price);
        BookLevel {
            price: price.to_api(),
            quantity: quantity.to_api(),
            total: quantity.value_at(price.into(), currency).to_api(),
        }
    };
    // Selling NO is bidding for YES, so the bids of a NO book are the asks of YES.
    book.levels(side.on_book(outcome)).take(depth).map(level).collect()
}

/// The side of the last taker, in terms of this outcome.
fn last_side(last: LastTrade, outcome: Outcome) -> Side {
    if last.side == Side::Buy.on_book(outcome) { Side::Buy } else { Side::Sell }
}
