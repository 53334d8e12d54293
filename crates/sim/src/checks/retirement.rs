//! Retirement: an ended event leaves memory exactly when due, it is reported, and the reported record shows what the
//! event showed before.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::activity::Activity;
use exchange::catalogue::{Event, EventLink, LastTrade, MarketDetails, RetiredEvent, Settlement, Status};
use exchange::change::Change;
use exchange::codec::{decode_retired, encode_retired};
use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::index::{EventIndex, ListingIndex};
use exchange::numbers::{Currency, Money, Ppm};
use exchange::order::Outcome;
use exchange::time::{Span, Time};

use super::Before;
use crate::failure::{Failure, ensure};

pub const READS_AS_BEFORE: &str = "15 a retired event reads as it did before";
pub const LEAVES_IN_TIME: &str = "15 an ended event leaves memory when its age has come, and is reported";
pub const LEAVES_NOTHING: &str = "15 memory keeps two names of a retired event, and none of a series' event";

/// Maximum number of events retired by one request.
const AT_ONCE: usize = 100;

/// Everything a reader sees of an event, without its location in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownEvent {
    pub event: Event,
    pub markets: Vec<ShownMarket>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownMarket {
    pub id: MarketId,
    pub status: Status,
    pub details: MarketDetails,
    pub settlement: Option<Settlement>,
    pub listings: [ShownListing; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownListing {
    pub last_trade: Option<LastTrade>,
    pub volume: Money,
    pub orders: u64,
    pub activity: Activity,
    /// The displayed price and the cost of one share, for YES and for NO.
    pub prices: [(Ppm, Ppm); 2],
}

impl ShownEvent {
    pub fn look(exchange: &Exchange, index: EventIndex) -> ShownEvent {
        let catalogue = exchange.catalogue();
        let event = catalogue.event(index);
        let listing = |index: ListingIndex| {
            let listing = catalogue.listing(index);
            ShownListing {
                last_trade: listing.last_trade,
                volume: listing.volume,
                orders: listing.orders,
                activity: listing.activity.clone(),
                prices: Outcome::BOTH.map(|outcome| (listing.price(outcome), listing.buy_price(outcome))),
            }
        };
        let markets = event.markets.iter().map(|index| {
            let market = catalogue.market(*index);
            ShownMarket {
                id: market.id,
                status: market.status,
                details: market.details.clone(),
                settlement: market.settlement,
                listings: Currency::ALL.map(|currency| listing(ListingIndex::new(*index, currency))),
            }
        });
        ShownEvent { markets: markets.collect(), event: Event { markets: Vec::new(), ..event.clone() } }
    }

    /// When its last market was settled.
    fn ended_at(&self) -> Option<Time> {
        self.markets.iter().filter_map(|market| market.settlement).map(|settlement| settlement.at).max()
    }
}

/// The state before a command: all events, and the visible data of those that had ended.
#[derive(Clone, Debug, Default)]
pub struct Catalogued {
    pub events: BTreeMap<EventId, Option<ShownEvent>>,
    pub names: usize,
    pub retired: u64,
    /// How long an ended event stays in memory.
    pub age: Span,
}

impl Catalogued {
    pub fn look(&mut self, exchange: &Exchange) {
        let catalogue = exchange.catalogue();
        self.events.clear();
        for (index, event) in catalogue.events() {
            let shown = event.status.is_final().then(|| ShownEvent::look(exchange, index));
            self.events.insert(event.id, shown);
        }
        self.names = catalogue.retired_name_count();
        self.retired = catalogue.retired_count();
        self.age = Span::seconds(exchange.governance().policy.retire_after_seconds.into());
    }
}

pub fn check_retirement(before: &Before, exchange: &Exchange, changes: &[Change]) -> Result<(), Failure> {
    let before = &before.catalogued;
    let mut retired = Vec::new();
    let mut names = before.names;
    for change in changes {
        let Change::EventRetired(record) = change else { continue };
        let id = record.event.id;
        let Some(Some(shown)) = before.events.get(&id) else {
            return Err(Failure::new(LEAVES_IN_TIME, format!("event {id} had not ended before it left")));
        };
        check_record(exchange, record, shown)?;
        let is_of_series = matches!(record.event.link, EventLink::Series { .. });
        names += if is_of_series { 0 } else { 2 };
        retired.push(id);
    }
    let catalogue = exchange.catalogue();
    ensure(catalogue.retired_name_count() == names, LEAVES_NOTHING, || {
        format!("{} names are kept, not {names}", catalogue.retired_name_count())
    })?;
    let count = before.retired + retired.len() as u64;
    ensure(catalogue.retired_count() == count, LEAVES_IN_TIME, || format!("{count} events have retired"))?;
    for (id, shown) in &before.events {
        let is_there = catalogue.find_event(*id).is_some();
        let stands = if is_there { "there" } else { "gone" };
        ensure(is_there != retired.contains(id), LEAVES_IN_TIME, || {
            format!("event {id} is {stands} without a report")
        })?;
        let ended_at = shown.as_ref().and_then(ShownEvent::ended_at);
        let is_due = ended_at.is_some_and(|ended_at| ended_at + before.age <= exchange.now());
        let waits = is_due && retired.len() >= AT_ONCE;
        ensure(is_due != is_there || waits, LEAVES_IN_TIME, || {
            format!("event {id} ended at {ended_at:?} and is {stands}")
        })?;
    }
    Ok(())
}

/// Checks that the record can be stored, shows what the event showed, and that nothing of the event is left in memory.
fn check_record(exchange: &Exchange, record: &RetiredEvent, shown: &ShownEvent) -> Result<(), Failure> {
    let id = record.event.id;
    let is_kept = decode_retired(&encode_retired(record)).is_ok_and(|read| read == *record);
    ensure(is_kept, READS_AS_BEFORE, || format!("event {id} cannot be read back"))?;
    let shelf = exchange.shelve([record]);
    let reads = shelf.catalogue().find_event(id).map(|index| ShownEvent::look(&shelf, index));
    ensure(reads.as_ref() == Some(shown), READS_AS_BEFORE, || {
        format!("event {id} was {shown:?} and reads {reads:?}")
    })?;
    let catalogue = exchange.catalogue();
    let is_left = |market: &ShownMarket| {
        let outcomes = Outcome::BOTH.map(|outcome| OutcomeId::of(market.id, outcome as u64));
        catalogue.find_market(market.id).is_some()
            || outcomes.iter().any(|outcome| catalogue.find_outcome(*outcome).is_some())
    };
    let is_gone = catalogue.find_event(id).is_none()
        && catalogue.find_event_by_slug(&record.event.slug).is_none()
        && !shown.markets.iter().any(is_left);
    ensure(is_gone, LEAVES_NOTHING, || format!("event {id} is still found"))
}
