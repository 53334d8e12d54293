//! Places an order on the pool: filled immediately or refused.

use super::{Funding, Ticket};
use crate::catalogue::Venue;
use crate::change::{Change, OrderCause};
use crate::exchange::Exchange;
use crate::index::UserIndex;
use crate::ledger::Account;
use crate::numbers::{Money, Shares};
use crate::order::{NewOrder, OrderKind, OrderStatus, Outcome, ReportedOrder, Side, Sizing};
use crate::pool::{PoolTrade, PoolWant};
use crate::position::Holding;
use crate::reject::Reject;

impl Exchange {
    pub(crate) fn place_on_pool(
        &mut self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
    ) -> Result<ReportedOrder, Reject> {
        let trade = self.plan_on_pool(new, ticket)?;
        self.check_pool_trade(Some(user), new, ticket, &trade)?;
        Ok(self.trade_with_pool(user, new, ticket, &trade))
    }

    /// The trade of an order, before its checks. Changes nothing; quotes call it too.
    pub(crate) fn plan_on_pool(&self, new: &NewOrder, ticket: &Ticket) -> Result<PoolTrade, Reject> {
        let pool = self.catalogue.listing(ticket.listing).pool().ok_or(Reject::PoolNotSeeded)?;
        let want = match new.sizing {
            Sizing::Amount(amount) => PoolWant::Amount(amount),
            Sizing::Quantity(shares) => PoolWant::Shares(shares),
        };
        pool.quote(new.side, ticket.outcome, want, ticket.fee_rate, new.currency)
            .ok_or(Reject::OverMaxLiability)
    }

    /// The checks on a trade: its own, then the user's funds. Without a user, no funds are checked.
    pub(crate) fn check_pool_trade(
        &self,
        user: Option<UserIndex>,
        new: &NewOrder,
        ticket: &Ticket,
        trade: &PoolTrade,
    ) -> Result<(), Reject> {
        check_trade(trade, new, ticket)?;
        let Some(user) = user else { return Ok(()) };
        let funding = Funding {
            side: new.side,
            cash_needed: trade.amount(),
            shares_needed: trade.shares,
            cash_released: Default::default(),
            shares_released: Shares::ZERO,
        };
        self.check_funding(user, ticket.listing, ticket.outcome, funding)
    }

    fn trade_with_pool(
        &mut self,
        user: UserIndex,
        new: &NewOrder,
        ticket: &Ticket,
        trade: &PoolTrade,
    ) -> ReportedOrder {
        let (listing, currency) = (ticket.listing, new.currency);
        let position = self.position_slot(user, listing);
        let move_shares = |holding: &mut Holding| match trade.side {
            Side::Buy => {
                holding.buy(trade.shares, trade.amount());
                (-trade.amount(), trade.value, Money::ZERO)
            }
            Side::Sell => {
                let cost = holding.sell_free(trade.shares, trade.amount());
                (trade.amount(), -trade.value, cost)
            }
        };
        let (wallet, collateral, cost) = self.change_shares(position, ticket.outcome, move_shares);
        self.ledger.post(
            currency,
            &[
                (Account::Free(user), wallet),
                (Account::Fees, trade.fee),
                (Account::Collateral(listing), collateral),
            ],
        );
        let now = self.now;
        let place = self.catalogue.listing_mut(listing);
        place.volume = place.volume.saturating_add(trade.value);
        place.orders += 1;
        place.activity.record(now, trade.value, 1);
        let yes_price = match &mut place.venue {
            Venue::Pool(Some(pool)) => {
                pool.set_reserves(ticket.outcome, trade.after);
                pool.price(Outcome::Yes)
            }
            _ => place.yes_price(),
        };
        let mut terms = self.first_terms(new, ticket, trade.amount(), trade.shares);
        terms.filled = trade.shares;
        terms.value = trade.value;
        terms.taker_value = trade.value;
        terms.fee = trade.fee;
        let record = self.reported(user, listing, terms, OrderStatus::Filled);
        self.changes.push(Change::Order { record: record.clone(), cause: OrderCause::Placed });
        self.changes.push(Change::PoolMoved { market: record.market, currency, yes_price, cost });
        record
    }
}

/// The checks on a pool trade, in order.
fn check_trade(trade: &PoolTrade, new: &NewOrder, ticket: &Ticket) -> Result<(), Reject> {
    if trade.sets < Shares::new(1) || trade.shares < Shares::new(1) {
        return Err(Reject::NoWholeSet);
    }
    if matches!((new.sizing, new.side, ticket.limit), (Sizing::Quantity(_), Side::Buy, None)) {
        // A BUY by quantity without a limit: the minimum applies to the cost of its shares.
        ticket.check_amount(trade.value, new.side)?;
    }
    if !trade.within_liability() {
        return Err(Reject::OverMaxLiability);
    }
    if ticket.limit.is_some_and(|limit| !trade.meets_limit(limit)) {
        return Err(Reject::PriceLimit);
    }
    let slippage = new.max_slippage.filter(|_| new.kind == OrderKind::Market);
    if slippage.is_some_and(|slippage| !trade.meets_slippage(slippage)) {
        return Err(Reject::Slippage);
    }
    Ok(())
}
