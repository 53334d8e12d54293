//! `deploy/Containerfile` and `.dockerignore`: read here, and run by the compose file's test.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::exchange::Environment;
use crate::{deployed, root};

/// Instructions with what follows them, of both stages.
fn instructions() -> Vec<(String, String)> {
    let text = deployed("Containerfile");
    let lines: String =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let whole = lines.replace("\\\n", " ");
    let instruction =
        |line: &str| line.split_once(' ').map(|(word, rest)| (word.to_owned(), rest.trim().to_owned()));
    whole.lines().filter_map(instruction).collect()
}

fn all(word: &str) -> Vec<String> {
    instructions().into_iter().filter(|(name, _)| name == word).map(|(_, rest)| rest).collect()
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The commands and the environment of a container of the image.
pub(crate) struct Image {
    pub(crate) entrypoint: Vec<String>,
    pub(crate) command: Vec<String>,
    pub(crate) health: Vec<String>,
    pub(crate) environment: Environment,
}

impl Image {
    pub(crate) fn read() -> Image {
        let list =
            |text: &str| serde_json::from_str(&text[text.find('[').expect("a list")..]).expect("words");
        let one = |word: &str| list(&all(word).pop().unwrap_or_else(|| panic!("an instruction {word}")));
        let variables = all("ENV").iter().flat_map(|line| words(line)).collect::<Vec<_>>();
        let pair =
            |text: &String| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        Image {
            entrypoint: one("ENTRYPOINT"),
            command: one("CMD"),
            health: one("HEALTHCHECK"),
            environment: variables.iter().filter_map(pair).collect(),
        }
    }
}

/// The paths that the first stage copies from the repository: from where, to where.
fn copied() -> Vec<(String, String)> {
    let lines = all("COPY").into_iter().filter(|line| !line.starts_with("--"));
    let pairs = lines.flat_map(|line| {
        let mut words = words(&line);
        let to = words.pop().expect("a place");
        words.into_iter().map(move |from| (from, to.clone())).collect::<Vec<_>>()
    });
    pairs.collect()
}

fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
        return;
    }
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

#[test]
fn the_files_that_the_image_copies_exist_and_reach_the_builder() {
    let ignored = fs::read_to_string(root().join(".dockerignore")).expect("a file");
    let mut patterns = ignored.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(patterns.next(), Some("*"), "nothing goes there but what is named");
    let mut named: Vec<&str> = patterns.map(|line| line.strip_prefix('!').expect("an exception")).collect();
    named.sort_unstable();
    let mut from: Vec<String> = copied().into_iter().map(|(from, _)| from).collect();
    from.sort_unstable();
    assert_eq!(from, named);
    for path in from {
        assert!(root().join(&path).exists(), "{path}");
    }
}

#[test]
fn the_image_builds_a_package_that_exists_from_what_was_copied_alone() {
    let room = tempfile::tempdir().expect("a folder");
    for (from, to) in copied() {
        let name = Path::new(&from).file_name().expect("a name");
        let to = if to == "./" { room.path().join(name) } else { room.path().join(to) };
        copy(&root().join(&from), &to);
    }
    for built_in in ["web/dist/index.html", "README.md", "docs/web.md"] {
        assert!(room.path().join(built_in).is_file(), "{built_in} is embedded");
    }
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--no-deps", "--format-version=1"])
        .current_dir(room.path())
        .output()
        .expect("cargo runs");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    let build = all("RUN").into_iter().find(|line| line.starts_with("cargo build ")).expect("a build");
    let build = words(&build);
    let after = |flag: &str| build.iter().skip_while(|word| *word != flag).nth(1).expect("a value");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == after("--package").as_str());
    let package = package.expect("the package that is built");
    let targets = package["targets"].as_array().expect("targets");
    let is_built = |target: &&Value| target["kind"] == serde_json::json!(["bin"]);
    let built = targets.iter().find(is_built).expect("an executable");
    assert_eq!(built["name"], after("--bin").as_str());
    assert!(build.contains(&"--locked".to_owned()) && after("--profile") == "dist", "{build:?}");
    let version = package["rust_version"].as_str().expect("a version");
    assert!(all("FROM")[0].starts_with(&format!("rust:{version}-")), "{version}: {}", all("FROM")[0]);
}

#[test]
fn the_image_runs_the_built_executable_as_an_unprivileged_user() {
    let taken = all("COPY").into_iter().find(|line| line.starts_with("--from=build")).expect("a copy");
    assert_eq!(words(&taken)[1..], ["/source/target/dist/bellwether", "/usr/local/bin/bellwether"]);
    assert_eq!(all("WORKDIR")[0], "/source");
    let image = Image::read();
    assert_eq!(
        (&*image.entrypoint, &*image.command),
        (&["bellwether".to_owned()][..], &["serve".to_owned()][..])
    );
    assert_eq!(all("USER"), ["bellwether"]);
    assert_eq!(all("VOLUME"), [image.environment["BELLWETHER_DATA"].clone()]);
    let port = image.environment["BELLWETHER_LISTEN"].rsplit(':').next().expect("a port").to_owned();
    assert_eq!(all("EXPOSE"), [port], "the operators' listener stays inside");
    let bases = all("FROM");
    assert_eq!(bases.len(), 2);
    // A name before the first slash with a dot or a colon in it would be a registry's.
    assert!(bases.iter().all(|base| !base.contains('/')), "{bases:?}");
}
