//! The rows of the people store, next to the log. They are opaque here, and encrypted.
//!
//! A row counts once a frame of the log refers to it, so it must be as durable as a frame: this link checks each
//! server's settings like the writer of the log.

use std::time::Duration;

use tokio_postgres::Row;

use super::link::Link;
use crate::Error;

const SETTING: &str = "SELECT value FROM bellwether_people_settings WHERE name = $1";
const AGREE: &str =
    "INSERT INTO bellwether_people_settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
pub(super) const SET: &str = "INSERT INTO bellwether_people_settings (name, value) VALUES ($1, $2) \
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";
const UNSET: &str = "DELETE FROM bellwether_people_settings WHERE name = $1";
const INSERT: &str = "INSERT INTO bellwether_people (id, person, expires_at, wrapped_key, sealed) \
    VALUES ($1, $2, $3, $4, $5)";
const GET: &str = "SELECT id, person, expires_at, wrapped_key, sealed FROM bellwether_people WHERE id = $1";
const PAGE: &str = "SELECT id, person, expires_at, wrapped_key, sealed FROM bellwether_people \
    WHERE id > $1 ORDER BY id LIMIT $2";
const EXPIRED: &str =
    "SELECT id, person, expires_at FROM bellwether_people WHERE expires_at >= $1 AND expires_at < $2";
const OF_PERSON: &str = "SELECT id, person, expires_at FROM bellwether_people WHERE person = $1";
const DELETE: &str = "DELETE FROM bellwether_people WHERE id = ANY($1)";
const REWRAP: &str = "UPDATE bellwether_people SET wrapped_key = $2 WHERE id = $1";
const REWRAP_ENTRY: &str = "UPDATE bellwether_people_entries SET wrapped_key = $2 WHERE id = $1";
/// The tables of the store, which an erasure rewrites.
const TABLES: [&str; 4] = [
    "bellwether_people",
    "bellwether_people_settings",
    "bellwether_people_entries",
    "bellwether_people_sent",
];

/// Set while deleted rows may still have bytes in the table's files.
pub(super) const ERASURE_DUE: &str = "erasure due";
/// Rewriting a table takes a few seconds; a large one may take longer.
const REWRITE_MAX: Duration = Duration::from_secs(600);
const REWRITE_TIMEOUT: &str = "SET statement_timeout = '590s'";
const USUAL_TIMEOUT: &str = "SET statement_timeout = '20s'";
/// For replacing the master key of all rows at once.
const REWRAP_MAX: Duration = Duration::from_secs(600);

/// The unencrypted columns of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PersonHead {
    pub id: [u8; 16],
    pub person: [u8; 16],
    /// Microseconds since 1970.
    pub expires_at: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonRow {
    pub head: PersonHead,
    pub wrapped_key: Vec<u8>,
    pub sealed: Vec<u8>,
}

/// A connection to the people store, owned by one thread.
#[derive(Debug)]
pub struct People {
    pub(super) link: Link,
}

impl People {
    pub(super) fn new(link: Link) -> People {
        People { link }
    }

    pub fn setting(&mut self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        self.link.call("read the people store in", async |connected| {
            Ok(connected.client.query_opt(SETTING, &[&name]).await?.map(|row| row.get(0)))
        })
    }

    /// Sets a value unless it is already set.
    pub fn set_once(&mut self, name: &str, value: &[u8]) -> Result<(), Error> {
        self.link.call("write to the people store in", async |connected| {
            connected.client.execute(AGREE, &[&name, &value]).await.map(drop)
        })
    }

    /// Inserts a row. It is committed when this returns.
    pub fn insert(&mut self, row: PersonRow) -> Result<(), Error> {
        let PersonRow { head: PersonHead { id, person, expires_at }, wrapped_key, sealed } = row;
        let (id, person) = (id.as_slice(), person.as_slice());
        self.link.call("write to the people store in", async |connected| {
            let insert = connected.prepare(INSERT).await?;
            connected
                .client
                .execute(&insert, &[&id, &person, &expires_at, &wrapped_key, &sealed])
                .await
                .map(drop)
        })
    }

    pub fn get(&mut self, id: [u8; 16]) -> Result<Option<PersonRow>, Error> {
        let id = id.as_slice();
        let found = self.link.call("read the people store in", async |connected| {
            let get = connected.prepare(GET).await?;
            connected.client.query_opt(&get, &[&id]).await
        })?;
        found.as_ref().map(row).transpose()
    }

    /// At most `max` rows after an id, ordered by id.
    pub fn page(&mut self, after: Vec<u8>, max: usize) -> Result<Vec<PersonRow>, Error> {
        let max = i64::try_from(max).unwrap_or(i64::MAX);
        let found = self.link.call("read the people store in", async |connected| {
            connected.client.query(PAGE, &[&after, &max]).await
        })?;
        found.iter().map(row).collect()
    }

    /// Rows whose expiry is at or after `from` and before `until`.
    pub fn expired(&mut self, from: i64, until: i64) -> Result<Vec<PersonHead>, Error> {
        let found = self.link.call("read the people store in", async |connected| {
            connected.client.query(EXPIRED, &[&from, &until]).await
        })?;
        found.iter().map(head).collect()
    }

    pub fn of_person(&mut self, person: [u8; 16]) -> Result<Vec<PersonHead>, Error> {
        let person = person.as_slice();
        let found = self.link.call("read the people store in", async |connected| {
            connected.client.query(OF_PERSON, &[&person]).await
        })?;
        found.iter().map(head).collect()
    }

    /// Deletes rows. An erasure also records that their bytes must still be removed from the files.
    pub fn delete(&mut self, rows: Vec<Vec<u8>>, is_erasure: bool) -> Result<(), Error> {
        self.link.call("delete from the people store in", async |connected| {
            let deletion = connected.client.transaction().await?;
            deletion.execute(DELETE, &[&rows]).await?;
            if is_erasure {
                deletion.execute(SET, &[&ERASURE_DUE, &b"".as_slice()]).await?;
            }
            deletion.commit().await
        })
    }

    /// Rewrites the tables if an erasure is due, so that their files hold nothing of the deleted rows.
    pub fn finish_erasure(&mut self) -> Result<(), Error> {
        if self.setting(ERASURE_DUE)?.is_none() {
            return Ok(());
        }
        self.link.call_within(REWRITE_MAX, "write anew the people store in", async |connected| {
            connected.client.batch_execute(REWRITE_TIMEOUT).await?;
            for table in TABLES {
                connected.client.batch_execute(&format!("VACUUM FULL {table}")).await?;
            }
            connected.client.batch_execute(USUAL_TIMEOUT).await?;
            connected.client.execute(UNSET, &[&ERASURE_DUE]).await.map(drop)
        })
    }

    /// Replaces wrapped keys and settings, all or none.
    pub fn rewrap(
        &mut self,
        keys: Vec<([u8; 16], Vec<u8>)>,
        entries: Vec<([u8; 16], Vec<u8>)>,
        settings: Vec<(String, Vec<u8>)>,
    ) -> Result<(), Error> {
        self.link.call_within(REWRAP_MAX, "wrap anew the people store in", async |connected| {
            let change = connected.client.transaction().await?;
            let rewrap = change.prepare(REWRAP).await?;
            for (id, key) in &keys {
                change.execute(&rewrap, &[&id.as_slice(), key]).await?;
            }
            let rewrap = change.prepare(REWRAP_ENTRY).await?;
            for (id, key) in &entries {
                change.execute(&rewrap, &[&id.as_slice(), key]).await?;
            }
            for (name, value) in &settings {
                change.execute(SET, &[name, value]).await?;
            }
            change.execute(SET, &[&ERASURE_DUE, &b"".as_slice()]).await?;
            change.commit().await
        })
    }
}

fn head(row: &Row) -> Result<PersonHead, Error> {
    let id = |column| -> Result<[u8; 16], Error> {
        let bytes = row.get::<_, &[u8]>(column);
        bytes
            .try_into()
            .map_err(|_| Error::wrong_file("the people store", "has an id that does not have 16 bytes"))
    };
    Ok(PersonHead { id: id(0)?, person: id(1)?, expires_at: row.get(2) })
}

fn row(row: &Row) -> Result<PersonRow, Error> {
    Ok(PersonRow { head: head(row)?, wrapped_key: row.get(3), sealed: row.get(4) })
}
