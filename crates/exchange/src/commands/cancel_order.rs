//! `CancelOrder`: removes one open order from the book.

use minicbor::{Decode, Encode};

use crate::change::OrderCause;
use crate::exchange::Exchange;
use crate::id::OrderId;
use crate::index::UserIndex;
use crate::order::ReportedOrder;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CancelOrder {
    #[n(0)]
    pub order: OrderId,
}

impl Exchange {
    pub(crate) fn cancel_order(&mut self, user: UserIndex, command: &CancelOrder) -> Result<Reply, Reject> {
        let CancelOrder { order } = *command;
        self.cancel_one(user, order).map(Reply::Order)
    }

    /// Returns `OrderNotFound` for another user's order and for an order that is no longer open.
    pub(crate) fn cancel_one(&mut self, user: UserIndex, order: OrderId) -> Result<ReportedOrder, Reject> {
        let slot = self.orders.find(order).ok_or(Reject::OrderNotFound)?;
        if self.orders[slot].user != user {
            return Err(Reject::OrderNotFound);
        }
        Ok(self.close_for_reply(slot, OrderCause::Cancelled))
    }
}
