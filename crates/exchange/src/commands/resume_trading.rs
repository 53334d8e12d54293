//! `ResumeTrading`: a paused market trades again, with the orders that rested on.

use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn resume_trading(&mut self, target: Target) -> Result<Reply, Reject> {
        let (event, markets) = self.find_targets(target, Action::Resume)?;
        self.move_markets(event, &markets, Action::Resume);
        Ok(Reply::Done)
    }
}
