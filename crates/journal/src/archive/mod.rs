//! The archive of a journal: old frames in compressed files in one folder, which may be on cheaper storage.
//!
//! Each file is named by its first sequence, and the files follow each other without a gap from sequence 1. They are
//! written once (`writing.rs`), read in order (`reading.rs`) and never changed or removed; `format.rs` defines their
//! bytes. A journal keeps a record of its archive (`record.rs`). `file/moving.rs` moves frames out of a file journal,
//! `postgres/moving.rs` out of a log in PostgreSQL.

mod format;
mod reading;
pub(crate) mod record;
mod writing;

use std::any::Any;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "testing")]
pub(crate) use format::repair_file;
pub use reading::ArchiveFrames;
pub use record::Archived;

use crate::disk::{Disk, RealDisk};
use crate::{Error, Frame, Head, Sequence};
use format::FileHeader;
use reading::FileFrames;
use writing::write_file;

const SUFFIX: &str = ".archive";
/// A file that is being written. The next writer removes it.
const UNFINISHED: &str = "archive.tmp";
const LOCK: &str = "archive.lock";

/// The location of an archive. It is opened only when needed, because cold storage may be unavailable.
#[derive(Clone)]
pub struct ArchivePlace {
    disk: Arc<dyn Disk>,
    name: String,
}

impl ArchivePlace {
    /// A folder of the file system, read-only.
    pub fn folder(path: &Path) -> ArchivePlace {
        ArchivePlace { disk: Arc::new(RealDisk::reading(path)), name: path.display().to_string() }
    }

    /// The given disk, and its name for messages.
    pub fn on(disk: Arc<dyn Disk>, name: impl Into<String>) -> ArchivePlace {
        ArchivePlace { disk, name: name.into() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads every file's header and checks that the files follow each other.
    pub fn open(&self) -> Result<Archive, Error> {
        Archive::open(Arc::clone(&self.disk))
            .map_err(|error| Error::BadArchive { place: self.name.clone(), cause: Box::new(error) })
    }
}

impl fmt::Debug for ArchivePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ArchivePlace").field(&self.name).finish()
    }
}

/// A file of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveFile {
    /// The head that its first frame follows.
    pub start: Head,
    /// The head after its last frame.
    pub end: Head,
    pub frames: u64,
    pub file_bytes: u64,
}

/// An opened archive; its files follow each other.
#[derive(Clone, Debug)]
pub struct Archive {
    disk: Arc<dyn Disk>,
    journal: Option<[u8; 16]>,
    files: Vec<ArchiveFile>,
}

impl Archive {
    /// Opens an archive. An empty folder is an archive without files.
    pub(crate) fn open(disk: Arc<dyn Disk>) -> Result<Archive, Error> {
        let mut names = list(&*disk)?;
        names.retain(|name| name.ends_with(SUFFIX));
        // All numbers have the same width, so lexical order is the order of the sequences.
        names.sort_unstable();
        let mut archive = Archive { disk, journal: None, files: Vec::with_capacity(names.len()) };
        for name in names {
            archive.take(&name)?;
        }
        Ok(archive)
    }

    /// Adds one more file, which must follow the others.
    fn take(&mut self, name: &str) -> Result<(), Error> {
        let FileHeader { journal, start, end, frames, file_bytes } =
            *FileFrames::open(&*self.disk, name)?.header();
        let expected = self.end();
        if file_name(start.next) != name {
            let what = format!("begins with sequence {}, unlike its name", start.next);
            return Err(Error::wrong_file(name, what));
        }
        if start.next > expected.next {
            let why = format!("{name} begins with sequence {}", start.next);
            return Err(Error::MissingFile { file: file_name(expected.next), why });
        }
        if start != expected || end.next <= start.next {
            return Err(Error::wrong_file(name, "does not follow the file before it"));
        }
        if *self.journal.get_or_insert(journal) != journal {
            return Err(Error::wrong_file(name, "belongs to another journal"));
        }
        self.files.push(ArchiveFile { start, end, frames, file_bytes });
        Ok(())
    }

    /// Adds the frames that follow `start` to the archive as one file. Returns when the file is durable under its final
    /// name and was read back and compared frame by frame. An existing file is only compared.
    pub(crate) fn add(&mut self, journal: [u8; 16], start: Head, frames: &[Frame]) -> Result<(), Error> {
        if start.next > self.end().next {
            let why = format!("the frames to archive begin with sequence {}", start.next);
            return Err(Error::MissingFile { file: file_name(self.end().next), why });
        }
        if self.journal.is_some_and(|own| own != journal) {
            return Err(Error::wrong_file("the archive", "belongs to another journal"));
        }
        write_file(&*self.disk, journal, start, frames)?;
        if self.files.iter().any(|file| file.start == start) {
            Ok(())
        } else {
            self.take(&file_name(start.next))
        }
    }

    /// Whether a file of the archive ends exactly at `head`.
    pub fn ends_a_file_at(&self, head: &Head) -> bool {
        self.files.iter().any(|file| file.end == *head)
    }

    /// The head after the last frame.
    pub fn end(&self) -> Head {
        self.files.last().map_or(Head::EMPTY, |file| file.end)
    }

    /// The id of the journal or log; `None` without files.
    pub fn journal(&self) -> Option<[u8; 16]> {
        self.journal
    }

    /// The total size of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.file_bytes).sum()
    }

    pub fn files(&self) -> &[ArchiveFile] {
        &self.files
    }

    /// The frames from the beginning of the file that contains `from` to the end of the last file that ends at or
    /// before `until`.
    pub fn frames(&self, from: Sequence, until: Sequence) -> ArchiveFrames {
        ArchiveFrames::new(self, from, until)
    }

    pub(crate) fn disk(&self) -> Arc<dyn Disk> {
        Arc::clone(&self.disk)
    }
}

/// Locks the archive for one writer.
pub(crate) fn lock(disk: &dyn Disk) -> Result<Box<dyn Any + Send>, Error> {
    disk.lock(LOCK).map_err(|source| match source.kind() {
        io::ErrorKind::WouldBlock => Error::Locked { file: LOCK.to_owned() },
        _ => Error::disk("lock", LOCK)(source),
    })
}

/// The archived frames of a journal, from the beginning of the file that contains `from`, read from `place` or else
/// from the folder that the record names. They end where the record ends, even if the archive continues: later files
/// may belong to another copy of the journal.
pub(crate) fn archived_frames(
    place: Option<&ArchivePlace>,
    record: &Archived,
    from: Sequence,
) -> Result<ArchiveFrames, Error> {
    let Archived { place: recorded, journal, end } = record;
    let wanted = |why: String| Error::Archived { from, first: end.next, place: recorded.clone(), why };
    let place = place.cloned().unwrap_or_else(|| ArchivePlace::folder(Path::new(recorded)));
    let archive = place.open().map_err(|error| wanted(error.to_string()))?;
    if archive.journal() != Some(*journal) || !archive.ends_a_file_at(end) {
        let last = end.next.0 - 1;
        return Err(wanted(format!("{} does not lead to the frame at {last} of this journal", place.name())));
    }
    Ok(archive.frames(from, end.next))
}

fn list(disk: &dyn Disk) -> Result<Vec<String>, Error> {
    disk.list().map_err(Error::disk("list", "the folder of the archive"))
}

fn file_name(first: Sequence) -> String {
    format!("{:020}{SUFFIX}", first.0)
}
