//! `CancelMarkets`: voids markets. Resting orders are refunded, and each share pays its part of the given price.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::governance::{Resolution, Verdict};
use crate::numbers::Cents;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CancelMarkets {
    #[n(0)]
    pub target: Target,
    #[n(1)]
    pub yes: Cents,
}

impl Exchange {
    /// A YES share pays `yes`, a NO share the rest to 1.00.
    pub(crate) fn cancel_markets(
        &mut self,
        caller: Caller,
        command: &CancelMarkets,
    ) -> Result<Reply, Reject> {
        let CancelMarkets { target, yes } = *command;
        let (event, markets) = self.find_targets(target, Action::Cancel)?;
        self.check_pays_at_once(caller, &markets)?;

        self.cancel_at_price(event, &markets, yes);
        let verdict = Verdict::Cancelled { yes };
        self.note_resolution(event, Resolution::at_once(verdict, caller.author(), self.now));
        Ok(Reply::Done)
    }
}
