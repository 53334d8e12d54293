//! `CancelOrders`: cancels up to 100 orders by id, each independently.

use minicbor::{Decode, Encode};

use crate::exchange::Exchange;
use crate::id::OrderId;
use crate::index::UserIndex;
use crate::limits::BATCH_CANCELS_MAX;
use crate::reject::Reject;
use crate::reply::{ItemResult, Reply};

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CancelOrders {
    #[n(0)]
    pub orders: Vec<OrderId>,
}

impl Exchange {
    pub(crate) fn cancel_orders(&mut self, user: UserIndex, command: &CancelOrders) -> Result<Reply, Reject> {
        let CancelOrders { orders } = command;
        if orders.is_empty() || orders.len() > BATCH_CANCELS_MAX {
            return Err(Reject::BatchSize { max: BATCH_CANCELS_MAX });
        }
        let results = orders.iter().map(|order| ItemResult {
            order: Some(*order),
            order_as_sent: None,
            client_order_id: None,
            outcome: self.cancel_one(user, *order),
        });
        Ok(Reply::Results(results.collect()))
    }
}
