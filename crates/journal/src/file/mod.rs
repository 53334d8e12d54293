//! The journal in a folder: preallocated segments and one `fdatasync` per frame, before the frame is acknowledged.
//!
//! The first failed write or sync poisons the journal: the outcome of that append is unknown, and later appends are
//! refused, because only reopening the journal (`recovery.rs`) shows what the disk holds. No failure is retried, except
//! that a new segment waits for a free file descriptor, since the failed call did nothing.
//!
//! `layout.rs` and `segment.rs` define the bytes. `reading.rs` reads, `audit.rs` reads without trusting anything,
//! `moving.rs` moves sealed segments into an archive.

mod audit;
mod cursor;
pub(crate) mod layout;
mod moving;
mod reading;
mod recovery;
pub(crate) mod segment;
mod spare;

use std::any::Any;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::archive::{ArchivePlace, Archived};
use crate::clock::is_ahead_allowed;
use crate::disk::{Disk, write_all};
use crate::{
    AppendError, Appended, Clock, Error, FrameHash, FrameHeader, Frames, Head, Journal, Payload, Sequence,
};
pub use audit::{Audit, Tail};
use layout::{SECTOR_BYTES, frame_end, frame_start};
pub use moving::{Moved, SegmentMover};
use reading::Reading;
pub use recovery::Cut;
use recovery::Recovered;
pub use segment::SPARE;
use segment::{PREFACE_BYTES, Segment, SegmentHeader, create_spare, segment_names};
use spare::Spare;

const LOCK: &str = "journal.lock";
/// The largest payload, independent of the segment size.
const PAYLOAD_BYTES_MAX: usize = 16 << 20;
const SEGMENT_BYTES_MIN: u64 = 4 * SECTOR_BYTES as u64;
const SEGMENT_BYTES_MAX: u64 = 1 << 30;

/// Settings of a file journal.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Size of new segments, a multiple of 512. Existing segments keep theirs.
    pub segment_bytes: u64,
    /// When opening, segments that end before this sequence are only checked for presence and order. The last segment
    /// is always verified. A cursor verifies every frame it reads, regardless of this setting.
    pub verify_from: Sequence,
    /// Whether a background thread prepares the next segment. Tests that count disk calls disable it.
    pub prepare_in_background: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { segment_bytes: 64 << 20, verify_from: Sequence::FIRST, prepare_in_background: true }
    }
}

/// A journal in one folder, written by one process.
pub struct FileJournal {
    disk: Arc<dyn Disk>,
    clock: Box<dyn Clock>,
    /// Microseconds by which the clock was behind the last frame when the journal was opened.
    behind_at_start: i64,
    options: Options,
    segment: Segment,
    /// The offset after the last frame of `segment`.
    end: usize,
    head: Head,
    /// `head.next`, shared with the cursors; raised when a frame is durable.
    durable: Arc<AtomicU64>,
    spare: Spare,
    is_poisoned: bool,
    /// The encoded frame; kept to reuse its capacity.
    buffer: Vec<u8>,
    cut: Option<Cut>,
    archived: Option<Archived>,
    archive: Option<ArchivePlace>,
    _lock: Box<dyn Any + Send>,
}

/// How many segments may be moved into an archive while the journal is being opened.
const OPENINGS_MAX: usize = 100;

impl FileJournal {
    /// Creates a journal in a folder without one. `journal` is its random id.
    pub fn create(
        disk: Arc<dyn Disk>,
        clock: Box<dyn Clock>,
        options: Options,
        journal: [u8; 16],
    ) -> Result<FileJournal, Error> {
        FileJournal::begin(disk, clock, options, journal, None)
    }

    /// Creates a journal that continues after the frames of an archive.
    pub fn create_behind(
        disk: Arc<dyn Disk>,
        clock: Box<dyn Clock>,
        options: Options,
        archived: &Archived,
    ) -> Result<FileJournal, Error> {
        FileJournal::begin(disk, clock, options, archived.journal, Some(archived))
    }

    fn begin(
        disk: Arc<dyn Disk>,
        clock: Box<dyn Clock>,
        options: Options,
        journal: [u8; 16],
        archived: Option<&Archived>,
    ) -> Result<FileJournal, Error> {
        options.check()?;
        let lock = lock(&*disk)?;
        if !clean_up(&*disk)?.is_empty() || Archived::read(&*disk)?.is_some() {
            return Err(Error::AlreadyThere);
        }
        if let Some(archived) = archived {
            archived.write(&*disk)?;
        }
        let start = archived.map_or(Head::EMPTY, |archived| archived.end);
        let header = SegmentHeader { segment_bytes: options.segment_bytes, journal, start };
        let spare = create_spare(&*disk, options.segment_bytes).map_err(Error::disk("prepare", SPARE))?;
        let segment = Segment::establish(&*disk, spare, header)?;
        let recovered = recovery::recover(&*disk, &[segment.name], options.verify_from, archived)?;
        Ok(FileJournal::on(disk, clock, options, recovered, archived.cloned(), lock))
    }

    /// Opens the journal in a folder. Repairs what a crash may have left, and fails on any other damage.
    pub fn open(disk: Arc<dyn Disk>, clock: Box<dyn Clock>, options: Options) -> Result<FileJournal, Error> {
        options.check()?;
        let lock = lock(&*disk)?;
        let mut openings = 1;
        loop {
            // List before reading the record: a segment that is no longer listed is then covered by the record.
            let names = clean_up(&*disk)?;
            let archived = Archived::read(&*disk)?;
            match recovery::recover(&*disk, &names, options.verify_from, archived.as_ref()) {
                // Moved to the archive since the folder was listed.
                Err(error) if error.is_not_found() && openings < OPENINGS_MAX => openings += 1,
                recovered => return Ok(FileJournal::on(disk, clock, options, recovered?, archived, lock)),
            }
        }
    }

    fn on(
        disk: Arc<dyn Disk>,
        clock: Box<dyn Clock>,
        options: Options,
        recovered: Recovered,
        archived: Option<Archived>,
        lock: Box<dyn Any + Send>,
    ) -> FileJournal {
        let Recovered { segment, end, head, cut } = recovered;
        FileJournal {
            durable: Arc::new(AtomicU64::new(head.next.0)),
            spare: Spare::new(Arc::clone(&disk), options.segment_bytes),
            is_poisoned: false,
            buffer: Vec::new(),
            disk,
            behind_at_start: clock.behind(head.at),
            clock,
            options,
            segment,
            end,
            head,
            cut,
            archived,
            archive: None,
            _lock: lock,
        }
    }

    /// The archive record that the folder had when the journal was opened.
    pub fn archived(&self) -> Option<&Archived> {
        self.archived.as_ref()
    }

    /// Sets where cursors read archived frames.
    pub fn read_archive(&mut self, place: ArchivePlace) {
        self.archive = Some(place);
    }

    /// The torn frame that was removed when the journal was opened. It was never acknowledged.
    pub fn cut(&self) -> Option<&Cut> {
        self.cut.as_ref()
    }

    /// The random id that the journal was created with.
    pub fn id(&self) -> [u8; 16] {
        self.segment.header.journal
    }

    /// Writes the frame and makes it durable. Rolls over to the next segment if this one has no room.
    fn store(&mut self, payload: &Payload) -> Result<(FrameHeader, FrameHash), Error> {
        let header = self.head.next_header(self.clock.now(), payload);
        let mut start = frame_start(self.end);
        if frame_end(start, payload.bytes().len()) > self.segment_bytes() {
            self.roll()?;
            start = PREFACE_BYTES;
        }
        let hash = header.hash(payload.bytes());
        layout::encode(&mut self.buffer, self.segment.header.binding(), start, &header, payload.bytes());
        let file = &*self.segment.file;
        write_all(file, &self.buffer, start as u64).map_err(Error::disk("write", &self.segment.name))?;
        file.sync_data().map_err(Error::disk("sync", &self.segment.name))?;
        self.end = start + self.buffer.len();
        Ok((header, hash))
    }

    /// Continues in a new segment. The old one is sealed only after the new one is durable.
    fn roll(&mut self) -> Result<(), Error> {
        let (segment_bytes, journal) = (self.options.segment_bytes, self.id());
        let header = SegmentHeader { segment_bytes, journal, start: self.head };
        let spare = self.spare.take().map_err(Error::disk("prepare", SPARE))?;
        let next = Segment::establish(&*self.disk, spare, header)?;
        self.segment.seal(&self.head)?;
        self.segment = next;
        self.end = PREFACE_BYTES;
        Ok(())
    }

    /// Prepares the next segment once an eighth of this one is used: a small journal stays small, and a busy one does
    /// not have to wait.
    fn prepare(&mut self) {
        if self.end > self.segment_bytes() / 8 && !self.spare.is_begun() {
            self.spare.begin(self.options.prepare_in_background);
        }
    }

    fn segment_bytes(&self) -> usize {
        usize::try_from(self.segment.header.segment_bytes)
            .expect("the segment was read into memory, so its size fits a usize")
    }
}

impl Journal for FileJournal {
    fn append(&mut self, expected: Sequence, payload: &Payload) -> Result<Appended, AppendError> {
        let (bytes, bytes_max) = (payload.bytes().len(), self.payload_bytes_max());
        if self.is_poisoned {
            return Err(AppendError::Poisoned);
        }
        if payload.is_empty() {
            return Err(AppendError::Empty);
        }
        if bytes > bytes_max {
            return Err(AppendError::TooLarge { bytes, bytes_max });
        }
        let next = self.head.next;
        if expected > next {
            return Err(AppendError::Ahead { expected, next });
        }
        if expected < next {
            return Ok(Appended::Preceded { next });
        }
        if !is_ahead_allowed(self.clock.ahead(), self.behind_at_start) {
            return Err(AppendError::AheadOfTime { at: self.clock.now() });
        }
        match self.store(payload) {
            Ok((header, hash)) => {
                self.head = Head::after(&header, hash);
                self.durable.store(self.head.next.0, Ordering::Release);
                self.prepare();
                Ok(Appended::Stored { header, hash })
            }
            Err(cause) => {
                self.is_poisoned = true;
                Ok(Appended::Unknown { cause })
            }
        }
    }

    fn head(&mut self) -> Result<Head, Error> {
        Ok(self.head)
    }

    fn frames(&self, from: Sequence) -> Result<Box<dyn Frames>, Error> {
        if from > self.head.next {
            return Err(Error::NotThereYet { from, next: self.head.next });
        }
        let (disk, durable) = (Arc::clone(&self.disk), Arc::clone(&self.durable));
        Ok(Box::new(Reading::new(disk, durable, self.archive.clone(), from)?))
    }

    fn payload_bytes_max(&self) -> usize {
        // The capacity of a new segment after its preface, minus one mark per sector and the header.
        let sectors = (self.options.segment_bytes as usize - PREFACE_BYTES) / SECTOR_BYTES;
        (sectors * (SECTOR_BYTES - 1) - layout::HEADER_BYTES).min(PAYLOAD_BYTES_MAX)
    }
}

impl fmt::Debug for FileJournal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("FileJournal");
        shown.field("disk", &self.disk).field("segment", &self.segment.name).field("head", &self.head);
        shown.field("is_poisoned", &self.is_poisoned).finish_non_exhaustive()
    }
}

impl Options {
    fn check(&self) -> Result<(), Error> {
        if !self.segment_bytes.is_multiple_of(SECTOR_BYTES as u64) {
            return Err(Error::WrongOptions("the segment size must be a multiple of 512"));
        }
        if !(SEGMENT_BYTES_MIN..=SEGMENT_BYTES_MAX).contains(&self.segment_bytes) {
            return Err(Error::WrongOptions("the segment size must be between 2 KiB and 1 GiB"));
        }
        Ok(())
    }
}

fn lock(disk: &dyn Disk) -> Result<Box<dyn Any + Send>, Error> {
    disk.lock(LOCK).map_err(|source| match source.kind() {
        io::ErrorKind::WouldBlock => Error::Locked { file: LOCK.to_owned() },
        _ => Error::disk("lock", LOCK)(source),
    })
}

/// Removes an unfinished spare, and returns the names of the segments in order.
fn clean_up(disk: &dyn Disk) -> Result<Vec<String>, Error> {
    let names = disk.list().map_err(Error::disk("list", "the folder"))?;
    if names.iter().any(|name| name == SPARE) {
        disk.remove(SPARE).map_err(Error::disk("remove", SPARE))?;
    }
    Ok(segment_names(names))
}
