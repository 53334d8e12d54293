//! Amends an open order: in place if it only shrinks, otherwise as a taker at the new price, then at the end of the
//! queue.

use core::mem;

use super::Funding;
use super::place_on_book::FILLS_BEFORE_FUNDS;
use crate::book::{OwnOrders, Plan, Taker, Want};
use crate::catalogue::Venue;
use crate::change::{Change, OrderCause};
use crate::exchange::Exchange;
use crate::id::OrderId;
use crate::index::UserIndex;
use crate::numbers::{Money, Price, Shares};
use crate::order::{Amendment, OpenTerms, OrderSlot, OrderStatus, Outcome, ReportedOrder, Side};
use crate::reject::Reject;

/// A valid amendment, before the funds check.
#[derive(Clone, Copy, Debug)]
struct Amended {
    slot: OrderSlot,
    price: Price,
    size: Shares,
    amount: Money,
}

impl Exchange {
    /// `batch`: all ids in the same command; those orders are neither cancelled nor traded with.
    pub(crate) fn amend_order(
        &mut self,
        user: UserIndex,
        amendment: &Amendment,
        batch: &[OrderId],
    ) -> Result<ReportedOrder, Reject> {
        let change = self.check_amendment(user, amendment)?;
        let order = &self.orders[change.slot];
        if change.price == order.price() && change.size <= order.terms.size {
            return Ok(self.shrink_order(change));
        }
        let mut plan = mem::take(&mut self.plan);
        let result = self.move_order(change, batch, &mut plan);
        self.plan = plan;
        result
    }

    fn check_amendment(&self, user: UserIndex, amendment: &Amendment) -> Result<Amended, Reject> {
        let slot = self.orders.find(amendment.order).ok_or(Reject::OrderNotFound)?;
        let order = &self.orders[slot];
        if order.user != user {
            return Err(Reject::OrderNotFound);
        }
        if amendment.new_price.is_none() && amendment.new_size.is_none() {
            return Err(Reject::NothingToAmend);
        }
        let market = self.catalogue.market(order.listing.market());
        if !market.status.trades() {
            return Err(Reject::MarketNotOpen);
        }
        let price = amendment.new_price.unwrap_or(order.price());
        let size = amendment.new_size.unwrap_or(order.terms.size);
        if size <= Shares::ZERO {
            return Err(Reject::AmountNotPositive);
        }
        if size > Shares::ORDER_MAX {
            return Err(Reject::AmountTooLarge);
        }
        let currency = order.listing.currency();
        let amount = size.value_at(price.into(), currency);
        if amount > Money::ORDER_MAX {
            return Err(Reject::AmountTooLarge);
        }
        let minimum = *market.details.order_min.get(currency);
        let below_minimum = Reject::BelowMinimum { side: order.terms.side, currency, minimum };
        if amount < minimum {
            return Err(below_minimum);
        }
        if size <= order.terms.progress.filled {
            return Err(Reject::SizeNotAboveFilled { filled: order.terms.progress.filled });
        }
        // An order moved to a new price is like a new order, so its remainder must reach the minimum.
        let remaining = (size - order.terms.progress.filled).value_at(price.into(), currency);
        if price != order.price() && remaining < minimum && self.rest_has_minimum() {
            return Err(below_minimum);
        }
        Ok(Amended { slot, price, size, amount })
    }

    /// Shrinks an order at the same price: it keeps its queue position.
    fn shrink_order(&mut self, change: Amended) -> ReportedOrder {
        let old = self.orders[change.slot].clone();
        self.release_hold(&old);
        let order = &mut self.orders[change.slot];
        order.terms.size = change.size;
        order.terms.amount = change.amount;
        order.terms.progress.updated_at = Some(self.now);
        let order = order.clone();
        self.hold_for(&order);
        let place = self.catalogue.listing_mut(order.listing);
        if let Venue::Book(book) = &mut place.venue {
            place.resting -= old.notional() - order.notional();
            book.reduce(order.node, order.terms.remaining());
        }
        let status = order.terms.open_status();
        self.report_amended(order.user, change.slot, status)
    }

    /// Grows an order or moves it to another price: fills what it crosses and goes to the end of the queue.
    fn move_order(
        &mut self,
        change: Amended,
        batch: &[OrderId],
        plan: &mut Plan,
    ) -> Result<ReportedOrder, Reject> {
        let order = &self.orders[change.slot];
        let (user, listing, position) = (order.user, order.listing, order.position);
        let (side, outcome) = (order.terms.side, order.terms.outcome);
        let Venue::Book(book) = &self.catalogue.listing(listing).venue else {
            return Err(Reject::UnsupportedEngine);
        };
        let taker = Taker {
            user,
            side: side.on_book(outcome),
            in_no: outcome == Outcome::No,
            limit: outcome.yes_price(change.price),
            want: Want::Shares(change.size - order.terms.progress.filled),
            base: listing.currency().base(),
            own_orders: OwnOrders::Skip,
        };
        book.plan_up_to(FILLS_BEFORE_FUNDS, &taker, plan);
        if order.terms.post_only && !plan.fills.is_empty() {
            return Err(Reject::PostOnlyWouldCross);
        }
        let cancels = match change.price == order.price() {
            true => Vec::new(),
            false => self.own_cancels(user, &taker, change.slot, batch),
        };
        let is_long = plan.is_cut;
        if is_long {
            self.sums(listing, &taker, book, plan);
        }
        let rest = change.size - order.terms.progress.filled - plan.shares;
        let fee = order.terms.fee_rate.on_next_fill(order.terms.progress.taker_value, plan.value);
        let (cash, shares) = self.released_by(&cancels, outcome);
        let own_shares = if side == Side::Sell { order.terms.remaining() } else { Shares::ZERO };
        let funding = Funding {
            side,
            cash_needed: plan.value + fee + rest.value_at(change.price.into(), listing.currency()),
            shares_needed: plan.shares + rest,
            cash_released: cash + order.held_cash(),
            shares_released: shares + own_shares,
        };
        self.check_funding(user, listing, outcome, funding)?;
        if is_long {
            book.plan(&taker, plan);
        }
        plan.cancels = cancels;

        let old = order.clone();
        self.unqueue_order(&old);
        self.release_hold(&old);
        self.cancel_own(&plan.cancels);
        let mut terms = old.terms.to_state();
        (terms.price, terms.size, terms.amount) = (Some(change.price), change.size, change.amount);
        terms.updated_at = self.now;
        self.take_fills(user, position, listing, &mut terms, &plan.fills);
        self.orders[change.slot].terms = OpenTerms::from(&terms);
        if rest == Shares::ZERO {
            return Ok(self.forget_order(change.slot, OrderStatus::Filled, OrderCause::Amended));
        }
        if !plan.fills.is_empty() {
            self.directory.user_mut(user).open_orders.note_fill(old.terms.serial);
        }
        let order = self.orders[change.slot].clone();
        self.hold_for(&order);
        self.orders[change.slot].node = self.queue_order(&order, change.slot);
        Ok(self.report_amended(user, change.slot, order.terms.open_status()))
    }

    /// A new price cancels every own order it crosses, except those in the same batch.
    fn own_cancels(
        &self,
        user: UserIndex,
        taker: &Taker,
        moved: OrderSlot,
        batch: &[OrderId],
    ) -> Vec<OrderSlot> {
        let mut own = self.own_crossers(user, self.orders[moved].listing, taker.side, taker.limit);
        own.retain(|slot| *slot != moved && !batch.contains(&self.orders[*slot].terms.id));
        own
    }

    fn report_amended(&mut self, user: UserIndex, slot: OrderSlot, status: OrderStatus) -> ReportedOrder {
        let order = &self.orders[slot];
        let record = self.reported(user, order.listing, order.terms.to_state(), status);
        self.changes.push(Change::Order { record: record.clone(), cause: OrderCause::Amended });
        record
    }
}
