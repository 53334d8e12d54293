//! The test executables: built by cargo, and run by us, several at a time. Cargo itself runs one after the other, while most of
//! them wait.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::json;
use crate::parallel::Task;
use crate::process::{cargo, lines, root};

/// Everything but the benchmarks. Each of our builds selects this: another selection unites other features, and would build
/// most crates once more.
pub(crate) const SELECTION: [&str; 3] = ["--workspace", "--exclude", "bench"];

/// A test executable.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Executable {
    pub(crate) path: PathBuf,
    /// The folder of its package.
    folder: PathBuf,
    /// Its source file, relative to the folder of its package.
    source: String,
    kind: Kind,
    /// The name of its target: of the package's library or program, or of the file or folder in `tests`.
    target: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Library,
    Program,
    Test,
}

/// Builds the tests, and lists their executables.
pub(crate) fn build(arguments: &[&str]) -> Result<Vec<Executable>, String> {
    let words = ["test", "--locked", "--no-run", "--message-format=json-render-diagnostics"];
    let said = lines(&mut cargo(words.into_iter().chain(arguments.iter().copied())))?;
    said.iter()
        .filter(|line| line.contains("\"reason\":\"compiler-artifact\""))
        .filter_map(|line| read(line))
        .collect()
}

/// The test executable that a message of cargo describes, if it describes one.
fn read(message: &str) -> Option<Result<Executable, String>> {
    // A library or a program that is not built as a test has `"test":false` in its profile.
    let is_test = message.split("\"profile\":{").nth(1)?.split('}').next()?.contains("\"test\":true");
    let path = json::find(message, "executable").ok().filter(|_| is_test)?;
    let described = || {
        let manifest = Path::new(json::find(message, "manifest_path")?);
        let folder = manifest.parent().ok_or_else(|| format!("{} is in no folder", manifest.display()))?;
        let target = message.split("\"target\":{").nth(1).ok_or("a message without a target")?;
        let kind = match target.split('"').nth(3) {
            Some("bin") => Kind::Program,
            Some("test") => Kind::Test,
            _ => Kind::Library,
        };
        let source = Path::new(json::find(target, "src_path")?);
        Ok(Executable {
            path: path.into(),
            folder: folder.to_owned(),
            source: source.strip_prefix(folder).unwrap_or(source).display().to_string(),
            kind,
            target: json::find(target, "name")?.to_owned(),
        })
    };
    Some(described())
}

impl Executable {
    /// The folder of its package, relative to the root.
    pub(crate) fn package(&self) -> String {
        self.folder.strip_prefix(root()).unwrap_or(&self.folder).display().to_string()
    }

    /// What a summary calls it: its source file.
    pub(crate) fn name(&self) -> String {
        format!("{}/{}", self.package(), self.source)
    }

    pub(crate) fn is_of_http(&self) -> bool {
        self.kind == Kind::Test && self.target == "http"
    }

    /// Runs its tests, or those whose names contain one of the words. `is_long`: also those that take long.
    pub(crate) fn task(&self, words: &[&str], is_long: bool) -> Task {
        let mut command = Command::new(&self.path);
        // The time of each test is printed only with an option that is not stable. It changes nothing else, and the variable
        // that allows it reaches the test executable alone: cargo has built everything by now.
        command.args(["-Zunstable-options", "--report-time"]).args(words).env("RUSTC_BOOTSTRAP", "1");
        command.args(is_long.then_some("--include-ignored"));
        // What cargo gives to a test that it runs.
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        Task { name: self.name(), command, places: 1 }
    }

    /// The command that runs one of its tests alone. It selects by the kind of target and not by package, since a package alone
    /// is built with other features.
    pub(crate) fn alone(&self, test: &str) -> String {
        let target = match self.kind {
            Kind::Library => "--lib".to_owned(),
            Kind::Program => "--bins".to_owned(),
            Kind::Test => format!("--test {}", self.target),
        };
        // A test that only the long run runs is ignored otherwise.
        format!("cargo xtask test {target} -- --include-ignored --exact {test}")
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Executable, Kind, read};

    const MESSAGE: &str = r#"{"reason":"compiler-artifact","package_id":"path+file:///a/crates/server/tests#server-tests@0.1.0","manifest_path":"/a/crates/server/tests/Cargo.toml","target":{"kind":["test"],"crate_types":["bin"],"name":"http","src_path":"/a/crates/server/tests/http/main.rs","edition":"2024","doc":false,"doctest":false,"test":true},"profile":{"opt_level":"0","debuginfo":1,"debug_assertions":true,"overflow_checks":true,"test":true},"features":[],"filenames":["/a/target/debug/deps/http-1"],"executable":"/a/target/debug/deps/http-1","fresh":true}"#;

    pub(in super::super) fn of_http() -> Executable {
        read(MESSAGE).expect("an executable").expect("a whole message")
    }

    #[test]
    fn an_executable_is_read_from_a_message_of_cargo() {
        let executable = of_http();
        assert_eq!(executable.path.to_str(), Some("/a/target/debug/deps/http-1"));
        assert_eq!(executable.name(), "/a/crates/server/tests/http/main.rs");
        assert_eq!(executable.kind, Kind::Test);
        assert_eq!(
            executable.alone("access::a"),
            "cargo xtask test --test http -- --include-ignored --exact access::a"
        );
    }

    #[test]
    fn what_is_no_test_is_left_out() {
        assert_eq!(
            read(
                &MESSAGE.replace(
                    r#""overflow_checks":true,"test":true"#,
                    r#""overflow_checks":true,"test":false"#
                )
            ),
            None
        );
        assert_eq!(
            read(&MESSAGE.replace(r#""executable":"/a/target/debug/deps/http-1""#, r#""executable":null"#)),
            None
        );
        assert_eq!(read(r#"{"reason":"build-script-executed","package_id":"a"}"#), None);
    }

    #[test]
    fn unit_tests_are_told_apart() {
        let library = MESSAGE.replace(r#""kind":["test"]"#, r#""kind":["lib"]"#);
        let program = MESSAGE.replace(r#""kind":["test"]"#, r#""kind":["bin"]"#);
        let alone =
            |message: &str| read(message).expect("an executable").expect("a whole message").alone("a::b");
        assert_eq!(alone(&library), "cargo xtask test --lib -- --include-ignored --exact a::b");
        assert_eq!(alone(&program), "cargo xtask test --bins -- --include-ignored --exact a::b");
    }
}
