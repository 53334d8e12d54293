//! Lists of events, joined from the index in memory and the index in history.
//!
//! Memory is read in short looks. The events of a list, its total and the rows of its page are each of one sequence; the
//! order of a trending list is measured over several.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use exchange::catalogue::RetiredEvent;
use exchange::id::EventId;
use exchange::index::{EventIndex, UserIndex};
use exchange::time::Span;
use exchange::{Exchange, Shelf};

use super::{Reading, history_failure, note_sequence};
use crate::event_lists::{
    EventPage, EventSet, ListOrder, ListQuery, LiveEvents, MatchingEvents, Measured, Texts, member,
    members_in_memory, sorted,
};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::pipeline::gathering::{EventKey, gather};
use crate::view::live_and_retired::LiveAndRetired;

/// One hour more than the 24 hours that count: an event may have been lively in the hour in which it ended.
const LIVELY_SPAN: Span = Span::hours(25);

/// Events that one look finds or measures.
const EVENTS_AT_ONCE: usize = 128;

/// The results from memory under one lock.
struct MemoryMatches {
    matched: MatchingEvents,
    /// The texts of the matched events and others, if a substring must be compared with them.
    candidates: Texts,
    /// Events that may have been lively, if the order needs them.
    lively: EventSet,
    /// The serial of the next event; later events are not part of the result.
    next_serial: u64,
    /// The sequence that last retired an event, if any did.
    retired_at: Option<u64>,
}

impl Reading {
    /// A page of events with the exact total, from memory and history. Does not wait for history if no retired event
    /// can match. `charge` is called before titles, closing dates or volumes are compared, with their number.
    pub(crate) async fn find_events(
        &self,
        wanted: &ListQuery,
        charge: impl Fn(u64) -> Result<(), Failure>,
    ) -> Result<EventPage, Failure> {
        let MemoryMatches { mut matched, candidates, lively, next_serial, retired_at } =
            self.match_in_memory(wanted);
        let compared = wanted.filter.compared_substring();
        if let Some(substring) = compared {
            charge(matched.len())?;
            matched.retain(&substring.compare(candidates.of(&matched.events())));
        }
        if wanted.order.measures_all() {
            charge(matched.len())?;
        }
        let mut lively = self.measure_in_memory(wanted, &wanted.to_measure(&matched, lively));
        if let Some(up_to) = retired_at.filter(|_| wanted.filter.admits_ended()) {
            self.history.wait_for(up_to).await.map_err(history_failure)?;
            let retired = self.history.retired_matching(wanted.filter.clone(), member(next_serial)).await;
            let mut retired = retired.map_err(history_failure)?;
            if let Some(substring) = compared {
                charge(retired.len())?;
                let containing = self.history.retired_containing(substring.clone(), retired.events()).await;
                retired.retain(&containing.map_err(history_failure)?);
            }
            matched = matched.join(retired);
            let retired = self.lively_retired(wanted, &matched, &lively).await?;
            lively.extend(retired);
        }
        let (page, total) = wanted.page(&wanted.groups(matched, &sorted(lively)));
        let (ids, retired) = self.named_events(page).await?;
        Ok(EventPage { ids, retired, total })
    }

    fn match_in_memory(&self, wanted: &ListQuery) -> MemoryMatches {
        // The serial of an event never changes. An event that retires meanwhile leaves every set of the index.
        let listed = wanted.filter.events.as_ref().map(|events| {
            let some = events.chunks(EVENTS_AT_ONCE);
            some.fold(EventSet::new(), |all, some| all | members_in_memory(&self.read_state(), some))
        });
        let exchange = self.read_state();
        let live = self.shared.live_events();
        let matched = wanted.matched_in_memory(&live, listed);
        let candidates = match wanted.filter.compared_substring() {
            Some(_) => live.postings.texts().clone(),
            None => Texts::default(),
        };
        let lively = wanted.lively_in_memory(&exchange, &live);
        let catalogue = exchange.catalogue();
        let retired_at = (catalogue.retired_count() > 0).then(|| catalogue.last_retired_at());
        MemoryMatches { matched, candidates, lively, next_serial: catalogue.next_event_serial(), retired_at }
    }

    /// The sort keys of events in memory, measured in short looks.
    fn measure_in_memory(&self, wanted: &ListQuery, events: &EventSet) -> Vec<Measured> {
        let members: Vec<u32> = events.iter().collect();
        let measure = |some: &[u32]| {
            let exchange = self.read_state();
            wanted.measured_in_memory(&exchange, &self.shared.live_events(), some)
        };
        members.chunks(EVENTS_AT_ONCE).flat_map(measure).collect()
    }

    /// Retired events that were lively in the last 24 hours; there are some where events retire soon.
    async fn lively_retired(
        &self,
        wanted: &ListQuery,
        matched: &MatchingEvents,
        measured: &[Measured],
    ) -> Result<Vec<Measured>, Failure> {
        let ListOrder::Liveliest { now, .. } = wanted.order else { return Ok(Vec::new()) };
        let from = now.max(self.read_state().now()) - LIVELY_SPAN;
        let mut active = self.history.retired_active_since(from).await.map_err(history_failure)?;
        // An event that has retired meanwhile was measured in memory.
        let measured: EventSet = measured.iter().map(|(.., member)| *member).collect();
        active.retain(|record| {
            let member = member(record.event.serial);
            matched.contains(member) && !measured.contains(member)
        });
        let shelf = self.shelve(&active);
        let index_of = |record: &Arc<RetiredEvent>| {
            Some((shelf.catalogue().find_event(record.event.id)?, member(record.event.serial)))
        };
        Ok(wanted.measured(&shelf, active.iter().filter_map(index_of)))
    }

    /// The ids of the page's events, and the records of the retired ones.
    async fn named_events(&self, page: Vec<u32>) -> Result<(Vec<EventId>, Vec<Arc<RetiredEvent>>), Failure> {
        let find_live = |live: &LiveEvents| page.iter().map(|member| live.postings.id(*member)).collect();
        let (mut ids, seq): (Vec<Option<EventId>>, u64) = {
            let exchange = self.read_state();
            (find_live(&self.shared.live_events()), exchange.catalogue().last_retired_at())
        };
        let missing: Vec<u32> =
            page.iter().zip(&ids).filter(|(_, id)| id.is_none()).map(|(member, _)| *member).collect();
        if missing.is_empty() {
            return Ok((ids.into_iter().flatten().collect(), Vec::new()));
        }
        self.history.wait_for(seq).await.map_err(history_failure)?;
        let missing = missing.into_iter().map(u64::from).collect();
        let retired = self.history.retired_by_serial(missing).await.map_err(history_failure)?;
        let mut found = retired.iter().map(|record| record.event.id);
        ids.iter_mut().filter(|id| id.is_none()).for_each(|id| *id = found.next());
        Ok((ids.into_iter().flatten().collect(), retired))
    }

    /// Reads the events of a page, each with `show`, and the viewer's watchlist, as of one sequence and in short looks.
    pub(crate) async fn show_events<T>(
        &self,
        found: &EventPage,
        viewer: Option<UserIndex>,
        show: impl Fn(&Exchange, EventIndex) -> T,
    ) -> Result<(Vec<T>, BTreeSet<EventId>), Failure> {
        loop {
            let shelf = self.with_page_events(found).await?.into_shelf();
            let (rows, seen) = gather(
                &self.shared,
                |exchange| event_keys(exchange, &found.ids),
                |exchange, key| show(exchange, key.event),
                |exchange, _| EventsSeen::of(exchange, &shelf, &found.ids, viewer),
            );
            // An event has retired since it was looked up: history has it.
            let Some(EventsSeen { places, watched }) = seen else { continue };
            let mut shown: BTreeMap<EventIndex, T> =
                rows.into_iter().map(|row| (row.key.event, row.into_value())).collect();
            let row = |place| match place {
                EventPlace::Memory(index) => shown.remove(&index),
                EventPlace::Shelf(index) => Some(show(&shelf, index)),
            };
            return Ok((places.into_iter().filter_map(row).collect(), watched));
        }
    }

    /// Finds every event of a page, in memory or in history.
    pub(crate) async fn with_page_events(&self, found: &EventPage) -> Result<LiveAndRetired<'_>, Failure> {
        let names = found.ids.iter().map(|id| RetiredName::Event(*id)).collect();
        self.with_retired_from(names, found.retired.clone()).await
    }
}

/// Where the events of a page are, in the order of the page, and which of them the viewer watches.
struct EventsSeen {
    places: Vec<EventPlace>,
    watched: BTreeSet<EventId>,
}

enum EventPlace {
    Memory(EventIndex),
    Shelf(EventIndex),
}

impl EventsSeen {
    /// `None` if an event is neither in memory nor on the shelf.
    fn of(
        exchange: &Exchange,
        shelf: &Shelf,
        ids: &[EventId],
        viewer: Option<UserIndex>,
    ) -> Option<EventsSeen> {
        note_sequence(exchange.seq());
        let place = |id: &EventId| {
            let in_memory = exchange.catalogue().find_event(*id).map(EventPlace::Memory);
            in_memory.or_else(|| shelf.catalogue().find_event(*id).map(EventPlace::Shelf))
        };
        let watchlist = viewer.map(|viewer| &exchange.directory().user(viewer).watchlist);
        let is_watched = |id: &&EventId| watchlist.is_some_and(|watchlist| watchlist.contains(id));
        let watched = ids.iter().filter(is_watched).copied().collect();
        Some(EventsSeen { places: ids.iter().map(place).collect::<Option<_>>()?, watched })
    }
}

/// The events that are in memory, ascending.
fn event_keys(exchange: &Exchange, ids: &[EventId]) -> Vec<EventKey> {
    let found = ids.iter().filter_map(|id| exchange.catalogue().find_event(*id));
    let mut keys: Vec<EventKey> = found.map(|index| EventKey::of(exchange, index)).collect();
    keys.sort_unstable();
    keys
}
