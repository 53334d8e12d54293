//! Several nodes on one shared log, in one process: a write at one node is visible at the others, a new node starts
//! from a stored snapshot and rebuilds its history afterwards, and a single node behaves as it does without a shared
//! log.

mod archiving;
mod marks;
mod offering;
mod operators;
mod people;
mod pictures;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use api::signing::MasterKey;
use exchange::command::{Command, CreateUser, UpgradeRules};
use exchange::id::{Hash32, RowId, UserId};
use exchange::identity::Actor;
use exchange::text::Text;
use exchange::time::Time;
use exchange::{Exchange, Request};
use journal::postgres::{Database, Options};
use pgtest::Server;
use server::node::{Node, NodeError, Stopped};
use server::nodes::Nodes;
use server::people::{PostgresRows, begin};
use server::pipeline::clock::SystemClock;
use server::pipeline::sequencer::Sequencer;
use server::pipeline::state::Shared;
use server::shared_log::SharedLogSettings;

use offering::Blind;

const PATIENCE: Duration = Duration::from_secs(120);

fn create_user(number: u128) -> Request {
    let command = Command::CreateUser(CreateUser {
        id: UserId::new(number),
        address: Hash32::of(&format!("user{number}@example.com")),
        tag: Text::from(format!("user{number}")),
        row: RowId::new(number),
        expires_at: Time::NEVER,
    });
    Request { actor: Actor::System, idempotency: None, command }
}

/// A log on the server, with a snapshot for every command.
fn settings(server: &Server) -> SharedLogSettings {
    let url = server.url(&server.create_database());
    SharedLogSettings { snapshot_every: 1, ..SharedLogSettings::new(url) }
}

fn start(folder: &Path, settings: &SharedLogSettings) -> Result<Node, NodeError> {
    // All nodes of a log have the same master key.
    let key = folder.join("master.key");
    std::fs::write(&key, [9; 32]).expect("a key");
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&key, private).expect("a key that others cannot read");
    Node::builder(folder).shared_log(settings).start()
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        thread::yield_now();
    }
}

fn create_users(node: &Node, numbers: std::ops::Range<u128>) {
    for number in numbers {
        let answer = node.app.writing().sequencer().submit_blocking(create_user(number)).expect("an answer");
        answer.result.expect("a user");
    }
}

fn stop(node: Node) -> Stopped {
    let stopped = node.stop().expect("a clean stop");
    assert_eq!(stopped.live, stopped.replayed, "the log gives what was served");
    stopped
}

#[test]
fn writes_at_one_node_reach_the_other_and_both_states_are_equal() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let nodes = folders.each_ref().map(|folder| start(folder.path(), &settings).expect("a node"));
    thread::scope(|scope| {
        scope.spawn(|| create_users(&nodes[0], 1..40));
        scope.spawn(|| create_users(&nodes[1], 40..80));
    });
    for node in &nodes {
        wait_until("all users at every node", || node.app.reading().state().seq() == 81);
        wait_until("and in its history", || node.app.reading().history().stored() == 81);
    }
    let [first, second] = nodes.map(stop);
    assert_eq!((first.seq, first.live), (second.seq, second.live));
}

/// Users under the rules that a log begins with, as every build made them before there were others.
fn write_by_first_rules(settings: &SharedLogSettings, numbers: std::ops::Range<u128>) {
    let database = Database::open(&settings.url, Options::default()).expect("a database");
    let journal = Box::new(database.journal(None).expect("a log"));
    let shared = Arc::new(Shared::new(Exchange::new()));
    let (sequencer, writer) = Sequencer::start(journal, None, shared, Box::new(Blind), Arc::new(SystemClock));
    for number in numbers {
        let answer = sequencer.submit_blocking(create_user(number)).expect("an answer");
        answer.result.expect("a user");
    }
    drop(sequencer);
    writer.join();
    let mut rows = PostgresRows::open(&database).expect("the tables");
    begin(&mut rows, &MasterKey::new([9; 32])).expect("a people store");
}

#[test]
fn a_log_uses_newer_rules_only_after_an_operator_upgrades_it() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    write_by_first_rules(&settings, 1..4);
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let rules = |node: &Node| node.app.reading().state().rules_version();
    let first = start(folders[0].path(), &settings).expect("a node");
    let second = start(folders[1].path(), &settings).expect("a node");
    assert_eq!(rules(&second), 1, "another node may have a build with older rules only");
    let command = Command::UpgradeRules(UpgradeRules { version: Exchange::RULES_VERSION });
    let upgrade = Request { actor: Actor::System, idempotency: None, command };
    second.app.writing().sequencer().submit_blocking(upgrade).expect("an answer").result.expect("an upgrade");
    wait_until("the other node goes by them too", || rules(&first) == Exchange::RULES_VERSION);
    let [first, second] = [first, second].map(stop);
    assert_eq!((first.seq, first.live), (second.seq, second.live));
}

#[test]
fn live_nodes_are_listed_with_the_rules_that_they_know_and_gone_ones_are_not() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let folder = tempfile::tempdir().expect("a folder");
    let node = start(folder.path(), &settings).expect("a node");
    let nodes = node.app.nodes().cloned().expect("a shared log");
    let known = |nodes: &Nodes| -> Vec<u32> {
        nodes.live().expect("an answer").iter().map(|node| node.rules).collect()
    };
    assert_eq!(known(&nodes), [Exchange::RULES_VERSION]);
    let database = Database::open(&settings.url, Options::default()).expect("a database");
    let mut older = database.journal(None).expect("a connection");
    assert!(older.claim(u64::MAX).expect("an answer"), "a mark that is free");
    let mut tables = database.shared_tables().expect("a connection");
    tables.announce(u64::MAX, 1, "an older build").expect("an answer");
    let live = nodes.live().expect("an answer");
    let told: Vec<_> = live.iter().map(|node| (node.rules, &*node.build)).collect();
    assert!(told.contains(&(1, "an older build")) && told.len() == 2, "{told:?}");
    drop(older);
    wait_until("a node that went is not listed", || known(&nodes) == [Exchange::RULES_VERSION]);
    stop(node);
}

#[test]
fn a_new_node_begins_with_a_stored_snapshot_and_makes_its_history_while_it_serves() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let (old, new) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let node = start(old.path(), &settings).expect("a node");
    create_users(&node, 1..30);
    let first = stop(node);
    let node = start(new.path(), &settings).expect("a node");
    assert_eq!((node.report.snapshot, node.report.replayed), (31, 0), "nothing is replayed before it serves");
    create_users(&node, 30..35);
    wait_until("history from the first command on", || node.app.reading().history().stored() == 36);
    stop(node);
    let node = start(old.path(), &settings).expect("a node");
    assert_eq!(node.app.reading().state().seq(), 36);
    assert_ne!(stop(node).live, first.live);
}

#[test]
fn a_folder_of_another_log_is_refused() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let one = settings(&server);
    let node = start(folder.path(), &one).expect("a node");
    create_users(&node, 1..5);
    stop(node);
    let other = settings(&server);
    let refused = start(folder.path(), &other).expect_err("a refusal").to_string();
    assert!(refused.contains("does not go with the log"), "{refused}");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let node = start(elsewhere.path(), &other).expect("a node");
    create_users(&node, 11..21);
    stop(node);
    let refused = start(folder.path(), &other).expect_err("a refusal").to_string();
    assert!(refused.contains("does not go with the log"), "{refused}");
    start(folder.path(), &one).map(stop).expect("with its own log it starts");
}

/// Like `cp -a`.
fn copy(from: &Path, to: &Path) {
    let done = std::process::Command::new("cp").arg("-a").arg(from).arg(to).status().expect("a copy");
    assert!(done.success());
}

#[test]
fn a_folder_that_a_node_has_is_refused() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let folder = tempfile::tempdir().expect("a folder");
    let node = start(folder.path(), &settings).expect("a node");
    let refused = start(folder.path(), &settings).expect_err("a refusal").to_string();
    assert!(refused.starts_with("another process runs on"), "{refused}");
    stop(node);
}

#[test]
fn a_node_without_a_master_key_is_refused_where_the_log_has_a_past() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let (one, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let anew = |folder: &Path| Node::builder(folder).shared_log(&settings).start();
    let node = anew(one.path()).expect("the first node makes the key");
    create_users(&node, 1..3);
    let refused = anew(other.path()).expect_err("a refusal").to_string();
    assert!(refused.contains("master.key is missing"), "{refused}");
    assert!(!other.path().join("master.key").exists());
    copy(&one.path().join("master.key"), &other.path().join("master.key"));
    anew(other.path()).map(stop).expect("with the key it starts");
    stop(node);
}

#[test]
fn a_node_refuses_writes_while_the_database_is_away_and_reports_it() {
    let mut server = Server::start(&[]);
    let settings = settings(&server);
    let folder = tempfile::tempdir().expect("a folder");
    let node = start(folder.path(), &settings).expect("a node");
    create_users(&node, 1..3);
    let writer_status = node.app.writing().sequencer().writer_status().clone();
    assert!(writer_status.is_accepting());
    server.kill();
    wait_until("nothing is taken", || !writer_status.is_accepting());
    assert!(!writer_status.has_failed(), "it comes back");
    server.launch();
    wait_until("it accepts writes again", || writer_status.is_accepting());
    create_users(&node, 3..4);
    stop(node);
}

#[test]
fn a_folder_with_a_journal_that_was_not_copied_is_refused_by_the_log_and_still_served_alone() {
    let server = Server::start(&[]);
    let settings = settings(&server);
    let folder = tempfile::tempdir().expect("a folder");
    let alone = || Node::builder(folder.path()).start().expect("a node");
    let node = alone();
    create_users(&node, 1..5);
    let served = stop(node);
    let shared = Node::builder(folder.path()).shared_log(&settings).start();
    let refused = shared.expect_err("a refusal").to_string();
    assert!(refused.contains("does not go with the log"), "{refused}");
    assert_eq!(stop(alone()), served);
}
