//! `bellwether watch` as a process of its own, next to a running demo.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use patience::PATIENCE;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use stage::demo::{Demo, market};

const SLUG: &str = "rain-in-lagos-on-new-years-day";

/// A watching process and the lines that it prints.
struct Watch {
    process: Child,
    lines: Receiver<String>,
}

impl Watch {
    /// Its output is no terminal, so it prints lines.
    fn start(arguments: &[&str], folder: &Path) -> Watch {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
        command.arg("watch").args(arguments).arg("--data").arg(folder).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the executable starts");
        let output = BufReader::new(process.stdout.take().expect("an output"));
        let (told, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| told.send(line)));
        Watch { process, lines }
    }

    /// The next line that begins like this.
    fn until(&self, beginning: &str) -> String {
        let [line] = self.until_all([beginning]);
        line
    }

    /// The next line for each of these beginnings, in any order: there are two connections.
    fn until_all<const N: usize>(&self, beginnings: [&str; N]) -> [String; N] {
        let began = Instant::now();
        let mut found = [const { None }; N];
        let mut seen = Vec::new();
        while found.iter().any(Option::is_none) {
            let left = PATIENCE.saturating_sub(began.elapsed());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("not all of {beginnings:?} came: {seen:#?}");
            };
            let place = (0..N).find(|place| found[*place].is_none() && line.starts_with(beginnings[*place]));
            match place {
                Some(place) => found[place] = Some(line),
                None => seen.push(line),
            }
        }
        found.map(Option::unwrap_or_default)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_trade_and_ones_own_order_are_seen_as_they_happen_and_a_signal_ends_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (path, yes) = market(&demo, SLUG);
    let mut watch = Watch::start(&[SLUG, "--plain", "--depth", "2"], folder.path());
    assert!(watch.until("market ").contains("(YES, USD)"));
    let [_, _, status, book] = watch.until_all(["connected market", "connected orders", "status ", "book "]);
    assert_eq!(status, "status open");
    assert!(book.contains("bids ") && book.contains(" | asks "), "{book}");

    let rested = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10});
    let (status, rested) = demo.post_signed(&path, &rested);
    assert_eq!(status, 200, "{rested}");
    let id = rested["order"]["id"].as_str().expect("an id");
    let told = watch.until(&format!("order {id} "));
    // Shown by the stream or by the initial read of resting orders, depending on which is first.
    let ways =
        ["PLACED", "RESTING"].map(|way| format!("BUY YES @ 0.2 USD OPEN remaining 50 filled 0 ({way})"));
    assert!(ways.iter().any(|way| told.contains(way)), "{told}");

    let taken = json!({"side": "BUY", "outcomeId": yes, "type": "MARKET", "amount": 10, "currency": "USD"});
    let (status, taken) = demo.post_signed(&path, &taken);
    assert_eq!((status, taken["order"]["status"].as_str()), (200, Some("filled")), "{taken}");
    let trade = watch.until("trade ");
    let price = &taken["order"]["avgFillPrice"];
    assert!(
        trade.contains(" BUY ") && trade.contains(" YES @ ") && trade.ends_with(" USD"),
        "{trade} {price}"
    );
    kill_process(Pid::from_child(&watch.process), Signal::INT).expect("a signal");
    assert!(watch.process.wait().expect("an end").success());
}

#[test]
fn orders_that_already_rest_are_shown_and_a_lost_connection_is_reopened() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (path, yes) = market(&demo, SLUG);
    let rested = json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.2, "amount": 10});
    let (_, rested) = demo.post_signed(&path, &rested);
    let id = rested["order"]["id"].as_str().expect("an id").to_owned();
    let address = demo.text("/baseUrl").trim_start_matches("http://").to_owned();
    let market_id = path.split('/').nth(6).expect("a market").to_owned();
    let watch = Watch::start(&[&market_id], folder.path());
    assert!(watch.until(&format!("order {id} ")).contains("(RESTING)"));
    assert_eq!(demo.terminate().code(), Some(0));
    assert!(watch.until("lost market").contains("again in"));
    let again = Demo::started(
        folder.path(),
        Command::new(env!("CARGO_BIN_EXE_bellwether"))
            .args(["demo", "--no-bots", "--admin-listen", "127.0.0.1:0", "--listen", &address, "--data"])
            .arg(folder.path())
            .stdout(Stdio::null()),
    );
    watch.until_all(["connected market", &format!("order {id} ")]);
    drop(again);
}

#[test]
fn an_unknown_or_ambiguous_market_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (_, list) = demo.get("/v1/pm/events?size=100&type=combined");
    let several = list["events"][0]["slug"].as_str().expect("a slug");
    for (wanted, expected) in [
        ("no-such-event", "not found"),
        ("no such event", "there is no market or event"),
        ("00000000-0000-0000-0000-000000000001", "there is no market or event"),
        (several, "name one of them"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
        let output = command.args(["watch", wanted, "--data"]).arg(folder.path()).output().expect("an end");
        let said = String::from_utf8_lossy(&output.stderr).to_lowercase();
        assert!(!output.status.success() && said.contains(expected), "{wanted}: {said}");
    }
}
