//! `CancelAllOrders`: cancels all open orders of the caller, or those of an event, a market or a currency.

use minicbor::{Decode, Encode};

use crate::change::OrderCause;
use crate::exchange::Exchange;
use crate::id::{EventId, MarketId};
use crate::index::UserIndex;
use crate::numbers::Currency;
use crate::order::{OpenEntry, OrderSlot, OrderStatus, ReportedOrder};
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CancelAllOrders {
    #[n(0)]
    pub event: Option<EventId>,
    #[n(1)]
    pub market: Option<MarketId>,
    #[n(2)]
    pub currency: Option<Currency>,
}

impl Exchange {
    pub(crate) fn cancel_all_orders(
        &mut self,
        user: UserIndex,
        command: &CancelAllOrders,
    ) -> Result<Reply, Reject> {
        let CancelAllOrders { event, market, currency } = *command;
        let orders = self.find_orders_of(user, event, market, currency)?;
        Ok(Reply::Orders(self.close_orders(orders, OrderCause::Cancelled)))
    }

    /// A user's open orders, oldest first: all, or those of an event, a market or a currency.
    pub(crate) fn find_orders_of(
        &self,
        user: UserIndex,
        event: Option<EventId>,
        market: Option<MarketId>,
        currency: Option<Currency>,
    ) -> Result<Vec<OrderSlot>, Reject> {
        let event = event.map(|id| self.catalogue.find_event(id).ok_or(Reject::EventNotFound)).transpose()?;
        let market =
            market.map(|id| self.catalogue.find_market(id).ok_or(Reject::MarketNotFound)).transpose()?;
        let is_meant = |entry: &&OpenEntry| {
            let listing = entry.listing;
            event.is_none_or(|event| event == self.catalogue.market(listing.market()).event)
                && market.is_none_or(|market| market == listing.market())
                && currency.is_none_or(|currency| currency == listing.currency())
        };
        let open = self.directory.user(user).open_orders.iter();
        Ok(open.filter(is_meant).map(|entry| entry.slot).collect())
    }

    /// Cancels all resting orders of a user, oldest first.
    pub(crate) fn close_all_orders(&mut self, user: UserIndex, cause: OrderCause) {
        let orders: Vec<OrderSlot> =
            self.directory.user(user).open_orders.iter().map(|entry| entry.slot).collect();
        for slot in orders {
            self.close_order(slot, OrderStatus::Cancelled, cause);
        }
    }

    pub(crate) fn close_orders(&mut self, orders: Vec<OrderSlot>, cause: OrderCause) -> Vec<ReportedOrder> {
        orders.into_iter().map(|slot| self.close_for_reply(slot, cause)).collect()
    }
}
