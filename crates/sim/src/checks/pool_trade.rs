//! Rule 10 for one trade with a pool: exact to the unit, by the definition instead of the formulas.
//!
//! The pool keeps exactly what its product needs, not one unit more. A budget is never exceeded, and one more set would
//! exceed it. An exact number of shares costs the fewest sets, or yields the most.

use exchange::Exchange;
use exchange::catalogue::Engine;
use exchange::command::{Command, Request};
use exchange::index::ListingIndex;
use exchange::order::{NewOrder, OrderRecord, Side, Sizing};
use exchange::pool::Reserves;
use exchange::reject::Reject;
use exchange::reply::Reply;

use super::Before;
use crate::failure::{Failure, ensure};

pub const EXACT: &str = "10 a pool trade is exact to the unit";

/// Shares out for `sets` in: the remainder covers the product, and nothing more is kept.
fn shares_out(reserves: Reserves, sets: i128) -> i128 {
    let (own, other) = (i128::from(reserves.own), i128::from(reserves.other));
    let product = own * other;
    let mut kept = product / (other + sets);
    while kept * (other + sets) < product {
        kept += 1;
    }
    own + sets - kept
}

/// Shares in for `sets` out; `None` if the pool does not have that many.
fn shares_in(reserves: Reserves, sets: i128) -> Option<i128> {
    let (own, other) = (i128::from(reserves.own), i128::from(reserves.other));
    if sets >= other {
        return None;
    }
    let product = own * other;
    let mut needed = product / (other - sets);
    while needed * (other - sets) < product {
        needed += 1;
    }
    Some(needed - own + sets)
}

pub fn check_pool_trade(
    before: &Before,
    exchange: &Exchange,
    request: &Request,
    result: &Result<Reply, Reject>,
) -> Result<(), Failure> {
    let (Command::PlaceOrder(new), Ok(Reply::Order(record))) = (&request.command, result) else {
        return Ok(());
    };
    let catalogue = exchange.catalogue();
    let Some((market, outcome)) = catalogue.find_outcome(new.outcome) else { return Ok(()) };
    if catalogue.event(catalogue.market(market).event).engine != Engine::Amm {
        return Ok(());
    }
    let listing = ListingIndex::new(market, new.currency);
    let (Some(old), Some(now)) = (before.pools.get(&listing).copied(), catalogue.listing(listing).pool())
    else {
        return Err(Failure::new(EXACT, "an AMM order was filled without a pool"));
    };
    let (old, now) = (old.reserves(outcome), now.reserves(outcome));
    let is_exact = is_exact(new, record, old) && is_moved(new.side, record, old, now);
    ensure(is_exact, EXACT, || format!("{old:?} to {now:?} by {record:?}"))
}

fn set_price(record: &OrderRecord) -> i128 {
    i128::from(100 * record.currency.base())
}

fn sets_of(record: &OrderRecord) -> i128 {
    i128::from(record.terms.value.units()) / set_price(record)
}

/// The change of the wallet for this many sets.
fn wallet(record: &OrderRecord, side: Side, sets: i128) -> i128 {
    let value = sets * set_price(record);
    let fee = (i128::from(record.terms.fee_rate.basis_points()) * value + 9_999) / 10_000;
    match side {
        Side::Buy => value + fee,
        Side::Sell => value - fee,
    }
}

fn is_exact(new: &NewOrder, record: &OrderRecord, old: Reserves) -> bool {
    let (sets, shares) = (sets_of(record), i128::from(record.terms.filled.units()));
    if sets * set_price(record) != i128::from(record.terms.value.units()) || sets < 1 || shares < 1 {
        return false;
    }
    match (new.sizing, new.side) {
        (Sizing::Amount(budget), side) => {
            let budget = i128::from(budget.units());
            let by_curve = match side {
                Side::Buy => Some(shares_out(old, sets)),
                Side::Sell => shares_in(old, sets),
            };
            by_curve == Some(shares)
                && wallet(record, side, sets) <= budget
                && wallet(record, side, sets + 1) > budget
        }
        (Sizing::Quantity(asked), Side::Buy) => {
            let asked = i128::from(asked.units());
            shares == asked && shares_out(old, sets) >= asked && shares_out(old, sets - 1) < asked
        }
        (Sizing::Quantity(asked), Side::Sell) => {
            let asked = i128::from(asked.units());
            let fits = |sets| shares_in(old, sets).is_some_and(|needed| needed <= asked);
            shares == asked && fits(sets) && !fits(sets + 1)
        }
    }
}

/// Whether the reserves changed exactly by the sets and the shares.
fn is_moved(side: Side, record: &OrderRecord, old: Reserves, now: Reserves) -> bool {
    let (sets, shares) = (sets_of(record), i128::from(record.terms.filled.units()));
    let (own, other) =
        (i128::from(now.own) - i128::from(old.own), i128::from(now.other) - i128::from(old.other));
    match side {
        Side::Buy => own == sets - shares && other == sets,
        Side::Sell => own == shares - sets && other == -sets,
    }
}
