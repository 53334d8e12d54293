//! The clock: it stands, it is advanced, it jumps, it runs and it is stopped.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::stage::{Sandbox, limit};

const START: &str = "2026-01-05T12:00:00";

fn now(clock: &Value) -> &str {
    clock["now"].as_str().expect("a time")
}

#[test]
fn the_clock_stands_until_it_is_advanced_and_fires_every_due_timer() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let (ada, market) = (sandbox.user("ada"), sandbox.market("rain-tomorrow"));
    let begin = sandbox.ask("GET", "/clock", &Value::Null);
    assert!(now(&begin).starts_with(START), "{begin}");
    assert_eq!((&begin["running"], &begin["deterministic"]), (&json!(false), &json!(true)));
    let mut order = limit(&market.yes, 0.4, 10);
    order["timeInForce"] = json!("GTD");
    order["expiresAt"] = json!("2026-01-05T12:01:00Z");
    let placed = sandbox.write(&ada, "POST", &market.orders(), &order, &[]).expect("an answer");
    assert_eq!(placed.0, 200, "{}", placed.1);
    let id = placed.1["order"]["id"].as_str().expect("an id").to_owned();
    thread::sleep(Duration::from_millis(200));
    assert_eq!(sandbox.ask("GET", "/clock", &Value::Null), begin_with_sequence(&sandbox, &begin));
    let status = || sandbox.get(&ada, &format!("/v1/pm/orders/{id}"))["status"].clone();
    sandbox.advance(59);
    assert_eq!(status(), "open");
    let at = sandbox.advance(1);
    assert!(now(&at).starts_with("2026-01-05T12:01:00"), "{at}");
    assert_eq!(status(), "expired");
    let (status, refused) = sandbox.control("POST", "/clock/advance", &json!({"seconds": -1}));
    assert_eq!(status, 400, "{refused}");
}

/// The clock as it was, at the present sequence.
fn begin_with_sequence(sandbox: &Sandbox, begin: &Value) -> Value {
    let mut clock = begin.clone();
    clock["sequence"] = sandbox.ask("GET", "/clock", &Value::Null)["sequence"].clone();
    clock
}

#[test]
fn a_jump_ends_at_the_close_of_the_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let ada = sandbox.user("ada");
    let jumped = sandbox.ask("POST", "/clock/jump", &json!({"event": "rain-tomorrow"}));
    assert!(now(&jumped).starts_with("2026-01-06T12:00:00"), "{jumped}");
    assert_eq!(sandbox.get(&ada, "/v1/pm/events/slug/rain-tomorrow")["status"], "closed");
    let (status, _) = sandbox.control("POST", "/clock/jump", &json!({"event": "no-such-event"}));
    assert_eq!(status, 404);
}

#[test]
fn a_series_opens_closes_and_resolves_its_events_while_the_clock_advances() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let ada = sandbox.user("ada");
    sandbox.ask("POST", "/price", &json!({"symbol": "BTCUSDT", "value": 100_000}));
    sandbox.advance(20 * 60);
    sandbox.ask("POST", "/price", &json!({"symbol": "BTCUSDT", "value": 100_001}));
    sandbox.advance(20 * 60);
    let events = sandbox.get(&ada, "/v1/pm/events?seriesSlug=crypto-btc-15min&status=resolved");
    let first = &events["events"][0];
    assert_eq!(first["status"], "resolved", "{events}");
    let up = first["markets"][0]["resolvedOutcome"].as_str().map(str::to_ascii_uppercase);
    assert!(matches!(up.as_deref(), Some("YES" | "UP")), "the price rose: {first}");
}

#[test]
fn a_running_clock_passes_time_says_that_it_is_not_deterministic_and_stops() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let running = sandbox.ask("POST", "/clock/run", &json!({"speed": "3600x"}));
    assert_eq!((&running["running"], &running["speed"]), (&json!(true), &json!(3600)));
    assert_eq!(running["deterministic"], false);
    let (status, _) = sandbox.control("POST", "/clock/advance", &json!({"seconds": 1}));
    assert_eq!(status, 409, "a running clock is not advanced");
    // An hour a second: the minute passes while this looks.
    while now(&sandbox.ask("GET", "/clock", &Value::Null)) < "2026-01-05T12:01:00" {
        thread::sleep(Duration::from_millis(10));
    }
    let stopped = sandbox.ask("POST", "/clock/stop", &Value::Null);
    assert_eq!((&stopped["running"], &stopped["deterministic"]), (&json!(false), &json!(false)));
    thread::sleep(Duration::from_millis(200));
    assert_eq!(now(&sandbox.ask("GET", "/clock", &Value::Null)), now(&stopped), "it stands");
    let reset = sandbox.ask("POST", "/reset", &Value::Null);
    assert!(now(&reset).starts_with(START), "{reset}");
    assert_eq!(reset["deterministic"], true);
}
