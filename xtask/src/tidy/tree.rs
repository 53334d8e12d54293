//! The repository for the rules: every text, and the paths of all other files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use super::source::Source;

/// Folders with build output, downloads, tool data or secrets, by path from the root or by name anywhere.
const SKIPPED_PATHS: &[&str] = &["data", "deploy/secrets", "sdk/typescript/build", "target", "web/dist"];
const SKIPPED_NAMES: &[&str] = &[".git", "node_modules", "target"];

/// All paths are relative to the root and use `/`.
pub(super) struct Tree {
    sources: BTreeMap<String, Source>,
    texts: BTreeMap<String, String>,
    paths: BTreeSet<String>,
    skipped: Vec<String>,
}

impl Tree {
    pub(super) fn read(root: &Path) -> io::Result<Self> {
        let mut tree = Self::empty();
        tree.read_folder(root, "")?;
        Ok(tree)
    }

    /// Every Rust file with its path.
    pub(super) fn sources(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.sources.iter().map(|(path, source)| (path.as_str(), source))
    }

    pub(super) fn source(&self, path: &str) -> Option<&Source> {
        self.sources.get(path)
    }

    /// The text of a file that is not Rust.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Every Markdown document with its path.
    pub(super) fn documents(&self) -> impl Iterator<Item = (&str, &str)> {
        let documents = self.texts.iter().filter(|(path, _)| path.ends_with(".md"));
        documents.map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Every text with its path, Rust files last.
    pub(super) fn all_texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let others = self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        others.chain(self.sources().map(|(path, source)| (path, source.text())))
    }

    /// Whether a file or folder exists. Skipped folders are not read; everything in them counts as existing.
    pub(super) fn exists(&self, path: &str) -> bool {
        let is_below =
            |folder: &String| path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
        self.paths.contains(path) || self.skipped.iter().any(is_below)
    }

    /// Every file and folder.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(String::as_str)
    }

    fn empty() -> Self {
        Self { sources: BTreeMap::new(), texts: BTreeMap::new(), paths: BTreeSet::new(), skipped: Vec::new() }
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let path = format!("{prefix}{name}");
            // Symbolic links are neither files nor folders here, so a cycle of them is harmless.
            let kind = entry.file_type()?;
            if kind.is_dir() && (SKIPPED_PATHS.contains(&path.as_str()) || SKIPPED_NAMES.contains(&name)) {
                self.skipped.push(path.clone());
            } else if kind.is_dir() {
                self.read_folder(&entry.path(), &format!("{path}/"))?;
            } else if kind.is_file()
                && let Ok(text) = String::from_utf8(fs::read(entry.path())?)
            {
                // Other bytes are pictures, fonts and archives.
                self.add(&path, text);
            }
            self.paths.insert(path);
        }
        Ok(())
    }

    fn add(&mut self, path: &str, text: String) {
        if path.ends_with(".rs") {
            self.sources.insert(path.to_owned(), Source::new(text));
        } else {
            self.texts.insert(path.to_owned(), text);
        }
    }

    /// A tree for tests.
    #[cfg(test)]
    pub(super) fn planted(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::empty();
        for (path, text) in files {
            tree.add(path, (*text).to_owned());
            let folders = path.match_indices('/').map(|(end, _)| path[..end].to_owned());
            tree.paths.extend(folders.chain([(*path).to_owned()]));
        }
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use crate::process::root;

    #[test]
    fn this_tree_is_read_without_what_is_built() {
        let tree = Tree::read(&root()).unwrap();
        assert!(tree.source("xtask/src/tidy/tree.rs").is_some());
        assert!(tree.text("Cargo.toml").is_some() && tree.text("sdk/python/pyproject.toml").is_some());
        assert!(tree.text("docs/pictures/event.png").is_none() && tree.exists("docs/pictures/event.png"));
        assert!(tree.exists("xtask/src"));
        assert!(!tree.paths().any(|path| path.starts_with("target/") || path.starts_with(".git/")));
    }

    #[test]
    fn files_in_a_skipped_folder_count_as_existing() {
        let mut tree = Tree::planted(&[]);
        tree.skipped.push("web/dist".to_owned());
        assert!(tree.exists("web/dist/index.html"));
        assert!(!tree.exists("web/distance"));
    }

    #[test]
    fn a_planted_file_brings_its_folders() {
        let tree = Tree::planted(&[("crates/a/src/lib.rs", "")]);
        assert!(tree.exists("crates/a") && tree.exists("crates/a/src/lib.rs") && !tree.exists("crates/b"));
    }
}
