//! A process without a free descriptor: the exchange and its history keep working. This test has its own executable,
//! because the limit applies to the whole process.

use std::time::Duration;

use exchange::Request;
use exchange::command::{Command, CreateUser};
use exchange::id::{Hash32, RowId, UserId};
use exchange::identity::Actor;
use exchange::text::Text;
use exchange::time::Time;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use server::node::Node;

const PATIENCE: Duration = Duration::from_secs(120);

fn create_user(node: &Node, number: u128) -> u64 {
    let command = Command::CreateUser(CreateUser {
        id: UserId::new(number),
        address: Hash32::of(&format!("user{number}@example.com")),
        tag: Text::from(format!("user{number}")),
        row: RowId::new(number),
        expires_at: Time::NEVER,
    });
    let request = Request { actor: Actor::System, idempotency: None, command };
    let answer = node.app.writing().sequencer().submit_blocking(request).expect("an answer");
    answer.result.expect("a user");
    answer.seq
}

#[test]
fn history_is_stored_while_no_descriptor_is_free_and_durable_afterwards() {
    let folder = tempfile::tempdir().expect("a folder");
    let node = Node::builder(folder.path()).start().expect("a node");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let usual = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(0), ..usual }).expect("a lower limit");
    std::fs::File::open(folder.path()).expect_err("no descriptor is free");

    let seq = create_user(&node, 7);
    runtime.block_on(node.app.reading().history().wait_for(seq)).expect("it is stored");
    assert!(!node.app.reading().history().make_durable(PATIENCE), "it needs a file");
    assert!(node.app.reading().history().is_stalled(), "it is reported");

    setrlimit(Resource::Nofile, usual).expect("the usual limit");
    assert!(node.app.reading().history().make_durable(PATIENCE), "it is durable");
    assert!(!node.app.reading().history().has_stopped());
    let seq = create_user(&node, 8);
    runtime.block_on(node.app.reading().history().wait_for(seq)).expect("it is stored");
    let stopped = node.stop().expect("a clean stop");
    assert_eq!(stopped.live, stopped.replayed);
}
