//! `CloseTrading`: ends trading before the closing date, or without one. Resting orders are refunded.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CloseTrading {
    #[n(0)]
    pub target: Target,
}

impl Exchange {
    pub(crate) fn close_trading(&mut self, _: Caller, command: &CloseTrading) -> Result<Reply, Reject> {
        let CloseTrading { target } = *command;
        let (event, markets) = self.find_targets(target, Action::Close)?;
        self.close_markets(event, &markets);
        Ok(Reply::Done)
    }
}
