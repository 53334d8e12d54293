//! `SetMarketTerms`: sets the fee and minimums for future orders. Resting orders keep their fee. From rules 4 on it is a
//! `ChangeTerms` that gives all fields.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::command::ChangeTerms;
use crate::exchange::Exchange;
use crate::id::MarketId;
use crate::numbers::{FeeRate, Money, PerCurrency};
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SetMarketTerms {
    #[n(0)]
    pub market: MarketId,
    #[n(1)]
    pub fee_rate: FeeRate,
    #[n(2)]
    pub order_min: PerCurrency<Money>,
}

impl Exchange {
    pub(crate) fn set_market_terms(
        &mut self,
        caller: Caller,
        command: &SetMarketTerms,
    ) -> Result<Reply, Reject> {
        let SetMarketTerms { market, fee_rate, order_min } = *command;
        if self.since(4) {
            let order_min = PerCurrency { usd: Some(order_min.usd), ngn: Some(order_min.ngn) };
            return self.change_terms(caller, &ChangeTerms { market, fee_rate: Some(fee_rate), order_min });
        }
        let index = self.catalogue.find_market(market).ok_or(Reject::MarketNotFound)?;
        let market = self.catalogue.market(index);
        let mut details = market.details.clone();
        (details.fee_rate, details.order_min) = (fee_rate, order_min);
        details.check_terms()?;
        if market.status.is_final() {
            return Err(Reject::StatusNotAllowed { status: market.status });
        }

        let event = self.catalogue.event(market.event).id;
        self.catalogue.set_market_details(index, details);
        self.changes.push(Change::EventEdited { event });
        Ok(Reply::Done)
    }
}
