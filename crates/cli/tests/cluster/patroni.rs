//! The primary of a database under Patroni is lost in every way that happens to machines, while traders write at three
//! nodes. Nothing answered may be lost or doubled, all nodes must agree, and the time without writes is measured.
//!
//! `cargo xtask soak failover` runs the faults in turn, fifty times; the tests run the first one.

use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use pgtest::Patroni;
use stage::drill::plan::Plan;

use crate::beat::Beat;
use crate::drill::{NODES, Site, drill_with, wait_until_ready};
use crate::failover::wait_until_none_is_ready;
use crate::nodes::{Node, REPLICATED};

/// Writes that the nodes must answer after a fault.
const WRITES_AFTER: u64 = 100;
/// How long a full disk may stop writes before an operator frees it: PostgreSQL crashes only when it needs a new
/// segment of its WAL, and Patroni replaces only a crashed server.
const DISK_FULL_FOR: Duration = Duration::from_secs(15);

/// A way to lose a primary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The machine loses its power, and gets it back.
    Kill,
    /// The machine stands still until another server has taken over.
    Pause,
    CutFromEtcd,
    /// `patronictl switchover`.
    SwitchOver,
    /// PostgreSQL is killed, its Patroni is not.
    Crash,
    FillDisk,
    /// No node reaches it; Patroni does, and leaves it in place.
    CutFromNodes,
}

/// In the order of a drill: the first five are failovers everywhere.
const FAULTS: [Fault; 7] = [
    Fault::Kill,
    Fault::Pause,
    Fault::CutFromEtcd,
    Fault::SwitchOver,
    Fault::Crash,
    Fault::FillDisk,
    Fault::CutFromNodes,
];

/// The measurements of one fault.
struct Loss {
    fault: Fault,
    /// The longest time without an answered write.
    without_writes: Duration,
    /// From the fault until another server had left its recovery; none if the primary stayed.
    takeover: Option<Duration>,
}

/// Inflicts a fault on the primary, waits until writes are answered again, and heals it.
fn lose(cluster: &Patroni, fault: Fault, nodes: &[Node], writes: &Beat, rng: &mut Rng) -> Loss {
    let primary = cluster.primary();
    let began = Instant::now();
    writes.measure_from_here();
    let successor = || {
        cluster.wait_for_successor(primary);
        Some(began.elapsed())
    };
    let takeover = match fault {
        Fault::Kill => {
            cluster.kill(primary);
            successor()
        }
        Fault::Pause => {
            cluster.pause(primary);
            successor()
        }
        Fault::CutFromEtcd => {
            cluster.cut_from_etcd(primary);
            successor()
        }
        // The command returns a while after the takeover.
        Fault::SwitchOver => thread::scope(|scope| {
            scope.spawn(|| cluster.switch_over());
            successor()
        }),
        Fault::Crash => {
            cluster.crash(primary);
            successor()
        }
        Fault::FillDisk => {
            cluster.fill_disk(primary);
            let has_taken_over = wait_for_a_takeover_or_an_operator(cluster, primary, writes);
            cluster.free_disk(primary);
            has_taken_over.then(|| began.elapsed())
        }
        Fault::CutFromNodes => {
            cluster.cut_from_clients(primary, rng.bool());
            wait_until_none_is_ready(nodes);
            assert!(cluster.is_primary(primary), "Patroni sees no fault");
            // The length of the cut is the drill's choice; only the way back is measured.
            writes.measure_from_here();
            cluster.rejoin_clients(primary);
            None
        }
    };
    wait_for_writes(writes, nodes);
    let without_writes = writes.longest_gap();
    match fault {
        Fault::Kill => cluster.start_again(primary),
        Fault::Pause => cluster.resume(primary),
        Fault::CutFromEtcd => cluster.rejoin_etcd(primary),
        Fault::SwitchOver | Fault::Crash | Fault::FillDisk | Fault::CutFromNodes => {}
    }
    Loss { fault, without_writes, takeover }
}

/// Whether another server took over from one with a full disk. Returns at the latest when writes have been impossible
/// for long.
fn wait_for_a_takeover_or_an_operator(cluster: &Patroni, primary: usize, writes: &Beat) -> bool {
    patience::answer("a full disk does not stop the writes", || {
        if !cluster.is_primary(primary) {
            cluster.wait_for_successor(primary);
            return Some(true);
        }
        (writes.longest_gap() >= DISK_FULL_FOR).then_some(false)
    })
}

/// Waits until every node is ready and so many more writes are answered.
fn wait_for_writes(writes: &Beat, nodes: &[Node]) {
    let goal = writes.count() + WRITES_AFTER;
    patience::until(|| format!("no writes: {}", nodes[0].log()), || writes.count() >= goal);
    wait_until_ready(nodes, 0);
}

/// Median and maximum, in seconds.
fn summary(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    match times.as_slice() {
        [] => "-".to_owned(),
        [.., max] => {
            let median = times[(times.len() - 1) / 2];
            format!("p50 {:.1} s, max {:.1} s", median.as_secs_f32(), max.as_secs_f32())
        }
    }
}

fn report(losses: &[Loss]) {
    let print = |name: &str, losses: &[&Loss]| {
        let gaps = losses.iter().map(|loss| loss.without_writes).collect();
        let takeovers: Vec<Duration> = losses.iter().filter_map(|loss| loss.takeover).collect();
        println!(
            "{name:<13} {:>3} times: without writes {}; Patroni took over in {} of them: {}",
            losses.len(),
            summary(gaps),
            takeovers.len(),
            summary(takeovers)
        );
    };
    for fault in FAULTS {
        let of_fault: Vec<&Loss> = losses.iter().filter(|loss| loss.fault == fault).collect();
        if !of_fault.is_empty() {
            print(&format!("{fault:?}"), &of_fault);
        }
    }
    let failovers: Vec<&Loss> = losses.iter().filter(|loss| loss.takeover.is_some()).collect();
    print("all takeovers", &failovers);
    let own =
        failovers.iter().map(|loss| loss.without_writes.saturating_sub(loss.takeover.unwrap_or_default()));
    println!("after the takeover the nodes needed {} (goal: p50 under 2 s)", summary(own.collect()));
}

/// The faults of a drill in their order, without those that this user may not inflict.
fn inflictable(has_disks: bool) -> Vec<Fault> {
    FAULTS.into_iter().filter(|fault| has_disks || *fault != Fault::FillDisk).collect()
}

#[test]
fn a_disk_that_cannot_be_mounted_is_not_counted_as_a_fault() {
    assert_eq!(inflictable(true), FAULTS);
    let without = inflictable(false);
    assert_eq!((without.len(), without.contains(&Fault::FillDisk)), (FAULTS.len() - 1, false));
}

#[test]
fn answered_writes_survive_every_way_to_lose_a_primary_under_patroni() {
    let plan = Plan::from_environment(1);
    let cluster = Patroni::start();
    let database = cluster.create_database();
    let url = cluster.url(&database);
    let urls = vec![url.clone(); NODES];
    let site = Site { first: &url, urls: &urls, flags: REPLICATED };
    let last = || cluster.primary_url(&database);
    let _venue = drill_with(&plan, &site, last, |nodes, writes, rng| {
        let mut losses = Vec::new();
        let faults = inflictable(cluster.has_disks());
        if faults.len() < FAULTS.len() {
            println!("no disk is filled, and none is counted: this user may not mount one");
        }
        for (number, fault) in (0..).zip(faults.iter().copied().cycle()) {
            if plan.is_over(number) {
                break;
            }
            cluster.wait_until_whole();
            wait_for_writes(writes, nodes);
            patience::let_run(Duration::from_millis(rng.u64(200..1_500)));
            let loss = lose(&cluster, fault, nodes, writes, rng);
            println!(
                "{number}: {fault:?}, without writes for {:.1} s, taken over after {:?}",
                loss.without_writes.as_secs_f32(),
                loss.takeover
            );
            losses.push(loss);
        }
        cluster.wait_until_whole();
        wait_for_writes(writes, nodes);
        report(&losses);
        for node in nodes {
            assert_eq!(node.starts(), 1, "the process was not restarted");
        }
    });
}
