//! Writes a copy of a journal frame by frame, with the same times and therefore the same hashes.
//!
//! Each frame is verified when read and hashed when written. One sync at the end is enough: an incomplete copy is
//! worthless.

use std::any::Any;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use journal::archive::Archived;
use journal::disk::{Disk, DiskFile, RealDisk};
use journal::file::{FileJournal, Options, SPARE};
use journal::{Appended, Clock, Frame, Head, Journal};

use super::AuditError;
use crate::folder::remove_if_exists;

/// Whether a copy allocates its zero bytes, or leaves holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zeros {
    Written,
    LeftOut,
}

/// Writes a new journal in a folder frame by frame. Nothing is durable before [`JournalWriter::finish`].
pub(super) struct JournalWriter {
    journal: FileJournal,
    clock: FrameClock,
    folder: PathBuf,
}

impl JournalWriter {
    /// Creates a journal with this id: from sequence 1, or after the end of an archive.
    pub(super) fn begin(
        folder: &Path,
        id: [u8; 16],
        archived: Option<&Archived>,
        zeros: Zeros,
    ) -> Result<JournalWriter, AuditError> {
        let clock = FrameClock::default();
        let disk = Arc::new(DeferredSyncDisk {
            disk: RealDisk::new(folder).map_err(AuditError::file(folder))?,
            folder: folder.to_owned(),
            zeros,
        });
        let options = Options { prepare_in_background: false, ..Options::default() };
        let given = Box::new(clock.clone());
        let journal = match archived {
            Some(archived) => FileJournal::create_behind(disk, given, options, archived)?,
            None => FileJournal::create(disk, given, options, id)?,
        };
        Ok(JournalWriter { journal, clock, folder: folder.to_owned() })
    }

    /// Appends a frame unchanged.
    pub(super) fn push(&mut self, frame: &Frame) -> Result<(), AuditError> {
        copy_frame(&mut self.journal, &self.clock, frame)
    }

    /// Appends the first commands of a frame, as a frame with its own hash.
    pub(super) fn push_part(&mut self, part: &Frame) -> Result<(), AuditError> {
        let head = self.journal.head()?;
        let header = head.next_header(part.header.at, &part.payload);
        let hash = header.hash(part.payload.bytes());
        self.push(&Frame { header, hash, payload: part.payload.clone() })
    }

    /// Makes everything durable, and returns the journal's head.
    pub(super) fn finish(mut self) -> Result<Head, AuditError> {
        let head = self.journal.head()?;
        drop(self.journal);
        let lock = self.folder.join("journal.lock");
        fs::remove_file(&lock).map_err(AuditError::file(&lock))?;
        // The journal prepares its next segment early. A copy has no use for it.
        let spare = self.folder.join(SPARE);
        remove_if_exists(&spare).map_err(AuditError::file(&spare))?;
        sync_all(&self.folder)?;
        Ok(head)
    }
}

/// Creates a folder that is private to its owner.
pub(super) fn create_folder(folder: &Path) -> Result<(), AuditError> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(AuditError::file(folder))
}

/// Whether a folder is missing or empty.
pub(super) fn is_empty(folder: &Path) -> Result<bool, AuditError> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(AuditError::file(folder)(error)),
    }
}

/// Syncs every file of a folder, and the folder itself.
pub(super) fn sync_all(folder: &Path) -> Result<(), AuditError> {
    let sync =
        |path: &Path| File::open(path).and_then(|file| file.sync_all()).map_err(AuditError::file(path));
    for entry in fs::read_dir(folder).map_err(AuditError::file(folder))? {
        sync(&entry.map_err(AuditError::file(folder))?.path())?;
    }
    sync(folder)
}

/// Appends a frame unchanged: same sequence, same time, and so the same hash.
pub(super) fn copy_frame(
    journal: &mut dyn Journal,
    clock: &FrameClock,
    frame: &Frame,
) -> Result<(), AuditError> {
    clock.0.store(frame.header.at, Ordering::Relaxed);
    let first = frame.header.first;
    match journal.append(first, &frame.payload) {
        Ok(Appended::Stored { hash, .. }) if hash == frame.hash => Ok(()),
        Ok(Appended::Unknown { cause }) => Err(cause.into()),
        Ok(Appended::Stored { hash, .. }) => {
            Err(AuditError::NotCopied { first, why: format!("its hash would be {hash}") })
        }
        Ok(Appended::Preceded { .. }) => {
            Err(AuditError::NotCopied { first, why: "another frame is already stored there".to_owned() })
        }
        Err(error) => Err(AuditError::NotCopied { first, why: error.to_string() }),
    }
}

/// A clock that returns the time of the frame being copied.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameClock(Arc<AtomicI64>);

impl Clock for FrameClock {
    fn now(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A folder whose files are synced together at the end.
#[derive(Debug)]
struct DeferredSyncDisk {
    disk: RealDisk,
    folder: PathBuf,
    zeros: Zeros,
}

impl DeferredSyncDisk {
    fn file(&self, options: &mut OpenOptions, name: &str) -> io::Result<Box<dyn DiskFile>> {
        let file = options.read(true).write(true).mode(0o600).open(self.folder.join(name))?;
        Ok(Box::new(DeferredSyncFile { file, zeros: self.zeros }))
    }
}

impl Disk for DeferredSyncDisk {
    fn create(&self, name: &str) -> io::Result<Box<dyn DiskFile>> {
        self.file(OpenOptions::new().create_new(true), name)
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn DiskFile>> {
        self.file(&mut OpenOptions::new(), name)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.disk.rename(from, to)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.disk.remove(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.disk.list()
    }

    fn sync_folder(&self) -> io::Result<()> {
        Ok(())
    }

    fn lock(&self, name: &str) -> io::Result<Box<dyn Any + Send>> {
        self.disk.lock(name)
    }
}

#[derive(Debug)]
struct DeferredSyncFile {
    file: File,
    zeros: Zeros,
}

impl DiskFile for DeferredSyncFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        FileExt::read_at(&self.file, buffer, offset)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        let end = offset + bytes.len() as u64;
        let is_hole = self.zeros == Zeros::LeftOut && offset >= self.length()?;
        if is_hole && bytes.iter().all(|byte| *byte == 0) {
            self.file.set_len(end)?;
            return Ok(bytes.len());
        }
        FileExt::write_at(&self.file, bytes, offset)
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }
}

#[cfg(test)]
mod tests {
    use journal::{FrameHash, Payload};

    use super::*;

    #[test]
    fn a_copy_has_no_spare_segment_and_no_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("journal");
        let mut writer = JournalWriter::begin(&place, [7; 16], None, Zeros::LeftOut).expect("a journal");
        let mut payload = Payload::new();
        payload.push(&vec![1; 1 << 20]);
        let header = Head::EMPTY.next_header(5, &payload);
        let frame = Frame { header, hash: FrameHash([0; 32]), payload };
        while !place.join(SPARE).exists() {
            assert!(writer.journal.head().expect("a head").next.0 < 100, "the journal prepares no spare");
            writer.push_part(&frame).expect("a frame");
        }
        writer.finish().expect("a copy");
        let names: Vec<_> =
            fs::read_dir(&place).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(names.len(), 1, "{names:?}");
    }
}
