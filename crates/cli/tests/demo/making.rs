//! The first start on an empty folder, interrupted and started twice. None of its files is durable before all of them
//! are.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use stage::demo::Demo;

/// Far more than a test waits for.
const LONG: &[&str] = &["--no-bots", "--past-days", "60"];
const MARK: &str = "demo.unfinished";

/// A demo that is being made: part of its journal exists.
fn start_making(folder: &Path) -> Child {
    let process = Demo::spawn(folder, LONG);
    let journal = folder.join("journal");
    patience::until("nothing is made", || fs::read_dir(&journal).map_or(0, Iterator::count) >= 2);
    process
}

fn serve(folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.env("BELLWETHER_DRAIN_SECONDS", "0");
    command.args(["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data"]).arg(folder);
    command.output().expect("the executable starts")
}

#[test]
fn a_demo_that_was_interrupted_while_it_was_made_is_not_served_and_begins_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut making = start_making(folder.path());
    making.kill().expect("a kill");
    making.wait().expect("an end");
    assert!(folder.path().join(MARK).exists(), "it was killed before it was done");
    let refused = serve(folder.path());
    let message = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("unfinished demo"), "{message}");
    // The state of files after a power cut without fsync.
    for entry in fs::read_dir(folder.path().join("journal")).expect("a journal") {
        fs::write(entry.expect("a file").path(), [7; 100]).expect("bytes");
    }

    let demo = Demo::start(folder.path());
    assert!(!folder.path().join(MARK).exists());
    let (_, events) = demo.get("/v1/pm/events?size=100");
    assert_eq!(events["pagination"]["totalCount"], 21, "it is whole");
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn a_folder_in_which_a_demo_is_being_made_is_left_alone_by_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut making = start_making(folder.path());
    let other = Demo::command(folder.path(), LONG).stderr(Stdio::piped()).output().expect("an end");
    let message = String::from_utf8_lossy(&other.stderr);
    assert_eq!(other.status.code(), Some(1), "{message}");
    assert!(message.contains("another process runs on"), "{message}");
    assert_eq!(making.try_wait().expect("a child"), None, "the first keeps running");
    making.kill().expect("a kill");
    making.wait().expect("an end");
}

#[test]
fn a_second_demo_on_a_folder_in_use_touches_nothing_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let record = folder.path().join("demo.json");
    let names = || {
        let entries = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("a file"));
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names
    };
    let before = (names(), fs::read(&record).expect("demo.json"));
    for flags in [&["--no-bots"][..], LONG] {
        let other = Demo::command(folder.path(), flags).stderr(Stdio::piped()).output().expect("an end");
        let message = String::from_utf8_lossy(&other.stderr);
        assert_eq!(other.status.code(), Some(1), "{message}");
        assert!(message.contains("another process runs on"), "{message}");
    }
    assert_eq!((names(), fs::read(&record).expect("demo.json is still there")), before);
    assert_eq!(demo.get("/ready").0, 200, "the first keeps running");
    assert_eq!(demo.terminate().code(), Some(0));
}
