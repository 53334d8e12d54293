//! The line about backups: a recent one exists, and it is complete.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use server::audit::Manifest;

use super::Finding;
use crate::settings::Settings;

/// A daily backup with an hour to spare.
const AGE_MAX: Duration = Duration::from_secs(25 * 3_600);

pub(super) fn backups(settings: &Settings, folder: Option<&Path>) -> Finding {
    if settings.shared_log.is_some() {
        return Err(
            "the log is in a database, whose backups are not visible here: check them, then accept this line"
                .to_owned(),
        );
    }
    let Some(folder) = folder else {
        return Err("name the folder of the backups with --backups; `bellwether backup --to DIR --every 1h` writes them".to_owned());
    };
    newest(folder, SystemTime::now())
}

/// Judges the newest of the complete backups below `folder`.
fn newest(folder: &Path, now: SystemTime) -> Finding {
    let shown = folder.display();
    let entries = fs::read_dir(folder).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    // A folder without a manifest is not a backup, or not yet one.
    let manifests = entries.flatten().filter_map(|entry| Manifest::read(&entry.path()).ok());
    let Some(manifest) = manifests.max_by_key(|manifest| manifest.created_at.micros()) else {
        return Err(format!(
            "{shown} has no backup: run `bellwether backup --to {shown} --every 1h` as a service"
        ));
    };
    let created = UNIX_EPOCH + Duration::from_micros(manifest.created_at.micros().unsigned_abs());
    let age = now.duration_since(created).unwrap_or_default();
    let hours = age.as_secs() / 3_600;
    if age > AGE_MAX {
        return Err(format!(
            "the newest backup in {shown} is {hours} hours old: is `bellwether backup --every` running?"
        ));
    }
    if manifest.people_missing > 0 || manifest.pictures_missing > 0 {
        return Err(format!(
            "the newest backup lacks {} persons and {} pictures, which the data folder lacks too: run `bellwether verify`",
            manifest.people_missing, manifest.pictures_missing
        ));
    }
    Ok(format!("the newest backup is {hours} hours old and ends with sequence {}", manifest.sequence))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::settings::Given;

    fn put(folder: &Path, name: &str, created_at: &str, people_missing: u64) {
        let hash = "0".repeat(64);
        let manifest = json!({
            "format": Manifest::FORMAT, "sequence": 7, "at": created_at, "frameHash": hash, "stateDigest": hash,
            "frames": 3, "snapshot": 0, "masterKey": "not-included", "people": 1, "peopleMissing": people_missing,
            "createdAt": created_at,
        });
        fs::create_dir(folder.join(name)).expect("a folder");
        fs::write(folder.join(name).join("manifest.json"), manifest.to_string()).expect("a manifest");
    }

    #[test]
    fn no_backup_an_old_one_and_an_incomplete_one_are_red() {
        // 2026-01-02T00:00:00Z.
        let now = UNIX_EPOCH + Duration::from_secs(1_767_312_000);
        let folder = tempfile::tempdir().expect("a folder");
        let judge = || newest(folder.path(), now);
        assert!(judge().expect_err("nothing there").contains("no backup"));
        fs::create_dir(folder.path().join("unfinished")).expect("a folder");
        assert!(judge().expect_err("no manifest").contains("no backup"));
        put(folder.path(), "old", "2025-12-31T22:00:00Z", 0);
        assert!(judge().expect_err("too old").contains("26 hours"));
        put(folder.path(), "new", "2026-01-01T23:30:00Z", 0);
        assert!(judge().expect("a backup").contains("0 hours"));
        put(folder.path(), "newer", "2026-01-01T23:40:00Z", 1);
        assert!(judge().expect_err("a person is missing").contains("1 persons"));
    }

    #[test]
    fn the_folder_of_backups_must_be_named() {
        let settings = Given::default().settle().expect("settings");
        assert!(backups(&settings, None).expect_err("no folder").contains("--backups"));
    }
}
