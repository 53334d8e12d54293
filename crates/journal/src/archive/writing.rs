//! Writes a file of an archive: to a temporary name, synced, read back frame by frame, then renamed.

use std::io;

use super::format::{self, BLOCK_BYTES, FileHeader, HEADER_BYTES};
use super::reading::FileFrames;
use super::{UNFINISHED, file_name, list};
use crate::disk::{Disk, DiskFile, write_all};
use crate::{Error, Frame, Head};

/// Writes the frames, which follow `start`, to a file of the archive. Returns when the file is durable under its final
/// name and was read back and compared frame by frame.
///
/// An existing file is compared, never replaced: it may be the last copy of its frames.
pub(super) fn write_file(
    disk: &dyn Disk,
    journal: [u8; 16],
    start: Head,
    frames: &[Frame],
) -> Result<(), Error> {
    assert!(!frames.is_empty(), "an archive file holds at least one frame");
    let (names, name) = (list(disk)?, file_name(start.next));
    if names.contains(&name) {
        compare(disk, &name, journal, start, frames)?;
        // A previous run may have failed before the file and its name were durable.
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
            let count = u32::try_from(index + 1 - first).expect("a block has fewer than 2^32 frames");
            let block = format::encode_block(&raw, frames[first].header.first, count, frame.hash)?;
            write_all(file, &block, offset)?;
            offset += block.len() as u64;
            first = index + 1;
            raw.clear();
        }
    }
    let last = &frames[frames.len() - 1];
    let end = Head::after(&last.header, last.hash);
    let header = FileHeader { journal, start, end, frames: frames.len() as u64, file_bytes: offset };
    write_all(file, &header.encode(), 0)?;
    file.sync_data()
}

/// Fails unless the file holds exactly these frames.
fn compare(
    disk: &dyn Disk,
    name: &str,
    journal: [u8; 16],
    start: Head,
    frames: &[Frame],
) -> Result<(), Error> {
    let differs = || Error::wrong_file(name, "holds other frames than those to be archived under this name");
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
