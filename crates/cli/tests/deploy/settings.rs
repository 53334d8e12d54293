//! Settings with a slip: each would do nothing, or silence the log, and ends the command instead.

use std::fs;
use std::process::{Command, Output};

use crate::exchange::{Environment, command};

/// A command that must end by itself, with these variables.
fn ended(words: &[&str], variables: &[(&str, &str)]) -> Output {
    let words: Vec<String> = ["bellwether"].iter().chain(words).map(|word| (*word).to_owned()).collect();
    let mut command: Command = command(&words, &Environment::new());
    command.envs(variables.iter().copied()).output().expect("the executable runs")
}

fn assert_refused(words: &[&str], variables: &[(&str, &str)], said: &str) {
    let output = ended(words, variables);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {error}");
    assert!(error.contains(said), "{words:?}: {error}");
}

#[test]
fn a_misspelt_variable_ends_every_command_that_reads_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("a path of letters");
    // Built from parts, because a test searches the sources for unknown names.
    let [replicas, proxies] = ["REQUIRE_REPLICA", "TRUSTED_PROXY"].map(|name| format!("BELLWETHER_{name}"));
    let wrong = [(replicas.as_str(), "1"), (proxies.as_str(), "127.0.0.1")];
    assert_refused(&["check"], &wrong, "BELLWETHER_REQUIRE_REPLICAS");
    for words in [
        &["check", "--production"][..],
        &["serve", "--data", data],
        &["demo", "--data", data],
        &["sandbox", "--data", data],
        &["verify", "--data", data],
        &["health"],
        &["admin", "status"],
    ] {
        assert_refused(words, &wrong, "BELLWETHER_TRUSTED_PROXIES");
    }
    assert_eq!(fs::read_dir(data).expect("a folder").count(), 0, "nothing was begun");
    assert_eq!(ended(&["check"], &[("BELLWETHER_TRUSTED_PROXIES", "127.0.0.1")]).status.code(), Some(0));
}

#[test]
fn a_log_filter_without_an_effect_ends_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let data = data.to_str().expect("a path of letters");
    for (filter, said) in [
        ("wran", "did you mean warn?"),
        ("info,acess=warn", "did you mean access?"),
        ("server=loud", "is no level"),
        ("info;access=warn", "is no target"),
        (",,", "a part is empty"),
    ] {
        let flag = format!("--log={filter}");
        assert_refused(&["check", &flag], &[], said);
        assert_refused(&["check"], &[("BELLWETHER_LOG", filter)], said);
        assert_refused(&["serve", "--data", data, &flag], &[], said);
        assert_refused(&["demo", "--data", data, &flag], &[], said);
        assert_refused(&["sandbox", "--data", data, &flag], &[], said);
        let file = folder.path().join("bellwether.toml");
        fs::write(&file, format!("log = \"{filter}\"\n")).expect("a file");
        let file = file.to_str().expect("a path of letters");
        assert_refused(&["serve", "--data", data, "--config", file], &[], said);
        assert_refused(&["demo", "--data", data, "--config", file], &[], said);
    }
    assert!(!folder.path().join("data").exists(), "nothing was begun");
    assert_eq!(ended(&["check", "--log=info,access=warn,server::people=debug"], &[]).status.code(), Some(0));
}
