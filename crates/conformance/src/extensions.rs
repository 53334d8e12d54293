//! The additions of our own exchange: routes and features that the specification does not have. A server without them
//! conforms; the report only says which of them it has.

use serde_json::json;

use crate::check::Stop;
use crate::json::Json;
use crate::probe::{Probe, number, unknown_id};
use crate::socket::PATIENCE;
use crate::wire::{Answer, Call, now, signature};

/// A route beyond the specification.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    /// Method and path.
    pub name: &'static str,
    pub title: &'static str,
}

/// A feature beyond the specification.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    pub id: &'static str,
    pub title: &'static str,
    /// Whether the server has it.
    pub run: fn(&mut Probe<'_>) -> Result<bool, Stop>,
}

const fn route(name: &'static str, title: &'static str) -> Route {
    Route { name, title }
}

/// Every operation of our document that the specification does not name.
pub(crate) const ROUTES: &[Route] = &[
    route("GET /openapi.json", "the document for generators of clients"),
    route("GET /openapi.yaml", "the document in YAML"),
    route("GET /asyncapi.json", "the document of the streams"),
    route("GET /docs", "a reference with try-out"),
    route("GET /metrics", "metrics on the public listener"),
    route("GET /ready", "readiness, with reasons"),
    route("GET /v1/health", "health under the prefix"),
    route("GET /v1/version", "the version under the prefix"),
    route("POST /v1/auth/check", "a check of a signature"),
    route("GET /v1/pm/account/changes", "changes of an account without a socket"),
    route("GET /v1/pm/account/value", "the value of an account over time"),
    route("GET /v1/pm/assets/{symbol}/prices", "prices of an asset"),
    route("GET /v1/pm/events/slug/{slug}", "an event by its slug"),
    route("GET /v1/pm/events/{eventId}/news", "news of an event"),
    route("GET /v1/pm/events/{eventId}/resolution", "verdicts of an event with their evidence"),
    route("PUT /v1/pm/events/{eventId}/watchlist", "watch an event"),
    route("DELETE /v1/pm/events/{eventId}/watchlist", "stop watching an event"),
    route("GET /v1/pm/liquidity-rewards", "liquidity rewards"),
    route("GET /v1/pm/liquidity-rewards/active", "liquidity rewards of this epoch"),
    route("GET /v1/pm/maker-rebates", "maker rebates"),
    route("GET /v1/pm/maker-rebates/active", "maker rebates of this epoch"),
    route("GET /v1/pm/markets/{marketId}/candles", "candles"),
    route("GET /v1/pm/markets/{marketId}/changes", "changes of a market without a socket"),
    route("GET /v1/pm/notifications", "notifications"),
    route("POST /v1/pm/notifications/read", "mark notifications as read"),
    route("DELETE /v1/pm/orders", "cancel all orders"),
    route("POST /v1/pm/orders/cancel-all", "cancel all orders, without a body in a DELETE"),
    route("POST /v1/pm/orders/batch/cancel", "batch cancel, without a body in a DELETE"),
    route("POST /v1/pm/orders/cancel-after", "a dead man's switch"),
    route("GET /v1/pm/pnl", "realised results"),
    route("GET /v1/pm/price-alerts", "price alerts"),
    route("POST /v1/pm/price-alerts", "create a price alert"),
    route("DELETE /v1/pm/price-alerts/{alertId}", "remove a price alert"),
    route("GET /v1/pm/push-subscriptions", "push messages"),
    route("POST /v1/pm/push-subscriptions", "subscribe to push messages"),
    route("DELETE /v1/pm/push-subscriptions/{subscriptionId}", "unsubscribe from push messages"),
    route("GET /v1/pm/solvency", "the published root of all accounts"),
    route("GET /v1/pm/solvency/me", "the proof of one account"),
    route("GET /v1/pm/statement", "every movement of money"),
    route("POST /v1/user/logout", "the end of a session"),
    route("GET /v1/user/lookup", "a user by tag or id"),
    route("POST /v1/user/password-reset", "a new password"),
    route("POST /v1/user/password-reset/request", "a request for a new password"),
];

/// Features without a route of their own.
pub(crate) const FEATURES: &[Feature] = &[
    Feature {
        id: "X-Number-Format",
        title: "decimals as strings, for clients with floats only",
        run: number_format,
    },
    Feature { id: "streams?numbers=string", title: "decimals as strings on streams", run: stream_numbers },
    Feature {
        id: "/openapi.json?numbers=string",
        title: "the document of that form",
        run: document_of_strings,
    },
    Feature {
        id: "Idempotency-Window",
        title: "keys that live for less than a day",
        run: idempotency_window,
    },
    Feature { id: "x-sequence", title: "the sequence of the state that was read", run: sequence },
    Feature { id: "RateLimit", title: "the state of the bucket in each answer", run: rate_limit },
    Feature { id: "X-Server-Time-Ms", title: "the server's clock in each answer", run: server_time },
    Feature { id: "x-request-id", title: "an id of each request", run: request_id },
    Feature { id: "CORS", title: "scripts of any origin may call", run: cross_origin },
    Feature { id: "nextCursor", title: "pages that do not shift", run: cursor },
    Feature { id: "401 reason", title: "refusals that name the failed check", run: reason },
    Feature { id: "quote of an order", title: "a quote of exactly one order", run: quote_of_order },
    Feature { id: "quantity", title: "orders by a number of shares", run: quantity },
    Feature { id: "FIVE_MINUTE", title: "series of five minutes", run: five_minutes },
    Feature {
        id: "channel changes",
        title: "a stream of changes and heartbeats without a gap",
        run: changes,
    },
    Feature {
        id: "cancelOnDisconnect",
        title: "the end of a connection cancels orders",
        run: cancel_on_disconnect,
    },
    Feature { id: "clientOrderId", title: "orders found by the caller's own id", run: client_order_id },
    Feature { id: "engine=ALL", title: "trades of pools beside those of books", run: trades_of_pools },
    Feature {
        id: "Idempotency-Key on single writes",
        title: "single writes that happen once",
        run: single_idempotency,
    },
    Feature { id: "stream id", title: "answers on streams repeat the caller's id", run: stream_id },
    Feature { id: "/llms.txt", title: "a summary for language models", run: llms },
    Feature { id: "/robots.txt", title: "rules for crawlers", run: robots },
];

/// Whether the server knows a route. It is called without credentials, so nothing changes.
pub(crate) fn has_route(probe: &mut Probe<'_>, route: &Route) -> Result<bool, Stop> {
    let (method, template) = route.name.split_once(' ').unwrap_or(("GET", route.name));
    let market = probe.book().or_else(|_| probe.pool());
    let mut path = template.replace("{symbol}", "BTCUSDT");
    if let Ok(market) = market {
        path = path.replace("{eventId}", &market.event).replace("{marketId}", &market.id);
        path = path.replace("{slug}", &market.slug);
    }
    for name in ["{alertId}", "{subscriptionId}"] {
        path = path.replace(name, &unknown_id());
    }
    if path.contains('{') {
        return Err(Stop::not_tried("the server has no open market"));
    }
    let mut call = Call::new(method, &path);
    if method == "POST" {
        call = call.body("{}");
    }
    let status = probe.send(&call)?.status;
    if status == probe.world.unknown_route && !matches!(status, 404 | 405) {
        return Err(Stop::not_tried(format!("the server answers {status} to unknown routes too")));
    }
    Ok(!matches!(status, 404 | 405 | 501))
}

/// A public read that always has an answer.
fn events(probe: &Probe<'_>) -> Result<Answer, Stop> {
    probe.get("/v1/pm/events?size=1")
}

fn number_format(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let call = Call::new("GET", "/v1/pm/events?size=1").header("X-Number-Format", "string");
    let answer = probe.send(&call)?;
    let is_text = answer.value().text("events/0/markets/0/outcome1Price").is_some();
    Ok(is_text && answer.header("x-number-format") == Some("string"))
}

fn stream_numbers(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let mut socket = probe.open("/ws/v1/markets?numbers=string")?;
    socket.say(&json!({"type": "subscribe", "channel": "prices", "eventId": market.event}).to_string())?;
    let update = socket.hear_type(PATIENCE, "price_update")?;
    Ok(update.is_some_and(|update| update.text("data/markets/0/prices/YES").is_some()))
}

fn document_of_strings(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let (plain, texts) = (probe.get("/openapi.json")?, probe.get("/openapi.json?numbers=string")?);
    Ok(texts.status == 200 && texts.body != plain.body)
}

/// A life below the least one is refused by a server that knows the header, and ignored by others.
fn idempotency_window(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let body = json!({"orderIds": [unknown_id()]}).to_string();
    let call = Call::new("DELETE", "/v1/pm/orders/batch").body(&body).signed(probe.key()?);
    let call = call.header("Idempotency-Key", unknown_id()).header("Idempotency-Window", "1");
    Ok(probe.send(&call)?.status == 400)
}

fn sequence(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    Ok(events(probe)?.header("x-sequence").is_some())
}

fn rate_limit(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let answer = events(probe)?;
    Ok(answer.header("ratelimit").is_some() && answer.header("ratelimit-policy").is_some())
}

fn server_time(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    Ok(events(probe)?.header("x-server-time-ms").is_some())
}

fn request_id(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    Ok(events(probe)?.header("x-request-id").is_some())
}

fn cross_origin(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let call = Call::new("GET", "/v1/pm/events?size=1").header("Origin", "https://example.org");
    Ok(probe.send(&call)?.header("access-control-allow-origin") == Some("*"))
}

fn cursor(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let answer = probe.get("/v1/pm/trades?size=1")?;
    if answer.value().list("data").is_empty() {
        return Err(Stop::not_tried("the server has no trades"));
    }
    let total = answer.value().decimal("pagination/totalCount").unwrap_or_default();
    if total <= crate::decimal::Decimal::ONE {
        return Err(Stop::not_tried("the server has one trade only"));
    }
    Ok(answer.value().text("nextCursor").is_some())
}

fn reason(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let answer = probe.get("/v1/pm/portfolio")?;
    Ok(answer.status == 401 && answer.value().text("reason").is_some())
}

fn quote_of_order(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let market = probe.book()?;
    let amount = number(market.minimum);
    let body = json!({
        "side": "BUY", "outcomeId": market.outcomes[0], "amount": amount, "type": "LIMIT", "price": 0.01,
    });
    Ok(probe.post(&market.quote(), &body)?.value().at("order").is_some())
}

fn quantity(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let body = json!({"side": "BUY", "outcomeId": market.outcomes[0], "quantity": 10});
    Ok(probe.post(&market.quote(), &body)?.status == 200)
}

fn five_minutes(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let answer = probe.get("/v1/pm/events/series?size=100")?;
    let five = |series: &Json| series.text("intervalType") == Some("FIVE_MINUTE");
    Ok(answer.value().list("series").iter().any(five))
}

/// A snapshot, then deltas that each continue the last message, then a heartbeat of the same sequence.
fn changes(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let market = probe.book()?;
    let mut socket = probe.open("/ws/v1/markets")?;
    socket.say(&json!({"type": "subscribe", "channel": "changes", "marketIds": [market.id]}).to_string())?;
    let answered = |message: &Json| matches!(message.text("type"), Some("subscribed" | "error"));
    let answer = socket.hear_until(PATIENCE, answered)?;
    if answer.is_none_or(|answer| answer.text("type") != Some("subscribed")) {
        return Ok(false);
    }
    let snapshot = socket.hear_type(PATIENCE, "snapshot")?;
    let Some(mut mine) = snapshot.and_then(|snapshot| snapshot.decimal("sequence")) else { return Ok(false) };
    let next = |message: &Json| matches!(message.text("type"), Some("delta" | "heartbeat"));
    for _ in 0..1_000 {
        let Some(message) = socket.hear_until(PATIENCE, next)? else { return Ok(false) };
        let (sequence, head) = (message.decimal("sequence"), message.decimal("head"));
        if message.text("type") == Some("heartbeat") {
            return Ok(sequence == Some(mine) && head >= sequence);
        }
        if message.decimal("previousSequence") != Some(mine) || sequence <= Some(mine) {
            return Ok(false);
        }
        mine = sequence.unwrap_or(mine);
    }
    Err(Stop::not_tried("the market was never silent long enough for a heartbeat"))
}

/// Disarms a connection that was never armed, so nothing changes.
fn cancel_on_disconnect(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let (key, path) = (probe.key()?, "/ws/v1/user");
    let mut socket = probe.open(path)?;
    let greeting = socket.hear_type(PATIENCE, "connected")?;
    let Some(client) = greeting.and_then(|greeting| greeting.text("clientId").map(str::to_owned)) else {
        return Ok(false);
    };
    let seconds = now();
    let signed = signature(key, seconds, "WS", path, Some(&format!("cancelOnDisconnect.false.{client}")));
    let auth = json!({"apiKey": key.public, "timestamp": seconds.to_string(), "signature": signed});
    socket.say(&json!({"type": "cancelOnDisconnect", "enabled": false, "auth": auth}).to_string())?;
    let answered = |message: &Json| matches!(message.text("type"), Some("cancelOnDisconnect" | "error"));
    let answer = socket.hear_until(PATIENCE, answered)?;
    Ok(answer.is_some_and(|answer| answer.text("type") == Some("cancelOnDisconnect")))
}

/// A server without the filter lists all orders.
fn client_order_id(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let all = probe.read("/v1/pm/orders?size=1")?;
    if all.value().list("orders").is_empty() {
        return Err(Stop::not_tried("the account has no orders"));
    }
    let none = probe.read(&format!("/v1/pm/orders?size=1&clientOrderId={}", unknown_id()))?;
    Ok(none.status == 200 && none.value().list("orders").is_empty())
}

/// A server that knows the parameter refuses an unknown engine; others ignore it.
fn trades_of_pools(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let (all, wrong) = (
        probe.get("/v1/pm/trades?engine=ALL&size=1")?,
        probe.get("/v1/pm/trades?engine=NO_SUCH_ENGINE&size=1")?,
    );
    Ok(all.status == 200 && matches!(wrong.status, 400 | 422))
}

/// A server that reads the header refuses a malformed one; others look for the order.
fn single_idempotency(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let path = format!("/v1/pm/orders/{}", unknown_id());
    let call = Call::new("DELETE", &path).signed(probe.key()?).header("Idempotency-Key", "a.b");
    Ok(matches!(probe.send(&call)?.status, 400 | 422))
}

fn stream_id(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    let mut socket = probe.open("/ws/v1/markets")?;
    let pong = socket.ask(r#"{"type":"ping","id":7}"#, "pong")?;
    Ok(pong.at("id") == Some(&Json::Number("7".to_owned())))
}

fn llms(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    Ok(probe.get("/llms.txt")?.status == 200)
}

fn robots(probe: &mut Probe<'_>) -> Result<bool, Stop> {
    Ok(probe.get("/robots.txt")?.status == 200)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{FEATURES, ROUTES};

    #[test]
    fn extensions_have_unique_names() {
        let names = ROUTES.iter().map(|route| route.name).chain(FEATURES.iter().map(|feature| feature.id));
        let all: Vec<&str> = names.collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }
}
