//! A journal is copied into a database, nodes serve it from there, and it is copied back into a folder.

use std::path::Path;
use std::process::{Command, Output};

use pgtest::Server;
use rustix::process::Signal;
use stage::demo::Demo;

use crate::nodes::Node;

fn journal_copy(from: &str, to: &str) -> Output {
    let arguments = ["journal", "copy", from, to];
    Command::new(env!("CARGO_BIN_EXE_bellwether")).args(arguments).output().expect("the executable runs")
}

/// The lines with the totals of both journals.
#[track_caller]
fn copied(from: &str, to: &str) -> Vec<String> {
    let output = journal_copy(from, to);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let wanted = |line: &&str| line.starts_with("head") || line.starts_with("state digest");
    said.lines().filter(wanted).map(str::to_owned).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of letters")
}

#[test]
fn a_journal_goes_into_a_database_is_served_there_and_comes_home() {
    let server = Server::start(&[]);
    let url = server.url(&server.create_database());
    let room = tempfile::tempdir().expect("a folder");
    let (first, home) = (room.path().join("first"), room.path().join("home"));
    let demo = Demo::start(&first);
    assert_eq!(demo.terminate().code(), Some(0));
    let gone = copied(text(&first), &url);
    assert_eq!(gone.len(), 2, "{gone:?}");

    let again = journal_copy(text(&first), &url);
    assert_eq!(again.status.code(), Some(1));
    let why = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(why.contains("has a journal or a people store already") && !why.contains("postgres://"), "{why}");

    let node = Node::new(url.clone(), &first.join("master.key"));
    assert!(node.start(), "{}", node.log());
    assert_eq!(node.end(Signal::TERM).code(), Some(0), "{}", node.log());

    let back = copied(&url, text(&home));
    let once_more = copied(text(&home), &server.url(&server.create_database()));
    assert_eq!(back, once_more, "the same frames have the same hashes wherever they are");
    let arguments = ["verify", "--data", text(&home)];
    let proved = Command::new(env!("CARGO_BIN_EXE_bellwether")).args(arguments).output().expect("a proof");
    assert_eq!(proved.status.code(), Some(0), "{proved:?}");
    let there = journal_copy(text(&first), text(&home));
    assert_eq!(there.status.code(), Some(1), "{there:?}");
}
