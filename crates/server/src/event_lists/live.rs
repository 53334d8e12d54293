//! The index of the events in memory. The apply thread updates it under the state's lock, so it always matches the
//! state.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::change::{Change, OrderCause};
use exchange::id::MarketId;
use exchange::index::ListingIndex;
use exchange::numbers::Currency;
use exchange::time::Time;

use super::document::Document;
use super::postings::{EventSet, MemoryPostings, member};

/// The 24 hours that count for trending, plus one partial hour.
const LIVELY_HOURS: i64 = 25;

#[derive(Debug, Default)]
pub struct LiveEvents {
    pub postings: MemoryPostings,
    /// Events with orders or trades, by hour.
    lively: BTreeMap<i64, EventSet>,
}

impl LiveEvents {
    pub fn of(exchange: &Exchange) -> LiveEvents {
        let mut live = LiveEvents::default();
        let catalogue = exchange.catalogue();
        for (index, event) in catalogue.events() {
            live.postings.add(Document::of(exchange, index));
            let listings = event.markets.iter().flat_map(|market| {
                Currency::ALL.map(|currency| catalogue.listing(ListingIndex::new(*market, currency)))
            });
            let last = listings.filter_map(|listing| listing.activity.last_hour()).max();
            if let Some(hour) = last {
                live.lively.entry(hour).or_default().insert(member(event.serial));
            }
        }
        live
    }

    /// Whether the request just applied changes the index.
    pub fn is_changed_by(changes: &[Change]) -> bool {
        changes.iter().any(|change| {
            matches!(
                change,
                Change::EventCreated { .. }
                    | Change::EventEdited { .. }
                    | Change::EventStatus { .. }
                    | Change::EventRetired(_)
                    | Change::Order { cause: OrderCause::Placed, .. }
            )
        })
    }

    /// Updates the index after an applied request.
    pub fn follow(&mut self, exchange: &Exchange) {
        for change in exchange.changes() {
            match change {
                Change::EventCreated { event } | Change::EventEdited { event } => {
                    if let Some(index) = exchange.catalogue().find_event(*event) {
                        self.postings.add(Document::of(exchange, index));
                    }
                }
                Change::EventStatus { event, status } => {
                    let Some(index) = exchange.catalogue().find_event(*event) else { continue };
                    let event = exchange.catalogue().event(index);
                    match event.never_opened {
                        true => self.postings.add(Document::of(exchange, index)),
                        false => self.postings.set_status(member(event.serial), *status),
                    }
                }
                Change::EventRetired(retired) => self.postings.remove(member(retired.event.serial)),
                Change::Order { record, cause: OrderCause::Placed } => {
                    self.note_order(exchange, record.market);
                }
                _ => {}
            }
        }
    }

    fn note_order(&mut self, exchange: &Exchange, market: MarketId) {
        let catalogue = exchange.catalogue();
        let Some(market) = catalogue.find_market(market) else { return };
        let serial = catalogue.event(catalogue.market(market).event).serial;
        let hour = exchange.now().hour();
        self.lively.entry(hour).or_default().insert(member(serial));
        while self.lively.first_key_value().is_some_and(|(first, _)| *first < hour - LIVELY_HOURS) {
            self.lively.pop_first();
        }
    }

    /// Events in memory that may have been lively in the 24 hours before `now`.
    pub fn recently_traded(&self, now: Time) -> EventSet {
        let from = now.hour() - LIVELY_HOURS;
        self.lively.range(from..).fold(EventSet::new(), |all, (_, events)| all | events)
    }
}
