//! A frame encoded as the bytes of a row: magic, checksum, the canonical header, the payload.
//!
//! The hash depends only on header and payload, not on these bytes, so a frame keeps it when it moves from a file to a
//! database.

use crate::frame::{FrameHeader, part};
use crate::{Error, Frame, Head, Payload, Sequence};

const MAGIC: [u8; 4] = *b"FRAM";
const HEADER_BYTES: usize = 8 + FrameHeader::ENCODED_BYTES;

pub(super) fn encode(header: &FrameHeader, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_BYTES + payload.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&header.encode());
    bytes.extend_from_slice(payload);
    let checksum = crc32fast::hash(&bytes[8..]);
    bytes[4..8].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Decodes and verifies the frame in the row at `sequence`. [`head_after`] checks that it belongs there.
pub(super) fn decode(sequence: Sequence, hash: &[u8], bytes: &[u8]) -> Result<Frame, Error> {
    let bad = |what| Error::BadRow { sequence, what };
    if bytes.len() < HEADER_BYTES || bytes[0..4] != MAGIC {
        return Err(bad("is not a frame"));
    }
    if u32::from_le_bytes(part(bytes, 4)) != crc32fast::hash(&bytes[8..]) {
        return Err(bad("its checksum is wrong"));
    }
    let header = FrameHeader::decode(&part(bytes, 8));
    let payload = &bytes[HEADER_BYTES..];
    if header.first != sequence || header.payload_bytes as usize != payload.len() {
        return Err(bad("its header does not match the row"));
    }
    let found = header.hash(payload);
    if found.0 != *hash {
        return Err(bad("its hash is wrong"));
    }
    match Payload::parse(payload.to_vec(), header.commands, header.kind) {
        Ok(payload) if !payload.is_empty() => Ok(Frame { header, hash: found, payload }),
        _ => Err(bad("its commands do not add up")),
    }
}

/// The head after a frame, or an error if the frame does not follow `head`.
pub(super) fn head_after(head: &Head, frame: &Frame) -> Result<Head, Error> {
    if head.is_followed_by(&frame.header) {
        Ok(Head::after(&frame.header, frame.hash))
    } else {
        Err(Error::BadRow { sequence: frame.header.first, what: "does not follow the frame before it" })
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, head_after};
    use crate::testing::conformance::payload_of;
    use crate::{Head, Sequence};

    #[test]
    fn a_row_gives_its_frame_back_and_every_flipped_bit_is_found() {
        let payload = payload_of(&[3, 0, 40], 7);
        let header = Head::EMPTY.next_header(5, &payload);
        let (hash, bytes) = (header.hash(payload.bytes()), encode(&header, payload.bytes()));
        let frame = decode(Sequence(1), &hash.0, &bytes).expect("a frame");
        assert_eq!((frame.header, frame.hash, &frame.payload), (header, hash, &payload));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(Sequence(1), &hash.0, &flipped).is_err(), "bit {bit}");
        }
        assert!(decode(Sequence(2), &hash.0, &bytes).is_err(), "another place");
        assert!(decode(Sequence(1), &[0; 32], &bytes).is_err(), "another hash");
    }

    #[test]
    fn a_frame_follows_only_the_frame_that_it_names() {
        let payload = payload_of(&[3], 7);
        let header = Head::EMPTY.next_header(5, &payload);
        let (hash, bytes) = (header.hash(payload.bytes()), encode(&header, payload.bytes()));
        let frame = decode(Sequence(1), &hash.0, &bytes).expect("a frame");
        let head = head_after(&Head::EMPTY, &frame).expect("it is the first");
        assert_eq!((head.next, head.at), (Sequence(2), 5));
        assert!(head_after(&head, &frame).is_err());
    }
}
