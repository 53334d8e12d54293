//! A retired event as stored in history: the event, then each market with its two listings, then its game if it has one.

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::listings::{read_last_trade, write_last_trade};
use super::markets::{read_event, read_market, write_event, write_market};
use super::{CodecError, Read, Written, check, read_record};
use crate::catalogue::{RetiredEvent, RetiredListing, RetiredMarket};
use crate::index::EventIndex;

/// Encodes a retired event.
pub fn encode_retired(retired: &RetiredEvent) -> Vec<u8> {
    let mut bytes = Vec::new();
    let written = write_retired(&mut Encoder::new(&mut bytes), retired);
    assert!(written.is_ok(), "writing to a vector cannot fail");
    bytes
}

/// Decodes a retired event that fills `bytes` exactly.
pub fn decode_retired(bytes: &[u8]) -> Result<RetiredEvent, CodecError> {
    let mut decoder = Decoder::new(bytes);
    let retired = read_retired(&mut decoder)?;
    if decoder.position() != bytes.len() {
        return Err(CodecError::TrailingBytes);
    }
    Ok(retired)
}

fn write_retired<W: Write>(e: &mut Encoder<W>, retired: &RetiredEvent) -> Written<W> {
    write_event(e, &retired.event, retired.markets.len())?;
    for RetiredMarket { market, listings } in &retired.markets {
        write_market(e, market)?;
        listings.iter().try_for_each(|listing| write_listing(e, listing))?;
    }
    match &retired.game {
        Some(game) => e.encode(game)?.ok(),
        None => Ok(()),
    }
}

fn read_retired(d: &mut Decoder<'_>) -> Read<RetiredEvent> {
    let (event, count) = read_event(d)?;
    let mut markets = Vec::new();
    for _ in 0..count {
        let market = read_market(d, EventIndex::NONE)?;
        check(market.settlement.is_some(), "a retired market is settled")?;
        markets.push(RetiredMarket { market, listings: [read_listing(d)?, read_listing(d)?] });
    }
    let game = if d.position() < d.input().len() { Some(d.decode()?) } else { None };
    Ok(RetiredEvent { event, markets, game })
}

fn write_listing<W: Write>(e: &mut Encoder<W>, listing: &RetiredListing) -> Written<W> {
    e.array(5)?;
    write_last_trade(e, listing.last_trade)?;
    e.encode(listing.closing_price)?.encode(listing.volume)?.u64(listing.orders)?;
    e.encode(&listing.activity)?.ok()
}

fn read_listing(d: &mut Decoder<'_>) -> Read<RetiredListing> {
    read_record(d, 5)?;
    Ok(RetiredListing {
        last_trade: read_last_trade(d)?,
        closing_price: d.decode()?,
        volume: d.decode()?,
        orders: d.u64()?,
        activity: d.decode()?,
    })
}
