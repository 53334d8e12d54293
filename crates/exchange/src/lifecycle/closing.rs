//! Closing a market: records the displayed price, takes the resting orders out of trading and closes the market.
//!
//! A book may have more orders than one request has time for. Under rules 4 it is set aside at once and its orders are
//! refunded in turns: some by this request, the rest by the next ones, whatever they are. Until its refund such an order
//! is open, holds what it held and may be cancelled, but it is in no book. A settlement refunds first what is left.

use crate::book::BookSide;
use crate::catalogue::{Action, Listing};
use crate::change::OrderCause;
use crate::exchange::Exchange;
use crate::id::EventId;
use crate::index::{EventIndex, ListingIndex, MarketIndex};
use crate::numbers::Currency;
use crate::order::{OrderSlot, OrderStatus};

/// Orders of closed markets that one request refunds. A settlement refunds all that are left of its market.
pub(crate) const REFUNDED_AT_ONCE: usize = 1_000;

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
        let in_turns = self.since(4);
        for currency in Currency::ALL {
            let index = ListingIndex::new(market, currency);
            let listing = self.catalogue.listing_mut(index);
            listing.closing_price = Some(listing.yes_price());
            if in_turns {
                self.catalogue.set_aside(index);
            }
        }
        self.refund_up_to(if in_turns { self.refunds_left } else { usize::MAX }, market);
        self.move_market(market, Action::Close);
    }

    /// Cancels all orders of a market, in both currencies, in creation order.
    pub(crate) fn refund_orders(&mut self, market: MarketIndex) {
        self.refund_up_to(usize::MAX, market);
    }

    /// Goes on with the refunds of closed markets, as far as one request may.
    pub(crate) fn refund_leaving(&mut self) {
        while self.refunds_left > 0
            && let Some(market) = self.catalogue.first_leaving()
        {
            self.refund_up_to(self.refunds_left, market);
        }
    }

    /// Cancels at most so many orders of a market, the first ones of its books, in creation order.
    fn refund_up_to(&mut self, orders_max: usize, market: MarketIndex) {
        let listings =
            Currency::ALL.map(|currency| self.catalogue.listing(ListingIndex::new(market, currency)));
        let slots = listings.into_iter().flat_map(orders_of).take(orders_max);
        let mut slots: Vec<(u64, OrderSlot)> =
            slots.map(|slot| (self.orders[slot].terms.serial, slot)).collect();
        slots.sort_unstable();
        self.refunds_left = self.refunds_left.saturating_sub(slots.len());
        self.changes.reserve(slots.len());
        for (_, slot) in slots {
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

/// All orders of a listing, resting or leaving: bids, then asks, each by priority.
pub(crate) fn orders_of(listing: &Listing) -> impl Iterator<Item = OrderSlot> {
    let books = [listing.book(), listing.leaving()].into_iter().flatten();
    let sides = books.flat_map(|book| [(book, BookSide::Bid), (book, BookSide::Ask)]);
    sides.flat_map(|(book, side)| book.resting(side)).map(|resting| resting.order)
}
