//! All open orders, indexed by slot, by id and by the owner's client order id.

use super::Order;
use crate::book::Resting;
use crate::hashing::{Lookup, hash_of};
use crate::id::OrderId;
use crate::index::{OrderSlot, UserIndex};
use crate::pages::Slots;
use crate::text::Text;

#[derive(Clone, Debug, Default)]
pub struct Orders {
    slots: Slots<Order>,
    by_id: Lookup,
    by_client_id: Lookup,
}

impl Orders {
    pub fn find(&self, id: OrderId) -> Option<OrderSlot> {
        self.by_id.find(hash_of(&id), |slot| self.slots[slot].terms.id == id).map(OrderSlot)
    }

    pub fn find_by_client_id(&self, user: UserIndex, client_order_id: &Text) -> Option<OrderSlot> {
        let is_it = |slot: u32| {
            let order = &self.slots[slot];
            order.user == user && order.terms.client_order_id.as_ref() == Some(client_order_id)
        };
        self.by_client_id.find(hash_of(&(user, client_order_id)), is_it).map(OrderSlot)
    }

    /// The order of a book entry.
    pub fn resting(&self, entry: &Resting) -> &Order {
        &self[entry.order]
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.len() == 0
    }

    /// The slot that the next `insert` uses: a book node refers to it before the order is inserted.
    pub(crate) fn next_slot(&self) -> OrderSlot {
        OrderSlot(self.slots.next())
    }

    pub(crate) fn insert(&mut self, order: Order) -> OrderSlot {
        let slot = self.slots.next();
        self.by_id.insert(hash_of(&order.terms.id), slot);
        if let Some(client_order_id) = &order.terms.client_order_id {
            self.by_client_id.insert(hash_of(&(order.user, client_order_id)), slot);
        }
        self.slots.insert(order);
        OrderSlot(slot)
    }

    pub(crate) fn remove(&mut self, slot: OrderSlot) -> Order {
        let order = self.slots.remove(slot.0);
        self.by_id.remove(hash_of(&order.terms.id), slot.0);
        if let Some(client_order_id) = &order.terms.client_order_id {
            self.by_client_id.remove(hash_of(&(order.user, client_order_id)), slot.0);
        }
        order
    }
}

impl core::ops::Index<OrderSlot> for Orders {
    type Output = Order;
    #[inline]
    fn index(&self, slot: OrderSlot) -> &Order {
        &self.slots[slot.0]
    }
}

impl core::ops::IndexMut<OrderSlot> for Orders {
    #[inline]
    fn index_mut(&mut self, slot: OrderSlot) -> &mut Order {
        &mut self.slots[slot.0]
    }
}
