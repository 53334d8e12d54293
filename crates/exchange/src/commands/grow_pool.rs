//! `GrowPool`: the house adds sets to a pool at its current price.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::checks::invalid;
use crate::exchange::Exchange;
use crate::id::MarketId;
use crate::index::ListingIndex;
use crate::numbers::{Currency, Money, Ppm, Shares};
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
    /// The range of YES prices in which the pool may grow. Without it a trader could move the price before the growth, and
    /// trade back with the larger pool afterwards. From rules 4 on.
    #[n(3)]
    pub between: Option<PriceRange>,
}

/// Both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PriceRange {
    #[n(0)]
    pub low: Ppm,
    #[n(1)]
    pub high: Ppm,
}

impl Exchange {
    pub(crate) fn grow_pool(&mut self, caller: Caller, command: &GrowPool) -> Result<Reply, Reject> {
        let GrowPool { currency, amount, .. } = *command;
        let (listing, sets, seed) = self.check_growth(caller, command)?;
        self.check_seed_caps(caller, currency, amount)?;
        self.count_seed(caller, currency, amount);
        self.put_into_pool(listing, sets, seed);
        Ok(Reply::Done)
    }

    pub(crate) fn check_growth(
        &self,
        caller: Caller,
        command: &GrowPool,
    ) -> Result<(ListingIndex, Shares, Seed), Reject> {
        let GrowPool { market, currency, amount, between } = *command;
        let (listing, sets) = self.check_pool(market, currency, amount)?;
        let pool = *self.catalogue.listing(listing).pool().ok_or(Reject::PoolNotSeeded)?;
        let price = self.catalogue.listing(listing).yes_price();
        match between {
            Some(PriceRange { low, high }) if price < low || price > high => {
                return Err(Reject::PriceOutsideRange { price });
            }
            None if self.since(4) && caller != Caller::System => {
                return Err(invalid("between", "names the prices for which the growth is meant"));
            }
            Some(_) | None => {}
        }
        let seed = pool.grown_by(sets)?;
        self.check_house(sets, currency)?;
        Ok((listing, sets, seed))
    }
}
