//! Shared tables next to the log: values that all nodes must agree on, digests at checkpoints, and snapshots.
//!
//! None of it is authoritative; the frames are. The first node writes a value, and the others compare theirs with it.

use std::io::{self, Write};
use std::time::Duration;

use super::appending::signed;
use super::link::Link;
use crate::snapshots::{self, Latest, Snapshot, Snapshots};
use crate::{Error, Head, Sequence};

const AGREE: &str = "INSERT INTO bellwether_agreed (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const AGREED: &str = "SELECT value FROM bellwether_agreed WHERE name = $1";
const CHECK: &str =
    "INSERT INTO bellwether_checkpoints (sequence, node, digest) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
const CHECKED: &str = "SELECT digest FROM bellwether_checkpoints WHERE sequence = $1";
/// Keeps more than a day of checkpoints that are a minute apart.
const FORGET_CHECKPOINTS: &str = "DELETE FROM bellwether_checkpoints WHERE sequence < \
    (SELECT min(sequence) FROM (SELECT sequence FROM bellwether_checkpoints ORDER BY sequence DESC LIMIT 2000) AS kept)";

/// Only one node writes a snapshot at a time; a second node skips it.
const CLAIM: &str = "SELECT pg_try_advisory_xact_lock(5577006791947779411)";
const PUT_PIECE: &str =
    "INSERT INTO bellwether_snapshots (sequence, piece, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
const NEWEST: &str = "SELECT coalesce(max(sequence), 0) FROM bellwether_snapshots";
const SEQUENCES: &str = "SELECT DISTINCT sequence FROM bellwether_snapshots ORDER BY sequence DESC";
const PIECE: &str = "SELECT content FROM bellwether_snapshots WHERE sequence = $1 AND piece = $2";
const FORGET_SNAPSHOTS: &str = "DELETE FROM bellwether_snapshots WHERE sequence NOT IN \
    (SELECT DISTINCT sequence FROM bellwether_snapshots ORDER BY sequence DESC LIMIT 3)";

/// Limits the size of one value, and the memory needed to send it.
const PIECE_BYTES: usize = 4 << 20;
const SAVE_MAX: Duration = Duration::from_secs(120);

/// A connection to the shared tables, owned by one thread.
#[derive(Debug)]
pub struct SharedTables {
    pub(super) link: Link,
}

impl SharedTables {
    pub(super) fn new(link: Link) -> SharedTables {
        SharedTables { link }
    }

    /// Proposes a value under a name and returns the value that was proposed first.
    pub fn set_once(&mut self, name: &str, value: &[u8]) -> Result<Vec<u8>, Error> {
        self.link.call("agree through", async |connected| {
            connected.client.execute(AGREE, &[&name, &value]).await?;
            Ok(connected.client.query_one(AGREED, &[&name]).await?.get(0))
        })
    }

    /// Publishes the state's digest at a sequence and returns the digest that was published first.
    pub fn compare(&mut self, at: Sequence, node: [u8; 16], digest: &[u8; 32]) -> Result<Vec<u8>, Error> {
        let (at, node, digest) = (signed(at), node.as_slice(), digest.as_slice());
        self.link.call("compare digests through", async |connected| {
            connected.client.execute(CHECK, &[&at, &node, &digest]).await?;
            let held = connected.client.query_one(CHECKED, &[&at]).await?.get(0);
            connected.client.execute(FORGET_CHECKPOINTS, &[]).await?;
            Ok(held)
        })
    }

    /// The next sequence of the newest snapshot; zero if there is none.
    pub fn newest_snapshot(&mut self) -> Result<Sequence, Error> {
        let newest: i64 = self.link.call("look for snapshots in", async |connected| {
            Ok(connected.client.query_one(NEWEST, &[]).await?.get(0))
        })?;
        Ok(Sequence(newest.unsigned_abs()))
    }

    /// Stores a snapshot, whose content `write` passes on, and removes all but the last three. Returns `false` if
    /// another node was storing one.
    pub fn save_snapshot(
        &mut self,
        head: &Head,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<bool, Error> {
        let bytes = snapshots::to_bytes(head, write)?;
        let sequence = signed(head.next);
        self.link.call_within(SAVE_MAX, "store a snapshot in", async |connected| {
            let transaction = connected.client.transaction().await?;
            if !transaction.query_one(CLAIM, &[]).await?.get::<_, bool>(0) {
                return Ok(false);
            }
            let put = transaction.prepare(PUT_PIECE).await?;
            for (piece, content) in (0_i32..).zip(bytes.chunks(PIECE_BYTES)) {
                transaction.execute(&put, &[&sequence, &piece, &content]).await?;
            }
            transaction.execute(FORGET_SNAPSHOTS, &[]).await?;
            transaction.commit().await?;
            Ok(true)
        })
    }

    /// The next sequences of all snapshots, oldest first.
    pub fn snapshot_sequences(&mut self) -> Result<Vec<Sequence>, Error> {
        let rows = self
            .link
            .call("look for snapshots in", async |connected| connected.client.query(SEQUENCES, &[]).await)?;
        Ok(rows.iter().rev().map(|row| Sequence(row.get::<_, i64>(0).unsigned_abs())).collect())
    }

    /// Loads one snapshot and verifies it.
    pub fn load_snapshot(&mut self, next: Sequence) -> Result<Snapshot, Error> {
        self.load(signed(next))?
    }

    /// The newest intact snapshot, and the errors of newer ones.
    pub fn latest_snapshot(&mut self) -> Result<Latest, Error> {
        self.latest_read(Ok)
    }

    fn load(&mut self, sequence: i64) -> Result<Result<Snapshot, Error>, Error> {
        let bytes = self.link.call_within(SAVE_MAX, "load a snapshot from", async |connected| {
            let mut bytes = Vec::new();
            let statement = connected.client.prepare(PIECE).await?;
            for piece in 0_i32.. {
                match connected.client.query_opt(&statement, &[&sequence, &piece]).await? {
                    Some(row) => bytes.extend_from_slice(row.get::<_, &[u8]>(0)),
                    None => break,
                }
            }
            Ok(bytes)
        })?;
        let name = name_of(sequence);
        Ok(match snapshots::from_bytes(&bytes) {
            Ok(snapshot) if signed(snapshot.head.next) == sequence => Ok(snapshot),
            Ok(_) => Err(Error::wrong_file(&name, "its key does not match the sequence it holds")),
            Err(what) => Err(Error::wrong_file(&name, what)),
        })
    }
}

impl Snapshots for SharedTables {
    fn latest_read<T>(
        &mut self,
        read: impl FnMut(Snapshot) -> Result<T, String>,
    ) -> Result<Latest<T>, Error> {
        let rows = self
            .link
            .call("look for snapshots in", async |connected| connected.client.query(SEQUENCES, &[]).await)?;
        let mut sequences = rows.iter().map(|row| row.get::<_, i64>(0));
        let names: Vec<_> = sequences.clone().map(name_of).collect();
        Latest::of(names, |_| self.load(sequences.next().unwrap_or_default()), read)
    }
}

fn name_of(sequence: i64) -> String {
    format!("the stored snapshot {sequence}")
}
