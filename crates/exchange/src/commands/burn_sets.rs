//! `BurnSets`: complete sets back into money.

use crate::exchange::Exchange;
use crate::id::{MarketId, OperationId};
use crate::index::UserIndex;
use crate::numbers::{Currency, Money};
use crate::order::{Outcome, Side};
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn burn_sets(
        &mut self,
        user: UserIndex,
        id: OperationId,
        market: MarketId,
        currency: Currency,
        amount: Money,
    ) -> Result<Reply, Reject> {
        let (listing, sets) = self.check_sets(market, currency, amount)?;
        if !self.catalogue.market(listing.market()).status.burns() {
            return Err(Reject::MarketNotOpen);
        }
        let have =
            self.free_shares(user, listing, Outcome::Yes).min(self.free_shares(user, listing, Outcome::No));
        if sets > have {
            return Err(Reject::InsufficientShares { need: sets, have });
        }
        Ok(self.move_sets(user, id, listing, Side::Sell, sets))
    }
}
