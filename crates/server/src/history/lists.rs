//! Lists under a key, so that the cost of a page does not depend on its depth.
//!
//! "The trades of this user" is a list of trade serials in insertion order, split into rows of a hundred. The n-th
//! entry is one lookup, the count follows from the last row, and appending rewrites one short row per list and
//! transaction. Last rows are in their own table: a user's are adjacent there, and full rows are written once. Lists
//! that are searched by value ascend. Most lists hold numbers; results (`results.rs`) have longer entries and fewer per
//! row.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use foldhash::fast::RandomState;
use rusqlite::{Connection, OptionalExtension, params};

use super::HistoryError;
pub(super) use super::list_key::ListKey;
use super::pages::Window;

/// Bytes of entries per row. With its key the row stays under a quarter of a database page; a larger one would overflow.
const ROW_BYTES: usize = 800;
/// Size of a number.
const ENTRY_BYTES: usize = 8;
/// Numbers per row.
const CHUNK: u64 = per_row::<ENTRY_BYTES>();
/// Last rows cached between transactions.
const TAILS_MAX: usize = 100_000;
const WALKED_AT_ONCE: u64 = 1_000;

const fn per_row<const BYTES: usize>() -> u64 {
    (ROW_BYTES / BYTES) as u64
}

/// The last rows of lists, cached for the writer.
#[derive(Debug, Default)]
pub(super) struct Tails<const BYTES: usize = ENTRY_BYTES> {
    tails: HashMap<ListKey, Tail, RandomState>,
    full: Vec<(ListKey, Tail)>,
    dirty: Vec<ListKey>,
    /// Counts transactions.
    turn: u64,
}

#[derive(Debug, Default)]
struct Tail {
    chunk: u64,
    entries: Vec<u8>,
    /// The last transaction that changed it.
    turn: Option<u64>,
}

impl Tail {
    fn load(connection: &Connection, key: &ListKey) -> rusqlite::Result<Tail> {
        let mut statement = connection.prepare_cached("SELECT chunk, entries FROM tails WHERE key = ?1")?;
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get(1)?));
        let found = statement.query_row([key.as_bytes()], read).optional()?;
        let (chunk, entries) = found.unwrap_or_default();
        Ok(Tail { chunk: chunk.unsigned_abs(), entries, ..Tail::default() })
    }

    fn store(&self, statement: &mut rusqlite::Statement<'_>, key: &ListKey) -> rusqlite::Result<()> {
        statement.execute(params![key.as_bytes(), self.chunk.cast_signed(), self.entries]).map(drop)
    }
}

impl Tails {
    /// Appends a number and returns its position.
    pub(super) fn push(
        &mut self,
        connection: &Connection,
        key: ListKey,
        entry: u64,
    ) -> rusqlite::Result<u64> {
        self.append(connection, key, |_| entry.to_be_bytes())
    }
}

impl<const BYTES: usize> Tails<BYTES> {
    /// Appends an entry computed from the last one and returns its position.
    pub(super) fn append(
        &mut self,
        connection: &Connection,
        key: ListKey,
        next: impl FnOnce(Option<&[u8; BYTES]>) -> [u8; BYTES],
    ) -> rusqlite::Result<u64> {
        let tail = match self.tails.entry(key) {
            Entry::Occupied(tail) => tail.into_mut(),
            Entry::Vacant(place) => place.insert(Tail::load(connection, &key)?),
        };
        let entry = next(tail.entries.last_chunk());
        let mut position = (tail.entries.len() / BYTES) as u64;
        if position == per_row::<BYTES>() {
            let next = Tail { chunk: tail.chunk + 1, entries: Vec::new(), turn: tail.turn };
            self.full.push((key, std::mem::replace(tail, next)));
            position = 0;
        }
        tail.entries.extend(entry);
        if tail.turn != Some(self.turn) {
            tail.turn = Some(self.turn);
            self.dirty.push(key);
        }
        Ok(tail.chunk * per_row::<BYTES>() + position)
    }

    /// Writes changed rows.
    pub(super) fn flush(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        // In key order, so that adjacent rows are written together.
        self.full.sort_unstable_by_key(|(key, tail)| (*key, tail.chunk));
        let mut statement = connection.prepare_cached("INSERT INTO lists VALUES (?1, ?2, ?3)")?;
        for (key, tail) in self.full.drain(..) {
            tail.store(&mut statement, &key)?;
        }
        self.dirty.sort_unstable();
        let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO tails VALUES (?1, ?2, ?3)")?;
        for key in self.dirty.drain(..) {
            self.tails[&key].store(&mut statement, &key)?;
        }
        if self.tails.len() > TAILS_MAX {
            // Rows just written are likely to be needed again. If those alone exceed the limit, drop everything.
            self.tails.retain(|_, tail| tail.turn == Some(self.turn));
            if self.tails.len() > TAILS_MAX {
                self.tails.clear();
            }
        }
        self.turn += 1;
        Ok(())
    }
}

/// The number of entries in a list of numbers.
pub(super) fn count(connection: &Connection, key: &ListKey) -> rusqlite::Result<u64> {
    count_of::<ENTRY_BYTES>(connection, key)
}

/// The number of entries, given their size.
pub(super) fn count_of<const BYTES: usize>(connection: &Connection, key: &ListKey) -> rusqlite::Result<u64> {
    let query = "SELECT chunk, length(entries) FROM tails WHERE key = ?1";
    let mut statement = connection.prepare_cached(query)?;
    let read = |row: &rusqlite::Row<'_>| {
        let (chunk, bytes): (i64, i64) = (row.get(0)?, row.get(1)?);
        Ok(chunk.unsigned_abs() * per_row::<BYTES>() + bytes.unsigned_abs() / BYTES as u64)
    };
    Ok(statement.query_row([key.as_bytes()], read).optional()?.unwrap_or(0))
}

/// The numbers at the positions `from..to`.
pub(super) fn slice(
    connection: &Connection,
    key: &ListKey,
    from: u64,
    to: u64,
) -> rusqlite::Result<Vec<u64>> {
    slice_of(connection, key, from, to, u64::from_be_bytes)
}

/// The entries at the positions `from..to`, each decoded by `read`.
pub(super) fn slice_of<T, const BYTES: usize>(
    connection: &Connection,
    key: &ListKey,
    from: u64,
    to: u64,
    read: impl Fn([u8; BYTES]) -> T,
) -> rusqlite::Result<Vec<T>> {
    let mut found = Vec::with_capacity(usize::try_from(to.saturating_sub(from)).unwrap_or_default());
    if from >= to {
        return Ok(found);
    }
    let chunks = [from, to - 1].map(|position| (position / per_row::<BYTES>()).cast_signed());
    let full = "SELECT chunk, entries FROM lists WHERE key = ?1 AND chunk BETWEEN ?2 AND ?3 ORDER BY chunk";
    let last = "SELECT chunk, entries FROM tails WHERE key = ?1 AND chunk BETWEEN ?2 AND ?3";
    for query in [full, last] {
        let mut statement = connection.prepare_cached(query)?;
        let mut rows = statement.query(params![key.as_bytes(), chunks[0], chunks[1]])?;
        while let Some(row) = rows.next()? {
            let start = row.get::<_, i64>(0)?.unsigned_abs() * per_row::<BYTES>();
            let entries = (start..).zip(row.get_ref(1)?.as_blob()?.as_chunks::<BYTES>().0);
            found.extend(entries.filter(|(at, _)| (from..to).contains(at)).map(|(_, entry)| read(*entry)));
        }
        if found.len() as u64 == to - from {
            break;
        }
    }
    Ok(found)
}

/// The next subject after that of `key`, among lists of the same owner and kind.
pub(super) fn subject_after(connection: &Connection, key: &ListKey) -> rusqlite::Result<Option<u128>> {
    let mut statement = connection.prepare_cached("SELECT min(key) FROM tails WHERE key > ?1")?;
    let mut rows = statement.query([key.as_bytes()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(row.get_ref(0)?.as_blob_or_null()?.and_then(|found| key.subject_of(found)))
}

/// The entries of a window over a part of a list, newest first, and the cursor of the next page.
pub(super) fn window(
    connection: &Connection,
    key: &ListKey,
    span: &Range<u64>,
    window: Window,
) -> rusqlite::Result<(Vec<u64>, Option<u64>)> {
    let positions = window.positions(span, |cursor| below(connection, key, cursor))?;
    let mut found = slice(connection, key, positions.start, positions.end)?;
    let next = found.first().copied().filter(|_| positions.start > span.start);
    found.reverse();
    Ok((found, next))
}

/// Visits the shortest of several parts of lists, newest first, in batches.
pub(super) fn walk_shortest(
    connection: &Connection,
    parts: &[(ListKey, Range<u64>)],
    mut visit: impl FnMut(&[u64]) -> Result<(), HistoryError>,
) -> Result<(), HistoryError> {
    let shortest = parts.iter().min_by_key(|(_, span)| span.end - span.start);
    let Some((key, span)) = shortest else { return Ok(()) };
    let mut end = span.end;
    while end > span.start {
        let start = end.saturating_sub(WALKED_AT_ONCE).max(span.start);
        let mut found = slice(connection, key, start, end)?;
        found.reverse();
        visit(&found)?;
        end = start;
    }
    Ok(())
}

/// How many entries of an ascending list are below `bound`.
pub(super) fn below(connection: &Connection, key: &ListKey, bound: u64) -> rusqlite::Result<u64> {
    let tail = Tail::load(connection, key)?;
    let count_in =
        |entries: &[u8]| entries.as_chunks().0.partition_point(|entry| u64::from_be_bytes(*entry) < bound);
    // Most bounds fall into the last row.
    let in_tail = count_in(&tail.entries) as u64;
    if in_tail > 0 {
        return Ok(tail.chunk * CHUNK + in_tail);
    }
    // Binary search for the last chunk whose first entry is below the bound.
    let (mut low, mut high) = (0, tail.chunk);
    while low < high {
        let middle = u64::midpoint(low, high);
        match slice(connection, key, middle * CHUNK, middle * CHUNK + 1)?.first() {
            Some(first) if *first < bound => low = middle + 1,
            _ => high = middle,
        }
    }
    let Some(chunk) = low.checked_sub(1) else { return Ok(0) };
    let entries = slice(connection, key, chunk * CHUNK, (chunk + 1) * CHUNK)?;
    Ok(chunk * CHUNK + entries.partition_point(|entry| *entry < bound) as u64)
}

#[cfg(test)]
mod tests {
    use exchange::id::{EventId, UserId};
    use exchange::numbers::Currency;

    use super::super::schema;
    use super::*;

    /// Lengths on both sides of chunk boundaries.
    const LENGTHS: [u64; 11] = [0, 1, 2, 99, 100, 101, 199, 200, 201, 300, 350];

    fn in_a_new_file<T>(work: impl FnOnce(&Connection) -> T) -> T {
        let folder = tempfile::tempdir().expect("temporary folder");
        work(&schema::open_for_writing(&folder.path().join("lists.sqlite")).expect("a new database"))
    }

    /// Numbers with gaps, under a separate key for each length.
    fn list(connection: &Connection, length: u64) -> (ListKey, Vec<u64>) {
        let key = ListKey::trades_of_user(UserId::new(u128::from(length)), None);
        let entries: Vec<u64> = (0..length).map(|number| 5 + number * 3).collect();
        let mut tails = <Tails>::default();
        for (position, entry) in (0..).zip(&entries) {
            assert_eq!(tails.push(connection, key, *entry), Ok(position));
        }
        tails.flush(connection).expect("the list can be written");
        (key, entries)
    }

    #[test]
    fn a_list_is_counted_and_cut_at_any_border() {
        in_a_new_file(|connection| {
            for length in LENGTHS {
                let (key, entries) = list(connection, length);
                assert_eq!(count(connection, &key), Ok(length));
                let is_near = |place: &u64| matches!(place % CHUNK, 0 | 1 | 99) || *place == length;
                let places: Vec<u64> = (0..=length).filter(is_near).collect();
                for from in &places {
                    for to in &places {
                        let expected = entries.get(*from as usize..*to as usize).unwrap_or_default();
                        let found = slice(connection, &key, *from, *to).expect("the list can be read");
                        assert_eq!(found, expected, "{from}..{to} of {length}");
                    }
                }
            }
        });
    }

    #[test]
    fn a_list_of_longer_entries_is_counted_and_cut_at_any_border() {
        const BYTES: usize = 72;
        let (user, currency) = (UserId::new(1), Currency::Usd);
        let key = ListKey::results(user, currency, Some(EventId::new(7)));
        in_a_new_file(|connection| {
            let mut tails = Tails::<BYTES>::default();
            for count in 0..40_u8 {
                // Each entry is computed from the previous one.
                let next = |last: Option<&[u8; BYTES]>| last.map_or([0; BYTES], |last| [last[0] + 1; BYTES]);
                assert_eq!(tails.append(connection, key, next), Ok(u64::from(count)));
                if count % 5 == 0 {
                    tails.flush(connection).expect("the list can be written");
                    let expected: Vec<u8> = (0..=count).collect();
                    assert_eq!(count_of::<BYTES>(connection, &key), Ok(u64::from(count) + 1));
                    for from in 0..=count {
                        let found =
                            slice_of(connection, &key, u64::from(from), 1_000, |entry: [u8; BYTES]| {
                                entry[71]
                            });
                        assert_eq!(found.as_deref(), Ok(&expected[usize::from(from)..]));
                    }
                }
            }
            assert_eq!(subject_after(connection, &ListKey::results(user, currency, None)), Ok(Some(7)));
            assert_eq!(subject_after(connection, &key), Ok(None));
        });
    }

    #[test]
    fn the_count_below_a_bound_equals_a_plain_search() {
        in_a_new_file(|connection| {
            for length in LENGTHS {
                let (key, entries) = list(connection, length);
                for bound in (0..=length * 3 + 7).chain([u64::MAX]) {
                    let expected = entries.iter().filter(|entry| **entry < bound).count() as u64;
                    assert_eq!(below(connection, &key, bound), Ok(expected), "{bound} in {length}");
                }
            }
        });
    }

    #[test]
    fn a_list_continues_where_another_writer_left_it() {
        in_a_new_file(|connection| {
            let (key, other) =
                (ListKey::trades_of_user(UserId::new(1), None), ListKey::orders_of_user(UserId::new(1)));
            let mut pushed = 0;
            for length in [1, 98, 1, 1, 99, 100, 101, 250] {
                let mut tails = <Tails>::default();
                for _ in 0..length {
                    assert_eq!(tails.push(connection, key, pushed), Ok(pushed));
                    pushed += 1;
                }
                tails.flush(connection).expect("the list can be written");
                assert_eq!(count(connection, &key), Ok(pushed));
                assert_eq!(slice(connection, &key, 0, pushed), Ok((0..pushed).collect()));
            }
            assert_eq!(count(connection, &other), Ok(0), "another list is not touched");
        });
    }
}
