//! The people store in PostgreSQL, in the database of a shared log: tables that all nodes of a venue share.
//!
//! An insert is a committed transaction, as durable as a frame of the log. An erasure deletes rows and rewrites the
//! table (`VACUUM FULL`). docs/security.md describes what the database's WAL and its backups keep.

use exchange::id::{RowId, UserId};
use exchange::time::Time;
use journal::postgres::{Database, People as Tables, PersonHead, PersonRow, PersonalEntry};

use super::entries::StoredEntry;
use super::fail_points::{ROW_DELETED, pass};
use super::{PeopleError, RowHead, Rows, StoredRow};

#[derive(Debug)]
pub struct PostgresRows {
    tables: Tables,
}

impl PostgresRows {
    pub fn open(database: &Database) -> Result<PostgresRows, PeopleError> {
        Ok(PostgresRows { tables: database.people()? })
    }
}

impl Rows for PostgresRows {
    fn setting(&mut self, name: &str) -> Result<Option<Vec<u8>>, PeopleError> {
        Ok(self.tables.setting(name)?)
    }

    fn set_once(&mut self, name: &str, value: &[u8]) -> Result<(), PeopleError> {
        Ok(self.tables.set_once(name, value)?)
    }

    fn insert(&mut self, row: &StoredRow) -> Result<(), PeopleError> {
        let StoredRow { id, person, expires_at, wrapped_key, sealed } = row.clone();
        let head = PersonHead {
            id: id.as_u128().to_be_bytes(),
            person: person.as_u128().to_be_bytes(),
            expires_at: expires_at.micros(),
        };
        Ok(self.tables.insert(PersonRow { head, wrapped_key, sealed })?)
    }

    fn get(&mut self, id: RowId) -> Result<Option<StoredRow>, PeopleError> {
        Ok(self.tables.get(id.as_u128().to_be_bytes())?.map(stored))
    }

    fn expired(&mut self, from: Time, until: Time) -> Result<Vec<RowHead>, PeopleError> {
        let heads = self.tables.expired(from.micros(), until.micros())?;
        Ok(heads.into_iter().map(head).collect())
    }

    fn of_person(&mut self, person: UserId) -> Result<Vec<RowHead>, PeopleError> {
        Ok(self.tables.of_person(person.as_u128().to_be_bytes())?.into_iter().map(head).collect())
    }

    fn page(&mut self, after: Option<RowId>, max: usize) -> Result<Vec<StoredRow>, PeopleError> {
        let after = after.map_or_else(Vec::new, |after| after.as_u128().to_be_bytes().to_vec());
        Ok(self.tables.page(after, max)?.into_iter().map(stored).collect())
    }

    fn remove(&mut self, rows: &[RowId]) -> Result<(), PeopleError> {
        if rows.is_empty() {
            return Ok(());
        }
        Ok(self.tables.delete(ids(rows), false)?)
    }

    fn erase(&mut self, rows: &[RowId]) -> Result<(), PeopleError> {
        if !rows.is_empty() {
            self.tables.delete(ids(rows), true)?;
            pass(ROW_DELETED);
        }
        // Needed even without rows: an earlier attempt or another node may have deleted them without finishing.
        self.finish_erasure()
    }

    fn finish_erasure(&mut self) -> Result<(), PeopleError> {
        Ok(self.tables.finish_erasure()?)
    }

    fn rewrap(
        &mut self,
        keys: &[(RowId, Vec<u8>)],
        entries: &[(RowId, Vec<u8>)],
        settings: &[(&str, Vec<u8>)],
    ) -> Result<(), PeopleError> {
        let [keys, entries] = [keys, entries]
            .map(|keys| keys.iter().map(|(row, key)| (row.as_u128().to_be_bytes(), key.clone())).collect());
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        self.tables.rewrap(keys, entries, settings)?;
        self.finish_erasure()
    }

    fn entries_of(&mut self, person: UserId) -> Result<Vec<StoredEntry>, PeopleError> {
        Ok(self.tables.entries_of(person.as_u128().to_be_bytes())?.into_iter().map(stored_entry).collect())
    }

    fn entries_after(&mut self, serial: i64, max: usize) -> Result<Vec<StoredEntry>, PeopleError> {
        Ok(self.tables.entries_after(serial, max)?.into_iter().map(stored_entry).collect())
    }

    fn insert_entry(
        &mut self,
        entry: &StoredEntry,
        max: Option<usize>,
        instead_of: Option<RowId>,
    ) -> Result<bool, PeopleError> {
        let old = instead_of.map(|old| old.as_u128().to_be_bytes());
        Ok(self.tables.insert_entry(&personal_entry(entry), max, old)?)
    }

    fn raise_entry(&mut self, entry: &StoredEntry) -> Result<(), PeopleError> {
        Ok(self.tables.raise_entry(&personal_entry(entry))?)
    }

    fn mark_entry(&mut self, entry: &StoredEntry) -> Result<bool, PeopleError> {
        Ok(self.tables.mark_entry(&personal_entry(entry))?)
    }

    fn remove_entry(&mut self, person: UserId, kind: u8, id: RowId) -> Result<bool, PeopleError> {
        let [person, id] = [person.as_u128(), id.as_u128()].map(u128::to_be_bytes);
        Ok(self.tables.delete_entry(person, i16::from(kind), id)?)
    }

    fn remove_entries_of(&mut self, persons: &[UserId]) -> Result<(), PeopleError> {
        let persons = persons.iter().map(|person| person.as_u128().to_be_bytes().to_vec()).collect();
        Ok(self.tables.delete_entries_of(persons)?)
    }

    fn insert_sent(
        &mut self,
        person: UserId,
        kind: u8,
        sequence: u64,
        at: Time,
    ) -> Result<bool, PeopleError> {
        let person = person.as_u128().to_be_bytes();
        let sequence = i64::try_from(sequence).unwrap_or(i64::MAX);
        Ok(self.tables.insert_sent(person, i16::from(kind), sequence, at.micros())?)
    }

    fn remove_sent(&mut self, before: Time) -> Result<(), PeopleError> {
        Ok(self.tables.delete_sent(before.micros())?)
    }
}

fn ids(rows: &[RowId]) -> Vec<Vec<u8>> {
    rows.iter().map(|row| row.as_u128().to_be_bytes().to_vec()).collect()
}

fn personal_entry(entry: &StoredEntry) -> PersonalEntry {
    let StoredEntry { serial, id, person, kind, mark, wrapped_key, sealed } = entry.clone();
    PersonalEntry {
        serial,
        id: id.as_u128().to_be_bytes(),
        person: person.as_u128().to_be_bytes(),
        kind: i16::from(kind),
        mark: i64::try_from(mark).unwrap_or(i64::MAX),
        wrapped_key,
        sealed,
    }
}

fn stored_entry(entry: PersonalEntry) -> StoredEntry {
    let PersonalEntry { serial, id, person, kind, mark, wrapped_key, sealed } = entry;
    StoredEntry {
        serial,
        id: RowId::new(u128::from_be_bytes(id)),
        person: UserId::new(u128::from_be_bytes(person)),
        kind: u8::try_from(kind).unwrap_or(0),
        mark: u64::try_from(mark).unwrap_or(0),
        wrapped_key,
        sealed,
    }
}

fn head(head: PersonHead) -> RowHead {
    RowHead {
        id: RowId::new(u128::from_be_bytes(head.id)),
        person: UserId::new(u128::from_be_bytes(head.person)),
        expires_at: Time::from_micros(head.expires_at),
    }
}

fn stored(row: PersonRow) -> StoredRow {
    let RowHead { id, person, expires_at } = head(row.head);
    StoredRow { id, person, expires_at, wrapped_key: row.wrapped_key, sealed: row.sealed }
}
