//! The filter of an event list, and its evaluation on an index.

use std::cmp::Reverse;
use std::sync::Arc;

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
    /// Also events that are not public.
    pub shows_private: bool,
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
pub struct MatchingEvents {
    /// Events that match every condition, by status, in the order of `Status`. Among them are events that only may match
    /// a word or a substring.
    pub by_status: [EventSet; Status::ALL.len()],
    /// One entry per word of the filter.
    pub words: Vec<WordMatches>,
}

/// The events in which a word is found.
#[derive(Clone, Debug, Default)]
pub struct WordMatches {
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

    /// The terms that an event must have, besides its status.
    fn terms(&self) -> impl Iterator<Item = Term> {
        let terms = [
            self.kind.map(Term::kind),
            self.engine.map(Term::engine),
            self.currency.map(Term::currency),
            self.category.as_deref().map(Term::category),
            self.subcategory.as_deref().map(Term::subcategory),
            self.series.map(Term::series),
            self.game.map(Term::game),
        ];
        terms.into_iter().flatten()
    }

    fn admits_status(&self, status: Status) -> bool {
        self.status.is_none_or(|query| query == status) && (self.shows_private || status != Status::Draft)
    }

    /// The substring, if the matched events must be compared with it.
    pub fn compared_substring(&self) -> Option<&Substring> {
        self.substring.as_ref().filter(|substring| substring.needs_comparison())
    }

    /// Evaluates the filter on an index. `listed` are the members of `events` in that index.
    pub fn matched<P: Postings>(
        &self,
        index: &P,
        listed: Option<EventSet>,
    ) -> Result<MatchingEvents, P::Error> {
        let mut events: Option<EventSet> = listed;
        for term in self.terms() {
            events = Some(narrowed(events, &*index.set(&term)?));
        }
        if let Some(substring) = &self.substring {
            events = substring.candidates(index, events)?;
        }
        let words = self.words.iter().enumerate();
        let words = words.map(|(place, word)| WordMatches::of(index, word, place + 1 == self.words.len()));
        let words = words.collect::<Result<Vec<_>, _>>()?;
        for word in &words {
            events = Some(narrowed(events, &word.candidates()));
        }
        let mut by_status = <[EventSet; Status::ALL.len()]>::default();
        for (status, set) in Status::ALL.into_iter().zip(&mut by_status) {
            if self.admits_status(status) {
                let all = index.set(&Term::status(status))?;
                *set = events.as_ref().map_or_else(|| (*all).clone(), |events| events & &*all);
            }
        }
        if !self.shows_private {
            by_status[Status::Cancelled as usize] -= &*index.set(&Term::never_opened())?;
        }
        Ok(MatchingEvents { by_status, words })
    }
}

/// The events of a set that are among those found so far; `None` stands for all events.
pub(super) fn narrowed(events: Option<EventSet>, set: &EventSet) -> EventSet {
    events.map_or_else(|| set.clone(), |events| events & set)
}

/// Events with a word that begins with `prefix`. Short prefixes have sets of their own: they would unite too many words.
fn beginning<P: Postings>(index: &P, prefix: &str) -> Result<Arc<EventSet>, P::Error> {
    match prefix.chars().count() <= PREFIX_LETTERS_MAX {
        true => index.set(&Term::prefix(prefix)),
        false => index.continued(&Term::word(prefix)),
    }
}

impl WordMatches {
    fn of<P: Postings>(index: &P, word: &str, is_last: bool) -> Result<WordMatches, P::Error> {
        let mut mistyped = EventSet::new();
        for variant in variants_of(word) {
            for other in index.words_with(&variant)? {
                if is_one_typo_apart(word, &other) {
                    mistyped |= &*index.set(&Term::word(&other))?;
                }
            }
        }
        Ok(WordMatches {
            in_title: (*index.set(&Term::title_word(word))?).clone(),
            anywhere: (*index.set(&Term::word(word))?).clone(),
            begins: if is_last { (*beginning(index, word)?).clone() } else { EventSet::new() },
            mistyped,
        })
    }

    /// Events that may match the word. Another index decides whether typos count.
    fn candidates(&self) -> EventSet {
        &self.anywhere | &self.begins | &self.mistyped
    }

    /// Events that match the word. Typos count only if no event has the word as typed.
    fn events(&self) -> EventSet {
        let found = &self.anywhere | &self.begins;
        if found.is_empty() { self.mistyped.clone() } else { found }
    }
}

impl MatchingEvents {
    /// All events, regardless of their status.
    pub fn events(&self) -> EventSet {
        self.by_status.iter().fold(EventSet::new(), |all, set| all | set)
    }

    pub fn len(&self) -> u64 {
        self.by_status.iter().map(EventSet::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.by_status.iter().all(EventSet::is_empty)
    }

    pub fn contains(&self, event: u32) -> bool {
        self.by_status.iter().any(|set| set.contains(event))
    }

    /// Keeps only these events.
    pub fn retain(&mut self, events: &EventSet) {
        self.by_status.iter_mut().for_each(|set| *set &= events);
    }

    /// Drops the events from a serial on.
    pub fn truncate(&mut self, next: u32) {
        for set in &mut self.by_status {
            set.remove_range(next..);
        }
    }

    /// Adds the matches of a larger index. For an event in both, this index decides its status.
    pub fn join(mut self, other: MatchingEvents) -> MatchingEvents {
        let all = self.events();
        for (mine, mut theirs) in self.by_status.iter_mut().zip(other.by_status) {
            // In place on the larger set: the cost is that of the smaller one.
            theirs -= &all;
            theirs |= &*mine;
            *mine = theirs;
        }
        for (mine, theirs) in self.words.iter_mut().zip(other.words) {
            mine.in_title |= theirs.in_title;
            mine.anywhere |= theirs.anywhere;
            mine.begins |= theirs.begins;
            mine.mistyped |= theirs.mistyped;
        }
        self
    }

    /// Keeps the events that have all words and groups them, best first: a word in the title scores highest, then a
    /// word elsewhere, then a prefix. Without words there is one group.
    pub fn by_words(&mut self) -> Vec<EventSet> {
        let with_words = self.words.iter().fold(None, |events, word| Some(narrowed(events, &word.events())));
        if let Some(events) = with_words {
            self.retain(&events);
        }
        let mut groups: Vec<(u32, EventSet)> = vec![(0, self.events())];
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
