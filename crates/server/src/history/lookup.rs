//! Lookup by id or by name: sorted pairs of a key and a number, about forty per row.
//!
//! A row per pair would cost more in overhead than in content. Ids begin with a timestamp and names often end in a counter,
//! so the pairs of one transaction are adjacent: each row they fall into is read, merged and written once. A lookup reads
//! one row, or two if a row boundary splits the pairs of its key.

use std::ops::Range;

use rusqlite::{Connection, OptionalExtension, Statement};

/// Pairs per row. With its key the row stays under a quarter of a database page; a larger one would overflow.
const PAIRS_MAX: usize = 40;
const PAIR_BYTES: usize = 24;
const KIND_SHIFT: u32 = 60;

/// The kind of a lookup: the rows, and their key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookupKind {
    OrderById = 1,
    TradeById = 2,
    /// By the taker's order and by the maker's.
    TradesOfOrder = 3,
    /// By a key derived from user and name (`orders::name_key`), which is not unique.
    OrdersByName = 4,
}

/// A key and a number, with the kind in the number's top bits.
type Pair = (u128, u64);

impl LookupKind {
    const fn pair(self, key: u128, number: u64) -> Pair {
        (key, ((self as u64) << KIND_SHIFT) + number)
    }
}

fn to_bytes((key, number): Pair) -> [u8; PAIR_BYTES] {
    let mut bytes = [0; PAIR_BYTES];
    bytes[..16].copy_from_slice(&key.to_be_bytes());
    bytes[16..].copy_from_slice(&number.to_be_bytes());
    bytes
}

fn from_bytes(bytes: &[u8; PAIR_BYTES]) -> Pair {
    let (mut key, mut number) = ([0; 16], [0; 8]);
    key.copy_from_slice(&bytes[..16]);
    number.copy_from_slice(&bytes[16..]);
    (u128::from_be_bytes(key), u64::from_be_bytes(number))
}

fn pairs_of(row: &[u8]) -> impl Iterator<Item = Pair> {
    row.as_chunks::<PAIR_BYTES>().0.iter().map(from_bytes)
}

/// The writing side: the pairs added in this transaction.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    added: Vec<Pair>,
}

impl Lookups {
    pub(super) fn add(&mut self, kind: LookupKind, key: u128, number: u64) {
        self.added.push(kind.pair(key, number));
    }

    pub(super) fn flush(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let query = "SELECT pairs, (SELECT min(first) FROM lookups WHERE first > ?1) FROM lookups \
            WHERE first <= ?1 ORDER BY first DESC LIMIT 1";
        let mut select = connection.prepare_cached(query)?;
        let mut first_of_all = connection.prepare_cached("SELECT min(first) FROM lookups")?;
        let mut insert = connection.prepare_cached("INSERT OR REPLACE INTO lookups VALUES (?1, ?2)")?;
        self.added.sort_unstable();
        let mut rest = self.added.as_slice();
        while let Some(first) = rest.first() {
            let row = match LookupRow::holding(&mut select, *first)? {
                Some(row) => row,
                None => {
                    LookupRow { end: end(first_of_all.query_row([], |row| row.get(0))?), pairs: Vec::new() }
                }
            };
            let count = rest.partition_point(|pair| row.end.is_none_or(|end| *pair < end));
            let (added, later) = rest.split_at(count);
            row.add(&mut insert, added)?;
            rest = later;
        }
        self.added.clear();
        Ok(())
    }
}

/// A row to add pairs to.
struct LookupRow {
    pairs: Vec<Pair>,
    /// The first pair of the next row.
    end: Option<Pair>,
}

impl LookupRow {
    /// The last row that begins at or before a pair; none if the pair sorts before all rows.
    fn holding(select: &mut Statement<'_>, pair: Pair) -> rusqlite::Result<Option<LookupRow>> {
        let read = |row: &rusqlite::Row<'_>| {
            let pairs = pairs_of(row.get_ref(0)?.as_blob()?).collect();
            Ok(LookupRow { pairs, end: end(row.get(1)?) })
        };
        select.query_row([to_bytes(pair)], read).optional()
    }

    /// Writes the row with the added pairs, split into several rows if necessary.
    fn add(mut self, insert: &mut Statement<'_>, added: &[Pair]) -> rusqlite::Result<()> {
        let is_behind = self.pairs.last() < added.first();
        self.pairs.extend(added);
        self.pairs.sort();
        self.pairs.dedup();
        // Ascending keys leave full rows behind. Rows in the middle will get more pairs, so they are split evenly.
        let rows = self.pairs.len().div_ceil(PAIRS_MAX);
        let size = if is_behind { PAIRS_MAX } else { self.pairs.len().div_ceil(rows) };
        for pairs in self.pairs.chunks(size) {
            let bytes = pairs.iter().flat_map(|pair| to_bytes(*pair)).collect::<Vec<u8>>();
            insert.execute((&bytes[..PAIR_BYTES], &bytes))?;
        }
        Ok(())
    }
}

fn end(first: Option<[u8; PAIR_BYTES]>) -> Option<Pair> {
    first.as_ref().map(from_bytes)
}

/// The numbers under a key within a range, ascending.
pub(super) fn find(
    connection: &Connection,
    kind: LookupKind,
    key: u128,
    numbers: Range<u64>,
) -> rusqlite::Result<Vec<u64>> {
    let wanted = kind.pair(key, numbers.start)..kind.pair(key, numbers.end.min(1 << KIND_SHIFT));
    // The row that may contain the first wanted pair, and the rows that begin within the range.
    let query = "SELECT pairs FROM lookups WHERE first < ?2 \
        AND first >= coalesce((SELECT max(first) FROM lookups WHERE first <= ?1), ?1) ORDER BY first";
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query([to_bytes(wanted.start), to_bytes(wanted.end)])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let pairs = row.get_ref(0)?.as_blob()?.as_chunks::<PAIR_BYTES>().0;
        let start = pairs.partition_point(|pair| from_bytes(pair) < wanted.start);
        let within = pairs[start..].iter().map(from_bytes).take_while(|pair| *pair < wanted.end);
        found.extend(within.map(|(_, number)| number & ((1 << KIND_SHIFT) - 1)));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::schema;
    use super::*;

    /// A deterministic random generator.
    struct Draws(u64);

    impl Draws {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }
    }

    /// Adds pairs with keys from `key` in transactions of many sizes, and compares every lookup with a plain search.
    fn check(mut key: impl FnMut(&mut Draws, u64) -> u128) {
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = folder.path().join("lookups.sqlite");
        let connection = schema::open_for_writing(&file).expect("a new database");
        let (mut draws, mut lookups, mut plain) = (Draws(1), Lookups::default(), BTreeSet::new());
        let mut number = 0;
        for size in [1, 3, 39, 40, 41, 1, 200, 5, 1, 80, 13, 500, 2] {
            for _ in 0..size {
                let key = key(&mut draws, number);
                for kind in [LookupKind::OrderById, LookupKind::TradesOfOrder] {
                    lookups.add(kind, key, number);
                    plain.insert((key, kind as u64, number));
                }
                number += 1;
            }
            lookups.flush(&connection).expect("the pairs can be written");
            let keys: BTreeSet<u128> = plain.iter().map(|(key, ..)| *key).collect();
            for key in keys.into_iter().chain([0, u128::MAX]) {
                for kind in [LookupKind::OrderById, LookupKind::TradeById, LookupKind::TradesOfOrder] {
                    for numbers in [0..u64::MAX, number / 3..number / 2, 5..5] {
                        let pairs =
                            plain.range((key, kind as u64, numbers.start)..(key, kind as u64, numbers.end));
                        let expected: Vec<u64> = pairs.map(|(_, _, number)| *number).collect();
                        let found = find(&connection, kind, key, numbers.clone());
                        assert_eq!(found, Ok(expected), "{kind:?} {key} {numbers:?}");
                    }
                }
            }
        }
        let query = "SELECT max(length(pairs)), avg(length(pairs)) FROM lookups";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, f64>(1)?));
        let (longest, average) = connection.query_row(query, [], read).expect("the rows can be measured");
        assert!(longest <= (PAIRS_MAX * PAIR_BYTES) as i64, "no row is too long: {longest}");
        assert!(average >= (PAIRS_MAX * PAIR_BYTES / 3) as f64, "rows are not left half empty: {average}");
    }

    #[test]
    fn keys_in_order_are_found_as_by_a_plain_search() {
        check(|_, number| u128::from(number) << 80);
    }

    #[test]
    fn keys_that_are_nearly_in_order_are_found_as_by_a_plain_search() {
        check(|draws, number| u128::from(number + draws.below(30)) << 80 | u128::from(draws.below(1_000)));
    }

    #[test]
    fn keys_in_any_order_are_found_as_by_a_plain_search() {
        check(|draws, _| u128::from(draws.below(1 << 31)) << 97 | u128::from(draws.below(1 << 31)));
    }

    #[test]
    fn keys_in_falling_order_are_found_as_by_a_plain_search() {
        check(|_, number| u128::from(u64::MAX - number));
    }

    #[test]
    fn many_numbers_of_few_keys_are_found_as_by_a_plain_search() {
        check(|draws, _| u128::from(draws.below(3)));
    }
}
