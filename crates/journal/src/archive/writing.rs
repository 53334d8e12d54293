//! Writes a file of an archive: under another name, synced, read back frame by frame, and only then under its own.

use std::io;

use super::format::{self, BLOCK_BYTES, FileHeader, HEADER_BYTES};
use super::reading::FileFrames;
use super::{UNFINISHED, file_name, list};
use crate::disk::{Disk, DiskFile, write_all};
use crate::{Error, Frame, Head};

/// Makes the frames, which follow `start`, a file of the archive. When it returns the file is durable under its name and
/// has given back every frame as it is here.
///
/// A file that is there already is compared, never replaced: it may be the last copy of its frames.
pub(super) fn write_file(
    disk: &dyn Disk,
    journal: [u8; 16],
    start: Head,
    frames: &[Frame],
) -> Result<(), Error> {
    assert!(!frames.is_empty(), "a file of an archive holds at least one frame");
    let (names, name) = (list(disk)?, file_name(start.next));
    if names.contains(&name) {
        compare(disk, &name, journal, start, frames)?;
        // It may be of a run that failed before its name was durable.
        let file = disk.open(&name).map_err(Error::disk("open", &name))?;
        file.sync_data().map_err(Error::disk("sync", &name))?;
        return disk.sync_folder().map_err(Error::disk("sync the folder of", &name));
    }
    if names.iter().any(|name| name == UNFINISHED) {
        disk.remove(UNFINISHED).map_err(Error::disk("remove", UNFINISHED))?;
    }
    let file = disk.create(UNFINISHED).map_err(Error::disk("create", UNFINISHED))?;
    write(&*file, journal, start, frames).map_err(Error::disk("write", UNFINISHED))?;
    drop(file);
    compare(disk, UNFINISHED, journal, start, frames)?;
    disk.rename(UNFINISHED, &name).map_err(Error::disk("rename to", &name))?;
    disk.sync_folder().map_err(Error::disk("sync the folder of", &name))
}

fn write(file: &dyn DiskFile, journal: [u8; 16], start: Head, frames: &[Frame]) -> io::Result<()> {
    let mut offset = HEADER_BYTES as u64;
    let (mut raw, mut first) = (Vec::new(), 0);
    for (index, frame) in frames.iter().enumerate() {
        format::push_frame(&mut raw, frame);
        if raw.len() >= BLOCK_BYTES || index + 1 == frames.len() {
            let count = u32::try_from(index + 1 - first).expect("a block has fewer frames than bytes");
            let block = format::encode_block(&raw, frames[first].header.first, count, frame.hash)?;
            write_all(file, &block, offset)?;
            offset += block.len() as u64;
            first = index + 1;
            raw.clear();
        }
    }
    let last = &frames[frames.len() - 1];
    let end = Head::behind(&last.header, last.hash);
    let header = FileHeader { journal, start, end, frames: frames.len() as u64, file_bytes: offset };
    write_all(file, &header.encode(), 0)?;
    file.sync_data()
}

/// Refuses a file that does not give back exactly these frames.
fn compare(
    disk: &dyn Disk,
    name: &str,
    journal: [u8; 16],
    start: Head,
    frames: &[Frame],
) -> Result<(), Error> {
    let differs =
        || Error::wrong_file(name, "does not hold the frames that are to be archived under this name");
    let mut stored = FileFrames::open(disk, name)?;
    if stored.header().journal != journal || stored.header().start != start {
        return Err(differs());
    }
    for frame in frames {
        if stored.next_frame()?.as_ref() != Some(frame) {
            return Err(differs());
        }
    }
    match stored.next_frame()? {
        None => Ok(()),
        Some(_) => Err(differs()),
    }
}
