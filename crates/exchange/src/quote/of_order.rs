//! A quote for an order with all its terms: the plan that `place_order` would carry out now.
//!
//! A refusal that does not depend on the book, the pool or the wallet refuses the quote. Any other one is part of the
//! quote, beside the numbers of the plan that it refuses.

use super::{Outline, Quote, QuoteRequest, QuotedOutcome, on_book, on_pool};
use crate::book::Plan;
use crate::catalogue::Engine;
use crate::exchange::Exchange;
use crate::id::OrderId;
use crate::index::UserIndex;
use crate::numbers::{Money, Price, Shares, Slippage};
use crate::order::{NewOrder, OrderKind, OrderStatus, SelfTrade, Side, TimeInForce};
use crate::reject::Reject;
use crate::trading::{Placement, Ticket, displayed_size};

/// The terms of an order that a plain quote does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotedTerms {
    pub kind: OrderKind,
    pub price: Option<Price>,
    pub time_in_force: Option<TimeInForce>,
    pub post_only: bool,
    pub self_trade: SelfTrade,
    pub max_slippage: Option<Slippage>,
}

/// The order that a quote describes, right after its placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedOrder {
    /// Its status, or why it would be refused.
    pub status: Result<OrderStatus, Reject>,
    /// Shares that would rest in the book.
    pub resting: Shares,
    /// Money held for the resting shares of a BUY.
    pub hold: Money,
    /// Shares that would neither fill nor rest. A MARKET order by money has none.
    pub cancelled: Shares,
    /// The caller's own orders that it would cancel.
    pub own_cancelled: usize,
}

impl PlannedOrder {
    /// An order that trades on the pool, or is refused.
    fn whole(status: Result<OrderStatus, Reject>) -> PlannedOrder {
        PlannedOrder {
            status,
            resting: Shares::ZERO,
            hold: Money::ZERO,
            cancelled: Shares::ZERO,
            own_cancelled: 0,
        }
    }
}

impl Exchange {
    pub(super) fn quote_order(&self, request: &QuoteRequest, terms: &QuotedTerms) -> Result<Quote, Reject> {
        if self.governance.is_cancel_only() {
            return Err(Reject::CancelOnly);
        }
        let new = new_order(request, terms);
        let user = request.user.unwrap_or(UserIndex::NOBODY);
        let ticket = self.check_order(user, &new)?;
        let subject = QuotedOutcome {
            user,
            listing: ticket.listing,
            outcome: ticket.outcome,
            side: request.side,
            sizing: request.sizing,
            fee_rate: ticket.fee_rate,
        };
        let (outline, order) = match ticket.engine {
            Engine::Clob => self.order_on_book(request, &new, &ticket, &subject)?,
            Engine::Amm => self.order_on_pool(request, &new, &ticket, &subject)?,
        };
        Ok(self.describe(&subject, &outline, Some(order)))
    }

    fn order_on_book(
        &self,
        request: &QuoteRequest,
        new: &NewOrder,
        ticket: &Ticket,
        subject: &QuotedOutcome,
    ) -> Result<(Outline, PlannedOrder), Reject> {
        if self.catalogue.listing(ticket.listing).book().is_none() {
            return Err(Reject::MarketNotOpen);
        }
        let mut plan = Plan::default();
        let (placement, sums) = match self.plan_quoted(subject.user, new, ticket, &mut plan) {
            Ok(planned) => planned,
            Err(refusal) => return Ok((Outline::default(), PlannedOrder::whole(Err(refusal)))),
        };
        let (rest, outline) = match placement {
            Placement::Go { rest } => (rest, on_book::outline_of_sums(subject, sums)),
            Placement::Reject => (Shares::ZERO, Outline::default()),
        };
        let checked = match (request.user, placement) {
            (Some(user), Placement::Go { rest }) => self.check_placement(user, new, ticket, &plan, rest),
            _ => Ok(()),
        };
        let (_, size) = displayed_size(new, ticket, outline.shares);
        // A rejected order cancels own orders only with CANCEL_BOTH, as in `reject_order`.
        let cancels = placement != Placement::Reject || new.self_trade == SelfTrade::CancelBoth;
        let order = PlannedOrder {
            status: checked.map(|()| placement.status(&plan)),
            resting: rest,
            hold: if new.side == Side::Buy { ticket.cash_for(rest) } else { Money::ZERO },
            cancelled: size - outline.shares - rest,
            own_cancelled: if cancels { plan.cancels.len() } else { 0 },
        };
        Ok((outline, order))
    }

    fn order_on_pool(
        &self,
        request: &QuoteRequest,
        new: &NewOrder,
        ticket: &Ticket,
        subject: &QuotedOutcome,
    ) -> Result<(Outline, PlannedOrder), Reject> {
        let pool = self.catalogue.listing(ticket.listing).pool().ok_or(Reject::PoolNotSeeded)?;
        let trade = self.plan_on_pool(new, ticket);
        let checked = match &trade {
            Ok(trade) => self.check_pool_trade(request.user, new, ticket, trade),
            Err(refusal) => Err(refusal.clone()),
        };
        let outline = on_pool::outline_of(pool, subject, trade.ok());
        Ok((outline, PlannedOrder::whole(checked.map(|()| OrderStatus::Filled))))
    }
}

/// The order of a quote. Its expiry is left out: it does not change what the order does now.
fn new_order(request: &QuoteRequest, terms: &QuotedTerms) -> NewOrder {
    let QuoteRequest { outcome, side, currency, sizing, path, .. } = *request;
    NewOrder {
        id: OrderId::new(0),
        outcome,
        side,
        kind: terms.kind,
        currency,
        sizing,
        price: terms.price,
        time_in_force: match terms.time_in_force {
            Some(TimeInForce::Gtd) => Some(TimeInForce::Gtc),
            given => given,
        },
        post_only: terms.post_only,
        self_trade: terms.self_trade,
        max_slippage: terms.max_slippage,
        expires_at: None,
        client_order_id: None,
        path,
    }
}
