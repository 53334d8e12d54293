//! Checks a new order for everything that does not depend on its book or pool.

use crate::catalogue::{Engine, Status};
use crate::exchange::Exchange;
use crate::id::OutcomeId;
use crate::index::{ListingIndex, MarketIndex, UserIndex};
use crate::numbers::{FeeRate, Money, Price, Shares};
use crate::order::{NewOrder, OrderKind, OrderPath, OrderState, Outcome, Side, Sizing, TimeInForce};
use crate::reject::Reject;

/// A checked order: its listing and interpreted terms.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    pub(crate) listing: ListingIndex,
    pub(crate) engine: Engine,
    pub(crate) outcome: Outcome,
    pub(crate) time_in_force: TimeInForce,
    /// The limit of a LIMIT order; a MARKET order's `price` is ignored.
    pub(crate) limit: Option<Price>,
    pub(crate) fee_rate: FeeRate,
    pub(crate) order_min: Money,
}

impl Exchange {
    /// Checks everything that does not depend on resting orders or wallets.
    pub(crate) fn check_order(&self, user: UserIndex, new: &NewOrder) -> Result<Ticket, Reject> {
        let time_in_force = self.check_shape(new)?;
        let (market_index, outcome) = self.find_tradeable(new.outcome, new.path)?;
        let (market, instrument) = self.catalogue.market_and_instrument(market_index);
        let ticket = Ticket {
            listing: ListingIndex::new(market_index, new.currency),
            engine: instrument.engine,
            outcome,
            time_in_force,
            limit: new.price.filter(|_| new.kind == OrderKind::Limit),
            fee_rate: market.details.fee_rate,
            order_min: *market.details.order_min.get(new.currency),
        };
        self.check_minimum(new, &ticket)?;
        if self.orders.find(new.id).is_some() {
            return Err(Reject::DuplicateId);
        }
        if !self.catalogue.event(market.event).supports(new.currency) {
            return Err(Reject::UnsupportedCurrency);
        }
        if !market.status.trades() {
            return Err(Reject::MarketNotOpen);
        }
        if let Some(client_order_id) = &new.client_order_id
            && self.orders.find_by_client_id(user, client_order_id).is_some()
        {
            return Err(Reject::DuplicateClientOrderId);
        }
        Ok(ticket)
    }

    /// The market and side of an outcome id. Drafts and markets other than the path's are not found.
    pub(crate) fn find_tradeable(
        &self,
        outcome: OutcomeId,
        path: Option<OrderPath>,
    ) -> Result<(MarketIndex, Outcome), Reject> {
        let (index, outcome) = self.catalogue.find_outcome(outcome).ok_or(Reject::OutcomeNotFound)?;
        let (market, instrument) = self.catalogue.market_and_instrument(index);
        if market.status == Status::Draft {
            return Err(Reject::OutcomeNotFound);
        }
        match path {
            Some(path) if path.market != instrument.market || path.event != instrument.event => {
                Err(self.path_mismatch(path))
            }
            _ => Ok((index, outcome)),
        }
    }

    /// The refusal when a path does not lead to the outcome: the event, the market in it, or the outcome in that is not
    /// found. Drafts do not exist for traders.
    fn path_mismatch(&self, path: OrderPath) -> Reject {
        let event = self.catalogue.find_event(path.event);
        let Some(event) = event.filter(|event| self.catalogue.event(*event).status != Status::Draft) else {
            return Reject::EventNotFound;
        };
        let market = self.catalogue.find_market(path.market).map(|index| self.catalogue.market(index));
        match market.filter(|market| market.event == event && market.status != Status::Draft) {
            Some(_) => Reject::OutcomeNotInMarket,
            None => Reject::MarketNotFound,
        }
    }

    /// Refuses malformed orders and returns the effective time in force.
    fn check_shape(&self, new: &NewOrder) -> Result<TimeInForce, Reject> {
        let time_in_force = match (new.time_in_force, new.kind) {
            (Some(given), _) => given,
            (None, OrderKind::Limit) => TimeInForce::Gtc,
            (None, OrderKind::Market) => TimeInForce::Fak,
        };
        match new.kind {
            OrderKind::Limit if new.price.is_none() => return Err(Reject::PriceMissing),
            OrderKind::Market if time_in_force.rests() => return Err(Reject::MarketOrderRests),
            OrderKind::Market if new.post_only => return Err(Reject::PostOnlyMarket),
            _ => {}
        }
        if new.post_only && !time_in_force.rests() {
            return Err(Reject::PostOnlyImmediate);
        }
        if time_in_force == TimeInForce::Gtd {
            let expires_at = new.expires_at.ok_or(Reject::ExpiryMissing)?;
            if expires_at <= self.now {
                return Err(Reject::ExpiryPast);
            }
        }
        if !is_positive(new) {
            return Err(Reject::AmountNotPositive);
        }
        if !is_within_caps(new) {
            return Err(Reject::AmountTooLarge);
        }
        if !new.client_order_id.as_deref().is_none_or(is_client_order_id) {
            return Err(Reject::ClientOrderIdInvalid);
        }
        Ok(time_in_force)
    }

    /// The minimum applies to the requested amount, else to quantity × limit. A BUY by quantity without a limit is
    /// checked at its venue, where a price is known. A SELL by quantity that cannot rest has no minimum, so that users
    /// can sell dust.
    fn check_minimum(&self, new: &NewOrder, ticket: &Ticket) -> Result<(), Reject> {
        let may_rest = ticket.engine == Engine::Clob && ticket.time_in_force.rests();
        let asked = match (new.sizing, new.side, ticket.limit) {
            (Sizing::Amount(amount), _, _) => amount,
            (Sizing::Quantity(shares), Side::Buy, Some(limit)) => shares.value_at(limit.into(), new.currency),
            (Sizing::Quantity(shares), Side::Sell, Some(limit)) if may_rest && self.rest_has_minimum() => {
                shares.value_at(limit.into(), new.currency)
            }
            _ => return Ok(()),
        };
        ticket.check_amount(asked, new.side)
    }

    /// Rules 2: every order that is placed to rest must reach the minimum. Rules 1 exempted SELLs by quantity and
    /// orders that an amend moved to another price.
    pub(crate) fn rest_has_minimum(&self) -> bool {
        self.rules_version >= 2
    }
}

impl Ticket {
    /// The value at the limit of shares that rest: what a BUY holds for them.
    pub(crate) fn cash_for(&self, rest: Shares) -> Money {
        let limit = self.limit.unwrap_or(Price::MIN);
        rest.value_at(limit.into(), self.listing.currency())
    }

    pub(crate) fn check_amount(&self, asked: Money, side: Side) -> Result<(), Reject> {
        if asked < self.order_min {
            let (currency, minimum) = (self.listing.currency(), self.order_min);
            return Err(Reject::BelowMinimum { side, currency, minimum });
        }
        Ok(())
    }
}

impl Exchange {
    /// The initial terms: nothing filled.
    pub(crate) fn first_terms(
        &mut self,
        new: &NewOrder,
        ticket: &Ticket,
        amount: Money,
        size: Shares,
    ) -> OrderState {
        let serial = self.next_serial;
        self.next_serial += 1;
        OrderState {
            id: new.id,
            serial,
            outcome: ticket.outcome,
            side: new.side,
            kind: new.kind,
            time_in_force: ticket.time_in_force,
            post_only: new.post_only,
            self_trade: new.self_trade,
            price: ticket.limit,
            fee_rate: ticket.fee_rate,
            amount,
            size,
            filled: Shares::ZERO,
            value: Money::ZERO,
            taker_value: Money::ZERO,
            fee: Money::ZERO,
            trades: 0,
            expires_at: new.expires_at.filter(|_| ticket.time_in_force == TimeInForce::Gtd),
            created_at: self.now,
            updated_at: self.now,
            client_order_id: new.client_order_id.clone(),
        }
    }
}

fn is_positive(new: &NewOrder) -> bool {
    match new.sizing {
        Sizing::Amount(amount) => amount > Money::ZERO,
        Sizing::Quantity(shares) => shares > Shares::ZERO,
    }
}

/// Caps of 10⁹ in money and in shares, on the requested size and on its equivalent at the limit.
fn is_within_caps(new: &NewOrder) -> bool {
    let limit = new.price.filter(|_| new.kind == OrderKind::Limit);
    match (new.sizing, limit) {
        (Sizing::Amount(amount), None) => amount <= Money::ORDER_MAX,
        (Sizing::Amount(amount), Some(limit)) => {
            amount <= Money::ORDER_MAX
                && Shares::affordable(amount, limit.into(), new.currency) <= Shares::ORDER_MAX
        }
        (Sizing::Quantity(shares), None) => shares <= Shares::ORDER_MAX,
        (Sizing::Quantity(shares), Some(limit)) => {
            shares <= Shares::ORDER_MAX && shares.value_at(limit.into(), new.currency) <= Money::ORDER_MAX
        }
    }
}

/// 1 to 64 letters, digits, `_` or `-`.
fn is_client_order_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=64).contains(&text.len()) && text.bytes().all(is_allowed)
}
