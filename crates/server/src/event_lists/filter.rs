//! The filter of an event list, and its evaluation on an index.

use std::cmp::Reverse;

use exchange::catalogue::{Engine, EventKind, Status};
use exchange::id::{EventId, GameId, SeriesId};
use exchange::numbers::Currency;

use super::postings::{EventSet, Postings};
use super::substring::Substring;
use super::terms::{PREFIX_LETTERS_MAX, Term};
use super::words::{is_one_typo_apart, variants_of};

/// The conditions of a list. Texts are lower case; `None` means no condition.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    pub shows_drafts: bool,
    pub status: Option<Status>,
    pub kind: Option<EventKind>,
    pub engine: Option<Engine>,
    pub currency: Option<Currency>,
    pub category: Option<String>,
    pub subcategory: Option<String>,
    pub series: Option<SeriesId>,
    pub game: Option<GameId>,
    pub substring: Option<Substring>,
    /// Only these events.
    pub events: Option<Vec<EventId>>,
    /// Words of any text, in any order; each must be found. The last one may be incomplete.
    pub words: Vec<String>,
}

/// The events that a filter admits, from one index or several.
#[derive(Clone, Debug, Default)]
pub struct Matched {
    /// Events that match every condition except the words. A substring that needs a comparison admits candidates too.
    pub events: EventSet,
    /// The same events by status, in the order of `Status`.
    pub by_status: [EventSet; Status::ALL.len()],
    /// One entry per word of the filter.
    pub words: Vec<FoundWord>,
}

/// The events in which a word is found.
#[derive(Clone, Debug, Default)]
pub struct FoundWord {
    pub in_title: EventSet,
    pub anywhere: EventSet,
    /// As a prefix of a word; only for the last word of a search.
    pub begins: EventSet,
    /// With one typo.
    pub mistyped: EventSet,
}

impl EventFilter {
    /// Whether a retired event can match.
    pub fn admits_ended(&self) -> bool {
        self.status.is_none_or(Status::is_final)
            && self.events.as_ref().is_none_or(|events| !events.is_empty())
    }

    /// The terms that an event must have.
    fn terms(&self) -> Vec<Term> {
        let terms = [
            self.status.map(Term::status),
            self.kind.map(Term::kind),
            self.engine.map(Term::engine),
            self.currency.map(Term::currency),
            self.category.as_deref().map(Term::category),
            self.subcategory.as_deref().map(Term::subcategory),
            self.series.map(Term::series),
            self.game.map(Term::game),
        ];
        let found: Vec<Term> = terms.into_iter().flatten().collect();
        if found.is_empty() { vec![Term::any()] } else { found }
    }

    /// The substring, if the matched events must be compared with it.
    pub fn compared_substring(&self) -> Option<&Substring> {
        self.substring.as_ref().filter(|substring| substring.needs_comparison())
    }

    /// Evaluates the filter on an index. `listed` are the members of `events` in that index.
    pub fn matched<P: Postings>(&self, index: &P, listed: Option<EventSet>) -> Result<Matched, P::Error> {
        let mut events: Option<EventSet> = listed;
        for term in self.terms() {
            let set = index.set(&term)?;
            events = Some(events.map_or(set.clone(), |events| events & set));
        }
        let mut events = events.unwrap_or_default();
        if !self.shows_drafts {
            events -= index.set(&Term::status(Status::Draft))?;
        }
        if let Some(substring) = &self.substring {
            events = substring.candidates(index, events)?;
        }
        let mut by_status = <[EventSet; Status::ALL.len()]>::default();
        for (status, set) in Status::ALL.into_iter().zip(&mut by_status) {
            *set = &events & index.set(&Term::status(status))?;
        }
        let words = self.words.iter().enumerate();
        let words = words.map(|(place, word)| FoundWord::of(index, word, place + 1 == self.words.len()));
        Ok(Matched { events, by_status, words: words.collect::<Result<_, _>>()? })
    }
}

/// Events with a word that begins with `prefix`. Short prefixes have sets of their own: they would unite too many words.
fn beginning<P: Postings>(index: &P, prefix: &str) -> Result<EventSet, P::Error> {
    match prefix.chars().count() <= PREFIX_LETTERS_MAX {
        true => index.set(&Term::prefix(prefix)),
        false => index.continued(&Term::word(prefix)),
    }
}

impl FoundWord {
    fn of<P: Postings>(index: &P, word: &str, is_last: bool) -> Result<FoundWord, P::Error> {
        let mut mistyped = EventSet::new();
        for variant in variants_of(word) {
            for other in index.words_with(&variant)? {
                if is_one_typo_apart(word, &other) {
                    mistyped |= index.set(&Term::word(&other))?;
                }
            }
        }
        Ok(FoundWord {
            in_title: index.set(&Term::title_word(word))?,
            anywhere: index.set(&Term::word(word))?,
            begins: if is_last { beginning(index, word)? } else { EventSet::new() },
            mistyped,
        })
    }

    /// Events that match the word. Typos count only if no event has the word as typed.
    fn events(&self) -> EventSet {
        let found = &self.anywhere | &self.begins;
        if found.is_empty() { self.mistyped.clone() } else { found }
    }
}

impl Matched {
    /// Drops the events that a comparison of their texts has not confirmed.
    pub fn retain(&mut self, confirmed: &EventSet) {
        self.events &= confirmed;
        self.by_status.iter_mut().for_each(|set| *set &= confirmed);
    }

    /// Adds the matches of another index. For an event in both, this index decides its status.
    pub fn join(mut self, other: Matched) -> Matched {
        for (mine, theirs) in self.by_status.iter_mut().zip(other.by_status) {
            *mine |= theirs - &self.events;
        }
        self.events |= other.events;
        for (mine, theirs) in self.words.iter_mut().zip(other.words) {
            mine.in_title |= theirs.in_title;
            mine.anywhere |= theirs.anywhere;
            mine.begins |= theirs.begins;
            mine.mistyped |= theirs.mistyped;
        }
        self
    }

    /// Keeps the events that have all words and groups them, best first: a word in the title scores highest, then a
    /// word elsewhere, then a prefix.
    pub fn by_words(&mut self) -> Vec<EventSet> {
        for word in &self.words {
            self.events &= word.events();
        }
        let mut groups: Vec<(u32, EventSet)> = vec![(0, self.events.clone())];
        for word in &self.words {
            for set in [&word.in_title, &word.anywhere] {
                groups = raised(groups, set);
            }
        }
        groups.sort_by_key(|group| Reverse(group.0));
        groups.into_iter().map(|(_, events)| events).collect()
    }
}

/// Regroups the events, with one more point for those in `set`.
fn raised(groups: Vec<(u32, EventSet)>, set: &EventSet) -> Vec<(u32, EventSet)> {
    let mut raised: Vec<(u32, EventSet)> = Vec::new();
    let mut add = |points: u32, events: EventSet| match raised.iter_mut().find(|group| group.0 == points) {
        Some(group) => group.1 |= events,
        None if events.is_empty() => {}
        None => raised.push((points, events)),
    };
    for (points, events) in groups {
        let with = &events & set;
        add(points, events - &with);
        add(points + 1, with);
    }
    raised
}
