//! Rescue commands on a log that several nodes share, run by the machine's owner while the nodes are stopped.

use std::process::{Command, Output};

use pgtest::Server;
use rustix::process::Signal;

use crate::nodes::Venue;

fn bellwether(arguments: &[&str], url: &str) -> Output {
    let mut executable = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    executable.args(arguments).args(["--journal", url]).output().expect("the executable runs")
}

#[track_caller]
fn done(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_new_approver_and_a_new_master_key_reach_every_node_by_the_log() {
    let server = Server::start(&[]);
    let url = server.url(&server.create_database());
    let (venue, ()) = Venue::build(&url, |_| ());
    let (node, other) = (venue.node(&url), venue.node(&url));
    assert!(node.start(), "{}", node.log());
    assert_eq!(node.end(Signal::TERM).code(), Some(0));

    done(&bellwether(&["operator", "reset", "--name", "rescue"], &url));
    let again = bellwether(&["operator", "reset", "--name", ""], &url);
    assert!(!again.status.success(), "a name is needed, and nothing is written without one");
    let folder = node.data().display().to_string();
    done(&bellwether(&["master-key", "replace", "--data", &folder], &url));

    assert!(node.start(), "{}", node.log());
    assert!(!other.start(), "it has the old master key");
    assert!(other.log().contains("not the key that the journal recorded"), "{}", other.log());
}
