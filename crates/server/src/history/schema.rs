//! SQLite's part of history: retired events and their search. Opens the file; the tables are defined beside their code.
//!
//! The file is disposable. A file with another schema version is deleted and rebuilt.

use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use super::HistoryError;

/// Incremented with every change to the tables or to their contents.
const VERSION: i64 = 10;

/// Opens the file for writing. Also returns whether it was created, because there was none of this version.
pub(super) fn open_for_writing(path: &Path) -> Result<(Connection, bool), HistoryError> {
    let connection = configured(path)?;
    match version(&connection)? {
        VERSION => Ok((connection, false)),
        found => {
            drop(connection);
            if found != 0 {
                tracing::info!(found, "history has another version; rebuilding it from the journal");
            }
            remove(path)?;
            let connection = configured(path)?;
            connection.execute_batch(super::retired::TABLES)?;
            connection.execute_batch(super::postings::TABLES)?;
            connection.execute_batch(super::titles::TABLES)?;
            connection.pragma_update(None, "user_version", VERSION)?;
            Ok((connection, true))
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
    connection.pragma_update(None, "cache_size", -32_768)?;
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

/// Whether an error is transient: no file descriptor was free, the disk was full or read-only, or another process holds
/// the database lock. A failed sync is not: a second one could succeed although the data is lost.
pub(super) fn is_transient(error: &rusqlite::Error) -> bool {
    use ErrorCode::{CannotOpen, DatabaseBusy, DiskFull, ReadOnly};
    // SQLite reports a full quota and a disk that became read-only as failed writes.
    const FAILED_WRITES: [i32; 2] = [ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_SHMSIZE];
    error.sqlite_error().is_some_and(|error| {
        matches!(error.code, CannotOpen | DatabaseBusy | DiskFull | ReadOnly)
            || FAILED_WRITES.contains(&error.extended_code)
    })
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
