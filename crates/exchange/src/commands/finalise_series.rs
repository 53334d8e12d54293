//! `FinaliseSeries`: finalises the pending results of a series whose prices operators pushed, oldest first.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::command::Finalise;
use crate::exchange::Exchange;
use crate::id::SeriesId;
use crate::reject::Reject;
use crate::reply::Reply;

/// Results per command; limits how long one command takes.
const RESULTS_MAX: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct FinaliseSeries {
    #[n(0)]
    pub series: SeriesId,
}

impl Exchange {
    pub(crate) fn finalise_series(
        &mut self,
        caller: Caller,
        command: &FinaliseSeries,
    ) -> Result<Reply, Reject> {
        let FinaliseSeries { series } = *command;
        self.catalogue.find_series(series).ok_or(Reject::SeriesNotFound)?;
        let of_series = |series| self.governance.proposals().filter(move |each| each.series == Some(series));
        let mut waiting: Vec<_> = of_series(series).map(|proposal| (proposal.at, proposal.id)).collect();
        waiting.sort_unstable();

        let (mut finalised, mut refused) = (0, Reject::ProposalNotFound);
        for (_, proposal) in waiting {
            match self.finalise(caller, &Finalise { proposal }) {
                Ok(_) => finalised += 1,
                Err(reject) => refused = reject,
            }
            if finalised == RESULTS_MAX {
                break;
            }
        }
        if finalised == 0 { Err(refused) } else { Ok(Reply::Finalised(finalised)) }
    }
}
