//! docs/operating/first-venue.md, "From draft to payout": runs every command against the real executable, and checks
//! the end of each event. Also checks that nothing is paid without a confirmation.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use stage::demo::Demo;

pub(crate) const FIRST_VENUE: &str = include_str!("../../../../docs/operating/first-venue.md");
pub(crate) const ONE_MACHINE: &str = include_str!("../../../../docs/operating/one-machine.md");
pub(crate) const UPGRADES: &str = include_str!("../../../../docs/operating/upgrades.md");

const CHAPTER: &str = "From draft to payout";

/// The fenced shell blocks of a page's chapter.
pub(crate) fn blocks(page: &'static str, chapter: &str) -> Vec<&'static str> {
    let (_, rest) = page.split_once(&format!("\n## {chapter}\n")).expect("a chapter");
    let chapter = rest.split("\n## ").next().unwrap_or_default();
    chapter.split("```sh\n").skip(1).map(|block| block.split("\n```").next().unwrap_or_default()).collect()
}

/// A folder to work in, with the executable on the path and the demo's own operator.
struct Desk<'a> {
    demo: &'a Demo,
    data: &'a Path,
    folder: tempfile::TempDir,
}

impl<'a> Desk<'a> {
    fn new(demo: &'a Demo, data: &'a Path) -> Desk<'a> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("bin")).expect("a folder");
        let name: PathBuf = folder.path().join("bin/bellwether");
        symlink(env!("CARGO_BIN_EXE_bellwether"), name).expect("a link");
        Desk { demo, data, folder }
    }

    fn sh(&self, script: &str) -> Output {
        let path = format!("{}:{}", self.folder.path().join("bin").display(), env!("PATH"));
        Command::new("sh")
            .args(["-euc", script])
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("NO_PROXY", "*")
            .env("BELLWETHER_ADMIN_URL", self.demo.text("/adminUrl"))
            .env("BELLWETHER_OPERATOR_TOKEN_FILE", self.data.join("operator.token"))
            .env_remove("BELLWETHER_PASSWORD")
            .stdin(Stdio::null())
            .output()
            .expect("a shell")
    }

    /// The answer of a command that must work.
    fn json(&self, command: &str) -> Value {
        let output = self.sh(&format!("bellwether admin --json {command}"));
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_command_of_the_operating_chapter_works_and_every_event_comes_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let desk = Desk::new(&demo, folder.path());
    let blocks = blocks(FIRST_VENUE, CHAPTER);
    let commands: usize = blocks.iter().map(|block| block.matches("bellwether admin").count()).sum();
    assert!(commands > 70, "only {commands} commands");
    for block in blocks {
        // `set -x` shows which command of the block failed.
        let output = desk.sh(&format!("set -x\n{block}"));
        assert!(output.status.success(), "{block}\n\n{}\n{}", text(&output.stdout), text(&output.stderr));
    }
    for (slug, status) in [
        ("doc-rain-on-sunday", "resolved"),
        ("doc-cup-winner", "resolved"),
        ("doc-summit", "resolved"),
        ("doc-called-off", "cancelled"),
        ("doc-final-winner", "resolved"),
        ("doc-final-goal-spread", "resolved"),
        ("doc-final-total-goals", "resolved"),
        ("doc-election", "resolved"),
    ] {
        let event = desk.json(&format!("events show {slug}"));
        assert_eq!(event["status"], status, "{slug}");
    }
    let election = desk.json("events show doc-election");
    let verdicts = election["resolution"]["verdicts"].as_array().expect("verdicts");
    assert_eq!((&verdicts[0]["ending"], &verdicts[1]["ending"]), (&"withdrawn".into(), &"finalised".into()));
    let log = desk.json("audit --event doc-election");
    let by: Vec<&str> =
        log["entries"].as_array().expect("entries").iter().filter_map(|entry| entry["by"].as_str()).collect();
    assert_eq!(by, ["ada", "first", "first", "first", "first", "first", "first"]);
    assert_eq!(desk.json("status")["cancelOnly"], Value::Array(Vec::new()));
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn commands_that_pay_show_the_payout_and_do_nothing_without_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let desk = Desk::new(&demo, folder.path());
    let made =
        "bellwether admin events create --slug unsaid --title 'Is it said?' --category tests --engine AMM
        bellwether admin markets seed unsaid --currency USD --amount 10 --price 0.5
        bellwether admin events open unsaid
        bellwether admin events close unsaid";
    let output = desk.sh(made);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let ways = ["events resolve unsaid --outcome NO", "events cancel unsaid", "markets cancel unsaid"];
    for way in ways {
        let output = desk.sh(&format!("bellwether admin {way}"));
        assert_eq!(output.status.code(), Some(1), "{way}");
        let told = text(&output.stderr);
        assert!(told.contains("--yes") && told.contains("Nothing was done"), "{way}: {told}");
        assert!(told.contains("toHouse") && told.contains("USD"), "{way} shows what it pays: {told}");
    }
    assert_eq!(desk.json("events show unsaid")["status"], "closed");
    let refused = desk.sh("bellwether admin events open unsaid");
    assert!(text(&refused.stderr).contains("(STATUS_NOT_ALLOWED)"), "{}", text(&refused.stderr));
    let missing = desk.sh("bellwether admin events resolve nothing --outcome YES --yes");
    assert!(text(&missing.stderr).contains("Event not found"), "{}", text(&missing.stderr));
    let unclear = desk.sh("bellwether admin events finalise unsaid --yes");
    assert!(text(&unclear.stderr).contains("Nothing is proposed"), "{}", text(&unclear.stderr));
}
