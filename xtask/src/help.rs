//! `cargo xtask help`: the tasks, one line each.

/// Usage and purpose, in the order a newcomer needs them.
pub(crate) const TASKS: &[(&str, &str)] = &[
    ("help", "print this list"),
    ("ci", "lint, then test: what must pass before a change is merged"),
    ("lint", "formatting, clippy with warnings denied, tidy, the pages, licences"),
    ("test [args…]", "all tests; extra arguments go to cargo test"),
    ("tidy", "the house rules alone, each breach as path:line"),
    ("conformance [--seed S] [--examples N]", "the running service against its own OpenAPI document"),
    (
        "web [check | browse]",
        "build the pages into web/dist; or check them; or walk through them in a browser",
    ),
    ("bench [NAME args…]", "one benchmark, or the list of them"),
    (
        "soak [rules] [--minutes N] [--seed S] …",
        "random commands against the exchange, every invariant checked",
    ),
    (
        "soak crashes [--minutes N | --kills N] [--seed S]",
        "the executable killed under load, again and again",
    ),
    (
        "soak nodes [--minutes N | --kills N] [--seed S]",
        "three nodes on one log in PostgreSQL under load, killed again and again",
    ),
    (
        "soak cuts [--minutes N | --cuts N] [--seed S]",
        "the same three, their connections to the log cut anywhere",
    ),
    (
        "soak people [--minutes N | --kills N] [--seed S]",
        "the executable killed between the journal and the people store",
    ),
    (
        "soak hostile [--minutes N]",
        "honest traders who place and cancel while strangers attack the executable",
    ),
    (
        "fuzz [NAME] [--minutes N | --runs N | --minimise]",
        "readers of bytes from outside, fed by coverage; all of them or one",
    ),
    ("fuzz NAME --replay FILE", "one input again, such as one that a run has found"),
];

pub(crate) fn run() -> Result<(), String> {
    println!("cargo xtask <task>\n");
    let width = TASKS.iter().map(|(usage, _)| usage.chars().count()).max().unwrap_or(0);
    for (usage, purpose) in TASKS {
        println!("  {usage:<width$}  {purpose}");
    }
    Ok(())
}
