//! Which of a user's orders ended with which status: bitmaps over the positions of the user's list.
//!
//! Orders do not end in the order in which they were placed, so a list sorted by placement cannot be appended to. Bits
//! can be set anywhere and are counted per chunk; finding a page scans a few hundred counts even among millions of
//! orders.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use exchange::id::UserId;
use exchange::order::OrderStatus;
use rusqlite::{Connection, OptionalExtension, params};

use super::HistoryError;

/// Positions per row.
const CHUNK: u64 = 4_096;
const CHUNK_BYTES: usize = CHUNK as usize / 8;
const CHUNKS_MAX: usize = 20_000;

type ChunkKey = (UserId, u8, u64);

/// The writing side.
#[derive(Debug, Default)]
pub(super) struct EndedOrders {
    chunks: HashMap<ChunkKey, Chunk>,
    dirty: Vec<ChunkKey>,
}

#[derive(Debug)]
struct Chunk {
    bits: Vec<u8>,
    is_dirty: bool,
}

impl EndedOrders {
    pub(super) fn set(
        &mut self,
        connection: &Connection,
        user: UserId,
        status: OrderStatus,
        position: u64,
    ) -> rusqlite::Result<()> {
        let key = (user, status as u8, position / CHUNK);
        let chunk = match self.chunks.entry(key) {
            Entry::Occupied(chunk) => chunk.into_mut(),
            Entry::Vacant(place) => place.insert(Chunk { bits: load(connection, &key)?, is_dirty: false }),
        };
        let bit = (position % CHUNK) as usize;
        chunk.bits[bit / 8] |= 1 << (bit % 8);
        if !std::mem::replace(&mut chunk.is_dirty, true) {
            self.dirty.push(key);
        }
        Ok(())
    }

    pub(super) fn flush(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let query = "INSERT OR REPLACE INTO ended VALUES (?1, ?2, ?3, ?4, ?5)";
        let mut statement = connection.prepare_cached(query)?;
        for key in self.dirty.drain(..) {
            let Some(chunk) = self.chunks.get_mut(&key) else { continue };
            let (user, status, number) = (key.0.as_u128().to_be_bytes(), key.1, key.2);
            let count = ones(&chunk.bits).cast_signed();
            statement.execute(params![user, status, number.cast_signed(), count, chunk.bits])?;
            chunk.is_dirty = false;
        }
        if self.chunks.len() > CHUNKS_MAX {
            self.chunks.clear();
        }
        Ok(())
    }
}

fn ones(bits: &[u8]) -> u64 {
    bits.iter().map(|byte| u64::from(byte.count_ones())).sum()
}

fn load(connection: &Connection, (user, status, chunk): &ChunkKey) -> rusqlite::Result<Vec<u8>> {
    let query = "SELECT bits FROM ended WHERE user = ?1 AND status = ?2 AND chunk = ?3";
    let key = params![user.as_u128().to_be_bytes(), status, chunk.cast_signed()];
    let found = connection.prepare_cached(query)?.query_row(key, |row| row.get(0)).optional()?;
    Ok(found.unwrap_or_else(|| vec![0; CHUNK_BYTES]))
}

/// The chunks of a user and a status with their counts, newest first.
pub(super) struct Counts(Vec<(u64, u64)>);

impl Counts {
    pub(super) fn read(
        connection: &Connection,
        user: UserId,
        status: OrderStatus,
    ) -> Result<Counts, HistoryError> {
        let query = "SELECT chunk, count FROM ended WHERE user = ?1 AND status = ?2 ORDER BY chunk DESC";
        let mut statement = connection.prepare_cached(query)?;
        let key = params![user.as_u128().to_be_bytes(), status as u8];
        let read = |row: &rusqlite::Row<'_>| {
            Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get::<_, i64>(1)?.unsigned_abs()))
        };
        let counts = statement.query_map(key, read)?.collect::<rusqlite::Result<_>>()?;
        Ok(Counts(counts))
    }

    pub(super) fn total(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    /// How many set bits there are at or after (newer than) a position of the user's list.
    pub(super) fn count_from(
        &self,
        connection: &Connection,
        user: UserId,
        status: OrderStatus,
        position: u64,
    ) -> Result<u64, HistoryError> {
        let boundary = position / CHUNK;
        let newer: u64 = self.0.iter().filter(|(chunk, _)| *chunk > boundary).map(|(_, count)| count).sum();
        let bits = load(connection, &(user, status as u8, boundary))?;
        let within = (position % CHUNK..CHUNK).filter(|bit| is_set(&bits, *bit)).count();
        Ok(newer + within as u64)
    }

    /// The positions of the set bits numbered `wanted`, counted from the newest.
    pub(super) fn positions(
        &self,
        connection: &Connection,
        user: UserId,
        status: OrderStatus,
        wanted: Range<u64>,
    ) -> Result<Vec<u64>, HistoryError> {
        let (mut passed, mut found) = (0, Vec::new());
        for (chunk, count) in &self.0 {
            if passed >= wanted.end {
                break;
            }
            if passed + count > wanted.start {
                let bits = load(connection, &(user, status as u8, *chunk))?;
                let set = (0..CHUNK).rev().filter(|bit| is_set(&bits, *bit));
                let numbered = (passed..).zip(set).filter(|(number, _)| wanted.contains(number));
                found.extend(numbered.map(|(_, bit)| chunk * CHUNK + bit));
            }
            passed += count;
        }
        Ok(found)
    }
}

fn is_set(bits: &[u8], bit: u64) -> bool {
    bits.get(bit as usize / 8).is_some_and(|byte| byte & (1 << (bit % 8)) != 0)
}
