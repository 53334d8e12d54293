//! `CancelAllOrders`: cancels all open orders of the caller, or those of an event, a market or a currency.

use minicbor::{Decode, Encode};

use crate::change::OrderCause;
use crate::exchange::Exchange;
use crate::id::{EventId, MarketId};
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::Currency;
use crate::order::{OrderSlot, OrderStatus, ReportedOrder};
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
        let listings = self.find_listings_of(user, event, market, currency)?;
        Ok(Reply::Orders(self.close_orders_in(user, listings, OrderCause::Cancelled)))
    }

    /// The listings where a user has a position or orders: all, or those of an event, a market or a currency.
    pub(crate) fn find_listings_of(
        &self,
        user: UserIndex,
        event: Option<EventId>,
        market: Option<MarketId>,
        currency: Option<Currency>,
    ) -> Result<Vec<ListingIndex>, Reject> {
        let event = event.map(|id| self.catalogue.find_event(id).ok_or(Reject::EventNotFound)).transpose()?;
        let market =
            market.map(|id| self.catalogue.find_market(id).ok_or(Reject::MarketNotFound)).transpose()?;
        let is_meant = |listing: &ListingIndex| {
            let of_event = self.catalogue.market(listing.market()).event;
            event.is_none_or(|event| event == of_event)
                && market.is_none_or(|market| market == listing.market())
                && currency.is_none_or(|currency| currency == listing.currency())
        };
        Ok(self.directory.user(user).positions.keys().copied().filter(is_meant).collect())
    }

    /// Cancels all resting orders of a user, oldest first.
    pub(crate) fn close_all_orders(&mut self, user: UserIndex, cause: OrderCause) {
        let listings = self.directory.user(user).positions.keys().copied().collect();
        self.close_orders_in(user, listings, cause);
    }

    pub(crate) fn close_orders_in(
        &mut self,
        user: UserIndex,
        listings: Vec<ListingIndex>,
        cause: OrderCause,
    ) -> Vec<ReportedOrder> {
        let in_listing = |listing| self.open_orders_of(user, listing);
        let mut slots: Vec<OrderSlot> = listings.into_iter().flat_map(in_listing).collect();
        slots.sort_unstable_by_key(|slot| self.orders[*slot].terms.serial);
        let close = |slot| {
            let listing = self.orders[slot].listing;
            let record = self.close_order(slot, OrderStatus::Cancelled, cause);
            self.reported(record, listing)
        };
        slots.into_iter().map(close).collect()
    }
}
