//! Retired events: the record of each, found by serial, id, slug, market or outcome.
//!
//! Single events are read through `History::retired`, `retired_by_serial` and `retired_active_since`; lists use the index
//! (`postings.rs`).

use std::sync::Arc;

use exchange::catalogue::RetiredEvent;
use exchange::codec::{decode_retired, encode_retired};
use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::order::Outcome;
use exchange::time::Time;
use rusqlite::{Connection, OptionalExtension, params};

use super::HistoryError;
use crate::event_lists::{EventSet, member};

pub(super) const TABLES: &str = "
-- `serial` is the event's index in creation order, `sequence` the request that retired it, `active` the last hour with an
-- order (hours since 1970; NULL for none).
CREATE TABLE retired (serial INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, active INTEGER);
CREATE INDEX retired_by_sequence ON retired (sequence);
CREATE INDEX retired_by_activity ON retired (active);
CREATE TABLE retired_records (serial INTEGER PRIMARY KEY, record BLOB NOT NULL);
-- Ids and slugs, each with a one-letter prefix for its kind.
CREATE TABLE retired_names (name BLOB PRIMARY KEY, serial INTEGER NOT NULL) WITHOUT ROWID;
";

/// A key for finding a retired event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetiredName {
    Event(EventId),
    Slug(String),
    Market(MarketId),
    Outcome(OutcomeId),
}

impl RetiredName {
    fn key(&self) -> Vec<u8> {
        let (kind, name): (u8, &[u8]) = match self {
            RetiredName::Event(id) => (b'e', &id.as_u128().to_be_bytes()),
            RetiredName::Slug(slug) => (b's', slug.as_bytes()),
            RetiredName::Market(id) => (b'm', &id.as_u128().to_be_bytes()),
            RetiredName::Outcome(id) => (b'o', &id.as_u128().to_be_bytes()),
        };
        [&[kind], name].concat()
    }

    /// All names of an event.
    fn all(retired: &RetiredEvent) -> Vec<RetiredName> {
        let event = &retired.event;
        let mut names = vec![RetiredName::Event(event.id), RetiredName::Slug(event.slug.to_string())];
        for market in &retired.markets {
            let id = market.market.id;
            names.push(RetiredName::Market(id));
            names
                .extend(Outcome::BOTH.map(|outcome| RetiredName::Outcome(OutcomeId::of(id, outcome as u64))));
        }
        names
    }
}

/// Stores a retired event.
pub(super) fn store(connection: &Connection, seq: u64, retired: &RetiredEvent) -> rusqlite::Result<()> {
    let event = &retired.event;
    let serial = event.serial.cast_signed();
    let listings = retired.markets.iter().flat_map(|market| &market.listings);
    let active = listings.filter_map(|listing| listing.activity.last_hour()).max();
    let query = "INSERT OR REPLACE INTO retired VALUES (?1, ?2, ?3)";
    connection.prepare_cached(query)?.execute(params![serial, seq.cast_signed(), active])?;
    let query = "INSERT OR REPLACE INTO retired_records VALUES (?1, ?2)";
    connection.prepare_cached(query)?.execute(params![serial, encode_retired(retired)])?;
    let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO retired_names VALUES (?1, ?2)")?;
    for name in RetiredName::all(retired) {
        statement.execute(params![name.key(), serial])?;
    }
    Ok(())
}

/// The events with these names, without duplicates.
pub(super) fn named(
    connection: &Connection,
    names: &[RetiredName],
) -> Result<Vec<Arc<RetiredEvent>>, HistoryError> {
    let mut serials = Vec::new();
    for name in names {
        serials.extend(find(connection, name)?.filter(|serial| !serials.contains(serial)));
    }
    by_serial(connection, &serials)
}

/// The events with these serials, in the given order.
pub(super) fn by_serial(
    connection: &Connection,
    serials: &[u64],
) -> Result<Vec<Arc<RetiredEvent>>, HistoryError> {
    serials.iter().map(|serial| record(connection, *serial)).collect()
}

/// Events retired by requests after `seq`.
pub(super) fn retired_after(
    connection: &Connection,
    seq: u64,
) -> Result<Vec<Arc<RetiredEvent>>, HistoryError> {
    let query = "SELECT serial FROM retired WHERE sequence > ?1";
    by_serial(connection, &serials(connection, query, seq.cast_signed())?)
}

/// Events with orders in the hour of `from` or later.
pub(super) fn active_since(
    connection: &Connection,
    from: Time,
) -> Result<Vec<Arc<RetiredEvent>>, HistoryError> {
    let query = "SELECT serial FROM retired WHERE active >= ?1";
    by_serial(connection, &serials(connection, query, from.hour())?)
}

/// The index members of those of the events that are retired.
pub(super) fn members(connection: &Connection, events: &[EventId]) -> Result<EventSet, HistoryError> {
    let mut found = EventSet::new();
    for event in events {
        found.extend(find(connection, &RetiredName::Event(*event))?.map(member));
    }
    Ok(found)
}

fn serials(connection: &Connection, query: &str, value: i64) -> rusqlite::Result<Vec<u64>> {
    let mut statement = connection.prepare_cached(query)?;
    let found = statement.query_map([value], |row| row.get::<_, i64>(0).map(i64::unsigned_abs))?;
    found.collect()
}

fn find(connection: &Connection, name: &RetiredName) -> rusqlite::Result<Option<u64>> {
    let mut statement = connection.prepare_cached("SELECT serial FROM retired_names WHERE name = ?1")?;
    let found = statement.query_row([name.key()], |row| row.get::<_, i64>(0)).optional()?;
    Ok(found.map(i64::unsigned_abs))
}

fn record(connection: &Connection, serial: u64) -> Result<Arc<RetiredEvent>, HistoryError> {
    let mut statement = connection.prepare_cached("SELECT record FROM retired_records WHERE serial = ?1")?;
    let found: Option<Vec<u8>> = statement.query_row([serial.cast_signed()], |row| row.get(0)).optional()?;
    let bytes = found.ok_or(HistoryError::Missing("the record of a retired event"))?;
    Ok(Arc::new(decode_retired(&bytes)?))
}
