//! A frame: the header that the journal creates, the payload of the caller, and the hash that chains the frames.
//!
//! The hash depends only on these fields, not on the storage, so a frame has the same hash in a file and in a database.
//! `file/layout.rs` defines the layout in a file.

use std::fmt;

use data_encoding::HEXLOWER;

use crate::Payload;

/// A position in the journal. The first command has sequence 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence(pub u64);

impl Sequence {
    pub const FIRST: Sequence = Sequence(1);
}

impl fmt::Display for Sequence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// BLAKE3 over a frame's payload and header.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FrameHash(pub [u8; 32]);

impl FrameHash {
    /// The `previous_hash` of the very first frame.
    pub const ZERO: FrameHash = FrameHash([0; 32]);
}

impl fmt::Display for FrameHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", HEXLOWER.encode_display(&self.0))
    }
}

impl fmt::Debug for FrameHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// The kind of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameKind {
    /// Commands to apply.
    #[default]
    Commands,
    /// One command, which marks an earlier command to be skipped. Readers look for these before they apply
    /// anything.
    Skip,
}

/// The bit of the command count that marks a frame of kind `Skip`.
const SKIP: u32 = 1 << 31;

/// The metadata that the journal adds to a group of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// Sequence of the first command; the others have the sequences after it.
    pub first: Sequence,
    /// Microseconds since 1970, never less than in the previous frame.
    pub at: i64,
    pub kind: FrameKind,
    pub commands: u32,
    pub payload_bytes: u32,
    pub previous_hash: FrameHash,
}

impl FrameHeader {
    /// Length of [`FrameHeader::encode`].
    pub const ENCODED_BYTES: usize = 56;

    /// The sequence after the last command of this frame.
    pub fn next(&self) -> Sequence {
        Sequence(self.first.0 + u64::from(self.commands))
    }

    /// The canonical encoding, little-endian. These bytes are hashed and stored.
    pub fn encode(&self) -> [u8; FrameHeader::ENCODED_BYTES] {
        let mut bytes = [0; FrameHeader::ENCODED_BYTES];
        bytes[0..8].copy_from_slice(&self.first.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.at.to_le_bytes());
        let skip = if self.kind == FrameKind::Skip { SKIP } else { 0 };
        bytes[16..20].copy_from_slice(&(self.commands | skip).to_le_bytes());
        bytes[20..24].copy_from_slice(&self.payload_bytes.to_le_bytes());
        bytes[24..56].copy_from_slice(&self.previous_hash.0);
        bytes
    }

    /// The inverse of [`FrameHeader::encode`].
    pub fn decode(bytes: &[u8; FrameHeader::ENCODED_BYTES]) -> FrameHeader {
        let commands = u32::from_le_bytes(part(bytes, 16));
        FrameHeader {
            first: Sequence(u64::from_le_bytes(part(bytes, 0))),
            at: i64::from_le_bytes(part(bytes, 8)),
            kind: if commands & SKIP == 0 { FrameKind::Commands } else { FrameKind::Skip },
            commands: commands & !SKIP,
            payload_bytes: u32::from_le_bytes(part(bytes, 20)),
            previous_hash: FrameHash(part(bytes, 24)),
        }
    }

    /// The hash of the frame that has this header and this payload.
    ///
    /// The payload is hashed first: its 1 KiB chunks are then aligned and BLAKE3 hashes several at a time.
    pub fn hash(&self, payload: &[u8]) -> FrameHash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(payload).update(&self.encode());
        FrameHash(hasher.finalize().into())
    }
}

/// One group commit, read back and verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub header: FrameHeader,
    pub hash: FrameHash,
    pub payload: Payload,
}

/// `N` bytes starting at `offset`. The layout of a record is fixed, so a wrong offset is a bug.
pub(crate) fn part<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    bytes[offset..offset + N].try_into().expect("the slice has the length of the array")
}
