//! The manifest: the files that count, and the mark up to which they are complete. It is replaced as a whole.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::raw_block::Base;
use crate::varint::{self, Input};
use crate::{Error, Mark, files};

/// Incremented with every change to the format of the store's files.
const FORMAT: u64 = 1;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The caller's version.
    pub(crate) version: u32,
    pub(crate) mark: Mark,
    pub(crate) next_file: u64,
    pub(crate) state: Option<NamedFile>,
    pub(crate) indexes: Vec<Vec<NamedFile>>,
    pub(crate) logs: Vec<Vec<NamedSegment>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NamedFile {
    pub(crate) number: u64,
    pub(crate) bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NamedSegment {
    pub(crate) file: NamedFile,
    pub(crate) data_bytes: u64,
    pub(crate) last: Base,
}

/// A durable manifest that does not count yet.
#[derive(Debug)]
pub(crate) struct PreparedManifest {
    folder: PathBuf,
    opened: File,
}

impl PreparedManifest {
    /// Replaces the manifest of the folder. After a failure either of the two may count.
    pub(crate) fn install(&self) -> Result<(), Error> {
        let path = path(&self.folder);
        fs::rename(path_of_new(&self.folder), &path).map_err(Error::io(&path))?;
        self.opened.sync_all().map_err(Error::io(&self.folder))
    }
}

pub(crate) fn path(folder: &Path) -> PathBuf {
    folder.join("manifest")
}

fn path_of_new(folder: &Path) -> PathBuf {
    folder.join("manifest.new")
}

impl Manifest {
    /// The manifest of a folder; none in a new one.
    pub(crate) fn read(folder: &Path) -> Result<Option<Manifest>, Error> {
        let path = path(folder);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(Error::io(&path))?,
        };
        let damaged = || Error::damaged(&path, "the manifest");
        let (content, checksum) = bytes.split_last_chunk().ok_or_else(damaged)?;
        if crc32fast::hash(content) != u32::from_be_bytes(*checksum) {
            return Err(damaged());
        }
        let mut input = Input(content);
        match input.number() {
            Some(FORMAT) => decode(&mut input).map(Some).ok_or_else(damaged),
            _ => Err(Error::OtherVersion { found: 0 }),
        }
    }

    /// Writes the manifest beside the present one. The files that it names must be durable.
    pub(crate) fn prepare(&self, folder: &Path) -> Result<PreparedManifest, Error> {
        let new = path_of_new(folder);
        // Opened first: installing the manifest must not depend on a free descriptor.
        let opened = File::open(folder).map_err(Error::io(folder))?;
        let write = || {
            let mut options = OpenOptions::new();
            let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
            file.write_all(&self.encode())?;
            file.sync_all()
        };
        write().map_err(Error::io(&new))?;
        // The names of new files must be durable before a manifest contains them.
        opened.sync_all().map_err(Error::io(folder))?;
        Ok(PreparedManifest { folder: folder.to_owned(), opened })
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let put = |bytes: &mut Vec<u8>, number| varint::put(bytes, number);
        let put_file = |bytes: &mut Vec<u8>, file: &NamedFile| {
            varint::put(bytes, file.number);
            varint::put(bytes, file.bytes);
        };
        put(&mut bytes, FORMAT);
        put(&mut bytes, self.version.into());
        put(&mut bytes, self.mark.sequence);
        varint::put_signed(&mut bytes, self.mark.at);
        put(&mut bytes, self.next_file);
        put(&mut bytes, u64::from(self.state.is_some()));
        self.state.iter().for_each(|file| put_file(&mut bytes, file));
        put(&mut bytes, self.indexes.len() as u64);
        for runs in &self.indexes {
            put(&mut bytes, runs.len() as u64);
            runs.iter().for_each(|file| put_file(&mut bytes, file));
        }
        put(&mut bytes, self.logs.len() as u64);
        for segments in &self.logs {
            put(&mut bytes, segments.len() as u64);
            for segment in segments {
                put_file(&mut bytes, &segment.file);
                put(&mut bytes, segment.data_bytes);
                put(&mut bytes, segment.last.number);
                varint::put_signed(&mut bytes, segment.last.at);
            }
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&checksum.to_be_bytes());
        bytes
    }

    /// The numbers of all files that count.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> {
        let runs = self.indexes.iter().flatten().map(|file| file.number);
        let segments = self.logs.iter().flatten().map(|segment| segment.file.number);
        runs.chain(segments).chain(self.state.iter().map(|file| file.number))
    }
}

fn decode(input: &mut Input<'_>) -> Option<Manifest> {
    let version = u32::try_from(input.number()?).ok()?;
    let mark = Mark { sequence: input.number()?, at: input.signed()? };
    let next_file = input.number()?;
    let state = match input.number()? {
        0 => None,
        _ => Some(decode_file(input)?),
    };
    let mut indexes = Vec::new();
    for _ in 0..input.number()? {
        let runs = (0..input.number()?).map(|_| decode_file(input)).collect::<Option<_>>()?;
        indexes.push(runs);
    }
    let mut logs = Vec::new();
    for _ in 0..input.number()? {
        let segments = (0..input.number()?).map(|_| decode_segment(input)).collect::<Option<_>>()?;
        logs.push(segments);
    }
    input.0.is_empty().then_some(Manifest { version, mark, next_file, state, indexes, logs })
}

fn decode_file(input: &mut Input<'_>) -> Option<NamedFile> {
    Some(NamedFile { number: input.number()?, bytes: input.number()? })
}

fn decode_segment(input: &mut Input<'_>) -> Option<NamedSegment> {
    let file = decode_file(input)?;
    let data_bytes = input.number()?;
    let last = Base { number: input.number()?, at: input.signed()? };
    (data_bytes <= file.bytes).then_some(NamedSegment { file, data_bytes, last })
}

/// Deletes the manifest and every file of the store.
pub(crate) fn remove(folder: &Path) -> Result<(), Error> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(Error::io(folder))?,
    };
    // The manifest first: without it the other files do not count.
    for path in [path(folder), path_of_new(folder)] {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io(&path)(error));
            }
            _ => {}
        }
    }
    for entry in entries {
        let path = entry.map_err(Error::io(folder))?.path();
        if files::number_of(&path).is_some() {
            fs::remove_file(&path).map_err(Error::io(&path))?;
        }
    }
    Ok(())
}
