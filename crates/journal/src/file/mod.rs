//! The journal in a folder: preallocated segments, one `fdatasync` for each frame, nothing answered before.
//!
//! The first failure of a write or a sync poisons it: that append is unknown and nothing is accepted any more,
//! because what the disk then holds can only be told by opening it again (`recovery.rs`). No failure is retried, except
//! that a new segment waits for a free descriptor: nothing has been done when there is none.
//! Bytes are laid out by `layout.rs` and `segment.rs`; `reading.rs` reads, `audit.rs` reads and
//! trusts nothing, `moving.rs` moves sealed segments into an archive.

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
use crate::clock::AHEAD_MAX;
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
use segment::{PREFACE_BYTES, SPARE, Segment, SegmentHeader, create_spare, segment_names};
use spare::Spare;

const LOCK: &str = "journal.lock";
/// No payload is larger, however large the segments are.
const PAYLOAD_BYTES_MAX: usize = 16 << 20;
const SEGMENT_BYTES_MIN: u64 = 4 * SECTOR_BYTES as u64;
const SEGMENT_BYTES_MAX: u64 = 1 << 30;

/// What an operator may choose.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Size of new segments, a multiple of 512. Existing ones keep theirs.
    pub segment_bytes: u64,
    /// At opening, segments that end before this sequence are only checked to be there and in order. A cursor
    /// verifies every frame that it reads, whatever is said here. The last segment is always verified.
    pub verify_from: Sequence,
    /// Whether the next segment is prepared by a thread. Tests that count calls say no.
    pub prepare_in_background: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { segment_bytes: 64 << 20, verify_from: Sequence::FIRST, prepare_in_background: true }
    }
}

/// A journal that lives in one folder and is written by one process.
pub struct FileJournal {
    disk: Arc<dyn Disk>,
    clock: Box<dyn Clock>,
    options: Options,
    segment: Segment,
    /// Where the last frame of `segment` ends.
    end: usize,
    head: Head,
    /// `head.next` for the cursors, raised when a frame is durable.
    durable: Arc<AtomicU64>,
    spare: Spare,
    is_poisoned: bool,
    /// The frame as it is laid out; kept for its room.
    buffer: Vec<u8>,
    cut: Option<Cut>,
    archived: Option<Archived>,
    archive: Option<ArchivePlace>,
    _lock: Box<dyn Any + Send>,
}

/// How often a segment may be moved into an archive while a journal is opened.
const OPENINGS_MAX: usize = 100;

impl FileJournal {
    /// Begins a journal in a folder without one. `journal` are random bytes that tell it from all others.
    pub fn create(
        disk: Arc<dyn Disk>,
        clock: Box<dyn Clock>,
        options: Options,
        journal: [u8; 16],
    ) -> Result<FileJournal, Error> {
        FileJournal::begin(disk, clock, options, journal, None)
    }

    /// Begins a journal whose first frames are in an archive: it goes on behind them.
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

    /// Opens the journal of a folder, mends what a crash left and refuses what no crash leaves.
    pub fn open(disk: Arc<dyn Disk>, clock: Box<dyn Clock>, options: Options) -> Result<FileJournal, Error> {
        options.check()?;
        let lock = lock(&*disk)?;
        let mut openings = 1;
        loop {
            // The names before the record: a segment that is not listed any more is in the record that is read then.
            let names = clean_up(&*disk)?;
            let archived = Archived::read(&*disk)?;
            match recovery::recover(&*disk, &names, options.verify_from, archived.as_ref()) {
                // Moved into the archive since it was listed.
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

    /// What the folder said of its archive when the journal was opened.
    pub fn archived(&self) -> Option<&Archived> {
        self.archived.as_ref()
    }

    /// Lets cursors read what was moved into the archive.
    pub fn read_archive(&mut self, place: ArchivePlace) {
        self.archive = Some(place);
    }

    /// The torn frame that was cut when the journal was opened. It was never answered as stored.
    pub fn cut(&self) -> Option<&Cut> {
        self.cut.as_ref()
    }

    /// The random bytes that the journal was created with.
    pub fn id(&self) -> [u8; 16] {
        self.segment.header.journal
    }

    /// Writes the frame and makes it durable, into the next segment if this one has no room for it.
    fn store(&mut self, payload: &Payload) -> Result<(FrameHeader, FrameHash), Error> {
        let header = self.head.follow(self.clock.now(), payload);
        let mut start = frame_start(self.end);
        if frame_end(start, payload.bytes().len()) > self.segment_bytes() {
            self.roll()?;
            start = PREFACE_BYTES;
        }
        let hash = header.hash(payload.bytes());
        layout::encode(&mut self.buffer, self.segment.header.spot(), start, &header, payload.bytes());
        let file = &*self.segment.file;
        write_all(file, &self.buffer, start as u64).map_err(Error::disk("write", &self.segment.name))?;
        file.sync_data().map_err(Error::disk("sync", &self.segment.name))?;
        self.end = start + self.buffer.len();
        Ok((header, hash))
    }

    /// Goes on in a new segment. The old one is sealed only when the new one cannot vanish any more.
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

    /// Once an eighth of the segment is used, the next one is prepared: late enough for a small journal to stay
    /// small, early enough for a busy one not to wait.
    fn prepare(&mut self) {
        if self.end > self.segment_bytes() / 8 && !self.spare.is_begun() {
            self.spare.begin(self.options.prepare_in_background);
        }
    }

    fn segment_bytes(&self) -> usize {
        usize::try_from(self.segment.header.segment_bytes)
            .expect("a file that was read into memory fits there")
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
        if u128::try_from(self.clock.ahead()).is_ok_and(|ahead| ahead > AHEAD_MAX.as_micros()) {
            return Err(AppendError::AheadOfTime { at: self.clock.now() });
        }
        match self.store(payload) {
            Ok((header, hash)) => {
                self.head = Head::behind(&header, hash);
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
        // What fits behind the preface of a new segment, with a mark in each sector and some padding.
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
            return Err(Error::WrongOptions("the size of a segment must be a multiple of 512"));
        }
        if !(SEGMENT_BYTES_MIN..=SEGMENT_BYTES_MAX).contains(&self.segment_bytes) {
            return Err(Error::WrongOptions("the size of a segment must be between 2 KiB and 1 GiB"));
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

/// Removes a spare that nobody will finish, and names the segments in their order.
fn clean_up(disk: &dyn Disk) -> Result<Vec<String>, Error> {
    let names = disk.list().map_err(Error::disk("list", "the folder"))?;
    if names.iter().any(|name| name == SPARE) {
        disk.remove(SPARE).map_err(Error::disk("remove", SPARE))?;
    }
    Ok(segment_names(names))
}
