//! Complete sets: one YES and one NO for one base unit, minted or burned without a fee.

use crate::change::{Change, SetsChange};
use crate::exchange::Exchange;
use crate::id::{MarketId, OperationId};
use crate::index::{ListingIndex, UserIndex};
use crate::ledger::Account;
use crate::numbers::{Currency, Money, Shares, mul_floor};
use crate::order::{Outcome, Side};
use crate::reject::Reject;
use crate::reply::{Reply, SetsReply};

impl Exchange {
    /// The listing for sets of this market, and the number of whole sets for `amount`.
    pub(crate) fn check_sets(
        &self,
        market: MarketId,
        currency: Currency,
        amount: Money,
    ) -> Result<(ListingIndex, Shares), Reject> {
        if amount <= Money::ZERO {
            return Err(Reject::AmountNotPositive);
        }
        if amount > Money::ORDER_MAX {
            return Err(Reject::AmountTooLarge);
        }
        let sets = Shares::sets(amount, currency);
        if sets == Shares::ZERO {
            return Err(Reject::NoWholeSet);
        }
        let index = self.catalogue.find_market(market).ok_or(Reject::MarketNotFound)?;
        let market = self.catalogue.market(index);
        if market.status == crate::catalogue::Status::Draft {
            return Err(Reject::MarketNotFound);
        }
        if !self.catalogue.event(market.event).supports(currency) {
            return Err(Reject::UnsupportedCurrency);
        }
        Ok((ListingIndex::new(index, currency), sets))
    }

    /// Mints (BUY) or burns (SELL) sets and splits their cost by the displayed price.
    pub(crate) fn move_sets(
        &mut self,
        user: UserIndex,
        id: OperationId,
        listing: ListingIndex,
        side: Side,
        sets: Shares,
    ) -> Reply {
        let currency = listing.currency();
        let cash = sets.payout(currency);
        let yes_price = self.catalogue.listing(listing).yes_price();
        let yes_cash = Money::new(mul_floor(cash.units(), yes_price.units(), 1_000_000));
        let slot = self.position_slot(user, listing);
        self.catalogue.touch(listing.market());
        let halves = [(Outcome::Yes, yes_cash), (Outcome::No, cash - yes_cash)];
        let wallet = match side {
            Side::Buy => -cash,
            Side::Sell => cash,
        };
        let mut cost = Money::ZERO;
        for (outcome, half) in halves {
            cost += self.change_shares(slot, outcome, |holding| match side {
                Side::Buy => {
                    holding.buy(sets, half);
                    Money::ZERO
                }
                Side::Sell => holding.sell_free(sets, half),
            });
        }
        self.ledger.post(currency, &[(Account::Free(user), wallet), (Account::Collateral(listing), -wallet)]);
        self.changes.push(Change::Sets(SetsChange {
            id,
            user: self.directory.user(user).id,
            market: self.catalogue.market(listing.market()).id,
            currency,
            side,
            sets,
            cash,
            cost,
        }));
        Reply::Sets(SetsReply { id, sets, cash, yes_price })
    }
}
