//! Lists of numbers under a key: what makes a page cost the page.
//!
//! "The trades of this user" is a list of trade serials in the order in which they came, cut into rows of a hundred. So
//! the n-th entry is one look-up away, the count is in the last row, and appending rewrites one short row per list and
//! transaction. Entries of a list that is searched by value ascend.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use exchange::id::{EventId, MarketId, UserId};
use exchange::numbers::Currency;
use exchange::order::{Outcome, Side};
use rusqlite::{Connection, OptionalExtension, params};

use super::HistoryError;
use super::activities::Group;
use super::pages::Window;

/// Entries in a row. With its key such a row stays under a quarter of a database page, above which it would spill.
const CHUNK: u64 = 100;
const ENTRY_BYTES: usize = 8;
/// Lists whose last row is kept at hand between transactions.
const TAILS_MAX: usize = 100_000;
const WALKED_AT_ONCE: u64 = 1_000;

/// What a list is of. The owner comes first, so that a user's lists lie together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ListKey {
    bytes: [u8; 33],
    length: u8,
}

impl ListKey {
    fn of(owner: u128, kind: u8, subject: Option<u128>) -> ListKey {
        let mut bytes = [0; 33];
        bytes[..16].copy_from_slice(&owner.to_be_bytes());
        bytes[16] = kind;
        if let Some(subject) = subject {
            bytes[17..].copy_from_slice(&subject.to_be_bytes());
        }
        ListKey { bytes, length: if subject.is_some() { 33 } else { 17 } }
    }

    pub(super) fn trades_of_market(market: MarketId) -> ListKey {
        ListKey::of(market.as_u128(), 1, None)
    }

    pub(super) fn trades_of_outcome(market: MarketId, outcome: Outcome) -> ListKey {
        let kind = match outcome {
            Outcome::Yes => 2,
            Outcome::No => 3,
        };
        ListKey::of(market.as_u128(), kind, None)
    }

    pub(super) fn trades_of_user(user: UserId) -> ListKey {
        ListKey::of(user.as_u128(), 4, None)
    }

    pub(super) fn orders_of_user(user: UserId) -> ListKey {
        ListKey::of(user.as_u128(), 6, None)
    }

    pub(super) fn orders_of_side(user: UserId, side: Side) -> ListKey {
        let kind = match side {
            Side::Buy => 7,
            Side::Sell => 8,
        };
        ListKey::of(user.as_u128(), kind, None)
    }

    pub(super) fn orders_in_currency(user: UserId, currency: Currency) -> ListKey {
        let kind = match currency {
            Currency::Usd => 9,
            Currency::Ngn => 10,
        };
        ListKey::of(user.as_u128(), kind, None)
    }

    pub(super) fn orders_in_event(user: UserId, event: EventId) -> ListKey {
        ListKey::of(user.as_u128(), 11, Some(event.as_u128()))
    }

    pub(super) fn orders_in_market(user: UserId, market: MarketId) -> ListKey {
        ListKey::of(user.as_u128(), 12, Some(market.as_u128()))
    }

    pub(super) fn orders_in_outcome(user: UserId, market: MarketId, outcome: Outcome) -> ListKey {
        let kind = match outcome {
            Outcome::Yes => 13,
            Outcome::No => 14,
        };
        ListKey::of(user.as_u128(), kind, Some(market.as_u128()))
    }

    /// All but single fills, or those of a group.
    pub(super) fn activities(user: UserId, group: Option<Group>) -> ListKey {
        let kind = match group {
            None => 20,
            Some(Group::Buys) => 21,
            Some(Group::Sells) => 22,
            Some(Group::Limits) => 23,
            Some(Group::Payout) => 24,
        };
        ListKey::of(user.as_u128(), kind, None)
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// The last rows of lists, for the writer.
#[derive(Debug, Default)]
pub(super) struct Tails {
    tails: HashMap<ListKey, Tail>,
    full: Vec<(ListKey, Tail)>,
    /// Counts transactions.
    turn: u64,
}

#[derive(Debug, Default)]
struct Tail {
    chunk: u64,
    entries: Vec<u8>,
    is_dirty: bool,
    /// The last transaction that wrote it.
    turn: u64,
}

impl Tail {
    fn load(connection: &Connection, key: &ListKey) -> rusqlite::Result<Tail> {
        let query = "SELECT chunk, entries FROM lists WHERE key = ?1 ORDER BY chunk DESC LIMIT 1";
        let mut statement = connection.prepare_cached(query)?;
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
    /// Appends, and says at which position.
    pub(super) fn push(
        &mut self,
        connection: &Connection,
        key: ListKey,
        entry: u64,
    ) -> rusqlite::Result<u64> {
        let tail = match self.tails.entry(key) {
            Entry::Occupied(tail) => tail.into_mut(),
            Entry::Vacant(place) => place.insert(Tail::load(connection, &key)?),
        };
        if tail.entries.len() == CHUNK as usize * ENTRY_BYTES {
            let next = Tail { chunk: tail.chunk + 1, ..Tail::default() };
            self.full.push((key, std::mem::replace(tail, next)));
        }
        tail.entries.extend(entry.to_be_bytes());
        tail.is_dirty = true;
        Ok(tail.chunk * CHUNK + (tail.entries.len() / ENTRY_BYTES) as u64 - 1)
    }

    /// Writes what has changed.
    pub(super) fn flush(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO lists VALUES (?1, ?2, ?3)")?;
        for (key, tail) in self.full.drain(..).filter(|(_, tail)| tail.is_dirty) {
            tail.store(&mut statement, &key)?;
        }
        for (key, tail) in self.tails.iter_mut().filter(|(_, tail)| tail.is_dirty) {
            tail.store(&mut statement, key)?;
            (tail.is_dirty, tail.turn) = (false, self.turn);
        }
        if self.tails.len() > TAILS_MAX {
            // Those that were just written will be wanted again; what is too much even so is all read anew.
            self.tails.retain(|_, tail| tail.turn == self.turn);
            if self.tails.len() > TAILS_MAX {
                self.tails.clear();
            }
        }
        self.turn += 1;
        Ok(())
    }
}

/// How many entries there are.
pub(super) fn count(connection: &Connection, key: &ListKey) -> rusqlite::Result<u64> {
    let query = "SELECT chunk, length(entries) FROM lists WHERE key = ?1 ORDER BY chunk DESC LIMIT 1";
    let mut statement = connection.prepare_cached(query)?;
    let read = |row: &rusqlite::Row<'_>| {
        let (chunk, bytes): (i64, i64) = (row.get(0)?, row.get(1)?);
        Ok(chunk.unsigned_abs() * CHUNK + bytes.unsigned_abs() / ENTRY_BYTES as u64)
    };
    Ok(statement.query_row([key.as_bytes()], read).optional()?.unwrap_or(0))
}

/// The entries at the positions `from..to`.
pub(super) fn slice(
    connection: &Connection,
    key: &ListKey,
    from: u64,
    to: u64,
) -> rusqlite::Result<Vec<u64>> {
    if from >= to {
        return Ok(Vec::new());
    }
    let query = "SELECT chunk, entries FROM lists WHERE key = ?1 AND chunk BETWEEN ?2 AND ?3 ORDER BY chunk";
    let mut statement = connection.prepare_cached(query)?;
    let chunks = [from / CHUNK, (to - 1) / CHUNK].map(u64::cast_signed);
    let mut rows = statement.query(params![key.as_bytes(), chunks[0], chunks[1]])?;
    let mut found = Vec::with_capacity(usize::try_from(to - from).unwrap_or_default());
    while let Some(row) = rows.next()? {
        let start = row.get::<_, i64>(0)?.unsigned_abs() * CHUNK;
        let bytes = row.get_ref(1)?.as_blob()?;
        let entries = (start..).zip(bytes.as_chunks::<ENTRY_BYTES>().0);
        found.extend(
            entries.filter(|(at, _)| (from..to).contains(at)).map(|(_, entry)| u64::from_be_bytes(*entry)),
        );
    }
    Ok(found)
}

/// The entries of a window over a part of a list, newest first, and where to go on.
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

/// Goes through the shortest of several parts of lists, newest first, some entries at a time.
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

/// How many entries are below `bound`, in a list that ascends.
pub(super) fn below(connection: &Connection, key: &ListKey, bound: u64) -> rusqlite::Result<u64> {
    let count = count(connection, key)?;
    // Often all of them are.
    let last = count.saturating_sub(1);
    if slice(connection, key, last, count)?.first().is_none_or(|entry| *entry < bound) {
        return Ok(count);
    }
    // The last chunk whose first entry is below the bound holds the place.
    let (mut low, mut high) = (0, count.div_ceil(CHUNK));
    while low < high {
        let middle = u64::midpoint(low, high);
        match slice(connection, key, middle * CHUNK, middle * CHUNK + 1)?.first() {
            Some(first) if *first < bound => low = middle + 1,
            _ => high = middle,
        }
    }
    let Some(chunk) = low.checked_sub(1) else { return Ok(0) };
    let start = chunk * CHUNK;
    let entries = slice(connection, key, start, (start + CHUNK).min(count))?;
    Ok(start + entries.partition_point(|entry| *entry < bound) as u64)
}

#[cfg(test)]
mod tests {
    use super::super::schema;
    use super::*;

    /// Lengths on both sides of the borders of chunks.
    const LENGTHS: [u64; 11] = [0, 1, 2, 99, 100, 101, 199, 200, 201, 300, 350];

    fn in_a_new_file<T>(work: impl FnOnce(&Connection) -> T) -> T {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        work(&schema::open_for_writing(&folder.path().join("lists.sqlite")).expect("the file can be made"))
    }

    /// Numbers with gaps, under a key of its own for each length.
    fn list(connection: &Connection, length: u64) -> (ListKey, Vec<u64>) {
        let key = ListKey::trades_of_user(UserId::new(u128::from(length)));
        let entries: Vec<u64> = (0..length).map(|number| 5 + number * 3).collect();
        let mut tails = Tails::default();
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
    fn what_is_below_a_bound_is_what_a_plain_search_counts() {
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
    fn a_list_goes_on_where_another_writer_left_it() {
        in_a_new_file(|connection| {
            let (key, other) =
                (ListKey::trades_of_user(UserId::new(1)), ListKey::orders_of_user(UserId::new(1)));
            let mut pushed = 0;
            for length in [1, 98, 1, 1, 99, 100, 101, 250] {
                let mut tails = Tails::default();
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
