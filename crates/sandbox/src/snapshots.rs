//! Snapshots of the whole venue: copies of its journal, people and pictures, with the sandbox's record. History and the
//! node's own snapshots follow from the journal. A return copies everything before it stops the node.

use std::path::{Path, PathBuf};
use std::{fs, io};

use exchange::time::Time;
use serde::{Deserialize, Serialize};
use server::folder::{REHEARSAL_MARK, remove_if_exists};
use server::people::SqliteRows;

use crate::error::{Refusal, SandboxError};
use crate::record::Record;
use crate::venue::Venue;

/// The folder of all snapshots.
const SNAPSHOTS: &str = "sandbox-snapshots";
/// The snapshot to which `reset` returns.
pub(crate) const START: &str = "start";
/// Copied into a snapshot.
const COPIED: [&str; 3] = ["journal", PEOPLE, "pictures"];
/// A database, which only its own copy function copies as one state.
const PEOPLE: &str = "people";
/// Follow from the journal.
const DERIVED: [&str; 2] = ["snapshots", "history"];
/// Files that the first start makes and that stay.
const MADE_ONCE: [&str; 2] = ["master.key", "operator.token"];
const ABOUT: &str = "about.json";
const NAME_BYTES_MAX: usize = 64;

/// A snapshot in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SnapshotAbout {
    pub(crate) name: String,
    pub(crate) sequence: u64,
    /// The venue's time.
    pub(crate) now: api::Timestamp,
}

impl Venue {
    fn snapshot_folder(&self, name: &str) -> Result<PathBuf, Refusal> {
        if self.fixed.is_past {
            return Err(Refusal::conflict("A venue that relives a journal has no snapshots"));
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if name.is_empty() || name.len() > NAME_BYTES_MAX || !name.bytes().all(is_plain) {
            return Err(Refusal::bad("name: is 1 to 64 letters, digits, - or _"));
        }
        Ok(self.folder().join(SNAPSHOTS).join(name))
    }

    /// A name that no snapshot has: a return to an earlier snapshot does not remove the later ones.
    pub(crate) fn free_snapshot_name(&self) -> String {
        let snapshots = self.folder().join(SNAPSHOTS);
        let mut number = 1;
        while snapshots.join(format!("snapshot-{number}")).exists() {
            number += 1;
        }
        format!("snapshot-{number}")
    }

    /// Takes a snapshot. A snapshot with this name is replaced, except the first one.
    pub(crate) fn take_snapshot(&mut self, name: &str) -> Result<SnapshotAbout, Refusal> {
        let folder = self.snapshot_folder(name)?;
        if name == START && folder.exists() {
            return Err(Refusal::bad("name: the snapshot \"start\" is the venue as it began"));
        }
        self.save()?;
        let (sequence, now) = {
            let exchange = self.app()?.reading().state();
            (exchange.seq(), self.fixed.clock.time())
        };
        let about =
            SnapshotAbout { name: name.to_owned(), sequence, now: api::Timestamp::from_micros(now.micros()) };
        let unfinished = folder.with_extension("unfinished");
        remove(&unfinished)?;
        fs::create_dir_all(&unfinished)?;
        for part in COPIED.into_iter().filter(|part| *part != PEOPLE) {
            copy_folder(&self.folder().join(part), &unfinished.join(part))?;
        }
        if let Some(people) = SqliteRows::open_reading(self.folder()).map_err(SandboxError::from)? {
            people.copy_into(&unfinished).map_err(SandboxError::from)?;
        }
        fs::copy(self.folder().join(REHEARSAL_MARK), unfinished.join(REHEARSAL_MARK))?;
        let text = serde_json::to_vec(&about).map_err(|error| SandboxError::Record(error.to_string()))?;
        fs::write(unfinished.join(ABOUT), text)?;
        remove(&folder)?;
        fs::rename(&unfinished, &folder)?;
        Ok(about)
    }

    /// All snapshots, by sequence.
    pub(crate) fn snapshots(&self) -> Result<Vec<SnapshotAbout>, Refusal> {
        let mut found = Vec::new();
        let entries = match fs::read_dir(self.folder().join(SNAPSHOTS)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_none() {
                found.push(about(&path)?);
            }
        }
        found.sort_by(|one, other| (one.sequence, &one.name).cmp(&(other.sequence, &other.name)));
        Ok(found)
    }

    /// Returns to a snapshot: the venue, its people and its clock are as they were. Streams are closed.
    pub(crate) fn return_to(&mut self, name: &str) -> Result<SnapshotAbout, Refusal> {
        let snapshot = self.snapshot_folder(name)?;
        if !snapshot.is_dir() {
            return Err(Refusal::missing("No such snapshot"));
        }
        let about = about(&snapshot)?;
        let record = Record::load(&snapshot)?;
        let mut record = record.ok_or_else(|| SandboxError::Record("it is missing".to_owned()))?;
        record.set_now(Time::from_micros(about.now.micros()));
        copy_beside(&snapshot, self.folder())?;
        self.replace(|folder| {
            put_in_place(folder)?;
            Ok(record)
        })?;
        Ok(about)
    }
}

/// Copies a snapshot beside the venue, which still runs.
fn copy_beside(snapshot: &Path, folder: &Path) -> io::Result<()> {
    for part in COPIED {
        let copy = beside(folder, part);
        remove(&copy)?;
        copy_folder(&snapshot.join(part), &copy)?;
    }
    Ok(())
}

/// Replaces the venue, which is stopped, with the copy beside it.
fn put_in_place(folder: &Path) -> io::Result<()> {
    remove_venue(folder)?;
    COPIED.iter().try_for_each(|part| fs::rename(beside(folder, part), folder.join(part)))
}

fn beside(folder: &Path, part: &str) -> PathBuf {
    folder.join(format!("{part}.new"))
}

/// Whether the folder's venue was built completely.
pub(crate) fn has_start(folder: &Path) -> bool {
    folder.join(SNAPSHOTS).join(START).is_dir()
}

/// Removes the files of a venue that was not built completely, with its secrets: the seed gives them again.
pub(crate) fn remove_unfinished(folder: &Path) -> io::Result<()> {
    remove_venue(folder)?;
    MADE_ONCE.iter().try_for_each(|file| remove_if_exists(&folder.join(file)))
}

fn remove_venue(folder: &Path) -> io::Result<()> {
    DERIVED.iter().chain(&COPIED).try_for_each(|part| remove(&folder.join(part)))
}

fn about(folder: &Path) -> Result<SnapshotAbout, SandboxError> {
    let text = fs::read(folder.join(ABOUT))?;
    serde_json::from_slice(&text).map_err(|error| SandboxError::Record(error.to_string()))
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Copies a folder with everything in it; a missing one is empty. The index of an open database is left out: it is
/// rebuilt.
fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else if !entry.file_name().as_encoded_bytes().ends_with(b"-shm") {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_fails_leaves_the_venue_and_one_that_is_complete_replaces_it() {
        let (snapshot, venue) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        for part in COPIED {
            for (folder, text) in [(snapshot.path(), "then"), (venue.path(), "now")] {
                fs::create_dir(folder.join(part)).expect("a folder");
                fs::write(folder.join(part).join("file"), text).expect("a file");
            }
        }
        let read = |part: &str| fs::read_to_string(venue.path().join(part).join("file")).expect("a file");
        fs::write(beside(venue.path(), "pictures"), "in the way").expect("a file");
        assert!(copy_beside(snapshot.path(), venue.path()).is_err(), "a file is no folder");
        assert_eq!(COPIED.map(read), ["now"; 3]);
        fs::remove_file(beside(venue.path(), "pictures")).expect("a file");
        copy_beside(snapshot.path(), venue.path()).expect("a copy");
        put_in_place(venue.path()).expect("a venue");
        assert_eq!(COPIED.map(read), ["then"; 3]);
        assert!(COPIED.iter().all(|part| !beside(venue.path(), part).exists()));
    }

    #[test]
    fn a_folder_is_copied_with_its_folders_and_without_the_index_of_a_database() {
        let (from, to) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        fs::create_dir(from.path().join("inner")).expect("a folder");
        for name in ["a", "inner/b", "c.sqlite-shm"] {
            fs::write(from.path().join(name), name).expect("a file");
        }
        let target = to.path().join("copy");
        copy_folder(from.path(), &target).expect("a copy");
        assert_eq!(fs::read(target.join("inner/b")).expect("a file"), b"inner/b");
        assert!(target.join("a").exists() && !target.join("c.sqlite-shm").exists());
        copy_folder(&from.path().join("missing"), &to.path().join("empty")).expect("an empty copy");
    }
}
