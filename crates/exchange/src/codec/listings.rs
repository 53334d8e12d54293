//! Listings: trading totals, positions in order of first touch, then the pool or the orders of the book.

use minicbor::data::Type;
use minicbor::decode::Error;
use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::books::{self, Created};
use super::money::Balances;
use super::{Read, Written, check, found, read_list, read_record, write_list};
use crate::book::{Book, BookSide};
use crate::catalogue::{LastTrade, Listing, Status, Venue};
use crate::exchange::Exchange;
use crate::index::{ListingIndex, MarketIndex, UserIndex};
use crate::numbers::{Currency, PerCurrency, Ppm};
use crate::order::Outcome;
use crate::position::{Holding, Position};
use crate::sparse::Empty;

/// The kinds of venues, as encoded.
const IDLE: u8 = 0;
const BOOK: u8 = 1;
const POOL: u8 = 2;
/// The book of a closed market whose orders wait for their refunds.
const LEAVING: u8 = 3;

pub(super) fn write_listings<W: Write>(e: &mut Encoder<W>, exchange: &Exchange) -> Written<W> {
    write_list(e, exchange.catalogue.listings.values(), |e, listings| {
        listings.iter().try_for_each(|listing| write_listing(e, exchange, listing))
    })
}

fn write_listing<W: Write>(e: &mut Encoder<W>, exchange: &Exchange, listing: &Listing) -> Written<W> {
    e.array(9)?.encode(&listing.stats)?.encode(&listing.activity)?;
    write_last_trade(e, listing.last_trade)?;
    e.encode(listing.closing_price)?.encode(listing.volume)?.u64(listing.orders)?;
    write_list(e, listing.holders.iter(), |e, slot| write_position(e, &exchange.positions[*slot]))?;
    if let Some(book) = listing.leaving() {
        e.u8(LEAVING)?;
        return books::write_orders(e, book, &exchange.orders);
    }
    match &listing.venue {
        Venue::Book(book) => {
            e.u8(BOOK)?;
            books::write_orders(e, book, &exchange.orders)
        }
        Venue::Pool(pool) => e.u8(POOL)?.encode(pool)?.ok(),
        Venue::Idle => e.u8(IDLE)?.null()?.ok(),
    }
}

/// Fills the idle listings that were created with the markets; returns the orders that were put on books.
pub(super) fn read_listings(
    d: &mut Decoder<'_>,
    exchange: &mut Exchange,
    balances: &mut PerCurrency<Balances>,
) -> Read<Vec<Created>> {
    let mut created = Vec::new();
    let markets: Vec<MarketIndex> = exchange.catalogue.markets().map(|(index, _)| index).collect();
    let mut markets = markets.into_iter();
    read_list(d, |d| {
        let market = found(markets.next(), "a listing has its market")?;
        for currency in Currency::ALL {
            let listing = ListingIndex::new(market, currency);
            read_listing(d, exchange, listing, balances.get_mut(currency), &mut created)?;
        }
        Ok(())
    })?;
    check(markets.next().is_none(), "a market has its listings")?;
    Ok(created)
}

fn read_listing(
    d: &mut Decoder<'_>,
    exchange: &mut Exchange,
    index: ListingIndex,
    balances: &mut Balances,
    created: &mut Vec<Created>,
) -> Read<()> {
    read_record(d, 9)?;
    let mut listing = Listing::new(Venue::Idle);
    listing.stats = d.decode()?;
    listing.activity = d.decode()?;
    listing.last_trade = read_last_trade(d)?;
    listing.closing_price = d.decode()?;
    let is_price = |price: Ppm| (Ppm::ZERO..=Ppm::WHOLE).contains(&price);
    check(listing.closing_price.is_none_or(is_price), "a closing price is between zero and one")?;
    listing.volume = d.decode()?;
    listing.orders = d.decode()?;
    *exchange.catalogue.listing_mut(index) = listing;
    read_list(d, |d| read_position(d, exchange, index))?;
    match d.u8()? {
        BOOK => {
            exchange.catalogue.listing_mut(index).venue = Venue::Book(Box::<Book>::default());
            books::read_orders(d, exchange, index, balances, created)
        }
        LEAVING => {
            let market = exchange.catalogue.market(index.market()).status;
            check(exchange.since(4) && market == Status::Closed, "orders leave a market that is closed")?;
            exchange.catalogue.listing_mut(index).venue = Venue::Book(Box::<Book>::default());
            books::read_orders(d, exchange, index, balances, created)?;
            check(exchange.catalogue.set_aside(index), "a market that orders leave has orders")
        }
        POOL => {
            exchange.catalogue.listing_mut(index).venue = Venue::Pool(d.decode()?);
            Ok(())
        }
        IDLE => d.null(),
        _ => Err(Error::message("a listing has a book, a pool or nothing")),
    }
}

pub(super) fn write_last_trade<W: Write>(e: &mut Encoder<W>, last: Option<LastTrade>) -> Written<W> {
    match last {
        Some(last) => e.array(2)?.encode(last.price)?.bool(last.side == BookSide::Bid)?.ok(),
        None => e.null()?.ok(),
    }
}

pub(super) fn read_last_trade(d: &mut Decoder<'_>) -> Read<Option<LastTrade>> {
    if d.datatype()? == Type::Null {
        d.null()?;
        return Ok(None);
    }
    read_record(d, 2)?;
    let price = d.decode()?;
    let side = if d.bool()? { BookSide::Bid } else { BookSide::Ask };
    Ok(Some(LastTrade { price, side }))
}

/// Shares on hold are not encoded; they are restored with the open orders.
fn write_position<W: Write>(e: &mut Encoder<W>, position: &Position) -> Written<W> {
    e.array(9)?.u32(position.user.0)?;
    for holding in [&position.yes, &position.no] {
        e.encode(holding.free)?.encode(holding.cost)?.encode(holding.realised)?;
    }
    e.encode(position.opened_at)?.encode(position.changed_at)?;
    Ok(())
}

fn read_position(d: &mut Decoder<'_>, exchange: &mut Exchange, listing: ListingIndex) -> Read<()> {
    read_record(d, 9)?;
    let user = UserIndex(d.u32()?);
    let record = found(exchange.directory.users.get(user.slot()), "a position has its user")?;
    check(!record.positions.contains_key(&listing), "a user has one position on a listing")?;
    let (yes, no) = (read_holding(d)?, read_holding(d)?);
    let slot = exchange.position_slot(user, listing);
    for (outcome, holding) in [(Outcome::Yes, yes), (Outcome::No, no)] {
        if !holding.is_empty_value() {
            exchange.restore_shares(slot, outcome, |restored| *restored = holding);
        }
    }
    let position = &mut exchange.positions[slot];
    (position.opened_at, position.changed_at) = (d.decode()?, d.decode()?);
    Ok(())
}

fn read_holding(d: &mut Decoder<'_>) -> Read<Holding> {
    Ok(Holding { free: d.decode()?, cost: d.decode()?, realised: d.decode()?, ..Holding::default() })
}
