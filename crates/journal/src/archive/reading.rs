//! Reads the frames of an archive in order and verifies every byte of a file.

use std::collections::VecDeque;
use std::sync::Arc;

use super::format::{self, BLOCK_HEADER_BYTES, FileHeader, HEADER_BYTES};
use super::{Archive, ArchiveFile, file_name};
use crate::disk::{Disk, DiskFile, read_all};
use crate::{Error, Frame, Head, Place, Sequence};

/// The frames of one file.
#[derive(Debug)]
pub(super) struct FileFrames {
    name: String,
    file: Box<dyn DiskFile>,
    header: FileHeader,
    /// The offset of the next block.
    offset: u64,
    /// The head after the blocks that were read.
    head: Head,
    frames: u64,
    ready: VecDeque<Frame>,
}

impl FileFrames {
    pub(super) fn open(disk: &dyn Disk, name: &str) -> Result<FileFrames, Error> {
        let file = disk.open(name).map_err(Error::disk("open", name))?;
        let length = file.length().map_err(Error::disk("measure", name))?;
        if length < HEADER_BYTES as u64 {
            return Err(Error::wrong_file(name, format!("has {length} bytes, too few for an archive file")));
        }
        let mut bytes = [0; HEADER_BYTES];
        read_all(&*file, &mut bytes, 0).map_err(Error::disk("read", name))?;
        let header = FileHeader::decode(&bytes).map_err(|what| Error::wrong_file(name, what))?;
        if length != header.file_bytes {
            let what = format!("has {length} bytes instead of {}", header.file_bytes);
            return Err(Error::wrong_file(name, what));
        }
        let (offset, head) = (HEADER_BYTES as u64, header.start);
        let (name, ready) = (name.to_owned(), VecDeque::new());
        Ok(FileFrames { name, file, header, offset, head, frames: 0, ready })
    }

    pub(super) fn header(&self) -> &FileHeader {
        &self.header
    }

    /// The next frame; `None` at the end of the file, after checking it against the header.
    pub(super) fn next_frame(&mut self) -> Result<Option<Frame>, Error> {
        if self.ready.is_empty() {
            if self.offset == self.header.file_bytes {
                let is_whole = self.head == self.header.end && self.frames == self.header.frames;
                return if is_whole { Ok(None) } else { Err(self.corrupt("frames are missing at its end")) };
            }
            self.ready = self.read_block()?.into();
        }
        Ok(self.ready.pop_front())
    }

    fn read_block(&mut self) -> Result<Vec<Frame>, Error> {
        let left = self.header.file_bytes - self.offset;
        if left < BLOCK_HEADER_BYTES as u64 {
            return Err(self.corrupt("a truncated block"));
        }
        let mut header = [0; BLOCK_HEADER_BYTES];
        self.read(&mut header, self.offset)?;
        let block = format::decode_block_header(&header).map_err(|what| self.corrupt(what))?;
        if left < BLOCK_HEADER_BYTES as u64 + u64::from(block.compressed_bytes) {
            return Err(self.corrupt("a truncated block"));
        }
        let mut compressed = vec![0; block.compressed_bytes as usize];
        self.read(&mut compressed, self.offset + BLOCK_HEADER_BYTES as u64)?;
        let frames = format::decode_block(&header, &compressed, &self.head);
        let frames = frames.map_err(|what| self.corrupt(what))?;
        self.offset += (BLOCK_HEADER_BYTES + compressed.len()) as u64;
        self.frames += frames.len() as u64;
        if let Some(last) = frames.last() {
            self.head = Head::after(&last.header, last.hash);
        }
        Ok(frames)
    }

    fn read(&self, buffer: &mut [u8], offset: u64) -> Result<(), Error> {
        read_all(&*self.file, buffer, offset).map_err(Error::disk("read", &self.name))
    }

    fn corrupt(&self, what: &'static str) -> Error {
        let (file, offset, sequence) = (self.name.clone(), self.offset, self.head.next);
        Error::Corrupt { place: Place { file, offset, sequence }, what }
    }
}

/// The frames of an archive, starting at the beginning of one of its files.
#[derive(Debug)]
pub struct ArchiveFrames {
    disk: Arc<dyn Disk>,
    /// Names of the files still to be read, in reverse order.
    names: Vec<String>,
    current: Option<FileFrames>,
    /// The head after the last returned frame.
    head: Head,
}

impl ArchiveFrames {
    pub(super) fn new(archive: &Archive, from: Sequence, until: Sequence) -> ArchiveFrames {
        let is_wanted = |file: &&ArchiveFile| file.end.next > from && file.end.next <= until;
        let files: Vec<_> = archive.files().iter().filter(is_wanted).collect();
        let head = files.first().map_or(archive.end(), |file| file.start);
        let names = files.iter().rev().map(|file| file_name(file.start.next)).collect();
        ArchiveFrames { disk: archive.disk(), names, current: None, head }
    }

    /// The head that the next frame follows.
    pub fn head(&self) -> Head {
        self.head
    }

    /// The next frame; `None` at the end of the archive.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, Error> {
        loop {
            let Some(file) = &mut self.current else {
                let Some(name) = self.names.pop() else { return Ok(None) };
                let file = FileFrames::open(&*self.disk, &name)?;
                if file.header().start != self.head {
                    return Err(Error::wrong_file(&name, "does not follow the file before it"));
                }
                self.current = Some(file);
                continue;
            };
            if let Some(frame) = file.next_frame()? {
                self.head = Head::after(&frame.header, frame.hash);
                return Ok(Some(frame));
            }
            self.current = None;
        }
    }
}
