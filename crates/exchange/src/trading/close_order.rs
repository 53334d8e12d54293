//! Closes an open order: removes it from the book, releases its hold, reports it and frees it.

use crate::change::{Change, OrderCause};
use crate::exchange::Exchange;
use crate::id::OrderId;
use crate::order::{Order, OrderRecord, OrderSlot, OrderState, OrderStatus};
use crate::timers::TimerKind;

impl Exchange {
    /// Closes a resting order.
    pub(crate) fn close_order(
        &mut self,
        slot: OrderSlot,
        status: OrderStatus,
        cause: OrderCause,
    ) -> OrderRecord {
        let order = self.orders.remove(slot);
        self.unqueue_order(&order);
        self.release_hold(&order);
        let mut terms = order.terms.to_state();
        terms.updated_at = self.now;
        self.report_closed(&order, terms, status, cause)
    }

    /// Frees an order that is off the book and holds nothing.
    pub(crate) fn forget_order(
        &mut self,
        slot: OrderSlot,
        status: OrderStatus,
        cause: OrderCause,
    ) -> OrderRecord {
        let order = self.orders.remove(slot);
        let terms = order.terms.to_state();
        self.report_closed(&order, terms, status, cause)
    }

    /// Removes a freed order from its owner's list and from the timers, and reports it.
    pub(crate) fn report_closed(
        &mut self,
        order: &Order,
        terms: OrderState,
        status: OrderStatus,
        cause: OrderCause,
    ) -> OrderRecord {
        self.unlist_order(order);
        if let Some(expires_at) = terms.expires_at {
            self.timers.clear(expires_at, TimerKind::Expiry, terms.id.as_u128());
        }
        let record = self.record(order.user, order.listing, terms, status);
        self.changes.push(Change::Order { record: record.clone(), cause });
        record
    }

    /// Handles the expiry of a GTD order.
    pub(crate) fn expire_order(&mut self, id: u128) {
        if let Some(slot) = self.orders.find(OrderId::new(id)) {
            self.close_order(slot, OrderStatus::Expired, OrderCause::Expired);
        }
    }
}
