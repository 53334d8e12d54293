//! Open orders, book by book: bids then asks, best price first, in queue order within a price.
//!
//! The queues do not show creation order, which the owners' lists need: orders are listed by serial after all books
//! were read.

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::money::Balances;
use super::{Read, Written, check, found, read_list, read_record};
use crate::book::{Book, BookSide, NodeIndex};
use crate::exchange::Exchange;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{Money, Price, Shares};
use crate::order::{OpenEntry, OpenTerms, Order, OrderSlot, OrderState, Orders, Side};

/// An order that was read: its serial and its slot.
pub(super) type Created = (u64, OrderSlot);

pub(super) fn write_orders<W: Write>(e: &mut Encoder<W>, book: &Book, orders: &Orders) -> Written<W> {
    e.array(book.len() as u64)?;
    for side in [BookSide::Bid, BookSide::Ask] {
        for resting in book.resting(side) {
            e.array(2)?.u32(resting.user.0)?;
            write_terms(e, &orders[resting.order].terms)?;
        }
    }
    Ok(())
}

/// Encodes the terms of an open order like its `OrderState`: fields in order, an absent last field left out.
fn write_terms<W: Write>(e: &mut Encoder<W>, terms: &OpenTerms) -> Written<W> {
    let progress = &*terms.progress;
    e.array(20 + u64::from(terms.client_order_id.is_some()))?.encode(terms.id)?.u64(terms.serial)?;
    e.encode(terms.outcome)?.encode(terms.side)?.encode(terms.kind)?.encode(terms.time_in_force)?;
    e.bool(terms.post_only)?.encode(terms.self_trade)?.encode(terms.price)?.encode(terms.fee_rate)?;
    e.encode(terms.amount)?.encode(terms.size)?.encode(progress.filled)?.encode(progress.value)?;
    e.encode(progress.taker_value)?.encode(progress.fee)?.u64(progress.trades)?;
    e.encode(progress.expires_at)?.encode(terms.created_at)?.encode(terms.updated_at())?;
    match &terms.client_order_id {
        Some(client_order_id) => e.encode(client_order_id)?.ok(),
        None => Ok(()),
    }
}

pub(super) fn read_orders(
    d: &mut Decoder<'_>,
    exchange: &mut Exchange,
    listing: ListingIndex,
    balances: &mut Balances,
    created: &mut Vec<Created>,
) -> Read<()> {
    let mut before = None;
    let (mut resting, mut notional) = (0_i64, 0_i64);
    read_list(d, |d| {
        read_record(d, 2)?;
        let user = UserIndex(d.u32()?);
        let terms: OrderState = d.decode()?;
        let place = check_terms(exchange, user, &terms)?;
        check(before.is_none_or(|before| follows(before, place)), "orders are written in priority order")?;
        before = Some(place);
        // Bounds the sum, so that no level's total can overflow.
        resting = found(resting.checked_add(terms.remaining().units()), "resting quantities can be summed")?;
        let per_unit = i64::from(terms.price.map_or(0, Price::cents)) * listing.currency().base();
        let worth = terms.remaining().units().checked_mul(per_unit);
        notional =
            found(worth.and_then(|worth| notional.checked_add(worth)), "resting quantities can be summed")?;
        created.push(restore_order(exchange, balances, listing, user, terms)?);
        Ok(())
    })
}

/// Checks that an order can rest and is not a duplicate. Returns its side and price in the book.
fn check_terms(exchange: &Exchange, user: UserIndex, terms: &OrderState) -> Read<(BookSide, Price)> {
    let price = found(terms.price, "an open order has a price")?;
    let is_open = terms.filled >= Shares::ZERO && terms.filled < terms.size;
    check(is_open, "an open order has a remainder")?;
    check(terms.serial < exchange.next_serial, "a serial was assigned before")?;
    check(exchange.orders.find(terms.id).is_none(), "an order is unique")?;
    if let Some(client_order_id) = &terms.client_order_id {
        let other = exchange.orders.find_by_client_id(user, client_order_id);
        check(other.is_none(), "a client order id is unique")?;
    }
    Ok((terms.side.on_book(terms.outcome), terms.outcome.yes_price(price)))
}

fn follows(before: (BookSide, Price), next: (BookSide, Price)) -> bool {
    match (before.0, next.0) {
        (BookSide::Bid, BookSide::Bid) => next.1 <= before.1,
        (BookSide::Bid, BookSide::Ask) => true,
        (BookSide::Ask, BookSide::Ask) => next.1 >= before.1,
        (BookSide::Ask, BookSide::Bid) => false,
    }
}

fn restore_order(
    exchange: &mut Exchange,
    balances: &mut Balances,
    listing: ListingIndex,
    user: UserIndex,
    terms: OrderState,
) -> Read<Created> {
    let record = found(exchange.directory.users.get(user.slot()), "an order has its user")?;
    let position = *found(record.positions.get(&listing), "the owner of an order has a position")?;
    let terms = OpenTerms::from(&terms);
    let mut order = Order { terms, user, listing, position, node: NodeIndex::NONE };
    restore_hold(exchange, balances, &order)?;
    order.node = exchange.queue_order(&order, exchange.orders.next_slot());
    let serial = order.terms.serial;
    Ok((serial, exchange.orders.insert(order)))
}

/// An order's hold follows from its terms. The bytes are untrusted, so sums are checked.
fn restore_hold(exchange: &mut Exchange, balances: &mut Balances, order: &Order) -> Read<()> {
    let rule = "holds fit their accounts";
    let (remaining, currency) = (order.terms.remaining().units(), order.listing.currency());
    match order.terms.side {
        Side::Buy => {
            let per_unit = i64::from(order.price().cents()) * currency.base();
            let wallet = &mut balances.wallets[order.user.slot()];
            let held = remaining.checked_mul(per_unit).and_then(|more| wallet.held.units().checked_add(more));
            wallet.held = Money::new(found(held, rule)?);
        }
        Side::Sell => {
            let outcome = order.terms.outcome;
            let before = exchange.positions[order.position].holding(outcome).held.units();
            let held = Shares::new(found(before.checked_add(remaining), rule)?);
            exchange.restore_shares(order.position, outcome, |holding| holding.held = held);
        }
    }
    Ok(())
}

/// Adds every order to its owner's list, oldest first.
pub(super) fn list_orders(exchange: &mut Exchange, created: &mut [Created]) -> Read<()> {
    created.sort_unstable_by_key(|(serial, _)| *serial);
    let are_own = created.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let are_small = created.last().is_none_or(|(serial, _)| *serial <= OpenEntry::SERIAL_MAX);
    check(are_own && are_small, "an order has its own serial")?;
    for (_, slot) in created {
        let order = &exchange.orders[*slot];
        exchange.directory.user_mut(order.user).open_orders.push(order, *slot);
        exchange.positions[order.position].open_orders += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::OrderId;
    use crate::numbers::FeeRate;
    use crate::order::{OrderKind, Outcome, SelfTrade, TimeInForce};
    use crate::text::Text;
    use crate::time::Time;

    fn states() -> Vec<OrderState> {
        let plain = OrderState {
            id: OrderId::new(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef),
            serial: 70_000,
            outcome: Outcome::No,
            side: Side::Sell,
            kind: OrderKind::Limit,
            time_in_force: TimeInForce::Gtc,
            post_only: false,
            self_trade: SelfTrade::CancelNewest,
            price: Price::new(41),
            fee_rate: FeeRate::ZERO,
            amount: Money::whole(12),
            size: Shares::whole(30),
            filled: Shares::ZERO,
            value: Money::ZERO,
            taker_value: Money::ZERO,
            fee: Money::ZERO,
            trades: 0,
            expires_at: None,
            created_at: Time::from_seconds(1_000_000),
            updated_at: Time::from_seconds(1_000_000),
            client_order_id: None,
        };
        let named = OrderState { client_order_id: Some(Text::from("mine-1")), ..plain.clone() };
        let timed = OrderState {
            time_in_force: TimeInForce::Gtd,
            expires_at: Some(Time::from_seconds(2_000_000)),
            ..plain.clone()
        };
        let filled = OrderState {
            filled: Shares::whole(5),
            value: Money::whole(2),
            taker_value: Money::whole(1),
            fee: Money::new(20_000),
            trades: 3,
            updated_at: Time::from_seconds(1_000_007),
            post_only: true,
            price: None,
            ..named.clone()
        };
        vec![plain, named, timed, filled]
    }

    #[test]
    fn open_terms_keep_the_state_and_have_its_encoding() {
        for state in states() {
            let terms = OpenTerms::from(&state);
            assert_eq!(terms.to_state(), state);
            assert_eq!((terms.remaining(), terms.open_status()), (state.remaining(), state.open_status()));
            let mut encoder = Encoder::new(Vec::new());
            write_terms(&mut encoder, &terms).expect("writing to memory cannot fail");
            assert_eq!(encoder.into_writer(), minicbor::to_vec(&state).expect("an encoding"), "{state:?}");
        }
    }
}
