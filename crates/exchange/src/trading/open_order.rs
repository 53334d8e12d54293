//! Puts an order on the book with its hold, and maintains the list of a user's open orders.

use crate::book::NodeIndex;
use crate::catalogue::Venue;
use crate::exchange::Exchange;
use crate::index::{ListingIndex, UserIndex};
use crate::order::{OpenTerms, Order, OrderSlot, OrderState, Side};
use crate::position::PositionSlot;
use crate::timers::TimerKind;

impl Exchange {
    /// Puts the remainder of `terms` on the book: hold, queue, list, timer.
    pub(crate) fn open_order(
        &mut self,
        user: UserIndex,
        position: PositionSlot,
        listing: ListingIndex,
        terms: &OrderState,
    ) {
        let slot = self.orders.next_slot();
        if let Some(expires_at) = terms.expires_at {
            self.timers.set(expires_at, TimerKind::Expiry, terms.id.as_u128());
        }
        let terms = OpenTerms::from(terms);
        let mut order = Order { terms, user, listing, position, node: NodeIndex::NONE };
        self.hold_for(&order);
        order.node = self.queue_order(&order, slot);
        self.list_order(&order, slot);
        self.orders.insert(order);
    }

    /// Reserves what a resting order may need: money for a BUY, shares for a SELL.
    pub(crate) fn hold_for(&mut self, order: &Order) {
        match order.terms.side {
            Side::Buy => self.ledger.hold(order.user, order.listing.currency(), order.held_cash()),
            Side::Sell => {
                let holding = self.positions[order.position].holding_mut(order.terms.outcome);
                holding.hold(order.terms.remaining());
            }
        }
    }

    /// Releases what a resting order had reserved.
    pub(crate) fn release_hold(&mut self, order: &Order) {
        match order.terms.side {
            Side::Buy => self.ledger.release(order.user, order.listing.currency(), order.held_cash()),
            Side::Sell => {
                let holding = self.positions[order.position].holding_mut(order.terms.outcome);
                holding.release(order.terms.remaining());
            }
        }
    }

    /// Adds an order at the end of its level.
    pub(crate) fn queue_order(&mut self, order: &Order, slot: OrderSlot) -> NodeIndex {
        let terms = &order.terms;
        let price = terms.outcome.yes_price(order.price());
        let place = self.catalogue.listing_mut(order.listing);
        match &mut place.venue {
            Venue::Book(book) => {
                place.resting += order.notional();
                book.rest(terms.side.on_book(terms.outcome), price, order.user, slot, terms.remaining())
            }
            Venue::Pool(_) | Venue::Idle => NodeIndex::NONE,
        }
    }

    /// Removes an order from its book, or from among those that wait for their refunds.
    pub(crate) fn unqueue_order(&mut self, order: &Order) {
        if self.catalogue.remove_leaving(order.listing, order.node) {
            return;
        }
        let place = self.catalogue.listing_mut(order.listing);
        if let Venue::Book(book) = &mut place.venue {
            place.resting -= order.notional();
            book.remove(order.node);
        }
    }

    /// Appends an order to its owner's list.
    fn list_order(&mut self, order: &Order, slot: OrderSlot) {
        self.directory.user_mut(order.user).open_orders.push(order, slot);
        self.positions[order.position].open_orders += 1;
    }

    /// Removes an order from its owner's list.
    pub(crate) fn unlist_order(&mut self, order: &Order) {
        self.directory.user_mut(order.user).open_orders.remove(order.terms.serial);
        self.positions[order.position].open_orders -= 1;
    }
}
