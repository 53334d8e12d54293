//! Shared by the trading commands: checking orders, taking from the book or pool, resting, closing.
//!
//! `place_on_book` and `amend` plan first and change nothing until every check has passed.

mod amend;
mod close_order;
mod fill;
mod open_order;
mod place_on_book;
mod place_on_pool;
mod sets;
mod ticket;

pub(crate) use place_on_book::{Placement, displayed_size};
pub(crate) use ticket::Ticket;

use std::sync::Arc;

use crate::exchange::Exchange;
use crate::index::{ListingIndex, UserIndex};
use crate::limits::{OPEN_ORDERS_MAX, OPEN_ORDERS_PER_MARKET_MAX};
use crate::numbers::{Currency, Money, Shares};
use crate::order::{OrderRecord, OrderSlot, OrderState, OrderStatus, Outcome, ReportedOrder, Side};
use crate::position::{Holding, Position, PositionSlot};
use crate::reject::Reject;

/// The funds that a command needs and the funds that its user has, including holds of own orders that it cancels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Funding {
    pub(crate) side: Side,
    pub(crate) cash_needed: Money,
    pub(crate) shares_needed: Shares,
    pub(crate) cash_released: Money,
    pub(crate) shares_released: Shares,
}

impl Exchange {
    /// The user's position on a listing, created if there is none.
    pub(crate) fn position_slot(&mut self, user: UserIndex, listing: ListingIndex) -> PositionSlot {
        if let Some(slot) = self.directory.user(user).positions.get(&listing) {
            return *slot;
        }
        let slot = self.positions.insert(Position::new(user, listing, self.now));
        self.directory.user_mut(user).positions.insert(listing, slot);
        self.catalogue.listing_mut(listing).holders.push(slot);
        slot
    }

    /// Changes the shares of a position in one outcome, now.
    #[inline]
    pub(crate) fn change_shares<T>(
        &mut self,
        slot: PositionSlot,
        outcome: Outcome,
        change: impl FnOnce(&mut Holding) -> T,
    ) -> T {
        self.positions[slot].changed_at = self.now;
        self.restore_shares(slot, outcome, change)
    }

    /// Changes the shares of a position in one outcome, and counts it among the holders of its listing.
    #[inline]
    pub(crate) fn restore_shares<T>(
        &mut self,
        slot: PositionSlot,
        outcome: Outcome,
        change: impl FnOnce(&mut Holding) -> T,
    ) -> T {
        let holding = self.positions[slot].holding_mut(outcome);
        let had_shares = holding.has_shares();
        let changed = change(holding);
        if had_shares != holding.has_shares() {
            self.count_holder(slot, outcome, !had_shares);
        }
        changed
    }

    /// Counts the owner of a position whose first share of `outcome` came or whose last one went.
    fn count_holder(&mut self, slot: PositionSlot, outcome: Outcome, has_shares: bool) {
        let position = &self.positions[slot];
        if position.user != UserIndex::HOUSE {
            let has_other = position.holding(outcome.other()).has_shares();
            let listing = self.catalogue.listing_mut(position.listing);
            listing.holder_counts.count(outcome, has_shares, has_other);
        }
    }

    pub(crate) fn free_shares(&self, user: UserIndex, listing: ListingIndex, outcome: Outcome) -> Shares {
        self.position(user, listing).map_or(Shares::ZERO, |position| position.holding(outcome).free)
    }

    /// Refuses an order that the user cannot fund: `need > have`, based on the plan.
    pub(crate) fn check_funding(
        &self,
        user: UserIndex,
        listing: ListingIndex,
        outcome: Outcome,
        funding: Funding,
    ) -> Result<(), Reject> {
        match funding.side {
            Side::Buy => {
                let (need, free) = (funding.cash_needed, self.ledger.wallet(user, listing.currency()).free);
                let have = free + funding.cash_released;
                if need > have { Err(Reject::InsufficientBalance { need, have }) } else { Ok(()) }
            }
            Side::Sell => {
                let need = funding.shares_needed;
                let have = self.free_shares(user, listing, outcome) + funding.shares_released;
                if need > have { Err(Reject::InsufficientShares { need, have }) } else { Ok(()) }
            }
        }
    }

    /// Money and shares of `outcome` that cancelling these own orders would release.
    pub(crate) fn released_by(&self, cancels: &[OrderSlot], outcome: Outcome) -> (Money, Shares) {
        let mut released = (Money::ZERO, Shares::ZERO);
        for slot in cancels {
            let order = &self.orders[*slot];
            released.0 += order.held_cash();
            if order.terms.side == Side::Sell && order.terms.outcome == outcome {
                released.1 += order.terms.remaining();
            }
        }
        released
    }

    /// Refuses another open order if the user is at the limit; the `closing` orders that end now do not count.
    pub(crate) fn check_open_orders(
        &self,
        user: UserIndex,
        listing: ListingIndex,
        closing: usize,
    ) -> Result<(), Reject> {
        let all = self.directory.user(user).open_orders.len();
        // A user below the limit per market in total is below it in every market.
        if all < OPEN_ORDERS_PER_MARKET_MAX {
            return Ok(());
        }
        let closing = closing as u32;
        let market = listing.market();
        let in_market: u32 = Currency::ALL
            .iter()
            .filter_map(|currency| self.position(user, ListingIndex::new(market, *currency)))
            .map(Position::open_orders)
            .sum();
        if all - closing >= OPEN_ORDERS_MAX || in_market.saturating_sub(closing) >= OPEN_ORDERS_PER_MARKET_MAX
        {
            return Err(Reject::TooManyOpenOrders);
        }
        Ok(())
    }

    /// An order as it is now, with the names of its market.
    pub(crate) fn reported(
        &self,
        user: UserIndex,
        listing: ListingIndex,
        terms: OrderState,
        status: OrderStatus,
    ) -> ReportedOrder {
        let (market, instrument) = self.catalogue.market_and_instrument(listing.market());
        let record = OrderRecord {
            user: self.directory.user(user).id,
            market: market.id,
            currency: listing.currency(),
            status,
            terms,
        };
        ReportedOrder { record, instrument: Arc::clone(instrument) }
    }
}
