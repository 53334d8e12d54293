//! The archive of a journal: sealed frames in compressed files of one folder, which may lie on cheaper storage.
//!
//! Files are named by their first sequence and follow each other without a gap from sequence 1 on. They are written once
//! (`writing.rs`), read in order (`reading.rs`) and never changed or removed; `format.rs` has their bytes. A journal
//! keeps a record of its archive (`record.rs`). Frames leave a file journal by `file/moving.rs` and a log in PostgreSQL
//! by `postgres/moving.rs`.

mod format;
mod reading;
pub(crate) mod record;
mod writing;

use std::any::Any;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub(crate) use format::repair_file;
pub use reading::ArchiveFrames;
pub use record::Archived;

use crate::disk::{Disk, RealDisk};
use crate::{Error, Frame, Head, Sequence};
use format::FileHeader;
use reading::FileFrames;
use writing::write_file;

const SUFFIX: &str = ".archive";
/// A file in the making. The next writer removes it.
const UNFINISHED: &str = "archive.tmp";
const LOCK: &str = "archive.lock";

/// A folder that holds an archive, or should. Nothing is opened before it is needed: cold storage may be away.
#[derive(Clone)]
pub struct ArchivePlace {
    disk: Arc<dyn Disk>,
    name: String,
}

impl ArchivePlace {
    /// A folder of the machine, for reading.
    pub fn folder(path: &Path) -> ArchivePlace {
        ArchivePlace { disk: Arc::new(RealDisk::reading(path)), name: path.display().to_string() }
    }

    /// A disk of one's choice, and its name in messages.
    pub fn on(disk: Arc<dyn Disk>, name: impl Into<String>) -> ArchivePlace {
        ArchivePlace { disk, name: name.into() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Looks at every file's header, and that the files follow each other.
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

/// One file of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveFile {
    /// What its first frame follows.
    pub start: Head,
    /// The head behind its last frame.
    pub end: Head,
    pub frames: u64,
    pub file_bytes: u64,
}

/// An archive whose files were found to follow each other.
#[derive(Clone, Debug)]
pub struct Archive {
    disk: Arc<dyn Disk>,
    journal: Option<[u8; 16]>,
    files: Vec<ArchiveFile>,
}

impl Archive {
    /// An empty folder is an archive without files.
    pub(crate) fn open(disk: Arc<dyn Disk>) -> Result<Archive, Error> {
        let mut names = list(&*disk)?;
        names.retain(|name| name.ends_with(SUFFIX));
        // Numbers of one width: the order of the texts is the order of the sequences.
        names.sort_unstable();
        let mut archive = Archive { disk, journal: None, files: Vec::with_capacity(names.len()) };
        for name in names {
            archive.take(&name)?;
        }
        Ok(archive)
    }

    /// Takes note of one more file, which must follow all others.
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

    /// Makes frames that follow `start` part of the archive. When it returns they are durable there, under a name of their
    /// own, and were read back and compared one by one. Frames that are there already are compared only.
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

    /// Whether a file of the archive ends exactly there.
    pub fn ends_a_file_at(&self, head: &Head) -> bool {
        self.files.iter().any(|file| file.end == *head)
    }

    /// The head behind its last frame.
    pub fn end(&self) -> Head {
        self.files.last().map_or(Head::EMPTY, |file| file.end)
    }

    /// The id of the journal or of the log; none while it has no file.
    pub fn journal(&self) -> Option<[u8; 16]> {
        self.journal
    }

    /// Bytes of all its files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.file_bytes).sum()
    }

    pub fn files(&self) -> &[ArchiveFile] {
        &self.files
    }

    /// Frames from the beginning of the file that holds `from`, to the end of the last file that ends before `until`.
    pub fn frames(&self, from: Sequence, until: Sequence) -> ArchiveFrames {
        ArchiveFrames::new(self, from, until)
    }

    pub(crate) fn disk(&self) -> Arc<dyn Disk> {
        Arc::clone(&self.disk)
    }
}

/// Holds an archive for one writer.
pub(crate) fn lock(disk: &dyn Disk) -> Result<Box<dyn Any + Send>, Error> {
    disk.lock(LOCK).map_err(|source| match source.kind() {
        io::ErrorKind::WouldBlock => Error::Locked { file: LOCK.to_owned() },
        _ => Error::disk("lock", LOCK)(source),
    })
}

/// Frames that left a journal for its archive, from the beginning of the file that holds `from`; out of the folder that the
/// record names if no other is given. Also where the archive
/// goes on, they end where the record does: behind that, the archive may be of another run of the journal.
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
