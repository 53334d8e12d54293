//! docs/operating/one-machine.md, "Archive": runs every command on the folder of a venue that has traded; `archive` while the
//! executable serves; and a start that names its missing archive.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use journal::disk::RealDisk;
use journal::file::{Audit, FileJournal, Options};
use journal::testing::ManualClock;
use journal::{Appended, Frame, Journal, Sequence};
use serde_json::{Value, json};
use stage::demo::{Demo, market};

use crate::operating::{ONE_MACHINE, blocks};

const FLAGS: &[&str] =
    &["--no-bots", "--read-per-second=100000", "--write-per-second=100000", "--public-per-second=100000"];

/// A folder to work in, with the executable on the path and a venue in `data`.
struct Desk(tempfile::TempDir);

impl Desk {
    /// A demo that was stopped several times, with a journal in many small segments.
    fn new() -> Desk {
        let desk = Desk(tempfile::tempdir().expect("a folder"));
        fs::create_dir(desk.path("bin")).expect("a folder");
        symlink(env!("CARGO_BIN_EXE_bellwether"), desk.path("bin/bellwether")).expect("a link");
        for _ in 0..2 {
            let demo = Demo::start_with(&desk.path("data"), FLAGS);
            trade(&demo, 40);
            assert_eq!(demo.terminate().code(), Some(0));
        }
        cut_smaller(&desk.path("data/journal"));
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn sh(&self, script: &str) -> Output {
        let path = format!("{}:{}", self.path("bin").display(), env!("PATH"));
        let mut command = Command::new("sh");
        command.args(["-euxc", script]).current_dir(self.0.path()).env("PATH", path);
        command.output().expect("a shell")
    }

    #[track_caller]
    fn works(&self, script: &str) -> String {
        let output = self.sh(script);
        assert!(output.status.success(), "{script}\n\n{}\n{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    fn files(&self, folder: &str, kind: &str) -> usize {
        let files = fs::read_dir(self.path(folder)).expect("a folder");
        files.filter(|file| file.as_ref().is_ok_and(|file| is_of(&file.path(), kind))).count()
    }

    fn state(&self, folder: &str, until: u64) -> Value {
        let shown = self.works(&format!("bellwether replay --data {folder} --until {until} --json"));
        serde_json::from_str(&shown).expect("JSON")
    }
}

fn is_of(path: &Path, kind: &str) -> bool {
    path.extension().is_some_and(|extension| extension == kind)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn trade(demo: &Demo, orders: usize) {
    let (path, yes) = market(demo, "rain-in-lagos-on-new-years-day");
    for _ in 0..orders {
        let order = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10});
        assert_eq!(demo.post_signed(&path, &order).0, 200);
    }
}

/// Rewrites a journal with the same frames in smaller segments.
fn cut_smaller(folder: &Path) {
    let mut audit = Audit::open(Arc::new(RealDisk::reading(folder))).expect("a journal").at_rest();
    let mut frames: Vec<Frame> = Vec::new();
    while let Some(frame) = audit.next_frame().expect("a good journal") {
        frames.push(frame);
    }
    let largest = frames.iter().map(|frame| frame.payload.bytes().len()).max().expect("frames");
    let segment_bytes = (2 * largest as u64).next_multiple_of(512).max(8 << 10);
    let fresh = folder.with_extension("smaller");
    let options = Options { segment_bytes, verify_from: Sequence::FIRST, prepare_in_background: false };
    let (disk, clock) = (Arc::new(RealDisk::new(&fresh).expect("a folder")), ManualClock::new(0));
    let mut journal =
        FileJournal::create(disk, Box::new(clock.clone()), options, audit.id()).expect("a journal");
    for frame in &frames {
        clock.set(frame.header.at);
        let stored = journal.append(frame.header.first, &frame.payload).expect("an outcome");
        assert!(matches!(stored, Appended::Stored { hash, .. } if hash == frame.hash), "{stored:?}");
    }
    drop(journal);
    fs::remove_dir_all(folder).expect("the old journal");
    fs::rename(&fresh, folder).expect("the new journal");
}

#[test]
fn every_command_of_the_archive_chapter_works_and_the_past_is_what_it_was() {
    let desk = Desk::new();
    let segments = desk.files("data/journal", "segment");
    assert!(segments >= 4, "{segments} segments");
    let past = desk.state("data", 100);
    let blocks = blocks(ONE_MACHINE, "Archive");
    let commands: usize = blocks.iter().map(|block| block.matches("bellwether ").count()).sum();
    assert!(commands >= 12, "only {commands} commands");
    for block in blocks {
        desk.works(block);
    }
    assert!(desk.files("data/journal", "segment") < segments - 1);
    assert!(desk.files("cold", "archive") >= 2 && desk.files("cold", "snapshot") == 1);
    assert_eq!(desk.state("past", 100)["stateDigest"], past["stateDigest"]);
    assert_eq!(desk.state("past", 1_000_000)["sequence"], 100, "it ends there");
    let end = desk.state("data", 1_000_000);
    for copy in ["restored", "then", "whole"] {
        assert_eq!(desk.state(copy, 1_000_000)["stateDigest"], end["stateDigest"], "{copy}");
    }
    assert_eq!(desk.files("whole/journal", "segment"), 1, "a copy has everything and no archive");
}

#[test]
fn an_archive_is_made_while_the_exchange_serves_and_a_start_names_the_missing_one() {
    let desk = Desk::new();
    let demo = Demo::start_with(&desk.path("data"), FLAGS);
    let shown = desk.works("bellwether archive --data data --to cold");
    assert!(shown.contains("read back and compared one by one"), "{shown}");
    trade(&demo, 5);
    assert!(desk.works("bellwether archive --data data --to cold").contains("Nothing was moved"));
    assert!(desk.works("bellwether verify --data data").contains("data holds."));
    assert_eq!(demo.terminate().code(), Some(0));

    fs::rename(desk.path("cold"), desk.path("colder")).expect("an archive that is elsewhere");
    fs::remove_dir_all(desk.path("data/history")).expect("a lost history");
    let refused = desk.sh("bellwether serve --data data --listen 127.0.0.1:0 --admin-listen 127.0.0.1:0");
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stderr));
    let told = text(&refused.stderr);
    assert!(told.contains("sequence 1 is in the archive") && told.contains("/cold"), "{told}");
    let other = desk.sh("bellwether archive --data data --to empty");
    assert!(text(&other.stderr).contains("move that archive here first"), "{}", text(&other.stderr));
    desk.works("bellwether rebuild-history --data data --archive colder");
    desk.works("bellwether archive --data data --to colder");
    assert!(desk.works("bellwether verify --data data").contains("data holds."), "the new place is recorded");
}
