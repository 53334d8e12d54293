//! The interface between the journal and the disk: one flat folder, files by name, positioned reads and writes.
//!
//! All durable writes go through these two traits, so that tests can substitute a disk that fails and crashes on
//! purpose (`testing/faulty_disk.rs`). Nothing is buffered in between. The only retried failure is a lack of file
//! descriptors, because such a call has done nothing.

use std::any::Any;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// EMFILE (process limit) and ENFILE (system limit); the numbers are the same on Linux and the BSDs.
const TOO_MANY_OPEN_FILES: [i32; 2] = [24, 23];
/// The delay before a call that found no descriptor is retried.
const RETRY_AFTER: Duration = Duration::from_millis(20);

/// One folder.
pub trait Disk: Send + Sync + fmt::Debug {
    /// Creates an empty file. Fails if the name exists.
    fn create(&self, name: &str) -> io::Result<Box<dyn DiskFile>>;
    fn open(&self, name: &str) -> io::Result<Box<dyn DiskFile>>;
    /// Renames a file, replacing an existing file with that name.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    fn remove(&self, name: &str) -> io::Result<()>;
    /// The names of all files, unordered.
    fn list(&self) -> io::Result<Vec<String>>;
    /// Makes created, renamed and removed names durable.
    fn sync_folder(&self) -> io::Result<()>;
    /// Locks the folder for one process until the value is dropped; `WouldBlock` if another process holds the lock.
    fn lock(&self, name: &str) -> io::Result<Box<dyn Any + Send>>;
}

/// A file that this process has locked until the value is dropped.
#[derive(Debug)]
pub struct FileLock(File);

impl FileLock {
    pub fn try_new(file: File) -> Result<FileLock, TryLockError> {
        file.try_lock()?;
        Ok(FileLock(file))
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // To close the file is not enough: a child process has it too from its creation until it executes its program. If
        // this fails, the lock ends with that copy.
        let _ = self.0.unlock();
    }
}

/// One open file. Like the system calls underneath, a read or write may transfer fewer bytes than requested.
pub trait DiskFile: Send + fmt::Debug {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize>;
    /// Makes the content durable. After a failure the durable content is undefined: never retry.
    fn sync_data(&self) -> io::Result<()>;
    fn length(&self) -> io::Result<u64>;
}

/// Whether a call failed because the process or the system had no free descriptor. Succeeds again once a file or a
/// connection is closed.
pub fn is_out_of_descriptors(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| TOO_MANY_OPEN_FILES.contains(&code))
}

/// Retries a call until a descriptor is free.
pub(crate) fn with_descriptor<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if is_out_of_descriptors(&error) => thread::sleep(RETRY_AFTER),
            done => return done,
        }
    }
}

/// Writes all of `bytes`, in as many calls as needed.
pub fn write_all(file: &dyn DiskFile, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write_at(bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                offset += written as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Fills `buffer`, or fails at the end of the file.
pub fn read_all(file: &dyn DiskFile, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.read_at(buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                offset += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A folder in the file system. Files are readable and writable only by their owner.
#[derive(Clone, Debug)]
pub struct RealDisk {
    folder: PathBuf,
    is_reading: bool,
}

impl RealDisk {
    /// Creates the folder if it is missing.
    pub fn new(folder: impl Into<PathBuf>) -> io::Result<RealDisk> {
        let folder = folder.into();
        if !folder.is_dir() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
            // The new name must survive a crash too. Parents that were also created are not synced here.
            if let Some(parent) = folder.canonicalize()?.parent() {
                sync(parent)?;
            }
        }
        Ok(RealDisk { folder, is_reading: false })
    }

    /// An existing folder, read-only: every call that would change it fails.
    pub fn reading(folder: impl Into<PathBuf>) -> RealDisk {
        RealDisk { folder: folder.into(), is_reading: true }
    }

    fn check_writing(&self) -> io::Result<()> {
        if self.is_reading { Err(io::ErrorKind::ReadOnlyFilesystem.into()) } else { Ok(()) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Disk for RealDisk {
    fn create(&self, name: &str) -> io::Result<Box<dyn DiskFile>> {
        self.check_writing()?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true).mode(0o600);
        Ok(Box::new(options.open(self.path(name))?))
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(OpenOptions::new().read(true).write(!self.is_reading).open(self.path(name))?))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.check_writing()?;
        fs::rename(self.path(from), self.path(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.check_writing()?;
        fs::remove_file(self.path(name))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            // All our file names are UTF-8.
            names.extend(entry?.file_name().into_string().ok());
        }
        Ok(names)
    }

    fn sync_folder(&self) -> io::Result<()> {
        sync(&self.folder)
    }

    fn lock(&self, name: &str) -> io::Result<Box<dyn Any + Send>> {
        self.check_writing()?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let file = options.open(self.path(name))?;
        match FileLock::try_new(file) {
            Ok(lock) => Ok(Box::new(lock)),
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

impl DiskFile for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        FileExt::read_at(self, buffer, offset)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        FileExt::write_at(self, bytes, offset)
    }

    fn sync_data(&self) -> io::Result<()> {
        File::sync_data(self)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_with_its_owner_although_a_child_process_has_the_file_too() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let lock = FileLock::try_new(file.reopen().expect("a file")).expect("a free file");
        // What a child process has until it executes its program.
        let copy = lock.0.try_clone().expect("a copy");
        let try_again = || FileLock::try_new(file.reopen().expect("a file"));
        assert!(matches!(try_again(), Err(TryLockError::WouldBlock)));
        drop(lock);
        try_again().expect("a free file");
        drop(copy);
    }
}
