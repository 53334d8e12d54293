//! The mark of a node: a session lock of its writer's connection, which keeps a copy of the node's folder off the log.
//!
//! The lock ends with its connection, so the writer claims it on every new connection before its first statement. The
//! table `bellwether_marks` has a row from the first claim until the node stops. If the lock is free and there is a row,
//! the lock was lost with a process, a connection or the server: its node may still run and return.

use tokio_postgres::Client;

use super::appending::PostgresJournal;
use super::shared_tables::SharedTables;
use crate::Error;

/// One row: whether the lock was acquired, and the identity of this session.
const CLAIM: &str = "SELECT pg_try_advisory_lock($1), pid, (extract(epoch FROM backend_start) * 1000000)::bigint \
    FROM pg_stat_activity WHERE pid = pg_backend_pid()";
const IS_HOLDER: &str = "SELECT EXISTS (SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) \
    WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND ((classid::bigint << 32) | objid::bigint) = $1 \
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
    AND pid = $2 AND (extract(epoch FROM backend_start) * 1000000)::bigint = $3)";
/// Names the server by its start. A start is unique enough: it is only compared with that of the same log's servers.
const TRACE: &str = "SELECT server = pg_postmaster_start_time()::text FROM bellwether_marks WHERE mark = $1";
const RELEASE: &str = "DELETE FROM bellwether_marks WHERE mark = $1";

/// The last user of a mark, if it did not release the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkTrace {
    /// There is none: the mark is new or was released.
    None,
    /// It claimed the mark on this server.
    SameServer,
    /// It claimed the mark before this server started, or on another server.
    OtherServer,
}

/// A database session, also after it has ended.
#[derive(Clone, Copy, Debug)]
struct Session {
    pid: i32,
    started: i64,
}

/// The mark of a writer.
#[derive(Debug)]
pub(super) struct Mark {
    number: i64,
    /// The session of this writer that acquired the lock last.
    holder: Option<Session>,
}

impl Mark {
    pub(super) fn new(number: u64) -> Mark {
        Mark { number: number.cast_signed(), holder: None }
    }

    /// Acquires the lock in this session. Returns `None` if another process holds it, else whether this session does:
    /// the server may not have noticed yet that the writer's previous session is over, and that one also keeps copies
    /// away. It is not terminated: it may be waiting for a standby, and its commit must not become visible before.
    pub(super) async fn claim(&mut self, client: &Client) -> Result<Option<bool>, tokio_postgres::Error> {
        if self.acquire(client).await? {
            return Ok(Some(true));
        }
        let Some(Session { pid, started }) = self.holder else { return Ok(None) };
        if client.query_one(IS_HOLDER, &[&self.number, &pid, &started]).await?.get(0) {
            return Ok(Some(false));
        }
        // The previous session may have ended between the two statements. It does not come back: if the lock is not free
        // now, another process holds it.
        Ok(self.acquire(client).await?.then_some(true))
    }

    /// Acquires the lock in this session if it is free.
    async fn acquire(&mut self, client: &Client) -> Result<bool, tokio_postgres::Error> {
        let row = client.query_one(CLAIM, &[&self.number]).await?;
        let is_acquired = row.get(0);
        if is_acquired {
            client.batch_execute(&record(self.number)).await?;
            self.holder = Some(Session { pid: row.get(1), started: row.get(2) });
        }
        Ok(is_acquired)
    }
}

/// Writes the mark's row. It need not survive a failover, and must not wait for a missing standby.
fn record(number: i64) -> String {
    format!(
        "BEGIN; SET LOCAL synchronous_commit = local; \
         INSERT INTO bellwether_marks (mark, server) VALUES ({number}, pg_postmaster_start_time()::text) \
         ON CONFLICT (mark) DO UPDATE SET server = EXCLUDED.server; COMMIT"
    )
}

impl PostgresJournal {
    /// Claims a mark for this writer: now, and on each of its later connections before anything else. Returns `false` if
    /// another process holds it.
    pub fn claim(&mut self, mark: u64) -> Result<bool, Error> {
        self.link.claim(Mark::new(mark))
    }

    /// The last user of a mark.
    pub fn mark_trace(&mut self, mark: u64) -> Result<MarkTrace, Error> {
        let row = self.link.call("look for a mark in", async |connected| {
            connected.client.query_opt(TRACE, &[&mark.cast_signed()]).await
        })?;
        Ok(match row.map(|row| row.get::<_, bool>(0)) {
            None => MarkTrace::None,
            Some(true) => MarkTrace::SameServer,
            Some(false) => MarkTrace::OtherServer,
        })
    }
}

impl SharedTables {
    /// Removes the row of a mark whose node stops.
    pub fn release(&mut self, mark: u64) -> Result<(), Error> {
        self.link.call("release a mark in", async |connected| {
            connected.client.execute(RELEASE, &[&mark.cast_signed()]).await?;
            Ok(())
        })
    }
}
