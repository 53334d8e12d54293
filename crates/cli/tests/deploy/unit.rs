//! `deploy/bellwether.service` and `deploy/bellwether.env`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Output};

use patience::PATIENCE;
use rustix::process::Signal;

use crate::exchange::{Environment, Exchange, command, exit_code};
use crate::{deployed, mapped};

/// On systemd's scale, which ends at 10, times ten. The rest is due to the network, which an exchange needs.
const EXPOSURE_MAX: &str = "--threshold=15";

/// The words of a setting of the unit, of all its lines.
fn setting(name: &str) -> Vec<String> {
    setting_of("bellwether.service", name)
}

fn setting_of(unit: &str, name: &str) -> Vec<String> {
    let unit = deployed(unit);
    let values = unit.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    values.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

/// Where the unit's paths and ports are in a test.
fn table(folder: &Path) -> [(&'static str, String); 6] {
    let below = |path: &str| folder.join(path).display().to_string();
    [
        ("/usr/bin/bellwether", env!("CARGO_BIN_EXE_bellwether").to_owned()),
        ("/var/lib/bellwether", below("data")),
        ("/etc/bellwether", below("settings")),
        ("%S/bellwether", below("data")),
        ("127.0.0.1:8080", "127.0.0.1:0".to_owned()),
        ("127.0.0.1:8081", "127.0.0.1:0".to_owned()),
    ]
}

/// Names and values of the environment file; with those behind a `#`, or without.
fn variables(text: &str, is_whole: bool) -> Environment {
    let lines = text.lines().map(|line| if is_whole { line.trim_start_matches('#') } else { line });
    let settings = lines.filter(|line| line.starts_with("BELLWETHER_"));
    settings
        .map(|line| line.split_once('=').expect("NAME=value"))
        .map(|(n, v)| (n.into(), v.into()))
        .collect()
}

/// The unit's command with these variables, on a folder.
fn unit_command(folder: &Path, is_whole: bool) -> Command {
    let table = table(folder);
    let file = setting("EnvironmentFile").pop().expect("an environment file");
    let file = deployed(Path::new(&file).file_name().and_then(|name| name.to_str()).expect("a name"));
    let mut environment = variables(&mapped(&file, &table), is_whole);
    // The variables of a shared log need a database: the compose file tests them.
    environment.retain(|name, _| !is_of_shared_log(name));
    // With TLS the address is another: `tls.rs` tests it.
    environment.retain(|name, _| !name.starts_with("BELLWETHER_TLS_"));
    let words: Vec<String> = setting("ExecStart").iter().map(|word| mapped(word, &table)).collect();
    command(&words, &environment)
}

fn is_of_shared_log(name: &str) -> bool {
    name.starts_with("BELLWETHER_JOURNAL")
        || ["BELLWETHER_REQUIRE_REPLICAS", "BELLWETHER_CHECKPOINT_SECONDS"].contains(&name)
}

/// `systemd-analyze` on the unit, as if the executable were installed.
fn analyze(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let unit = folder.path().join("bellwether.service");
    fs::write(&unit, mapped(&deployed("bellwether.service"), &table(folder.path())[..1])).expect("a unit");
    let mut command = Command::new("systemd-analyze");
    command
        .args(arguments)
        .arg(&unit)
        .env("SYSTEMD_COLORS", "0")
        .output()
        .expect("systemd-analyze is installed")
}

#[test]
fn systemd_accepts_every_line_of_the_unit() {
    let output = analyze(&["verify", "--man=no"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.is_empty(), "{said}");
}

#[test]
fn systemd_accepts_every_line_of_the_backup_unit() {
    let folder = tempfile::tempdir().expect("a folder");
    let unit = folder.path().join("bellwether-backup.service");
    fs::write(&unit, mapped(&deployed("bellwether-backup.service"), &table(folder.path())[..1]))
        .expect("a unit");
    let mut verify = Command::new("systemd-analyze");
    let output =
        verify.args(["verify", "--man=no"]).arg(&unit).output().expect("systemd-analyze is installed");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.is_empty(), "{said}");
}

#[test]
fn the_unit_is_exposed_to_little_more_than_the_network() {
    let output = analyze(&["security", "--offline=true", "--no-pager", EXPOSURE_MAX]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("Overall exposure level for bellwether.service"), "{said}");
}

#[test]
fn the_unit_serves_notifies_readiness_and_stops_on_request() {
    assert_eq!(setting("Type"), ["notify"]);
    let folder = tempfile::tempdir().expect("a folder");
    let socket = UnixDatagram::bind(folder.path().join("notify")).expect("a socket");
    socket.set_read_timeout(Some(PATIENCE)).expect("a bound");
    let heard = || {
        let mut buffer = [0; 64];
        let length = socket.recv(&mut buffer).expect("a notification in time");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    };
    let mut command = unit_command(folder.path(), false);
    command.env("NOTIFY_SOCKET", folder.path().join("notify"));
    let exchange = Exchange::start(&mut command, &folder.path().join("log"));
    assert_eq!(heard(), "READY=1");
    assert_eq!(exchange.ready()["ready"], true);
    assert!(exchange.log().starts_with('{'), "JSON, by the environment file: {}", exchange.log());
    exchange.signal(Signal::TERM);
    assert_eq!(heard(), "STOPPING=1");
    assert_eq!(exchange.wait().code(), Some(0));
    assert!(folder.path().join("data/journal").is_dir(), "the data is in the unit's folder");
}

#[test]
fn the_exchange_accepts_every_example_of_the_environment_file() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("settings")).expect("a folder");
    File::create(folder.path().join("settings/bellwether.toml")).expect("a file");
    let exchange = Exchange::start(&mut unit_command(folder.path(), true), &folder.path().join("log"));
    assert_eq!(exchange.ready()["ready"], true);
    assert_eq!(exchange.stop().code(), Some(0));
}

#[test]
fn the_environment_file_has_every_setting_and_no_other() {
    let help = command(&["bellwether".into(), "serve".into(), "--help".into()], &Environment::new()).output();
    let help = String::from_utf8(help.expect("the executable runs").stdout).expect("a text");
    let mentions = help.split("[env: ").skip(1).filter_map(|rest| rest.split(['=', ']']).next());
    let known: BTreeSet<String> = mentions.map(str::to_owned).collect();
    assert!(known.len() > 15, "{known:?}");
    let there: BTreeSet<String> = variables(&deployed("bellwether.env"), true).into_keys().collect();
    assert_eq!(there, known);
}

/// Waits until the log has a line with a text.
fn await_line(exchange: &Exchange, text: &str) {
    patience::until(|| format!("no {text}: {}", exchange.log()), || exchange.log().contains(text));
}

#[test]
fn the_unit_serves_on_after_signals_that_mean_nothing_to_it_and_then_stops_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(&mut unit_command(folder.path(), false), &folder.path().join("log"));
    for (signal, name) in [(Signal::HUP, "SIGHUP"), (Signal::USR1, "SIGUSR1"), (Signal::USR2, "SIGUSR2")] {
        exchange.signal(signal);
        await_line(&exchange, &format!("\"signal\":\"{name}\""));
        assert_eq!(exchange.ready()["ready"], true, "after {name}");
    }
    assert!(exchange.log().contains("ignored a signal: TLS files are read again when they change"));
    assert_eq!(exchange.stop().code(), Some(0));
    let log = fs::read_to_string(folder.path().join("log")).expect("a log");
    assert!(log.contains("the replayed journal has the same digest"), "{log}");
}

#[test]
fn an_end_by_a_signal_that_systemd_counts_as_wanted_is_restarted() {
    for unit in ["bellwether.service", "bellwether-backup.service"] {
        assert_eq!(setting_of(unit, "Restart"), ["on-failure"]);
        assert_eq!(setting_of(unit, "RestartForceExitStatus"), ["SIGHUP"], "{unit}");
    }
}

#[test]
fn a_permanent_failure_is_not_restarted() {
    let prevented = setting("RestartPreventExitStatus");
    assert_eq!(prevented, ["2", "3", "4", "5"]);
    let is_prevented = |code: Option<i32>| prevented.contains(&code.expect("an exit code").to_string());
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().display().to_string();
    let serve = |more: &[&str]| {
        let flags = ["serve", "--data", &text, "--admin-listen=127.0.0.1:0", "--low-disk-mib=0"];
        exit_code(&[&flags, more].concat(), &Environment::new())
    };
    assert!(is_prevented(serve(&["--lisen=127.0.0.1:0"])), "a wrong flag stays wrong");
    assert!(is_prevented(serve(&["--read-per-second=0"])), "and so does a wrong value");

    let exchange = Exchange::start(&mut unit_command(folder.path(), false), &folder.path().join("log"));
    let taken = exchange.address.trim_start_matches("http://").to_owned();
    assert!(!is_prevented(serve(&["--listen", &taken])), "an address that is taken may be free later");
    assert_eq!(exchange.stop().code(), Some(0));

    let damaged = folder.path().join("data/journal");
    for entry in fs::read_dir(&damaged).expect("a journal").flatten() {
        let file = File::options().write(true).open(entry.path()).expect("a segment");
        file.set_len(file.metadata().expect("a length").len() / 2).expect("half a segment");
    }
    let mut command = unit_command(folder.path(), false);
    let output = command.output().expect("the executable runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(is_prevented(output.status.code()));
}
