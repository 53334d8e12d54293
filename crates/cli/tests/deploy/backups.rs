//! The command of `deploy/bellwether-backup.service`, with a shorter interval, beside an exchange that serves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::exchange::{Environment, Exchange, command};
use crate::{deployed, mapped};

/// Killed when a test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The words of the unit's command, with its folder replaced and its interval shortened.
fn unit_words(backups: &Path) -> Vec<String> {
    let unit = deployed("bellwether-backup.service");
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/bin/")).expect("a command");
    let table =
        [("/var/backups/bellwether", backups.display().to_string()), ("--every 1h", "--every 1s".to_owned())];
    mapped(line, &table).replace("--keep 24", "--keep 2").split_whitespace().map(str::to_owned).collect()
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_backup =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("backup-"));
    let mut names: Vec<_> = entries.filter(is_backup).collect();
    names.sort_unstable();
    names
}

#[test]
fn the_service_keeps_the_newest_verified_backups_of_a_serving_exchange() {
    let folder = tempfile::tempdir().expect("a folder");
    let [data, backups, restored] = ["data", "backups", "restored"].map(|name| folder.path().join(name));
    let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let environment = Environment::from([
        variable("BELLWETHER_DATA", data.to_str().expect("a path of letters")),
        variable("BELLWETHER_LISTEN", "127.0.0.1:0"),
        variable("BELLWETHER_ADMIN_LISTEN", "127.0.0.1:0"),
        variable("BELLWETHER_OPERATOR_TOKEN_FILE", data.join("operator.token").to_str().expect("a path")),
    ]);
    let serve = ["bellwether", "serve"].map(str::to_owned);
    let exchange = Exchange::start(&mut command(&serve, &environment), &folder.path().join("log"));
    // Left behind by a service that was killed.
    fs::create_dir_all(backups.join("unfinished/journal")).expect("a folder");
    let mut service = command(&unit_words(&backups), &environment);
    let log = fs::File::create(folder.path().join("backup.log")).expect("a log");
    let service = Running(service.stdout(Stdio::null()).stderr(log).spawn().expect("the executable runs"));
    patience::until("no backup came", || !names(&backups).is_empty());
    let first = names(&backups).remove(0);
    exchange.admin("users create --email ada@example.org --tag ada", &environment);
    patience::until("the first backup is not removed", || !first.exists() && names(&backups).len() == 2);
    drop(service);

    let said = fs::read_to_string(folder.path().join("backup.log")).expect("a log");
    assert!(said.contains("backup written and verified") && !said.contains("ERROR"), "{said}");
    let newest = names(&backups).pop().expect("a backup");
    let run = |words: &[&str]| {
        let mut command: Command = command(&["bellwether".to_owned()], &Environment::new());
        command.args(words).output().expect("an end")
    };
    let path = |path: &Path| path.to_str().expect("a path of letters").to_owned();
    let verified = run(&["verify", "--data", &path(&newest)]);
    assert!(verified.status.success(), "{verified:?}");
    let back = run(&["restore", &path(&newest), "--data", &path(&restored)]);
    assert!(back.status.success(), "{back:?}");
    assert_eq!(exchange.stop().code(), Some(0));
}
