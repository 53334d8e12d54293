//! Traders write at three nodes at once while nodes are killed, or while their connections to the log are cut.
//!
//! `cargo xtask soak nodes` and `soak cuts` run these very tests for longer: see `plan`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use patience::PATIENCE;
use pgtest::{Proxy, Server};
use rustix::process::Signal;
use serde_json::Value;
use stage::drill::plan::Plan;

use crate::beat::Beat;
use crate::log;
use crate::nodes::{Node, UNLIMITED, Venue};
use crate::trader::{Counts, Trader};

pub(crate) const NODES: usize = 3;
const TRADERS: usize = 8;
/// With fewer answered writes a drill says little.
const ANSWERED_MIN: u64 = 200;
const KILLS: u64 = 24;
const CUTS: u64 = 120;
/// Kills or cuts between two progress messages.
const TELL_EVERY: u64 = 25;
/// The size of a few appends: a cut falls anywhere in one of the next.
const CUT_AFTER_BYTES_MAX: u32 = 6_000;

/// The place of a drill.
pub(crate) struct Site<'a> {
    /// The log's address while the venue is built.
    pub(crate) first: &'a str,
    /// The log's address for each node.
    pub(crate) urls: &'a [String],
    /// The nodes' limits per second and further settings.
    pub(crate) flags: &'static [&'static str],
}

/// Runs `drill_with` with one database server from the beginning to the end.
fn drill(
    plan: &Plan,
    server: &Server,
    urls: &[String],
    database: &str,
    meanwhile: impl FnOnce(&[Node], &Beat, &mut Rng),
) {
    let url = server.url(database);
    let site = Site { first: &url, urls, flags: UNLIMITED };
    let _ = drill_with(plan, &site, || url.clone(), meanwhile);
}

/// Runs traders at all nodes while `meanwhile` disturbs them; its `Beat` counts the answered writes. Then compares
/// the log, at the address that `last` returns, and all nodes with the traders' answers. Returns the venue for further
/// checks.
pub(crate) fn drill_with(
    plan: &Plan,
    site: &Site<'_>,
    last: impl FnOnce() -> String,
    meanwhile: impl FnOnce(&[Node], &Beat, &mut Rng),
) -> Venue {
    let mut rng = Rng::with_seed(plan.seed);
    let (venue, mut traders) = Venue::build(site.first, |demo| {
        let trader = |number| Trader::meet(demo, number, rng.u64(..));
        (0..TRADERS).map(trader).collect::<Vec<_>>()
    });
    let places = &venue.places;
    let nodes: Vec<Node> = site.urls.iter().map(|url| venue.node(url).limited_to(site.flags)).collect();
    thread::scope(|scope| {
        for node in &nodes {
            scope.spawn(move || assert!(node.start(), "it starts: {}", node.log()));
        }
    });
    let (stop, writes) = (AtomicBool::new(false), Beat::start());
    thread::scope(|scope| {
        for trader in &mut traders {
            let (nodes, stop, writes) = (&nodes, &stop, &writes);
            scope.spawn(move || trader.trade(nodes, places, stop, writes));
        }
        // Dropped also when `meanwhile` panics, so that the traders stop.
        let _stopping = Stopping(&stop);
        meanwhile(&nodes, &writes, &mut rng);
        // The disturbances are counted, and a busy machine may have answered little beside them.
        let complaint = || format!("{} writes answered", writes.count());
        patience::until(complaint, || writes.count() > ANSWERED_MIN);
    });
    let mut counts = Counts::default();
    for trader in &traders {
        counts.answered += trader.counts.answered;
        counts.sent_again += trader.counts.sent_again;
        counts.done_before += trader.counts.done_before;
    }
    println!("{counts:?}");
    let sequence = wait_until_level(&nodes);
    for node in &nodes {
        for trader in &mut traders {
            trader.check(node, places);
        }
    }
    for node in &nodes {
        assert_eq!(node.end(Signal::TERM).code(), Some(0), "{}", node.log());
    }
    let found = log::read(&last());
    println!("at sequence {sequence}: {found:?}");
    assert_eq!(found.carried_out, counts.answered, "every answered write is in the log exactly once");
    assert!(counts.answered > ANSWERED_MIN, "the load was real");
    assert!(found.checkpoints > 0, "digests were compared");
    venue
}

/// Sets the stop flag when it is dropped.
pub(crate) struct Stopping<'a>(pub(crate) &'a AtomicBool);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Waits until all nodes are ready at the same sequence, and returns it. No trader may be running.
fn wait_until_level(nodes: &[Node]) -> u64 {
    wait_until(nodes, |ready| ready.iter().all(|sequence| *sequence == ready[0]))
}

/// Waits until all nodes are ready at or after a sequence, and returns the lowest of their sequences.
pub(crate) fn wait_until_ready(nodes: &[Node], from: u64) -> u64 {
    wait_until(nodes, |ready| ready.iter().all(|sequence| *sequence >= from))
}

fn wait_until(nodes: &[Node], is_enough: impl Fn(&[u64]) -> bool) -> u64 {
    let ready = || nodes.iter().map(ready_at).collect::<Vec<Option<u64>>>();
    patience::answer(
        || format!("{:?}", ready()),
        || {
            let ready: Vec<u64> = ready().into_iter().collect::<Option<_>>()?;
            is_enough(&ready).then(|| ready.iter().copied().min().expect("there are nodes"))
        },
    )
}

/// The sequence that a node's `/ready` returns, if it is ready.
pub(crate) fn ready_at(node: &Node) -> Option<u64> {
    let ready: Value = serde_json::from_str(&ask(&node.address()?, "/ready", None)?.1).ok()?;
    (ready["ready"] == true).then(|| ready["sequence"].as_u64())?
}

/// Status and body of an unsigned read.
pub(crate) fn ask(address: &str, path: &str, wait_for: Option<u64>) -> Option<(u16, String)> {
    let mut request = ureq::get(format!("{address}{path}"));
    if let Some(sequence) = wait_for {
        request = request.header("X-Wait-For-Sequence", sequence.to_string());
    }
    let mut response = request.config().http_status_as_error(false).build().call().ok()?;
    let body = response.body_mut().read_to_string().ok()?;
    Some((response.status().as_u16(), body))
}

#[test]
fn answered_writes_are_in_the_log_once_after_nodes_are_killed() {
    let plan = Plan::from_environment(KILLS);
    let server = Server::start(&[]);
    let database = server.create_database();
    let urls = vec![server.url(&database); NODES];
    let (mut kills, mut stops) = (0, 0);
    drill(&plan, &server, &urls, &database, |nodes, writes, rng| {
        while !plan.is_over(kills) {
            let node = &nodes[rng.usize(..NODES)];
            patience::let_run(Duration::from_millis(rng.u64(50..400)));
            // A graceful stop writes a snapshot, so not every restart replays from the first frame.
            if rng.u8(..) < 32 {
                assert_eq!(node.end(Signal::TERM).code(), Some(0), "{}", node.log());
                stops += 1;
            } else {
                node.kill();
                kills += 1;
                if kills % TELL_EVERY == 0 {
                    println!("{kills} kills, {stops} stops, {} writes answered", writes.count());
                }
            }
            assert!(node.start(), "it comes back: {}", node.log());
        }
    });
    println!("{kills} kills, {stops} stops");
    assert!(plan.is_over(kills));
}

#[test]
fn answered_writes_are_in_the_log_once_after_connections_are_cut() {
    let plan = Plan::from_environment(CUTS);
    let server = Server::start(&[]);
    let database = server.create_database();
    let proxies: Vec<Proxy> = (0..NODES).map(|_| Proxy::start(server.port())).collect();
    let urls: Vec<String> = proxies.iter().map(|proxy| proxy.url(&database)).collect();
    let cuts = || proxies.iter().map(Proxy::cuts).sum::<u64>();
    drill(&plan, &server, &urls, &database, |nodes, writes, rng| {
        let (mut told, mut since) = (0, Instant::now());
        while !plan.is_over(cuts()) {
            assert!(since.elapsed() < PATIENCE, "{} cuts, and no more", cuts());
            proxies[rng.usize(..NODES)].cut_after(rng.u32(..CUT_AFTER_BYTES_MAX));
            patience::let_run(Duration::from_millis(rng.u64(20..150)));
            if cuts() >= told + TELL_EVERY {
                (told, since) = (cuts(), Instant::now());
                println!("{told} cuts, {} writes answered", writes.count());
            }
        }
        // A planned cut must not hit the requests that follow.
        proxies.iter().for_each(Proxy::cancel_cut);
        wait_until_ready(nodes, 0);
    });
    println!("{} cuts", cuts());
    assert!(plan.is_over(cuts()));
}

#[test]
fn a_read_that_waits_for_a_sequence_sees_at_one_node_what_was_written_at_another() {
    let server = Server::start(&[]);
    let database = server.create_database();
    let url = server.url(&database);
    let (venue, mut trader) = Venue::build(&url, |demo| Trader::meet(demo, 0, 7));
    let nodes: Vec<Node> = (0..2).map(|_| venue.node(&url)).collect();
    nodes.iter().for_each(|node| assert!(node.start(), "{}", node.log()));
    let address = nodes[1].address().expect("a node that serves");
    for _ in 0..10 {
        trader.trade_once(&nodes[..1], &venue.places);
        let written = ready_at(&nodes[0]).expect("a node that is ready");
        let (status, body) = ask(&address, "/ready", Some(written)).expect("an answer");
        let seen = serde_json::from_str::<Value>(&body).expect("JSON")["sequence"].as_u64();
        assert!(status == 200 && seen >= Some(written), "{status} {body}");
        trader.check(&nodes[1], &venue.places);
    }
    assert_eq!(ask(&address, "/ready", Some(u64::MAX)).map(|(status, _)| status), Some(503));
}
