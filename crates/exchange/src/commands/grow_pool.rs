//! `GrowPool`: more sets from the house into a pool, at the price it has.

use crate::exchange::Exchange;
use crate::id::MarketId;
use crate::numbers::{Currency, Money};
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn grow_pool(
        &mut self,
        market: MarketId,
        currency: Currency,
        amount: Money,
    ) -> Result<Reply, Reject> {
        let (listing, sets) = self.check_pool(market, currency, amount)?;
        let pool = *self.catalogue.listing(listing).pool().ok_or(Reject::PoolNotSeeded)?;
        let seed = pool.grown_by(sets)?;
        self.check_house(sets, currency)?;
        self.put_into_pool(listing, sets, seed);
        Ok(Reply::Done)
    }
}
