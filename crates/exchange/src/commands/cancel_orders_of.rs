//! `cancel_orders_of`: an operator cancels a user's open orders: all, or those of an event, a market or a currency.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::OrderCause;
use crate::exchange::Exchange;
use crate::id::{EventId, MarketId, UserId};
use crate::numbers::Currency;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CancelOrdersOf {
    #[n(0)]
    pub user: UserId,
    #[n(1)]
    pub event: Option<EventId>,
    #[n(2)]
    pub market: Option<MarketId>,
    #[n(3)]
    pub currency: Option<Currency>,
}

impl Exchange {
    pub(crate) fn cancel_orders_of(&mut self, _: Caller, command: &CancelOrdersOf) -> Result<Reply, Reject> {
        let CancelOrdersOf { user, event, market, currency } = *command;
        let index = self.directory.find(user).ok_or(Reject::UserNotFound)?;
        let orders = self.find_orders_of(index, event, market, currency)?;
        Ok(Reply::Orders(self.close_orders(orders, OrderCause::Operator)))
    }
}
