//! The tables. A closed order is its canonical bytes, beside what it is looked up by.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS closed_orders (
    serial INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    user BLOB NOT NULL,
    record BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS closed_orders_of_user ON closed_orders (user, serial);
CREATE TABLE IF NOT EXISTS replies (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS replies_by_age ON replies (at);
";

pub(super) fn open_for_writing(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A snapshot may only be taken where history is durable, so commits are.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch(TABLES)?;
    Ok(connection)
}

pub(super) fn open_for_reading(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// The last request that is stored; 0 in an empty history.
pub(super) fn last_sequence(connection: &Connection) -> rusqlite::Result<u64> {
    let found =
        connection.query_row("SELECT sequence FROM progress", [], |row| row.get::<_, i64>(0)).optional()?;
    Ok(found.unwrap_or(0).unsigned_abs())
}
