//! A database that is away, slow, or there twice; and a full disk of a node that has its log in the database.

use std::io::Write;
use std::process::{Command, Stdio};

use pgtest::{Proxy, Server};

use crate::exchange::{Running, Venue};
use crate::planting::SmallDisk;

/// A node of a venue, in a folder of its own.
fn node<'a>(venue: &'a Venue, name: &str, url: &str, flags: &[&str]) -> Running<'a> {
    let folder = venue.node_folder(name);
    let flags = [&["--journal", url], flags].concat();
    venue.start(&mut venue.command(&[], &folder, &flags)).expect("it serves")
}

/// Waits until the node writes nothing and says so.
#[track_caller]
fn wait_until_without_log(node: &Running<'_>) {
    node.wait_for_reason("log_age");
    patience::until("writes are refused", || node.metric("bellwether_writer_accepting") == 0.0);
    assert!(node.metric("bellwether_log_age_seconds") > 2.0);
}

/// Checks a scrape with the tool of Prometheus.
fn check_metrics(scraped: &str) {
    let mut promtool = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("promtool, of the Debian package prometheus");
    promtool.stdin.take().expect("its input").write_all(scraped.as_bytes()).expect("a reader");
    let output = promtool.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
}

#[test]
fn a_node_without_its_database_reads_refuses_writes_and_continues_by_itself() {
    let mut server = Server::start(&[]);
    let url = server.url(&server.create_database());
    let venue = Venue::on(&url);
    let node = node(&venue, "node", &url, &[]);
    let order = node.place();
    let gaps = node.metric("bellwether_log_gaps_total");
    let disconnects = node.metric("bellwether_log_disconnects_total");
    assert!(node.metric("bellwether_log_offers_total") > 0.0, "the order was offered to the log");
    assert_eq!(node.metric("bellwether_log_lost_races_total"), 0.0, "no other node writes");
    patience::until("all of the log is applied", || node.metric("bellwether_log_lag") == 0.0);
    check_metrics(&node.scrape().expect("metrics"));

    server.kill();
    wait_until_without_log(&node);
    let (status, refused) = node.try_place_at(0).expect("an answer");
    assert_eq!((status, refused["outcome"].as_str()), (503, None), "nothing was written: {refused}");
    assert_eq!(node.order(&order), "open", "reads continue");
    assert!(node.log().contains("the log's database is unavailable"), "{}", node.log());

    server.launch();
    node.wait_until_ready();
    node.place();
    assert!(node.metric("bellwether_log_gaps_total") > gaps);
    assert!(node.metric("bellwether_log_disconnects_total") > disconnects);
    assert!(node.log().contains("the log's database is back"), "{}", node.log());
    node.stop();
}

#[test]
fn a_slow_database_shows_in_the_time_of_commits() {
    let server = Server::start(&[]);
    let database = server.create_database();
    let venue = Venue::on(&server.url(&database));
    let node = node(&venue, "node", &server.url(&database), &[]);
    node.place();
    server.execute(
        &database,
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS \
         'BEGIN PERFORM pg_sleep(0.2); RETURN NEW; END'; \
         CREATE TRIGGER wait BEFORE INSERT ON bellwether_frames FOR EACH ROW EXECUTE FUNCTION wait()",
    );
    let (quick_before, before) = node.commits();
    (0..3).for_each(|_| drop(node.place()));
    let (quick, all) = node.commits();
    assert!(all >= before + 3.0, "orders were written");
    assert_eq!(quick, quick_before, "no commit took less than 0.1 s");
    node.stop();
}

#[test]
fn of_two_primaries_neither_accepts_a_write_until_one_has_a_standby_and_the_other_is_gone() {
    let mut old = Server::start(&["synchronous_standby_names = 'ANY 1 (*)'", "wal_level = replica"]);
    let new = old.start_standby("second");
    let database = old.create_database();
    let venue = Venue::on(&old.url(&database));
    let proxies = [Proxy::start(old.port()), Proxy::start(old.port())];
    let urls = proxies.each_ref().map(|proxy| proxy.url(&database));
    let nodes = [0, 1]
        .map(|number| node(&venue, &format!("node-{number}"), &urls[number], &["--require-replicas=1"]));
    let order = nodes[0].place();
    patience::until("the order is at both nodes", || {
        let sequence = |node: &Running<'_>| node.metric("bellwether_sequence");
        sequence(&nodes[0]) == sequence(&nodes[1])
    });

    // The standby takes over, although the old primary still runs and one node still reaches it.
    new.promote();
    proxies[1].redirect_to(new.port());
    proxies[1].cut();
    let (status, unknown) = nodes[0].try_place_at(0).expect("an answer");
    assert_eq!((status, unknown["outcome"].as_str()), (503, Some("unknown")), "{unknown}");
    for node in &nodes {
        wait_until_without_log(node);
        assert!(node.log().contains("standby"), "{}", node.log());
        assert_eq!(node.order(&order), "open", "reads continue");
    }

    old.kill();
    let _third = new.start_standby("third");
    proxies[0].redirect_to(new.port());
    proxies[0].cut();
    for node in &nodes {
        node.wait_until_ready();
        let placed = node.place();
        assert_eq!(node.order(&placed), "open");
    }
    nodes.into_iter().for_each(Running::stop);
}

#[test]
fn a_node_of_a_shared_log_is_not_ready_while_its_own_disk_is_nearly_full() {
    let server = Server::start(&[]);
    let url = server.url(&server.create_database());
    let venue = Venue::on(&url);
    let (folder, disk) = (venue.node_folder("node"), SmallDisk::new(venue.path("disk"), 64));
    let flags = ["--journal", &url, "--low-disk-mib=8"];
    let mut command = venue.command(&disk.wrapper(&folder, ":"), disk.path(), &flags);
    let node = venue.start(&mut command).expect("it serves");
    node.place();
    assert_eq!((node.ready(), node.metric("bellwether_disk_low")), ((200, Vec::new()), 0.0));

    let filler = disk.fill(node.pid());
    node.wait_for_reason("disk_low");
    assert_eq!(node.metric("bellwether_disk_low"), 1.0);
    assert_eq!(node.metric("bellwether_cancel_only"), 0.0, "the venue trades on");
    let order = node.place();
    assert!(node.log().contains("the disk is nearly full: this node is not ready"), "{}", node.log());

    std::fs::remove_file(filler).expect("room");
    node.wait_until_ready();
    assert_eq!(node.metric("bellwether_disk_low"), 0.0);
    assert_eq!(node.order(&order), "open");
    node.stop();
}
