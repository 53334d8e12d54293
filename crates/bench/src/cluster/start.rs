//! How long an empty folder takes until it serves a long log: a process of its own for each start, with the code of the
//! server, from nothing until `/ready` agrees and an order is placed.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use api::signing::SigningKey;
use load::Problem;
use load::generator::Generator;
use load::requests::{Reads, Singles};
use load::stage::{Market, Served, User, rates};
use load::times::median;
use load::venue;
use server::node::Node;
use server::shared_log::SharedLogSettings;
use tokio::runtime::Builder;

use crate::contestant::give_key;
use crate::database::Database;
use crate::filling::fill;
use crate::options::StartOptions;

/// From nothing to the first order, with a snapshot beside the log.
const GOAL_SECONDS: f64 = 60.0;
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How long the making of history is watched afterwards.
const WATCHED: Duration = Duration::from_secs(3);
/// What a node prints before its seconds, for the one who started it.
const TOOK: &str = "first order after ";

pub(crate) fn run(options: &StartOptions) -> Result<(), Problem> {
    let database = Database::start(false);
    println!("{}", database.describe());
    let (log, settings) = database.log();
    eprintln!("Making a log of {} commands…", options.commands);
    fill(&settings.url, options.commands, options.tail)?;

    println!("\nAn empty folder on this log, in a process of its own each time");
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

/// Starts a node in a process of its own and passes on what it says. Gives its seconds.
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
    took.ok_or_else(|| format!("{title}: the node did not say how long it took").into())
}

/// The node that is started: says how long each step took, and ends.
pub(crate) fn run_node(url: &str, folder: &Path) -> Result<(), Problem> {
    let began = Instant::now();
    let runtime = Builder::new_multi_thread().enable_all().thread_name("worker").build()?;
    // The first frame that is replayed: the snapshot is in memory then.
    let mut loaded = None;
    let settings = SharedLogSettings::new(url);
    let node = Node::start_shared(folder, &settings, rates(), |_, _| {
        loaded.get_or_insert_with(|| began.elapsed());
    })?;
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
        key: SigningKey::new(&node.app.keyring.secret(venue::key(0), 0)),
    };
    let market = Market::of(venue::event(0), venue::market(0), venue::user(0));
    // A key of its own for each process: the same one would be the same order.
    let keys = u64::from(std::process::id()) << 32;
    let mut orders = Singles::new(&Arc::new(vec![user]), &[market], 1, keys);
    generator.once(&mut orders, &[])?;
    let traded = began.elapsed();
    let open_orders = node.app.shared.read().orders().len();
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
    // What was measured is over; a stop would wait for a history that takes longer than anybody wants to.
    std::process::exit(0)
}

/// How quickly history is made while the node serves already.
fn watch_history(node: &Node) {
    let (stored, start) = (node.app.history.stored(), Instant::now());
    thread::sleep(WATCHED);
    let per_second = (node.app.history.stored() - stored) as f64 / start.elapsed().as_secs_f64();
    let behind = node.app.shared.read().seq().saturating_sub(node.app.history.stored());
    let rest = behind as f64 / per_second;
    println!(
        "history is made meanwhile: {per_second:.0} commands/s, {behind} behind, level in about {rest:.0} s"
    );
}
