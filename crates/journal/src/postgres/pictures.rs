//! The pictures of a venue, next to the log: rows by hash, opaque here.
//!
//! A frame of the log may name a picture, so a row must be as durable as a frame: this link checks each server's
//! settings like the writer of the log. The database's clock measures the age of a row.

use std::time::Duration;

use tokio_postgres::Row;

use super::link::Link;
use crate::Error;

/// A picture that is stored again counts as new: its upload was just answered. Its content replaces a damaged one.
const PUT: &str = "INSERT INTO bellwether_pictures (hash, named, stored_at, content) VALUES ($1, false, now(), $2) \
    ON CONFLICT (hash) DO UPDATE SET stored_at = now(), content = excluded.content";
const GET: &str = "SELECT content FROM bellwether_pictures WHERE hash = $1";
const NAME: &str = "UPDATE bellwether_pictures SET named = true WHERE hash = ANY($1) AND NOT named";
const NAMED: &str = "SELECT hash FROM bellwether_pictures WHERE hash = ANY($1) AND named";
const SWEEP: &str =
    "DELETE FROM bellwether_pictures WHERE NOT named AND stored_at < now() - make_interval(secs => $1)";
const LIST: &str = "SELECT hash, named FROM bellwether_pictures ORDER BY hash";

/// The columns of a picture without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureHead {
    pub hash: [u8; 32],
    /// Whether a command has named the picture.
    pub is_named: bool,
}

/// A connection to the pictures, owned by one thread.
#[derive(Debug)]
pub struct Pictures {
    link: Link,
}

impl Pictures {
    pub(super) fn new(link: Link) -> Pictures {
        Pictures { link }
    }

    /// Stores a picture. It is committed when this returns.
    pub fn put(&mut self, hash: [u8; 32], content: &[u8]) -> Result<(), Error> {
        let hash = hash.as_slice();
        self.link.call("store a picture in", async |connected| {
            let put = connected.prepare(PUT).await?;
            connected.client.execute(&put, &[&hash, &content]).await.map(drop)
        })
    }

    pub fn get(&mut self, hash: [u8; 32]) -> Result<Option<Vec<u8>>, Error> {
        let hash = hash.as_slice();
        self.link.call("read a picture in", async |connected| {
            let get = connected.prepare(GET).await?;
            Ok(connected.client.query_opt(&get, &[&hash]).await?.map(|row| row.get(0)))
        })
    }

    /// Marks pictures as named, and returns those that exist.
    pub fn name(&mut self, hashes: &[[u8; 32]]) -> Result<Vec<[u8; 32]>, Error> {
        let hashes: Vec<Vec<u8>> = hashes.iter().map(|hash| hash.to_vec()).collect();
        let rows = self.link.call("name pictures in", async |connected| {
            let naming = connected.client.transaction().await?;
            naming.execute(NAME, &[&hashes]).await?;
            // A second statement, so that it sees a row that a sweep has deleted meanwhile as missing.
            let rows = naming.query(NAMED, &[&hashes]).await?;
            naming.commit().await?;
            Ok(rows)
        })?;
        rows.iter().map(|row| hash_of(row.get(0))).collect()
    }

    /// Deletes pictures that no command has named and that were stored longer ago than `age`.
    pub fn sweep(&mut self, age: Duration) -> Result<u64, Error> {
        let seconds = age.as_secs_f64();
        self.link.call("sweep the pictures in", async |connected| {
            connected.client.execute(SWEEP, &[&seconds]).await
        })
    }

    /// All pictures, in the order of their hashes.
    pub fn list(&mut self) -> Result<Vec<PictureHead>, Error> {
        let rows = self
            .link
            .call("list the pictures in", async |connected| connected.client.query(LIST, &[]).await)?;
        let head = |row: &Row| Ok(PictureHead { hash: hash_of(row.get(0))?, is_named: row.get(1) });
        rows.iter().map(head).collect()
    }
}

fn hash_of(bytes: &[u8]) -> Result<[u8; 32], Error> {
    bytes.try_into().map_err(|_| Error::wrong_file("the pictures", "have a hash that does not have 32 bytes"))
}
