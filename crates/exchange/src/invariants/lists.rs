//! All references to orders and positions agree: users, holders, queues, ids, timers.

use super::{Broken, ensure, rule};
use crate::exchange::Exchange;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{Money, Shares};
use crate::order::{OrderSlot, Outcome};
use crate::position::{Position, PositionSlot};
use crate::timers::TimerKind;

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    let (mut positions, mut orders) = (0, 0);
    for (user, record) in exchange.directory.users() {
        let mut open_orders = 0;
        for (listing, slot) in &record.positions {
            positions += 1;
            open_orders += check_position(exchange, user, *listing, *slot)?;
        }
        orders += open_orders as usize;
        ensure(open_orders == record.open_orders, rule::LISTS_AGREE, || {
            format!("user {} has {open_orders} open orders and counts {}", user.0, record.open_orders)
        })?;
    }
    ensure(orders == exchange.orders.len(), rule::LISTS_AGREE, || {
        format!("users list {orders} orders, {} are in memory", exchange.orders.len())
    })?;
    check_venues(exchange, positions, orders)
}

/// Counts positions and orders from the holders and books.
fn check_venues(exchange: &Exchange, positions: usize, orders: usize) -> Result<(), Broken> {
    let (mut held, mut resting) = (0, 0);
    for (listing, place) in exchange.catalogue.listings() {
        held += place.holders.len();
        resting += place.book().map_or(0, |book| book.len());
        for slot in &place.holders {
            let position = &exchange.positions[*slot];
            let listed = exchange.directory.user(position.user).positions.get(&listing);
            ensure(listed == Some(slot), rule::LISTS_AGREE, || {
                format!("listing {} has a holder that user {} does not list", listing.0, position.user.0)
            })?;
        }
    }
    ensure(held == positions, rule::LISTS_AGREE, || format!("{positions} positions, {held} holders"))?;
    ensure(resting == orders, rule::LISTS_AGREE, || format!("{orders} open orders, {resting} on books"))
}

/// Checks a position and returns the number of orders it lists.
fn check_position(
    exchange: &Exchange,
    user: UserIndex,
    listing: ListingIndex,
    slot: PositionSlot,
) -> Result<u32, Broken> {
    let position = &exchange.positions[slot];
    ensure(position.user == user && position.listing == listing, rule::LISTS_AGREE, || {
        format!(
            "user {} lists a position of user {} on listing {}",
            user.0, position.user.0, position.listing.0
        )
    })?;
    for outcome in Outcome::BOTH {
        let holding = position.holding(outcome);
        ensure(holding.free >= Shares::ZERO && holding.held >= Shares::ZERO, rule::NOTHING_NEGATIVE, || {
            format!("user {} on listing {}: {holding:?}", user.0, listing.0)
        })?;
        let is_priced = holding.total() > Shares::ZERO || holding.cost == Money::ZERO;
        ensure(is_priced && !holding.cost.is_negative(), rule::COST_NEEDS_SHARES, || {
            format!("user {} on listing {}: {holding:?}", user.0, listing.0)
        })?;
    }
    count_orders(exchange, position, slot)
}

fn count_orders(exchange: &Exchange, position: &Position, slot: PositionSlot) -> Result<u32, Broken> {
    let (mut count, mut previous, mut at) = (0_u32, OrderSlot::NONE, position.first_order);
    while at != OrderSlot::NONE {
        let order = &exchange.orders[at];
        let is_here = order.position == slot
            && order.user == position.user
            && order.listing == position.listing
            && order.previous == previous
            && count < position.open_orders;
        ensure(is_here, rule::LISTS_AGREE, || format!("order {} is in a wrong list", order.terms.id))?;
        ensure(exchange.orders.find(order.terms.id) == Some(at), rule::LISTS_AGREE, || {
            format!("order {} is not found by its id", order.terms.id)
        })?;
        if let Some(client_order_id) = &order.terms.client_order_id {
            let found = exchange.orders.find_by_client_id(order.user, client_order_id);
            ensure(found == Some(at), rule::LISTS_AGREE, || {
                format!("{client_order_id} does not find its order")
            })?;
        }
        if let Some(expires_at) = order.terms.progress.expires_at {
            let is_timed = exchange.timers.contains(expires_at, TimerKind::Expiry, order.terms.id.as_u128());
            ensure(is_timed, rule::LISTS_AGREE, || format!("order {} has no expiry timer", order.terms.id))?;
        }
        (count, previous, at) = (count + 1, at, order.next);
    }
    let is_whole = count == position.open_orders && previous == position.last_order;
    ensure(is_whole, rule::LISTS_AGREE, || {
        format!("user {} lists {count} orders and counts {}", position.user.0, position.open_orders)
    })?;
    Ok(count)
}
