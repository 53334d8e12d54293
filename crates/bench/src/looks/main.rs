//! `bench looks`: how long each read holds the lock of the state, at the largest sizes that are allowed.
//!
//! A long look delays the writer, and so every order behind it. `crowded.rs` creates a venue of 100,000 events in memory
//! with one trader who has 5,000 open orders and 5,000 positions; `requests.rs` has the reads. Each is sent many times,
//! and the longest look of each time is kept.

#[path = "crowded.rs"]
mod crowded;
#[path = "requests.rs"]
mod requests;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use crowded::Sizes;
use http::Request;
use load::Problem;
use load::rows::{Goal, Rows};
use load::stage::{rates, settle};
use load::times::Times;
use load::venue::START;
use mimalloc::MiMalloc;
use requests::{Question, questions};
use server::limits::OPERATOR_RATE;
use server::node::Node;
use server::pipeline::clock::ManualClock;
use server::streams::StreamSettings;
use tokio::runtime::Runtime;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const HELP: &str = "\
Usage: bench looks [--small] [--worst] [--only TEXT]

  --small       a tenth of the sizes
  --worst       one row for the worst read, instead of one for each
  --only TEXT   reads whose name contains the text
";

const GOAL: Goal = Goal::AtMost(200.0);

/// How long a room of `changes` is kept. Each read of changes must open its room, which is the longest part.
const ROOM_KEPT: Duration = Duration::from_millis(1);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(options) = Options::read(arguments.iter().map(String::as_str)) else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench looks: {error}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    sizes: Sizes,
    worst: bool,
    only: String,
}

impl Options {
    fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Options> {
        let mut options = Options { sizes: Sizes::LARGEST, worst: false, only: String::new() };
        while let Some(word) = words.next() {
            match word {
                "--small" => options.sizes = Sizes::SMALL,
                "--worst" => options.worst = true,
                "--only" => words.next()?.clone_into(&mut options.only),
                _ => return None,
            }
        }
        Some(options)
    }
}

fn run(options: &Options) -> Result<(), Problem> {
    let sizes = &options.sizes;
    let folder = tempfile::tempdir()?;
    let clock = Arc::new(ManualClock::new(START.micros()));
    let builder = Node::builder(folder.path()).rates(rates());
    let node = builder.clock(clock.clone()).journal_clock(clock.clone()).start()?;
    let settings = StreamSettings {
        heartbeat_every: ROOM_KEPT,
        changes_kept_for: ROOM_KEPT,
        ..StreamSettings::default()
    };
    if !node.app.streams().configure(settings) {
        return Err("the node has settings of its own".into());
    }
    let began = Instant::now();
    crowded::create(&node.app, sizes)?;
    let seq = node.app.reading().state().seq();
    settle(&node, seq)?;
    eprintln!("{seq} commands, {:.0} s", began.elapsed().as_secs_f64());
    println!("{}. The longest look of a request.\n", sizes.describe());

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let routers = [server::routes::router(node.app.clone()), server::admin::router(node.app.clone())];
    let mut rows = Rows::default();
    let mut worst = (0.0, String::new());
    let asked = questions(sizes);
    for question in asked.iter().filter(|question| question.name.contains(&options.only)) {
        let Times { p50, p99, longest, .. } = measure(&runtime, &routers, &node, question, &clock)?;
        println!("  {:<34} p50 {p50:7.0}  p99 {p99:7.0}  longest {longest:7.0} us", question.name);
        if !options.worst {
            rows.add(&format!("longest look, {}", question.name), p50, " µs", GOAL);
        } else if p50 > worst.0 {
            worst = (p50, question.name.clone());
        }
    }
    if options.worst {
        let (p50, name) = worst;
        rows.add(&format!("longest look of {} reads: {name}", asked.len()), p50, " µs", GOAL);
    }
    rows.print();
    drop(routers);
    node.stop()?;
    Ok(())
}

/// The longest look of each of many requests.
fn measure(
    runtime: &Runtime,
    [public, admin]: &[Router; 2],
    node: &Node,
    question: &Question,
    clock: &ManualClock,
) -> Result<Times, Problem> {
    let is_operators = question.path.starts_with("/admin") || question.path == "/metrics";
    let router = if is_operators { admin } else { public };
    let mut looks: Vec<Duration> = Vec::new();
    for _ in 0..question.times {
        let request = question.request()?;
        // The clock stands otherwise, and the limit of an operator's requests would be reached.
        clock.advance_micros(1_000_000 / i64::from(OPERATOR_RATE.per_second));
        while node.app.streams().change_logs() > 0 {
            std::thread::sleep(ROOM_KEPT);
        }
        node.app.reading().shared().take_longest_read();
        runtime.block_on(send(router, request, &question.path))?;
        looks.push(node.app.reading().shared().take_longest_read());
    }
    Ok(Times::of(looks))
}

async fn send(router: &Router, request: Request<Body>, path: &str) -> Result<(), Problem> {
    use tower_service::Service;
    let answer = router.clone().call(request).await?;
    let status = answer.status();
    let body = to_bytes(answer.into_body(), usize::MAX).await?;
    if !status.is_success() {
        return Err(format!("{path} returned {status}: {}", String::from_utf8_lossy(&body)).into());
    }
    Ok(())
}
