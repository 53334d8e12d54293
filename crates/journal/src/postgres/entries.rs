//! Personal entries next to the rows of the people store, and the notes of which node sends a push message.

use tokio_postgres::Row;

use super::people::People;
use crate::Error;

const COLUMNS: &str = "serial, id, person, kind, mark, wrapped_key, sealed";
const INSERT: &str = "INSERT INTO bellwether_people_entries (id, person, kind, mark, wrapped_key, sealed) \
    VALUES ($1, $2, $3, $4, $5, $6)";
/// Entries of one person are inserted one after another, so that no two of them pass the limit together.
const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 7))";
const COUNT: &str = "SELECT count(*) FROM bellwether_people_entries WHERE person = $1 AND kind = $2";
const DELETE_OLDEST: &str = "DELETE FROM bellwether_people_entries WHERE serial = (SELECT min(serial) \
    FROM bellwether_people_entries WHERE person = $1 AND kind = $2 AND mark > 0)";
const RAISE: &str = "INSERT INTO bellwether_people_entries (id, person, kind, mark, wrapped_key, sealed) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) \
    DO UPDATE SET mark = greatest(bellwether_people_entries.mark, excluded.mark)";
const MARK: &str = "UPDATE bellwether_people_entries SET mark = $2, wrapped_key = $3, sealed = $4 \
    WHERE id = $1 AND mark = 0";
const DELETE: &str = "DELETE FROM bellwether_people_entries WHERE person = $1 AND kind = $2 AND id = $3";
const ERASE: &str = "DELETE FROM bellwether_people_entries WHERE person = ANY($1)";
const ERASE_SENT: &str = "DELETE FROM bellwether_people_sent WHERE person = ANY($1)";
const SEND: &str = "INSERT INTO bellwether_people_sent (person, kind, sequence, at) VALUES ($1, $2, $3, $4) \
    ON CONFLICT DO NOTHING";
const FORGET_SENT: &str = "DELETE FROM bellwether_people_sent WHERE at < $1";

/// A personal entry: opaque and encrypted, apart from its kind and mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalEntry {
    /// Assigned by the table.
    pub serial: i64,
    pub id: [u8; 16],
    pub person: [u8; 16],
    pub kind: i16,
    pub mark: i64,
    pub wrapped_key: Vec<u8>,
    pub sealed: Vec<u8>,
}

impl People {
    pub fn entries_of(&mut self, person: [u8; 16]) -> Result<Vec<PersonalEntry>, Error> {
        let query =
            format!("SELECT {COLUMNS} FROM bellwether_people_entries WHERE person = $1 ORDER BY serial");
        let person = person.as_slice();
        let found = self.link.call("read the people store in", async |connected| {
            connected.client.query(&query, &[&person]).await
        })?;
        found.iter().map(entry).collect()
    }

    /// At most `max` entries after a serial, in order of serials.
    pub fn entries_after(&mut self, serial: i64, max: usize) -> Result<Vec<PersonalEntry>, Error> {
        let query = format!(
            "SELECT {COLUMNS} FROM bellwether_people_entries WHERE serial > $1 ORDER BY serial LIMIT $2"
        );
        let max = i64::try_from(max).unwrap_or(i64::MAX);
        let found = self.link.call("read the people store in", async |connected| {
            connected.client.query(&query, &[&serial, &max]).await
        })?;
        found.iter().map(entry).collect()
    }

    /// Inserts an entry unless its person has `max` of its kind. A full kind drops its oldest marked entry first. The entry
    /// `instead_of` goes in the same transaction.
    pub fn insert_entry(
        &mut self,
        new: &PersonalEntry,
        max: Option<usize>,
        instead_of: Option<[u8; 16]>,
    ) -> Result<bool, Error> {
        let PersonalEntry { id, person, kind, mark, wrapped_key, sealed, .. } = new;
        let (id, person) = (id.as_slice(), person.as_slice());
        self.link.call("write to the people store in", async |connected| {
            let change = connected.client.transaction().await?;
            if let Some(old) = &instead_of {
                change.execute(DELETE, &[&person, kind, &old.as_slice()]).await?;
            }
            if let Some(max) = max {
                change.execute(LOCK, &[&person]).await?;
                let count: i64 = change.query_one(COUNT, &[&person, kind]).await?.get(0);
                let is_full = usize::try_from(count).unwrap_or(usize::MAX) >= max;
                if is_full && change.execute(DELETE_OLDEST, &[&person, kind]).await? == 0 {
                    return Ok(false);
                }
            }
            change.execute(INSERT, &[&id, &person, kind, mark, wrapped_key, sealed]).await?;
            change.commit().await.map(|()| true)
        })
    }

    /// Inserts an entry, or raises the mark of the existing one.
    pub fn raise_entry(&mut self, new: &PersonalEntry) -> Result<(), Error> {
        let PersonalEntry { id, person, kind, mark, wrapped_key, sealed, .. } = new;
        let (id, person) = (id.as_slice(), person.as_slice());
        self.link.call("write to the people store in", async |connected| {
            connected.client.execute(RAISE, &[&id, &person, kind, mark, wrapped_key, sealed]).await.map(drop)
        })
    }

    /// Marks an unmarked entry and replaces its content. Returns whether this call did it.
    pub fn mark_entry(&mut self, new: &PersonalEntry) -> Result<bool, Error> {
        let PersonalEntry { id, mark, wrapped_key, sealed, .. } = new;
        let id = id.as_slice();
        self.link.call("write to the people store in", async |connected| {
            Ok(connected.client.execute(MARK, &[&id, mark, wrapped_key, sealed]).await? > 0)
        })
    }

    pub fn delete_entry(&mut self, person: [u8; 16], kind: i16, id: [u8; 16]) -> Result<bool, Error> {
        let (person, id) = (person.as_slice(), id.as_slice());
        self.link.call("delete from the people store in", async |connected| {
            Ok(connected.client.execute(DELETE, &[&person, &kind, &id]).await? > 0)
        })
    }

    /// Deletes all entries of persons. If there were any, their bytes must still be removed from the files.
    pub fn delete_entries_of(&mut self, persons: Vec<Vec<u8>>) -> Result<(), Error> {
        self.link.call("delete from the people store in", async |connected| {
            let deletion = connected.client.transaction().await?;
            let entries = deletion.execute(ERASE, &[&persons]).await?;
            let sent = deletion.execute(ERASE_SENT, &[&persons]).await?;
            if entries + sent > 0 {
                deletion.execute(super::people::SET, &[&super::people::ERASURE_DUE, &b"".as_slice()]).await?;
            }
            deletion.commit().await
        })
    }

    /// Notes that a message is sent. Returns whether no node had noted it.
    pub fn insert_sent(
        &mut self,
        person: [u8; 16],
        kind: i16,
        sequence: i64,
        at: i64,
    ) -> Result<bool, Error> {
        let person = person.as_slice();
        self.link.call("write to the people store in", async |connected| {
            Ok(connected.client.execute(SEND, &[&person, &kind, &sequence, &at]).await? > 0)
        })
    }

    /// Deletes the notes of messages sent before a time.
    pub fn delete_sent(&mut self, before: i64) -> Result<(), Error> {
        self.link.call("delete from the people store in", async |connected| {
            connected.client.execute(FORGET_SENT, &[&before]).await.map(drop)
        })
    }
}

fn entry(row: &Row) -> Result<PersonalEntry, Error> {
    let id = |column| -> Result<[u8; 16], Error> {
        let bytes = row.get::<_, &[u8]>(column);
        bytes
            .try_into()
            .map_err(|_| Error::wrong_file("the people store", "has an id that does not have 16 bytes"))
    };
    Ok(PersonalEntry {
        serial: row.get(0),
        id: id(1)?,
        person: id(2)?,
        kind: row.get(3),
        mark: row.get(4),
        wrapped_key: row.get(5),
        sealed: row.get(6),
    })
}
