//! A segment file: its name, header, seal and creation.
//!
//! The first sector identifies the segment and the head it follows. The second sector, the seal, is zero until the next
//! segment is durable; then it names that segment. A journal that lost its last file is therefore refused, not
//! shortened.

use std::io;

use super::layout::{MARK, SECTOR_BYTES, SegmentBinding};
use crate::disk::{Disk, DiskFile, read_all, with_descriptor, write_all};
use crate::frame::{FrameHash, Sequence, part};
use crate::{Error, Head};

/// Header and seal; the first frame follows them.
pub(crate) const PREFACE_BYTES: usize = 2 * SECTOR_BYTES;
/// The name of a segment that is being prepared. Leftovers are removed when a journal is opened.
pub const SPARE: &str = "spare.tmp";

const MAGIC: [u8; 8] = *b"BWJOURNL";
const SEAL_MAGIC: [u8; 8] = *b"BWSEALED";
const VERSION: u32 = 1;
const SUFFIX: &str = ".segment";
/// Zeros are written in small pieces: the kernel caches each write as one piece, and syncing a few bytes costs more in
/// a larger piece (a third more with pieces of 4 MiB, on Linux 6.18 and ext4).
const ZEROS_BYTES: usize = 64 << 10;
/// The spare is synced at intervals, so that concurrent appends never wait for all of it at once.
const ZEROS_SYNC_BYTES: u64 = 4 << 20;

/// The content of a segment's first sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    pub(crate) segment_bytes: u64,
    pub(crate) journal: [u8; 16],
    /// The head that its first frame follows. `start.next` is also in the file's name.
    pub(crate) start: Head,
}

impl SegmentHeader {
    pub(crate) fn binding(&self) -> SegmentBinding {
        SegmentBinding { journal: self.journal, segment: self.start.next }
    }

    pub(crate) fn encode(&self) -> [u8; SECTOR_BYTES] {
        let mut bytes = [0; SECTOR_BYTES];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.segment_bytes.to_le_bytes());
        bytes[24..40].copy_from_slice(&self.journal);
        encode_head(&mut bytes, &self.start);
        with_checksum(bytes)
    }

    fn decode(name: &str, bytes: &[u8; SECTOR_BYTES]) -> Result<SegmentHeader, Error> {
        if bytes[0..8] != MAGIC {
            return Err(Error::wrong_file(name, "is not a segment of a journal"));
        }
        let version = u32::from_le_bytes(part(bytes, 8));
        if with_checksum(*bytes) != *bytes {
            return Err(Error::wrong_file(name, "its header, offset 0, is corrupt"));
        }
        if version != VERSION {
            let what = format!("has format version {version}, this program supports {VERSION}");
            return Err(Error::wrong_file(name, what));
        }
        Ok(SegmentHeader {
            segment_bytes: u64::from_le_bytes(part(bytes, 16)),
            journal: part(bytes, 24),
            start: decode_head(bytes),
        })
    }
}

/// The sector that names the next segment.
pub(crate) fn encode_seal(next: &Head) -> [u8; SECTOR_BYTES] {
    let mut bytes = [0; SECTOR_BYTES];
    bytes[0..8].copy_from_slice(&SEAL_MAGIC);
    encode_head(&mut bytes, next);
    bytes[SECTOR_BYTES - 1] = MARK;
    with_checksum(bytes)
}

fn decode_seal(name: &str, bytes: &[u8; SECTOR_BYTES]) -> Result<Option<Head>, Error> {
    // An incomplete seal counts as absent; it is written again.
    if bytes[SECTOR_BYTES - 1] == 0 {
        return Ok(None);
    }
    if bytes[0..8] != SEAL_MAGIC || with_checksum(*bytes) != *bytes {
        return Err(Error::wrong_file(name, format!("its seal, offset {SECTOR_BYTES}, is corrupt")));
    }
    Ok(Some(decode_head(bytes)))
}

fn encode_head(bytes: &mut [u8; SECTOR_BYTES], head: &Head) {
    bytes[40..48].copy_from_slice(&head.next.0.to_le_bytes());
    bytes[48..56].copy_from_slice(&head.at.to_le_bytes());
    bytes[56..88].copy_from_slice(&head.hash.0);
}

fn decode_head(bytes: &[u8; SECTOR_BYTES]) -> Head {
    Head {
        next: Sequence(u64::from_le_bytes(part(bytes, 40))),
        at: i64::from_le_bytes(part(bytes, 48)),
        hash: FrameHash(part(bytes, 56)),
    }
}

/// The sector with its checksum in bytes 12..16, computed over all other bytes.
pub(crate) fn with_checksum(mut bytes: [u8; SECTOR_BYTES]) -> [u8; SECTOR_BYTES] {
    bytes[12..16].fill(0);
    let checksum = crc32fast::hash(&bytes);
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// An open segment file and the content of its first two sectors.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) name: String,
    pub(crate) file: Box<dyn DiskFile>,
    pub(crate) header: SegmentHeader,
    pub(crate) seal: Option<Head>,
}

impl Segment {
    /// Opens a segment and checks everything that does not depend on its neighbours.
    pub(crate) fn open(disk: &dyn Disk, name: &str) -> Result<Segment, Error> {
        let file = disk.open(name).map_err(Error::disk("open", name))?;
        let length = file.length().map_err(Error::disk("measure", name))?;
        if length < PREFACE_BYTES as u64 {
            return Err(Error::wrong_file(name, format!("has {length} bytes, too few for a segment")));
        }
        let mut preface = [0; PREFACE_BYTES];
        read_all(&*file, &mut preface, 0).map_err(Error::disk("read", name))?;
        let header = SegmentHeader::decode(name, &part(&preface, 0))?;
        if length != header.segment_bytes {
            let what = format!("has {length} bytes instead of {}", header.segment_bytes);
            return Err(Error::wrong_file(name, what));
        }
        if segment_name(header.start.next) != name {
            let what = format!("begins with sequence {}, unlike its name", header.start.next);
            return Err(Error::wrong_file(name, what));
        }
        let seal = decode_seal(name, &part(&preface, SECTOR_BYTES))?;
        Ok(Segment { name: name.to_owned(), file, header, seal })
    }

    /// Turns a spare into the segment with this header. Returns when the content and the name are durable.
    pub(crate) fn establish(
        disk: &dyn Disk,
        spare: Box<dyn DiskFile>,
        header: SegmentHeader,
    ) -> Result<Segment, Error> {
        let name = segment_name(header.start.next);
        write_all(&*spare, &header.encode(), 0).map_err(Error::disk("write", &name))?;
        spare.sync_data().map_err(Error::disk("sync", &name))?;
        disk.rename(SPARE, &name).map_err(Error::disk("rename to", &name))?;
        with_descriptor(|| disk.sync_folder()).map_err(Error::disk("sync the folder of", &name))?;
        Ok(Segment { name, file: spare, header, seal: None })
    }

    /// Records in this segment that `next` is durable.
    pub(crate) fn seal(&self, next: &Head) -> Result<(), Error> {
        let sealed = write_all(&*self.file, &encode_seal(next), SECTOR_BYTES as u64);
        sealed.and_then(|()| self.file.sync_data()).map_err(Error::disk("seal", &self.name))
    }
}

/// Creates a file of zeros with the spare's name. The name is not durable; it need not survive a crash.
pub(crate) fn create_spare(disk: &dyn Disk, segment_bytes: u64) -> io::Result<Box<dyn DiskFile>> {
    let file = disk.create(SPARE)?;
    let zeros = [0; ZEROS_BYTES];
    let mut offset = 0;
    while offset < segment_bytes {
        let length = (segment_bytes - offset).min(zeros.len() as u64);
        write_all(&*file, &zeros[..length as usize], offset)?;
        offset += length;
        if offset.is_multiple_of(ZEROS_SYNC_BYTES) || offset == segment_bytes {
            file.sync_data()?;
        }
    }
    Ok(file)
}

pub(crate) fn segment_name(first: Sequence) -> String {
    format!("{:020}{SUFFIX}", first.0)
}

/// The names of segments among `names`, ordered by sequence.
pub(crate) fn segment_names(names: Vec<String>) -> Vec<String> {
    let mut names: Vec<_> = names.into_iter().filter(|name| name.ends_with(SUFFIX)).collect();
    // All numbers have the same width, so lexical order is the order of the sequences.
    names.sort_unstable();
    names
}
