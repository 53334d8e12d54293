//! The byte format of an archive file, as pure functions: a header, then blocks of compressed frames.
//!
//! A frame is stored without its sequence and without its previous hash: both follow from the frames before it, and a
//! hash does not compress. Each block's header holds the hash of its last frame. No frame of a block is returned unless
//! the whole block leads to that hash. `docs/journal-format.md` shows the format.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::frame::{FrameHash, FrameHeader, Sequence, part};
use crate::{Frame, Head, Payload};

pub(super) const HEADER_BYTES: usize = 256;
pub(super) const BLOCK_HEADER_BYTES: usize = 64;
/// A frame that brings a block to this size closes it: large enough to compress well, small enough to keep in memory.
pub(super) const BLOCK_BYTES: usize = 1 << 20;
/// The largest block: one byte short of full, plus the largest frame of a journal.
const BLOCK_BYTES_MAX: usize = BLOCK_BYTES + (16 << 20) + FRAME_HEADER_BYTES;

const MAGIC: [u8; 8] = *b"BWARCHIV";
const BLOCK_MAGIC: [u8; 4] = *b"BLCK";
const VERSION: u32 = 1;
/// Raw DEFLATE (RFC 1951).
const DEFLATE: u32 = 1;
/// Written once and rarely read; a higher level takes twice the time and saves one percent.
const LEVEL: Compression = Compression::new(6);
/// The stored part of a frame's header: time, number of commands, length of the payload.
const KEPT: std::ops::Range<usize> = 8..24;
const FRAME_HEADER_BYTES: usize = KEPT.end - KEPT.start;

/// The header of an archive file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileHeader {
    /// The id of the journal or log.
    pub(super) journal: [u8; 16],
    /// The head that the first frame follows. `start.next` is also in the file's name.
    pub(super) start: Head,
    /// The head after the last frame.
    pub(super) end: Head,
    pub(super) frames: u64,
    /// Length of the file.
    pub(super) file_bytes: u64,
}

impl FileHeader {
    pub(super) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.frames.to_le_bytes());
        bytes[24..40].copy_from_slice(&self.journal);
        encode_head(&mut bytes[40..88], &self.start);
        encode_head(&mut bytes[88..136], &self.end);
        bytes[136..144].copy_from_slice(&self.file_bytes.to_le_bytes());
        bytes[144..148].copy_from_slice(&DEFLATE.to_le_bytes());
        with_checksum(bytes)
    }

    pub(super) fn decode(bytes: &[u8; HEADER_BYTES]) -> Result<FileHeader, String> {
        if bytes[0..8] != MAGIC {
            return Err("is not a file of an archive".to_owned());
        }
        if with_checksum(*bytes) != *bytes {
            return Err("its header, offset 0, is corrupt".to_owned());
        }
        let (version, compression) =
            (u32::from_le_bytes(part(bytes, 8)), u32::from_le_bytes(part(bytes, 144)));
        if (version, compression) != (VERSION, DEFLATE) {
            return Err(format!(
                "has format version {version}.{compression}, this program supports {VERSION}.{DEFLATE}"
            ));
        }
        Ok(FileHeader {
            frames: u64::from_le_bytes(part(bytes, 16)),
            journal: part(bytes, 24),
            start: decode_head(&bytes[40..88]),
            end: decode_head(&bytes[88..136]),
            file_bytes: u64::from_le_bytes(part(bytes, 136)),
        })
    }
}

fn encode_head(bytes: &mut [u8], head: &Head) {
    bytes[0..8].copy_from_slice(&head.next.0.to_le_bytes());
    bytes[8..16].copy_from_slice(&head.at.to_le_bytes());
    bytes[16..48].copy_from_slice(&head.hash.0);
}

fn decode_head(bytes: &[u8]) -> Head {
    Head {
        next: Sequence(u64::from_le_bytes(part(bytes, 0))),
        at: i64::from_le_bytes(part(bytes, 8)),
        hash: FrameHash(part(bytes, 16)),
    }
}

/// The header with its checksum in bytes 12..16, computed over all other bytes.
fn with_checksum(mut bytes: [u8; HEADER_BYTES]) -> [u8; HEADER_BYTES] {
    bytes[12..16].fill(0);
    let checksum = crc32fast::hash(&bytes);
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Appends a frame to the raw bytes of a block.
pub(super) fn push_frame(raw: &mut Vec<u8>, frame: &Frame) {
    raw.extend_from_slice(&frame.header.encode()[KEPT]);
    raw.extend_from_slice(frame.payload.bytes());
}

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockHeader {
    checksum: u32,
    raw_bytes: u32,
    pub(super) compressed_bytes: u32,
    first: Sequence,
    frames: u32,
    /// Hash of the last frame.
    hash: FrameHash,
}

/// Encodes a block of `frames` frames that begin with `first` and lead to `hash`, header included.
pub(super) fn encode_block(raw: &[u8], first: Sequence, frames: u32, hash: FrameHash) -> io::Result<Vec<u8>> {
    assert!(raw.len() <= BLOCK_BYTES_MAX, "a block is closed as soon as it is full");
    let mut encoder = DeflateEncoder::new(vec![0; BLOCK_HEADER_BYTES], LEVEL);
    encoder.write_all(raw)?;
    let mut bytes = encoder.finish()?;
    let length = |bytes: usize| u32::try_from(bytes).expect("a block is far smaller than 4 GiB");
    let (raw_bytes, compressed_bytes) = (length(raw.len()), length(bytes.len() - BLOCK_HEADER_BYTES));
    bytes[0..4].copy_from_slice(&BLOCK_MAGIC);
    bytes[8..12].copy_from_slice(&raw_bytes.to_le_bytes());
    bytes[12..16].copy_from_slice(&compressed_bytes.to_le_bytes());
    bytes[16..24].copy_from_slice(&first.0.to_le_bytes());
    bytes[24..28].copy_from_slice(&frames.to_le_bytes());
    bytes[32..64].copy_from_slice(&hash.0);
    let checksum = crc32fast::hash(&bytes[8..]);
    bytes[4..8].copy_from_slice(&checksum.to_le_bytes());
    Ok(bytes)
}

/// Decodes the header of a block. Its checksum covers the whole block; [`decode_block`] verifies it.
pub(super) fn decode_block_header(bytes: &[u8; BLOCK_HEADER_BYTES]) -> Result<BlockHeader, &'static str> {
    if bytes[0..4] != BLOCK_MAGIC {
        return Err("no block begins here");
    }
    let header = BlockHeader {
        checksum: u32::from_le_bytes(part(bytes, 4)),
        raw_bytes: u32::from_le_bytes(part(bytes, 8)),
        compressed_bytes: u32::from_le_bytes(part(bytes, 12)),
        first: Sequence(u64::from_le_bytes(part(bytes, 16))),
        frames: u32::from_le_bytes(part(bytes, 24)),
        hash: FrameHash(part(bytes, 32)),
    };
    if header.raw_bytes as usize > BLOCK_BYTES_MAX || header.compressed_bytes as usize > 2 * BLOCK_BYTES_MAX {
        return Err("a block header with an impossible length");
    }
    Ok(header)
}

/// The frames of a block that follows `head`, verified one by one and against the hash of the block.
pub(super) fn decode_block(
    header_bytes: &[u8; BLOCK_HEADER_BYTES],
    compressed: &[u8],
    head: &Head,
) -> Result<Vec<Frame>, &'static str> {
    let header = decode_block_header(header_bytes)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header_bytes[8..]);
    hasher.update(compressed);
    if hasher.finalize() != header.checksum || header.compressed_bytes as usize != compressed.len() {
        return Err("the checksum of a block is wrong");
    }
    if header.first != head.next {
        return Err("a block that does not follow the one before it");
    }
    let raw = decompress(compressed, header.raw_bytes).map_err(|_| "a block that does not decompress")?;
    let frames = frames_of(&raw, head)?;
    let is_whole = frames.len() == header.frames as usize && raw.len() == header.raw_bytes as usize;
    match frames.last() {
        Some(last) if is_whole && last.hash == header.hash => Ok(frames),
        _ => Err("the frames of a block do not lead to its hash"),
    }
}

/// The length in a header is not trusted: the buffer grows with the content.
fn decompress(compressed: &[u8], raw_bytes: u32) -> io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    DeflateDecoder::new(compressed).take(u64::from(raw_bytes) + 1).read_to_end(&mut raw)?;
    Ok(raw)
}

fn frames_of(mut raw: &[u8], head: &Head) -> Result<Vec<Frame>, &'static str> {
    let (mut frames, mut head) = (Vec::new(), *head);
    while !raw.is_empty() {
        let (kept, rest) =
            raw.split_first_chunk::<FRAME_HEADER_BYTES>().ok_or("a truncated frame in a block")?;
        let header = complete(kept, &head);
        let (payload, rest) =
            rest.split_at_checked(header.payload_bytes as usize).ok_or("a truncated frame in a block")?;
        if header.at < head.at || header.first.0.checked_add(u64::from(header.commands)).is_none() {
            return Err("a frame that does not follow the one before it");
        }
        let hash = header.hash(payload);
        let payload = Payload::parse(payload.to_vec(), header.commands, header.kind);
        let payload = payload.ok().filter(|payload| !payload.is_empty());
        let payload = payload.ok_or("a frame whose commands do not add up")?;
        head = Head::after(&header, hash);
        frames.push(Frame { header, hash, payload });
        raw = rest;
    }
    Ok(frames)
}

/// The full header of a frame, from its stored part and the head it follows.
fn complete(kept: &[u8; FRAME_HEADER_BYTES], head: &Head) -> FrameHeader {
    let mut bytes = [0; FrameHeader::ENCODED_BYTES];
    bytes[KEPT].copy_from_slice(kept);
    FrameHeader { first: head.next, previous_hash: head.hash, ..FrameHeader::decode(&bytes) }
}

/// For fuzzers: sets the format and length in the header, and the magic and checksum of each block.
#[cfg(feature = "testing")]
pub(crate) fn repair_file(bytes: &mut [u8]) {
    let file_bytes = bytes.len() as u64;
    let Some((header, mut rest)) = bytes.split_first_chunk_mut::<HEADER_BYTES>() else { return };
    header[0..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[136..144].copy_from_slice(&file_bytes.to_le_bytes());
    header[144..148].copy_from_slice(&DEFLATE.to_le_bytes());
    *header = with_checksum(*header);
    while rest.len() >= BLOCK_HEADER_BYTES {
        let claimed = u32::from_le_bytes(part(rest, 12)) as usize;
        let compressed_bytes = claimed.min(rest.len() - BLOCK_HEADER_BYTES);
        let (block, behind) = rest.split_at_mut(BLOCK_HEADER_BYTES + compressed_bytes);
        block[0..4].copy_from_slice(&BLOCK_MAGIC);
        block[12..16].copy_from_slice(&u32::try_from(compressed_bytes).unwrap_or(0).to_le_bytes());
        let checksum = crc32fast::hash(&block[8..]);
        block[4..8].copy_from_slice(&checksum.to_le_bytes());
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::conformance::payload_of;

    fn frames(count: u64) -> Vec<Frame> {
        let mut head = Head::EMPTY;
        let follow = |number: u64| {
            let payload = payload_of(&[number as usize % 40, 3], number);
            let header = head.next_header(7 * number as i64, &payload);
            let hash = header.hash(payload.bytes());
            head = Head::after(&header, hash);
            Frame { header, hash, payload }
        };
        (0..count).map(follow).collect()
    }

    fn block(frames: &[Frame]) -> Vec<u8> {
        let mut raw = Vec::new();
        frames.iter().for_each(|frame| push_frame(&mut raw, frame));
        let last = frames.last().expect("a frame");
        encode_block(&raw, frames[0].header.first, frames.len() as u32, last.hash).expect("a block")
    }

    fn decode(bytes: &[u8], head: &Head) -> Result<Vec<Frame>, &'static str> {
        let (header, compressed) = bytes.split_first_chunk().ok_or("too short")?;
        decode_block(header, compressed, head)
    }

    #[test]
    fn a_block_gives_its_frames_back_and_every_flipped_bit_is_found() {
        let frames = frames(9);
        let bytes = block(&frames);
        assert_eq!(decode(&bytes, &Head::EMPTY).as_ref(), Ok(&frames));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&flipped, &Head::EMPTY).is_err(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length], &Head::EMPTY).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn a_block_with_a_right_checksum_and_another_frame_is_found_by_its_hash() {
        let mut frames = frames(5);
        let last = frames[4].hash;
        frames[2].payload = payload_of(&[2, 3], 77);
        frames[2].header.payload_bytes = frames[2].payload.bytes().len() as u32;
        let mut raw = Vec::new();
        frames.iter().for_each(|frame| push_frame(&mut raw, frame));
        let bytes = encode_block(&raw, Sequence::FIRST, 5, last).expect("a block");
        assert_eq!(decode(&bytes, &Head::EMPTY), Err("the frames of a block do not lead to its hash"));
    }

    #[test]
    fn a_block_belongs_behind_the_frame_that_it_was_cut_from() {
        let frames = frames(6);
        let later = block(&frames[3..]);
        let head = Head::after(&frames[2].header, frames[2].hash);
        assert_eq!(decode(&later, &head).as_deref(), Ok(&frames[3..]));
        assert!(decode(&later, &Head::EMPTY).is_err());
        assert!(decode(&later, &Head { hash: FrameHash([1; 32]), ..head }).is_err(), "another chain");
    }

    #[test]
    fn a_header_gives_itself_back_and_every_flipped_bit_is_found() {
        let frames = frames(2);
        let end = Head::after(&frames[1].header, frames[1].hash);
        let header = FileHeader { journal: [9; 16], start: Head::EMPTY, end, frames: 2, file_bytes: 4711 };
        let bytes = header.encode();
        assert_eq!(FileHeader::decode(&bytes), Ok(header));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(FileHeader::decode(&flipped).is_err(), "bit {bit}");
        }
    }
}
