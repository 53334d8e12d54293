//! Measures how long a node with an empty folder takes to serve a long log: a separate process per start, with the code
//! of the server, until `/ready` succeeds and an order is placed.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use api::signing::SigningKey;
use load::Problem;
use load::filling::give_key;
use load::generator::Generator;
use load::requests::{Reads, Singles};
use load::stage::{Market, Served, User, rates};
use load::times::median;
use load::venue;
use server::node::Node;
use server::shared_log::SharedLogSettings;
use tokio::runtime::Builder;

use crate::database::Database;
use crate::filling::fill;
use crate::options::StartOptions;

/// The goal from the start to the first order, with a stored snapshot.
const GOAL_SECONDS: f64 = 60.0;
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How long the rebuilding of history is observed afterwards.
const WATCHED: Duration = Duration::from_secs(3);
/// The prefix of the line with a node's duration, for the parent process.
const TOOK: &str = "first order after ";

pub(crate) fn run(options: &StartOptions) -> Result<(), Problem> {
    let database = Database::start(false);
    println!("{}", database.describe());
    let (log, settings) = database.log();
    eprintln!("Making a log of {} commands…", options.commands);
    fill(&settings.url, options.commands, options.tail)?;

    println!("\nAn empty folder on this log, in a separate process each time");
    let mut seconds = Vec::new();
    for round in 1..=options.rounds {
        seconds.push(start_one(&settings.url, &format!("start {round}"))?);
    }
    let median = median(&seconds);
    let verdict = if median <= GOAL_SECONDS { "reached" } else { "missed" };
    println!(
        "  median {median:.1} s until an order is placed; goal {GOAL_SECONDS:.0} s: {verdict}, {:.2} of it",
        median / GOAL_SECONDS
    );
    if options.without_snapshot {
        database.execute(&log, "TRUNCATE bellwether_snapshots");
        let whole = start_one(&settings.url, "without")?;
        println!("  without a snapshot {whole:.1} s, {:.1} x as long", whole / median);
    }
    Ok(())
}

/// Starts a node in a separate process, forwards its output and returns its duration in seconds.
fn start_one(url: &str, title: &str) -> Result<f64, Problem> {
    let folder = tempfile::tempdir()?;
    give_key(folder.path())?;
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("node").arg(url).arg(folder.path()).stderr(Stdio::inherit());
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{title}: the node ended with {}", output.status).into());
    }
    let said = String::from_utf8_lossy(&output.stdout);
    println!("  {title}: {}", said.trim_end().replace('\n', "\n    "));
    let took = said.split(TOOK).nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    took.ok_or_else(|| format!("{title}: the node did not report its duration").into())
}

/// The started node: prints the duration of each step, and exits.
pub(crate) fn run_node(url: &str, folder: &Path) -> Result<(), Problem> {
    let began = Instant::now();
    let runtime = Builder::new_multi_thread().enable_all().thread_name("worker").build()?;
    // Set at the first replayed frame: the snapshot is then in memory.
    let mut loaded = None;
    let settings = SharedLogSettings::new(url);
    let note_first = |_, _| {
        loaded.get_or_insert_with(|| began.elapsed());
    };
    let node = Node::builder(folder).shared_log(&settings).rates(rates()).progress(note_first).start()?;
    let level = began.elapsed();
    let served = Served::start(&runtime, server::routes::router(node.app.clone()))?;
    let mut generator = Generator::connect(served.address, 1)?;
    let mut ready = Reads::new(std::iter::once("/ready".to_owned()));
    while let Err(not_yet) = generator.once(&mut ready, &[]) {
        if began.elapsed() > level + PATIENCE {
            return Err(not_yet.into());
        }
        thread::sleep(LOOK_EVERY);
    }
    let is_ready = began.elapsed();
    let user = User {
        public_key: venue::public_key(0),
        key: SigningKey::new(&node.app.access().keyring().secret(venue::key(0), 0)),
    };
    let market = Market::of(venue::event(0), venue::market(0), venue::user(0));
    // Each process uses its own idempotency keys; repeated keys would repeat the order.
    let keys = u64::from(std::process::id()) << 32;
    let mut orders = Singles::new(&Arc::new(vec![user]), &[market], 1, keys);
    generator.once(&mut orders, &[])?;
    let traded = began.elapsed();
    let open_orders = node.app.reading().state().orders().len();
    println!(
        "{TOOK}{:.2} s (state in memory {:.2} s, level {:.2} s, /ready {:.2} s); snapshot at {}, {} replayed behind it, {open_orders} orders open",
        traded.as_secs_f64(),
        loaded.unwrap_or(level).as_secs_f64(),
        level.as_secs_f64(),
        is_ready.as_secs_f64(),
        node.report.snapshot,
        node.report.replayed
    );
    watch_history(&node);
    std::io::stdout().flush()?;
    drop(generator);
    served.end(&runtime)?;
    runtime.shutdown_timeout(Duration::from_secs(5));
    // The measurement is complete; a clean stop would wait too long for history.
    std::process::exit(0)
}

/// Prints how fast history is rebuilt while the node already serves.
fn watch_history(node: &Node) {
    let (stored, start) = (node.app.reading().history().stored(), Instant::now());
    thread::sleep(WATCHED);
    let per_second = (node.app.reading().history().stored() - stored) as f64 / start.elapsed().as_secs_f64();
    let behind = node.app.reading().state().seq().saturating_sub(node.app.reading().history().stored());
    let rest = behind as f64 / per_second;
    println!(
        "history is made meanwhile: {per_second:.0} commands/s, {behind} behind, level in about {rest:.0} s"
    );
}
