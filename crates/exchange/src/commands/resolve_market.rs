//! `ResolveMarket`: resolves a market. Winning shares pay 1.00, the others nothing.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::governance::{Resolution, Ruling, Verdict};
use crate::id::MarketId;
use crate::order::Outcome;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ResolveMarket {
    #[n(0)]
    pub market: MarketId,
    #[n(1)]
    pub outcome: Outcome,
}

impl Exchange {
    pub(crate) fn resolve_market(
        &mut self,
        caller: Caller,
        command: &ResolveMarket,
    ) -> Result<Reply, Reject> {
        let ResolveMarket { market, outcome } = *command;
        let index = self.catalogue.find_market(market).ok_or(Reject::MarketNotFound)?;
        // Checked before the status: a losing sibling is already resolved, and this refusal is more specific.
        if outcome == Outcome::Yes && self.sibling_has_won(index) {
            return Err(Reject::AlreadyWon);
        }
        let (event, markets) = self.find_targets(Target::Market(market), Action::Resolve)?;
        self.check_pays_at_once(caller, &markets)?;

        self.resolve(index, outcome);
        let verdict = Verdict::Outcomes(vec![Ruling { market, outcome }]);
        self.note_resolution(event, Resolution::at_once(verdict, caller.author(), self.now));
        Ok(Reply::Done)
    }
}
