//! `ResumeTrading`: resumes a paused market, with the orders that stayed on the book.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ResumeTrading {
    #[n(0)]
    pub target: Target,
}

impl Exchange {
    pub(crate) fn resume_trading(&mut self, _: Caller, command: &ResumeTrading) -> Result<Reply, Reject> {
        let ResumeTrading { target } = *command;
        let (event, markets) = self.find_targets(target, Action::Resume)?;
        self.move_markets(event, &markets, Action::Resume);
        Ok(Reply::Done)
    }
}
