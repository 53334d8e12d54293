//! Targets of log lines, which a filter may name. A test compares them with the code.

/// Our own: modules that log, and the names that lines have instead of their module.
pub(super) const TARGETS: &[&str] = &[
    "access",
    "bellwether::audit::rounds",
    "bellwether::demo::bots",
    "bellwether::demo::past",
    "bellwether::descriptors",
    "bellwether::notify",
    "bellwether::progress",
    "bellwether::serve",
    "bellwether::service",
    "client::stream::connection",
    "client::transport",
    "log",
    "sandbox",
    "sandbox::error",
    "sandbox::front",
    "sandbox::front::pump",
    "sandbox::running",
    "server::access",
    "server::admin::pictures",
    "server::admin::rules",
    "server::feeds::running",
    "server::folder",
    "server::history",
    "server::history::readers",
    "server::history::schema",
    "server::history::writer",
    "server::http::admission",
    "server::http::connections",
    "server::http::serving",
    "server::http::tls",
    "server::low_disk",
    "server::node::builder",
    "server::notifying",
    "server::notifying::notifier",
    "server::notifying::push::sending",
    "server::people::sweeping",
    "server::pictures",
    "server::pictures::sweeping",
    "server::pipeline::deciding",
    "server::pipeline::follower",
    "server::pipeline::observing",
    "server::pipeline::peers",
    "server::pipeline::proofs",
    "server::pipeline::sequencer::applying",
    "server::pipeline::sequencer::journaling",
    "server::pipeline::sequencer::log_lag",
    "server::reading",
    "server::respond::content",
    "server::shared_log",
    "server::signals::traces::otlp",
    "server::streams::disconnecting",
    "server::streams::hub",
    "server::streams::session",
    "server::web::pictures",
    "server::web::sharing::cards::rendering",
    "server::writing",
    "server::writing::closed_orders",
];

/// Libraries that log. Their modules are not listed.
pub(super) const LIBRARIES: &[&str] = &[
    "fontdb",
    "hyper_util",
    "mio",
    "reqwest",
    "resvg",
    "rmcp",
    "rtime_core",
    "rustls_platform_verifier",
    "rustybuzz",
    "simplecss",
    "tiny_skia",
    "tokio_postgres",
    "tokio_tungstenite",
    "tungstenite",
    "usvg",
];

/// Whether lines have this target, or one in a module below it.
pub(super) fn is_target(name: &str) -> bool {
    let is_below = |target: &str| {
        target.strip_prefix(name).is_some_and(|below| below.is_empty() || below.starts_with("::"))
    };
    let (library, _) = name.split_once("::").unwrap_or((name, ""));
    TARGETS.iter().any(|target| is_below(target)) || LIBRARIES.contains(&library)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use super::{LIBRARIES, TARGETS, is_target};

    const LINES: [&str; 5] =
        ["tracing::trace!(", "tracing::debug!(", "tracing::info!(", "tracing::warn!(", "tracing::error!("];

    #[test]
    fn a_target_is_a_module_that_logs_or_one_above_it() {
        for right in ["access", "bellwether", "server", "server::people", "server::http::tls", "mio::poll"] {
            assert!(is_target(right), "{right}");
        }
        for wrong in ["", "serv", "server::", "server::peo", "server::http::tls::more", "acess", "exchange"] {
            assert!(!is_target(wrong), "{wrong:?}");
        }
    }

    /// Names of the libraries that depend on one directly, in the executable as packages have it; ours with their folder.
    fn users_of(library: &str) -> Vec<(String, Option<PathBuf>)> {
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "--offline", "--locked", "--package=cli", "--features=cards,mcp,otel,parquet"])
            .args(["--edges=normal", "--prefix=none", "--depth=1", "--format={lib}|{p}", "--invert", library])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo runs");
        assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
        let text = String::from_utf8(tree.stdout).expect("a text");
        let used = text.lines().skip(1).map(|line| {
            let (name, package) = line.split_once('|').expect("a library and its package");
            let folder = package.split_once("(/").and_then(|(_, path)| path.split_once(')'));
            let folder = folder.map(|(path, _)| Path::new("/").join(path));
            (name.to_owned(), folder)
        });
        used.collect()
    }

    /// The target of each log line of a file: of its module, unless the line names another.
    fn add_targets(file: &Path, module: &str, found: &mut BTreeSet<String>) {
        let text = fs::read_to_string(file).expect("a source");
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for rest in LINES.iter().flat_map(|line| code.split(line).skip(1)) {
            let named = rest.trim_start().strip_prefix("target: \"").and_then(|rest| rest.split_once('"'));
            found.insert(named.map_or(module, |(target, _)| target).to_owned());
        }
    }

    fn walk(folder: &Path, module: &str, found: &mut BTreeSet<String>) {
        for path in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() {
                walk(&path, &format!("{module}::{stem}"), found);
            } else if ["lib", "main", "mod"].contains(&stem.as_str()) {
                add_targets(&path, module, found);
            } else {
                add_targets(&path, &format!("{module}::{stem}"), found);
            }
        }
    }

    #[test]
    fn the_targets_are_those_of_the_code_and_no_others() {
        let mut found = BTreeSet::new();
        for (name, folder) in users_of("tracing") {
            // An executable is no library: the name of ours is that of the program.
            let name = if name.is_empty() { "bellwether" } else { &name };
            if let Some(folder) = folder {
                walk(&folder.join("src"), name, &mut found);
            }
        }
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), TARGETS);
    }

    #[test]
    fn the_libraries_are_those_that_can_log() {
        let users = ["log", "tracing"].into_iter().flat_map(users_of);
        let foreign = users.filter(|(_, folder)| folder.is_none()).map(|(name, _)| name);
        let mut found: BTreeSet<String> = foreign.collect();
        // It passes the lines of `log` on under their own targets.
        found.remove("tracing_log");
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), LIBRARIES);
    }
}
