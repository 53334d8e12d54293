//! `GrowPool`: the house adds sets to a pool at its current price.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::MarketId;
use crate::index::ListingIndex;
use crate::numbers::{Currency, Money, Shares};
use crate::pool::Seed;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct GrowPool {
    #[n(0)]
    pub market: MarketId,
    #[n(1)]
    pub currency: Currency,
    #[n(2)]
    pub amount: Money,
}

impl Exchange {
    pub(crate) fn grow_pool(&mut self, caller: Caller, command: &GrowPool) -> Result<Reply, Reject> {
        let GrowPool { market, currency, amount } = *command;
        let (listing, sets, seed) = self.check_growth(market, currency, amount)?;
        self.check_seed_caps(caller, currency, amount)?;
        self.count_seed(caller, currency, amount);
        self.put_into_pool(listing, sets, seed);
        Ok(Reply::Done)
    }

    pub(crate) fn check_growth(
        &self,
        market: MarketId,
        currency: Currency,
        amount: Money,
    ) -> Result<(ListingIndex, Shares, Seed), Reject> {
        let (listing, sets) = self.check_pool(market, currency, amount)?;
        let pool = *self.catalogue.listing(listing).pool().ok_or(Reject::PoolNotSeeded)?;
        let seed = pool.grown_by(sets)?;
        self.check_house(sets, currency)?;
        Ok((listing, sets, seed))
    }
}
