//! All references to orders and positions agree: users, holders, queues, ids, timers.

use super::{Broken, ensure, rule};
use crate::book::Book;
use crate::catalogue::HolderCounts;
use crate::exchange::Exchange;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{Money, Shares};
use crate::order::Outcome;
use crate::position::PositionSlot;
use crate::timers::TimerKind;

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    let (mut positions, mut orders) = (0, 0);
    for (user, record) in exchange.directory.users() {
        let mut open_orders = 0;
        for (listing, slot) in &record.positions {
            positions += 1;
            check_position(exchange, user, *listing, *slot)?;
            open_orders += exchange.positions[*slot].open_orders;
        }
        let listed = check_orders(exchange, user)?;
        orders += listed as usize;
        ensure(open_orders == listed && listed == record.open_orders.len(), rule::LISTS_AGREE, || {
            format!("user {} lists {listed} open orders, and its positions count {open_orders}", user.0)
        })?;
    }
    ensure(orders == exchange.orders.len(), rule::LISTS_AGREE, || {
        format!("users list {orders} orders, {} are in memory", exchange.orders.len())
    })?;
    ensure(exchange.governance.proposals.is_indexed(), rule::LISTS_AGREE, || {
        "pending proposals are not found by the events and games that they decide".to_owned()
    })?;
    ensure(
        exchange.catalogue.fixed_names == exchange.catalogue.count_fixed_names(),
        rule::LISTS_AGREE,
        || format!("fixed names: {:?}", exchange.catalogue.fixed_names),
    )?;
    check_venues(exchange, positions, orders)
}

/// Counts positions and orders from the holders and books.
fn check_venues(exchange: &Exchange, positions: usize, orders: usize) -> Result<(), Broken> {
    let (mut held, mut resting) = (0, 0);
    for (listing, place) in exchange.catalogue.listings() {
        held += place.holders.len();
        resting += [place.book(), place.leaving()].into_iter().flatten().map(Book::len).sum::<usize>();
        let mut counts = HolderCounts::default();
        for slot in &place.holders {
            let position = &exchange.positions[*slot];
            let [has_yes, has_no] = Outcome::BOTH
                .map(|outcome| position.user != UserIndex::HOUSE && position.holding(outcome).has_shares());
            if has_yes {
                counts.count(Outcome::Yes, true, false);
            }
            if has_no {
                counts.count(Outcome::No, true, has_yes);
            }
            let listed = exchange.directory.user(position.user).positions.get(&listing);
            ensure(listed == Some(slot), rule::LISTS_AGREE, || {
                format!("listing {} has a holder that user {} does not list", listing.0, position.user.0)
            })?;
        }
        ensure(counts == place.holder_counts, rule::LISTS_AGREE, || {
            format!("listing {} counts {:?}, and has {counts:?}", listing.0, place.holder_counts)
        })?;
    }
    ensure(held == positions, rule::LISTS_AGREE, || format!("{positions} positions, {held} holders"))?;
    ensure(resting == orders, rule::LISTS_AGREE, || format!("{orders} open orders, {resting} on books"))
}

fn check_position(
    exchange: &Exchange,
    user: UserIndex,
    listing: ListingIndex,
    slot: PositionSlot,
) -> Result<(), Broken> {
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
    Ok(())
}

/// Checks the list of a user's open orders and returns their number.
fn check_orders(exchange: &Exchange, user: UserIndex) -> Result<u32, Broken> {
    let record = exchange.directory.user(user);
    let mut count = 0;
    for entry in record.open_orders.iter() {
        let order = &exchange.orders[entry.slot];
        let is_here = order.user == user
            && record.positions.get(&order.listing) == Some(&order.position)
            && record.open_orders.contains(order, entry.slot);
        ensure(is_here, rule::LISTS_AGREE, || format!("order {} is in a wrong list", order.terms.id))?;
        ensure(exchange.orders.find(order.terms.id) == Some(entry.slot), rule::LISTS_AGREE, || {
            format!("order {} is not found by its id", order.terms.id)
        })?;
        if let Some(client_order_id) = &order.terms.client_order_id {
            let found = exchange.orders.find_by_client_id(order.user, client_order_id);
            ensure(found == Some(entry.slot), rule::LISTS_AGREE, || {
                format!("{client_order_id} does not find its order")
            })?;
        }
        if let Some(expires_at) = order.terms.progress.expires_at {
            let is_timed = exchange.timers.contains(expires_at, TimerKind::Expiry, order.terms.id.as_u128());
            ensure(is_timed, rule::LISTS_AGREE, || format!("order {} has no expiry timer", order.terms.id))?;
        }
        count += 1;
    }
    Ok(count)
}
