//! Closes an open order: removes it from the book, releases its hold, reports it and frees it.

use crate::change::{Change, OrderCause};
use crate::exchange::Exchange;
use crate::id::OrderId;
use crate::order::{Order, OrderSlot, OrderState, OrderStatus, ReportedOrder};
use crate::timers::TimerKind;

impl Exchange {
    /// Closes an open order.
    pub(crate) fn close_order(&mut self, slot: OrderSlot, status: OrderStatus, cause: OrderCause) {
        let record = self.take_order(slot, status);
        self.changes.push(Change::Order { record, cause });
    }

    /// Closes an open order, for a reply.
    pub(crate) fn close_for_reply(&mut self, slot: OrderSlot, cause: OrderCause) -> ReportedOrder {
        let record = self.take_order(slot, OrderStatus::Cancelled);
        self.changes.push(Change::Order { record: record.clone(), cause });
        record
    }

    /// Removes an open order from everywhere. The caller reports the record.
    fn take_order(&mut self, slot: OrderSlot, status: OrderStatus) -> ReportedOrder {
        let order = self.orders.remove(slot);
        self.unqueue_order(&order);
        self.release_hold(&order);
        let mut terms = order.terms.to_state();
        terms.updated_at = self.now;
        self.unlist_closed(&order, terms, status)
    }

    /// Frees an order that is off the book and holds nothing.
    pub(crate) fn forget_order(
        &mut self,
        slot: OrderSlot,
        status: OrderStatus,
        cause: OrderCause,
    ) -> ReportedOrder {
        let order = self.orders.remove(slot);
        let terms = order.terms.to_state();
        let record = self.unlist_closed(&order, terms, status);
        self.changes.push(Change::Order { record: record.clone(), cause });
        record
    }

    /// Removes a freed order from its owner's list and from the timers. The caller reports the record.
    pub(crate) fn unlist_closed(
        &mut self,
        order: &Order,
        terms: OrderState,
        status: OrderStatus,
    ) -> ReportedOrder {
        self.unlist_order(order);
        if let Some(expires_at) = terms.expires_at {
            self.timers.clear(expires_at, TimerKind::Expiry, terms.id.as_u128());
        }
        self.reported(order.user, order.listing, terms, status)
    }

    /// Handles the expiry of a GTD order, under rules 1 to 3.
    pub(crate) fn expire_order(&mut self, id: u128) {
        if let Some(slot) = self.orders.find(OrderId::new(id)) {
            self.close_order(slot, OrderStatus::Expired, OrderCause::Expired);
        }
    }

    /// Handles the expiry of a GTD order and of those whose timers follow it, in order of creation. The order of their ids
    /// is random, so to go by it would wait for memory at every step.
    pub(crate) fn expire_orders(&mut self, first: u128) {
        let mut ids = vec![first];
        while let Some(timer) = self.timers.pop_due_of(TimerKind::Expiry, self.now) {
            ids.push(timer.id);
        }
        let slots = ids.into_iter().filter_map(|id| self.orders.find(OrderId::new(id)));
        let serial = |slot| (self.orders[slot].terms.serial, slot);
        let mut slots: Vec<(u64, OrderSlot)> = slots.map(serial).collect();
        slots.sort_unstable();
        self.changes.reserve(slots.len());
        for (_, slot) in slots {
            self.close_order(slot, OrderStatus::Expired, OrderCause::Expired);
        }
    }
}
