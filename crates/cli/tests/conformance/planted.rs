//! Planted differences: each is one change of the proxy, and the check that must report it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::proxy::{Change, Proxy, Reply};
use crate::stage::Demo;
use crate::{check, ids, shown, trade};

/// A change, and the check that reports it.
struct Plant {
    name: &'static str,
    check: &'static str,
    change: Change,
}

const fn reply(name: &'static str, check: &'static str, change: fn(&mut Reply)) -> Plant {
    Plant { name, check, change: Change::Reply(change) }
}

const fn message(name: &'static str, check: &'static str, change: fn(&mut Value)) -> Plant {
    Plant { name, check, change: Change::Message(change) }
}

const READS: &[Plant] = &[
    reply("a missing field", "events.list", |reply| {
        remove(reply, "GET /v1/pm/events?", "/events/0", "engine")
    }),
    reply("a number as a string", "events.list", |reply| {
        set(reply, "GET /v1/pm/events?", "/events/0/markets/0/outcome1Price", json!("0.5"));
    }),
    reply("an integer with a point", "events.list", |reply| {
        set(reply, "GET /v1/pm/events?", "/events/0/totalOrders", json!(1.0));
    }),
    reply("an unknown status of an event", "events.list", |reply| {
        set(reply, "GET /v1/pm/events?", "/events/0/status", json!("OPEN"));
    }),
    reply("a page of another size", "events.pages", |reply| {
        set(reply, "GET /v1/pm/events?", "/pagination/size", json!(20));
    }),
    reply("another status", "events.unknown", |reply| status(reply, "GET /v1/pm/events/0", 404, 400)),
    reply("another error code", "events.unknown", |reply| {
        set(reply, "GET /v1/pm/events/0", "/error", json!("missing"));
    }),
    reply("an error without its status", "answers.errors", |reply| {
        remove(reply, "GET /v1/pm/markets/", "", "statusCode");
    }),
    reply("a lost trace id", "system.trace", |reply| reply.headers.retain(|(name, _)| name != "x-trace-id")),
    reply("a health in plain text", "system.health", |reply| {
        if reply.request == "GET /health" {
            reply.body = json!("ok");
        }
    }),
    reply("a failure of the server", "answers.no_failure", |reply| {
        if reply.request == "GET /v1/pm/sports/leagues" {
            reply.status = 500;
        }
    }),
    reply("a float's error", "answers.numbers", |reply| {
        set(reply, "GET /v1/pm/events?", "/events/0/liquidity", json!(0.1 + 0.2));
    }),
    reply("a book from the worst level on", "books.levels", |reply| {
        let bids = reply.body.pointer_mut("/0/bids").and_then(Value::as_array_mut);
        bids.into_iter().for_each(|bids| bids.reverse());
    }),
    reply("a total that does not add up", "books.levels", |reply| {
        set(reply, "GET /v1/pm/books?", "/0/bids/0/total", json!(1234));
    }),
    reply("trades from the oldest on", "trades.list", |reply| {
        if reply.request == "GET /v1/pm/trades" {
            set(reply, "GET /v1/pm/trades", "/data/0/createdAt", json!("2001-01-01T00:00:00Z"));
        }
    }),
    reply("a ticker for no outcome", "ticker.missing", |reply| {
        status(reply, "GET /v1/pm/markets/", 400, 200)
    }),
    reply("a quote that does not add up", "quote.book", |reply| {
        set(reply, "POST /v1/pm/events/", "/costOfShares", json!(0.5));
    }),
    reply("a quote in naira by dollars", "quote.naira", |reply| {
        set(reply, "POST /v1/pm/events/", "/currencyBaseMultiplier", json!(1));
    }),
    reply("an account without a key", "account.no_key", |reply| {
        status(reply, "GET /v1/wallet/assets", 401, 200)
    }),
    reply("activities with numbers", "account.activities", |reply| {
        set(reply, "GET /v1/pm/activities", "/activities/0/price", json!(0.5));
    }),
    reply("a login that is never refused for haste", "session.limit", |reply| {
        status(reply, "POST /v1/user/login", 429, 401);
    }),
    reply("a refusal for haste without a header", "session.limit", |reply| {
        reply.headers.retain(|(name, _)| name != "retry-after");
    }),
];

const WRITES: &[Plant] = &[
    reply("a wrong signature that passes", "signing.wrong_secret", accept_cancels),
    reply("an old timestamp that passes", "signing.expired", accept_cancels),
    reply("a changed body that passes", "signing.wrong_body", |reply| {
        status(reply, "DELETE /v1/pm/orders/batch", 401, 200);
    }),
    reply("a write without credentials that passes", "signing.none", |reply| {
        status(reply, "POST /v1/pm/markets/", 401, 404);
    }),
    reply("a right signature that is refused", "signing.accepted", |reply| {
        status(reply, "DELETE /v1/pm/orders/0", 404, 401);
    }),
    reply("an order of another size", "orders.rest", |reply| {
        set(reply, "POST /v1/pm/events/", "/order/size", json!(99));
    }),
    reply("a second cancel that succeeds", "orders.cancelled_twice", |reply| {
        if reply.request.starts_with("DELETE /v1/pm/orders/") && reply.status >= 400 {
            (reply.status, reply.body) = (200, json!({"message": "Order cancelled"}));
        }
    }),
    reply("a postOnly order that crosses", "orders.post_only", |reply| {
        if reply.body["order"]["status"] == "rejected" {
            reply.body["order"]["status"] = json!("open");
        }
    }),
    reply("a malformed order that is accepted", "orders.refusals", |reply| {
        status(reply, "POST /v1/pm/events/", 400, 200);
    }),
    reply("another code of an item", "batches.cancel_unknown", |reply| {
        set(reply, "DELETE /v1/pm/orders/batch", "/results/0/error/code", json!("NOT_FOUND"));
    }),
    reply("a summary that does not add up", "batches.place", |reply| {
        set(reply, "POST /v1/pm/orders/batch", "/summary/failed", json!(0));
    }),
    reply("an amend that keeps the price", "batches.amend", |reply| {
        set(reply, "POST /v1/pm/orders/batch/amend", "/results/0/order/price", json!(0.01));
    }),
    reply("a replay without its mark", "idempotency.replay", |reply| {
        reply.headers.retain(|(name, _)| name != "idempotent-replayed");
    }),
    Plant {
        name: "keys that are ignored",
        check: "idempotency.place",
        change: Change::Request("idempotency-key"),
    },
    reply("another body under a key that passes", "idempotency.other_body", |reply| {
        status(reply, "DELETE /v1/pm/orders/batch", 422, 200);
    }),
    reply("a mint of too many sets", "sets.mint_and_burn", |reply| {
        if reply.request.ends_with("/mint") {
            set(reply, "POST", "/quantity", json!(2));
        }
    }),
    reply("a self-trade that is not prevented", "self_trade.cancel_newest", |reply| {
        if reply.body["order"]["status"] == "rejected" {
            reply.body["order"]["status"] = json!("open");
        }
    }),
    reply("a trade at another price", "fill.trade", |reply| {
        set(reply, "GET /v1/pm/trades?orderId=", "/data/0/price", json!(0.99));
    }),
    message("a stream without a greeting", "streams.connected", |message| {
        if message["type"] == "connected" {
            message["type"] = json!("hello");
        }
    }),
    message("a price as a string", "streams.prices", |message| {
        set_in(message, "/data/markets/0/prices/YES", json!("0.5"));
    }),
    message("a heartbeat that skips", "streams.changes", |message| {
        if message["type"] == "heartbeat" {
            message["sequence"] = json!(message["sequence"].as_u64().unwrap_or_default() + 1);
        }
    }),
    message("an order that never fills", "fill.streams", |message| {
        if message["type"] == "order_updated" {
            message["type"] = json!("order_changed");
        }
    }),
];

/// Answers 404 to cancels that were refused for their signature.
fn accept_cancels(reply: &mut Reply) {
    status(reply, "DELETE /v1/pm/orders/0", 401, 404);
}

/// Replaces a status; the body says so too.
fn status(reply: &mut Reply, request: &str, from: u16, to: u16) {
    if reply.request.starts_with(request) && reply.status == from {
        reply.status = to;
        reply.body["statusCode"] = json!(to);
    }
}

fn set(reply: &mut Reply, request: &str, pointer: &str, value: Value) {
    if reply.request.starts_with(request) {
        set_in(&mut reply.body, pointer, value);
    }
}

fn set_in(body: &mut Value, pointer: &str, value: Value) {
    if let Some(place) = body.pointer_mut(pointer) {
        *place = value;
    }
}

fn remove(reply: &mut Reply, request: &str, pointer: &str, name: &str) {
    if reply.request.starts_with(request)
        && let Some(Value::Object(members)) = reply.body.pointer_mut(pointer)
    {
        members.remove(name);
    }
}

/// The keys of the demo's first two people, as files.
fn key_files(demo: &Demo, folder: &Path) -> [PathBuf; 2] {
    [0, 1].map(|user| {
        let file = folder.join(format!("key-{user}.json"));
        fs::write(&file, demo.json["users"][user].to_string()).expect("a file");
        file
    })
}

/// Rules about all answers need answers of other areas.
fn areas(check: &str) -> String {
    let (area, _) = check.split_once('.').expect("an area");
    if area == "answers" { format!("{check},system,events,ticker,sports") } else { check.to_owned() }
}

/// An honest proxy changes nothing; then each plant is found by its check.
fn find_all(plants: &[Plant]) {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    trade(&demo);
    let proxy = Proxy::start(demo.text("/baseUrl"));
    let keys = key_files(&demo, folder.path());
    let [first, second] = keys.each_ref().map(|file| file.to_str().expect("a path"));
    let run = |only: &str| {
        let arguments = ["--url", &proxy.url, "--key", first, "--second-key", second, "--only", only];
        check(folder.path(), &arguments)
    };
    let all: Vec<String> = plants.iter().map(|plant| areas(plant.check)).collect();
    let (output, report) = run(&all.join(","));
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    for plant in plants {
        assert!(ids(&report, "holds").contains(&plant.check), "{}: {}", plant.name, shown(&output));
    }
    for plant in plants {
        proxy.plant(plant.change);
        let (output, report) = run(&areas(plant.check));
        assert_eq!(output.status.code(), Some(1), "{}: {}", plant.name, shown(&output));
        assert!(ids(&report, "differs").contains(&plant.check), "{}: {}", plant.name, shown(&output));
    }
    assert_eq!(demo.terminate().code(), Some(0));
}

#[test]
fn planted_differences_of_reads_are_reported_by_their_checks() {
    find_all(READS);
}

#[test]
fn planted_differences_of_writes_and_streams_are_reported_by_their_checks() {
    find_all(WRITES);
}
