//! Orders of virtual traders. Most of them buy: a bid for NO is an ask for YES, so no shares are needed.

use exchange::command::MintSets;
use exchange::id::{MarketId, OperationId, OrderId, OutcomeId};
use exchange::numbers::{Currency, Money, Price, Shares, Slippage};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing, TimeInForce};
use server::identifiers::new_id;

/// The listing that a virtual trader trades on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) market: MarketId,
    pub(crate) currency: Currency,
}

impl Place {
    /// A bid that rests. It cancels its owner's older orders that it would cross.
    pub(crate) fn bid(&self, outcome: Outcome, cents: i64, quantity: Shares) -> NewOrder {
        NewOrder {
            id: OrderId::new(new_id().as_u128()),
            outcome: OutcomeId::of(self.market, outcome as u64),
            side: Side::Buy,
            kind: OrderKind::Limit,
            currency: self.currency,
            sizing: Sizing::Quantity(quantity),
            price: Some(Price::clamp(cents)),
            time_in_force: None,
            post_only: false,
            self_trade: SelfTrade::CancelOldest,
            max_slippage: None,
            expires_at: None,
            client_order_id: None,
            path: None,
        }
    }

    /// A bid that takes what there is at its price or better, and never rests.
    pub(crate) fn take(&self, outcome: Outcome, cents: i64, quantity: Shares) -> NewOrder {
        NewOrder { time_in_force: Some(TimeInForce::Fak), ..self.bid(outcome, cents, quantity) }
    }

    /// New shares of both outcomes.
    pub(crate) fn mint(&self, quantity: Shares) -> MintSets {
        let id = OperationId::new(new_id().as_u128());
        MintSets { id, market: self.market, currency: self.currency, amount: quantity.payout(self.currency) }
    }

    /// Spends an amount at the best prices.
    pub(crate) fn spend(&self, outcome: Outcome, amount: Money) -> NewOrder {
        NewOrder {
            kind: OrderKind::Market,
            sizing: Sizing::Amount(amount),
            price: None,
            max_slippage: Slippage::new(2_000),
            ..self.bid(outcome, 99, Shares::ZERO)
        }
    }
}
