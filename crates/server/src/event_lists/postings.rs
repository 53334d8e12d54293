//! Postings: for each term, the set of events that have it. In memory here; `history/postings.rs` stores them in a
//! table.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

use exchange::catalogue::Status;
use exchange::id::EventId;
use roaring::RoaringBitmap;

use super::document::Document;
use super::terms::Term;
use super::texts::Texts;
use super::words::variants_of;

/// A set of events, by serial (the position in the order of creation).
pub type EventSet = RoaringBitmap;

/// The set member for an event's serial.
pub fn member(serial: u64) -> u32 {
    u32::try_from(serial).expect("a venue has fewer than four billion events")
}

/// An index of events, in memory or in a table.
pub trait Postings {
    type Error;

    /// Events that have a term.
    fn set(&self, term: &Term) -> Result<Arc<EventSet>, Self::Error>;
    /// Events that have a term with this prefix, or this term itself.
    fn continued(&self, term: &Term) -> Result<Arc<EventSet>, Self::Error>;
    /// Indexed words that share a variant (`variants_of`).
    fn words_with(&self, variant: &str) -> Result<Vec<String>, Self::Error>;
}

/// Postings of the events in memory, with their documents.
///
/// Sets and texts are shared with readers: a read lock is held only while they are collected. The writer copies a set or a
/// part of the texts if a reader still has it.
#[derive(Debug, Default, PartialEq)]
pub struct MemoryPostings {
    sets: BTreeMap<Term, Arc<EventSet>>,
    words: BTreeMap<String, BTreeSet<String>>,
    documents: BTreeMap<u32, Document>,
    texts: Texts,
}

impl MemoryPostings {
    /// Number of indexed events.
    pub fn count(&self) -> usize {
        self.documents.len()
    }

    pub fn id(&self, member: u32) -> Option<EventId> {
        self.documents.get(&member).map(|document| document.id)
    }

    /// The searched texts of all events.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Every term with its events.
    pub fn sets(&self) -> impl Iterator<Item = (&Term, &EventSet)> {
        self.sets.iter().map(|(term, set)| (term, &**set))
    }

    /// Adds or replaces an event.
    pub fn add(&mut self, document: Document) {
        let member = member(document.serial);
        self.remove(member);
        for term in document.terms() {
            if let Some(word) = term.as_word().filter(|_| !self.sets.contains_key(&term)) {
                self.add_variants(word);
            }
            self.insert_into(term, member);
        }
        self.texts.insert(document.searched_texts());
        self.documents.insert(member, document);
    }

    pub fn remove(&mut self, member: u32) {
        let Some(document) = self.documents.remove(&member) else { return };
        self.texts.remove(member);
        for term in document.terms() {
            self.remove_from(&term, member);
        }
    }

    pub fn set_status(&mut self, member: u32, status: Status) {
        let Some(document) = self.documents.get_mut(&member) else { return };
        let before = std::mem::replace(&mut document.status, status);
        self.remove_from(&Term::status(before), member);
        self.insert_into(Term::status(status), member);
    }

    fn insert_into(&mut self, term: Term, member: u32) {
        Arc::make_mut(self.sets.entry(term).or_default()).insert(member);
    }

    pub fn clear(&mut self) {
        *self = MemoryPostings::default();
    }

    fn remove_from(&mut self, term: &Term, member: u32) {
        let Some(set) = self.sets.get_mut(term).map(Arc::make_mut) else { return };
        set.remove(member);
        if set.is_empty() {
            self.sets.remove(term);
            if let Some(word) = term.as_word() {
                self.remove_variants(word);
            }
        }
    }

    fn add_variants(&mut self, word: &str) {
        for variant in variants_of(word) {
            self.words.entry(variant).or_default().insert(word.to_owned());
        }
    }

    fn remove_variants(&mut self, word: &str) {
        for variant in variants_of(word) {
            if let Some(words) = self.words.get_mut(&variant) {
                words.remove(word);
                if words.is_empty() {
                    self.words.remove(&variant);
                }
            }
        }
    }
}

impl Postings for MemoryPostings {
    type Error = Infallible;

    fn set(&self, term: &Term) -> Result<Arc<EventSet>, Infallible> {
        Ok(self.sets.get(term).cloned().unwrap_or_default())
    }

    fn continued(&self, term: &Term) -> Result<Arc<EventSet>, Infallible> {
        let from = self.sets.range(term.clone()..).take_while(|(other, _)| term.is_continued_by(other));
        Ok(Arc::new(from.fold(EventSet::new(), |all, (_, set)| all | &**set)))
    }

    fn words_with(&self, variant: &str) -> Result<Vec<String>, Infallible> {
        Ok(self.words.get(variant).into_iter().flatten().cloned().collect())
    }
}
