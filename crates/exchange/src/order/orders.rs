//! All open orders, indexed by slot, by id and by the owner's client order id.

use hashbrown::HashMap;
use slab::Slab;

use super::Order;
use crate::book::Resting;
use crate::hashing::FixedState;
use crate::id::OrderId;
use crate::index::{OrderSlot, UserIndex};
use crate::text::Text;

#[derive(Clone, Debug, Default)]
pub struct Orders {
    slots: Slab<Order>,
    by_id: HashMap<OrderId, OrderSlot, FixedState>,
    by_client_id: HashMap<(UserIndex, Text), OrderSlot, FixedState>,
}

impl Orders {
    pub fn find(&self, id: OrderId) -> Option<OrderSlot> {
        self.by_id.get(&id).copied()
    }

    pub fn find_by_client_id(&self, user: UserIndex, client_order_id: &Text) -> Option<OrderSlot> {
        self.by_client_id.get(&(user, client_order_id.clone())).copied()
    }

    /// The order of a book entry.
    pub fn resting(&self, entry: &Resting) -> &Order {
        &self[entry.order]
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The slot that the next `insert` uses: a book node refers to it before the order is inserted.
    pub(crate) fn next_slot(&self) -> OrderSlot {
        OrderSlot(self.slots.vacant_key() as u32)
    }

    pub(crate) fn insert(&mut self, order: Order) -> OrderSlot {
        let slot = self.next_slot();
        self.by_id.insert(order.terms.id, slot);
        if let Some(client_order_id) = &order.terms.client_order_id {
            self.by_client_id.insert((order.user, client_order_id.clone()), slot);
        }
        self.slots.insert(order);
        slot
    }

    pub(crate) fn remove(&mut self, slot: OrderSlot) -> Order {
        let order = self.slots.remove(slot.slot());
        self.by_id.remove(&order.terms.id);
        if let Some(client_order_id) = &order.terms.client_order_id {
            self.by_client_id.remove(&(order.user, client_order_id.clone()));
        }
        order
    }
}

impl core::ops::Index<OrderSlot> for Orders {
    type Output = Order;
    #[inline]
    fn index(&self, slot: OrderSlot) -> &Order {
        &self.slots[slot.slot()]
    }
}

impl core::ops::IndexMut<OrderSlot> for Orders {
    #[inline]
    fn index_mut(&mut self, slot: OrderSlot) -> &mut Order {
        &mut self.slots[slot.slot()]
    }
}
