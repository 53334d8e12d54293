//! Rule 7: books. Not crossed between users, correct level totals, queues ordered by time, entries that match their
//! orders.

use super::{Broken, ensure, rule};
use crate::book::{Book, BookSide, Resting};
use crate::catalogue::{Listing, Status};
use crate::exchange::Exchange;
use crate::index::ListingIndex;
use crate::numbers::{Money, Shares};
use crate::order::Order;

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    for (listing, place) in exchange.catalogue.listings() {
        let mut resting = Money::ZERO;
        if let Some(book) = place.book().filter(|book| !book.is_empty()) {
            check_crossing(book, listing)?;
            for side in [BookSide::Bid, BookSide::Ask] {
                resting += check_side(exchange, listing, book, side)?;
            }
        }
        ensure(place.resting == resting, rule::RESTING_ADDS_UP, || {
            format!("listing {}: {} rests, not {resting}", listing.0, place.resting)
        })?;
        check_leaving(exchange, listing, place)?;
    }
    Ok(())
}

/// The orders that wait for their refunds form a sound book of a closed market.
fn check_leaving(exchange: &Exchange, listing: ListingIndex, place: &Listing) -> Result<(), Broken> {
    let Some(book) = place.leaving() else { return Ok(()) };
    let status = exchange.catalogue.market(listing.market()).status;
    let is_over = status == Status::Closed && place.book().is_some_and(Book::is_empty) && exchange.since(4);
    ensure(is_over && !book.is_empty(), rule::LEAVES_A_CLOSED_MARKET, || {
        format!("listing {} is {status:?}, {} orders leave it", listing.0, book.len())
    })?;
    ensure(exchange.catalogue.is_leaving(listing.market()), rule::LISTS_AGREE, || {
        format!("listing {} has orders to refund, and its market is not listed", listing.0)
    })?;
    for side in [BookSide::Bid, BookSide::Ask] {
        check_side(exchange, listing, book, side)?;
    }
    Ok(())
}

/// One user's own orders may cross (SKIP), those of two users may not. If any such pair crosses, then so does a pair that
/// includes the best bid or the best ask.
fn check_crossing(book: &Book, listing: ListingIndex) -> Result<(), Broken> {
    let (Some(bid), Some(ask)) = (book.resting(BookSide::Bid).next(), book.resting(BookSide::Ask).next())
    else {
        return Ok(());
    };
    if bid.price < ask.price {
        return Ok(());
    }
    let crosses = if bid.user != ask.user {
        true
    } else {
        let other_bid = book.best_of_others(BookSide::Bid, bid.user);
        let other_ask = book.best_of_others(BookSide::Ask, ask.user);
        other_bid.is_some_and(|price| price >= ask.price) || other_ask.is_some_and(|price| price <= bid.price)
    };
    ensure(!crosses, rule::BOOK_UNCROSSED, || format!("listing {}: {bid:?} and {ask:?}", listing.0))
}

/// Checks one side and returns the notional of its orders.
fn check_side(
    exchange: &Exchange,
    listing: ListingIndex,
    book: &Book,
    side: BookSide,
) -> Result<Money, Broken> {
    let mut levels = book.levels(side);
    let (mut sum, mut notional) = (Shares::ZERO, Money::ZERO);
    let mut level = levels.next();
    let mut before: Option<&Order> = None;
    let mut price = level.map(|(price, _)| price);
    for entry in book.resting(side) {
        if price != Some(entry.price) {
            check_level(level.map(|(_, total)| total), sum, listing)?;
            level = levels.next();
            (price, sum, before) = (level.map(|(price, _)| price), Shares::ZERO, None);
            ensure(price == Some(entry.price), rule::LEVELS_ADD_UP, || format!("no level has {entry:?}"))?;
        }
        sum += entry.remaining;
        let order = &exchange.orders[entry.order];
        check_entry(&entry, order, listing, side)?;
        notional += order.notional();
        // An order gets its queue position at creation or by an amend, so between its creation and its last change.
        let is_in_order = before.is_none_or(|before| before.terms.created_at <= order.terms.updated_at());
        ensure(is_in_order, rule::QUEUE_IS_BY_TIME, || format!("{:?} comes too late", order.terms))?;
        before = Some(order);
    }
    check_level(level.map(|(_, total)| total), sum, listing)?;
    ensure(levels.next().is_none(), rule::LEVELS_ADD_UP, || {
        format!("listing {} has an empty level", listing.0)
    })?;
    Ok(notional)
}

fn check_level(total: Option<Shares>, sum: Shares, listing: ListingIndex) -> Result<(), Broken> {
    ensure(total.unwrap_or_default() == sum, rule::LEVELS_ADD_UP, || {
        format!("listing {}: a level has {total:?}, its orders sum to {sum}", listing.0)
    })
}

fn check_entry(entry: &Resting, order: &Order, listing: ListingIndex, side: BookSide) -> Result<(), Broken> {
    let terms = &order.terms;
    let agrees = order.listing == listing
        && order.user == entry.user
        && terms.side.on_book(terms.outcome) == side
        && terms.outcome.yes_price(order.price()) == entry.price
        && terms.remaining() == entry.remaining;
    ensure(agrees, rule::BOOK_KNOWS_ITS_ORDERS, || format!("{entry:?} is not {terms:?}"))
}
