//! The mark that keeps a copy of a node's folder off the log: also after the database restarted or closed the node's
//! connections, and while the node itself comes back.

use std::path::PathBuf;
use std::time::Duration;

use pgtest::Server;
use server::node::Node;
use server::shared_log::SharedLogSettings;
use tempfile::TempDir;

use crate::{PATIENCE, copy, create_users, settings, start, stop, wait_until};

/// A node that runs, and a copy of its folder.
struct Twins {
    room: TempDir,
    node: Node,
    /// A start with these settings does not wait for another holder of its mark.
    settings: SharedLogSettings,
}

impl Twins {
    fn on(server: &Server) -> Twins {
        let settings = SharedLogSettings { mark_patience: Duration::ZERO, ..settings(server) };
        let room = tempfile::tempdir().expect("a folder");
        let original = room.path().join("original");
        std::fs::create_dir(&original).expect("a folder");
        let node = start(&original, &settings).expect("a node");
        create_users(&node, 1..3);
        let twins = Twins { room, node, settings };
        copy(&original, &twins.copy());
        twins
    }

    fn copy(&self) -> PathBuf {
        self.room.path().join("twin")
    }

    fn seq(&self) -> u64 {
        self.node.app.reading().state().seq()
    }

    /// Starts the copy, which must be refused and must write nothing.
    #[track_caller]
    fn refuse_copy(&self, why: &str) {
        let refused = start(&self.copy(), &self.settings).expect_err(why).to_string();
        assert!(refused.contains("node.id is on the log: this folder is a copy"), "{why}: {refused}");
        let status = self.node.app.writing().sequencer().writer_status();
        wait_until("the node accepts writes", || status.is_accepting());
        let seq = self.seq();
        create_users(&self.node, u128::from(seq)..u128::from(seq) + 1);
        assert_eq!(self.seq(), seq + 1, "{why}: the copy wrote nothing");
    }
}

#[test]
fn a_copy_of_a_folder_is_refused_as_long_as_the_node_of_the_original_runs() {
    let server = Server::start(&[]);
    let twins = Twins::on(&server);
    twins.refuse_copy("the node runs");
    std::fs::remove_file(twins.copy().join("node.id")).expect("a mark");
    let other = start(&twins.copy(), &twins.settings).expect("with a mark of its own it starts");
    stop(other);
    let Twins { room, node, settings } = twins;
    stop(node);
    let patient = SharedLogSettings { mark_patience: PATIENCE, ..settings };
    start(&room.path().join("original"), &patient).map(stop).expect("the mark is free again");
}

#[test]
fn a_copy_is_refused_after_the_database_restarted() {
    let mut server = Server::start(&[]);
    let twins = Twins::on(&server);
    for _ in 0..3 {
        server.kill();
        server.launch();
        // At once: the node may not have noticed yet.
        twins.refuse_copy("the database restarted");
    }
    stop(twins.node);
}

#[test]
fn a_copy_is_refused_after_the_database_closed_every_connection() {
    let server = Server::start(&[]);
    let twins = Twins::on(&server);
    for _ in 0..3 {
        let ended = server.execute(
            "postgres",
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'bellwether'",
        );
        assert_ne!(ended, "0");
        twins.refuse_copy("the connections ended");
    }
    stop(twins.node);
}
