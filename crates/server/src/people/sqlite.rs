//! The people store in SQLite, next to a file journal.
//!
//! A commit is durable when it returns (`synchronous=FULL`). Removed rows are overwritten with zeros (`secure_delete`)
//! and the WAL is truncated after a removal. An erasure also rewrites the whole database (`VACUUM`), because pages may
//! keep stale copies of rows in space that no table uses.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use exchange::id::{RowId, UserId};
use exchange::time::Time;
use rusqlite::types::Value;
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params, params_from_iter,
};

use super::entries::StoredEntry;
use super::fail_points::{ROW_DELETED, pass};
use super::{PeopleError, RowHead, Rows, StoredRow};

/// Incremented with every change of the tables.
pub(super) const FORMAT: i64 = 2;
/// Stores of this format have no entries; opening one for writing adds the tables.
const FORMAT_WITHOUT_ENTRIES: i64 = 1;
/// Setting: deleted rows may still have bytes in the files.
const ERASURE_DUE: &str = "erasure due";
/// How long to wait for a reader in another process, such as a backup, that keeps the WAL in use.
const BUSY_MAX: Duration = Duration::from_secs(10);
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(20);

const DELETE_ENTRY: &str = "DELETE FROM entries WHERE person = ?1 AND kind = ?2 AND id = ?3";

const TABLES: &str = "
CREATE TABLE people (
    serial INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, person BLOB NOT NULL, expires_at INTEGER NOT NULL,
    wrapped_key BLOB NOT NULL, sealed BLOB NOT NULL
);
CREATE INDEX people_by_person ON people (person);
CREATE INDEX people_by_expiry ON people (expires_at);
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
";
const TABLES_OF_ENTRIES: &str = "
CREATE TABLE entries (
    serial INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, person BLOB NOT NULL, kind INTEGER NOT NULL,
    mark INTEGER NOT NULL, wrapped_key BLOB NOT NULL, sealed BLOB NOT NULL
);
CREATE INDEX entries_by_person ON entries (person);
CREATE TABLE sent (
    person BLOB NOT NULL, kind INTEGER NOT NULL, sequence INTEGER NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (person, kind, sequence)
) WITHOUT ROWID;
";
const ENTRY_COLUMNS: &str = "serial, id, person, kind, mark, wrapped_key, sealed";

/// How the bytes of a removed row are erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erasing {
    Overwritten,
    /// They stay in the file. For the test which shows that they would be found.
    LeftThere,
}

#[derive(Debug)]
pub struct SqliteRows {
    connection: Connection,
    erasing: Erasing,
    has_entries: bool,
}

impl SqliteRows {
    /// The store's file in a data folder.
    pub fn file(folder: &Path) -> PathBuf {
        folder.join("people").join("people.sqlite")
    }

    /// Opens the store of a data folder and creates it if it is missing.
    pub fn open(folder: &Path) -> Result<SqliteRows, PeopleError> {
        SqliteRows::open_with(folder, Erasing::Overwritten)
    }

    pub fn open_with(folder: &Path, erasing: Erasing) -> Result<SqliteRows, PeopleError> {
        // Private to the owner. SQLite creates its other files with the database's mode.
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder.join("people"))?;
        let path = SqliteRows::file(folder);
        fs::OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path)?;
        let connection = Connection::open(&path)?;
        connection.busy_timeout(BUSY_MAX)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "secure_delete", erasing == Erasing::Overwritten)?;
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        match format(&connection)? {
            FORMAT => {}
            old @ (0 | FORMAT_WITHOUT_ENTRIES) => {
                let begin = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)?;
                if old == 0 {
                    begin.execute_batch(TABLES)?;
                }
                begin.execute_batch(TABLES_OF_ENTRIES)?;
                begin.pragma_update(None, "user_version", FORMAT)?;
                begin.commit()?;
            }
            other => return Err(PeopleError::Format(other)),
        }
        Ok(SqliteRows { connection, erasing, has_entries: true })
    }

    /// Opens the store read-only, even while another process serves. `None` if there is no store.
    pub fn open_reading(folder: &Path) -> Result<Option<SqliteRows>, PeopleError> {
        let path = SqliteRows::file(folder);
        if !path.try_exists()? {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags)?;
        connection.busy_timeout(BUSY_MAX)?;
        match format(&connection)? {
            known @ (FORMAT | FORMAT_WITHOUT_ENTRIES) => {
                let has_entries = known == FORMAT;
                Ok(Some(SqliteRows { connection, erasing: Erasing::Overwritten, has_entries }))
            }
            other => Err(PeopleError::Format(other)),
        }
    }

    /// Copies the store into another data folder, which has none. The copy has no remains of removed rows.
    pub fn copy_into(&self, folder: &Path) -> Result<(), PeopleError> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder.join("people"))?;
        let path = SqliteRows::file(folder);
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        self.connection.execute("VACUUM INTO ?1", params![path.to_string_lossy()])?;
        fs::File::open(&path)?.sync_all()?;
        fs::File::open(folder.join("people"))?.sync_all()?;
        Ok(())
    }

    /// Closes the store so that one file has all of it and can be opened on a read-only file system.
    pub fn close_as_one_file(self) -> Result<(), PeopleError> {
        self.cut_log()?;
        self.connection.pragma_update(None, "journal_mode", "DELETE")?;
        self.connection.close().map_err(|(_, error)| error.into())
    }

    fn delete(&mut self, rows: &[RowId], is_erasure: bool) -> Result<(), PeopleError> {
        let deletion = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for row in rows {
            deletion.execute("DELETE FROM people WHERE id = ?1", params![bytes(row.as_u128())])?;
        }
        if is_erasure {
            deletion.execute("INSERT OR REPLACE INTO settings VALUES (?1, x'')", params![ERASURE_DUE])?;
        }
        deletion.commit()?;
        pass(ROW_DELETED);
        Ok(())
    }

    /// Writes everything committed into the database file and truncates the WAL.
    fn cut_log(&self) -> Result<(), PeopleError> {
        let began = Instant::now();
        loop {
            let is_busy: bool =
                self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
            if !is_busy {
                return Ok(());
            }
            if began.elapsed() > BUSY_MAX {
                let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
                let what = "a reader keeps the WAL of the people store in use".to_owned();
                return Err(rusqlite::Error::SqliteFailure(busy, Some(what)).into());
            }
            thread::sleep(TRY_AGAIN_AFTER);
        }
    }
}

impl Rows for SqliteRows {
    fn setting(&mut self, name: &str) -> Result<Option<Vec<u8>>, PeopleError> {
        let query = "SELECT value FROM settings WHERE name = ?1";
        Ok(self.connection.query_row(query, params![name], |row| row.get(0)).optional()?)
    }

    fn set_once(&mut self, name: &str, value: &[u8]) -> Result<(), PeopleError> {
        self.connection.execute("INSERT OR IGNORE INTO settings VALUES (?1, ?2)", params![name, value])?;
        Ok(())
    }

    fn insert(&mut self, row: &StoredRow) -> Result<(), PeopleError> {
        let insert =
            "INSERT INTO people (id, person, expires_at, wrapped_key, sealed) VALUES (?1, ?2, ?3, ?4, ?5)";
        let (id, person) = (bytes(row.id.as_u128()), bytes(row.person.as_u128()));
        self.connection.prepare_cached(insert)?.execute(params![
            id,
            person,
            row.expires_at.micros(),
            row.wrapped_key,
            row.sealed
        ])?;
        Ok(())
    }

    fn get(&mut self, id: RowId) -> Result<Option<StoredRow>, PeopleError> {
        let query = "SELECT id, person, expires_at, wrapped_key, sealed FROM people WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(query)?;
        Ok(statement.query_row(params![bytes(id.as_u128())], stored).optional()?)
    }

    fn expired(&mut self, from: Time, until: Time) -> Result<Vec<RowHead>, PeopleError> {
        let query = "SELECT id, person, expires_at FROM people WHERE expires_at >= ?1 AND expires_at < ?2";
        let mut statement = self.connection.prepare_cached(query)?;
        let heads = statement.query_map(params![from.micros(), until.micros()], head)?;
        Ok(heads.collect::<Result<_, _>>()?)
    }

    fn of_person(&mut self, person: UserId) -> Result<Vec<RowHead>, PeopleError> {
        let query = "SELECT id, person, expires_at FROM people WHERE person = ?1";
        let mut statement = self.connection.prepare_cached(query)?;
        let heads = statement.query_map(params![bytes(person.as_u128())], head)?;
        Ok(heads.collect::<Result<_, _>>()?)
    }

    fn page(&mut self, after: Option<RowId>, max: usize) -> Result<Vec<StoredRow>, PeopleError> {
        let query = "SELECT id, person, expires_at, wrapped_key, sealed FROM people WHERE id > ?1 ORDER BY id LIMIT ?2";
        let after = after.map_or_else(Vec::new, |after| bytes(after.as_u128()).to_vec());
        let mut statement = self.connection.prepare_cached(query)?;
        let rows = statement.query_map(params![after, i64::try_from(max).unwrap_or(i64::MAX)], stored)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn remove(&mut self, rows: &[RowId]) -> Result<(), PeopleError> {
        if rows.is_empty() {
            return Ok(());
        }
        self.delete(rows, false)?;
        match self.erasing {
            Erasing::Overwritten => self.cut_log(),
            Erasing::LeftThere => Ok(()),
        }
    }

    fn erase(&mut self, rows: &[RowId]) -> Result<(), PeopleError> {
        if !rows.is_empty() {
            self.delete(rows, true)?;
        }
        // Needed even without rows: an earlier attempt or another process may have deleted them without finishing.
        self.finish_erasure()
    }

    fn finish_erasure(&mut self) -> Result<(), PeopleError> {
        if self.erasing == Erasing::LeftThere || self.setting(ERASURE_DUE)?.is_none() {
            return Ok(());
        }
        self.connection.execute_batch("VACUUM")?;
        self.cut_log()?;
        self.connection.execute("DELETE FROM settings WHERE name = ?1", params![ERASURE_DUE])?;
        Ok(())
    }

    fn rewrap(
        &mut self,
        keys: &[(RowId, Vec<u8>)],
        entries: &[(RowId, Vec<u8>)],
        settings: &[(&str, Vec<u8>)],
    ) -> Result<(), PeopleError> {
        let change = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (entry, key) in entries {
            change.execute(
                "UPDATE entries SET wrapped_key = ?2 WHERE id = ?1",
                params![bytes(entry.as_u128()), key],
            )?;
        }
        for (row, key) in keys {
            change.execute(
                "UPDATE people SET wrapped_key = ?2 WHERE id = ?1",
                params![bytes(row.as_u128()), key],
            )?;
        }
        for (name, value) in settings {
            change.execute("INSERT OR REPLACE INTO settings VALUES (?1, ?2)", params![name, value])?;
        }
        change.execute("INSERT OR REPLACE INTO settings VALUES (?1, x'')", params![ERASURE_DUE])?;
        change.commit()?;
        self.finish_erasure()
    }

    fn entries_of(&mut self, person: UserId) -> Result<Vec<StoredEntry>, PeopleError> {
        let query = format!("SELECT {ENTRY_COLUMNS} FROM entries WHERE person = ?1 ORDER BY serial");
        let mut statement = self.connection.prepare_cached(&query)?;
        let entries = statement.query_map(params![bytes(person.as_u128())], stored_entry)?;
        Ok(entries.collect::<Result<_, _>>()?)
    }

    fn entries_after(&mut self, serial: i64, max: usize) -> Result<Vec<StoredEntry>, PeopleError> {
        if !self.has_entries {
            return Ok(Vec::new());
        }
        let query = format!("SELECT {ENTRY_COLUMNS} FROM entries WHERE serial > ?1 ORDER BY serial LIMIT ?2");
        let mut statement = self.connection.prepare_cached(&query)?;
        let max = i64::try_from(max).unwrap_or(i64::MAX);
        let entries = statement.query_map(params![serial, max], stored_entry)?;
        Ok(entries.collect::<Result<_, _>>()?)
    }

    fn insert_entry(
        &mut self,
        entry: &StoredEntry,
        max: Option<usize>,
        instead_of: Option<RowId>,
    ) -> Result<bool, PeopleError> {
        let change = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let person = bytes(entry.person.as_u128());
        if let Some(old) = instead_of {
            change.execute(DELETE_ENTRY, params![person, entry.kind, bytes(old.as_u128())])?;
        }
        if let Some(max) = max {
            let count = "SELECT count(*) FROM entries WHERE person = ?1 AND kind = ?2";
            let count: i64 = change.query_row(count, params![person, entry.kind], |row| row.get(0))?;
            let oldest = "DELETE FROM entries WHERE serial = (SELECT min(serial) FROM entries \
                WHERE person = ?1 AND kind = ?2 AND mark > 0)";
            let is_full = usize::try_from(count).unwrap_or(usize::MAX) >= max;
            if is_full && change.execute(oldest, params![person, entry.kind])? == 0 {
                return Ok(false);
            }
        }
        let insert = "INSERT INTO entries (id, person, kind, mark, wrapped_key, sealed) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        change.execute(insert, params_from_iter(entry_values(entry)))?;
        change.commit()?;
        Ok(true)
    }

    fn raise_entry(&mut self, entry: &StoredEntry) -> Result<(), PeopleError> {
        let raise = "INSERT INTO entries (id, person, kind, mark, wrapped_key, sealed) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO UPDATE SET mark = max(mark, excluded.mark)";
        self.connection.execute(raise, params_from_iter(entry_values(entry)))?;
        Ok(())
    }

    fn mark_entry(&mut self, entry: &StoredEntry) -> Result<bool, PeopleError> {
        let mark = "UPDATE entries SET mark = ?4, wrapped_key = ?5, sealed = ?6 \
            WHERE id = ?1 AND person = ?2 AND kind = ?3 AND mark = 0";
        Ok(self.connection.execute(mark, params_from_iter(entry_values(entry)))? > 0)
    }

    fn remove_entry(&mut self, person: UserId, kind: u8, id: RowId) -> Result<bool, PeopleError> {
        let (person, id) = (bytes(person.as_u128()), bytes(id.as_u128()));
        Ok(self.connection.execute(DELETE_ENTRY, params![person, kind, id])? > 0)
    }

    fn remove_entries_of(&mut self, persons: &[UserId]) -> Result<(), PeopleError> {
        let deletion = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut deleted = 0;
        for person in persons {
            let person = bytes(person.as_u128());
            deleted += deletion.execute("DELETE FROM entries WHERE person = ?1", params![person])?;
            deleted += deletion.execute("DELETE FROM sent WHERE person = ?1", params![person])?;
        }
        if deleted > 0 {
            deletion.execute("INSERT OR REPLACE INTO settings VALUES (?1, x'')", params![ERASURE_DUE])?;
        }
        Ok(deletion.commit()?)
    }

    fn insert_sent(
        &mut self,
        person: UserId,
        kind: u8,
        sequence: u64,
        at: Time,
    ) -> Result<bool, PeopleError> {
        let insert = "INSERT OR IGNORE INTO sent (person, kind, sequence, at) VALUES (?1, ?2, ?3, ?4)";
        let sequence = i64::try_from(sequence).unwrap_or(i64::MAX);
        let values = params![bytes(person.as_u128()), kind, sequence, at.micros()];
        Ok(self.connection.execute(insert, values)? > 0)
    }

    fn remove_sent(&mut self, before: Time) -> Result<(), PeopleError> {
        self.connection.execute("DELETE FROM sent WHERE at < ?1", params![before.micros()])?;
        Ok(())
    }
}

fn format(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

fn bytes(id: u128) -> [u8; 16] {
    id.to_be_bytes()
}

/// The values of an entry but its serial, in the order of the columns.
fn entry_values(entry: &StoredEntry) -> [Value; 6] {
    [
        Value::Blob(bytes(entry.id.as_u128()).to_vec()),
        Value::Blob(bytes(entry.person.as_u128()).to_vec()),
        Value::Integer(i64::from(entry.kind)),
        Value::Integer(i64::try_from(entry.mark).unwrap_or(i64::MAX)),
        Value::Blob(entry.wrapped_key.clone()),
        Value::Blob(entry.sealed.clone()),
    ]
}

fn stored_entry(row: &Row<'_>) -> rusqlite::Result<StoredEntry> {
    let id = |column| row.get(column).map(u128::from_be_bytes);
    Ok(StoredEntry {
        serial: row.get(0)?,
        id: RowId::new(id(1)?),
        person: UserId::new(id(2)?),
        kind: row.get(3)?,
        mark: u64::try_from(row.get::<_, i64>(4)?).unwrap_or(0),
        wrapped_key: row.get(5)?,
        sealed: row.get(6)?,
    })
}

fn head(row: &Row<'_>) -> rusqlite::Result<RowHead> {
    let id = |column| row.get(column).map(u128::from_be_bytes);
    Ok(RowHead {
        id: RowId::new(id(0)?),
        person: UserId::new(id(1)?),
        expires_at: Time::from_micros(row.get(2)?),
    })
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredRow> {
    let RowHead { id, person, expires_at } = head(row)?;
    Ok(StoredRow { id, person, expires_at, wrapped_key: row.get(3)?, sealed: row.get(4)? })
}
