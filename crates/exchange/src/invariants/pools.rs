//! Rule 10: pools. Prices stay in the band, and pools exist only where they belong.

use super::{Broken, ensure, rule};
use crate::catalogue::{Engine, Event, Status, Venue};
use crate::exchange::Exchange;
use crate::index::ListingIndex;
use crate::numbers::{Currency, Shares};
use crate::order::Outcome;
use crate::pool::Pool;

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    for (index, market) in exchange.catalogue.markets() {
        let event = exchange.catalogue.event(market.event);
        for currency in Currency::ALL {
            let listing = ListingIndex::new(index, currency);
            check_venue(&exchange.catalogue.listing(listing).venue, event, market.status, listing)?;
        }
    }
    Ok(())
}

fn check_venue(venue: &Venue, event: &Event, status: Status, listing: ListingIndex) -> Result<(), Broken> {
    let supported = event.supports(listing.currency());
    let belongs = match (event.engine, venue) {
        (_, Venue::Idle) => !supported || status.is_final(),
        (Engine::Clob, Venue::Book(_)) => supported,
        (Engine::Clob, Venue::Pool(_)) | (Engine::Amm, Venue::Book(_)) => false,
        (Engine::Amm, Venue::Pool(Some(_))) => supported,
        (Engine::Amm, Venue::Pool(None)) => supported && status == Status::Draft,
    };
    ensure(belongs, rule::POOL_WHERE_IT_BELONGS, || {
        format!("listing {} in {status:?}: {venue:?}", listing.0)
    })?;
    match venue {
        Venue::Pool(Some(pool)) if !status.is_final() => check_pool(pool, listing),
        _ => Ok(()),
    }
}

fn check_pool(pool: &Pool, listing: ListingIndex) -> Result<(), Broken> {
    let is_full = pool.yes > Shares::ZERO && pool.no > Shares::ZERO && pool.seeded > Shares::ZERO;
    let is_small = pool.yes.max(pool.no).units() < 1 << 56;
    let in_band = pool.reserves(Outcome::Yes).in_band();
    ensure(is_full && is_small && in_band, rule::POOL_IN_BAND, || format!("listing {}: {pool:?}", listing.0))
}
