//! `PauseTrading`: suspends trading. Orders stay on the book and may be cancelled.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PauseTrading {
    #[n(0)]
    pub target: Target,
}

impl Exchange {
    pub(crate) fn pause_trading(&mut self, _: Caller, command: &PauseTrading) -> Result<Reply, Reject> {
        let PauseTrading { target } = *command;
        let (event, markets) = self.find_targets(target, Action::Pause)?;
        self.move_markets(event, &markets, Action::Pause);
        Ok(Reply::Done)
    }
}
