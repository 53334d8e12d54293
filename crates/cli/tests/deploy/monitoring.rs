//! `deploy/monitoring`: the rules pass `promtool`, every alert has a planted fault and a runbook, every metric that a file
//! names exists, and Prometheus scrapes a running demo.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::Value;
use stage::demo::Demo;

use crate::{deployed, root};

const REFERENCE: &str = include_str!("../../../../docs/operating/reference.md");
const RUNBOOK: &str = include_str!("../../../../docs/operating/monitoring.md");
const FILES: [&str; 4] = ["alerts.yml", "alerts_test.yml", "service.json", "venue.json"];

fn monitoring(name: &str) -> String {
    deployed(&format!("monitoring/{name}"))
}

fn promtool(arguments: &[&str]) {
    let output = Command::new("promtool")
        .args(arguments)
        .current_dir(root().join("deploy/monitoring"))
        .output()
        .expect("promtool, of the Debian package prometheus");
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "promtool {arguments:?}: {said}");
}

/// The words behind a key of YAML.
fn values(text: &str, key: &str) -> BTreeSet<String> {
    text.lines()
        .filter_map(|line| line.trim_start().trim_start_matches("- ").strip_prefix(key))
        .map(|value| value.trim().to_owned())
        .collect()
}

/// The names of metrics in a text, without the endings of a histogram's series.
fn metrics_in(text: &str) -> BTreeSet<String> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words = text.split(|character| !is_part(character));
    let metrics = words.filter(|word| word.starts_with("bellwether_") || word.starts_with("process_"));
    metrics
        .map(|name| {
            let end = ["_bucket", "_sum", "_count"].into_iter().find(|end| name.ends_with(end));
            name.trim_end_matches(end.unwrap_or_default()).to_owned()
        })
        .collect()
}

#[test]
fn the_rules_are_valid_and_each_planted_fault_fires_its_alert() {
    promtool(&["check", "config", "prometheus.yml"]);
    promtool(&["check", "rules", "alerts.yml"]);
    promtool(&["test", "rules", "alerts_test.yml"]);
}

#[test]
fn every_alert_has_a_planted_fault_and_a_runbook() {
    let alerts = values(&monitoring("alerts.yml"), "alert:");
    assert!(alerts.len() >= 20, "{alerts:?}");
    let planted = values(&monitoring("alerts_test.yml"), "alertname:");
    assert_eq!(planted, alerts);
    for alert in alerts {
        assert!(RUNBOOK.contains(&format!("\n### {alert}\n")), "monitoring.md lacks {alert}");
        let anchor = format!("docs/operating/monitoring.md#{}", alert.to_lowercase());
        assert!(monitoring("alerts.yml").contains(&anchor), "{alert} names its runbook");
    }
}

#[test]
fn every_metric_that_a_dashboard_or_rule_names_is_in_the_reference() {
    let mut named = BTreeSet::new();
    for file in FILES {
        let metrics = metrics_in(&monitoring(file));
        assert!(!metrics.is_empty(), "{file}");
        named.extend(metrics);
    }
    assert!(named.len() >= 50, "{named:?}");
    // The reference itself is compared with the source.
    let missing: Vec<_> = named.iter().filter(|name| !REFERENCE.contains(&format!("| `{name}` |"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_panel_of_a_dashboard_has_a_place_and_a_query() {
    for file in ["service.json", "venue.json"] {
        let board: Value = serde_json::from_str(&monitoring(file)).expect("JSON");
        let panels = board["panels"].as_array().expect("panels");
        assert!(panels.len() >= 12, "{file}");
        let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_u64().expect("an id")).collect();
        assert_eq!(ids.len(), panels.len(), "{file}: ids are unique");
        for panel in panels {
            let place = &panel["gridPos"];
            let right = place["x"].as_u64().expect("x") + place["w"].as_u64().expect("w");
            assert!(right <= 24, "{panel}");
            let targets = panel["targets"].as_array().expect("queries");
            assert!(!targets.is_empty(), "{panel}");
            assert!(targets.iter().all(|target| target["expr"].as_str().is_some_and(|e| !e.is_empty())));
        }
    }
}

/// The queries of all panels.
fn dashboard_queries() -> Vec<String> {
    let mut queries = Vec::new();
    for file in ["service.json", "venue.json"] {
        let board: Value = serde_json::from_str(&monitoring(file)).expect("JSON");
        let panels = board["panels"].as_array().expect("panels");
        let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().expect("queries"));
        queries.extend(targets.map(|target| target["expr"].as_str().expect("a query").to_owned()));
    }
    queries
}

/// A Prometheus that scrapes one address; killed at the end of a test.
struct Prometheus {
    process: Child,
    address: String,
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Prometheus {
    fn start(folder: &std::path::Path, target: &str) -> Prometheus {
        let rules = root().join("deploy/monitoring/alerts.yml");
        let config = monitoring("prometheus.yml")
            .replace("127.0.0.1:8081", target)
            .replace("15s", "1s")
            .replace("alerts.yml", &rules.canonicalize().expect("the rules").display().to_string());
        fs::write(folder.join("prometheus.yml"), config).expect("a file");
        let mut process = Command::new("prometheus")
            .arg(format!("--config.file={}", folder.join("prometheus.yml").display()))
            .arg(format!("--storage.tsdb.path={}", folder.join("prometheus").display()))
            .arg("--web.listen-address=127.0.0.1:0")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("prometheus, of the Debian package of this name");
        let mut log = BufReader::new(process.stderr.take().expect("its log")).lines().map_while(Result::ok);
        let address =
            log.find_map(|line| Some(line.split_once("msg=\"Listening on\" address=")?.1.to_owned()));
        // Read on, so that it never finds the pipe closed.
        thread::spawn(move || log.for_each(drop));
        Prometheus { process, address: address.expect("an address") }
    }

    /// The response to a query, whatever its status. `None` if there is none yet.
    fn ask(&self, query: &str) -> Option<Value> {
        let url = format!("http://{}/api/v1/query", self.address);
        let request = ureq::get(url).query("query", query);
        let mut answer = request.config().http_status_as_error(false).build().call().ok()?;
        // While Prometheus starts, its answers are not JSON.
        serde_json::from_str(&answer.body_mut().read_to_string().ok()?).ok()
    }

    /// The value of the first result of a query, if there is one.
    fn query(&self, query: &str) -> Option<f64> {
        self.ask(query)?.pointer("/data/result/0/value/1")?.as_str()?.parse().ok()
    }

    fn wait_for(&self, query: &str, is_right: impl Fn(f64) -> bool) {
        let complaint = || format!("{query} is {:?}", self.query(query));
        patience::until(complaint, || self.query(query).is_some_and(&is_right));
    }
}

#[test]
fn prometheus_scrapes_a_running_demo_and_nothing_is_wrong_with_its_metrics() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start_with(&folder.path().join("data"), &["--no-bots", "--low-disk-mib=0"]);
    let admin = demo.text("/adminUrl").to_owned();
    let mut answer = ureq::get(format!("{admin}/metrics")).call().expect("metrics");
    let text = answer.body_mut().read_to_string().expect("a text");
    let file = folder.path().join("metrics");
    File::create(&file).and_then(|mut file| file.write_all(text.as_bytes())).expect("a file");
    let checked = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(File::open(&file).expect("a file"))
        .output()
        .expect("promtool, of the Debian package prometheus");
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && said.is_empty(), "{said}");

    let prometheus = Prometheus::start(folder.path(), admin.trim_start_matches("http://"));
    prometheus.wait_for("up{job=\"bellwether\"}", |up| up == 1.0);
    prometheus.wait_for("bellwether_sequence", |sequence| sequence > 0.0);
    prometheus.wait_for("bellwether_ready", |ready| ready == 1.0);
    prometheus.wait_for("count(ALERTS{alertname=\"BellwetherDown\"}) or vector(0)", |count| count == 0.0);
    prometheus.wait_for("sum(bellwether_http_requests_total{route=\"/metrics\",class=\"2xx\"})", |count| {
        count > 1.0
    });
    let queries = dashboard_queries();
    assert!(queries.len() >= 50, "{}", queries.len());
    for query in queries {
        let answer = prometheus.ask(&query.replace("$instance", ".*")).expect("an answer");
        assert_eq!(answer["status"], "success", "{query}: {answer}");
    }
    let wrong = prometheus.ask("rate(bellwether_sequence)").expect("an answer");
    assert_eq!(wrong["status"], "error", "a query that is not one is refused: {wrong}");
    assert_eq!(demo.terminate().code(), Some(0));
    prometheus.wait_for("up{job=\"bellwether\"}", |up| up == 0.0);
}
