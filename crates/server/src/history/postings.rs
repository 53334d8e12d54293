//! The index of retired events: a set of events for each term that `event_lists` searches.
//!
//! A set is stored in pieces of 65,536 serials. Rewriting the pieces for every retired event would cost far more than
//! storing the event, so the newest events are indexed in memory (`RecentPostings`) until there are thousands. A
//! restart loads them again.

use std::collections::BTreeMap;
use std::sync::Arc;

use exchange::catalogue::RetiredEvent;
use parking_lot::{RwLock, RwLockReadGuard};
use rusqlite::{Connection, OptionalExtension, params};

use super::HistoryError;
use super::cached_sets::{CachedSet, CachedSets};
use super::{retired, titles};
use crate::event_lists::{
    Document, EventFilter, EventSet, MatchingEvents, MemoryPostings, Postings, Substring, Term, variants_of,
};

pub(super) const TABLES: &str = "
CREATE TABLE postings (term BLOB, piece INTEGER, members BLOB NOT NULL, PRIMARY KEY (term, piece)) WITHOUT ROWID;
-- Words of retired events, by the variants that remain when a letter is removed.
CREATE TABLE variants (variant TEXT, word TEXT, PRIMARY KEY (variant, word)) WITHOUT ROWID;
-- Events retired up to this sequence are in the postings.
CREATE TABLE indexed (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL);
";

/// Retired events indexed in memory before all of them are written to the postings.
pub(super) const FRESH_MAX: usize = 4_096;

/// Postings of retired events that are not in the table yet.
#[derive(Clone, Debug)]
pub(super) struct RecentPostings {
    postings: Arc<RwLock<MemoryPostings>>,
    max: usize,
    /// Sets of the table. Writing the table replaces them.
    cached: Arc<CachedSets>,
}

impl RecentPostings {
    /// Loads the events that were stored but not indexed.
    pub(super) fn load(connection: &Connection, max: usize) -> Result<RecentPostings, HistoryError> {
        let indexed: Option<i64> =
            connection.query_row("SELECT sequence FROM indexed", [], |row| row.get(0)).optional()?;
        let mut postings = MemoryPostings::default();
        for record in retired::retired_after(connection, indexed.unwrap_or(0).unsigned_abs())? {
            postings.add(Document::of_retired(&record));
        }
        Ok(RecentPostings { postings: Arc::new(RwLock::new(postings)), max, cached: Arc::default() })
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, MemoryPostings> {
        self.postings.read()
    }

    /// Whether the index should be written, given that many additional events.
    pub(super) fn is_full_with(&self, more: usize) -> bool {
        self.postings.read().count() + more >= self.max
    }

    pub(super) fn add(&self, events: &[Arc<RetiredEvent>]) {
        let mut postings = self.postings.write();
        events.iter().for_each(|event| postings.add(Document::of_retired(event)));
    }

    /// Called after a committed `write`.
    pub(super) fn clear(&self) {
        let mut postings = self.postings.write();
        postings.clear();
        self.cached.clear();
    }

    /// Writes everything, and `more`, to the table. `seq` is the last request that retired one of these events.
    pub(super) fn write(
        &self,
        connection: &Connection,
        more: &[Arc<RetiredEvent>],
        seq: u64,
    ) -> rusqlite::Result<()> {
        let mut added = MemoryPostings::default();
        more.iter().for_each(|event| added.add(Document::of_retired(event)));
        let here = self.postings.read();
        for postings in [&*here, &added] {
            for (term, events) in postings.sets() {
                add_to(connection, term, events)?;
            }
            titles::store(connection, postings.texts().iter().cloned())?;
        }
        let query = "INSERT OR REPLACE INTO indexed VALUES (1, ?1)";
        connection.prepare_cached(query)?.execute([seq.cast_signed()]).map(drop)
    }
}

fn add_to(connection: &Connection, term: &Term, events: &EventSet) -> rusqlite::Result<()> {
    let mut pieces: BTreeMap<u32, EventSet> = BTreeMap::new();
    for member in events {
        pieces.entry(member >> 16).or_default().insert(member);
    }
    for (piece, added) in pieces {
        let query = "SELECT members FROM postings WHERE term = ?1 AND piece = ?2";
        let mut statement = connection.prepare_cached(query)?;
        let before: Option<Vec<u8>> =
            statement.query_row(params![term.bytes(), piece], |row| row.get(0)).optional()?;
        let is_new_word = before.is_none();
        let members = match before {
            Some(bytes) => decode(&bytes)? | added,
            None => added,
        };
        let query = "INSERT OR REPLACE INTO postings VALUES (?1, ?2, ?3)";
        connection.prepare_cached(query)?.execute(params![term.bytes(), piece, encode(&members)])?;
        if let Some(word) = term.as_word().filter(|_| is_new_word) {
            add_variants(connection, word)?;
        }
    }
    Ok(())
}

fn add_variants(connection: &Connection, word: &str) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("INSERT OR IGNORE INTO variants VALUES (?1, ?2)")?;
    for variant in variants_of(word) {
        statement.execute([&*variant, word])?;
    }
    Ok(())
}

fn encode(set: &EventSet) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(set.serialized_size());
    set.serialize_into(&mut bytes).expect("writing to a vector cannot fail");
    bytes
}

fn decode(bytes: &[u8]) -> rusqlite::Result<EventSet> {
    EventSet::deserialize_from(bytes).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, Box::new(error))
    })
}

/// The postings of the table.
struct TablePostings<'a> {
    connection: &'a Connection,
    cached: &'a CachedSets,
    /// The generation of the cache before the table was read.
    generation: u64,
}

impl TablePostings<'_> {
    /// The union of the pieces selected by a query.
    fn union(&self, query: &str, values: &[&[u8]]) -> Result<EventSet, HistoryError> {
        let mut statement = self.connection.prepare_cached(query)?;
        let mut rows = statement.query(rusqlite::params_from_iter(values))?;
        let mut all = EventSet::new();
        while let Some(row) = rows.next()? {
            all |= decode(row.get_ref(0)?.as_blob()?)?;
        }
        Ok(all)
    }
}

impl Postings for TablePostings<'_> {
    type Error = HistoryError;

    fn set(&self, term: &Term) -> Result<Arc<EventSet>, HistoryError> {
        let query = "SELECT members FROM postings WHERE term = ?1";
        self.cached
            .find_or(self.generation, CachedSet::Of(term.clone()), || self.union(query, &[term.bytes()]))
    }

    fn continued(&self, term: &Term) -> Result<Arc<EventSet>, HistoryError> {
        let query = "SELECT members FROM postings WHERE term >= ?1 AND term < ?2";
        // 0xff occurs in no term: texts are UTF-8.
        let end = [term.bytes(), &[0xff]].concat();
        self.cached.find_or(self.generation, CachedSet::Beginning(term.clone()), || {
            self.union(query, &[term.bytes(), &end])
        })
    }

    fn words_with(&self, variant: &str) -> Result<Vec<String>, HistoryError> {
        let mut statement = self.connection.prepare_cached("SELECT word FROM variants WHERE variant = ?1")?;
        let words = statement.query_map([variant], |row| row.get(0))?;
        Ok(words.collect::<Result<_, _>>()?)
    }
}

/// Retired events that match a filter and have serials below `next`. The caller compares a substring with the texts.
pub(super) fn matching(
    connection: &Connection,
    fresh: &RecentPostings,
    filter: &EventFilter,
    next: u32,
) -> Result<MatchingEvents, HistoryError> {
    let listed = match &filter.events {
        Some(events) => Some(retired::members(connection, events)?),
        None => None,
    };
    // Memory before the table: the writer clears the in-memory index only after committing it to the table.
    let (here, generation) = {
        let postings = fresh.read();
        let Ok(here) = filter.matched(&*postings, listed.clone());
        (here, fresh.cached.generation())
    };
    let stored = TablePostings { connection, cached: &fresh.cached, generation };
    let mut matched = here.join(filter.matched(&stored, listed)?);
    matched.truncate(next);
    Ok(matched)
}

/// The members of `candidates` whose texts contain a substring.
pub(super) fn containing(
    connection: &Connection,
    fresh: &RecentPostings,
    substring: &Substring,
    candidates: &EventSet,
) -> Result<EventSet, HistoryError> {
    // Memory before the table, as in `matching`.
    let here = fresh.read().texts().clone();
    let stored = candidates - here.of(candidates).map(|texts| texts.member).collect::<EventSet>();
    Ok(substring.compare(here.of(candidates)) | titles::containing(connection, substring, &stored)?)
}
