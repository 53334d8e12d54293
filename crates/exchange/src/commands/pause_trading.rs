//! `PauseTrading`: nothing new for a while. Orders rest on and may be cancelled.

use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn pause_trading(&mut self, target: Target) -> Result<Reply, Reject> {
        let (event, markets) = self.find_targets(target, Action::Pause)?;
        self.move_markets(event, &markets, Action::Pause);
        Ok(Reply::Done)
    }
}
