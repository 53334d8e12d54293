//! `ResolveMarket`: the answer is known. Winning shares pay 1.00, the others nothing.

use crate::catalogue::{Action, EventKind};
use crate::command::Target;
use crate::exchange::Exchange;
use crate::id::MarketId;
use crate::index::MarketIndex;
use crate::order::Outcome;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn resolve_market(&mut self, market: MarketId, outcome: Outcome) -> Result<Reply, Reject> {
        let index = self.catalogue.find_market(market).ok_or(Reject::MarketNotFound)?;
        // Before the status: a loser is resolved already, and this says why it cannot win as well.
        if outcome == Outcome::Yes && self.sibling_has_won(index) {
            return Err(Reject::AlreadyWon);
        }
        self.find_targets(Target::Market(market), Action::Resolve)?;
        self.resolve(index, outcome);
        Ok(Reply::Done)
    }

    /// Of mutually exclusive markets another one is YES already.
    fn sibling_has_won(&self, market: MarketIndex) -> bool {
        let event = self.catalogue.event(self.catalogue.market(market).event);
        let won =
            |sibling: MarketIndex| self.catalogue.market(sibling).resolved_outcome() == Some(Outcome::Yes);
        event.kind == EventKind::Combined
            && event.markets.iter().any(|sibling| *sibling != market && won(*sibling))
    }
}
