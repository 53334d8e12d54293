//! Honest traders place and cancel at a steady rate while attackers run at other loopback addresses: no cancel is
//! refused, and none waits long.
//!
//! `attacks` has one function for each attack, `wire` a bare connection from a chosen address. `cargo xtask soak
//! hostile` runs this very test for longer and checks the p99. The short run in the suite checks refusals only,
//! because times on a busy machine mean nothing.

mod attacks;
mod wire;

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stage::demo::{Demo, market, signed_headers};
use stage::drill::plan::Plan;

use attacks::{ATTACKS, Target};
use wire::Wire;

/// Cancels of each trader in the short run.
const CANCELS: u64 = 15;
const TRADERS: usize = 6;
/// A trader makes two writes and then waits this long: well below 20 writes and 20 cancels a second.
const PAUSE: Duration = Duration::from_millis(100);
/// The goal for a quiet machine. A soak fails beyond it.
const P99_MAX: Duration = Duration::from_millis(100);
const HONEST: &str = "127.0.0.1";

/// Measurements of a trader.
#[derive(Default)]
struct Seen {
    cancels: Vec<Duration>,
    refused: Vec<String>,
}

#[test]
fn no_cancel_of_an_honest_trader_is_refused_while_strangers_attack() {
    let plan = Plan::from_environment(CANCELS);
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let target = Target::of(&demo, TRADERS);
    let quiet = run(&demo, &target, &|done| done >= CANCELS, false);
    let (p50, p99) = quantiles(quiet.cancels);
    println!("without attacks: cancels p50 {p50:?}, p99 {p99:?}");

    let seen = run(&demo, &target, &|done| plan.is_over(done), true);
    assert!(seen.refused.is_empty(), "{} refused, the first: {:?}", seen.refused.len(), seen.refused.first());
    let count = seen.cancels.len();
    let (p50, p99) = quantiles(seen.cancels);
    println!(
        "under attack: {count} cancels, none refused, p50 {p50:?}, p99 {p99:?} (goal: under {P99_MAX:?})"
    );
    for (name, answered, limited) in target.counts() {
        println!("  {name}: {answered} answers, {limited} of them 429");
    }
    assert_eq!(demo.terminate().code(), Some(0), "the journal gives the state that was served");
    if env::var_os("BELLWETHER_SOAK_MINUTES").is_some() {
        assert!(p99 < P99_MAX, "the p99 of cancels is {p99:?}");
    }
}

/// Whether a trader is done after this number of cancels.
type IsDone<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// Runs all traders until they are done, with or without the attacks.
fn run(demo: &Demo, target: &Target, is_done: IsDone<'_>, is_attacked: bool) -> Seen {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        if is_attacked {
            for attack in ATTACKS {
                let is_over = &is_over;
                scope.spawn(move || (attack.run)(target, is_over));
            }
        }
        let trading: Vec<_> =
            (0..TRADERS).map(|person| scope.spawn(move || trade(demo, person, is_done))).collect();
        let mut all = Seen::default();
        for trader in trading {
            let seen = trader.join().expect("a trader who does not give up");
            all.cancels.extend(seen.cancels);
            all.refused.extend(seen.refused);
        }
        is_over.store(true, Ordering::Relaxed);
        all
    })
}

/// Places an order that rests and cancels it, again and again.
fn trade(demo: &Demo, person: usize, is_done: IsDone<'_>) -> Seen {
    let (orders, yes) = market(demo, "rain-in-lagos-on-new-years-day");
    let public = demo.text(&format!("/users/{person}/publicKey"));
    let secret = demo.text(&format!("/users/{person}/secretKey"));
    let mut wire = Wire::connect(HONEST, demo.text("/baseUrl")).expect("a connection");
    let mut seen = Seen::default();
    let order =
        json!({"side": "BUY", "outcomeId": yes, "type": "LIMIT", "price": 0.02, "amount": 2}).to_string();
    let mut send = |method: &str, path: &str, body: &str| {
        let headers = signed_headers(public, secret, method, path, body.as_bytes());
        wire.ask(method, path, &headers, body).expect("an answer")
    };
    let mut done = 0;
    while !is_done(done) {
        let placed = send("POST", &orders, &order);
        if placed.status == 200 {
            let placed: Value = serde_json::from_str(&placed.body).expect("a JSON body");
            let path = format!("/v1/pm/orders/{}", placed["order"]["id"].as_str().expect("an id"));
            let began = Instant::now();
            let cancelled = send("DELETE", &path, "");
            seen.cancels.push(began.elapsed());
            if cancelled.status != 200 {
                seen.refused.push(cancelled.body);
            }
        } else {
            seen.refused.push(placed.body);
        }
        done += 1;
        patience::let_run(PAUSE);
    }
    seen
}

/// The median and the 99th percentile.
fn quantiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len() - 1)).copied();
    (at(50).unwrap_or_default(), at(99).unwrap_or_default())
}
