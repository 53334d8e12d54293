//! `cancel_orders_of`: an operator cancels a user's open orders: all, or those of an event, a market, a currency.

use crate::change::OrderCause;
use crate::exchange::Exchange;
use crate::id::{EventId, MarketId, UserId};
use crate::numbers::Currency;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn cancel_orders_of(
        &mut self,
        user: UserId,
        event: Option<EventId>,
        market: Option<MarketId>,
        currency: Option<Currency>,
    ) -> Result<Reply, Reject> {
        let index = self.directory.find(user).ok_or(Reject::UserNotFound)?;
        let listings = self.find_listings_of(index, event, market, currency)?;
        Ok(Reply::Orders(self.close_orders_in(index, listings, OrderCause::Operator)))
    }
}
