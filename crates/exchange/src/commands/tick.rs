//! `Tick`: does nothing itself. It carries the time; timers due by then fire before it.

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn tick(&mut self, _: Caller) -> Result<Reply, Reject> {
        Ok(Reply::Done)
    }
}
