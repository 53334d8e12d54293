//! `MintSets`: money into complete sets.

use crate::exchange::Exchange;
use crate::id::{MarketId, OperationId};
use crate::index::UserIndex;
use crate::numbers::{Currency, Money};
use crate::order::Side;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn mint_sets(
        &mut self,
        user: UserIndex,
        id: OperationId,
        market: MarketId,
        currency: Currency,
        amount: Money,
    ) -> Result<Reply, Reject> {
        let (listing, sets) = self.check_sets(market, currency, amount)?;
        if !self.catalogue.market(listing.market()).status.trades() {
            return Err(Reject::MarketNotOpen);
        }
        let (need, have) = (sets.payout(currency), self.ledger.wallet(user, currency).free);
        if need > have {
            return Err(Reject::InsufficientBalance { need, have });
        }
        Ok(self.move_sets(user, id, listing, Side::Buy, sets))
    }
}
