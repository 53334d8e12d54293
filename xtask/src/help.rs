//! `cargo xtask help`: the tasks, one line each.

/// Usage and purpose, in a newcomer's order.
pub(crate) const TASKS: &[(&str, &str)] = &[
    ("help", "print this list"),
    ("ci", "lint, then test: required before a change is merged"),
    ("lint", "formatting, clippy with warnings denied, tidy, the pages, licences"),
    ("install", "install what the tests need, which `test` does by itself"),
    ("test [args…]", "all tests; extra arguments go to cargo test"),
    ("test --changed", "the tests that depend on the files that differ from `main`, and those of the rules"),
    (
        "test --long",
        "all tests, those that take long too: benchmarks, Firefox, more cut connections, five failovers, cargo install, packages",
    ),
    ("tidy", "the house rules alone; prints each violation as path:line"),
    ("conformance [--seed S] [--examples N]", "the running service against its own OpenAPI document"),
    ("agents", "the tools for agents, with the official Python client of their protocol"),
    (
        "sdk python [--cuts N] [--seed S]",
        "the Python client library: style, types, packages, tests against the executable",
    ),
    (
        "sdk typescript [--cuts N] [--seed S]",
        "the TypeScript client library: types, its committed build, tests against the executable",
    ),
    (
        "sdk rust [--cuts N] [--seed S]",
        "the Rust client library: its examples and its tests against the executable",
    ),
    ("web [check | browse]", "build the web pages into web/dist; or check them; or test them in a browser"),
    ("web firefox", "the browser tests that Debian's Firefox can run over WebDriver BiDi"),
    ("web pictures", "pictures of every page and state, in both themes and three widths"),
    ("web slow-phone", "print how soon a page can be read on a slow phone"),
    ("lighthouse", "accessibility, best practices and SEO of two pages by Lighthouse; prints performance"),
    (
        "dist [--try [--suite NAME]] [--executable FILE]",
        "the files of a release; with --try, install and trade",
    ),
    ("bench [NAME args…]", "one benchmark, or the list of them"),
    (
        "soak [rules] [--minutes N] [--seed S] …",
        "random commands against the exchange, every invariant checked",
    ),
    (
        "soak operators [--commands N | --minutes N] [--seed S]",
        "ten million commands of malicious operators where two persons are required",
    ),
    ("soak crashes [--minutes N | --kills N] [--seed S]", "kill the executable under load, repeatedly"),
    (
        "soak nodes [--minutes N | --kills N] [--seed S]",
        "kill nodes of three on one PostgreSQL log under load, repeatedly",
    ),
    (
        "soak cuts [--minutes N | --cuts N] [--seed S]",
        "cut the connections of three nodes to their log at random points",
    ),
    (
        "soak failover [--minutes N | --times N] [--seed S]",
        "lose the primary of a database under Patroni in every way, and measure the time without writes",
    ),
    (
        "soak linearizability [--minutes N | --histories N] [--seed S]",
        "check what concurrent clients see through three nodes with faults",
    ),
    (
        "soak people [--minutes N | --kills N] [--seed S]",
        "kill the executable between its writes to journal and people store",
    ),
    ("soak hostile [--minutes N]", "trade normally while attackers flood the executable"),
    (
        "fuzz [NAME] [--minutes N | --runs N | --minimise]",
        "coverage-guided fuzzing of all parsers of external input, or of one",
    ),
    ("fuzz NAME --replay FILE", "replay one input, for example a finding of a run"),
];

pub(crate) fn run() -> Result<(), String> {
    println!("cargo xtask <task>\n");
    let width = TASKS.iter().map(|(usage, _)| usage.chars().count()).max().unwrap_or(0);
    for (usage, purpose) in TASKS {
        println!("  {usage:<width$}  {purpose}");
    }
    Ok(())
}
