//! `PauseSeries`: stops creating events, or resumes with the next full interval. The running event ends as usual.

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
    /// Idempotent.
    pub(crate) fn pause_series(&mut self, _: Caller, command: &PauseSeries) -> Result<Reply, Reject> {
        let PauseSeries { series: id, paused } = *command;
        let series = self.catalogue.find_series(id).ok_or(Reject::SeriesNotFound)?;
        if series.paused == paused {
            return Ok(Reply::Done);
        }
        // A boundary at this instant is not settled yet and must not be skipped.
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
