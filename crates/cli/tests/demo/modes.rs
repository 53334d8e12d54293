//! File modes: only the owner can read the files that the executable writes, even with a permissive umask.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use stage::demo::Demo;

/// A command that starts with umask 0.
fn without_umask(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    shell.stdout(std::process::Stdio::null());
    shell
}

/// Every file and folder below one, without the folder itself.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(below(&path));
        }
        found.push(path);
    }
    found
}

#[track_caller]
fn assert_private(folder: &Path, wanted: &[&str]) {
    let found = below(folder);
    for path in &found {
        // A temporary file, such as an unfinished snapshot, may be gone by now.
        let Ok(about) = fs::metadata(path) else { continue };
        let mode = about.permissions().mode() & 0o7777;
        let expected = if about.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{} has mode {mode:o}", path.display());
    }
    for name in wanted {
        assert!(found.iter().any(|path| path.ends_with(name)), "there is no {name} among {found:?}");
    }
}

fn bellwether(arguments: &[&str], folders: &[&Path]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.args(arguments).args(folders);
    let done = without_umask(&command).status().expect("the executable runs");
    assert!(done.success(), "{arguments:?}: {done}");
}

#[test]
fn a_data_folder_a_backup_and_a_restored_folder_are_readable_by_their_owner_alone() {
    let around = tempfile::tempdir().expect("a folder");
    let [data, backup, restored, copied] =
        ["data", "backup", "restored", "copied"].map(|name| around.path().join(name));
    let demo =
        Demo::started(&data, &mut without_umask(&Demo::command(&data, &["--no-bots", "--past-days", "1"])));
    let history = ["history.sqlite", "history.sqlite-wal", "history.sqlite-shm"];
    assert_private(&data, &history);
    assert_private(&data, &["demo.json", "master.key", "operator.token", "node.lock", "journal.lock"]);
    bellwether(&["backup", "--with-key", "--data"], &[&data, &backup]);
    assert_private(&backup, &["manifest.json", "master.key"]);
    bellwether(&["journal", "copy"], &[&data, &copied]);
    assert_private(&copied, &[]);
    assert_eq!(demo.terminate().code(), Some(0));
    assert_private(&data, &["history.sqlite"]);
    assert!(!below(&data.join("snapshots")).is_empty(), "a stop leaves a snapshot");

    bellwether(&["restore", "--data"], &[&restored, &backup]);
    assert_private(&restored, &["history.sqlite", "master.key"]);
    bellwether(&["rebuild-history", "--data"], &[&data]);
    assert_private(&data, &["history.sqlite"]);
}
