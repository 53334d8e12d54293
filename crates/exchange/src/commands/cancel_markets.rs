//! `CancelMarkets`: the question is void. What rests is refunded, every share pays its part of a price vector.

use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::numbers::Cents;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    /// A YES share pays `yes`, a NO share the rest to 1.00.
    pub(crate) fn cancel_markets(&mut self, target: Target, yes: Cents) -> Result<Reply, Reject> {
        let (event, markets) = self.find_targets(target, Action::Cancel)?;
        self.cancel_at(event, &markets, yes);
        Ok(Reply::Done)
    }
}
