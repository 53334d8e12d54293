//! The clock: it stands, it is advanced, it jumps, it runs and it is stopped.

use std::thread;
use std::time::{Duration, Instant};

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
    assert_eq!(now(&sandbox.ask("GET", "/clock", &Value::Null)), now(&begin), "requests do not move it");
    let status = || sandbox.get(&ada, &format!("/v1/pm/orders/{id}"))["status"].clone();
    sandbox.advance(59);
    assert_eq!(status(), "open");
    let at = sandbox.advance(1);
    assert!(now(&at).starts_with("2026-01-05T12:01:00"), "{at}");
    assert_eq!(status(), "expired");
    let (status, refused) = sandbox.control("POST", "/clock/advance", &json!({"seconds": -1}));
    assert_eq!(status, 400, "{refused}");
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
        thread::yield_now();
    }
    let stopped = sandbox.ask("POST", "/clock/stop", &Value::Null);
    assert_eq!((&stopped["running"], &stopped["deterministic"]), (&json!(false), &json!(false)));
    let passed = Instant::now();
    // Many steps of a clock that runs.
    while passed.elapsed() < Duration::from_millis(200) {
        assert_eq!(now(&sandbox.ask("GET", "/clock", &Value::Null)), now(&stopped), "it stands");
    }
    let reset = sandbox.ask("POST", "/reset", &Value::Null);
    assert!(now(&reset).starts_with(START), "{reset}");
    assert_eq!(reset["deterministic"], true);
}

#[test]
fn a_trader_whose_user_was_erased_acts_no_more_and_the_clock_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let market = sandbox.market("rain-tomorrow");
    let maker = json!({"behaviour": "maker", "marketId": market.id, "name": "maker"});
    let user = sandbox.ask("POST", "/traders", &maker)["userId"].as_str().expect("an id").to_owned();
    let operate = |what: &str, body: &Value| {
        let (status, answer) = sandbox.operate("POST", &format!("/users/{user}/{what}"), body);
        assert_eq!(status, 200, "{what}: {answer}");
    };
    // Only an empty account can be erased.
    operate("debit", &json!({"currency": "USD", "amount": 100_000, "reference": "all of it"}));
    operate("erase", &Value::Null);
    let clock = sandbox.advance(60);
    assert!(now(&clock).starts_with("2026-01-05T12:01:00"), "{clock}");
    sandbox.ask("DELETE", "/traders", &Value::Null);
}

#[test]
fn an_advance_that_would_take_too_long_is_refused_on_the_way_and_goes_on_in_smaller_steps() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = Sandbox::start(folder.path());
    let (status, refused) = sandbox.control("POST", "/clock/advance", &json!({"seconds": 399 * 86_400}));
    assert_eq!(status, 409, "{refused}");
    let on_the_way = sandbox.ask("GET", "/clock", &Value::Null);
    assert!(now(&on_the_way) > "2026-01-20" && now(&on_the_way) < "2027-01-01", "{on_the_way}");
    let (before, after) = (now(&on_the_way).to_owned(), sandbox.advance(3_600));
    assert!(now(&after) > before.as_str());
}
