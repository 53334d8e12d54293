//! A run: entries sorted by key, immutable, in a file or in memory. `run_writer.rs` has the format.

use std::sync::Arc;

use crate::cache::BlockCache;
use crate::cursor::PieceReader;
use crate::files::StoreFile;
use crate::run_writer::RunWriter;
use crate::varint::{self, Input};
use crate::{Error, Key, Order};

/// The first entry of a block, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockIndex {
    pub(crate) key: Key,
    pub(crate) rank: u64,
    pub(crate) value: u64,
    pub(crate) offset: u64,
    pub(crate) bytes: u32,
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) order: Order,
    pub(crate) index: Vec<BlockIndex>,
    pub(crate) source: Source,
    /// Bytes of blocks and index.
    pub(crate) bytes: u64,
}

#[derive(Debug)]
pub(crate) enum Source {
    Memory(Vec<u8>),
    File(Arc<StoreFile>),
}

/// Values of a key in one piece, and how many precede them.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    rank: u64,
    values: Vec<u64>,
}

impl Run {
    /// A run of a finished writer, in memory.
    pub(crate) fn in_memory(order: Order, writer: RunWriter) -> Run {
        let bytes = (writer.bytes.len() + size_of_val(&writer.index[..])) as u64;
        Run { order, index: writer.index, source: Source::Memory(writer.bytes), bytes }
    }

    /// Writes the index behind the blocks of a finished writer.
    pub(crate) fn in_file(
        order: Order,
        writer: RunWriter,
        file: StoreFile,
        blocks: u64,
    ) -> Result<Run, Error> {
        let index = encode_index(&writer.index);
        file.write_at(&index, blocks)?;
        let bytes = blocks + index.len() as u64;
        Ok(Run { order, index: writer.index, source: Source::File(Arc::new(file)), bytes })
    }

    pub(crate) fn open(order: Order, file: StoreFile, bytes: u64) -> Result<Run, Error> {
        let damaged = || file.damaged("the index of a run");
        let start = bytes.checked_sub(8).ok_or_else(damaged)?;
        let length = u64::from_be_bytes(file.read_at(8, start)?.try_into().map_err(|_| damaged())?);
        if length > bytes {
            return Err(damaged());
        }
        let index = decode_index(&file.read_at(length as usize, bytes - length)?).ok_or_else(damaged)?;
        Ok(Run { order, index, source: Source::File(Arc::new(file)), bytes })
    }

    pub(crate) fn sync(&self) -> Result<(), Error> {
        match &self.source {
            Source::File(file) => file.sync(),
            Source::Memory(_) => Ok(()),
        }
    }

    /// Keeps the run's file: a manifest is about to name it.
    pub(crate) fn keep(&self) {
        if let Source::File(file) = &self.source {
            file.keep();
        }
    }

    /// Deletes the run's file when its last reader drops it.
    pub(crate) fn retire(&self) {
        if let Source::File(file) = &self.source {
            file.retire();
        }
    }

    pub(crate) fn damaged(&self, what: &'static str) -> Error {
        match &self.source {
            Source::File(file) => file.damaged(what),
            Source::Memory(_) => unreachable!("a run in memory is what its writer wrote: {what}"),
        }
    }

    /// A checked block without its checksum. Not from the cache: a merge must not displace what readers use.
    pub(crate) fn block_bytes(&self, block: usize) -> Result<std::borrow::Cow<'_, [u8]>, Error> {
        let BlockIndex { offset, bytes, .. } = self.index[block];
        match &self.source {
            Source::Memory(all) => Ok(all[offset as usize..][..bytes as usize - 4].into()),
            Source::File(file) => {
                let mut block = file.read_at(bytes as usize, offset)?;
                let damaged = || file.damaged("the checksum of a block");
                let (content, checksum) = block.split_last_chunk().ok_or_else(damaged)?;
                if crc32fast::hash(content) != u32::from_be_bytes(*checksum) {
                    return Err(damaged());
                }
                block.truncate(block.len() - 4);
                Ok(block.into())
            }
        }
    }

    /// Starts and ends of the pieces of a block.
    pub(crate) fn pieces(&self, block: &[u8]) -> Result<Vec<(usize, usize)>, Error> {
        let damaged = || self.damaged("a block of a run");
        let table = PieceTable::of(block).ok_or_else(damaged)?;
        (0..table.count()).map(|piece| table.range(piece).ok_or_else(damaged)).collect()
    }

    fn with_block<T>(
        &self,
        cache: &BlockCache,
        block: usize,
        look: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, Error> {
        let seen = match &self.source {
            Source::Memory(_) => look(&self.block_bytes(block)?),
            Source::File(file) => {
                let place = (file.number, self.index[block].offset);
                look(&cache.find_or(place, || self.block_bytes(block).map(std::borrow::Cow::into_owned))?)
            }
        };
        seen.ok_or_else(|| self.damaged("a block of a run"))
    }

    /// The values of a key in the last piece that begins at or before a place of its list. `is_before` tells that of the
    /// first entry of a piece: key, rank and value.
    fn find(
        &self,
        cache: &BlockCache,
        key: Key,
        is_before: impl Fn(Key, u64, u64) -> bool,
    ) -> Result<Option<Found>, Error> {
        let later = self.index.partition_point(|block| is_before(block.key, block.rank, block.value));
        let Some(block) = later.checked_sub(1) else { return Ok(None) };
        self.with_block(cache, block, |bytes| {
            let table = PieceTable::of(bytes)?;
            let (mut low, mut high) = (0, table.count());
            while high - low > 1 {
                let middle = usize::midpoint(low, high);
                let head = PieceReader::new(table.piece(middle)?, self.order)?;
                if is_before(head.key, head.rank, head.first()) { low = middle } else { high = middle }
            }
            group_of(table.piece(low)?, self.order, key)
        })
    }

    pub(crate) fn count(&self, cache: &BlockCache, key: Key) -> Result<u64, Error> {
        let found = self.find(cache, key, |first, _, _| first <= key)?;
        Ok(found.map_or(0, |found| found.rank + found.values.len() as u64))
    }

    /// Appends the values at positions `from..to` of the key's list in this run.
    pub(crate) fn values(
        &self,
        cache: &BlockCache,
        key: Key,
        mut from: u64,
        to: u64,
        values: &mut Vec<u64>,
    ) -> Result<(), Error> {
        while from < to {
            let found = self.find(cache, key, |first, rank, _| (first, rank) <= (key, from))?;
            let Some(Found { rank, values: here }) = found else { return Ok(()) };
            let skipped = from.saturating_sub(rank) as usize;
            let wanted = here.iter().skip(skipped).take((to - from) as usize);
            let before = values.len();
            values.extend(wanted);
            from += (values.len() - before) as u64;
            if values.len() == before {
                return Ok(());
            }
        }
        Ok(())
    }

    /// How many values of an ascending list are below a bound.
    pub(crate) fn below(&self, cache: &BlockCache, key: Key, bound: u64) -> Result<u64, Error> {
        let found = self.find(cache, key, |first, _, value| (first, value) < (key, bound))?;
        Ok(found.map_or(0, |found| found.rank + found.values.partition_point(|value| *value < bound) as u64))
    }
}

/// The values of a key in a piece. `Some(None)` if it has none, `None` if the piece is malformed.
fn group_of(piece: &[u8], order: Order, key: Key) -> Option<Option<Found>> {
    let mut reader = PieceReader::new(piece, order)?;
    while reader.next_group()? {
        if reader.key > key {
            break;
        }
        if reader.key == key {
            let mut values = Vec::with_capacity(usize::try_from(reader.left()).ok()?.min(piece.len()));
            while reader.left() > 0 {
                values.push(reader.value()?);
            }
            return Some(Some(Found { rank: reader.rank, values }));
        }
    }
    Some(None)
}

/// The offsets of a block's pieces, at its end.
struct PieceTable<'a> {
    pieces: &'a [u8],
    offsets: &'a [[u8; 2]],
}

impl<'a> PieceTable<'a> {
    fn of(block: &'a [u8]) -> Option<PieceTable<'a>> {
        let (rest, count) = block.split_last_chunk()?;
        let count = usize::from(u16::from_be_bytes(*count));
        let (pieces, offsets) = rest.split_at_checked(rest.len().checked_sub(2 * count)?)?;
        (count > 0).then_some(PieceTable { pieces, offsets: offsets.as_chunks().0 })
    }

    const fn count(&self) -> usize {
        self.offsets.len()
    }

    fn range(&self, piece: usize) -> Option<(usize, usize)> {
        let start = usize::from(u16::from_be_bytes(*self.offsets.get(piece)?));
        let next = self.offsets.get(piece + 1).map(|next| usize::from(u16::from_be_bytes(*next)));
        let end = next.unwrap_or(self.pieces.len());
        (start < end && end <= self.pieces.len()).then_some((start, end))
    }

    fn piece(&self, piece: usize) -> Option<&'a [u8]> {
        self.range(piece).map(|(start, end)| &self.pieces[start..end])
    }
}

fn encode_index(index: &[BlockIndex]) -> Vec<u8> {
    let mut bytes = Vec::new();
    varint::put(&mut bytes, index.len() as u64);
    for block in index {
        block.key.0.iter().for_each(|word| bytes.extend_from_slice(&word.to_be_bytes()));
        for number in [block.rank, block.value, block.offset, u64::from(block.bytes)] {
            varint::put(&mut bytes, number);
        }
    }
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_be_bytes());
    let length = bytes.len() as u64 + 8;
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes
}

fn decode_index(bytes: &[u8]) -> Option<Vec<BlockIndex>> {
    let (bytes, _) = bytes.split_last_chunk::<8>()?;
    let (bytes, checksum) = bytes.split_last_chunk()?;
    if crc32fast::hash(bytes) != u32::from_be_bytes(*checksum) {
        return None;
    }
    let mut input = Input(bytes);
    let mut index = Vec::new();
    for _ in 0..input.number()? {
        let key = Key([input.word()?, input.word()?, input.word()?]);
        let (rank, value, offset) = (input.number()?, input.number()?, input.number()?);
        index.push(BlockIndex { key, rank, value, offset, bytes: u32::try_from(input.number()?).ok()? });
    }
    Some(index)
}
