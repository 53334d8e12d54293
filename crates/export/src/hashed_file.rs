//! A file that is hashed while it is written. It has a temporary name until it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::error::ExportError;
use crate::folder::{Readers, sync_folder_of};

/// The end of an incomplete file's name.
pub(crate) const PARTIAL: &str = ".partial";

/// The extent of a complete file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileSummary {
    pub(crate) bytes: u64,
    /// In lower-case hex.
    pub(crate) sha256: String,
}

#[derive(Debug)]
pub(crate) struct HashedFile {
    path: PathBuf,
    file: BufWriter<File>,
    hash: Sha256,
    bytes: u64,
}

impl HashedFile {
    /// Creates the file that `finish` gives the name `path`.
    pub(crate) fn create(path: &Path, readers: Readers) -> Result<HashedFile, ExportError> {
        let partial = partial(path);
        let file = readers.create_file(&partial).map_err(ExportError::file(&partial))?;
        Ok(HashedFile { path: path.to_owned(), file: BufWriter::new(file), hash: Sha256::new(), bytes: 0 })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the file durable and gives it its name.
    pub(crate) fn finish(self) -> Result<FileSummary, ExportError> {
        let failed = ExportError::file(&self.path);
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error);
        let synced = file.and_then(|file| file.sync_all());
        let renamed = synced.and_then(|()| fs::rename(partial(&self.path), &self.path));
        renamed.and_then(|()| sync_folder_of(&self.path)).map_err(failed)?;
        Ok(FileSummary { bytes: self.bytes, sha256: HEXLOWER.encode(&self.hash.finalize()) })
    }
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The name of an incomplete file.
pub(crate) fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(PARTIAL);
    PathBuf::from(name)
}

/// The extent of a file on disk.
pub(crate) fn summarise(path: &Path) -> io::Result<FileSummary> {
    let (mut file, mut hash, mut bytes) = (File::open(path)?, Sha256::new(), 0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(FileSummary { bytes, sha256: HEXLOWER.encode(&hash.finalize()) }),
            read => {
                hash.update(&buffer[..read]);
                bytes += read as u64;
            }
        }
    }
}

/// Replaces a small file as a whole: a reader sees the old content or the new one.
pub(crate) fn replace(path: &Path, readers: Readers, content: &[u8]) -> Result<(), ExportError> {
    let mut file = HashedFile::create(path, readers)?;
    file.write_all(content).map_err(ExportError::file(path))?;
    file.finish().map(|_| ())
}
