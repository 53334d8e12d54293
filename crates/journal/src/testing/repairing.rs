//! Repairs the checksums of damaged files, so that a fuzzer's damage reaches the readers behind the checksums. A
//! repaired file is not necessarily valid.

use crate::file::{layout, segment};
use crate::frame::{FrameHeader, part};
use crate::{Head, Sequence};

use layout::{HEADER_BYTES, MARK, SECTOR_BYTES, frame_end, frame_start, parts};
use segment::{PREFACE_BYTES, SegmentHeader};

/// The fields that [`repair_segment`] repairs besides the checksums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repairs {
    /// Sequences and previous hashes, so that each frame follows its predecessor.
    pub chain: bool,
    /// The mark at the end of each part of a frame.
    pub marks: bool,
}

/// Makes `bytes` the first segment of a journal, with this length, and repairs the checksums of its seal and frames.
pub fn repair_segment(bytes: &mut [u8], repairs: Repairs) {
    if bytes.len() < PREFACE_BYTES {
        return;
    }
    let (segment_bytes, journal) = (bytes.len() as u64, part(bytes, 24));
    let header = SegmentHeader { segment_bytes, journal, start: Head::EMPTY };
    bytes[..SECTOR_BYTES].copy_from_slice(&header.encode());
    let seal = segment::with_checksum(part(bytes, SECTOR_BYTES));
    if seal[SECTOR_BYTES - 1] != 0 {
        bytes[SECTOR_BYTES..PREFACE_BYTES].copy_from_slice(&seal);
    }
    let (mut head, mut end) = (Head::EMPTY, PREFACE_BYTES);
    while let Some((behind, frame_end)) = repair_frame(bytes, &header, frame_start(end), &head, repairs) {
        (head, end) = (behind, frame_end);
    }
}

/// Repairs the frame at `start`, if it has a header, and returns the head and the offset after it.
fn repair_frame(
    bytes: &mut [u8],
    segment: &SegmentHeader,
    start: usize,
    head: &Head,
    repairs: Repairs,
) -> Option<(Head, usize)> {
    let raw = bytes.get(start..start + HEADER_BYTES).filter(|raw| raw[..4] == layout::MAGIC)?;
    let mut header = FrameHeader::decode(&part(raw, 8));
    if repairs.chain {
        (header.first, header.previous_hash) = (head.next, head.hash);
        header.at = header.at.max(head.at);
    }
    let end = frame_end(start, header.payload_bytes as usize);
    let mut payload = Vec::new();
    if end <= bytes.len() {
        let mut skip = HEADER_BYTES;
        for part in parts(start..end) {
            if repairs.marks {
                bytes[part.end - 1] = MARK;
            }
            payload.extend_from_slice(&bytes[part.start + skip..part.end - 1]);
            skip = 0;
        }
        payload.truncate(header.payload_bytes as usize);
    }
    let repaired = layout::encode_header(segment.binding(), start, &header, crc32fast::hash(&payload));
    bytes[start..start + HEADER_BYTES].copy_from_slice(&repaired);
    let next = Sequence(header.first.0.checked_add(u64::from(header.commands))?);
    let behind = Head { next, hash: header.hash(&payload), at: header.at };
    (end <= bytes.len()).then_some((behind, end))
}

/// Makes the header of `bytes` that of an archive file, and repairs the checksums of its blocks.
pub fn repair_archive(bytes: &mut [u8]) {
    crate::archive::repair_file(bytes);
}

/// Makes the header of `bytes` that of a snapshot file: format, length of the compressed content, checksum.
pub fn repair_snapshot(bytes: &mut [u8]) {
    crate::snapshots::repair_header(bytes);
}
