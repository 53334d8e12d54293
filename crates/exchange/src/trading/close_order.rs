//! Closes an open order: removes it from the book, releases its hold, reports it and frees it.

use crate::change::{Change, OrderCause};
use crate::exchange::Exchange;
use crate::id::OrderId;
use crate::order::{OrderRecord, OrderSlot, OrderStatus};
use crate::timers::TimerKind;

impl Exchange {
    /// Closes a resting order.
    pub(crate) fn close_order(
        &mut self,
        slot: OrderSlot,
        status: OrderStatus,
        cause: OrderCause,
    ) -> OrderRecord {
        let order = &mut self.orders[slot];
        order.terms.updated_at = self.now;
        let order = order.clone();
        self.unqueue_order(&order);
        self.release_hold(&order);
        self.forget_order(slot, status, cause)
    }

    /// Frees an order that is off the book and holds nothing.
    pub(crate) fn forget_order(
        &mut self,
        slot: OrderSlot,
        status: OrderStatus,
        cause: OrderCause,
    ) -> OrderRecord {
        let order = self.orders.remove(slot);
        self.unlist_order(&order);
        if let Some(expires_at) = order.terms.expires_at {
            self.timers.clear(expires_at, TimerKind::Expiry, order.terms.id.as_u128());
        }
        let record = self.record(order.user, order.listing, order.terms, status);
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
