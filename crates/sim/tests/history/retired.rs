//! Retired events: found by every name they had, and listed among those in memory as a plain sort lists them.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use exchange::catalogue::{Engine, EventKind, EventLink, RetiredEvent, Status};
use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::numbers::Currency;
use exchange::text::Text;
use exchange::time::Time;
use server::event_lists::{EventFilter, EventSet, Substring};
use server::history::RetiredName;

use crate::history::trial::Trial;

impl Trial<'_> {
    pub fn check_retired(&mut self, rounds: usize) {
        self.check_names(4 * rounds);
        for _ in 0..8 * rounds {
            self.check_lists();
        }
        for _ in 0..rounds {
            self.check_active_since();
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

    /// A name of a retired event, of an event in memory, or of none.
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

    fn check_lists(&mut self) {
        let filter = self.some_filter();
        let last = self.model.retired.iter().map(|(_, record)| record.event.serial).max();
        let next = match self.random.chance(30) {
            true => self.random.below(20) as u64,
            false => last.map_or(0, |last| last + 1),
        };
        let before = self.model.retired.iter().filter(|(_, record)| record.event.serial < next);
        let admitted: Vec<&Arc<RetiredEvent>> =
            before.map(|(_, record)| record).filter(|record| admits(&filter, record)).collect();
        let with = |status: Option<Status>| {
            let found = admitted.iter().map(|record| &record.event);
            let found = found.filter(|event| status.is_none_or(|status| status == event.status));
            found.map(|event| event.serial).collect::<BTreeSet<u64>>()
        };
        let next = u32::try_from(next).expect("few events");
        let asked = filter.clone();
        let mut got = self.kept.ask(self.exchange, |history| history.retired_matching(asked, next));
        if let Some(substring) = filter.compared_substring() {
            let (substring, candidates) = (substring.clone(), got.events());
            let containing =
                self.kept.ask(self.exchange, |history| history.retired_containing(substring, candidates));
            got.retain(&containing);
        }
        for (status, found) in Status::ALL.into_iter().zip(&got.by_status) {
            let found = match filter.words.is_empty() {
                true => found.clone(),
                false => {
                    found & got.clone().by_words().into_iter().fold(EventSet::new(), |all, set| all | set)
                }
            };
            self.same(&serials(&found), &with(Some(status)), || format!("{status:?} {filter:?}"));
        }
        if !filter.words.is_empty() {
            got.by_words();
        }
        self.same(&serials(&got.events()), &with(None), || format!("{filter:?}"));
        let wanted: Vec<u64> = with(None).into_iter().rev().collect();
        let records = self.kept.ask(self.exchange, |history| history.retired_by_serial(wanted.clone()));
        let mut expected: Vec<Arc<RetiredEvent>> = admitted.iter().map(|record| Arc::clone(record)).collect();
        expected.sort_by_key(|record| Reverse(record.event.serial));
        self.same(&records, &expected, || format!("{wanted:?}"));
    }

    fn check_active_since(&mut self) {
        let from =
            Time::from_micros(self.exchange.now().micros() - self.random.between(0, 7_200) * 1_000_000);
        let all = self.model.retired.iter().map(|(_, record)| record);
        let lately: BTreeSet<u64> = all
            .filter(|record| last_active(record) >= Some(from.hour()))
            .map(|record| record.event.serial)
            .collect();
        let got = self.kept.ask(self.exchange, |history| history.retired_active_since(from));
        let got: BTreeSet<u64> = got.iter().map(|record| record.event.serial).collect();
        self.same(&got, &lately, || format!("since {from:?}"));
    }

    fn some_filter(&mut self) -> EventFilter {
        let mut filter = EventFilter { shows_private: self.random.chance(50), ..EventFilter::default() };
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
        match self.random.below(11) {
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
                let parts = ["question", "up or down", "nothing has this", "q", "ue", "ow"];
                filter.substring = Some(Substring::of_title(self.random.one_of(parts)));
            }
            6 => filter.substring = some.map(|(_, slug)| Substring::of_title_or_slug(&slug)),
            7 => filter.events = Some(some.into_iter().map(|(id, _)| id).chain([EventId::new(5)]).collect()),
            8 => {
                filter.status = Some(Status::Resolved);
                filter.engine = Some(Engine::Clob);
                filter.series = series;
            }
            9 => filter.words = self.some_words(),
            _ => {}
        }
        filter
    }

    /// Words of the titles, whole words and a prefix.
    fn some_words(&mut self) -> Vec<String> {
        let searches: [&[&str]; 5] = [&["down", "up"], &["quest"], &["q"], &["or", "do"], &["zzzzzzzz"]];
        self.random.one_of(searches).iter().map(|word| (*word).to_owned()).collect()
    }
}

fn serials(set: &EventSet) -> BTreeSet<u64> {
    set.iter().map(u64::from).collect()
}

/// Whether each word occurs in a text of the event; for the last word a prefix is enough.
fn has_words(words: &[String], record: &RetiredEvent) -> bool {
    let details = &record.event.details;
    let mut texts = vec![&details.title, &details.description];
    texts.extend(&details.hashtags);
    for market in &record.markets {
        let details = &market.market.details;
        texts.extend([&details.title, &details.yes_label, &details.no_label]);
    }
    let words_of = |text: &Text| {
        let parts = text.split(|letter: char| !letter.is_alphanumeric());
        parts.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let all: BTreeSet<String> = texts.into_iter().flat_map(words_of).collect();
    words.iter().enumerate().all(|(place, word)| {
        let is_last = place + 1 == words.len();
        all.iter().any(|has| has == word || is_last && has.starts_with(word.as_str()))
    })
}

/// The last hour with an order.
fn last_active(record: &RetiredEvent) -> Option<i64> {
    let listings = record.markets.iter().flat_map(|market| &market.listings);
    listings.filter_map(|listing| listing.activity.last_hour()).max()
}

/// Evaluated on the record, one condition after the other.
fn admits(filter: &EventFilter, record: &RetiredEvent) -> bool {
    let event = &record.event;
    let title = event.details.title.to_lowercase();
    let is_of = |series| matches!(event.link, EventLink::Series { series: of, .. } if of == series);
    let mut fits = filter.status.is_none_or(|status| event.status == status);
    fits &= filter.shows_private || event.is_public();
    fits &= filter.kind.is_none_or(|kind| event.kind == kind);
    fits &= filter.engine.is_none_or(|engine| event.engine == engine);
    fits &= filter.currency.is_none_or(|currency| event.currencies.contains(&currency));
    fits &= filter.category.as_ref().is_none_or(|word| event.details.category.to_lowercase() == *word);
    fits &= filter.series.is_none_or(is_of);
    fits &= filter
        .substring
        .as_ref()
        .is_none_or(|part| title.contains(&part.text) || part.in_slug && event.slug.contains(&part.text));
    fits &= has_words(&filter.words, record);
    fits && filter.events.as_ref().is_none_or(|events| events.contains(&event.id))
}
