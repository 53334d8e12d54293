//! Closing a market: records the displayed price, cancels and refunds resting orders, oldest first, then closes the
//! market.

use crate::book::BookSide;
use crate::catalogue::{Action, Listing};
use crate::change::OrderCause;
use crate::exchange::Exchange;
use crate::id::EventId;
use crate::index::{EventIndex, ListingIndex, MarketIndex};
use crate::numbers::Currency;
use crate::order::{OrderSlot, OrderStatus};

impl Exchange {
    /// Closes markets that allow it, then updates their event.
    pub(crate) fn close_markets(&mut self, event: EventIndex, markets: &[MarketIndex]) {
        for market in markets {
            self.close_market(*market);
        }
        self.refresh_event(event);
    }

    /// Closes one market. The caller must refresh the event's status.
    pub(crate) fn close_market(&mut self, market: MarketIndex) {
        for currency in Currency::ALL {
            let listing = self.catalogue.listing_mut(ListingIndex::new(market, currency));
            listing.closing_price = Some(listing.yes_price());
        }
        self.refund_orders(market);
        self.move_market(market, Action::Close);
    }

    /// Cancels all resting orders of a market, in both currencies, in creation order.
    pub(crate) fn refund_orders(&mut self, market: MarketIndex) {
        let mut slots = Vec::new();
        for currency in Currency::ALL {
            slots.extend(resting_orders(self.catalogue.listing(ListingIndex::new(market, currency))));
        }
        slots.sort_unstable_by_key(|slot| self.orders[*slot].terms.serial);
        for slot in slots {
            self.close_order(slot, OrderStatus::Cancelled, OrderCause::MarketClosed);
        }
    }

    /// Handles an event's closing date.
    pub(crate) fn close_due_event(&mut self, id: u128) {
        let Some(event) = self.catalogue.find_event(EventId::new(id)) else { return };
        let may_close =
            |market: &&MarketIndex| self.catalogue.market(**market).status.after(Action::Close).is_some();
        let markets: Vec<_> = self.catalogue.event(event).markets.iter().filter(may_close).copied().collect();
        self.close_markets(event, &markets);
    }
}

/// All orders on a listing's book: bids, then asks, each by priority.
pub(crate) fn resting_orders(listing: &Listing) -> impl Iterator<Item = OrderSlot> {
    let sides = [BookSide::Bid, BookSide::Ask].into_iter();
    listing.book().into_iter().flat_map(move |book| {
        sides.clone().flat_map(move |side| book.resting(side)).map(|resting| resting.order)
    })
}
