//! `bench lists`: the cost of a page of events and of a search in a venue with a thousand events and with a million.
//!
//! One run: events are created, ended and retired until there are a thousand, and each query is measured; then up to a
//! million, and measured again. A page should cost the same; the result is the ratio of the two.

#[path = "catalogue.rs"]
mod catalogue;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, to_bytes};
use catalogue::Catalogue;
use http::Request;
use load::Problem;
use load::stage::{rates, settle};
use load::times::Times;
use mimalloc::MiMalloc;
use server::node::Node;
use server::pipeline::clock::ManualClock;
use tokio::runtime::Runtime;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const HELP: &str = "\
Usage: bench lists [--events N]

  --events N   events of the large venue, default 1000000
";

const FEW: u64 = 1_000;
const GOAL_RATIO: f64 = 3.0;
/// Requests per query.
const TIMES: usize = 400;

/// Queries, each with the part of the path after `/v1/pm/events`. The goal applies to the first three.
const QUESTIONS: [(&str, &str); 12] = [
    ("page 1", "?size=10"),
    ("page 100", "?size=10&page=100"),
    ("a search", "?size=10&q=glacier+treaty"),
    ("the oldest page", "?size=10&page=LAST"),
    ("open", "?size=10&status=open"),
    ("a category, page 10", "?size=10&page=10&category=crypto"),
    ("resolved, in naira", "?size=10&page=20&status=resolved&currency=NGN"),
    ("a typo", "?size=10&q=glacer+treaty"),
    ("a word of most events", "?size=10&q=bitcoin"),
    ("a keyword of few", "?size=10&keyword=glacier%20t"),
    ("a keyword of most", "?size=10&keyword=bitcoin%20up"),
    ("trending", "?size=10&trending=true"),
];
const HELD: usize = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let many = match arguments.as_slice() {
        [] => Some(1_000_000),
        [option, value] if option == "--events" => value.parse().ok().filter(|many| *many > FEW),
        _ => None,
    };
    let Some(many) = many else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    match run(many) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench lists: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether the goal was reached.
fn run(many: u64) -> Result<bool, Problem> {
    let folder = tempfile::tempdir()?;
    let clock = Arc::new(ManualClock::new(catalogue::START_MICROS));
    let builder = Node::builder(folder.path()).rates(rates());
    let node = builder.clock(clock.clone()).journal_clock(clock.clone()).start()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let router = server::routes::router(node.app.clone());
    let mut catalogue = Catalogue::begin(&node.app, clock)?;
    let mut measured = Vec::new();
    for events in [FEW, many] {
        let began = Instant::now();
        catalogue.grow(events, |made| eprintln!("{made} events, {:.0} s", began.elapsed().as_secs_f64()))?;
        let seq = node.app.reading().state().seq();
        settle(&node, seq)?;
        measured.push(measure(&runtime, &router, events)?);
    }
    let in_memory = node.app.reading().state().catalogue().events().len();
    println!(
        "{many} events, {in_memory} of them in memory. Microseconds for a page of 10, {TIMES} times each.\n"
    );
    let is_reached = report(&measured[0], &measured[1], many);
    drop(router);
    node.stop()?;
    Ok(is_reached)
}

fn measure(runtime: &Runtime, router: &Router, events: u64) -> Result<Vec<(Times, u64)>, Problem> {
    let mut measured = Vec::new();
    for (_, question) in QUESTIONS {
        let path = format!("/v1/pm/events{}", question.replace("LAST", &events.div_ceil(10).to_string()));
        let mut times = Vec::new();
        let mut total = 0;
        for _ in 0..TIMES {
            let request = Request::get(&path).body(Body::empty())?;
            let began = Instant::now();
            let bytes = runtime.block_on(ask(router, request))?;
            times.push(began.elapsed());
            let body: serde_json::Value = serde_json::from_slice(&bytes)?;
            total = body["pagination"]["totalCount"].as_u64().ok_or("a page has a total")?;
        }
        measured.push((Times::of(times), total));
    }
    Ok(measured)
}

async fn ask(router: &Router, request: Request<Body>) -> Result<bytes::Bytes, Problem> {
    use tower_service::Service;
    let answer = router.clone().call(request).await?;
    if !answer.status().is_success() {
        return Err(format!("a list returned {}", answer.status()).into());
    }
    Ok(to_bytes(answer.into_body(), usize::MAX).await?)
}

fn report(few: &[(Times, u64)], many: &[(Times, u64)], events: u64) -> bool {
    println!(
        "{:<24}{:>9} {:>8} {:>8}   {:>9} {:>8} {:>8}   {:>6}",
        "",
        format!("of {FEW}"),
        "p50",
        "p99",
        format!("of {events}"),
        "p50",
        "p99",
        "ratio"
    );
    let mut worst = 0.0_f64;
    for (number, ((name, _), ((short, few), (long, lots)))) in
        QUESTIONS.iter().zip(few.iter().zip(many)).enumerate()
    {
        let ratio = long.p99 / short.p99;
        if number < HELD {
            worst = worst.max(ratio);
        }
        println!(
            "{name:<24}{few:>9} {:>8.0} {:>8.0}   {lots:>9} {:>8.0} {:>8.0}   {ratio:>6.2}",
            short.p50, short.p99, long.p50, long.p99
        );
    }
    println!("\nWorst ratio of the first {HELD} by p99: {worst:.2}, goal at most {GOAL_RATIO:.1}.");
    worst <= GOAL_RATIO
}
