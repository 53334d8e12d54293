//! A disk without fsync, for data that a power failure may destroy: a demo that is being created, a rehearsal. Thousands of
//! frames would otherwise wait for the disk one by one.

use std::any::Any;
use std::io;

use crate::disk::{Disk, DiskFile, RealDisk};

/// A folder whose files are written but never synced.
#[derive(Debug)]
pub struct Unsynced(pub RealDisk);

#[derive(Debug)]
struct UnsyncedFile(Box<dyn DiskFile>);

impl Unsynced {
    fn file(file: Box<dyn DiskFile>) -> Box<dyn DiskFile> {
        Box::new(UnsyncedFile(file))
    }
}

impl Disk for Unsynced {
    fn create(&self, name: &str) -> io::Result<Box<dyn DiskFile>> {
        self.0.create(name).map(Unsynced::file)
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn DiskFile>> {
        self.0.open(name).map(Unsynced::file)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.rename(from, to)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.0.remove(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.0.list()
    }

    fn sync_folder(&self) -> io::Result<()> {
        Ok(())
    }

    fn lock(&self, name: &str) -> io::Result<Box<dyn Any + Send>> {
        self.0.lock(name)
    }
}

impl DiskFile for UnsyncedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.0.write_at(bytes, offset)
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }
}
