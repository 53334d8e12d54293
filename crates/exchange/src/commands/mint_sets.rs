//! `MintSets`: converts money into complete sets.

use minicbor::{Decode, Encode};

use crate::exchange::Exchange;
use crate::id::{MarketId, OperationId};
use crate::index::UserIndex;
use crate::numbers::{Currency, Money};
use crate::order::Side;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct MintSets {
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
    pub(crate) fn mint_sets(&mut self, user: UserIndex, command: &MintSets) -> Result<Reply, Reject> {
        let MintSets { id, market, currency, amount } = *command;
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
