//! A rolling upgrade: two builds that differ in the format of their snapshots and in one command serve one log side
//! by side under load, in both directions; then the old build is gone and the rules are upgraded.
//!
//! The executable of the tests is either build (`exchange::next`). `cargo xtask test --long` compiles this version once more,
//! as it is shipped.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use exchange::Exchange;
use pgtest::Server;
use rustix::process::Signal;
use serde_json::{Value, json};
use stage::drill::plan::Plan;

use crate::beat::Beat;
use crate::drill::{NODES, Site, drill_with, ready_at, wait_until_ready};
use crate::nodes::{Build, Node, UNLIMITED};

/// Exit code of a node that cannot use its log.
const UNUSABLE: i32 = 5;
/// Answered writes while the builds run side by side, before the next node is replaced.
const WRITES_BETWEEN: u64 = 60;
/// Long enough for some checkpoints, one per second: digests are compared while both builds serve.
const CHECKPOINTS: Duration = Duration::from_millis(2_500);

/// Stops a node and starts it again as another build, while the others serve.
fn replace(nodes: &[Node], place: usize, build: Build, writes: &Beat) {
    let node = &nodes[place];
    assert_eq!(node.end(Signal::TERM).code(), Some(0), "{}", node.log());
    node.install(build);
    assert!(node.start(), "{build:?} starts on the log: {}", node.log());
    let (count, began) = (writes.count(), Instant::now());
    wait_until_ready(nodes, ready_at(&nodes[(place + 1) % nodes.len()]).unwrap_or(0));
    let complaint = || format!("nothing is answered: {}", node.log());
    patience::until(complaint, || writes.count() >= count + WRITES_BETWEEN && began.elapsed() >= CHECKPOINTS);
}

fn admin(node: &Node, token: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bellwether"))
        .arg("admin")
        .args(arguments)
        .args(["--json", "--url", &node.admin_address().expect("a node that serves")])
        .arg("--token-file")
        .arg(token)
        .output()
        .expect("the executable runs")
}

#[track_caller]
fn told(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("an answer in JSON")
}

/// Sends the command that only the next version has.
fn drill_upgrade(node: &Node, token: &str) -> u16 {
    let url = format!("{}/admin/v1/drill-upgrade", node.admin_address().expect("a node that serves"));
    let request = ureq::post(url).header("Authorization", format!("Bearer {token}"));
    let sent = request.config().http_status_as_error(false).build().send(json!({"number": 7}).to_string());
    sent.expect("an answer").status().as_u16()
}

#[test]
fn two_builds_serve_one_log_side_by_side_and_the_rules_move_when_every_node_knows_them() {
    let plan = Plan::from_environment(1);
    let server = Server::start(&[]);
    let database = server.create_database();
    let url = server.url(&database);
    let urls = vec![url.clone(); NODES];
    let site = Site { first: &url, urls: &urls, flags: UNLIMITED };
    let venue = drill_with(
        &plan,
        &site,
        || url.clone(),
        |nodes, writes, _| {
            // Forward, back again, and forward with all of them.
            replace(nodes, 0, Build::Next, writes);
            replace(nodes, 0, Build::This, writes);
            (0..NODES).for_each(|place| replace(nodes, place, Build::Next, writes));
        },
    );

    let (old, new) = (venue.node(&url), venue.node(&url));
    new.install(Build::Next);
    assert!(old.start() && new.start(), "{} {}", old.log(), new.log());
    let now = u64::from(Exchange::RULES_VERSION);
    let next = now + 1;
    let token = venue.operator_token();
    let secret = std::fs::read_to_string(&token).expect("a token");
    let rules = told(&admin(&new, &token, &["rules", "show"]));
    assert_eq!((rules["version"].as_u64(), rules["known"].as_u64()), (Some(now), Some(next)), "{rules}");
    assert_eq!(rules["nodes"].as_array().map(Vec::len), Some(2), "{rules}");

    assert_eq!(drill_upgrade(&new, secret.trim()), 409, "the log's rules do not have it yet");
    let refused = admin(&new, &token, &["rules", "upgrade", &next.to_string()]);
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && why.contains(&format!("knows rules up to {now}, not {next}")),
        "{why}"
    );
    assert_eq!(old.end(Signal::TERM).code(), Some(0), "{}", old.log());

    let upgraded = told(&admin(&new, &token, &["rules", "upgrade", &next.to_string()]));
    assert_eq!((upgraded["version"].as_u64(), upgraded["digestVersion"].as_u64()), (Some(next), Some(2)));
    assert_eq!(drill_upgrade(&new, secret.trim()), 200, "the rules have it now");
    assert_eq!(new.end(Signal::TERM).code(), Some(0), "{}", new.log());
    assert!(new.start(), "its own snapshot is read: {}", new.log());
    assert_eq!(new.end(Signal::TERM).code(), Some(0), "{}", new.log());

    assert!(!old.start(), "the build before does not know the rules");
    assert_eq!(old.wait().code(), Some(UNUSABLE));
    let why = format!("asks for rules {next}, and this build knows rules up to {now}");
    assert!(old.log().contains(&why), "{}", old.log());
}
