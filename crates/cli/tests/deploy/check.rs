//! `bellwether check --production` on a running exchange: red lines on a fresh venue, green ones after they are dealt with,
//! and red again after a fault is planted. Faults of the machine are planted in the unit tests of `check`.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::exchange::{Environment, Exchange, command};

/// The lines whose result depends on the machine that runs the tests.
const OF_THE_MACHINE: [&str; 3] = ["clock", "descriptors", "disk-sync"];

struct Checked {
    code: Option<i32>,
    /// The first word of each line, by its name.
    lines: BTreeMap<String, String>,
    said: String,
}

impl Checked {
    #[track_caller]
    fn assert(&self, result: &str, names: &[&str]) {
        for name in names {
            assert_eq!(self.lines.get(*name).map(String::as_str), Some(result), "{name}: {}", self.said);
        }
    }
}

/// An exchange and the settings that it was started with.
struct Venue {
    exchange: Exchange,
    environment: Environment,
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl Venue {
    fn start(folder: &Path) -> Venue {
        Venue::start_with(folder, &words("bellwether serve"), &[])
    }

    fn start_with(folder: &Path, serve: &[String], more: &[(&str, &str)]) -> Venue {
        let data = folder.join("data");
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut environment = Environment::from([
            set("BELLWETHER_DATA", data.to_str().expect("a path of letters")),
            set("BELLWETHER_LISTEN", "127.0.0.1:0"),
            set("BELLWETHER_ADMIN_LISTEN", "127.0.0.1:0"),
            set("BELLWETHER_OPERATOR_TOKEN_FILE", data.join("operator.token").to_str().expect("a path")),
        ]);
        environment.extend(more.iter().map(|(name, value)| set(name, value)));
        let exchange = Exchange::start(&mut command(serve, &environment), &folder.join("log"));
        let address = |url: &str| url.trim_start_matches("http://").to_owned();
        environment.insert("BELLWETHER_LISTEN".to_owned(), address(&exchange.address));
        environment.insert("BELLWETHER_ADMIN_LISTEN".to_owned(), address(&exchange.admin_address));
        Venue { exchange, environment }
    }

    fn check(&self, flags: &str) -> Checked {
        let command =
            &mut command(&words(&format!("bellwether check --production {flags}")), &self.environment);
        let output = command.output().expect("an end");
        let said = String::from_utf8(output.stdout).expect("a text");
        let pair = |line: &str| {
            let mut words = line.split_whitespace().map(str::to_owned);
            Some((words.next()?, words.next()?))
        };
        let lines = said.lines().filter_map(pair).map(|(result, name)| (name, result)).collect();
        Checked { code: output.status.code(), lines, said }
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

#[test]
fn every_line_is_red_until_it_is_dealt_with_and_red_again_after_a_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, backups) = (folder.path().join("data"), folder.path().join("backups"));
    let venue = Venue::start(folder.path());
    let fresh = venue.check("");
    assert_eq!(fresh.code, Some(1), "{}", fresh.said);
    fresh.assert("RED", &["caps", "second-approver", "tls", "proxies", "backups", "standby"]);
    fresh.assert("green", &["token-files", "permissions"]);
    assert_eq!(fresh.said.lines().count(), 13, "twelve lines and a summary: {}", fresh.said);

    let hash = "ab".repeat(32);
    venue.exchange.admin(
        &format!("operators create --name ada --role approver --token-hash {hash}"),
        &venue.environment,
    );
    let policy = "policy set --two-required true --entry-max USD=1000 --entry-max NGN=1000000 --day-max USD=10000 --day-max NGN=10000000";
    venue.exchange.admin(policy, &venue.environment);
    let backup = format!("bellwether backup --to {}", backups.display());
    let output = command(&words(&backup), &venue.environment).output().expect("an end");
    assert!(output.status.success(), "{output:?}");

    let flags = format!("--secure-cookies --trusted-proxies 127.0.0.1 --backups {}", backups.display());
    let ready = venue.check(&flags);
    ready.assert(
        "green",
        &["caps", "second-approver", "token-files", "permissions", "tls", "proxies", "metrics", "backups"],
    );
    ready.assert("RED", &["standby"]);
    let accepted = format!("{flags} --accept standby,{}", OF_THE_MACHINE.join(","));
    let accepted = venue.check(&accepted);
    accepted.assert("accepted", &["standby"]);
    assert_eq!(accepted.code, Some(0), "{}", accepted.said);

    set_mode(&data.join("operator.token"), 0o644);
    venue.check(&flags).assert("RED", &["token-files", "permissions"]);
    set_mode(&data.join("operator.token"), 0o600);
    set_mode(&data.join("master.key"), 0o640);
    let open = venue.check(&flags);
    open.assert("green", &["token-files"]);
    open.assert("RED", &["permissions"]);
    set_mode(&data.join("master.key"), 0o600);
    fs::remove_dir_all(&backups).expect("removed");
    venue.check(&flags).assert("RED", &["backups"]);

    let environment = venue.environment.clone();
    assert_eq!(venue.exchange.stop().code(), Some(0));
    let output = command(&words("bellwether check --production"), &environment).output().expect("an end");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("does not answer"), "{said}");
}

#[test]
fn public_metrics_and_the_exchanges_own_limit_of_descriptors_are_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    // The limit of the command that checks is another one.
    let serve = ["/bin/sh", "-c", "ulimit -n 400 && exec bellwether serve"].map(str::to_owned);
    let public = ("BELLWETHER_PUBLIC_METRICS", "true");
    let mut venue = Venue::start_with(folder.path(), &serve, &[public]);
    // A proxy of the environment is not used: nothing listens there.
    venue.environment.insert("HTTP_PROXY".to_owned(), "http://127.0.0.1:9".to_owned());
    let few = venue.check("--streams-max 81");
    few.assert("RED", &["metrics", "descriptors"]);
    assert!(few.said.contains("the exchange may open 400 files"), "{}", few.said);
    assert!(few.said.contains("everyone can read"), "{}", few.said);
    venue.check("--streams-max 80").assert("green", &["descriptors"]);
    assert_eq!(venue.exchange.stop().code(), Some(0));
}

#[test]
fn without_the_flag_only_the_settings_are_checked() {
    let check =
        |flags: &str| command(&words(&format!("bellwether check {flags}")), &Environment::new()).output();
    assert_eq!(check("--streams-max 7").expect("an end").status.code(), Some(0));
    let refused = check("--streams-max 0").expect("an end");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("streams-max"), "{refused:?}");
}
