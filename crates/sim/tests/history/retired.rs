//! Retired events: found by every name they had, and listed among those in memory as a plain sort lists them.

use std::cmp::Reverse;
use std::sync::Arc;

use exchange::catalogue::{Engine, EventKind, EventLink, RetiredEvent, Status};
use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::numbers::Currency;
use exchange::time::Time;
use server::history::{EventFilter, Listed, RetiredName, RetiredPage, RetiredQuestion};

use crate::trial::Trial;

impl Trial<'_> {
    pub fn check_retired(&mut self, rounds: usize) {
        self.check_names(4 * rounds);
        for _ in 0..8 * rounds {
            self.check_page();
        }
    }

    fn check_names(&mut self, rounds: usize) {
        for _ in 0..rounds {
            let mut names = Vec::new();
            let mut expected: Vec<Arc<RetiredEvent>> = Vec::new();
            for _ in 0..1 + self.random.below(3) {
                let (name, found) = self.some_name();
                names.push(name);
                let found =
                    found.filter(|found| expected.iter().all(|known| known.event.id != found.event.id));
                expected.extend(found);
            }
            let got = self.kept.ask(self.exchange, |history| history.retired(names.clone()));
            self.same(&got, &expected, || format!("{names:?}"));
        }
    }

    /// A name, and whose it is: of a retired event, of one in memory, or of none.
    fn some_name(&mut self) -> (RetiredName, Option<Arc<RetiredEvent>>) {
        let retired = &self.model.retired;
        if retired.is_empty() || self.random.chance(20) {
            let live: Vec<_> = self.exchange.catalogue().events().map(|(_, event)| event).collect();
            let name = match live.get(self.random.below(live.len() + 1)) {
                Some(event) if self.random.chance(50) => RetiredName::Slug(event.slug.to_string()),
                Some(event) => RetiredName::Event(event.id),
                None => RetiredName::Market(MarketId::new(99)),
            };
            return (name, None);
        }
        let (_, record) = &retired[self.random.below(retired.len())];
        let market = record.markets[self.random.below(record.markets.len())].market.id;
        let name = match self.random.below(4) {
            0 => RetiredName::Event(record.event.id),
            1 => RetiredName::Slug(record.event.slug.to_string()),
            2 => RetiredName::Market(market),
            _ => RetiredName::Outcome(OutcomeId::of(market, self.random.below(2) as u64)),
        };
        (name, Some(record.clone()))
    }

    fn check_page(&mut self) {
        let filter = self.some_filter();
        let seqs: Vec<u64> = self.model.retired.iter().map(|(seq, _)| *seq).collect();
        let up_to = match self.random.pick(&seqs) {
            Some(seq) if self.random.chance(30) => seq,
            _ => self.exchange.seq(),
        };
        let in_memory = self.exchange.catalogue().events().map(|(_, event)| event.serial);
        let in_memory: Vec<u64> = in_memory.filter(|_| self.random.chance(70)).collect();
        let later = self.model.retired.iter().filter(|(seq, _)| *seq > up_to);
        let in_memory: Vec<u64> =
            in_memory.into_iter().chain(later.map(|(_, record)| record.event.serial)).collect();
        let admitted =
            self.model.retired.iter().filter(|(seq, record)| *seq <= up_to && admits(&filter, record));
        let admitted: Vec<&Arc<RetiredEvent>> = admitted.map(|(_, record)| record).collect();
        let without: Vec<u64> = admitted.iter().map(|record| record.event.serial).collect();
        let without: Vec<u64> = without.into_iter().filter(|_| self.random.chance(20)).collect();
        let (offset, size) = (self.random.below(12) as u64, self.random.one_of([1, 3, 10, 100]));

        let mut rows: Vec<(u64, Listed)> =
            in_memory.iter().map(|serial| (*serial, Listed::InMemory(*serial))).collect();
        let shown = admitted.iter().filter(|record| !without.contains(&record.event.serial));
        rows.extend(shown.map(|record| (record.event.serial, Listed::Retired(Arc::clone(record)))));
        rows.sort_by_key(|(serial, _)| Reverse(*serial));
        let rows = rows.into_iter().skip(offset as usize).take(size as usize).map(|(_, row)| row).collect();
        let expected = RetiredPage { rows, total: admitted.len() as u64 };

        let question = RetiredQuestion { filter, up_to, in_memory, without, offset, size };
        let got = self.kept.ask(self.exchange, |history| history.retired_page(question.clone()));
        self.same(&got, &expected, || format!("{question:?}"));
        let from =
            Time::from_micros(self.exchange.now().micros() - self.random.between(0, 7_200) * 1_000_000);
        let mut lately = admitted.clone();
        lately.retain(|record| ended(record) >= from);
        lately.sort_by_key(|record| Reverse(record.event.serial));
        let expected: Vec<Arc<RetiredEvent>> = lately.into_iter().cloned().collect();
        let filter = question.filter.clone();
        let got = self.kept.ask(self.exchange, |history| history.retired_since(filter, up_to, from));
        self.same(&got, &expected, || format!("{question:?} since {from:?}"));
    }

    fn some_filter(&mut self) -> EventFilter {
        let mut filter = EventFilter::default();
        let some =
            self.model.retired.get(self.random.below(self.model.retired.len() + 1)).map(|(_, record)| record);
        let (series, category) = match some.map(|record| (record.event.link, &record.event.details.category))
        {
            Some((EventLink::Series { series, .. }, category)) => {
                (Some(series), Some(category.to_lowercase()))
            }
            Some((_, category)) => (None, Some(category.to_lowercase())),
            None => (None, None),
        };
        let some = some.map(|record| (record.event.id, record.event.slug.to_string()));
        match self.random.below(10) {
            0 => {
                filter.status = Some(self.random.one_of([Status::Resolved, Status::Cancelled, Status::Open]))
            }
            1 => {
                filter.kind =
                    Some(self.random.one_of([EventKind::Single, EventKind::Combined, EventKind::Grouped]))
            }
            2 => filter.engine = Some(self.random.one_of([Engine::Clob, Engine::Amm])),
            3 => filter.currency = Some(self.random.one_of(Currency::ALL)),
            4 => (filter.category, filter.series) = (category, series),
            5 => {
                filter.title =
                    Some(self.random.one_of(["question", "up or down", "nothing has this"]).to_owned())
            }
            6 => filter.title_or_slug = some.map(|(_, slug)| slug),
            7 => filter.events = Some(some.into_iter().map(|(id, _)| id).chain([EventId::new(5)]).collect()),
            8 => {
                filter.status = Some(Status::Resolved);
                filter.engine = Some(Engine::Clob);
                filter.series = series;
            }
            _ => {}
        }
        filter
    }
}

fn ended(record: &RetiredEvent) -> Time {
    let settled =
        record.markets.iter().map(|market| market.market.settlement.expect("a retired market is settled").at);
    settled.max().expect("an event has a market")
}

/// Read off the record, one condition after the other.
fn admits(filter: &EventFilter, record: &RetiredEvent) -> bool {
    let event = &record.event;
    let title = event.details.title.to_lowercase();
    let is_of = |series| matches!(event.link, EventLink::Series { series: of, .. } if of == series);
    let mut fits = filter.status.is_none_or(|status| event.status == status);
    fits &= filter.kind.is_none_or(|kind| event.kind == kind);
    fits &= filter.engine.is_none_or(|engine| event.engine == engine);
    fits &= filter.currency.is_none_or(|currency| event.currencies.contains(&currency));
    fits &= filter.category.as_ref().is_none_or(|word| event.details.category.to_lowercase() == *word);
    fits &= filter.series.is_none_or(is_of);
    fits &= filter.title.as_ref().is_none_or(|part| title.contains(part.as_str()));
    fits &= filter
        .title_or_slug
        .as_ref()
        .is_none_or(|part| title.contains(part.as_str()) || event.slug.contains(part.as_str()));
    fits && filter.events.as_ref().is_none_or(|events| events.contains(&event.id))
}
