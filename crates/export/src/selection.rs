//! The selected markets and the selected time. Without a market or a series, all markets are selected.

use std::collections::BTreeSet;

use api::Timestamp;
use exchange::Exchange;
use exchange::catalogue::{Event, EventLink};
use exchange::index::{EventIndex, MarketIndex};
use exchange::time::Time;
use serde::{Deserialize, Serialize};
use server::view::words::ToApi;
use uuid::Uuid;

use crate::error::ExportError;

/// The exported markets and the exported time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    pub markets: BTreeSet<Uuid>,
    /// Slugs of series, whose events are all selected.
    pub series: BTreeSet<String>,
    /// Requests at or after this time.
    pub from: Option<Timestamp>,
    /// Requests at or before this time.
    pub to: Option<Timestamp>,
}

impl Selection {
    /// Refuses an end before the start.
    pub fn check(&self) -> Result<(), ExportError> {
        match (self.from, self.to) {
            (Some(from), Some(to)) if from.micros() > to.micros() => Err(ExportError::EndsBeforeStart),
            _ => Ok(()),
        }
    }

    /// Whether a request at this time is after the end.
    pub(crate) fn ends_before(&self, at: Time) -> bool {
        self.to.is_some_and(|to| at.micros() > to.micros())
    }

    pub(crate) fn begins_after(&self, at: Time) -> bool {
        self.from.is_some_and(|from| at.micros() < from.micros())
    }

    pub(crate) fn admits_market(&self, exchange: &Exchange, index: MarketIndex) -> bool {
        let market = exchange.catalogue().market(index);
        self.has_all_markets()
            || self.markets.contains(&market.id.to_api())
            || self.admits_series(exchange, exchange.catalogue().event(market.event))
    }

    /// Whether an event has a selected market.
    pub(crate) fn admits_event(&self, exchange: &Exchange, index: EventIndex) -> bool {
        let event = exchange.catalogue().event(index);
        event.markets.iter().any(|market| self.admits_market(exchange, *market))
    }

    fn has_all_markets(&self) -> bool {
        self.markets.is_empty() && self.series.is_empty()
    }

    fn admits_series(&self, exchange: &Exchange, event: &Event) -> bool {
        match event.link {
            EventLink::Series { series, .. } => exchange
                .catalogue()
                .find_series(series)
                .is_some_and(|series| self.series.contains(&*series.terms.slug)),
            EventLink::Game { .. } | EventLink::None => false,
        }
    }
}
