//! docs/operating/upgrades.md, "Upgrade and roll back": every command as a reader would run it, on a folder that two
//! builds serve in turn.
//!
//! The executable of the tests is either build (`exchange::next`).

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use stage::demo::Demo;

use crate::operating::{UPGRADES, blocks};

const FLAGS: &[&str] = &["--no-bots"];

/// A build that is installed.
#[derive(Clone, Copy, Debug)]
enum Build {
    This,
    Next,
}

/// A folder to work in.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("bin")).expect("a folder");
        Desk { folder }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Installs a build in the place of the other.
    fn install(&self, build: Build) {
        let version = match build {
            Build::This => "unset BELLWETHER_NEXT",
            Build::Next => "export BELLWETHER_NEXT=1",
        };
        let executable = env!("CARGO_BIN_EXE_bellwether");
        let (place, fresh) =
            (self.folder.path().join("bin/bellwether"), self.folder.path().join("bin/fresh"));
        fs::write(&fresh, format!("#!/bin/sh\n{version}\nexec '{executable}' \"$@\"\n")).expect("a script");
        fs::set_permissions(&fresh, Permissions::from_mode(0o755)).expect("an executable");
        fs::rename(fresh, place).expect("an installed build");
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.folder.path().join("bin/bellwether"));
        command.args(["demo", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data"]);
        command.arg(self.data()).args(FLAGS).stdout(Stdio::null());
        command
    }

    fn start(&self, build: Build) -> Demo {
        self.install(build);
        Demo::started(&self.data(), &mut self.command())
    }

    /// Runs a block of the document, which must succeed, and returns its output.
    #[track_caller]
    fn works(&self, block: &str, demo: Option<&Demo>) -> String {
        let path = format!("{}:{}", self.folder.path().join("bin").display(), env!("PATH"));
        let mut shell = Command::new("sh");
        shell.args(["-euc", block]).current_dir(self.folder.path()).env("PATH", path).env("NO_PROXY", "*");
        shell.env("BELLWETHER_OPERATOR_TOKEN_FILE", self.data().join("operator.token"));
        if let Some(demo) = demo {
            shell.env("BELLWETHER_ADMIN_URL", demo.text("/adminUrl"));
        }
        let Output { status, stdout, stderr } = shell.stdin(Stdio::null()).output().expect("a shell");
        let said = String::from_utf8_lossy(&stdout).into_owned();
        assert!(status.success(), "{block}\n\n{said}\n{}", String::from_utf8_lossy(&stderr));
        said
    }
}

fn watch(demo: &Demo, watched: bool) {
    let (status, events) = demo.get("/v1/pm/events?size=1");
    let event = events["events"][0]["id"].as_str().expect("an event").to_owned();
    let path = format!("/v1/pm/events/{event}/watchlist");
    let method = if watched { "PUT" } else { "DELETE" };
    let (answered, body) = demo.send_signed(0, method, &path, b"{}").expect("an answer");
    assert_eq!((status, answered), (200, 200), "{body}");
}

#[test]
fn the_documented_upgrade_goes_forward_back_and_forward_again() {
    let desk = Desk::new();
    let [before, show, verify, upgrade] =
        <[&str; 4]>::try_from(blocks(UPGRADES, "Upgrade and roll back")).expect("four blocks");
    let old = desk.start(Build::This);
    watch(&old, true);
    desk.works(before, None);
    assert_eq!(old.terminate().code(), Some(0));

    let new = desk.start(Build::Next);
    let shown = desk.works(show, Some(&new));
    let number = |label: &str| {
        let line =
            shown.lines().find(|line| line.trim_start().starts_with(label)).expect("a line with the label");
        line.split_whitespace().last().expect("a number").parse::<u32>().expect("a number")
    };
    let (log, known) = (number("version"), number("known"));
    assert_eq!(known, log + 1, "the log's rules and those that the node knows: {shown}");
    assert!(upgrade.ends_with(&format!(" {known}")), "the document upgrades to rules {known}: {upgrade}");
    watch(&new, false);
    assert_eq!(new.terminate().code(), Some(0));

    let old = desk.start(Build::This);
    watch(&old, true);
    assert_eq!(old.terminate().code(), Some(0));
    desk.install(Build::Next);
    desk.works(verify, None);

    let new = desk.start(Build::Next);
    desk.works(upgrade, Some(&new));
    watch(&new, false);
    assert_eq!(new.terminate().code(), Some(0));

    desk.install(Build::This);
    let refused = Demo::ended(&mut desk.command());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("Start a newer build"), "{said}");
}

#[test]
fn no_shipped_executable_can_be_the_next_version() {
    let features = |edges: &str| {
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "--locked", "--package=cli", "--features=cards,mcp,otel,package,parquet"])
            .args(["--edges", edges, "--prefix=none", "--invert=exchange"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo runs");
        assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
        String::from_utf8(tree.stdout).expect("a text")
    };
    let next = "exchange feature \"next\"";
    assert!(features("features,normal,dev").contains(next), "the executable of the tests can");
    assert!(!features("features,normal").contains(next));
}
