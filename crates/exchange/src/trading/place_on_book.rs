//! Places a new order on the book: plan, check, then cancel, take and rest.

use core::mem;

use super::{Funding, Ticket};
use crate::book::{Book, BookSide, OwnOrders, OwnResting, Plan, Sweep, Taker, Want};
use crate::catalogue::Venue;
use crate::change::{Change, OrderCause};
use crate::exchange::Exchange;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{Money, Price, Shares};
use crate::order::{
    NewOrder, OrderKind, OrderSlot, OrderStatus, ReportedOrder, SelfTrade, Side, Sizing, TimeInForce,
};
use crate::reject::Reject;

/// Fills that are planned before the funds for all of them are checked. Few orders have more.
pub(super) const FILLS_BEFORE_FUNDS: usize = 64;

/// The outcome of planning an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Only the plan's cancels are applied.
    Reject,
    /// The plan's fills are applied, and this many shares rest.
    Go { rest: Shares },
}

impl Placement {
    /// The status of the order right after its placement.
    pub(crate) fn status(self, plan: &Plan) -> OrderStatus {
        match self {
            Placement::Reject => OrderStatus::Rejected,
            Placement::Go { rest } if rest > Shares::ZERO && plan.shares > Shares::ZERO => {
                OrderStatus::PartialFilled
            }
            Placement::Go { rest } if rest > Shares::ZERO => OrderStatus::Open,
            Placement::Go { .. } if plan.complete => OrderStatus::Filled,
            Placement::Go { .. } => OrderStatus::Cancelled,
        }
    }
}

impl Exchange {
    pub(crate) fn place_on_book(
        &mut self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
    ) -> Result<ReportedOrder, Reject> {
        let mut plan = mem::take(&mut self.plan);
        let result = self.place_planned(user, new, ticket, &mut plan);
        self.plan = plan;
        result
    }

    fn place_planned(
        &mut self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
        plan: &mut Plan,
    ) -> Result<ReportedOrder, Reject> {
        let placement = self.plan_on_book(user, new, ticket, plan)?;
        let Placement::Go { rest } = placement else {
            return Ok(self.reject_order(user, new, ticket, plan));
        };
        self.check_placement(user, new, ticket, plan, rest)?;
        Ok(self.carry_out(user, new, ticket, plan, rest))
    }

    /// Plans the order for a quote: without its fills.
    pub(crate) fn plan_quoted(
        &self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
        plan: &mut Plan,
    ) -> Result<(Placement, Sweep), Reject> {
        let Venue::Book(book) = &self.catalogue.listing(ticket.listing).venue else {
            return Err(Reject::UnsupportedEngine);
        };
        self.check_market_quantity(user, new, ticket, book)?;
        let taker = taker(user, new, ticket, book);
        if new.post_only {
            let sums = self.sums(ticket.listing, &nothing(&taker), book, plan);
            return Ok((self.plan_post_only(new, ticket, &taker, book, plan), sums));
        }
        let sums = self.sums(ticket.listing, &taker, book, plan);
        Ok((placement(new, ticket, &taker, plan), sums))
    }

    /// Plans the order without changing anything.
    fn plan_on_book(
        &self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
        plan: &mut Plan,
    ) -> Result<Placement, Reject> {
        let Venue::Book(book) = &self.catalogue.listing(ticket.listing).venue else {
            return Err(Reject::UnsupportedEngine);
        };
        self.check_market_quantity(user, new, ticket, book)?;
        let taker = taker(user, new, ticket, book);
        Ok(match new.post_only {
            true => self.plan_post_only(new, ticket, &taker, book, plan),
            false => {
                self.plan_funded(user, new, ticket, &taker, book, plan)?;
                placement(new, ticket, &taker, plan)
            }
        })
    }

    /// Plans an order. One with many fills is walked to its end only if its sums show that it goes ahead.
    fn plan_funded(
        &self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
        taker: &Taker,
        book: &Book,
        plan: &mut Plan,
    ) -> Result<(), Reject> {
        book.plan_up_to(FILLS_BEFORE_FUNDS, taker, plan);
        if plan.is_cut {
            self.sums(ticket.listing, taker, book, plan);
            if let Placement::Go { rest } = placement(new, ticket, taker, plan) {
                self.check_placement(user, new, ticket, plan, rest)?;
                book.plan(taker, plan);
            }
        }
        Ok(())
    }

    /// The plan of a taker without its fills, from the sums of the book's levels.
    pub(crate) fn sums(&self, listing: ListingIndex, taker: &Taker, book: &Book, plan: &mut Plan) -> Sweep {
        let mut own = OwnResting::NONE;
        for slot in self.own_orders(taker.user, listing, taker.side.opposite()) {
            let order = &self.orders[slot];
            let price = order.terms.outcome.yes_price(order.price());
            own.add(price, order.terms.remaining(), slot, order.node);
        }
        book.sweep(taker, own, plan)
    }

    /// Refuses a planned order that its user may not open or cannot fund.
    pub(crate) fn check_placement(
        &self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
        plan: &Plan,
        rest: Shares,
    ) -> Result<(), Reject> {
        if rest > Shares::ZERO {
            self.check_open_orders(user, ticket.listing, plan.cancels.len())?;
        }
        self.check_funding(user, ticket.listing, ticket.outcome, self.funding(new, ticket, plan, rest))
    }

    /// The funds for fills and remainder, and what the plan's own cancels release.
    fn funding(&self, new: &NewOrder, ticket: &Ticket, plan: &Plan, rest: Shares) -> Funding {
        let (cash_released, shares_released) = self.released_by(&plan.cancels, ticket.outcome);
        Funding {
            side: new.side,
            cash_needed: plan.value + ticket.fee_rate.on(plan.value) + ticket.cash_for(rest),
            shares_needed: plan.shares + rest,
            cash_released,
            shares_released,
        }
    }

    /// postOnly is checked first against other users' orders: any cross is rejected. Then stpMode applies to own
    /// orders.
    fn plan_post_only(
        &self,
        new: &NewOrder,
        ticket: &Ticket,
        taker: &Taker,
        book: &Book,
        plan: &mut Plan,
    ) -> Placement {
        // A plan that wants nothing takes and cancels nothing.
        book.plan(&nothing(taker), plan);
        let crosses = |price| crosses(taker, price);
        if book.best_of_others(taker.side.opposite(), taker.user).is_some_and(crosses) {
            return Placement::Reject;
        }
        let own = self.own_crossers(taker.user, ticket.listing, taker.side, taker.limit);
        let size = match taker.want {
            Want::Shares(shares) => shares,
            Want::Money(_) => Shares::ZERO,
        };
        match new.self_trade {
            SelfTrade::Skip => Placement::Go { rest: size },
            SelfTrade::CancelOldest => {
                plan.cancels.extend(own);
                Placement::Go { rest: size }
            }
            SelfTrade::CancelNewest if own.is_empty() => Placement::Go { rest: size },
            SelfTrade::CancelBoth if own.is_empty() => Placement::Go { rest: size },
            SelfTrade::CancelNewest => Placement::Reject,
            SelfTrade::CancelBoth => {
                plan.cancels.extend(own);
                Placement::Reject
            }
        }
    }

    /// A MARKET BUY by quantity has no price: the minimum is checked at the best price it meets.
    fn check_market_quantity(
        &self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
        book: &Book,
    ) -> Result<(), Reject> {
        let (Sizing::Quantity(shares), Side::Buy, None) = (new.sizing, new.side, ticket.limit) else {
            return Ok(());
        };
        let maker_side = new.side.on_book(ticket.outcome).opposite();
        match book.best_of_others(maker_side, user) {
            Some(best) => {
                let asked = shares.value_at(ticket.outcome.yes_price(best).into(), new.currency);
                ticket.check_amount(asked, new.side)
            }
            None => Ok(()),
        }
    }

    /// Reports the order as `rejected`; it never rests. CANCEL_BOTH may have cancelled the own order it met.
    fn reject_order(
        &mut self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
        plan: &Plan,
    ) -> ReportedOrder {
        let (amount, size) = displayed_size(new, ticket, Shares::ZERO);
        let terms = self.first_terms(new, ticket, amount, size);
        let record = self.reported(user, ticket.listing, terms, OrderStatus::Rejected);
        if new.self_trade == SelfTrade::CancelBoth {
            self.cancel_own(&plan.cancels);
        }
        self.changes.push(Change::Order { record: record.clone(), cause: OrderCause::Placed });
        record
    }

    /// All checks have passed: cancel, take, rest.
    fn carry_out(
        &mut self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
        plan: &Plan,
        rest: Shares,
    ) -> ReportedOrder {
        let (amount, size) = displayed_size(new, ticket, plan.shares);
        let mut terms = self.first_terms(new, ticket, amount, size);
        self.cancel_own(&plan.cancels);
        if !plan.fills.is_empty() {
            let position = self.position_slot(user, ticket.listing);
            self.take_fills(user, position, ticket.listing, &mut terms, &plan.fills);
        }
        let now = self.now;
        let place = self.catalogue.listing_mut(ticket.listing);
        place.orders += 1;
        place.activity.record(now, Money::ZERO, 1);
        if new.kind == OrderKind::Market && matches!(new.sizing, Sizing::Quantity(_)) {
            // The order was not sized in money, so `amount` shows the change of the wallet.
            terms.amount = match new.side {
                Side::Buy => terms.value + terms.fee,
                Side::Sell => terms.value - terms.fee,
            };
        }
        let status = Placement::Go { rest }.status(plan);
        if rest > Shares::ZERO {
            let position = self.position_slot(user, ticket.listing);
            self.open_order(user, position, ticket.listing, &terms);
        }
        let record = self.reported(user, ticket.listing, terms, status);
        self.changes.push(Change::Order { record: record.clone(), cause: OrderCause::Placed });
        record
    }

    pub(crate) fn cancel_own(&mut self, cancels: &[OrderSlot]) {
        for slot in cancels {
            self.close_order(*slot, OrderStatus::Cancelled, OrderCause::SelfTrade);
        }
    }
}

/// The displayed amount and size of an order. A MARKET order by money has the filled size.
pub(crate) fn displayed_size(new: &NewOrder, ticket: &Ticket, filled: Shares) -> (Money, Shares) {
    match (new.sizing, ticket.limit) {
        (Sizing::Amount(amount), Some(limit)) => {
            (amount, Shares::affordable(amount, limit.into(), new.currency))
        }
        (Sizing::Amount(amount), None) => (amount, filled),
        (Sizing::Quantity(shares), Some(limit)) => (shares.value_at(limit.into(), new.currency), shares),
        (Sizing::Quantity(shares), None) => (Money::ZERO, shares),
    }
}

/// The order as a taker for `Book::plan`.
fn taker(user: UserIndex, new: &NewOrder, ticket: &Ticket, book: &Book) -> Taker {
    let side = new.side.on_book(ticket.outcome);
    let want = match (new.sizing, ticket.limit) {
        (Sizing::Quantity(shares), _) => Want::Shares(shares),
        (Sizing::Amount(amount), Some(limit)) => {
            Want::Shares(Shares::affordable(amount, limit.into(), new.currency))
        }
        (Sizing::Amount(amount), None) => Want::Money(match new.side {
            Side::Buy => ticket.fee_rate.spendable(amount),
            Side::Sell => ticket.fee_rate.sellable(amount),
        }),
    };
    Taker {
        user,
        side,
        in_no: ticket.outcome == crate::order::Outcome::No,
        limit: ticket
            .outcome
            .yes_price(ticket.limit.unwrap_or_else(|| market_bound(user, new, ticket, book))),
        want,
        base: new.currency.base(),
        own_orders: OwnOrders::from(new.self_trade),
    }
}

/// A taker that wants nothing and skips its own orders.
fn nothing(taker: &Taker) -> Taker {
    Taker { want: Want::Shares(Shares::ZERO), own_orders: OwnOrders::Skip, ..*taker }
}

/// The worst price of a MARKET order, in its own outcome: unlimited, or within its slippage of the best price of
/// others.
fn market_bound(user: UserIndex, new: &NewOrder, ticket: &Ticket, book: &Book) -> Price {
    let maker_side = new.side.on_book(ticket.outcome).opposite();
    let best = book.best_of_others(maker_side, user).map(|best| ticket.outcome.yes_price(best));
    match (new.side, new.max_slippage, best) {
        (Side::Buy, Some(slippage), Some(best)) => slippage.buy_bound(best),
        (Side::Sell, Some(slippage), Some(best)) => slippage.sell_bound(best),
        (Side::Buy, _, _) => Price::MAX,
        (Side::Sell, _, _) => Price::MIN,
    }
}

/// Whether the taker would trade at this price of the other side.
fn crosses(taker: &Taker, price: Price) -> bool {
    match taker.side {
        BookSide::Bid => price <= taker.limit,
        BookSide::Ask => price >= taker.limit,
    }
}

/// The outcome of a plan by time in force and stpMode.
fn placement(new: &NewOrder, ticket: &Ticket, taker: &Taker, plan: &Plan) -> Placement {
    if ticket.time_in_force == TimeInForce::Fok && !plan.complete {
        // Nothing happens, except that CANCEL_BOTH cancels the own order it met (`reject_order`).
        return Placement::Reject;
    }
    if plan.stopped_at_own && plan.shares == Shares::ZERO {
        return Placement::Reject;
    }
    match taker.want {
        _ if plan.stopped_at_own => Placement::Go { rest: Shares::ZERO },
        Want::Shares(size) if ticket.time_in_force.rests() && new.kind == OrderKind::Limit => {
            Placement::Go { rest: size - plan.shares }
        }
        _ => Placement::Go { rest: Shares::ZERO },
    }
}
