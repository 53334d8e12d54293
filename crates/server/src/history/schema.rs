//! The tables, and opening the file. Secondary lookups go through `lists` (see `lists.rs`) and `lookups` (see `lookup.rs`).
//!
//! The file is disposable. A file with another schema version is deleted and rebuilt.

use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};

use super::HistoryError;

/// Incremented with every change to the tables or to their contents.
const VERSION: i64 = 9;

const TABLES: &str = "
CREATE TABLE progress (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL);

-- Lists of numbers in insertion order, a hundred per row; and lists of sums, with fewer per row.
CREATE TABLE lists (key BLOB, chunk INTEGER, entries BLOB NOT NULL, PRIMARY KEY (key, chunk)) WITHOUT ROWID;
-- The last row of each list, until it is full.
CREATE TABLE tails (key BLOB PRIMARY KEY, chunk INTEGER NOT NULL, entries BLOB NOT NULL) WITHOUT ROWID;

-- Lookup by id or name: sorted pairs of a key and a serial, about forty per row. `first` is the first pair of the row.
CREATE TABLE lookups (first BLOB PRIMARY KEY, pairs BLOB NOT NULL) WITHOUT ROWID;

-- A book trade has a record. A pool trade has none: it is the order with the serial `pool_order`.
CREATE TABLE trades (serial INTEGER PRIMARY KEY, at INTEGER NOT NULL, record BLOB, pool_order INTEGER);

-- An open order has an id and no record: its state is in memory. `position` is its index in its
-- user's list.
CREATE TABLE orders (serial INTEGER PRIMARY KEY, id BLOB, position INTEGER NOT NULL, record BLOB);
-- Bitmaps over the positions of a user's list, one for each final status.
CREATE TABLE ended (
    user BLOB, status INTEGER, chunk INTEGER, count INTEGER NOT NULL, bits BLOB NOT NULL,
    PRIMARY KEY (user, status, chunk)
) WITHOUT ROWID;

CREATE TABLE settlements (serial INTEGER PRIMARY KEY, at INTEGER NOT NULL, record BLOB NOT NULL);

-- Mints and burns.
CREATE TABLE sets (serial INTEGER PRIMARY KEY, at INTEGER NOT NULL, record BLOB NOT NULL);

CREATE TABLE candles (
    market BLOB, currency INTEGER, interval INTEGER, start INTEGER,
    open INTEGER NOT NULL, high INTEGER NOT NULL, low INTEGER NOT NULL, close INTEGER NOT NULL,
    volume INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (market, currency, interval, start)
) WITHOUT ROWID;

CREATE TABLE replies (sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, status INTEGER NOT NULL, body BLOB NOT NULL);
";

pub(super) fn open_for_writing(path: &Path) -> Result<Connection, HistoryError> {
    let connection = configured(path)?;
    match version(&connection)? {
        VERSION => Ok(connection),
        found => {
            drop(connection);
            if found != 0 {
                tracing::info!(found, "history has another version; rebuilding it from the journal");
            }
            remove(path)?;
            let connection = configured(path)?;
            connection.execute_batch(TABLES)?;
            connection.execute_batch(super::audit::TABLES)?;
            connection.execute_batch(super::retired::TABLES)?;
            connection.execute_batch(super::postings::TABLES)?;
            connection.execute_batch(super::titles::TABLES)?;
            connection.pragma_update(None, "user_version", VERSION)?;
            Ok(connection)
        }
    }
}

fn configured(path: &Path) -> Result<Connection, HistoryError> {
    // Readable by the owner only. SQLite gives the -wal and -shm files the same mode.
    fs::OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A commit need not be durable: `History::make_durable` syncs where that matters, and history lost in a crash is
    // rebuilt from the journal.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // `checkpoints.rs` copies the WAL into the database on its own thread. The writer does so itself only when the WAL
    // exceeds this many pages.
    connection.pragma_update(None, "wal_autocheckpoint", 131_072)?;
    connection.pragma_update(None, "cache_size", -131_072)?;
    keep_temporary_in_memory(&connection)?;
    keep_statements(&connection)?;
    Ok(connection)
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Whether an error means that the file is corrupt. Failing disk reads do not count.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Whether an error is transient: no file descriptor was free, or another process holds the database lock.
pub(super) fn is_transient(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::DatabaseBusy))
}

/// Deletes the database with its WAL and shared-memory files.
pub(super) fn remove(path: &Path) -> Result<(), HistoryError> {
    for file in files(path) {
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}

/// The WAL and the database file, open for as long as history is. Syncing must not depend on a free descriptor. Opening and
/// closing a file for each sync would also release SQLite's POSIX locks on it.
#[derive(Debug)]
pub(super) struct SyncedFiles([fs::File; 2]);

impl SyncedFiles {
    /// Both files exist once a connection has read or written.
    pub(super) fn open(path: &Path) -> std::io::Result<SyncedFiles> {
        let [log, database, _] = files(path);
        Ok(SyncedFiles([fs::File::open(log)?, fs::File::open(database)?]))
    }

    /// Makes committed transactions durable.
    pub(super) fn sync(&self) -> std::io::Result<()> {
        self.0.iter().try_for_each(fs::File::sync_data)
    }
}

fn files(path: &Path) -> [std::path::PathBuf; 3] {
    let beside = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        name.into()
    };
    [beside("-wal"), path.to_owned(), beside("-shm")]
}

pub(super) fn open_for_reading(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.pragma_update(None, "cache_size", -16_384)?;
    keep_temporary_in_memory(&connection)?;
    keep_statements(&connection)?;
    Ok(connection)
}

/// A sort must not need a file descriptor.
fn keep_temporary_in_memory(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "temp_store", "MEMORY")
}

/// Keeps statements prepared. Without QPSG, SQLite re-prepares a statement when a bound parameter that it compares with
/// changes, which costs several times as much as running it.
fn keep_statements(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(64);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

/// The last sequence stored; 0 in an empty history.
pub(super) fn last_sequence(connection: &Connection) -> rusqlite::Result<u64> {
    let found =
        connection.query_row("SELECT sequence FROM progress", [], |row| row.get::<_, i64>(0)).optional()?;
    Ok(found.unwrap_or(0).unsigned_abs())
}

/// The number after the largest serial of a table.
pub(super) fn next_serial(connection: &Connection, table: &str) -> rusqlite::Result<u64> {
    let query = format!("SELECT max(serial) FROM {table}");
    let last: Option<i64> = connection.query_row(&query, [], |row| row.get(0))?;
    Ok(last.map_or(0, |last| last.unsigned_abs() + 1))
}
