//! What a store of people keeps, whatever it keeps it in: sealed rows, and a few settings.

use std::fmt::Debug;

use exchange::id::{RowId, UserId};
use exchange::time::Time;

use super::PeopleError;

/// A row as it is stored: nothing of the person can be read without the master key.
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

/// What can be told of a row without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowHead {
    pub id: RowId,
    pub person: UserId,
    pub expires_at: Time,
}

/// A store. Owned by one thread at a time; each call waits for its answer.
pub trait Rows: Debug + Send {
    fn setting(&mut self, name: &str) -> Result<Option<Vec<u8>>, PeopleError>;

    /// Sets what is not set yet, durably.
    fn agree(&mut self, name: &str, value: &[u8]) -> Result<(), PeopleError>;

    /// Writes a new row, durably.
    fn insert(&mut self, row: &StoredRow) -> Result<(), PeopleError>;

    fn get(&mut self, id: RowId) -> Result<Option<StoredRow>, PeopleError>;

    /// Rows whose expiry is at or after `from` and before `until`.
    fn expired(&mut self, from: Time, until: Time) -> Result<Vec<RowHead>, PeopleError>;

    fn of_person(&mut self, person: UserId) -> Result<Vec<RowHead>, PeopleError>;

    /// At most `max` rows behind an id, in order of ids.
    fn page(&mut self, after: Option<RowId>, max: usize) -> Result<Vec<StoredRow>, PeopleError>;

    /// Removes rows that count no longer.
    fn remove(&mut self, rows: &[RowId]) -> Result<(), PeopleError>;

    /// Removes rows of erased persons so that no file keeps a byte of them.
    fn erase(&mut self, rows: &[RowId]) -> Result<(), PeopleError>;

    /// Finishes an erasure that a crash interrupted.
    fn finish_erasure(&mut self) -> Result<(), PeopleError>;

    /// Replaces the wrapped keys of rows and settings, all or none, and leaves no byte of the old ones.
    fn rewrap(&mut self, keys: &[(RowId, Vec<u8>)], settings: &[(&str, Vec<u8>)]) -> Result<(), PeopleError>;
}
