//! `BurnSets`: converts complete sets back into money.

use minicbor::{Decode, Encode};

use crate::exchange::Exchange;
use crate::id::{MarketId, OperationId};
use crate::index::UserIndex;
use crate::numbers::{Currency, Money};
use crate::order::{Outcome, Side};
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct BurnSets {
    #[n(0)]
    pub id: OperationId,
    #[n(1)]
    pub market: MarketId,
    #[n(2)]
    pub currency: Currency,
    #[n(3)]
    pub amount: Money,
}

impl Exchange {
    pub(crate) fn burn_sets(&mut self, user: UserIndex, command: &BurnSets) -> Result<Reply, Reject> {
        let BurnSets { id, market, currency, amount } = *command;
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
