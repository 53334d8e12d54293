//! Documents and examples are run as they are written: each program of a document is an example that was compiled.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::exchange::Exchange;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_bellwether");
/// Long enough for a first quote on a busy machine.
const BOT_SECONDS: &str = "20";

/// `cargo run --release -p client --example NAME [-- ARGUMENT…]`, without another build of everything.
const CARGO: &str = r#"#!/bin/sh
[ "$1 $2 $3 $4 $5" = "run --release -p client --example" ] || { echo "unexpected: cargo $*" >&2; exit 9; }
program="$EXAMPLES/$6"
shift 6
[ "$1" = "--" ] && shift
exec "$program" "$@"
"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of the compiled examples.
fn compiled() -> PathBuf {
    Path::new(EXECUTABLE).parent().expect("a folder").join("examples")
}

/// The examples of the client library: their names and their texts.
fn examples() -> BTreeMap<String, String> {
    let folder = root().join("crates/client/examples");
    let entries = fs::read_dir(folder).expect("examples").map(|entry| entry.expect("an entry").path());
    let named = entries.map(|path| {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        (name, fs::read_to_string(path).expect("a text"))
    });
    named.collect()
}

/// Every fenced block of a document that names a language: the words after the fence, and its text.
fn blocks(document: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join(document)).expect("a document");
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(kind)) => open = Some((kind.to_owned(), String::new())),
            (Some(_), Some("")) => blocks.extend(open.take()),
            (Some((_, text)), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{document} has an open block");
    blocks.into_iter().filter(|(kind, _)| !kind.is_empty()).collect()
}

/// The name of the example with this text.
fn name_of(program: &str, document: &str) -> String {
    let found = examples().into_iter().find(|(_, text)| text == program);
    found.unwrap_or_else(|| panic!("no example equals a program of {document}:\n{program}")).0
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| {
        panic!("{command:?}: {error}; `cargo build --workspace --examples` builds the examples")
    });
    let [out, err] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{command:?} failed:\n{out}\n{err}");
    out
}

/// The first line that a bot prints. It is then ended: it would run for all its time.
fn first_line(command: &mut Command) -> String {
    let mut bot = command.stdout(Stdio::piped()).spawn().expect("an example");
    let mut line = String::new();
    let read = BufReader::new(bot.stdout.take().expect("a pipe")).read_line(&mut line);
    let _ = bot.kill();
    bot.wait().expect("an end");
    read.expect("a text");
    line
}

#[test]
fn each_example_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    let examples = examples();
    assert!(examples.len() >= 6, "{:?}", examples.keys());
    for (name, text) in examples {
        let mut command = Command::new(compiled().join(&name));
        command.env("DEMO", exchange.record());
        for variable in ["BASE_URL", "PUBLIC_KEY", "SECRET_KEY"] {
            command.env_remove(variable);
        }
        let is_bot = text.contains("env::args()");
        let output = if is_bot { first_line(command.arg(BOT_SECONDS)) } else { run(&mut command) };
        assert!(!output.trim().is_empty(), "{name} prints nothing");
    }
    exchange.stop();
}

#[test]
fn each_program_of_the_readme_is_an_example_and_its_bot_has_30_lines() {
    let document = "crates/client/README.md";
    let programs: Vec<_> = blocks(document).into_iter().filter(|(kind, _)| kind == "rust").collect();
    let names: Vec<_> = programs.iter().map(|(_, text)| name_of(text, document)).collect();
    assert_eq!(names, ["quoter", "objects"]);
    let lines = programs[0].1.lines().filter(|line| !line.trim().is_empty()).count();
    assert!(lines <= 30, "{lines} lines");
}

#[test]
fn the_ten_minutes_page_works_word_for_word() {
    let document = "docs/bots/rust.md";
    let folder = tempfile::tempdir().expect("a folder");
    let tools = folder.path().join("tools");
    fs::create_dir(&tools).expect("a folder");
    symlink(EXECUTABLE, tools.join("bellwether")).expect("a link");
    fs::write(tools.join("cargo"), CARGO).expect("a script");
    fs::set_permissions(tools.join("cargo"), fs::Permissions::from_mode(0o755)).expect("permissions");
    let shell = |text: &str| {
        let mut command = Command::new("sh");
        let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
        command.args(["-e", "-c", text]).current_dir(folder.path()).env("PATH", path);
        command.env("EXAMPLES", compiled()).env_remove("BASE_URL").env_remove("DEMO");
        command.env_remove("PUBLIC_KEY").env_remove("SECRET_KEY");
        // The page's port may be taken on this machine.
        command.env("BELLWETHER_LISTEN", "127.0.0.1:0").env("BELLWETHER_ADMIN_LISTEN", "127.0.0.1:0");
        command.env("BELLWETHER_LOW_DISK_MIB", "0");
        command
    };
    let (mut demo, mut output, mut shown) = (None, String::new(), None);
    for (kind, text) in blocks(document) {
        match kind.as_str() {
            "rust" => shown = Some(name_of(&text, document)),
            "sh background" => {
                demo = Some(Background::start(&mut shell(&format!("exec {text}")), folder.path()))
            }
            "sh" => {
                // A command runs the program above it.
                let name = shown.take().expect("a program above the command");
                assert!(text.contains(&format!("--example {name}")), "{text}");
                output.push_str(&run(&mut shell(&text)));
            }
            "toml" => check_dependencies(&text),
            other => panic!("an unknown kind of block: {other}"),
        }
    }
    drop(demo.expect("the page starts a demo"));
    for expected in ["Rain in Lagos", "rests: true", "quotes at", "cancelled BUY", "realised:"] {
        assert!(output.contains(expected), "{expected} is not in:\n{output}");
    }
}

/// The dependencies that the page names are there.
fn check_dependencies(text: &str) {
    let table: toml::Table = text.parse().expect("TOML");
    let path = table["dependencies"]["client"]["path"].as_str().expect("a path");
    let manifest = root().join(path.trim_start_matches("../bellwether/")).join("Cargo.toml");
    assert!(
        fs::read_to_string(&manifest).is_ok_and(|text| text.contains("name = \"client\"")),
        "{manifest:?}"
    );
    assert!(table["dependencies"].get("tokio").is_some());
}

/// A demo in the background; killed at the end.
struct Background(Child);

impl Background {
    fn start(command: &mut Command, folder: &Path) -> Background {
        let child = command.stdout(Stdio::null()).spawn().expect("a shell");
        let mut demo = Background(child);
        patience::until("the demo did not start", || {
            assert!(demo.0.try_wait().expect("a child").is_none(), "the demo ended");
            folder.join("data/demo.json").exists()
        });
        demo
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
