//! The lower-case titles and slugs of retired events, for substring search. A row has the texts of 1,024 serials, so that
//! a search reads few rows.

use std::collections::BTreeMap;

use rusqlite::types::Type;
use rusqlite::{Connection, Error, OptionalExtension, params};

use crate::event_lists::{EventSet, SearchedTexts, Substring};

pub(super) const TABLES: &str = "
-- Entries in order of serial: serial, length of the title, length of the slug (each 4 bytes, little-endian), both texts.
CREATE TABLE titles (block INTEGER PRIMARY KEY, entries BLOB NOT NULL);
";

/// Serials of a block, as a power of two.
const BLOCK_BITS: u32 = 10;

struct Entry<'a> {
    member: u32,
    title: &'a [u8],
    slug: &'a [u8],
}

impl<'a> Entry<'a> {
    /// The first entry of a block and the bytes after it. `None` if the block is damaged.
    fn split(bytes: &'a [u8]) -> Option<(Entry<'a>, &'a [u8])> {
        let (member, bytes) = number(bytes)?;
        let (title, bytes) = number(bytes)?;
        let (slug, bytes) = number(bytes)?;
        let (title, bytes) = bytes.split_at_checked(title as usize)?;
        let (slug, rest) = bytes.split_at_checked(slug as usize)?;
        Some((Entry { member, title, slug }, rest))
    }

    fn append_to(&self, block: &mut Vec<u8>) {
        let length = |text: &[u8]| u32::try_from(text.len()).expect("a title is far shorter than 4 GiB");
        for number in [self.member, length(self.title), length(self.slug)] {
            block.extend(number.to_le_bytes());
        }
        block.extend(self.title);
        block.extend(self.slug);
    }
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number), rest))
}

fn for_each_entry<'a>(mut block: &'a [u8], mut act: impl FnMut(Entry<'a>)) -> rusqlite::Result<()> {
    while !block.is_empty() {
        let damaged = || Error::FromSqlConversionFailure(0, Type::Blob, "a damaged block of titles".into());
        let (entry, rest) = Entry::split(block).ok_or_else(damaged)?;
        act(entry);
        block = rest;
    }
    Ok(())
}

/// Adds the texts of events to their blocks.
pub(super) fn store(
    connection: &Connection,
    texts: impl Iterator<Item = SearchedTexts>,
) -> rusqlite::Result<()> {
    let mut blocks: BTreeMap<u32, BTreeMap<u32, (String, String)>> = BTreeMap::new();
    for SearchedTexts { member, title, slug } in texts {
        let lower = (title.to_lowercase(), slug.to_lowercase());
        blocks.entry(member >> BLOCK_BITS).or_default().insert(member, lower);
    }
    for (block, added) in blocks {
        let before = read(connection, block)?.unwrap_or_default();
        let mut entries: BTreeMap<u32, Entry<'_>> = BTreeMap::new();
        for_each_entry(&before, |entry| {
            entries.insert(entry.member, entry);
        })?;
        for (member, (title, slug)) in &added {
            let entry = Entry { member: *member, title: title.as_bytes(), slug: slug.as_bytes() };
            entries.insert(*member, entry);
        }
        let mut bytes = Vec::new();
        entries.values().for_each(|entry| entry.append_to(&mut bytes));
        let query = "INSERT OR REPLACE INTO titles VALUES (?1, ?2)";
        connection.prepare_cached(query)?.execute(params![block, bytes])?;
    }
    Ok(())
}

/// The members of `candidates` in the table whose texts contain a substring.
pub(super) fn containing(
    connection: &Connection,
    substring: &Substring,
    candidates: &EventSet,
) -> rusqlite::Result<EventSet> {
    let comparison = substring.comparison();
    let mut found = EventSet::new();
    let (Some(first), Some(last)) = (candidates.min(), candidates.max()) else { return Ok(found) };
    for block in first >> BLOCK_BITS..=last >> BLOCK_BITS {
        let serials = block << BLOCK_BITS..=(block << BLOCK_BITS) | ((1 << BLOCK_BITS) - 1);
        if candidates.range_cardinality(serials) == 0 {
            continue;
        }
        let Some(bytes) = read(connection, block)? else { continue };
        for_each_entry(&bytes, |entry| {
            if candidates.contains(entry.member) && comparison.finds_in(entry.title, entry.slug) {
                found.insert(entry.member);
            }
        })?;
    }
    Ok(found)
}

fn read(connection: &Connection, block: u32) -> rusqlite::Result<Option<Vec<u8>>> {
    let mut statement = connection.prepare_cached("SELECT entries FROM titles WHERE block = ?1")?;
    statement.query_row([block], |row| row.get(0)).optional()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(member: u32, title: &str) -> SearchedTexts {
        SearchedTexts { member, title: title.into(), slug: format!("slug-{member}").as_str().into() }
    }

    #[test]
    fn a_substring_is_found_in_the_candidates_of_every_block() {
        let connection = Connection::open_in_memory().expect("a database");
        connection.execute_batch(TABLES).expect("tables");
        let first = [texts(1_023, "Rain in Lagos"), texts(5, "Sun in Lagos"), texts(70_000, "RAIN in Abuja")];
        store(&connection, first.into_iter()).expect("stored");
        store(&connection, [texts(6, "Rainbow"), texts(5, "Rain, corrected")].into_iter()).expect("stored");
        let find = |substring: &Substring, candidates: &[u32]| {
            let candidates = candidates.iter().copied().collect();
            let found = containing(&connection, substring, &candidates).expect("searched");
            found.into_iter().collect::<Vec<u32>>()
        };
        let rain = Substring::of_title("rain");
        assert_eq!(find(&rain, &[5, 6, 7, 1_023, 70_000]), [5, 6, 1_023, 70_000]);
        assert_eq!(find(&rain, &[6, 70_000]), [6, 70_000]);
        assert_eq!(find(&Substring::of_title("in lagos"), &[5, 6, 1_023, 70_000]), [1_023]);
        assert_eq!(find(&Substring::of_title("slug-70"), &[5, 70_000]), Vec::<u32>::new());
        assert_eq!(find(&Substring::of_title_or_slug("slug-70"), &[5, 70_000]), [70_000]);
        assert!(find(&rain, &[]).is_empty());
    }

    #[test]
    fn a_damaged_block_is_an_error() {
        let connection = Connection::open_in_memory().expect("a database");
        connection.execute_batch(TABLES).expect("tables");
        store(&connection, [texts(1, "Rain")].into_iter()).expect("stored");
        let cut = "UPDATE titles SET entries = substr(entries, 1, length(entries) - 1)";
        connection.execute(cut, []).expect("a cut block");
        let candidates = [1].into_iter().collect();
        assert!(containing(&connection, &Substring::of_title("rain"), &candidates).is_err());
    }
}
