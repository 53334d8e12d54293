//! Rules 4 and 5: every set is backed until its market is settled, and nothing is left afterwards.

use super::{Broken, ensure, rule};
use crate::catalogue::Listing;
use crate::exchange::Exchange;
use crate::index::ListingIndex;
use crate::numbers::{Money, Shares};

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    for (index, place) in exchange.catalogue.listings() {
        let market = exchange.catalogue.market(index.market());
        match market.status.is_final() {
            true => check_settled(exchange, index, place)?,
            false => check_backed(exchange, index, place)?,
        }
    }
    Ok(())
}

fn check_backed(exchange: &Exchange, index: ListingIndex, place: &Listing) -> Result<(), Broken> {
    let (mut yes, mut no) = place.pool().map_or((Shares::ZERO, Shares::ZERO), |pool| (pool.yes, pool.no));
    for slot in &place.holders {
        let position = &exchange.positions[*slot];
        yes += position.yes.total();
        no += position.no.total();
    }
    let collateral = exchange.ledger.collateral(index);
    let is_backed = yes == no && collateral == yes.payout(index.currency());
    ensure(is_backed, rule::SETS_ARE_BACKED, || {
        format!("listing {}: YES {yes}, NO {no}, collateral {collateral}", index.0)
    })
}

fn check_settled(exchange: &Exchange, index: ListingIndex, place: &Listing) -> Result<(), Broken> {
    let collateral = exchange.ledger.collateral(index);
    let has_book = place.book().is_some_and(|book| !book.is_empty());
    let has_pool = place.pool().is_some_and(|pool| pool.yes.max(pool.no) > Shares::ZERO);
    let is_empty = collateral == Money::ZERO && place.holders.is_empty() && !has_book && !has_pool;
    ensure(is_empty, rule::SETTLED_IS_EMPTY, || {
        format!("listing {}: collateral {collateral}, {} holders", index.0, place.holders.len())
    })?;
    ensure(place.is_given_back(), rule::SETTLED_GIVES_BACK, || format!("listing {}: {place:?}", index.0))
}
