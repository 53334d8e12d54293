//! Lists of events: filters, searches, pages and exact totals, at a cost proportional to the page.
//!
//! The index has a set of events for each field value, each trigram of a title or slug, and each word (`terms.rs`). A
//! list is an intersection of sets, its total is the set's size, and a page is a selection by rank. Events in memory
//! are indexed in memory (`live.rs`), retired events in history. `reading/events.rs` joins both.

mod document;
mod filter;
mod live;
mod liveliness;
mod postings;
mod substring;
mod terms;
mod texts;
mod words;

use std::cmp::Reverse;
use std::sync::Arc;

use api::query::PageQuery;
use exchange::Exchange;
use exchange::catalogue::{RetiredEvent, Status};
use exchange::id::EventId;
use exchange::index::EventIndex;
use exchange::numbers::Currency;
use exchange::time::Time;

pub use document::Document;
pub use filter::{EventFilter, MatchingEvents, WordMatches};
pub use live::LiveEvents;
pub use postings::{EventSet, MemoryPostings, Postings, member};
pub use substring::{Comparison, SearchedTexts, Substring};
pub use terms::Term;
pub use texts::Texts;
pub use words::variants_of;

use liveliness::{liveliness, volume};

/// The order of a list. A search by words lists the best matches first and uses this order within each rank.
#[derive(Clone, Copy, Debug)]
pub enum ListOrder {
    Newest,
    /// Tradable events first: open, paused, closed, resolved, cancelled; within each, the newest first.
    Tradable,
    /// Most traded in the last 24 hours first, in one currency or in both.
    Liveliest {
        currency: Option<Currency>,
        now: Time,
    },
    /// Earliest closing date first, then events without one.
    NextToClose,
    /// Most traded since it opened first, in one currency or in both, then events without a trade. Events that are no longer
    /// in memory count as such.
    MostTraded {
        currency: Option<Currency>,
    },
}

#[derive(Clone, Debug)]
pub struct ListQuery {
    pub filter: EventFilter,
    pub order: ListOrder,
    pub pages: PageQuery,
}

/// The events of a page, in order.
#[derive(Clone, Debug, Default)]
pub struct EventPage {
    pub ids: Vec<EventId>,
    pub retired: Vec<Arc<RetiredEvent>>,
    /// The length of the whole list.
    pub total: u64,
}

/// The sort key of an event: its liveliness, its volume or its distance to the end of time; its status; its serial.
pub(crate) type Measured = ((i128, u64), Reverse<Status>, u32);

impl ListOrder {
    /// Whether every matching event in memory is measured. Such a list costs by their number.
    pub(crate) const fn measures_all(self) -> bool {
        matches!(self, ListOrder::NextToClose | ListOrder::MostTraded { .. })
    }
}

impl ListQuery {
    /// The list as consecutive sets; within each, the newest event comes first. Matching events in `first` precede all
    /// others.
    pub(crate) fn groups(&self, mut matched: MatchingEvents, first: &[u32]) -> Vec<EventSet> {
        let is_newest_first = matches!(self.order, ListOrder::Newest);
        let ranks = (is_newest_first || !self.filter.words.is_empty()).then(|| matched.by_words());
        let first: Vec<u32> = first.iter().copied().filter(|member| matched.contains(*member)).collect();
        let mut groups: Vec<EventSet> = match ranks {
            None => matched.by_status.into(),
            Some(ranks) if is_newest_first => ranks,
            Some(ranks) => ranks.iter().flat_map(|rank| by_status(rank, &matched.by_status)).collect(),
        };
        let without: EventSet = first.iter().collect();
        groups.iter_mut().for_each(|group| *group -= &without);
        first.into_iter().map(|member| EventSet::from([member])).chain(groups).collect()
    }

    /// The members of the page, and the total.
    pub(crate) fn page(&self, groups: &[EventSet]) -> (Vec<u32>, u64) {
        let total = groups.iter().map(EventSet::len).sum();
        let (mut skipped, mut page) = (self.pages.offset(), Vec::new());
        for group in groups {
            let size = group.len();
            while skipped < size && page.len() < self.pages.size as usize {
                let place = u32::try_from(size - 1 - skipped).expect("a rank in a set of u32 fits into u32");
                page.extend(group.select(place));
                skipped += 1;
            }
            skipped -= skipped.min(size);
        }
        (page, total)
    }

    /// `listed` are the members of the filter's ids.
    pub(crate) fn matched_in_memory(&self, live: &LiveEvents, listed: Option<EventSet>) -> MatchingEvents {
        let Ok(matched) = self.filter.matched(&live.postings, listed);
        matched
    }

    /// The matched events in memory whose order must be measured. `lively` are those that may have been lively.
    pub(crate) fn to_measure(&self, matched: &MatchingEvents, lively: EventSet) -> EventSet {
        match self.order {
            ListOrder::NextToClose | ListOrder::MostTraded { .. } => matched.events(),
            ListOrder::Liveliest { .. } => lively & matched.events(),
            ListOrder::Newest | ListOrder::Tradable => EventSet::new(),
        }
    }

    /// The events that were lively, were traded or have a closing date, with their sort keys.
    pub(crate) fn measured(
        &self,
        exchange: &Exchange,
        events: impl Iterator<Item = (EventIndex, u32)>,
    ) -> Vec<Measured> {
        let key = |index: EventIndex| match self.order {
            ListOrder::Liveliest { currency, now } => {
                liveliness(exchange, index, currency, now.max(exchange.now()))
            }
            ListOrder::NextToClose => {
                let closes = exchange.catalogue().event(index).details.closing_date;
                closes.map_or((0, 0), |closes| (i128::from(i64::MAX) - i128::from(closes.micros()), 0))
            }
            ListOrder::MostTraded { currency } => (volume(exchange, index, currency), 0),
            ListOrder::Newest | ListOrder::Tradable => (0, 0),
        };
        let measured = events
            .map(|(index, member)| (key(index), Reverse(exchange.catalogue().event(index).status), member));
        measured.filter(|(key, ..)| *key != (0, 0)).collect()
    }

    /// Events in memory that may have been lively; empty if the order does not need them.
    pub(crate) fn lively_in_memory(&self, exchange: &Exchange, live: &LiveEvents) -> EventSet {
        match self.order {
            ListOrder::Liveliest { now, .. } => live.recently_traded(now.max(exchange.now())),
            ListOrder::Newest
            | ListOrder::Tradable
            | ListOrder::NextToClose
            | ListOrder::MostTraded { .. } => EventSet::new(),
        }
    }

    /// The sort keys of events in memory. Those that have retired are left out.
    pub(crate) fn measured_in_memory(
        &self,
        exchange: &Exchange,
        live: &LiveEvents,
        members: &[u32],
    ) -> Vec<Measured> {
        let index_of = |member: &u32| {
            let index = exchange.catalogue().find_event(live.postings.id(*member)?)?;
            Some((index, *member))
        };
        self.measured(exchange, members.iter().filter_map(index_of))
    }
}

/// The members of those of the events that are in memory.
pub(crate) fn members_in_memory(exchange: &Exchange, events: &[EventId]) -> EventSet {
    let catalogue = exchange.catalogue();
    let found = events.iter().filter_map(|event| catalogue.find_event(*event));
    found.map(|index| member(catalogue.event(index).serial)).collect()
}

/// Sorts by the keys; events with equal ones keep the default order.
pub(crate) fn sorted(mut measured: Vec<Measured>) -> Vec<u32> {
    measured.sort_by_key(|measured| Reverse(*measured));
    measured.into_iter().map(|(.., member)| member).collect()
}

fn by_status(group: &EventSet, by_status: &[EventSet; Status::ALL.len()]) -> [EventSet; Status::ALL.len()] {
    by_status.each_ref().map(|set| group & set)
}

/// A page of the events in memory, on an index built for this call.
pub(crate) fn find_in_memory(exchange: &Exchange, query: &ListQuery) -> (Vec<EventIndex>, u64) {
    let live = LiveEvents::of(exchange);
    let listed = query.filter.events.as_ref().map(|events| members_in_memory(exchange, events));
    let mut matched = query.matched_in_memory(&live, listed);
    if let Some(substring) = query.filter.compared_substring() {
        matched.retain(&substring.compare(live.postings.texts().of(&matched.events())));
    }
    let measured = query.to_measure(&matched, query.lively_in_memory(exchange, &live));
    let measured: Vec<u32> = measured.iter().collect();
    let first = sorted(query.measured_in_memory(exchange, &live, &measured));
    let (page, total) = query.page(&query.groups(matched, &first));
    let ids = page.into_iter().filter_map(|member| live.postings.id(member));
    (ids.filter_map(|id| exchange.catalogue().find_event(id)).collect(), total)
}
