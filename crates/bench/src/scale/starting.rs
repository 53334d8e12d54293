//! A node that starts from the snapshot of a folder: how long it takes, its memory, and the time of hot reads.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, to_bytes};
use http::Request;
use server::node::Node;
use server::pipeline::clock::ManualClock;
use tokio::runtime::Runtime;

use super::child::give;
use super::sizes::pools;
use crate::Problem;
use crate::counts::memory_mib;
use crate::random::Random;
use crate::stage::{Market, rates};
use crate::times::Times;
use crate::venue::{START, event, market, user};

const READS: usize = 2_000;
/// The clock of the node: after the last command, and soon enough that no session has expired.
const LATER_SECONDS: i64 = 3_600;

pub(crate) fn run(folder: &Path) -> Result<(), Problem> {
    let clock = Arc::new(ManualClock::new(START.micros() + LATER_SECONDS * 1_000_000));
    let began = Instant::now();
    let node =
        Node::builder(folder).rates(rates()).clock(clock.clone()).journal_clock(clock.clone()).start()?;
    give("start_s", began.elapsed().as_secs_f64());
    if node.report.snapshot == 0 || node.report.replayed > 0 {
        return Err(format!("the node did not start from the snapshot alone: {:?}", node.report).into());
    }
    give("node_mib", memory_mib("VmRSS")?);

    let events = node.app.reading().state().catalogue().events().len() as u32;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let router = server::routes::router(node.app.clone());
    let (mut random, mut times) = (Random::new(3), Vec::new());
    for _ in 0..READS {
        // Only books have a ticker.
        let index = random.below(events - pools(events));
        let Market { event, hot: [book, ticker], .. } = Market::of(event(index), market(index), user(0));
        for path in [event, book, ticker] {
            let began = Instant::now();
            read(&runtime, &router, &path)?;
            times.push(began.elapsed());
        }
    }
    give("read_us", Times::of(times).p50);
    drop(router);
    // The folder is removed next; a clean stop would only write one more snapshot.
    std::process::exit(0)
}

fn read(runtime: &Runtime, router: &Router, path: &str) -> Result<(), Problem> {
    use tower_service::Service;
    let request = Request::get(path).body(Body::empty())?;
    let answer = runtime.block_on(router.clone().call(request))?;
    if !answer.status().is_success() {
        return Err(format!("{path} returned {}", answer.status()).into());
    }
    runtime.block_on(to_bytes(answer.into_body(), usize::MAX))?;
    Ok(())
}
