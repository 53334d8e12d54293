//! The reference data of a market that the answer to an order shows, shared by all replies.

use super::{Engine, Event, Market};
use crate::id::{EventId, MarketId, OutcomeId};
use crate::order::Outcome;
use crate::text::Text;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instrument {
    pub event: EventId,
    pub market: MarketId,
    pub engine: Engine,
    /// The ids of YES and NO.
    pub outcomes: [OutcomeId; 2],
    /// The labels of YES and NO.
    pub labels: [Text; 2],
}

impl Instrument {
    pub(crate) fn of(event: &Event, market: &Market) -> Instrument {
        Instrument {
            event: event.id,
            market: market.id,
            engine: event.engine,
            outcomes: Outcome::BOTH.map(|outcome| OutcomeId::of(market.id, outcome as u64)),
            labels: [market.details.yes_label.clone(), market.details.no_label.clone()],
        }
    }

    pub fn outcome(&self, outcome: Outcome) -> OutcomeId {
        self.outcomes[outcome as usize]
    }

    pub fn label(&self, outcome: Outcome) -> &Text {
        &self.labels[outcome as usize]
    }
}
