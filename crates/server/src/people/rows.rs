//! The interface of a people store, independent of the database: encrypted rows and a few settings.

use std::fmt::Debug;

use exchange::id::{RowId, UserId};
use exchange::time::Time;

use super::PeopleError;
use super::entries::StoredEntry;

/// A row as stored. Its personal data cannot be read without the master key.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredRow {
    pub id: RowId,
    pub person: UserId,
    pub expires_at: Time,
    pub wrapped_key: Vec<u8>,
    pub sealed: Vec<u8>,
}

impl Debug for StoredRow {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let StoredRow { id, person, expires_at, .. } = self;
        write!(formatter, "StoredRow({id} of {person} until {expires_at:?})")
    }
}

/// The parts of a row that are not encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowHead {
    pub id: RowId,
    pub person: UserId,
    pub expires_at: Time,
}

/// A store. Used by one thread at a time; every call blocks.
pub trait Rows: Debug + Send {
    fn setting(&mut self, name: &str) -> Result<Option<Vec<u8>>, PeopleError>;

    /// Sets a setting durably, unless it is already set.
    fn set_once(&mut self, name: &str, value: &[u8]) -> Result<(), PeopleError>;

    /// Inserts a new row durably.
    fn insert(&mut self, row: &StoredRow) -> Result<(), PeopleError>;

    fn get(&mut self, id: RowId) -> Result<Option<StoredRow>, PeopleError>;

    /// Rows whose expiry is at or after `from` and before `until`.
    fn expired(&mut self, from: Time, until: Time) -> Result<Vec<RowHead>, PeopleError>;

    fn of_person(&mut self, person: UserId) -> Result<Vec<RowHead>, PeopleError>;

    /// At most `max` rows after an id, in order of ids.
    fn page(&mut self, after: Option<RowId>, max: usize) -> Result<Vec<StoredRow>, PeopleError>;

    /// Removes obsolete rows.
    fn remove(&mut self, rows: &[RowId]) -> Result<(), PeopleError>;

    /// Removes the rows of erased persons so that no file keeps a byte of them.
    fn erase(&mut self, rows: &[RowId]) -> Result<(), PeopleError>;

    /// Finishes an interrupted erasure.
    fn finish_erasure(&mut self) -> Result<(), PeopleError>;

    /// Replaces the wrapped keys of rows and entries and the settings atomically, and leaves no byte of the old ones.
    fn rewrap(
        &mut self,
        keys: &[(RowId, Vec<u8>)],
        entries: &[(RowId, Vec<u8>)],
        settings: &[(&str, Vec<u8>)],
    ) -> Result<(), PeopleError>;

    /// A person's entries, in order of serials.
    fn entries_of(&mut self, person: UserId) -> Result<Vec<StoredEntry>, PeopleError>;

    /// At most `max` entries after a serial, in order of serials.
    fn entries_after(&mut self, serial: i64, max: usize) -> Result<Vec<StoredEntry>, PeopleError>;

    /// Inserts an entry durably, unless its person has `max` of its kind. A full kind drops its oldest marked entry
    /// first. The entry `instead_of` goes in the same step. Returns whether it was inserted; otherwise nothing changed.
    fn insert_entry(
        &mut self,
        entry: &StoredEntry,
        max: Option<usize>,
        instead_of: Option<RowId>,
    ) -> Result<bool, PeopleError>;

    /// Inserts an entry, or raises the mark of the existing one.
    fn raise_entry(&mut self, entry: &StoredEntry) -> Result<(), PeopleError>;

    /// Marks an unmarked entry and replaces its content. Returns whether this call did it.
    fn mark_entry(&mut self, entry: &StoredEntry) -> Result<bool, PeopleError>;

    fn remove_entry(&mut self, person: UserId, kind: u8, id: RowId) -> Result<bool, PeopleError>;

    /// Removes all entries of erased persons. `erase` or `finish_erasure` must follow and removes their bytes.
    fn remove_entries_of(&mut self, persons: &[UserId]) -> Result<(), PeopleError>;

    /// Notes that a message about (person, kind, sequence) is sent. Returns whether no node had noted it.
    fn insert_sent(&mut self, person: UserId, kind: u8, sequence: u64, at: Time)
    -> Result<bool, PeopleError>;

    /// Forgets the notes of messages sent before a time.
    fn remove_sent(&mut self, before: Time) -> Result<(), PeopleError>;
}
