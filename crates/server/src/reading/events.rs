//! Lists of events, joined from the index in memory and the index in history.

use std::sync::Arc;

use exchange::catalogue::RetiredEvent;
use exchange::id::EventId;
use exchange::time::Span;

use super::{Reading, history_failure};
use crate::event_lists::{
    EventPage, ListOrder, ListQuery, LiveEvents, MatchingEvents, Measured, SearchedTexts, member, sorted,
};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::view::live_and_retired::LiveAndRetired;

/// One hour more than the 24 hours that count: an event may have been lively in the hour in which it ended.
const LIVELY_SPAN: Span = Span::hours(25);

/// The results from memory under one lock.
struct MemoryMatches {
    matched: MatchingEvents,
    /// The texts of the matched events, if a substring must be compared with them.
    candidates: Vec<SearchedTexts>,
    lively: Vec<Measured>,
    /// The serial of the next event; later events are not part of the result.
    next_serial: u64,
    /// The sequence that last retired an event, if any did.
    retired_at: Option<u64>,
}

impl Reading {
    /// A page of events with the exact total, from memory and history. Does not wait for history if no retired event
    /// can match. `charge` is called before titles are compared, with their number.
    pub(crate) async fn find_events(
        &self,
        wanted: &ListQuery,
        charge: impl Fn(u64) -> Result<(), Failure>,
    ) -> Result<EventPage, Failure> {
        let MemoryMatches { mut matched, candidates, mut lively, next_serial, retired_at } =
            self.match_in_memory(wanted);
        let compared = wanted.filter.compared_substring();
        if let Some(substring) = compared {
            charge(matched.len())?;
            matched.retain(&substring.compare(&candidates));
        }
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
            lively.extend(self.lively_retired(wanted, &matched).await?);
        }
        let (page, total) = wanted.page(&wanted.groups(matched, &sorted(lively)));
        let (ids, retired) = self.named_events(page).await?;
        Ok(EventPage { ids, retired, total })
    }

    fn match_in_memory(&self, wanted: &ListQuery) -> MemoryMatches {
        let exchange = self.read_state();
        let live = self.shared.live_events();
        let matched = wanted.matched_in_memory(&exchange, &live);
        let candidates = match wanted.filter.compared_substring() {
            Some(_) => live.postings.texts_of(&matched.events()),
            None => Vec::new(),
        };
        let lively = wanted.lively_in_memory(&exchange, &live, &matched);
        let catalogue = exchange.catalogue();
        let retired_at = (catalogue.retired_count() > 0).then(|| catalogue.last_retired_at());
        MemoryMatches { matched, candidates, lively, next_serial: catalogue.next_event_serial(), retired_at }
    }

    /// Retired events that were lively in the last 24 hours; there are some where events retire soon.
    async fn lively_retired(
        &self,
        wanted: &ListQuery,
        matched: &MatchingEvents,
    ) -> Result<Vec<Measured>, Failure> {
        let ListOrder::Liveliest { now, .. } = wanted.order else { return Ok(Vec::new()) };
        let from = now.max(self.read_state().now()) - LIVELY_SPAN;
        let mut active = self.history.retired_active_since(from).await.map_err(history_failure)?;
        active.retain(|record| matched.contains(member(record.event.serial)));
        let exchange = self.read_state();
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

    /// Finds every event of a page, in memory or in history.
    pub(crate) async fn with_page_events(&self, found: &EventPage) -> Result<LiveAndRetired<'_>, Failure> {
        let names = found.ids.iter().map(|id| RetiredName::Event(*id)).collect();
        self.with_retired_from(names, found.retired.clone()).await
    }
}
