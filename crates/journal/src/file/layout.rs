//! The layout of a frame in a segment, as pure functions over bytes. No input or output.
//!
//! A disk writes sectors of 512 bytes, each entirely or not at all. A frame is therefore divided into *parts*, one
//! per sector it touches. The first part starts with the header, which never straddles two sectors. The last byte of
//! every part is a mark, so a written part is never all zeros, even if the payload is, and no single flipped bit can
//! make it look unwritten. `docs/journal-format.md` shows the layout.

use std::ops::Range;

use crate::frame::{FrameHash, FrameHeader, Sequence, part};
use crate::{Head, Payload};

pub(crate) const SECTOR_BYTES: usize = 512;
/// The last byte of every part. Four bits are set, so that a few flipped bits do not make it zero.
pub(crate) const MARK: u8 = 0xA5;
pub(crate) const HEADER_BYTES: usize = 72;
pub(crate) const MAGIC: [u8; 4] = *b"FRAM";
const ALIGNMENT: usize = 8;

/// Part of every header checksum. It binds a frame to its segment, so that a stray sector or bytes in a payload cannot
/// pass for a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentBinding {
    pub(crate) journal: [u8; 16],
    /// First sequence of the segment.
    pub(crate) segment: Sequence,
}

/// The data at an offset where a frame could begin. `end` is the offset after the frame.
#[derive(Debug)]
pub(crate) enum FoundFrame {
    Frame {
        header: FrameHeader,
        hash: FrameHash,
        payload: Payload,
        end: usize,
    },
    /// The first part is all zeros.
    Unwritten,
    /// Data, but not a valid header.
    BadHeader,
    /// A valid header whose marks, padding, payload checksum or lengths do not match.
    BadBody {
        end: usize,
    },
    /// A valid header that does not belong here.
    Misplaced(&'static str),
}

/// The first offset at or after `offset` where a header fits into one sector.
pub(crate) fn frame_start(offset: usize) -> usize {
    let within = offset % SECTOR_BYTES;
    // The last byte of the part is its mark.
    if within + HEADER_BYTES < SECTOR_BYTES { offset } else { offset - within + SECTOR_BYTES }
}

/// The offset after a frame that starts at `start`, a multiple of eight.
pub(crate) fn frame_end(start: usize, payload_bytes: usize) -> usize {
    let data = HEADER_BYTES + payload_bytes;
    let sector_end = (start / SECTOR_BYTES + 1) * SECTOR_BYTES;
    let room = sector_end - start - 1;
    if data <= room {
        return (start + data + 1).next_multiple_of(ALIGNMENT);
    }
    let whole = (data - room - 1) / (SECTOR_BYTES - 1);
    let last = data - room - whole * (SECTOR_BYTES - 1);
    sector_end + whole * SECTOR_BYTES + (last + 1).next_multiple_of(ALIGNMENT)
}

/// The parts of `range`, one for each sector it touches.
pub(crate) fn parts(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    std::iter::from_fn(move || {
        let end = ((start / SECTOR_BYTES + 1) * SECTOR_BYTES).min(range.end);
        (start < range.end).then(|| std::mem::replace(&mut start, end)..end)
    })
}

/// Encodes a frame into `buffer`, laid out for offset `start`.
pub(crate) fn encode(
    buffer: &mut Vec<u8>,
    binding: SegmentBinding,
    start: usize,
    header: &FrameHeader,
    payload: &[u8],
) {
    let end = frame_end(start, payload.len());
    buffer.clear();
    buffer.reserve(end - start);
    buffer.extend_from_slice(&encode_header(binding, start, header, crc32fast::hash(payload)));
    let mut rest = payload;
    for part in parts(start..end) {
        let room = part.end - start - 1 - buffer.len();
        let (here, later) = rest.split_at(room.min(rest.len()));
        buffer.extend_from_slice(here);
        buffer.resize(part.end - start - 1, 0);
        buffer.push(MARK);
        rest = later;
    }
    assert!(rest.is_empty(), "`frame_end` reserves space for the whole payload");
}

pub(crate) fn encode_header(
    binding: SegmentBinding,
    start: usize,
    header: &FrameHeader,
    payload_checksum: u32,
) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[0..4].copy_from_slice(&MAGIC);
    bytes[8..64].copy_from_slice(&header.encode());
    bytes[64..68].copy_from_slice(&payload_checksum.to_le_bytes());
    let checksum = header_checksum(binding, start, &bytes);
    bytes[4..8].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn header_checksum(binding: SegmentBinding, start: usize, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&binding.journal);
    hasher.update(&binding.segment.0.to_le_bytes());
    hasher.update(&(start as u64).to_le_bytes());
    hasher.update(&bytes[8..HEADER_BYTES]);
    hasher.finalize()
}

/// The header at the front of `bytes` and the payload's checksum, if the header was written for offset `start`.
pub(crate) fn decode_header(
    binding: SegmentBinding,
    start: usize,
    bytes: &[u8],
) -> Option<(FrameHeader, u32)> {
    let bytes = bytes.get(..HEADER_BYTES)?;
    let checksum = u32::from_le_bytes(part(bytes, 4));
    if bytes[0..4] != MAGIC || bytes[68..72] != [0; 4] || checksum != header_checksum(binding, start, bytes) {
        return None;
    }
    Some((FrameHeader::decode(&part(bytes, 8)), u32::from_le_bytes(part(bytes, 64))))
}

/// Decodes the data at `start` of a segment with `segment_bytes` bytes. `bytes` begins at `start` and extends at least
/// to the end of the frame, or to the end of the segment. `head` is the head that the frame must follow.
pub(crate) fn decode(
    binding: SegmentBinding,
    start: usize,
    bytes: &[u8],
    segment_bytes: usize,
    head: &Head,
) -> FoundFrame {
    let Some((header, checksum)) = decode_header(binding, start, bytes) else {
        let first_part = parts(start..segment_bytes).next().map_or(0, |part| part.len());
        let is_unwritten = is_zero(&bytes[..first_part.min(bytes.len())]);
        return if is_unwritten { FoundFrame::Unwritten } else { FoundFrame::BadHeader };
    };
    let end = frame_end(start, header.payload_bytes as usize);
    if end > segment_bytes || header.first.0.checked_add(u64::from(header.commands)).is_none() {
        return FoundFrame::Misplaced("a header that reaches beyond its segment");
    }
    if !head.is_followed_by(&header) {
        return FoundFrame::Misplaced("a frame that does not follow the one before it");
    }
    match body(&bytes[..end - start], start, header.payload_bytes as usize) {
        Some(payload) if crc32fast::hash(&payload) == checksum => {
            let hash = header.hash(&payload);
            match Payload::parse(payload, header.commands, header.kind) {
                Ok(payload) if !payload.is_empty() => FoundFrame::Frame { header, hash, payload, end },
                _ => FoundFrame::Misplaced("a frame whose commands do not add up"),
            }
        }
        _ => FoundFrame::BadBody { end },
    }
}

/// Collects the payload from the parts of a frame. `None` if a mark or the padding is wrong.
fn body(frame: &[u8], start: usize, payload_bytes: usize) -> Option<Vec<u8>> {
    let mut payload = Vec::with_capacity(payload_bytes);
    let mut skip = HEADER_BYTES;
    for part in parts(start..start + frame.len()) {
        let part = &frame[part.start - start..part.end - start];
        let (mark, data) = part.split_last()?;
        let data = &data[skip..];
        skip = 0;
        let (here, padding) = data.split_at(data.len().min(payload_bytes - payload.len()));
        if *mark != MARK || !is_zero(padding) {
            return None;
        }
        payload.extend_from_slice(here);
    }
    Some(payload)
}

/// Whether a crash can have produced the frame at `start..end`: its end mark, or all of one part, is still zero. A
/// frame that was made durable never looks like that.
pub(crate) fn is_torn(segment: &[u8], start: usize, end: usize) -> bool {
    segment[end - 1] == 0 || parts(start..end).any(|part| is_zero(&segment[part]))
}

pub(crate) fn is_zero(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks::<64>();
    chunks.iter().all(|chunk| chunk.iter().fold(0, |all, byte| all | byte) == 0)
        && rest.iter().all(|byte| *byte == 0)
}

#[cfg(test)]
mod tests {
    use super::{HEADER_BYTES, SECTOR_BYTES, frame_end, frame_start, parts};

    #[test]
    fn a_frame_ends_at_the_first_multiple_of_eight_that_holds_it() {
        let capacity = |start: usize, end: usize| (end - start) - parts(start..end).count();
        for start in (0..2 * SECTOR_BYTES).step_by(8).filter(|start| frame_start(*start) == *start) {
            for payload_bytes in 0..2_000 {
                let end = frame_end(start, payload_bytes);
                assert_eq!(end % 8, 0);
                assert!(capacity(start, end) >= HEADER_BYTES + payload_bytes);
                assert!(capacity(start, end - 8) < HEADER_BYTES + payload_bytes);
            }
        }
    }

    #[test]
    fn a_header_never_straddles_two_sectors() {
        for offset in (0..4 * SECTOR_BYTES).step_by(8) {
            let start = frame_start(offset);
            assert!(start >= offset && start - offset < SECTOR_BYTES);
            assert!(start % SECTOR_BYTES + HEADER_BYTES < SECTOR_BYTES);
        }
    }
}
