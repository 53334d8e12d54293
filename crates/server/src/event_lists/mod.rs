//! Lists of events: filters, searches, pages and exact totals, at a cost proportional to the page.
//!
//! The index has a set of events for each field value, each trigram of a title or slug, and each word (`terms.rs`). A
//! list is an intersection of sets, its total is the set's size, and a page is a selection by rank. Events in memory
//! are indexed in memory (`live.rs`), retired events in history. This module joins both.

mod document;
mod filter;
mod live;
mod postings;
mod substring;
mod terms;
mod words;

use std::cmp::Reverse;
use std::sync::Arc;

use api::query::PageQuery;
use exchange::Exchange;
use exchange::catalogue::{RetiredEvent, Status};
use exchange::id::EventId;
use exchange::index::EventIndex;
use exchange::numbers::Currency;
use exchange::time::{Span, Time};

pub use document::Document;
pub use filter::{EventFilter, FoundWord, Matched};
pub use live::LiveEvents;
pub use postings::{EventSet, MemoryPostings, Postings, member};
pub use substring::{Comparison, SearchedTexts, Substring};
pub use terms::Term;
pub use words::variants_of;

use crate::app::App;
use crate::history::RetiredName;
use crate::http::Failure;
use crate::known::Known;
use crate::reads::history_failure;
use crate::view::event::liveliness;

/// The order of a list. A search by words lists the best matches first and uses this order within each rank.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    Newest,
    /// Tradable events first: open, paused, closed, resolved, cancelled; within each, the newest first.
    Tradable,
    /// Most traded in the last 24 hours first, in one currency or in both.
    Liveliest {
        currency: Option<Currency>,
        now: Time,
    },
}

#[derive(Clone, Debug)]
pub struct Wanted {
    pub filter: EventFilter,
    pub order: Order,
    pub pages: PageQuery,
}

/// The events of a page, in order.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub ids: Vec<EventId>,
    pub retired: Vec<Arc<RetiredEvent>>,
    /// The length of the whole list.
    pub total: u64,
}

/// The sort key of an event: its liveliness, its status, its serial.
type Measured = ((i128, u64), Reverse<Status>, u32);

impl Wanted {
    /// The list as consecutive sets; within each, the newest event comes first. Matching events in `first` precede all
    /// others.
    fn groups(&self, mut matched: Matched, first: &[u32]) -> Vec<EventSet> {
        let is_newest_first = matches!(self.order, Order::Newest);
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
    fn page(&self, groups: &[EventSet]) -> (Vec<u32>, u64) {
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

    /// The members for the ids in the filter.
    fn listed(&self, exchange: &Exchange) -> Option<EventSet> {
        let catalogue = exchange.catalogue();
        let events = self.filter.events.as_ref()?.iter();
        let found = events.filter_map(|event| catalogue.find_event(*event));
        Some(found.map(|index| member(catalogue.event(index).serial)).collect())
    }

    fn matched_in_memory(&self, exchange: &Exchange, live: &LiveEvents) -> Matched {
        let Ok(matched) = self.filter.matched(&live.postings, self.listed(exchange));
        matched
    }

    /// The events that were lively, with their sort keys.
    fn measured(
        &self,
        exchange: &Exchange,
        events: impl Iterator<Item = (EventIndex, u32)>,
    ) -> Vec<Measured> {
        let Order::Liveliest { currency, now } = self.order else { return Vec::new() };
        let now = now.max(exchange.now());
        let measured = events.map(|(index, member)| {
            let status = exchange.catalogue().event(index).status;
            (liveliness(exchange, index, currency, now), Reverse(status), member)
        });
        measured.filter(|(lively, ..)| *lively != (0, 0)).collect()
    }

    fn lively_in_memory(&self, exchange: &Exchange, live: &LiveEvents, matched: &Matched) -> Vec<Measured> {
        let Order::Liveliest { now, .. } = self.order else { return Vec::new() };
        let lively = live.lively(now.max(exchange.now()));
        let index_of = |member| {
            let index = exchange.catalogue().find_event(live.postings.id(member)?)?;
            Some((index, member))
        };
        let lively = lively.into_iter().filter(|member| matched.contains(*member));
        self.measured(exchange, lively.filter_map(index_of))
    }
}

/// Sorts by liveliness; equally lively events keep the default order.
fn sorted(mut measured: Vec<Measured>) -> Vec<u32> {
    measured.sort_by_key(|measured| Reverse(*measured));
    measured.into_iter().map(|(.., member)| member).collect()
}

fn by_status(group: &EventSet, by_status: &[EventSet; Status::ALL.len()]) -> [EventSet; Status::ALL.len()] {
    by_status.each_ref().map(|set| group & set)
}

/// A page of the events in memory, on an index built for this call.
pub(crate) fn find_in_memory(exchange: &Exchange, wanted: &Wanted) -> (Vec<EventIndex>, u64) {
    let live = LiveEvents::of(exchange);
    let mut matched = wanted.matched_in_memory(exchange, &live);
    if let Some(substring) = wanted.filter.compared_substring() {
        matched.retain(&substring.compare(&live.postings.texts_of(&matched.events())));
    }
    let first = sorted(wanted.lively_in_memory(exchange, &live, &matched));
    let (page, total) = wanted.page(&wanted.groups(matched, &first));
    let ids = page.into_iter().filter_map(|member| live.postings.id(member));
    (ids.filter_map(|id| exchange.catalogue().find_event(id)).collect(), total)
}

/// The results from memory under one lock.
struct Look {
    matched: Matched,
    /// The texts of the matched events, if a substring must be compared with them.
    candidates: Vec<SearchedTexts>,
    lively: Vec<Measured>,
    /// The serial of the next event; later events are not part of the result.
    next_serial: u64,
    /// The sequence that last retired an event, if any did.
    retired_at: Option<u64>,
}

impl App {
    /// A page of events with the exact total, from memory and history. Does not wait for history if no retired event
    /// can match.
    pub(crate) async fn find_events(&self, wanted: &Wanted) -> Result<Found, Failure> {
        let Look { mut matched, candidates, mut lively, next_serial, retired_at } =
            self.look_for_events(wanted);
        let compared = wanted.filter.compared_substring();
        if let Some(substring) = compared {
            self.charge_comparisons(matched.len())?;
            matched.retain(&substring.compare(&candidates));
        }
        if let Some(up_to) = retired_at.filter(|_| wanted.filter.admits_ended()) {
            self.history.reach(up_to).await.map_err(history_failure)?;
            let retired = self.history.retired_matching(wanted.filter.clone(), member(next_serial)).await;
            let mut retired = retired.map_err(history_failure)?;
            if let Some(substring) = compared {
                self.charge_comparisons(retired.len())?;
                let containing = self.history.retired_containing(substring.clone(), retired.events()).await;
                retired.retain(&containing.map_err(history_failure)?);
            }
            matched = matched.join(retired);
            lively.extend(self.lively_retired(wanted, &matched).await?);
        }
        let (page, total) = wanted.page(&wanted.groups(matched, &sorted(lively)));
        let (ids, retired) = self.named_events(page).await?;
        Ok(Found { ids, retired, total })
    }

    fn look_for_events(&self, wanted: &Wanted) -> Look {
        let exchange = self.look();
        let live = self.shared.live_events();
        let matched = wanted.matched_in_memory(&exchange, &live);
        let candidates = match wanted.filter.compared_substring() {
            Some(_) => live.postings.texts_of(&matched.events()),
            None => Vec::new(),
        };
        let lively = wanted.lively_in_memory(&exchange, &live, &matched);
        let catalogue = exchange.catalogue();
        let retired_at = (catalogue.retired_count() > 0).then(|| catalogue.last_retired_at());
        Look { matched, candidates, lively, next_serial: catalogue.next_event_serial(), retired_at }
    }

    /// Retired events that were lively in the last 24 hours; there are some where events retire soon.
    async fn lively_retired(&self, wanted: &Wanted, matched: &Matched) -> Result<Vec<Measured>, Failure> {
        let Order::Liveliest { now, .. } = wanted.order else { return Ok(Vec::new()) };
        let from = now.max(self.look().now()) - LIVELY_SPAN;
        let mut active = self.history.retired_active_since(from).await.map_err(history_failure)?;
        active.retain(|record| matched.contains(member(record.event.serial)));
        let exchange = self.look();
        active.retain(|record| exchange.catalogue().find_event(record.event.id).is_none());
        let shelf = exchange.shelve(active.iter().map(|record| &**record));
        let index_of = |record: &Arc<RetiredEvent>| {
            Some((shelf.catalogue().find_event(record.event.id)?, member(record.event.serial)))
        };
        Ok(wanted.measured(&shelf, active.iter().filter_map(index_of)))
    }

    /// The ids of the page's events, and the records of the retired ones.
    async fn named_events(&self, page: Vec<u32>) -> Result<(Vec<EventId>, Vec<Arc<RetiredEvent>>), Failure> {
        let find_live = |live: &LiveEvents| page.iter().map(|member| live.postings.id(*member)).collect();
        let (mut ids, seq): (Vec<Option<EventId>>, u64) = {
            let exchange = self.look();
            (find_live(&self.shared.live_events()), exchange.catalogue().last_retired_at())
        };
        let missing: Vec<u32> =
            page.iter().zip(&ids).filter(|(_, id)| id.is_none()).map(|(member, _)| *member).collect();
        if missing.is_empty() {
            return Ok((ids.into_iter().flatten().collect(), Vec::new()));
        }
        self.history.reach(seq).await.map_err(history_failure)?;
        let missing = missing.into_iter().map(u64::from).collect();
        let retired = self.history.retired_by_serial(missing).await.map_err(history_failure)?;
        let mut found = retired.iter().map(|record| record.event.id);
        ids.iter_mut().filter(|id| id.is_none()).for_each(|id| *id = found.next());
        Ok((ids.into_iter().flatten().collect(), retired))
    }

    /// Finds every event of a page, in memory or in history.
    pub(crate) async fn known_page(&self, found: &Found) -> Result<Known<'_>, Failure> {
        let names = found.ids.iter().map(|id| RetiredName::Event(*id)).collect();
        self.known_with(names, found.retired.clone()).await
    }
}

/// One hour more than the 24 hours that count: an event may have been lively in the hour in which it ended.
const LIVELY_SPAN: Span = Span::hours(25);
