//! Pictures in a data folder: a file for each in `pictures`, and for unnamed ones in `pictures/unnamed`. Naming a picture
//! moves its file, so a crash leaves it in one of the two places.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::address::PictureHash;
use super::store::{PictureError, PictureStore};
use crate::folder::{remove_if_exists, write_atomically};

const ENDING: &str = ".picture";

#[derive(Clone, Debug)]
pub struct FolderPictures {
    named: PathBuf,
    unnamed: PathBuf,
}

impl FolderPictures {
    /// The pictures of a data folder, a backup or an archive. The folders are created with the first picture.
    pub fn of(folder: &Path) -> FolderPictures {
        let named = folder.join("pictures");
        FolderPictures { unnamed: named.join("unnamed"), named }
    }

    fn files(&self, hash: PictureHash) -> (PathBuf, PathBuf) {
        let name = format!("{hash}{ENDING}");
        (self.named.join(&name), self.unnamed.join(name))
    }

    fn create_folders(&self) -> Result<(), PictureError> {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.unnamed)
            .and_then(|()| sync(&self.named))
            .map_err(PictureError::file(&self.unnamed))
    }
}

impl PictureStore for FolderPictures {
    fn put(&mut self, hash: PictureHash, content: &[u8]) -> Result<(), PictureError> {
        self.create_folders()?;
        let (named, unnamed) = self.files(hash);
        let path = if named.exists() { named } else { unnamed };
        write_atomically(&path, content).map_err(PictureError::file(&path))
    }

    fn get(&mut self, hash: PictureHash) -> Result<Option<Vec<u8>>, PictureError> {
        let (named, unnamed) = self.files(hash);
        // The named file is looked for again: another process may have moved it meanwhile.
        for path in [&named, &unnamed, &named] {
            match fs::read(path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                read => return read.map(Some).map_err(PictureError::file(path)),
            }
        }
        Ok(None)
    }

    fn name(&mut self, hashes: &BTreeSet<PictureHash>) -> Result<BTreeSet<PictureHash>, PictureError> {
        let mut found = BTreeSet::new();
        let mut is_moved = false;
        for hash in hashes {
            let (named, unnamed) = self.files(*hash);
            if named.exists() {
                found.insert(*hash);
                continue;
            }
            match fs::rename(&unnamed, &named) {
                Ok(()) => {
                    is_moved = true;
                    found.insert(*hash);
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(PictureError::file(&named)(error)),
            }
        }
        if is_moved {
            for folder in [&self.named, &self.unnamed] {
                sync(folder).map_err(PictureError::file(folder))?;
            }
        }
        Ok(found)
    }

    fn sweep(&mut self, age: Duration) -> Result<u64, PictureError> {
        let mut swept = 0;
        for path in files_in(&self.unnamed)? {
            let modified = fs::metadata(&path).and_then(|about| about.modified());
            let modified = modified.map_err(PictureError::file(&path))?;
            // A file from the future is not old.
            if modified.elapsed().is_ok_and(|elapsed| elapsed >= age) {
                remove_if_exists(&path).map_err(PictureError::file(&path))?;
                swept += 1;
            }
        }
        Ok(swept)
    }

    fn list(&mut self) -> Result<Vec<(PictureHash, bool)>, PictureError> {
        let mut found = Vec::new();
        for (folder, is_named) in [(&self.named, true), (&self.unnamed, false)] {
            let hashes = files_in(folder)?.into_iter().filter_map(|path| hash_of(&path));
            found.extend(hashes.map(|hash| (hash, is_named)));
        }
        found.sort_unstable();
        Ok(found)
    }
}

fn hash_of(path: &Path) -> Option<PictureHash> {
    PictureHash::parse(path.file_name()?.to_str()?.strip_suffix(ENDING)?)
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, PictureError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(PictureError::file(folder))?,
    };
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let paths = paths.map_err(PictureError::file(folder))?;
    Ok(paths.into_iter().filter(|path| path.is_file()).collect())
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
