//! `deploy/Containerfile` and `.dockerignore`: read here, and run by the compose file's test.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
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
type Copies = Vec<(String, String)>;

fn copied() -> Copies {
    let lines = all("COPY").into_iter().filter(|line| !line.starts_with("--"));
    let pairs = lines.flat_map(|line| {
        let mut words = words(&line);
        let to = words.pop().expect("a place");
        words.into_iter().map(move |from| (from, to.clone())).collect::<Vec<_>>()
    });
    pairs.collect()
}

/// The paths that `.dockerignore` lets through.
fn let_through() -> Vec<String> {
    let ignored = fs::read_to_string(root().join(".dockerignore")).expect("a file");
    let mut patterns = ignored.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(patterns.next(), Some("*"), "nothing goes there but what is named");
    patterns.map(|line| line.strip_prefix('!').expect("an exception").to_owned()).collect()
}

/// Where a copy puts a file of the repository, if it takes the file.
fn place_of(file: &Path, from: &str, to: &str) -> Option<PathBuf> {
    let below = file.strip_prefix(from).ok()?;
    let name = Path::new(from).file_name().expect("a name");
    let place = if to == "./" { PathBuf::from(name) } else { PathBuf::from(to) };
    // A path joined with nothing would end with a slash.
    Some(if below.as_os_str().is_empty() { place } else { place.join(below) })
}

/// The needed files that are not at their place in the image's source folder.
fn lacking(needed: &BTreeSet<PathBuf>, copied: &Copies, let_through: &[String]) -> Vec<PathBuf> {
    let is_there = |file: &&PathBuf| {
        let is_copied = |(from, to): &(String, String)| place_of(file, from, to).as_ref() == Some(*file);
        copied.iter().any(is_copied) && let_through.iter().any(|path| file.starts_with(path))
    };
    needed.iter().filter(|file| !is_there(file)).cloned().collect()
}

/// Paths that the compiler or a build script reads beside the modules of a package.
#[derive(Debug, Default, PartialEq)]
struct Embedded {
    /// From the folder of the source file.
    from_file: Vec<String>,
    /// From the folder of the package.
    from_package: Vec<String>,
}

/// Embedded paths of a source file without its tests: `include_bytes!` and the like, folders of `rust_embed`, inputs of
/// a build script. `None`: a path does not begin with a plain text, so it cannot be checked.
fn embedded(source: &str) -> Option<Embedded> {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut embedded = Embedded::default();
    for (begin, _) in code.match_indices("include") {
        let rest = code[begin..].trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_');
        if let Some(argument) = rest.strip_prefix("!(") {
            let (path, is_begin) = match argument.trim_start().strip_prefix("concat!(") {
                Some(parts) => (parts, true),
                None => (argument.trim_start(), false),
            };
            let (path, _) = path.strip_prefix('"')?.split_once('"')?;
            // The rest of a composed path is a name in a folder.
            let path = if is_begin { path.rsplit_once('/')?.0 } else { path };
            embedded.from_file.push(path.to_owned());
        }
    }
    for (mark, end) in [("#[folder =", ']'), ("rerun-if-changed=", ')')] {
        for rest in code.split(mark).skip(1) {
            let path = rest.split(end).next()?.trim().trim_matches('"');
            if path.contains(['"', '{', '(', ' ']) {
                return None;
            }
            embedded.from_package.push(path.to_owned());
        }
    }
    Some(embedded)
}

/// Every Rust file below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Folders of a package and of the packages of the workspace that its build needs.
fn folders_of(metadata: &Value, name: &str) -> BTreeSet<PathBuf> {
    let manifest = package_of(metadata, name)["manifest_path"].as_str().expect("a path");
    let mut waiting = vec![(name.to_owned(), Path::new(manifest).parent().expect("a folder").to_owned())];
    let mut found = BTreeSet::new();
    while let Some((name, folder)) = waiting.pop() {
        if found.insert(folder) {
            let dependencies = package_of(metadata, &name)["dependencies"].as_array().expect("dependencies");
            let is_built = |dependency: &&Value| dependency["kind"] != "dev";
            waiting.extend(dependencies.iter().filter(is_built).filter_map(|dependency| {
                let name = dependency["name"].as_str().expect("a name");
                Some((name.to_owned(), PathBuf::from(dependency["path"].as_str()?)))
            }));
        }
    }
    found
}

/// Files and folders of the repository that the image's build reads: the sources of its packages with all that they
/// embed, and the manifests and targets of the whole workspace.
fn needed() -> BTreeSet<PathBuf> {
    let metadata = metadata(&root());
    let mut paths: Vec<PathBuf> = ["Cargo.toml", "Cargo.lock"].map(|name| root().join(name)).into();
    for package in metadata["packages"].as_array().expect("packages") {
        let targets = package["targets"].as_array().expect("targets").iter();
        let all = targets.map(|target| &target["src_path"]).chain([&package["manifest_path"]]);
        paths.extend(all.map(|path| PathBuf::from(path.as_str().expect("a path"))));
    }
    for package in folders_of(&metadata, value_of(&build_line(), "--package")) {
        let mut files: Vec<PathBuf> =
            [package.join("build.rs")].into_iter().filter(|file| file.exists()).collect();
        sources(&package.join("src"), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("a source");
            let Embedded { from_file, from_package } =
                embedded(&text).unwrap_or_else(|| panic!("{} embeds a computed path", file.display()));
            let folder = file.parent().expect("a folder").to_owned();
            paths.extend(from_file.iter().map(|path| folder.join(path)));
            paths.extend(from_package.iter().map(|path| package.join(path)));
            paths.push(file);
        }
    }
    let root = fs::canonicalize(root()).expect("the repository");
    let within = |path: PathBuf| {
        let whole = fs::canonicalize(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        whole.strip_prefix(&root).unwrap_or_else(|_| panic!("{}", whole.display())).to_owned()
    };
    paths.into_iter().map(within).collect()
}

/// `cargo metadata` of the packages of a workspace.
fn metadata(folder: &Path) -> Value {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--no-deps", "--format-version=1"])
        .current_dir(folder)
        .output()
        .expect("cargo runs");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    serde_json::from_slice(&metadata.stdout).expect("JSON")
}

/// The words of the line that builds the executable.
fn build_line() -> Vec<String> {
    words(&all("RUN").into_iter().find(|line| line.starts_with("cargo build ")).expect("a build"))
}

fn value_of<'a>(build: &'a [String], flag: &str) -> &'a str {
    build.iter().skip_while(|word| *word != flag).nth(1).expect("a value")
}

fn package_of<'a>(metadata: &'a Value, name: &str) -> &'a Value {
    let packages = metadata["packages"].as_array().expect("packages");
    packages.iter().find(|package| package["name"] == name).expect("the package that is built")
}

fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
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
    let mut named = let_through();
    named.sort_unstable();
    let mut from: Vec<String> = copied().into_iter().map(|(from, _)| from).collect();
    from.sort_unstable();
    assert_eq!(from, named);
    for path in from {
        assert!(root().join(&path).exists(), "{path}");
    }
}

#[test]
fn every_file_that_the_image_is_built_from_is_copied_and_reaches_the_builder() {
    let needed = needed();
    for embedded in ["web/dist", "web/reference/reference.js", "README.md", "docs", "crates/guide/assets"] {
        assert!(needed.contains(Path::new(embedded)), "{embedded} is embedded: {needed:?}");
    }
    assert!(!needed.contains(Path::new("deploy/patroni.yml")), "only tests embed it");
    let (copied, let_through) = (copied(), let_through());
    assert_eq!(lacking(&needed, &copied, &let_through), Vec::<PathBuf>::new());
    // The check itself: without any one path, files are lacking.
    for (place, (from, _)) in copied.iter().enumerate() {
        let mut fewer = copied.clone();
        fewer.remove(place);
        assert!(!lacking(&needed, &fewer, &let_through).is_empty(), "COPY {from}");
    }
    for (place, path) in let_through.iter().enumerate() {
        let mut fewer = let_through.clone();
        fewer.remove(place);
        assert!(!lacking(&needed, &copied, &fewer).is_empty(), "!{path}");
    }
    let elsewhere = copied.iter().map(|(from, _)| (from.clone(), "elsewhere".to_owned())).collect();
    assert_eq!(lacking(&needed, &elsewhere, &let_through).len(), needed.len());
}

#[test]
fn embedded_paths_are_found_and_a_computed_one_is_an_error() {
    let source = "const A: &[u8] = include_bytes!(\"../a.gz\");\nconst B: [&str; 1] = [include_str!(\n    \"b.md\")];\n\
                  const E: &str = include_str!(concat!(\"../e/\", $name, \".json\"));\n\
                  #[derive(Embed)]\n#[folder = \"../../c\"]\nstruct C;\nfn main() { includes(); }\n\
                  #[cfg(test)]\nmod tests {\n    const D: &str = include_str!(\"d\");\n}\n";
    let of_file = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
    let expected =
        Embedded { from_file: of_file(&["../a.gz", "b.md", "../e"]), from_package: of_file(&["../../c"]) };
    assert_eq!(embedded(source), Some(expected));
    let script = "println!(\"cargo:rerun-if-changed=../../docs\");";
    assert_eq!(embedded(script).map(|found| found.from_package), Some(of_file(&["../../docs"])));
    for computed in [
        "include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/a\"))",
        "include_bytes!(PATH)",
        "println!(\"cargo:rerun-if-changed={path}\");",
    ] {
        assert_eq!(embedded(computed), None, "{computed}");
    }
}

#[test]
fn the_image_builds_a_package_that_exists_from_what_was_copied_alone() {
    let room = tempfile::tempdir().expect("a folder");
    for (from, to) in copied() {
        let place = place_of(Path::new(&from), &from, &to).expect("a place");
        copy(&root().join(&from), &room.path().join(place));
    }
    let (metadata, build) = (metadata(room.path()), build_line());
    let package = package_of(&metadata, value_of(&build, "--package"));
    let targets = package["targets"].as_array().expect("targets");
    let is_built = |target: &&Value| target["kind"] == serde_json::json!(["bin"]);
    let built = targets.iter().find(is_built).expect("an executable");
    assert_eq!(built["name"], value_of(&build, "--bin"));
    assert!(build.contains(&"--locked".to_owned()) && value_of(&build, "--profile") == "dist", "{build:?}");
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
