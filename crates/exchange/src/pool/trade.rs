//! One trade with the pool, in shares and in money; used both as the quote and as the fill.

use super::{Pool, Reserves};
use crate::numbers::{Currency, FeeRate, Money, Price, Shares, Slippage};
use crate::order::{Outcome, Side};

/// The requested size of a pool trade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolWant {
    /// The change of the wallet: a BUY spends at most this including its fee, a SELL brings in at most this after it.
    Amount(Money),
    Shares(Shares),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolTrade {
    pub side: Side,
    pub outcome: Outcome,
    pub shares: Shares,
    pub sets: Shares,
    /// The cost or proceeds of the sets, before the fee.
    pub value: Money,
    pub fee: Money,
    pub before: Reserves,
    pub after: Reserves,
}

impl PoolTrade {
    /// The change of the wallet.
    pub fn amount(&self) -> Money {
        match self.side {
            Side::Buy => self.value + self.fee,
            Side::Sell => self.value - self.fee,
        }
    }

    /// Whether the price stays within 0.01..=0.99, so that the house's loss stays bounded.
    pub fn within_liability(&self) -> bool {
        self.after.in_band()
    }

    /// Whether the average price before the fee is no worse than `limit`.
    pub fn meets_limit(&self, limit: Price) -> bool {
        let asked = i128::from(limit.cents()) * i128::from(self.shares.units());
        let paid = 100 * i128::from(self.sets.units());
        match self.side {
            Side::Buy => paid <= asked,
            Side::Sell => paid >= asked,
        }
    }

    /// Whether the average price before the fee is within `slippage` of the marginal price before the trade.
    pub fn meets_slippage(&self, slippage: Slippage) -> bool {
        let Reserves { own, other } = self.before;
        let average = 10_000 * i128::from(self.sets.units()) * (i128::from(own) + i128::from(other));
        let marginal = i128::from(other) * i128::from(self.shares.units());
        let slippage = i128::from(slippage.basis_points());
        match self.side {
            Side::Buy => average <= (10_000 + slippage) * marginal,
            Side::Sell => average >= (10_000 - slippage) * marginal,
        }
    }
}

impl Pool {
    /// The trade that would happen now. `None` if the pool does not have that much (over the maximum liability). May
    /// return a trade of zero sets or shares; the caller must refuse it.
    pub fn quote(
        &self,
        side: Side,
        outcome: Outcome,
        want: PoolWant,
        fee_rate: FeeRate,
        currency: Currency,
    ) -> Option<PoolTrade> {
        let before = self.reserves(outcome);
        let (sets, shares, after) = match (side, want) {
            (Side::Buy, PoolWant::Amount(budget)) => {
                let sets = Shares::sets(fee_rate.spendable(budget), currency).units();
                let (shares, after) = before.shares_for_sets(sets)?;
                (sets, shares, after)
            }
            (Side::Sell, PoolWant::Amount(budget)) => {
                let sets = Shares::sets(fee_rate.sellable(budget), currency).units();
                let (shares, after) = before.shares_to_receive(sets)?;
                (sets, shares, after)
            }
            (Side::Buy, PoolWant::Shares(shares)) => {
                let (sets, after) = before.sets_for_buying(shares.units())?;
                (sets, shares.units(), after)
            }
            (Side::Sell, PoolWant::Shares(shares)) => {
                let (sets, after) = before.sets_for_selling(shares.units())?;
                (sets, shares.units(), after)
            }
        };
        let (sets, shares) = (Shares::new(sets), Shares::new(shares));
        let value = sets.payout(currency);
        Some(PoolTrade { side, outcome, shares, sets, value, fee: fee_rate.on(value), before, after })
    }
}
