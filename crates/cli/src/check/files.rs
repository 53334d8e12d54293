//! Lines about files that hold secrets, and about the data folder.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Finding;
use crate::settings::Settings;

/// Rights of a group and of others.
const FOREIGN: u32 = 0o077;
/// Rights that a password file must not grant. Its group may read it: root owns the file, and the exchange is in the group.
const BEYOND_THE_GROUP: u32 = 0o037;

/// Files with tokens and passwords are for their owner alone.
pub(super) fn token_files(settings: &Settings) -> Finding {
    let mut files = vec![(&settings.operator_token_file, FOREIGN)];
    files.extend(settings.journal_password_file.as_ref().map(|file| (file, BEYOND_THE_GROUP)));
    files.extend(settings.tls.as_ref().map(|tls| (&tls.key, BEYOND_THE_GROUP)));
    for (file, forbidden) in &files {
        let shown = file.display();
        let mode = mode(file).map_err(|error| format!("{shown} cannot be read: {error}"))?;
        if mode & forbidden != 0 {
            return Err(format!(
                "{shown} has mode {mode:04o}: chmod 600 {shown}, and replace what others may have read"
            ));
        }
    }
    let names: Vec<String> = files.iter().map(|(file, _)| file.display().to_string()).collect();
    Ok(format!("{} for the owner only", names.join(", ")))
}

/// Only the owner may read or change the data folder.
pub(super) fn permissions(data: &Path) -> Finding {
    let shown = data.display();
    if !data.join("master.key").is_file() {
        return Err(format!("{shown} has no master.key: is it the data folder of the exchange?"));
    }
    let (mut open, mut seen) = (Vec::new(), 0);
    find_open(data, &mut open, &mut seen).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    match open.first() {
        None => Ok(format!("{seen} files and folders in {shown} are for their owner only")),
        Some(first) => Err(format!(
            "others may read or change {} of {seen} files, such as {}: chmod -R go= {shown}",
            open.len(),
            first.display()
        )),
    }
}

/// Collects the folder and everything in it that grants rights to others. A file may disappear meanwhile.
fn find_open(path: &Path, open: &mut Vec<PathBuf>, seen: &mut u64) -> std::io::Result<()> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    if metadata.is_symlink() {
        return Ok(());
    }
    *seen += 1;
    if metadata.permissions().mode() & FOREIGN != 0 {
        open.push(path.to_owned());
    }
    if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            find_open(&entry?.path(), open, seen)?;
        }
    }
    Ok(())
}

fn mode(path: &Path) -> std::io::Result<u32> {
    Ok(fs::metadata(path)?.permissions().mode() & 0o7777)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Given;

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    }

    fn write(path: &Path, mode: u32) {
        fs::write(path, "x").expect("a file");
        set_mode(path, mode);
    }

    #[test]
    fn a_token_file_that_others_can_read_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let given = Given { data: Some(folder.path().to_owned()), ..Given::default() };
        let mut settings = given.settle().expect("settings");
        let wrong = token_files(&settings).expect_err("no file");
        assert!(wrong.contains("operator.token"), "{wrong}");
        write(&settings.operator_token_file, 0o600);
        assert!(token_files(&settings).is_ok());
        set_mode(&settings.operator_token_file, 0o640);
        let wrong = token_files(&settings).expect_err("a group can read it");
        assert!(wrong.contains("0640"), "{wrong}");
        set_mode(&settings.operator_token_file, 0o600);
        let password = folder.path().join("journal.password");
        write(&password, 0o640);
        settings.journal_password_file = Some(password.clone());
        assert!(token_files(&settings).is_ok(), "the exchange's group may read the password");
        set_mode(&password, 0o644);
        assert!(token_files(&settings).is_err());
    }

    #[test]
    fn a_file_in_the_data_folder_that_others_can_read_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path();
        set_mode(data, 0o700);
        assert!(permissions(data).expect_err("no key").contains("master.key"));
        write(&data.join("master.key"), 0o600);
        fs::create_dir(data.join("journal")).expect("a folder");
        set_mode(&data.join("journal"), 0o700);
        assert!(permissions(data).is_ok());
        write(&data.join("journal/one"), 0o604);
        let wrong = permissions(data).expect_err("others can read it");
        assert!(wrong.contains("journal/one") && wrong.contains("1 of 4"), "{wrong}");
        fs::remove_file(data.join("journal/one")).expect("removed");
        set_mode(data, 0o755);
        assert!(permissions(data).is_err(), "the folder itself counts");
    }
}
