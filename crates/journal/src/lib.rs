//! The journal: an ordered, durable list of opaque frames, and snapshots beside it. This file is the contract.
//!
//! A frame is one group commit. The caller gives the payload and the sequence that it expects to be next; the
//! journal owns everything around it: time, hash chain, checksums. What a command means is nobody's business
//! here. `file/` keeps frames in preallocated segments of a folder, `postgres/` in a table that many nodes share;
//! `testing::conformance` says what both must do. `archive/` holds compressed what has left either. The bytes are drawn in `docs/journal-format.md`.

pub mod archive;
pub mod clock;
pub mod disk;
mod error;
pub mod file;
mod frame;
mod payload;
pub mod postgres;
pub mod snapshots;
pub mod testing;

pub use clock::{Clock, SystemClock};
pub use error::{AppendError, Error, Place};
pub use frame::{Frame, FrameHash, FrameHeader, FrameKind, Sequence};
pub use payload::{Commands, Payload, PayloadError};

/// A list of frames that only grows, owned by the one thread that appends.
pub trait Journal: Send {
    /// Makes one frame durable, if `expected` is still the next sequence.
    ///
    /// An error means that nothing was written and that asking again is of no use. Whatever may have left a
    /// trace comes back as an [`Appended`].
    fn append(&mut self, expected: Sequence, payload: &Payload) -> Result<Appended, AppendError>;

    /// Where the next frame goes. A journal that others append to as well looks before it answers.
    fn head(&mut self) -> Result<Head, Error>;

    /// Frames of others that were appended since this was asked last, a page at a time; none at the head. After an
    /// append that was preceded these are what came before. A journal with one writer has none.
    fn others(&mut self) -> Result<Vec<Frame>, Error> {
        Ok(Vec::new())
    }

    /// A cursor that starts at the frame holding `from`, or waits for it if it is the next one.
    ///
    /// The cursor stands on its own: it may move to another thread and sees only what is durable.
    fn frames(&self, from: Sequence) -> Result<Box<dyn Frames>, Error>;

    /// The frames of kind [`FrameKind::Skip`] from the one holding `from` on.
    fn skips(&self, from: Sequence) -> Result<Vec<Frame>, Error> {
        let (mut frames, mut skips) = (self.frames(from)?, Vec::new());
        while let Some(frame) = frames.next_frame()? {
            if frame.header.kind == FrameKind::Skip {
                skips.push(frame);
            }
        }
        Ok(skips)
    }

    /// The largest payload that [`Journal::append`] takes.
    fn payload_bytes_max(&self) -> usize;
}

/// A cursor over durable frames in their order. Checksums and the chain of hashes are verified on the way.
pub trait Frames: Send {
    /// The next frame; `None` at the head, where asking again later is fine.
    fn next_frame(&mut self) -> Result<Option<Frame>, Error>;
}

/// What became of an append.
#[derive(Debug)]
#[must_use = "a frame that is not known to be stored must not be answered as such"]
pub enum Appended {
    /// Durable. `hash` is what the next frame will name as its predecessor's.
    Stored { header: FrameHeader, hash: FrameHash },
    /// Someone else was first: `expected` is taken and nothing of ours was written. Read the tail, try again.
    Preceded { next: Sequence },
    /// The frame may be there or not; only reading the journal again can tell. A journal with one writer refuses
    /// whatever comes next until it is opened anew; one that is shared shows it among those of others, or never.
    Unknown { cause: Error },
}

/// The end of the journal: what the next frame follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The sequence that the first command of the next frame gets.
    pub next: Sequence,
    /// Hash of the last frame; zeros before the first.
    pub hash: FrameHash,
    /// Time of the last frame in microseconds since 1970; zero before the first. The next is never less.
    pub at: i64,
}

impl Head {
    /// The head of a journal that holds nothing yet.
    pub const EMPTY: Head = Head { next: Sequence::FIRST, hash: FrameHash::ZERO, at: 0 };

    /// The header of the frame that would follow here at `now`.
    pub fn follow(&self, now: i64, payload: &Payload) -> FrameHeader {
        FrameHeader {
            first: self.next,
            at: now.max(self.at),
            kind: payload.kind(),
            commands: payload.commands_count(),
            payload_bytes: u32::try_from(payload.bytes().len()).expect("a payload is limited to far less"),
            previous_hash: self.hash,
        }
    }

    /// Whether `header` may stand here: same sequence, same predecessor, time not going back.
    pub fn is_followed_by(&self, header: &FrameHeader) -> bool {
        header.first == self.next && header.previous_hash == self.hash && header.at >= self.at
    }

    /// The head behind a frame.
    pub fn behind(header: &FrameHeader, hash: FrameHash) -> Head {
        Head { next: header.next(), hash, at: header.at }
    }
}
