//! Rules 8, 9 and 11 for each open order: remainder, limit, expiry, fee.

use super::{Broken, ensure, rule};
use crate::exchange::Exchange;
use crate::numbers::{Money, Shares};
use crate::order::{Order, OrderKind, TimeInForce};

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    for (_, record) in exchange.directory.users() {
        for entry in record.open_orders.iter() {
            check_order(exchange, &exchange.orders[entry.slot])?;
        }
    }
    Ok(())
}

fn check_order(exchange: &Exchange, order: &Order) -> Result<(), Broken> {
    let terms = &order.terms.to_state();
    let detail = || format!("{terms:?}");
    let has_rest =
        terms.filled >= Shares::ZERO && terms.filled < terms.size && terms.size <= Shares::ORDER_MAX;
    let has_limit = terms.kind == OrderKind::Limit && terms.price.is_some();
    let has_life = match terms.time_in_force {
        TimeInForce::Gtc => terms.expires_at.is_none(),
        TimeInForce::Gtd => terms.expires_at.is_some(),
        TimeInForce::Fak | TimeInForce::Fok => false,
    };
    let is_ordered = terms.created_at <= terms.updated_at && terms.updated_at <= exchange.now;
    let is_numbered = terms.serial < exchange.next_serial;
    ensure(has_rest && has_limit && has_life && is_ordered && is_numbered, rule::ORDER_IS_SANE, detail)?;
    let is_alive = terms.expires_at.is_none_or(|expires_at| expires_at > exchange.now);
    ensure(is_alive, rule::ORDER_NOT_EXPIRED, detail)?;
    let status = exchange.catalogue.market(order.listing.market()).status;
    let leaves = exchange.catalogue.listing(order.listing).leaving().is_some();
    ensure(status.has_orders() || leaves, rule::ORDER_IN_LIVE_MARKET, || format!("{status:?}: {terms:?}"))?;
    check_fee(order)
}

fn check_fee(order: &Order) -> Result<(), Broken> {
    let terms = &order.terms.to_state();
    let detail = || format!("{terms:?}");
    let took = terms.taker_value > Money::ZERO || terms.trades > 0;
    ensure(!(terms.post_only && took), rule::POST_ONLY_NEVER_TAKES, detail)?;
    let is_part = !terms.taker_value.is_negative() && terms.taker_value <= terms.value;
    let is_exact = terms.fee == terms.fee_rate.on(terms.taker_value);
    ensure(is_part && is_exact, rule::FEE_IS_EXACT, detail)
}
