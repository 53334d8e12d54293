//! Sizes of folders, and the free space for them.

use std::fs;
use std::path::Path;

use crate::Problem;

/// The lengths of all files below a folder; 0 if it does not exist.
pub fn bytes_of(folder: &Path) -> Result<u64, Problem> {
    if !folder.exists() {
        return Ok(0);
    }
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A file may be removed after it was listed.
        let Ok(metadata) = entry.metadata() else { continue };
        bytes += if metadata.is_dir() { bytes_of(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}

/// Bytes that can still be written to the file system of a folder.
pub fn free_bytes(folder: &Path) -> Result<u64, Problem> {
    let space = rustix::fs::statvfs(folder)?;
    Ok(space.f_bavail * space.f_frsize)
}

#[cfg(test)]
mod tests {
    #[test]
    fn files_of_subfolders_count() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        assert_eq!(super::bytes_of(&below).unwrap(), 0);
        std::fs::create_dir(&below).unwrap();
        std::fs::write(below.join("a"), [0; 300]).unwrap();
        std::fs::write(folder.path().join("b"), [0; 20]).unwrap();
        assert_eq!(super::bytes_of(folder.path()).unwrap(), 320);
    }
}
