//! Planted differences: each is one change of the proxy, and the check that must report it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::{Value, json};
use stage::demo::Demo;

use crate::proxy::{Change, Proxy, Reply};
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
    reply("a health in plain text", "system.health_body", |reply| {
        if reply.request == "GET /health" {
            reply.body = json!("ok");
        }
    }),
    reply("a health that fails", "system.health", |reply| {
        if reply.request == "GET /health" {
            reply.status = 404;
        }
    }),
    reply("a version that fails", "system.version", |reply| {
        if reply.request == "GET /version" {
            reply.status = 404;
        }
    }),
    reply("a version without its field", "system.version_body", |reply| {
        remove(reply, "GET /version", "", "version");
    }),
    reply("a list under another name", "events.envelope", |reply| {
        if reply.request.starts_with("GET /v1/pm/events?")
            && let Some(events) = reply.body.as_object_mut().and_then(|body| body.remove("events"))
        {
            reply.body["data"] = events;
        }
    }),
    reply("an empty body", "answers.json", |reply| {
        if reply.request == "GET /v1/pm/sports/leagues" {
            reply.body = Value::Null;
        }
    }),
    reply("a trade without its orders", "trades.fields", |reply| {
        remove(reply, "GET /v1/pm/trades", "/data/0", "takerOrderId");
    }),
    reply("a market of one trade that is another's", "trades.filters", |reply| {
        if reply.request.contains("marketId=") {
            set(
                reply,
                "GET /v1/pm/trades?",
                "/data/0/marketId",
                json!("01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a"),
            );
        }
    }),
    reply("a pair of prices of two dollars", "events.prices", |reply| {
        set(reply, "GET /v1/pm/events?", "/events/0/markets/0/outcome1Price", json!(1));
        set(reply, "GET /v1/pm/events?", "/events/0/markets/0/outcome2Price", json!(1));
    }),
    reply("a series list of another size", "series.list", |reply| {
        set(reply, "GET /v1/pm/events/series", "/pagination/size", json!(20));
    }),
    reply("a team without a sport", "sports.teams", |reply| {
        remove(reply, "GET /v1/pm/sports/teams", "/teams/0", "sport");
    }),
    reply("a game without a start", "sports.games", |reply| {
        remove(reply, "GET /v1/pm/sports/games", "/games/0", "startDate");
    }),
    reply("a ticker of the other outcome", "ticker.outcome", |reply| {
        set(reply, "GET /v1/pm/markets/", "/outcome", json!("NO"));
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
        status(reply, "GET /v1/pm/portfolio", 401, 200)
    }),
    reply("a wallet without a key", "account.hidden_no_key", |reply| {
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
    reply("an unknown key that passes", "account.unknown_key", |reply| {
        status(reply, "GET /v1/pm/activities", 401, 200)
    }),
    reply("a key that is refused", "account.key", |reply| status(reply, "GET /v1/pm/activities", 200, 403)),
    reply("orders without pages", "account.orders", |reply| {
        remove(reply, "GET /v1/pm/orders?", "", "pagination")
    }),
    reply("an order of the other side", "account.order_filters", |reply| {
        set(reply, "GET /v1/pm/orders?side=", "/orders/0/side", json!("SELL"))
    }),
    reply("an unknown order that is malformed", "account.unknown_order", |reply| {
        status(reply, "GET /v1/pm/orders/0", 404, 400)
    }),
    reply("a portfolio without its cost", "account.portfolio", |reply| {
        remove(reply, "GET /v1/pm/portfolio", "", "portfolioCost")
    }),
    reply("an asset with a strange unit", "account.wallet", |reply| {
        set(reply, "GET /v1/wallet/assets", "/assets/0/currencyBaseMultiplier", json!(7))
    }),
    reply("a large page that is forbidden", "events.page_bound", |reply| {
        status(reply, "GET /v1/pm/events?size=101", 400, 403)
    }),
    reply("a page before the first that is forbidden", "events.page_least", |reply| {
        status(reply, "GET /v1/pm/events?page=0", 400, 403)
    }),
    reply("an event of another status", "events.status_filter", |reply| {
        set(reply, "GET /v1/pm/events?status=", "/events/0/status", json!("paused"))
    }),
    reply("an event of another category", "events.category_filter", |reply| {
        set(reply, "GET /v1/pm/events?category=", "/events/0/category", json!("other"))
    }),
    reply("a search that finds nothing", "events.keyword_filter", |reply| {
        set(reply, "GET /v1/pm/events?keyword=", "/events", json!([]))
    }),
    reply("an event of another match", "events.game_filter", |reply| {
        set(reply, "GET /v1/pm/events?sportGameSlug=", "/events/0/sportGameSlug", json!("x"))
    }),
    reply("a single event without a market", "events.kinds", |reply| {
        set(reply, "GET /v1/pm/events?", "/events/0/type", json!("single"));
        set(reply, "GET /v1/pm/events?", "/events/0/markets", json!([]));
    }),
    reply("another event", "events.get", |reply| set(reply, "GET /v1/pm/events/", "/id", json!("x"))),
    reply("a least order in naira of one", "events.naira", |reply| {
        set(reply, "GET /v1/pm/events/", "/markets/0/minimumOrderAmount", json!(1))
    }),
    reply("another page of trades", "trades.pages", |reply| {
        set(reply, "GET /v1/pm/trades?toDate", "/pagination/page", json!(7))
    }),
    reply("a large page of trades that is forbidden", "trades.page_bound", |reply| {
        status(reply, "GET /v1/pm/trades?size=101", 400, 403)
    }),
    reply("one id of two trades", "trades.id", |reply| {
        set(reply, "GET /v1/pm/trades?id=", "/pagination/totalCount", json!(2))
    }),
    reply("a deep book", "books.depth", |reply| {
        let level = json!({"price": 0.01, "quantity": 1, "total": 0.01});
        set(reply, "GET /v1/pm/books?", "/0/bids", json!([level, level]));
    }),
    reply("a pool without books", "books.pool", |reply| status(reply, "GET /v1/pm/books?", 200, 400)),
    reply("books of no outcome that are forbidden", "books.missing", |reply| {
        status(reply, "GET /v1/pm/books", 400, 403)
    }),
    reply("an unknown ticker that is malformed", "ticker.unknown", |reply| {
        status(reply, "GET /v1/pm/markets/", 404, 400)
    }),
    reply("a history of nothing", "history.points", |reply| {
        if reply.request.contains("price-history") {
            reply.body = json!({});
        }
    }),
    reply("a pool's quote that does not add up", "quote.pool", |reply| {
        set(reply, "POST /v1/pm/events/", "/costOfShares", json!(0.5))
    }),
    reply("a sale without a fee", "quote.sell", |reply| remove(reply, "POST /v1/pm/events/", "", "fee")),
    reply("a quote with a key and without a fee", "quote.key", |reply| {
        remove(reply, "POST /v1/pm/events/", "", "fee")
    }),
    reply("a malformed quote that is forbidden", "quote.refusals", |reply| {
        status(reply, "POST /v1/pm/events/", 400, 403)
    }),
    reply("an unknown market that is forbidden", "quote.unknown", |reply| {
        status(reply, "POST /v1/pm/events/", 404, 403)
    }),
    reply("broken JSON that is another error", "quote.broken_json", |reply| {
        status(reply, "POST /v1/pm/events/", 400, 422)
    }),
    reply("another page of series", "series.pages", |reply| {
        set(reply, "GET /v1/pm/events/series?page", "/pagination/page", json!(7))
    }),
    reply("twenty-one recent events", "series.lean_events", |reply| {
        if reply.request.ends_with("/lean-events") {
            reply.body = json!(vec![json!({}); 21]);
        }
    }),
    reply("recent events in an object", "series.lean_shape", |reply| {
        if reply.request.ends_with("/lean-events") {
            reply.body = json!({"events": []});
        }
    }),
    reply("a malformed login that is another error", "session.malformed", |reply| {
        status(reply, "POST /v1/user/login", 400, 422)
    }),
    reply("a wrong login that is forbidden", "session.unknown", |reply| {
        status(reply, "POST /v1/user/login", 401, 403)
    }),
    reply("keys without a session that are forbidden", "session.none", |reply| {
        status(reply, "GET /v1/user/me/api-keys", 401, 403)
    }),
    reply("leagues without a list", "sports.leagues", |reply| {
        remove(reply, "GET /v1/pm/sports/leagues", "", "leagues")
    }),
    reply("teams of an unknown league", "sports.team_filters", |reply| {
        set(reply, "GET /v1/pm/sports/teams?league", "/pagination/totalCount", json!(5))
    }),
    reply("games of an unknown league", "sports.game_filters", |reply| {
        set(reply, "GET /v1/pm/sports/games?league", "/pagination/totalCount", json!(5))
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
        set(reply, "POST /v1/pm/events/", "/order/size", json!(101));
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
    reply("a mint that moves the price", "sets.prices", |reply| {
        if reply.request.ends_with("/mint") {
            set(reply, "POST", "/outcome1Price", json!(0.99));
        }
    }),
    reply("a pool's order with another code in a batch", "orders.pool", |reply| {
        set(reply, "DELETE /v1/pm/orders/batch", "/results/0/error/code", json!("ORDER_NOT_FOUND"));
    }),
    reply("an order that never expires", "orders.expiry", |reply| {
        if reply.body["status"] == "expired" {
            reply.body["status"] = json!("cancelled");
        }
    }),
    reply("a batch that drops a result", "batches.twenty", |reply| {
        if reply.request.starts_with("POST /v1/pm/orders/batch")
            && let Some(results) = reply.body["results"].as_array_mut()
        {
            results.pop();
        }
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
    message("an order that never fills", "fill.streams", |message| {
        if message["type"] == "order_updated" {
            message["type"] = json!("order_changed");
        }
    }),
    reply("a cancel whose summary does not add up", "batches.cancel", |reply| {
        set(reply, "DELETE /v1/pm/orders/batch", "/summary/failed", json!(0))
    }),
    reply("another code of an amend", "batches.amend_unknown", |reply| {
        set(reply, "POST /v1/pm/orders/batch/amend", "/results/0/error/code", json!("BAD_REQUEST"))
    }),
    reply("too many ids that are another error", "batches.cancel_bounds", |reply| {
        status(reply, "DELETE /v1/pm/orders/batch", 400, 422)
    }),
    reply("too many items that are another error", "batches.item_bounds", |reply| {
        status(reply, "POST /v1/pm/orders/batch", 400, 422)
    }),
    reply("no items that are another error", "batches.empty", |reply| {
        status(reply, "POST /v1/pm/orders/batch", 400, 422)
    }),
    reply("a filled order that is open", "fill.position", |reply| {
        if reply.body["status"] == "filled" {
            reply.body["status"] = json!("open");
        }
    }),
    reply("a malformed key that passes", "idempotency.malformed", |reply| {
        status(reply, "DELETE /v1/pm/orders/batch", 400, 200)
    }),
    reply("reads without a limit", "limits.reads", |reply| status(reply, "GET /v1/pm/orders", 429, 200)),
    reply("writes without a limit", "limits.writes", |reply| {
        status(reply, "DELETE /v1/pm/orders/batch", 429, 200)
    }),
    reply("a read of another state", "orders.read", |reply| {
        set(reply, "GET /v1/pm/orders/0", "/status", json!("partial_filled"))
    }),
    reply("an unknown mode that is kept", "orders.defaults", |reply| {
        set(reply, "POST /v1/pm/events/", "/order/stpMode", json!("CANCEL_BOTH"))
    }),
    reply("a market order that rests", "orders.market", |reply| {
        set(reply, "POST /v1/pm/events/", "/order/type", json!("GTC"))
    }),
    reply("an unknown market that is forbidden to orders", "orders.unknown", |reply| {
        status(reply, "POST /v1/pm/events/", 404, 403)
    }),
    reply("another account's cancel that passes", "orders.of_others", |reply| {
        status(reply, "DELETE /v1/pm/orders/0", 404, 200)
    }),
    reply("another account's order that is read", "orders.read_others", |reply| {
        status(reply, "GET /v1/pm/orders/0", 404, 200)
    }),
    reply("another mode than SKIP", "self_trade.skip", |reply| {
        set(reply, "POST /v1/pm/events/", "/order/stpMode", json!("CANCEL_NEWEST"))
    }),
    reply("another mode than CANCEL_OLDEST", "self_trade.cancel_oldest", |reply| {
        set(reply, "POST /v1/pm/events/", "/order/stpMode", json!("SKIP"))
    }),
    reply("another mode than CANCEL_BOTH", "self_trade.cancel_both", |reply| {
        set(reply, "POST /v1/pm/events/", "/order/stpMode", json!("SKIP"))
    }),
    reply("a mint without shares", "sets.balances", |reply| {
        set(reply, "GET /v1/pm/portfolio", "/outcomeBalances", json!([]))
    }),
    reply("a malformed mint that is forbidden", "sets.refusals", |reply| {
        status(reply, "POST /v1/pm/markets/", 400, 403)
    }),
    reply("a mint in an unknown market that is forbidden", "sets.unknown", |reply| {
        status(reply, "POST /v1/pm/markets/", 404, 403)
    }),
    reply("a body that is accepted with another status", "signing.body", |reply| {
        status(reply, "DELETE /v1/pm/orders/batch", 200, 202)
    }),
    reply("a timestamp in the window that is refused", "signing.window", |reply| {
        status(reply, "DELETE /v1/pm/orders/0", 404, 401)
    }),
    reply("a repetition that is refused", "signing.replayed", |reply| {
        status(reply, "DELETE /v1/pm/orders/0", 404, 401)
    }),
    reply("a wrong path that passes", "signing.wrong_path", accept_cancels),
    reply("a wrong time that passes", "signing.wrong_time", accept_cancels),
    reply("a missing header that passes", "signing.missing_header", accept_cancels),
    reply("an unknown signer that passes", "signing.unknown_key", accept_cancels),
    reply("a signature in hexadecimal digits that passes", "signing.not_base64", accept_cancels),
    reply("a hash in capitals that passes", "signing.capital_hash", |reply| {
        status(reply, "DELETE /v1/pm/orders/batch", 401, 200)
    }),
    message("a pong without a time", "streams.ping", |message| {
        set_of(message, "pong", "/timestamp", json!("x"))
    }),
    message("a book without a time", "streams.books", |message| {
        set_of(message, "orderbook_update", "/timestamp", json!("x"))
    }),
    message("another room of activity", "streams.activity", |message| {
        set_of(message, "subscribed", "/room", json!("x"))
    }),
    message("another room that is left", "streams.unsubscribe", |message| {
        set_of(message, "unsubscribed", "/room", json!("x"))
    }),
    message("an error without a message", "streams.errors", |message| {
        set_of(message, "error", "/data", json!({}))
    }),
    message("a changed book without a time", "streams.book_change", |message| {
        set_of(message, "orderbook_update", "/timestamp", json!("x"))
    }),
    message("a refusal without a message", "user_stream.no_auth", |message| {
        set_of(message, "error", "/data", json!({}))
    }),
    message("another room of orders", "user_stream.orders", |message| {
        set_of(message, "subscribed", "/room", json!("x"))
    }),
];

/// Checks without a plant, with the reason.
const UNPLANTED: [(&str, &str); 3] = [
    ("events.series_filter", "the demo has no rounds of series without bots"),
    ("streams.assets", "the demo has no feed of prices without bots"),
    ("session.keys", "a login is allowed once in two minutes, and the honest run uses it"),
];

#[test]
fn every_check_has_a_plant_or_a_reason() {
    let planted: BTreeSet<&str> = READS.iter().chain(WRITES).map(|plant| plant.check).collect();
    let excused: BTreeSet<&str> = UNPLANTED.iter().map(|(id, _)| *id).collect();
    let all: BTreeSet<&str> = conformance::all_checks()
        .iter()
        .map(|check| check.id)
        .filter(|id| !id.starts_with("untried."))
        .collect();
    let known: BTreeSet<&str> = planted.union(&excused).copied().collect();
    assert_eq!(all.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new(), "without a plant");
    assert_eq!(known.difference(&all).collect::<Vec<_>>(), Vec::<&&str>::new(), "no such check");
    assert!(planted.is_disjoint(&excused));
}

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

/// Sets a value in messages of a type.
fn set_of(message: &mut Value, kind: &str, pointer: &str, value: Value) {
    if message["type"] == kind {
        set_in(message, pointer, value);
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

/// Exchanges that look for plants at a time: a run of the kit mostly waits, to stay below the limits of its keys.
const EXCHANGES: usize = 3;

fn find_all(plants: &[Plant]) {
    thread::scope(|scope| {
        for part in plants.chunks(plants.len().div_ceil(EXCHANGES)) {
            scope.spawn(move || find_on_one_exchange(part));
        }
    });
}

/// An honest proxy changes nothing; then each plant is found by its check.
fn find_on_one_exchange(plants: &[Plant]) {
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
        // Only rules of the specification count.
        let rows = report["checks"].as_array().expect("rows").iter();
        let differs = |row: &&Value| row["status"] == "differs" && row["source"] == "specification";
        let expected = if rows.filter(differs).count() == 0 { 0 } else { 1 };
        assert_eq!(output.status.code(), Some(expected), "{}: {}", plant.name, shown(&output));
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

/// A heartbeat that skips means a gap, so the server does not have the extension.
#[test]
fn a_stream_of_changes_with_a_gap_is_no_extension() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let proxy = Proxy::start(demo.text("/baseUrl"));
    let status = || {
        let (output, report) = check(folder.path(), &["--url", &proxy.url, "--only", "extensions"]);
        let rows = report["extensions"].as_array().expect("rows").clone();
        let row = rows.into_iter().find(|row| row["id"] == "channel changes");
        row.unwrap_or_else(|| panic!("{}", shown(&output)))["status"].clone()
    };
    assert_eq!(status(), "has");
    proxy.plant(Change::Message(|message| {
        if message["type"] == "heartbeat" {
            message["sequence"] = json!(message["sequence"].as_u64().unwrap_or_default() + 1);
        }
    }));
    assert_eq!(status(), "hasNot");
    assert_eq!(demo.terminate().code(), Some(0));
}
