//! The primary of the log's database dies under load, and a synchronous standby takes over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pgtest::{Proxy, Server};
use stage::drill::plan::Plan;

use crate::beat::Beat;
use crate::drill::{NODES, Site, Stopping, ask, drill_with, wait_until_ready};
use crate::nodes::{Node, UNLIMITED};

const BACK: &str = "the log's database is back";
/// The interval of reads at a node: short enough to measure gaps, long enough to leave the machine idle.
const READ_EVERY: Duration = Duration::from_millis(5);
/// Traders write at every node all the time, so a gap begins soon after the primary's end, and lasts at least until
/// the nodes report that they have not seen the log for three seconds.
const GAP_SECONDS_MIN: f32 = 2.0;
/// Writes that the nodes must append at the new primary.
const WRITES_AFTER: u64 = 100;

/// Reads at a node in a loop. Reads need no database: each must be answered.
fn read(node: &Node, reads: &Beat, stop: &AtomicBool) {
    let address = node.address().expect("a node that serves");
    while !stop.load(Ordering::Acquire) {
        let (status, body) = ask(&address, "/v1/pm/events?size=1", None).expect("an answer");
        assert_eq!(status, 200, "{body}");
        reads.note();
        patience::let_run(READ_EVERY);
    }
}

/// The lengths of a node's gaps without its database, from its log.
fn reported_gaps(node: &Node) -> Vec<f32> {
    let log = node.log();
    let seconds = |line: &str| {
        let text = line.split_once("seconds=").expect("a line with seconds").1;
        text.split_whitespace().next().expect("a value").parse().expect("a number of seconds")
    };
    log.lines().filter(|line| line.contains(BACK)).map(seconds).collect()
}

/// Waits until no node is ready: each has not seen the log for three seconds.
pub(crate) fn wait_until_none_is_ready(nodes: &[Node]) {
    for node in nodes {
        let address = node.address().expect("a node that serves");
        patience::until(|| node.log(), || ask(&address, "/ready", None).expect("an answer").0 == 503);
    }
}

/// Kills the primary and waits until every node has noticed. Then promotes the standby.
fn fail_over(primary: &mut Server, standby: &Server, proxies: &[Proxy], nodes: &[Node], reads: &[Beat]) {
    primary.kill();
    wait_until_none_is_ready(nodes);
    let before: Vec<u64> = reads.iter().map(Beat::count).collect();
    // A read that was in flight may have started before the failure. The second read did not.
    patience::until("reads stop at a node while there is no database", || {
        reads.iter().zip(&before).all(|(reads, before)| reads.count() >= before + 2)
    });
    // It has no standby of its own.
    standby.execute("postgres", "ALTER SYSTEM SET synchronous_standby_names = ''");
    standby.execute("postgres", "SELECT pg_reload_conf()");
    standby.promote();
    for proxy in proxies {
        proxy.redirect_to(standby.port());
        proxy.cut();
    }
}

#[test]
fn answered_writes_survive_the_primary_and_nodes_recover_without_a_restart() {
    let plan = Plan::from_environment(1);
    let mut server = Server::start(&["synchronous_standby_names = 'ANY 1 (*)'", "wal_level = replica"]);
    let standby = server.start_standby("second");
    let database = server.create_database();
    let proxies: Vec<Proxy> = (0..NODES).map(|_| Proxy::start(server.port())).collect();
    let urls: Vec<String> = proxies.iter().map(|proxy| proxy.url(&database)).collect();
    let (first, last) = (server.url(&database), standby.url(&database));
    let site = Site { first: &first, urls: &urls, flags: UNLIMITED };
    // The final check of the log reads the standby.
    let _venue = drill_with(
        &plan,
        &site,
        || last,
        |nodes, writes, rng| {
            let (stop, reads) = (AtomicBool::new(false), [(); NODES].map(|()| Beat::start()));
            thread::scope(|scope| {
                for (node, reads) in nodes.iter().zip(&reads) {
                    let stop = &stop;
                    scope.spawn(move || read(node, reads, stop));
                }
                let _stopping = Stopping(&stop);
                patience::let_run(Duration::from_millis(rng.u64(1_000..3_000)));
                writes.measure_from_here();
                reads.iter().for_each(Beat::measure_from_here);
                fail_over(&mut server, &standby, &proxies, nodes, &reads);
                let sequence = wait_until_ready(nodes, 0);
                wait_until_ready(nodes, sequence + WRITES_AFTER);
                println!("took over at about {sequence}");
                let longest = reads.iter().map(Beat::longest_gap).max().expect("there are nodes");
                println!(
                    "longest without an answered write {:?}, without an answered read at a node {longest:?}",
                    writes.longest_gap()
                );
            });
            for (number, node) in nodes.iter().enumerate() {
                let gaps = reported_gaps(node);
                println!("node {number} was without its database for {gaps:?} s");
                let is_whole = gaps.iter().sum::<f32>() >= GAP_SECONDS_MIN;
                assert!(is_whole, "every node reports its gap: {}", node.log());
                let metrics =
                    ask(&node.address().expect("a node that serves"), "/metrics", None).expect("an answer").1;
                assert!(
                    metrics.contains(&format!("\nbellwether_log_gaps_total {}\n", gaps.len())),
                    "{metrics}"
                );
                assert_eq!(node.starts(), 1, "the process was not restarted");
            }
        },
    );
}
