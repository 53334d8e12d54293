//! `PauseSeries`: no new events, or again from the next full interval on. The event that runs is ended as ever.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::SeriesId;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PauseSeries {
    #[n(0)]
    pub series: SeriesId,
    #[n(1)]
    pub paused: bool,
}

impl Exchange {
    /// Asking for what is so already changes nothing.
    pub(crate) fn pause_series(&mut self, _: Caller, command: &PauseSeries) -> Result<Reply, Reject> {
        let PauseSeries { series: id, paused } = *command;
        let series = self.catalogue.find_series(id).ok_or(Reject::SeriesNotFound)?;
        if series.paused == paused {
            return Ok(Reply::Done);
        }
        // A boundary at this very instant is not settled yet, and is not to be skipped.
        let next_start = match series.next_start == self.now {
            true => self.now,
            false => self.now.next_multiple(series.terms.interval.span()),
        };
        self.clear_series_timers(id);
        if let Some(series) = self.catalogue.series.get_mut(&id) {
            series.paused = paused;
            series.next_start = next_start;
        }
        self.arm_series(id);
        Ok(Reply::Done)
    }
}
