//! Snapshots: the state at a sequence as opaque bytes, compressed and hashed. The last three are kept.
//!
//! Saving streams: the content is hashed, compressed and written piece by piece, and the header comes last.
//!
//! A snapshot only saves replaying frames, so a bad one is never fatal: it is reported and the previous one is used.
//! Written to a temporary name, synced, renamed, folder synced: a file with its final name is complete unless the disk
//! corrupted it.

use std::io::{self, BufWriter, Read, Write};
use std::sync::Arc;

use lz4_flex::frame::{FrameDecoder, FrameEncoder};

use crate::disk::{Disk, DiskFile, read_all, write_all};
use crate::frame::{FrameHash, Sequence, part};
use crate::{Error, Head};

const MAGIC: [u8; 8] = *b"BWSNAPSH";
const VERSION: u32 = 2;
const HEADER_BYTES: usize = 128;
const SUFFIX: &str = ".snapshot";
const UNFINISHED: &str = "snapshot.tmp";
const KEPT: usize = 3;
const WRITE_BYTES: usize = 1 << 20;
/// The expected compression ratio. A state that compresses better costs one extra copy.
const LIKELY_RATIO: usize = 16;

/// A state and its position in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The head that the first frame to replay follows.
    pub head: Head,
    pub content: Vec<u8>,
}

/// The result of a search for the newest snapshot.
#[derive(Debug)]
pub struct Latest<T = Snapshot> {
    /// The newest readable snapshot.
    pub snapshot: Option<T>,
    /// Newer snapshots that cannot be read, each naming its file.
    pub bad: Vec<Error>,
}

/// The snapshots of one journal.
pub trait Snapshots {
    /// Reads the newest intact snapshot that `read` accepts. A build may not support the format of a newer one.
    fn latest_read<T>(&mut self, read: impl FnMut(Snapshot) -> Result<T, String>) -> Result<Latest<T>, Error>
    where
        Self: Sized;
}

impl<T> Latest<T> {
    /// Tries the snapshots in order, newest first, until `read` accepts one.
    pub(crate) fn of<N: AsRef<str>>(
        names: impl IntoIterator<Item = N>,
        mut load: impl FnMut(&N) -> Result<Result<Snapshot, Error>, Error>,
        mut read: impl FnMut(Snapshot) -> Result<T, String>,
    ) -> Result<Latest<T>, Error> {
        let mut latest = Latest { snapshot: None, bad: Vec::new() };
        for name in names {
            let snapshot = match load(&name)? {
                Ok(snapshot) => snapshot,
                Err(error) => {
                    latest.bad.push(error);
                    continue;
                }
            };
            match read(snapshot) {
                Ok(found) => {
                    latest.snapshot = Some(found);
                    break;
                }
                Err(what) => latest.bad.push(Error::wrong_file(name.as_ref(), what)),
            }
        }
        Ok(latest)
    }
}

/// The snapshots in one folder, which may be the journal's.
#[derive(Clone, Debug)]
pub struct SnapshotStore {
    disk: Arc<dyn Disk>,
}

impl SnapshotStore {
    pub fn new(disk: Arc<dyn Disk>) -> SnapshotStore {
        SnapshotStore { disk }
    }

    /// Makes a snapshot durable, then removes all but the last three.
    ///
    /// A failure leaves the older ones unchanged; the next attempt starts over.
    pub fn save(&self, head: &Head, content: &[u8]) -> Result<(), Error> {
        self.save_streamed(head, |sink| sink.write_all(content))
    }

    /// Like `save`, with content that `write` passes on in pieces: memory never has all of it.
    pub fn save_streamed(
        &self,
        head: &Head,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let name = snapshot_name(head.next);
        let names = self.list()?;
        if names.iter().any(|name| name == UNFINISHED) {
            self.disk.remove(UNFINISHED).map_err(Error::disk("remove", UNFINISHED))?;
        }
        let file = self.disk.create(UNFINISHED).map_err(Error::disk("create", UNFINISHED))?;
        write_file(&*file, head, write).map_err(Error::disk("write", UNFINISHED))?;
        self.disk.rename(UNFINISHED, &name).map_err(Error::disk("rename to", &name))?;
        self.disk.sync_folder().map_err(Error::disk("sync the folder of", &name))?;
        self.remove_old()
    }

    /// The newest intact snapshot, and the errors of newer ones.
    pub fn latest(&self) -> Result<Latest, Error> {
        Latest::of(self.names()?.into_iter().rev(), |name| Ok(self.load(name)), Ok)
    }

    /// The names of all snapshots, oldest first.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        Ok(snapshot_names(self.list()?))
    }

    /// Loads the snapshot with this name and verifies it.
    pub fn load(&self, name: &str) -> Result<Snapshot, Error> {
        let file = self.disk.open(name).map_err(Error::disk("open", name))?;
        let length = file.length().map_err(Error::disk("measure", name))?;
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
        read_all(&*file, &mut bytes, 0).map_err(Error::disk("read", name))?;
        let snapshot = decode(&bytes).map_err(|what| Error::wrong_file(name, what))?;
        if snapshot_name(snapshot.head.next) != name {
            return Err(Error::wrong_file(name, "its name does not match the sequence it holds"));
        }
        Ok(snapshot)
    }

    fn remove_old(&self) -> Result<(), Error> {
        for name in self.names()?.iter().rev().skip(KEPT) {
            self.disk.remove(name).map_err(Error::disk("remove", name))?;
        }
        Ok(())
    }

    fn list(&self) -> Result<Vec<String>, Error> {
        self.disk.list().map_err(Error::disk("list", "the folder of snapshots"))
    }
}

impl Snapshots for &SnapshotStore {
    fn latest_read<T>(
        &mut self,
        read: impl FnMut(Snapshot) -> Result<T, String>,
    ) -> Result<Latest<T>, Error> {
        Latest::of(self.names()?.into_iter().rev(), |name| Ok(self.load(name)), read)
    }
}

/// A snapshot encoded as in a file, for storage elsewhere.
pub(crate) fn to_bytes(
    head: &Head,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; HEADER_BYTES];
    let content = compress(&mut bytes, write).map_err(Error::disk("compress", "a snapshot"))?;
    let header = encode_header(head, &content, bytes.len() - HEADER_BYTES);
    bytes[..HEADER_BYTES].copy_from_slice(&header);
    Ok(bytes)
}

/// The inverse of [`to_bytes`], or a description of the damage.
pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Snapshot, &'static str> {
    decode(bytes)
}

/// Writes the compressed content, then the header before it.
fn write_file(
    file: &dyn DiskFile,
    head: &Head,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut output = BufWriter::with_capacity(WRITE_BYTES, FileEnd { file, offset: HEADER_BYTES as u64 });
    let content = compress(&mut output, write)?;
    output.flush()?;
    let compressed_bytes = output.get_ref().offset as usize - HEADER_BYTES;
    write_all(file, &encode_header(head, &content, compressed_bytes), 0)?;
    file.sync_data()
}

/// Appends to a file.
struct FileEnd<'a> {
    file: &'a dyn DiskFile,
    offset: u64,
}

impl Write for FileEnd<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write_all(self.file, bytes, self.offset)?;
        self.offset += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Length and hash of a content.
struct ContentHash {
    bytes: u64,
    hash: [u8; 32],
}

/// Hashes and counts bytes on their way to `output`.
struct Hashed<W> {
    output: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

fn encode_header(head: &Head, content: &ContentHash, compressed_bytes: usize) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[0..8].copy_from_slice(&MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[16..24].copy_from_slice(&head.next.0.to_le_bytes());
    bytes[24..32].copy_from_slice(&head.at.to_le_bytes());
    bytes[32..40].copy_from_slice(&content.bytes.to_le_bytes());
    bytes[40..48].copy_from_slice(&(compressed_bytes as u64).to_le_bytes());
    bytes[48..80].copy_from_slice(&head.hash.0);
    bytes[80..112].copy_from_slice(&content.hash);
    let checksum = crc32fast::hash(&bytes);
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// For fuzzers: sets the format, the length of the compressed content and the checksum of a header.
#[cfg(feature = "testing")]
pub(crate) fn repair_header(bytes: &mut [u8]) {
    let Some((header, compressed)) = bytes.split_first_chunk_mut::<HEADER_BYTES>() else { return };
    header[0..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[40..48].copy_from_slice(&(compressed.len() as u64).to_le_bytes());
    header[12..16].fill(0);
    let checksum = crc32fast::hash(header);
    header[12..16].copy_from_slice(&checksum.to_le_bytes());
}

/// The snapshot in `bytes`, or a description of the damage.
fn decode(bytes: &[u8]) -> Result<Snapshot, &'static str> {
    let (header, compressed) =
        bytes.split_first_chunk::<HEADER_BYTES>().ok_or("is too short for a snapshot")?;
    let mut unsigned = *header;
    unsigned[12..16].fill(0);
    if header[0..8] != MAGIC || part(header, 12) != crc32fast::hash(&unsigned).to_le_bytes() {
        return Err("its header, offset 0, is corrupt");
    }
    if part(header, 8) != VERSION.to_le_bytes() {
        return Err("has a format that this program does not support");
    }
    let content_bytes = u64::from_le_bytes(part(header, 32));
    if compressed.len() as u64 != u64::from_le_bytes(part(header, 40)) {
        return Err("does not have the length that its header states");
    }
    let content =
        decompress(compressed, content_bytes).map_err(|_| "its content, offset 128, does not decompress")?;
    if content.len() as u64 != content_bytes || *blake3::hash(&content).as_bytes() != part(header, 80) {
        return Err("its content, offset 128, is not what was saved");
    }
    let next = Sequence(u64::from_le_bytes(part(header, 16)));
    let (at, hash) = (i64::from_le_bytes(part(header, 24)), FrameHash(part(header, 48)));
    Ok(Snapshot { head: Head { next, hash, at }, content })
}

/// Compresses what `write` passes on. LZ4 is fast rather than small: a snapshot is written every minute and read once.
fn compress(
    output: &mut impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<ContentHash> {
    let mut hashed = Hashed { output: FrameEncoder::new(output), hasher: blake3::Hasher::new() };
    write(&mut hashed)?;
    let Hashed { output, hasher } = hashed;
    output.finish()?;
    Ok(ContentHash { bytes: hasher.count(), hash: *hasher.finalize().as_bytes() })
}

/// Decompresses at most one byte more than `content_bytes`. The length in a header is not trusted: the initial capacity
/// is limited by the expected compression ratio, and the buffer grows from there.
fn decompress(compressed: &[u8], content_bytes: u64) -> io::Result<Vec<u8>> {
    let likely = compressed.len().saturating_mul(LIKELY_RATIO);
    let mut content =
        Vec::with_capacity(usize::try_from(content_bytes).map_or(likely, |bytes| bytes.min(likely)));
    FrameDecoder::new(compressed).take(content_bytes.saturating_add(1)).read_to_end(&mut content)?;
    Ok(content)
}

fn snapshot_name(next: Sequence) -> String {
    format!("{:020}{SUFFIX}", next.0)
}

fn snapshot_names(names: Vec<String>) -> Vec<String> {
    let mut names: Vec<_> = names.into_iter().filter(|name| name.ends_with(SUFFIX)).collect();
    names.sort_unstable();
    names
}
