//! Tradable things and their context: events, their markets and listings, series, sports, asset prices.
//!
//! `Catalogue` holds what is in memory and finds it by id, slug and outcome; retired events are not found. The rules that
//! change it are in `commands` and `lifecycle`.

mod assets;
pub(crate) mod checks;
mod ended_games;
mod event;
mod fixed_names;
mod instrument;
mod listing;
mod market;
mod retired;
mod series;
mod sports;
mod status;
pub(crate) mod table;
mod touched;

pub use assets::{AssetPrice, AssetPrices, PUSHED, Sample, Samples};
pub(crate) use ended_games::EndedGames;
pub use event::{Engine, Event, EventDetails, EventKind, EventLink, NewEvent, SportMarketType};
pub(crate) use fixed_names::FixedNames;
pub use instrument::Instrument;
pub(crate) use listing::HolderCounts;
pub use listing::{LastTrade, Listing, Venue};
pub use market::{
    AnnouncedTerms, Market, MarketDetails, MarketTerms, NewMarket, Prop, PropDirection, Settlement,
};
pub(crate) use retired::RetiredNames;
pub use retired::{RetiredEvent, RetiredListing, RetiredMarket};
pub use series::{Automation, Interval, NewSeries, RaisedAlert, Series, SeriesCategory};
pub use sports::{Game, GameStatus, League, Sports, Standing, Team};
pub use status::{Action, Status};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::book::NodeIndex;
use crate::gradual::GradualMap;
use crate::hashing::{Lookup, hash_of};
use crate::id::{EventId, GameId, MarketId, OutcomeId, SeriesId, TeamId};
use crate::index::{EventIndex, ListingIndex, MarketIndex};
use crate::numbers::Currency;
use crate::order::Outcome;
use crate::time::Time;
use table::Table;
use touched::Touched;

/// A market and its reference data, found by one lookup.
#[derive(Clone, Debug)]
struct Entry {
    market: Market,
    instrument: Arc<Instrument>,
}

#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    pub(crate) events: Table<Event>,
    markets: Table<Entry>,
    /// Two per market; the listing of an unsupported currency is idle.
    pub(crate) listings: Table<[Listing; 2]>,
    touched: Touched,
    /// Resolved and cancelled events, in the order in which they ended.
    pub(crate) ended: BTreeSet<(Time, EventIndex)>,
    pub(crate) ended_games: EndedGames,
    /// Not state: the closed markets with orders that wait for their refunds.
    leaving: BTreeSet<MarketIndex>,
    pub(crate) retired: RetiredNames,
    /// The serial of the next event: the number of events ever created.
    pub(crate) next_event_serial: u64,
    pub(crate) series: BTreeMap<SeriesId, Series>,
    /// Shared with readers: a list of games may take longer than a read lock should.
    pub(crate) sports: Arc<Sports>,
    pub(crate) assets: AssetPrices,
    event_ids: Lookup,
    event_slugs: Lookup,
    market_ids: Lookup,
    /// Not state: the events of each game.
    game_events: BTreeMap<GameId, BTreeSet<EventIndex>>,
    /// Not state: counted from the games with events.
    pub(crate) fixed_names: FixedNames,
    /// With its own keys: markets do not store the derived ids of their outcomes.
    outcome_ids: GradualMap<OutcomeId, (MarketIndex, Outcome)>,
}

impl Catalogue {
    pub fn event(&self, index: EventIndex) -> &Event {
        &self.events[index.slot()]
    }

    pub fn market(&self, index: MarketIndex) -> &Market {
        &self.markets[index.slot()].market
    }

    pub(crate) fn event_mut(&mut self, index: EventIndex) -> &mut Event {
        let event = &mut self.events[index.slot()];
        for market in &event.markets {
            self.touched.touch(*market);
        }
        event
    }

    pub(crate) fn market_mut(&mut self, index: MarketIndex) -> &mut Market {
        self.touch(index);
        &mut self.markets[index.slot()].market
    }

    /// Begins a request: what changes from here on has its sequence.
    pub(crate) fn set_seq(&mut self, seq: u64) {
        self.touched.seq = seq;
    }

    /// Notes that a market, its event, a listing or a position there changes.
    #[inline]
    pub(crate) fn touch(&mut self, market: MarketIndex) {
        self.touched.touch(market);
    }

    /// The sequence at which a market, its event, a listing or a position there last changed; zero if it did not since
    /// this state was loaded.
    #[inline]
    pub fn touched_at(&self, market: MarketIndex) -> u64 {
        self.touched.at(market)
    }

    /// Replaces the details of a market, which may change its labels.
    pub(crate) fn set_market_details(&mut self, index: MarketIndex, details: MarketDetails) {
        self.touch(index);
        let Entry { market, instrument } = &mut self.markets[index.slot()];
        market.details = details;
        *instrument = Arc::new(Instrument::of(&self.events[market.event.slot()], market));
    }

    pub fn instrument(&self, index: MarketIndex) -> &Arc<Instrument> {
        &self.markets[index.slot()].instrument
    }

    #[inline]
    pub(crate) fn market_and_instrument(&self, index: MarketIndex) -> (&Market, &Arc<Instrument>) {
        let Entry { market, instrument } = &self.markets[index.slot()];
        (market, instrument)
    }

    #[inline]
    pub fn listing(&self, index: ListingIndex) -> &Listing {
        &self.listings[index.market().slot()][index.currency() as usize]
    }

    #[inline]
    pub(crate) fn listing_mut(&mut self, index: ListingIndex) -> &mut Listing {
        self.touch(index.market());
        &mut self.listings[index.market().slot()][index.currency() as usize]
    }

    /// The first closed market with orders that wait for their refunds.
    #[inline]
    pub(crate) fn first_leaving(&self) -> Option<MarketIndex> {
        self.leaving.first().copied()
    }

    pub(crate) fn is_leaving(&self, market: MarketIndex) -> bool {
        self.leaving.contains(&market)
    }

    /// Takes all orders of a listing out of trading at once. False if there are none.
    pub(crate) fn set_aside(&mut self, index: ListingIndex) -> bool {
        let has_orders = self.listing_mut(index).set_aside();
        if has_orders {
            self.leaving.insert(index.market());
        }
        has_orders
    }

    /// Removes an order that waits for its refund. False if none of the listing waits.
    pub(crate) fn remove_leaving(&mut self, index: ListingIndex, node: NodeIndex) -> bool {
        let is_removed = self.listing_mut(index).remove_leaving(node);
        let market = index.market();
        if is_removed && self.listings[market.slot()].iter().all(|listing| listing.leaving().is_none()) {
            self.leaving.remove(&market);
        }
        is_removed
    }

    pub fn find_event(&self, id: EventId) -> Option<EventIndex> {
        let is_it = |index: u32| self.events[index as usize].id == id;
        self.event_ids.find(hash_of(&id), is_it).map(EventIndex)
    }

    pub fn find_event_by_slug(&self, slug: &str) -> Option<EventIndex> {
        let is_it = |index: u32| *self.events[index as usize].slug == *slug;
        self.event_slugs.find(hash_of(slug), is_it).map(EventIndex)
    }

    pub fn find_market(&self, id: MarketId) -> Option<MarketIndex> {
        let is_it = |index: u32| self.markets[index as usize].market.id == id;
        self.market_ids.find(hash_of(&id), is_it).map(MarketIndex)
    }

    #[inline]
    pub fn find_outcome(&self, id: OutcomeId) -> Option<(MarketIndex, Outcome)> {
        self.outcome_ids.get(&id).copied()
    }

    pub fn events(&self) -> impl ExactSizeIterator<Item = (EventIndex, &Event)> + DoubleEndedIterator {
        self.events.iter().map(|(slot, event)| (EventIndex::from_slot(slot), event))
    }

    pub fn markets(&self) -> impl ExactSizeIterator<Item = (MarketIndex, &Market)> {
        self.markets.iter().map(|(slot, entry)| (MarketIndex::from_slot(slot), &entry.market))
    }

    /// All listings, two per market.
    pub fn listings(&self) -> impl Iterator<Item = (ListingIndex, &Listing)> {
        self.listings.iter().flat_map(|(slot, both)| {
            let market = MarketIndex::from_slot(slot);
            let numbered = Currency::ALL.into_iter().zip(both);
            numbered.map(move |(currency, listing)| (ListingIndex::new(market, currency), listing))
        })
    }

    /// The index of the next market.
    pub(crate) fn next_market(&self) -> MarketIndex {
        MarketIndex::from_slot(self.markets.next())
    }

    /// The number of events that have left memory.
    pub fn retired_count(&self) -> u64 {
        self.retired.count
    }

    /// The sequence of the request that last retired an event; zero if none did.
    pub fn last_retired_at(&self) -> u64 {
        self.retired.last_seq
    }

    /// The serial of the next event.
    pub fn next_event_serial(&self) -> u64 {
        self.next_event_serial
    }

    /// The number of retired names that are kept so that they cannot be reused.
    pub fn retired_name_count(&self) -> usize {
        self.retired.len()
    }

    /// A game that has left memory.
    pub fn find_retired_game(&self, slug: &str) -> Option<GameId> {
        self.retired.find_game(slug)
    }

    pub fn is_retired_game(&self, game: GameId) -> bool {
        self.retired.has_game(game)
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

    pub fn sports(&self) -> &Arc<Sports> {
        &self.sports
    }

    pub fn assets(&self) -> &AssetPrices {
        &self.assets
    }

    pub(crate) fn add_event(&mut self, event: Event) -> EventIndex {
        let index = EventIndex::from_slot(self.events.next());
        self.event_ids.insert(hash_of(&event.id), index.0);
        self.event_slugs.insert(hash_of(&*event.slug), index.0);
        if let EventLink::Game { game, .. } = event.link {
            let events = self.game_events.entry(game).or_default();
            if events.is_empty()
                && let Some(game) = self.sports.games.get(&game)
            {
                self.fixed_names.add(game);
            }
            events.insert(index);
        }
        self.events.push(event);
        index
    }

    /// The events of a game, in the order in which they were created.
    pub fn events_of_game(&self, game: GameId) -> impl Iterator<Item = EventIndex> {
        self.game_events.get(&game).into_iter().flatten().copied()
    }

    /// The fixed names, counted from the games with events.
    pub(crate) fn count_fixed_names(&self) -> FixedNames {
        let mut fixed = FixedNames::default();
        for game in self.game_events.keys().filter_map(|game| self.sports.games.get(game)) {
            fixed.add(game);
        }
        fixed
    }

    /// Replaces the sports of a catalogue that was read.
    pub(crate) fn restore_sports(&mut self, sports: Sports) {
        self.sports = Arc::new(sports);
        self.fixed_names = self.count_fixed_names();
    }

    /// Adds or replaces teams and games. False if two teams or two games of the result have one slug.
    pub(crate) fn put_sports(
        &mut self,
        teams: BTreeMap<TeamId, Team>,
        games: BTreeMap<GameId, Game>,
    ) -> bool {
        let has_events = |game: &&GameId| self.game_events.contains_key(game);
        let with_events: Vec<GameId> = games.keys().filter(has_events).copied().collect();
        // Until rules 4 an import could change the sides of a game with events.
        for game in with_events.iter().filter_map(|game| self.sports.games.get(game)) {
            self.fixed_names.remove(game);
        }
        let is_unique = Arc::make_mut(&mut self.sports).put(teams, games);
        for game in with_events.iter().filter_map(|game| self.sports.games.get(game)) {
            self.fixed_names.add(game);
        }
        is_unique
    }

    /// Removes an event with its markets and listings.
    pub(crate) fn remove_event(&mut self, index: EventIndex) -> (Event, Vec<(Market, [Listing; 2])>) {
        let event = self.events.remove(index.slot());
        self.event_ids.remove(hash_of(&event.id), index.0);
        self.event_slugs.remove(hash_of(&*event.slug), index.0);
        if let EventLink::Game { game, .. } = event.link
            && let Some(events) = self.game_events.get_mut(&game)
        {
            events.remove(&index);
            if events.is_empty() {
                self.game_events.remove(&game);
                if let Some(game) = self.sports.games.get(&game) {
                    self.fixed_names.remove(game);
                }
            }
        }
        let remove = |index: &MarketIndex| {
            self.touched.touch(*index);
            let listings = self.listings.remove(index.slot());
            let Entry { market, instrument } = self.markets.remove(index.slot());
            for outcome in &instrument.outcomes {
                self.outcome_ids.remove(outcome);
            }
            self.market_ids.remove(hash_of(&market.id), index.0);
            (market, listings)
        };
        let markets = event.markets.iter().map(remove).collect();
        (event, markets)
    }

    /// Adds a market of an event in memory, with its two listings. The caller must also add it to the event.
    pub(crate) fn add_market(&mut self, market: Market, listings: [Listing; 2]) -> MarketIndex {
        let index = MarketIndex::from_slot(self.markets.next());
        self.market_ids.insert(hash_of(&market.id), index.0);
        let instrument = Arc::new(Instrument::of(self.event(market.event), &market));
        for outcome in Outcome::BOTH {
            self.outcome_ids.insert(instrument.outcome(outcome), (index, outcome));
        }
        self.touched.add(index);
        self.markets.push(Entry { market, instrument });
        self.listings.push(listings);
        index
    }
}
