//! A process without descriptors, without memory, or killed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt;
use std::time::Instant;

use patience::PATIENCE;
use rustix::process::Signal;

use crate::exchange::{Venue, metric_in};
use crate::planting::{forbid_memory, limit_descriptors};

/// Between two lines about connections that could not be accepted.
const FAILURE_LINE_SECONDS: u64 = 10;

/// A connection that stays open.
struct Kept(BufReader<TcpStream>);

impl Kept {
    fn open(address: &str) -> Kept {
        let stream = TcpStream::connect(address.trim_start_matches("http://")).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a bound");
        Kept(BufReader::new(stream))
    }

    /// The body of a response.
    fn get(&mut self, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nhost: test\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes()).expect("a request");
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).expect("a head") > 0, "the connection was closed");
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).expect("a body");
        String::from_utf8(body).expect("a text")
    }

    /// Waits until a metric is not 0.
    fn wait_for(&mut self, name: &str) {
        patience::until(|| format!("{name} stays 0"), || self.metric(name) != 0.0);
    }

    #[track_caller]
    fn metric(&mut self, name: &str) -> f64 {
        let text = self.get("/metrics");
        metric_in(&text, name).unwrap_or_else(|| panic!("{name} in {text}"))
    }
}

/// The number of withheld lines in each line about a connection that could not be accepted.
fn withheld_failures(log: &str) -> impl Iterator<Item = u64> {
    let lines = log.lines().filter(|line| line.contains("cannot accept connections"));
    lines.map(|line| {
        let (_, rest) = line.split_once("withheld=").expect("a number");
        rest.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
    })
}

#[test]
fn without_descriptors_connections_wait_and_everything_continues_when_some_are_free() {
    let venue = Venue::new();
    let running = venue.serve(&[]);
    running.place();
    let (mut operator, mut reader) = (Kept::open(&running.admin), Kept::open(&running.address));
    assert_eq!(operator.metric("bellwether_accept_failures_total"), 0.0);
    assert!(operator.metric("process_open_fds") / operator.metric("process_max_fds") < 0.8);
    assert!(reader.get("/ready").contains("\"ready\":true"));

    let began = Instant::now();
    let usual = limit_descriptors(running.pid(), Some(3));
    let waiting = TcpStream::connect(running.address.trim_start_matches("http://")).expect("a connection");
    operator.wait_for("bellwether_accept_failures_total");
    // The segments of history are written with the next snapshot, and the second line about connections says how many
    // failures had none. Both connections are used meanwhile: an idle one is closed.
    patience::until(
        || running.log(),
        || {
            let ready = reader.get("/ready");
            let is_stopped = operator.metric("bellwether_history_stopped") == 1.0;
            let has_number = withheld_failures(&running.log()).any(|count| count > 0);
            is_stopped && has_number && ready.contains("history_stopped")
        },
    );
    assert_eq!(operator.metric("bellwether_writer_failed"), 0.0);
    let lines = withheld_failures(&running.log()).count() as u64;
    let allowed = began.elapsed().as_secs() / FAILURE_LINE_SECONDS + 1;
    assert!(lines <= allowed, "{lines} lines, {allowed} are allowed: {}", running.log());
    let withheld: u64 = withheld_failures(&running.log()).sum();
    assert!(operator.metric("bellwether_accept_failures_total") >= (lines + withheld) as f64);

    limit_descriptors(running.pid(), usual);
    running.wait_until_ready();
    patience::until("history is written", || running.metric("bellwether_history_stopped") == 0.0);
    drop(waiting);
    let order = running.place();
    assert_eq!(running.order(&order), "open");
    running.stop();
}

#[test]
fn a_process_that_runs_out_of_memory_ends_and_loses_nothing() {
    let venue = Venue::new();
    // Without this limit the allocator reserves far more address space than it uses.
    let wrapper = ["sh", "-c", "ulimit -Sv 600000 && exec \"$@\"", "sh"];
    let mut running = venue.start(&mut venue.command(&wrapper, &venue.data(), &[])).expect("it serves");
    assert!(running.metric("process_resident_memory_bytes") < 8e9);
    let order = running.place();

    forbid_memory(running.pid());
    let began = Instant::now();
    while !running.has_ended() {
        assert!(began.elapsed() < PATIENCE, "it lives without memory");
        // A login needs much memory, to check a password.
        running.log_in("nobody@example.org", "a wrong password");
    }
    let ended = running.wait();
    assert_eq!(ended.status.signal(), Some(Signal::ABORT.as_raw()), "{}", ended.log);
    assert!(ended.log.contains("memory"), "{}", ended.log);

    let running = venue.serve(&[]);
    assert_eq!(running.order(&order), "open");
    running.stop();
}
