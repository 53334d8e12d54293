//! Finding things: by id, by slug, by outcome.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::{AssetPrices, Event, Listing, Market, Series, Sports};
use crate::hashing::FixedState;
use crate::id::{EventId, MarketId, OutcomeId, SeriesId};
use crate::index::{EventIndex, ListingIndex, MarketIndex};
use crate::order::Outcome;
use crate::text::Text;

#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    pub(crate) events: Vec<Event>,
    pub(crate) markets: Vec<Market>,
    /// Two per market; a currency the event does not support has an idle one.
    pub(crate) listings: Vec<Listing>,
    pub(crate) series: BTreeMap<SeriesId, Series>,
    pub(crate) sports: Sports,
    pub(crate) assets: AssetPrices,
    event_ids: HashMap<EventId, EventIndex, FixedState>,
    event_slugs: HashMap<Text, EventIndex, FixedState>,
    market_ids: HashMap<MarketId, MarketIndex, FixedState>,
    outcome_ids: HashMap<OutcomeId, (MarketIndex, Outcome), FixedState>,
}

impl Catalogue {
    pub fn event(&self, index: EventIndex) -> &Event {
        &self.events[index.slot()]
    }

    pub fn market(&self, index: MarketIndex) -> &Market {
        &self.markets[index.slot()]
    }

    pub(crate) fn event_mut(&mut self, index: EventIndex) -> &mut Event {
        &mut self.events[index.slot()]
    }

    pub(crate) fn market_mut(&mut self, index: MarketIndex) -> &mut Market {
        &mut self.markets[index.slot()]
    }

    #[inline]
    pub fn listing(&self, index: ListingIndex) -> &Listing {
        &self.listings[index.slot()]
    }

    #[inline]
    pub(crate) fn listing_mut(&mut self, index: ListingIndex) -> &mut Listing {
        &mut self.listings[index.slot()]
    }

    pub fn find_event(&self, id: EventId) -> Option<EventIndex> {
        self.event_ids.get(&id).copied()
    }

    pub fn find_event_by_slug(&self, slug: &str) -> Option<EventIndex> {
        self.event_slugs.get(&Text::from(slug)).copied()
    }

    pub fn find_market(&self, id: MarketId) -> Option<MarketIndex> {
        self.market_ids.get(&id).copied()
    }

    #[inline]
    pub fn find_outcome(&self, id: OutcomeId) -> Option<(MarketIndex, Outcome)> {
        self.outcome_ids.get(&id).copied()
    }

    pub fn events(&self) -> impl ExactSizeIterator<Item = (EventIndex, &Event)> + DoubleEndedIterator {
        self.events.iter().enumerate().map(|(slot, event)| (EventIndex::from_slot(slot), event))
    }

    pub fn markets(&self) -> impl ExactSizeIterator<Item = (MarketIndex, &Market)> {
        self.markets.iter().enumerate().map(|(slot, market)| (MarketIndex::from_slot(slot), market))
    }

    pub fn listings(&self) -> impl ExactSizeIterator<Item = (ListingIndex, &Listing)> {
        self.listings.iter().enumerate().map(|(slot, listing)| (ListingIndex::from_slot(slot), listing))
    }

    pub fn series(&self) -> impl Iterator<Item = &Series> {
        self.series.values()
    }

    pub fn find_series_by_slug(&self, slug: &str) -> Option<&Series> {
        self.series().find(|series| *series.terms.slug == *slug)
    }

    pub fn find_series(&self, id: SeriesId) -> Option<&Series> {
        self.series.get(&id)
    }

    pub fn sports(&self) -> &Sports {
        &self.sports
    }

    pub fn assets(&self) -> &AssetPrices {
        &self.assets
    }

    pub(crate) fn add_event(&mut self, event: Event) -> EventIndex {
        let index = EventIndex::from_slot(self.events.len());
        self.event_ids.insert(event.id, index);
        self.event_slugs.insert(event.slug.clone(), index);
        self.events.push(event);
        index
    }

    /// Adds a market with its two listings. The event must name it too.
    pub(crate) fn add_market(&mut self, market: Market, listings: [Listing; 2]) -> MarketIndex {
        let index = MarketIndex::from_slot(self.markets.len());
        self.market_ids.insert(market.id, index);
        for outcome in Outcome::BOTH {
            self.outcome_ids.insert(OutcomeId::of(market.id, outcome as u64), (index, outcome));
        }
        self.markets.push(market);
        self.listings.extend(listings);
        index
    }
}
