//! `CancelMarkets`: the question is void. What rests is refunded, every share pays its part of a price vector.

use crate::authority::Caller;
use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::governance::{Resolution, Verdict};
use crate::numbers::Cents;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    /// A YES share pays `yes`, a NO share the rest to 1.00.
    pub(crate) fn cancel_markets(
        &mut self,
        caller: Caller,
        target: Target,
        yes: Cents,
    ) -> Result<Reply, Reject> {
        let (event, markets) = self.find_targets(target, Action::Cancel)?;
        self.check_pays_at_once(caller, &markets)?;

        self.cancel_at(event, &markets, yes);
        let verdict = Verdict::Cancelled { yes };
        self.note_resolution(event, Resolution::at_once(verdict, caller.author(), self.now));
        Ok(Reply::Done)
    }
}
