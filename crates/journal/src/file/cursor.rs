//! Reads the frames of a folder in order, concurrently with the writer, and only durable ones.
//!
//! Durable data must be valid. Anything else is corruption and is reported with its position; nothing is repaired here.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::layout::{self, FoundFrame, SECTOR_BYTES, frame_end, frame_start};
use super::segment::{PREFACE_BYTES, Segment, segment_name};
use crate::disk::{Disk, read_all};
use crate::{Error, Frame, Frames, Head, Place, Sequence};

/// The read sizes within a segment and at the head. Larger frames are read whole.
const WINDOW_BYTES: usize = 256 << 10;
const WINDOW_BYTES_AT_HEAD: usize = 16 << 10;

#[derive(Debug)]
pub(super) struct Cursor {
    disk: Arc<dyn Disk>,
    durable: Arc<AtomicU64>,
    segment: Segment,
    /// The offset of the next frame, or the segment's end.
    start: usize,
    head: Head,
    /// Frames that end before this sequence are skipped.
    from: Sequence,
    window: Window,
}

/// A part of the segment, read when all frames below `durable` were in it.
#[derive(Debug, Default)]
struct Window {
    bytes: Vec<u8>,
    offset: usize,
    durable: u64,
}

impl Cursor {
    /// Opens the segment `name`. Skips the frames before the frame that contains `from`.
    pub(super) fn open(
        disk: Arc<dyn Disk>,
        durable: Arc<AtomicU64>,
        name: &str,
        from: Sequence,
    ) -> Result<Cursor, Error> {
        let segment = Segment::open(&*disk, name)?;
        let head = segment.header.start;
        Ok(Cursor { disk, durable, segment, start: PREFACE_BYTES, head, from, window: Window::default() })
    }

    /// The head after the last frame that was read, including skipped ones.
    pub(super) fn head(&self) -> Head {
        self.head
    }

    /// The next durable frame, including those before `from`.
    fn advance(&mut self) -> Result<Option<Frame>, Error> {
        if self.head.next.0 >= self.durable.load(Ordering::Acquire) {
            return Ok(None);
        }
        loop {
            let binding = self.segment.header.binding();
            let segment_bytes = self.segment.header.segment_bytes as usize;
            self.fill(SECTOR_BYTES)?;
            if let Some((header, _)) = layout::decode_header(binding, self.start, self.bytes()) {
                let end = frame_end(self.start, header.payload_bytes as usize).min(segment_bytes);
                self.fill(end - self.start)?;
            }
            match layout::decode(binding, self.start, self.bytes(), segment_bytes, &self.head) {
                FoundFrame::Frame { header, hash, payload, end } => {
                    self.head = Head::after(&header, hash);
                    self.start = frame_start(end).min(segment_bytes);
                    return Ok(Some(Frame { header, hash, payload }));
                }
                // A durable frame is not in this segment, so it begins the next one.
                FoundFrame::Unwritten if self.start > PREFACE_BYTES => self.next_segment()?,
                FoundFrame::Unwritten => return Err(self.corrupt("a segment without frames")),
                FoundFrame::BadHeader => return Err(self.corrupt("a bad header")),
                FoundFrame::BadBody { .. } => return Err(self.corrupt("a bad frame")),
                FoundFrame::Misplaced(what) => return Err(self.corrupt(what)),
            }
        }
    }

    /// The content of the window, starting at `start`.
    fn bytes(&self) -> &[u8] {
        &self.window.bytes[self.start - self.window.offset..]
    }

    /// Makes the window hold at least `wanted` bytes starting at `start`, or all bytes up to the segment's end. Data
    /// that was read before the next frame became durable is read again.
    fn fill(&mut self, wanted: usize) -> Result<(), Error> {
        let left = self.segment.header.segment_bytes as usize - self.start;
        let window = &mut self.window;
        let window_end = window.offset + window.bytes.len();
        let is_inside = window.offset <= self.start && self.start + wanted.min(left) <= window_end;
        if is_inside && self.head.next.0 < window.durable {
            return Ok(());
        }
        window.durable = self.durable.load(Ordering::Acquire);
        window.offset = self.start;
        let usual = if is_inside { WINDOW_BYTES_AT_HEAD } else { WINDOW_BYTES };
        window.bytes.resize(left.min(wanted.max(usual)), 0);
        read_all(&*self.segment.file, &mut window.bytes, self.start as u64)
            .map_err(Error::disk("read", &self.segment.name))
    }

    /// Continues in the segment that begins with the next sequence.
    fn next_segment(&mut self) -> Result<(), Error> {
        let next = Segment::open(&*self.disk, &segment_name(self.head.next))?;
        if next.header.start != self.head || next.header.journal != self.segment.header.journal {
            return Err(Error::wrong_file(&next.name, "does not follow the segment before it"));
        }
        self.segment = next;
        self.start = PREFACE_BYTES;
        self.window = Window::default();
        Ok(())
    }

    fn corrupt(&self, what: &'static str) -> Error {
        let (file, offset, sequence) = (self.segment.name.clone(), self.start as u64, self.head.next);
        Error::Corrupt { place: Place { file, offset, sequence }, what }
    }
}

impl Frames for Cursor {
    fn next_frame(&mut self) -> Result<Option<Frame>, Error> {
        while let Some(frame) = self.advance()? {
            if frame.header.next() > self.from {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }
}
