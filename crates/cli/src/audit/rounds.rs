//! Backups in rounds: each one is written, verified, given its name, and then the oldest ones are removed.
//!
//! An unfinished backup has another name, so that a crash leaves nothing that looks like a backup.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use api::Timestamp;
use server::audit::backup::{BackupError, backup};
use server::audit::backup_check::{BackupFault, verify_backup};
use server::audit::{DataFolder, KeyFile, Manifest};

const PREFIX: &str = "backup-";
const UNFINISHED: &str = "unfinished";
const REMOVED: &str = "removed";
const LOCK: &str = "backups.lock";

#[derive(Debug, thiserror::Error)]
pub enum RoundError {
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error(transparent)]
    Fault(#[from] BackupFault),
    #[error("{path}: {cause}")]
    File { path: PathBuf, cause: io::Error },
    #[error("another process writes backups to {0}")]
    InUse(PathBuf),
}

/// What to copy, where to, and how many to keep.
#[derive(Debug)]
pub struct Rounds<'a> {
    pub source: DataFolder<'a>,
    pub key: KeyFile,
    pub folder: &'a Path,
    /// All if none.
    pub keep: Option<usize>,
}

fn file(path: &Path) -> impl FnOnce(io::Error) -> RoundError + '_ {
    move |cause| RoundError::File { path: path.to_owned(), cause }
}

impl Rounds<'_> {
    /// One round. Returns the name of the backup.
    pub fn run_once(&self) -> Result<(PathBuf, Manifest), RoundError> {
        let _lock = self.lock()?;
        let unfinished = self.folder.join(UNFINISHED);
        for left in [&unfinished, &self.folder.join(REMOVED)] {
            remove(left)?;
        }
        let manifest = backup(self.source, &unfinished, self.key, |_, _| {})?;
        verify_backup(DataFolder { folder: &unfinished, archive: self.source.archive }, &manifest)?;
        let place = self.folder.join(name(SystemTime::now()));
        fs::rename(&unfinished, &place).map_err(file(&place))?;
        self.sync()?;
        self.prune(&place)?;
        Ok((place, manifest))
    }

    /// Rounds at intervals, for ever. A failed round is logged; the next one comes at its time.
    pub fn run_every(&self, every: Duration) -> ! {
        loop {
            let began = Instant::now();
            match self.run_once() {
                Ok((place, manifest)) => {
                    let (place, seconds) = (place.display(), began.elapsed().as_secs());
                    tracing::info!(%place, sequence = manifest.sequence, seconds, "backup written and verified");
                    if manifest.people_missing > 0 || manifest.pictures_missing > 0 {
                        let (people, pictures) = (manifest.people_missing, manifest.pictures_missing);
                        tracing::warn!(people, pictures, "the data folder lacks rows of persons or pictures");
                    }
                }
                Err(error) => tracing::error!(%error, "no backup was written"),
            }
            thread::sleep(every.saturating_sub(began.elapsed()));
        }
    }

    /// Creates the folder, and makes sure that no other process writes to it.
    fn lock(&self) -> Result<File, RoundError> {
        let folder = self.folder;
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(file(folder))?;
        let path = folder.join(LOCK);
        let lock = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
        let lock = lock.map_err(file(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(lock),
            Err(TryLockError::WouldBlock) => Err(RoundError::InUse(folder.to_owned())),
            Err(TryLockError::Error(cause)) => Err(file(&path)(cause)),
        }
    }

    /// Removes the oldest backups, except `written`. Each gets another name first: half a backup must not look like one.
    fn prune(&self, written: &Path) -> Result<(), RoundError> {
        let Some(keep) = self.keep else { return Ok(()) };
        let places = self.complete()?;
        let surplus = places.len().saturating_sub(keep);
        // After a restore to an earlier sequence the new backup sorts before older ones, and is still kept.
        for place in places.iter().filter(|place| *place != written).take(surplus) {
            let removed = self.folder.join(REMOVED);
            fs::rename(place, &removed).map_err(file(place))?;
            remove(&removed)?;
        }
        self.sync()
    }

    /// The complete backups that rounds have written, oldest first: by what their manifests contain, since the clock can go
    /// back. A folder with another name or without a manifest is not one of them.
    fn complete(&self) -> Result<Vec<PathBuf>, RoundError> {
        let mut found = Vec::new();
        for entry in fs::read_dir(self.folder).map_err(file(self.folder))? {
            let entry = entry.map_err(file(self.folder))?;
            if !entry.file_name().to_str().is_some_and(is_name) {
                continue;
            }
            if let Ok(manifest) = Manifest::read(&entry.path()) {
                found.push((manifest.sequence, manifest.created_at.micros(), entry.path()));
            }
        }
        found.sort_unstable();
        Ok(found.into_iter().map(|(_, _, place)| place).collect())
    }

    fn sync(&self) -> Result<(), RoundError> {
        File::open(self.folder).and_then(|folder| folder.sync_all()).map_err(file(self.folder))
    }
}

fn remove(folder: &Path) -> Result<(), RoundError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file(folder)(error)),
        _ => Ok(()),
    }
}

/// The form of a backup's name, in which `0` stands for a digit.
const NAME_FORM: &str = "backup-00000000T000000.000Z";

/// Whether `name` returns such names. An operator's own `backup-before-upgrade` is not of this form.
fn is_name(text: &str) -> bool {
    let is_like = |(byte, form): (u8, u8)| if form == b'0' { byte.is_ascii_digit() } else { byte == form };
    text.len() == NAME_FORM.len() && text.bytes().zip(NAME_FORM.bytes()).all(is_like)
}

/// `backup-20260728T234238.125Z`: names sort by time.
fn name(now: SystemTime) -> String {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    let text = Timestamp::from_micros(seconds * 1_000_000).to_string().replace(['-', ':'], "");
    format!("{PREFIX}{}.{:03}Z", text.trim_end_matches('Z'), since.subsec_millis())
}

/// Parses `90s`, `15m`, `1h` or `1d`.
pub fn parse_interval(text: &str) -> Result<Duration, String> {
    let wrong = || "must be a whole number with a unit, as 90s, 15m, 1h or 1d".to_owned();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return Err(wrong()),
    };
    let count: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    match count.checked_mul(seconds) {
        Some(0) | None => Err(wrong()),
        Some(seconds) => Ok(Duration::from_secs(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rounds(folder: &Path, keep: usize) -> Rounds<'_> {
        Rounds { source: DataFolder::from(folder), key: KeyFile::NotIncluded, folder, keep: Some(keep) }
    }

    #[test]
    fn names_sort_by_time() {
        let at = |millis| name(UNIX_EPOCH + Duration::from_millis(millis));
        assert_eq!(at(1_785_282_158_005), "backup-20260728T234238.005Z");
        assert!(is_name(&at(1_785_282_158_005)));
        assert!(at(1_785_282_158_005) < at(1_785_282_158_100));
        assert!(at(1_785_282_158_999) < at(1_785_282_159_000));
    }

    #[test]
    fn an_interval_has_a_unit() {
        let table = [("90s", 90), ("15m", 900), ("1h", 3_600), ("2d", 172_800)];
        for (text, seconds) in table {
            assert_eq!(parse_interval(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "1", "h", "0h", "-1h", "1.5h", "1µ", "99999999999999999999s"] {
            assert!(parse_interval(text).is_err(), "{text}");
        }
    }

    /// A folder with a manifest.
    fn put(folder: &Path, name: &str, sequence: u64, created_at: &str) {
        let hash = "0".repeat(64);
        let manifest = json!({
            "format": Manifest::FORMAT, "sequence": sequence, "at": created_at, "frameHash": hash, "stateDigest": hash,
            "frames": 3, "snapshot": 0, "masterKey": "not-included", "people": 1, "peopleMissing": 0,
            "createdAt": created_at,
        });
        fs::create_dir(folder.join(name)).expect("a folder");
        fs::write(folder.join(name).join("manifest.json"), manifest.to_string()).expect("a manifest");
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().into_string().expect("letters")).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn the_oldest_backups_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        for (day, sequence) in [(1, 10), (2, 20), (3, 30), (4, 30)] {
            let created_at = format!("2026-01-0{day}T00:00:00Z");
            put(path, &format!("backup-2026010{day}T000000.000Z"), sequence, &created_at);
        }
        // An operator's own backups, and a folder of the time form that is not a backup.
        for own in ["backup-0-before-upgrade", "backup-20250101T000000.000Z-kept", "backup-20250101T000000Z"]
        {
            put(path, own, 1, "2025-01-01T00:00:00Z");
        }
        fs::create_dir(path.join("backup-20250101T000000.000Z")).expect("a folder");
        rounds(path, 2).prune(&path.join("backup-20260104T000000.000Z")).expect("pruned");
        let expected = [
            "backup-0-before-upgrade",
            "backup-20250101T000000.000Z",
            "backup-20250101T000000.000Z-kept",
            "backup-20250101T000000Z",
            "backup-20260103T000000.000Z",
            "backup-20260104T000000.000Z",
        ];
        assert_eq!(names(path), expected);
    }

    #[test]
    fn a_clock_that_went_back_does_not_make_the_newest_backup_the_oldest() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        put(path, "backup-20260105T000000.000Z", 10, "2026-01-05T00:00:00Z");
        put(path, "backup-20260106T000000.000Z", 20, "2026-01-06T00:00:00Z");
        put(path, "backup-20260101T000000.000Z", 30, "2026-01-01T00:00:00Z");
        rounds(path, 2).prune(&path.join("backup-20260101T000000.000Z")).expect("pruned");
        assert_eq!(names(path), ["backup-20260101T000000.000Z", "backup-20260106T000000.000Z"]);
    }

    #[test]
    fn the_backup_just_written_is_kept_even_if_it_ends_before_all_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        put(path, "backup-20260101T000000.000Z", 10, "2026-01-01T00:00:00Z");
        put(path, "backup-20260102T000000.000Z", 20, "2026-01-02T00:00:00Z");
        put(path, "backup-20260103T000000.000Z", 5, "2026-01-03T00:00:00Z");
        rounds(path, 1).prune(&path.join("backup-20260103T000000.000Z")).expect("pruned");
        assert_eq!(names(path), ["backup-20260103T000000.000Z"]);
    }

    #[test]
    fn one_process_writes_to_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = rounds(folder.path(), 1);
        let held = first.lock().expect("a lock");
        assert!(matches!(rounds(folder.path(), 1).lock(), Err(RoundError::InUse(_))));
        drop(held);
        assert!(first.lock().is_ok());
    }
}
