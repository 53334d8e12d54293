//! The journal: an ordered, durable list of opaque frames, and the snapshots stored with it. This file is the contract.
//!
//! A frame is one group commit. The caller passes the payload and the sequence it expects to be next. The journal adds
//! the time, the hash chain and the checksums. It never interprets a command.
//!
//! `file/` stores frames in preallocated segments in a folder; `postgres/` stores them in a table that many nodes
//! share. `testing::conformance` tests both implementations. `archive/` holds old frames of either, compressed. The
//! byte layout is documented in `docs/journal-format.md`.

pub mod archive;
pub mod clock;
pub mod disk;
mod error;
pub mod file;
mod frame;
mod payload;
pub mod postgres;
pub mod snapshots;
#[cfg(feature = "testing")]
pub mod testing;
pub mod unsynced;

pub use clock::{Clock, SystemClock};
pub use error::{AppendError, Error, Place};
pub use frame::{Frame, FrameHash, FrameHeader, FrameKind, Sequence};
pub use payload::{Commands, Payload, PayloadError};

/// An append-only list of frames, owned by the one thread that appends.
pub trait Journal: Send {
    /// Makes one frame durable, if `expected` is still the next sequence.
    ///
    /// An error means that nothing was written and that a retry cannot succeed. Every outcome that may have written
    /// something is an [`Appended`].
    fn append(&mut self, expected: Sequence, payload: &Payload) -> Result<Appended, AppendError>;

    /// The position of the next frame. A shared journal reads the log before it returns.
    fn head(&mut self) -> Result<Head, Error>;

    /// Frames that other writers appended since the last call, one page at a time; empty at the head. After
    /// [`Appended::Preceded`] these are the frames that came first. A journal with a single writer returns none.
    fn read_others(&mut self) -> Result<Vec<Frame>, Error> {
        Ok(Vec::new())
    }

    /// A cursor that starts at the frame containing `from`, or waits for that frame if it is the next one.
    ///
    /// The cursor is independent of the journal: it may move to another thread, and it sees only durable frames.
    fn frames(&self, from: Sequence) -> Result<Box<dyn Frames>, Error>;

    /// All frames of kind [`FrameKind::Skip`], starting with the frame that contains `from`.
    fn skips(&self, from: Sequence) -> Result<Vec<Frame>, Error> {
        let (mut frames, mut skips) = (self.frames(from)?, Vec::new());
        while let Some(frame) = frames.next_frame()? {
            if frame.header.kind == FrameKind::Skip {
                skips.push(frame);
            }
        }
        Ok(skips)
    }

    /// The largest payload that [`Journal::append`] accepts.
    fn payload_bytes_max(&self) -> usize;
}

/// A cursor over durable frames, in order. It verifies the checksums and the hash chain.
pub trait Frames: Send {
    /// The next frame. `None` at the head; a later call may return more.
    fn next_frame(&mut self) -> Result<Option<Frame>, Error>;
}

/// The outcome of an append.
#[derive(Debug)]
#[must_use = "an append must not be reported as successful unless it was stored"]
pub enum Appended {
    /// Durable. `hash` becomes the next frame's `previous_hash`.
    Stored { header: FrameHeader, hash: FrameHash },
    /// Another writer already used `expected`; nothing of this payload was written. Read the new frames, then retry.
    Preceded { next: Sequence },
    /// The frame may or may not be stored; only reading the journal again can tell. A journal with a single writer then
    /// refuses every append until it is reopened. A shared journal returns the frame from `read_others` if it was stored.
    Unknown { cause: Error },
}

/// The end of the journal, which the next frame follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The sequence of the first command of the next frame.
    pub next: Sequence,
    /// Hash of the last frame; zeros before the first.
    pub hash: FrameHash,
    /// Time of the last frame in microseconds since 1970; zero before the first. Later frames never have an earlier
    /// time.
    pub at: i64,
}

impl Head {
    /// The head of an empty journal.
    pub const EMPTY: Head = Head { next: Sequence::FIRST, hash: FrameHash::ZERO, at: 0 };

    /// The header of a frame appended here at time `now`.
    pub fn next_header(&self, now: i64, payload: &Payload) -> FrameHeader {
        FrameHeader {
            first: self.next,
            at: now.max(self.at),
            kind: payload.kind(),
            commands: payload.commands_count(),
            payload_bytes: u32::try_from(payload.bytes().len()).expect("payloads are limited to 16 MiB"),
            previous_hash: self.hash,
        }
    }

    /// Whether `header` may follow this head: same sequence, same predecessor, and no earlier time.
    pub fn is_followed_by(&self, header: &FrameHeader) -> bool {
        header.first == self.next && header.previous_hash == self.hash && header.at >= self.at
    }

    /// The head after a frame.
    pub fn after(header: &FrameHeader, hash: FrameHash) -> Head {
        Head { next: header.next(), hash, at: header.at }
    }
}
