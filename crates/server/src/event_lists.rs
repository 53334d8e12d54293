//! Lists of events over memory and history: the one place where the two are put together.
//!
//! Memory is looked at first and says which events it has and which request retired one last. History is asked for a page
//! of both, without what a later request retired: that is still among memory's.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use api::query::PageQuery;
use exchange::Exchange;
use exchange::activity::Activity;
use exchange::catalogue::RetiredEvent;
use exchange::id::EventId;
use exchange::index::EventIndex;
use exchange::numbers::Currency;
use exchange::time::{Span, Time};

use crate::app::App;
use crate::history::{EventFilter, Listed, RetiredName, RetiredQuestion};
use crate::http::Failure;
use crate::known::Known;
use crate::reads::history_failure;
use crate::view::event::liveliness;

/// The order of a list.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    Newest,
    /// First what was traded most in the last 24 hours, in one currency or in both.
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

/// Events of a page, in order.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub ids: Vec<EventId>,
    pub retired: Vec<Arc<RetiredEvent>>,
    /// Of the whole list.
    pub total: u64,
}

/// An event in a list that is being put in order.
#[derive(Clone, Copy, Debug)]
struct Row {
    serial: u64,
    id: EventId,
    measured: (i128, u64),
}

/// What memory has, newest first.
#[derive(Debug, Default)]
struct InMemory {
    lively: Vec<Row>,
    still: Vec<Row>,
}

impl Wanted {
    fn row(&self, exchange: &Exchange, index: EventIndex) -> Row {
        let event = exchange.catalogue().event(index);
        let measured = match self.order {
            Order::Newest => (0, 0),
            Order::Liveliest { currency, now } => {
                liveliness(exchange, index, currency, now.max(exchange.now()))
            }
        };
        Row { serial: event.serial, id: event.id, measured }
    }

    fn in_memory(&self, exchange: &Exchange) -> InMemory {
        let mut found = InMemory::default();
        for (index, event) in exchange.catalogue().events().rev() {
            if self.filter.admits(event) {
                found.add(self.row(exchange, index));
            }
        }
        found
    }
}

impl InMemory {
    fn add(&mut self, row: Row) {
        match row.measured {
            (0, 0) => self.still.push(row),
            _ => self.lively.push(row),
        }
    }

    /// What is equally lively stays in the order of creation, the newest first.
    fn sort(&mut self) {
        self.lively.sort_by_key(|row| (Reverse(row.measured), Reverse(row.serial)));
    }

    fn page(mut self, pages: PageQuery) -> Found {
        self.sort();
        let total = (self.lively.len() + self.still.len()) as u64;
        let rows = self.lively.into_iter().chain(self.still);
        let offset = usize::try_from(pages.offset()).unwrap_or(usize::MAX);
        let ids = rows.skip(offset).take(pages.size as usize).map(|row| row.id).collect();
        Found { ids, retired: Vec::new(), total }
    }
}

/// A page of what memory has, alone.
pub(crate) fn find_in_memory(exchange: &Exchange, wanted: &Wanted) -> (Vec<EventIndex>, u64) {
    let found = wanted.in_memory(exchange).page(wanted.pages);
    let indexes = found.ids.iter().filter_map(|id| exchange.catalogue().find_event(*id)).collect();
    (indexes, found.total)
}

impl App {
    /// A page of events with the exact total, wherever they are. Lists that can hold no ended event do not wait for history.
    pub(crate) async fn find_events(&self, wanted: &Wanted) -> Result<Found, Failure> {
        let (in_memory, retired_count, up_to) = {
            let exchange = self.look();
            let catalogue = exchange.catalogue();
            (wanted.in_memory(&exchange), catalogue.retired_count(), catalogue.last_retired_at())
        };
        if retired_count == 0 || !wanted.filter.admits_ended() {
            return Ok(in_memory.page(wanted.pages));
        }
        self.history.reach(up_to).await.map_err(history_failure)?;
        let (in_memory, lately) = self.with_lively_retired(wanted, in_memory, up_to).await?;
        self.put_together(wanted, in_memory, lately, up_to).await
    }

    /// Adds retired events that were lively in the last 24 hours: with a short age some are.
    async fn with_lively_retired(
        &self,
        wanted: &Wanted,
        mut in_memory: InMemory,
        up_to: u64,
    ) -> Result<(InMemory, Vec<Arc<RetiredEvent>>), Failure> {
        let Order::Liveliest { now, .. } = wanted.order else { return Ok((in_memory, Vec::new())) };
        let from = now.max(self.look().now()) - LIVELY_SPAN;
        let since = self.history.retired_since(wanted.filter.clone(), up_to, from).await;
        let mut lately = since.map_err(history_failure)?;
        let exchange = self.look();
        let shelf = exchange.shelve(lately.iter().map(|record| &**record));
        let row_of = |record: &Arc<RetiredEvent>| {
            Some(wanted.row(&shelf, shelf.catalogue().find_event(record.event.id)?))
        };
        lately.retain(|record| row_of(record).is_some_and(|row| row.measured != (0, 0)));
        in_memory.lively.extend(lately.iter().filter_map(row_of));
        in_memory.sort();
        Ok((in_memory, lately))
    }

    async fn put_together(
        &self,
        wanted: &Wanted,
        in_memory: InMemory,
        lately: Vec<Arc<RetiredEvent>>,
        up_to: u64,
    ) -> Result<Found, Failure> {
        let InMemory { lively, still } = in_memory;
        let (offset, size) = (wanted.pages.offset(), u64::from(wanted.pages.size));
        let first = lively.iter().skip(usize::try_from(offset).unwrap_or(usize::MAX));
        let mut ids: Vec<EventId> = first.take(wanted.pages.size as usize).map(|row| row.id).collect();
        let question = RetiredQuestion {
            filter: wanted.filter.clone(),
            up_to,
            in_memory: still.iter().map(|row| row.serial).collect(),
            without: lately.iter().map(|record| record.event.serial).collect(),
            offset: offset.saturating_sub(lively.len() as u64),
            size: size - ids.len() as u64,
        };
        let page = self.history.retired_page(question).await.map_err(history_failure)?;
        let in_memory: HashMap<u64, EventId> = still.iter().map(|row| (row.serial, row.id)).collect();
        let mut retired = lately;
        let total = page.total + (still.len() + lively.len() - retired.len()) as u64;
        for listed in page.rows {
            match listed {
                Listed::InMemory(serial) => ids.extend(in_memory.get(&serial)),
                Listed::Retired(record) => {
                    ids.push(record.event.id);
                    retired.push(record);
                }
            }
        }
        Ok(Found { ids, retired, total })
    }

    /// A look at which every event of a page is found.
    pub(crate) async fn known_page(&self, found: &Found) -> Result<Known<'_>, Failure> {
        let names = found.ids.iter().map(|id| RetiredName::Event(*id)).collect();
        self.known_with(names, found.retired.clone()).await
    }
}

/// An hour more than what counts as recent: an event can have been lively in the hour in which it ended.
const LIVELY_SPAN: Span = Span::hours(25);
const _: () = assert!(!Activity::is_recent(Time::from_seconds(0), Time::from_seconds(25 * 3_600)));
