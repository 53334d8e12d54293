//! Runs the compose file: its databases by its scripts, its nodes by its commands, each awaited by its own health
//! check.

use std::fs::{self, File};
use std::process::{Child, Command, Stdio};
use std::thread;

use pgtest::{as_database_user, give_to_database_user};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use stage::demo::signed_headers;

use crate::compose::{Compose, Machine, Prepared};
use crate::exchange::{Environment, Exchange, command, exit_code, json_of};

/// A machine with slow disks makes two clusters, and a copy of one.
const NODES: [&str; 3] = ["node-1", "node-2", "node-3"];
const SYNCHRONOUS: &str = "SELECT application_name, state, sync_state FROM pg_stat_replication";

/// A running database; ended with the test.
struct Database {
    process: Child,
    prepared: Prepared,
}

impl Database {
    fn start(machine: &Machine, name: &str) -> Database {
        let mut prepared = machine.prepare(name, give_to_database_user);
        // Each container has the usual port to itself; here they share one machine.
        prepared.environment.insert("PGPORT".to_owned(), machine.ports[name].to_string());
        let log = File::create(prepared.folder.join("log")).expect("a log");
        let mut command = Database::command(&prepared, &prepared.words);
        let output = log.try_clone().expect("the same log");
        let process = command.stdout(output).stderr(log).spawn().expect("the service starts");
        Database { process, prepared }
    }

    /// A command inside of the service's container.
    fn command(prepared: &Prepared, words: &[String]) -> Command {
        let mut command = as_database_user(&words[0], &prepared.folder);
        command.args(&words[1..]).envs(&prepared.environment).stdin(Stdio::null());
        command
    }

    fn is_healthy(&self) -> bool {
        Database::command(&self.prepared, &self.prepared.health).output().expect("a check").status.success()
    }

    fn log(&self) -> String {
        fs::read_to_string(self.prepared.folder.join("log")).unwrap_or_default()
    }

    fn query(&self, sql: &str) -> String {
        let words = ["psql", "--dbname=postgres", "-XAtqc", sql].map(str::to_owned);
        let output = Database::command(&self.prepared, &words).output().expect("psql runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn end(&mut self) {
        // Fails if the process has already ended, which is fine.
        let _ = kill_process(Pid::from_child(&self.process), Signal::QUIT);
        let _ = self.process.wait();
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.end();
    }
}

#[track_caller]
fn wait_until(what: &str, is_so: impl FnMut() -> bool, log: impl Fn() -> String) {
    patience::until(|| format!("{what}: {}", log()), is_so);
}

/// Both databases, healthy by the file's checks; the standby is synchronous.
fn start_databases(machine: &Machine) -> (Database, Database) {
    let primary = Database::start(machine, "primary");
    let standby = Database::start(machine, "standby");
    wait_until("the primary", || primary.is_healthy(), || primary.log() + &standby.log());
    wait_until("the standby", || standby.is_healthy(), || standby.log());
    assert_eq!(primary.query(SYNCHRONOUS), "standby|streaming|quorum");
    assert_eq!(primary.query("SHOW synchronous_commit"), "on");
    (primary, standby)
}

/// A node of the file, healthy by the image's check.
fn start_node(machine: &Machine, name: &str) -> (Exchange, Environment) {
    let Prepared { folder, words, mut environment, health } = machine.prepare(name, |_| ());
    let node = Exchange::start(&mut command(&words, &environment), &folder.join("log"));
    // The port that it was given instead of the usual one.
    let listen = node.address.trim_start_matches("http://").to_owned();
    environment.insert("BELLWETHER_LISTEN".to_owned(), listen);
    let is_healthy = || command(&health, &environment).output().expect("a check").status.success();
    wait_until(name, is_healthy, || node.log());
    (node, environment)
}

/// A user with an account, money and a key, and a market to trade on.
struct Trader {
    public: String,
    secret: String,
    path: String,
    yes: Value,
}

fn post(url: &str, headers: &[(&str, String)], body: &Value) -> (u16, u64, Value) {
    let mut request = ureq::post(url).config().http_status_as_error(false).build();
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let response = request.send(serde_json::to_vec(body).expect("JSON")).expect("an answer");
    let sequence = response.headers().get("x-sequence").and_then(|value| value.to_str().ok()?.parse().ok());
    (response.status().as_u16(), sequence.unwrap_or_default(), json_of(response))
}

impl Trader {
    /// Sets up everything through one node, as an operator and as the trader.
    fn meet(node: &Exchange, environment: &Environment) -> Trader {
        node.admin("users create --email ada@example.org --tag ada_trades", environment);
        node.admin("users credit ada_trades --currency USD --amount 100 --reference first", environment);
        node.admin("events create --slug rain --title Rain? --category weather", environment);
        node.admin("events open rain", environment);
        let login = json!({"email": "ada@example.org", "password": "correct horse battery"});
        let (status, _, session) = post(&format!("{}/v1/user/login", node.address), &[], &login);
        assert_eq!(status, 200, "{session}");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let headers =
            [("x-auth-token", text(&session["token"])), ("x-device-id", text(&session["deviceId"]))];
        let keys = format!("{}/v1/user/me/api-keys", node.address);
        let (status, _, key) = post(&keys, &headers, &json!({"name": "first"}));
        assert_eq!(status, 201, "{key}");
        let event = ureq::get(format!("{}/v1/pm/events/slug/rain", node.address)).call();
        let event = json_of(event.expect("an answer"));
        let market = &event["markets"][0];
        Trader {
            public: text(&key["publicKey"]),
            secret: text(&key["secretKey"]),
            path: format!("/v1/pm/events/{}/markets/{}/orders", text(&event["id"]), text(&market["id"])),
            yes: market["outcome1Id"].clone(),
        }
    }

    /// Sends an order, once.
    fn place(&self, name: &str, at: &Exchange) -> (u16, u64, Value) {
        let order =
            json!({"side": "BUY", "outcomeId": self.yes, "type": "LIMIT", "price": 0.2, "amount": 10});
        let body = serde_json::to_vec(&order).expect("JSON");
        let signed = signed_headers(&self.public, &self.secret, "POST", &self.path, &body);
        let headers = [&signed[..], &[("Idempotency-Key", name.to_owned())]].concat();
        post(&format!("{}{}", at.address, self.path), &headers, &order)
    }

    /// Places an order at one node and finds it at another. Retries while no node can write, as a trader would.
    fn trade(&self, name: &str, at: &Exchange, read_at: &Exchange) {
        let mut answer = (503, 0, Value::Null);
        let send = || {
            answer = self.place(name, at);
            answer.0 != 503
        };
        wait_until(name, send, || at.log());
        let (status, sequence, placed) = answer;
        assert_eq!(status, 200, "{placed}: {}", at.log());
        let id = placed["order"]["id"].as_str().expect("an id");
        let found = ureq::get(format!("{}/v1/pm/orders?status=open", read_at.address))
            .header("X-Public-Key", &self.public)
            .header("X-Wait-For-Sequence", sequence.to_string())
            .call();
        let found = json_of(found.expect("an answer"));
        let orders = found["orders"].as_array().expect("orders");
        assert!(orders.iter().any(|order| order["id"] == id), "{id} is not in {found}");
    }
}

/// Runs the backup of the guide, while a node serves.
fn back_up(machine: &Machine, node: &str, environment: &Environment) {
    let log = "postgres://bellwether@primary,standby/bellwether?sslmode=disable";
    let copy = format!("journal copy {log} /var/lib/bellwether/backup");
    for arguments in [&*copy, "verify --data /var/lib/bellwether/backup"] {
        let arguments = machine.mapped(node, arguments);
        let words: Vec<&str> = arguments.split(' ').collect();
        assert_eq!(exit_code(&words, environment), Some(0), "{arguments}");
    }
}

#[test]
fn the_compose_file_is_a_venue_that_survives_a_node_and_its_primary() {
    let machine = Machine::new();
    let (mut primary, mut standby) = start_databases(&machine);
    let nodes = thread::scope(|scope| {
        let starting = NODES.map(|name| scope.spawn(|| start_node(&machine, name)));
        starting.map(|node| node.join().expect("a healthy node"))
    });
    let [(first, environment), (second, environment_of_second), (third, _)] = nodes;
    let trader = Trader::meet(&first, &environment);
    trader.trade("first", &first, &second);
    trader.trade("second", &third, &first);
    first.kill();
    trader.trade("without-a-node", &second, &third);
    back_up(&machine, "node-2", &environment_of_second);

    primary.end();
    // The failover command of the guide.
    let promoted = standby.query("SELECT pg_promote()");
    assert_eq!(promoted, "t");
    // An answered write must be on two servers, and there is only one.
    let unfit = "synchronous_standby_names is ''";
    wait_until(unfit, || third.log().contains(unfit), || third.log());
    assert_eq!(trader.place("without-a-standby", &third).0, 503);
    // The old primary's volume is removed and the roles are exchanged: the promoted server is the primary, a new copy
    // its standby.
    standby.end();
    let (old, new) = (&primary.prepared.environment["PGDATA"], &standby.prepared.environment["PGDATA"]);
    fs::remove_dir_all(old).and_then(|()| fs::rename(new, old)).expect("volumes that are exchanged");
    let (_primary, _standby) = start_databases(&machine);
    trader.trade("without-a-standby", &third, &second);
    for node in [second, third] {
        assert_eq!(node.stop().code(), Some(0), "the log gives the state that was served");
    }
}

#[test]
fn the_compose_file_waits_for_a_synchronous_standby_and_is_reached_from_this_machine_alone() {
    let compose = Compose::read();
    let nodes = compose.services.iter().filter(|(name, _)| name.starts_with("node-"));
    let mut ports = Vec::new();
    for (name, node) in nodes {
        assert_eq!(node.depends_on["primary"].condition, "service_healthy", "{name}");
        assert_eq!((&*node.image, &*node.restart), ("bellwether", "no"), "{name}");
        assert!(node.healthcheck.is_none(), "{name} uses the image's health check");
        ports.extend(node.ports.clone());
    }
    assert_eq!(ports, ["127.0.0.1:8080:8080", "127.0.0.1:8180:8080", "127.0.0.1:8280:8080"]);
    assert!(compose.services.values().all(|service| !service.image.contains('/')), "no registry is named");
    let databases = ["primary", "standby"].map(|name| &compose.services[name]);
    assert!(databases.iter().all(|database| database.ports.is_empty()), "databases publish no port");
    assert!(databases.iter().all(|database| database.healthcheck.is_some()));
}
