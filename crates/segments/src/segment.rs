//! A file of a log: blocks of records, packed and with a checksum, each after a header. A complete segment ends with an
//! index of its blocks; the blocks of the last segment are found by their headers.

use std::sync::Arc;

use crate::cache::BlockCache;
use crate::files::StoreFile;
use crate::log::Record;
use crate::raw_block::{self, Base, Records};
use crate::varint::{self, Input};
use crate::{Error, memory_log::MemoryBlock};

/// Bytes of a block before packing. Larger blocks pack better and cost more to read.
const BLOCK_BYTES: usize = 8 << 10;
/// Packed length, raw length, checksum, number and time of the first record.
const HEADER_BYTES: usize = 28;
/// A segment of this size is complete.
pub(crate) const SEGMENT_BYTES: u64 = 64 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BlockPlace {
    first: Base,
    offset: u64,
}

/// An immutable view of a segment's file up to its length.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) file: Arc<StoreFile>,
    blocks: Vec<BlockPlace>,
    /// Length of the blocks, and of the file including its index. Equal until the segment is complete.
    pub(crate) data_bytes: u64,
    pub(crate) file_bytes: u64,
    pub(crate) last: Base,
}

impl Segment {
    pub(crate) const fn new(file: Arc<StoreFile>) -> Segment {
        let last = Base { number: 0, at: 0 };
        Segment { file, blocks: Vec::new(), data_bytes: 0, file_bytes: 0, last }
    }

    pub(crate) fn open(
        file: StoreFile,
        data_bytes: u64,
        file_bytes: u64,
        last: Base,
    ) -> Result<Segment, Error> {
        let mut segment = Segment::new(Arc::new(file));
        (segment.data_bytes, segment.file_bytes, segment.last) = (data_bytes, file_bytes, last);
        let blocks = if file_bytes > data_bytes { segment.read_index()? } else { segment.read_headers()? };
        segment.blocks = blocks.ok_or_else(|| segment.file.damaged("the index of a segment"))?;
        Ok(segment)
    }

    pub(crate) const fn is_complete(&self) -> bool {
        self.file_bytes > self.data_bytes
    }

    pub(crate) fn first(&self) -> Option<Base> {
        self.blocks.first().map(|block| block.first)
    }

    fn read_headers(&self) -> Result<Option<Vec<BlockPlace>>, Error> {
        let (mut blocks, mut offset) = (Vec::new(), 0);
        while offset < self.data_bytes {
            let Some(header) = Header::decode(&self.file.read_at(HEADER_BYTES, offset)?) else {
                return Ok(None);
            };
            blocks.push(BlockPlace { first: header.first, offset });
            offset += (HEADER_BYTES + header.packed) as u64;
        }
        Ok((offset == self.data_bytes).then_some(blocks))
    }

    fn read_index(&self) -> Result<Option<Vec<BlockPlace>>, Error> {
        let length = (self.file_bytes - self.data_bytes) as usize;
        Ok(decode_index(&self.file.read_at(length, self.data_bytes)?))
    }

    /// Writes the records of memory blocks behind the segment's end and returns the segment with them.
    pub(crate) fn extended<'a>(
        &self,
        records: impl Iterator<Item = &'a MemoryBlock>,
    ) -> Result<Segment, Error> {
        let mut segment = self.clone();
        let mut writer = BlockWriter::default();
        for record in records.flat_map(MemoryBlock::records) {
            writer.push(record, segment.data_bytes, &mut segment.blocks);
            segment.last = Base { number: record.number, at: record.at };
        }
        writer.end_block();
        segment.file.write_at(&writer.bytes, segment.data_bytes)?;
        segment.data_bytes += writer.bytes.len() as u64;
        segment.file_bytes = segment.data_bytes;
        Ok(segment)
    }

    /// Appends the index: the segment is complete.
    pub(crate) fn completed(mut self) -> Result<Segment, Error> {
        let index = encode_index(&self.blocks);
        self.file.write_at(&index, self.data_bytes)?;
        self.file_bytes = self.data_bytes + index.len() as u64;
        Ok(self)
    }

    fn block(&self, cache: &BlockCache, place: BlockPlace) -> Result<Arc<[u8]>, Error> {
        cache.find_or((self.file.number, place.offset), || {
            let damaged = || self.file.damaged("the checksum of a block");
            let header = self.file.read_at(HEADER_BYTES, place.offset)?;
            let header = Header::decode(&header).ok_or_else(damaged)?;
            if place.offset + (HEADER_BYTES + header.packed) as u64 > self.data_bytes {
                return Err(damaged());
            }
            let packed = self.file.read_at(header.packed, place.offset + HEADER_BYTES as u64)?;
            header.unpack(&packed).filter(|_| header.first == place.first).ok_or_else(damaged)
        })
    }

    /// The first record for which `is_wanted` holds, in or after the last block that begins before such a record.
    pub(crate) fn first_where(
        &self,
        cache: &BlockCache,
        is_wanted: impl Fn(Base) -> bool,
    ) -> Result<Option<Record>, Error> {
        let later = self.blocks.partition_point(|block| !is_wanted(block.first));
        for place in &self.blocks[later.saturating_sub(1)..] {
            let block = self.block(cache, *place)?;
            let mut records = Records::new(&block, place.first);
            let found = records.find(|record| is_wanted(Base { number: record.number, at: record.at }));
            if records.is_damaged {
                return Err(self.file.damaged("a record"));
            }
            if let Some(found) = found {
                return Ok(Some(found.into_owned()));
            }
        }
        Ok(None)
    }

    /// The last record with a number below this one.
    pub(crate) fn last_below(&self, cache: &BlockCache, number: u64) -> Result<Option<Record>, Error> {
        let later = self.blocks.partition_point(|block| block.first.number < number);
        let Some(place) = later.checked_sub(1).map(|place| self.blocks[place]) else { return Ok(None) };
        let block = self.block(cache, place)?;
        let mut records = Records::new(&block, place.first);
        let found = records.by_ref().take_while(|record| record.number < number).last();
        if records.is_damaged {
            return Err(self.file.damaged("a record"));
        }
        Ok(found.map(Record::into_owned))
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Header {
    packed: usize,
    raw: usize,
    checksum: u32,
    first: Base,
}

impl Header {
    fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..4].copy_from_slice(&(self.packed as u32).to_be_bytes());
        bytes[4..8].copy_from_slice(&(self.raw as u32).to_be_bytes());
        bytes[8..12].copy_from_slice(&self.checksum.to_be_bytes());
        bytes[12..20].copy_from_slice(&self.first.number.to_be_bytes());
        bytes[20..].copy_from_slice(&self.first.at.to_be_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Header> {
        let mut input = Input(bytes);
        let packed = u32::from_be_bytes(input.fixed()?) as usize;
        let raw = u32::from_be_bytes(input.fixed()?) as usize;
        let checksum = u32::from_be_bytes(input.fixed()?);
        let first = Base { number: input.word()?, at: input.word()?.cast_signed() };
        // A single record may be longer than a block, but no packed block is longer than its content.
        (packed <= raw).then_some(Header { packed, raw, checksum, first })
    }

    fn checksum(&self, packed: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&(self.raw as u32).to_be_bytes());
        hasher.update(&self.first.number.to_be_bytes());
        hasher.update(&self.first.at.to_be_bytes());
        hasher.update(packed);
        hasher.finalize()
    }

    fn unpack(&self, packed: &[u8]) -> Option<Vec<u8>> {
        if self.checksum(packed) != self.checksum {
            return None;
        }
        if self.packed == self.raw {
            return Some(packed.to_vec());
        }
        lz4_flex::block::decompress(packed, self.raw).ok().filter(|raw| raw.len() == self.raw)
    }
}

/// Cuts records into blocks and packs them.
#[derive(Default)]
struct BlockWriter {
    bytes: Vec<u8>,
    block: Vec<u8>,
    first: Option<Base>,
    base: Base,
}

impl BlockWriter {
    fn push(&mut self, record: Record<&[u8]>, start: u64, blocks: &mut Vec<BlockPlace>) {
        if self.block.len() >= BLOCK_BYTES {
            self.end_block();
        }
        if self.first.is_none() {
            let first = Base { number: record.number, at: record.at };
            (self.first, self.base) = (Some(first), first);
            blocks.push(BlockPlace { first, offset: start + self.bytes.len() as u64 });
        }
        raw_block::put(&mut self.block, &mut self.base, record.number, record.at, record.bytes);
    }

    fn end_block(&mut self) {
        let Some(first) = self.first.take() else { return };
        let compressed = lz4_flex::block::compress(&self.block);
        let packed = if compressed.len() < self.block.len() { &compressed } else { &self.block };
        let mut header = Header { packed: packed.len(), raw: self.block.len(), checksum: 0, first };
        header.checksum = header.checksum(packed);
        self.bytes.extend_from_slice(&header.encode());
        self.bytes.extend_from_slice(packed);
        self.block.clear();
    }
}

fn encode_index(blocks: &[BlockPlace]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut last = BlockPlace { first: Base::default(), offset: 0 };
    varint::put(&mut bytes, blocks.len() as u64);
    for block in blocks {
        varint::put(&mut bytes, block.first.number - last.first.number);
        varint::put_signed(&mut bytes, block.first.at.wrapping_sub(last.first.at));
        varint::put(&mut bytes, block.offset - last.offset);
        last = *block;
    }
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_be_bytes());
    bytes
}

fn decode_index(bytes: &[u8]) -> Option<Vec<BlockPlace>> {
    let (bytes, checksum) = bytes.split_last_chunk()?;
    if crc32fast::hash(bytes) != u32::from_be_bytes(*checksum) {
        return None;
    }
    let mut input = Input(bytes);
    let (mut number, mut at, mut offset, mut blocks) = (0, 0_i64, 0, Vec::new());
    for _ in 0..input.number()? {
        number += input.number()?;
        at = at.wrapping_add(input.signed()?);
        offset += input.number()?;
        blocks.push(BlockPlace { first: Base { number, at }, offset });
    }
    Some(blocks)
}
