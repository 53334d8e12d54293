//! A folder for one test, removed when it is dropped.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// `name` is the test's own.
    pub(crate) fn new(name: &str) -> Scratch {
        let path = env::temp_dir().join(format!("bellwether-export-{}-{name}", process::id()));
        fs::create_dir(&path).expect("a new folder");
        Scratch { path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
