//! `CloseTrading`: trading ends before the closing date, or without one. What rests is refunded.

use crate::catalogue::Action;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn close_trading(&mut self, target: Target) -> Result<Reply, Reject> {
        let (event, markets) = self.find_targets(target, Action::Close)?;
        self.close_markets(event, &markets);
        Ok(Reply::Done)
    }
}
