//! The tables, and how the file is opened. What is looked up by more than its serial stands in
//! `lists` (see `lists.rs`) and in `lookups` (see `lookup.rs`).
//!
//! The file is disposable. One that was written by another version of these tables is thrown away and made again.

use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};

use super::HistoryError;

/// Counts up with every change of the tables or of what is kept in them.
const VERSION: i64 = 8;

const TABLES: &str = "
CREATE TABLE progress (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL);

-- Numbers under a key, in the order in which they came, a hundred in a row; and sums, of which fewer fit.
CREATE TABLE lists (key BLOB, chunk INTEGER, entries BLOB NOT NULL, PRIMARY KEY (key, chunk)) WITHOUT ROWID;
-- The last row of each, until another one has to be begun.
CREATE TABLE tails (key BLOB PRIMARY KEY, chunk INTEGER NOT NULL, entries BLOB NOT NULL) WITHOUT ROWID;

-- What is found by an id or a name: sorted pairs of it and a serial, some forty in a row under the first of them.
CREATE TABLE lookups (first BLOB PRIMARY KEY, pairs BLOB NOT NULL) WITHOUT ROWID;

-- A trade on a book has its record here; one against a pool is the order with the serial `pool_order`.
CREATE TABLE trades (serial INTEGER PRIMARY KEY, at INTEGER NOT NULL, record BLOB, pool_order INTEGER);

-- An order that is still open has its id here and no record: memory knows how it stands. `position` is its place in its
-- user's list.
CREATE TABLE orders (serial INTEGER PRIMARY KEY, id BLOB, position INTEGER NOT NULL, record BLOB);
-- Which positions of a user's list have come to which end, a bit each.
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
                tracing::info!(found, "history is of another version and is made again out of the journal");
            }
            remove(path)?;
            let connection = configured(path)?;
            connection.execute_batch(TABLES)?;
            connection.execute_batch(super::audit::TABLES)?;
            connection.execute_batch(super::retired::TABLES)?;
            connection.execute_batch(super::postings::TABLES)?;
            connection.pragma_update(None, "user_version", VERSION)?;
            Ok(connection)
        }
    }
}

fn configured(path: &Path) -> Result<Connection, HistoryError> {
    // For its owner alone. SQLite gives the files beside the database the same mode.
    fs::OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A commit need not be durable: whoever relies on history asks for that (`History::make_durable`), and what a
    // crash takes is made again out of the journal.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // What is committed goes on to the database itself on a thread of its own (`checkpoints.rs`), and here only when that
    // has fallen far behind, in pages.
    connection.pragma_update(None, "wal_autocheckpoint", 131_072)?;
    connection.pragma_update(None, "cache_size", -131_072)?;
    keep_temporary_in_memory(&connection)?;
    keep_statements(&connection)?;
    Ok(connection)
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Whether an error says that the file is not what was written. A disk that cannot be read is another matter.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Whether an error passes by itself: no descriptor was free for a file, or another process holds the database.
pub(super) fn is_transient(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::DatabaseBusy))
}

/// The database and what SQLite keeps beside it.
pub(super) fn remove(path: &Path) -> Result<(), HistoryError> {
    for file in files(path) {
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}

/// The log's file and the database's, open for as long as history is: making them durable must not depend on a free
/// descriptor. And a process that closes a file of SQLite's gives up the locks that SQLite has on it.
#[derive(Debug)]
pub(super) struct Files([fs::File; 2]);

impl Files {
    /// Both are there once a connection has read or written.
    pub(super) fn open(path: &Path) -> std::io::Result<Files> {
        let [log, database, _] = files(path);
        Ok(Files([fs::File::open(log)?, fs::File::open(database)?]))
    }

    /// Makes what was committed durable.
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

/// Sorting must not depend on a free descriptor.
fn keep_temporary_in_memory(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "temp_store", "MEMORY")
}

/// A statement is prepared once. Without the guarantee one that compares with a parameter is prepared anew whenever the
/// parameter changes, which costs several times what the statement does.
fn keep_statements(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(64);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

/// The last request that is stored; 0 in an empty history.
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
