//! `X-Number-Format: string`: the same answers with decimals as strings, for every route.

use std::collections::BTreeSet;

use exchange::catalogue::{Interval, SeriesCategory};
use exchange::command::{CloseTrading, Command, ResolveMarket, Target};
use exchange::id::{EventId, MarketId};
use exchange::order::Outcome;
use serde_json::{Value, json};
use server::openapi::{OPERATIONS, answered_schemas, document, requested_schemas, string_document};
use stage::node::{Answered, Draft, Stage, draft, get, lane, limit, market, post};

use crate::access::{Row, matrix};

const HEADER: &str = "x-number-format";

/// The schemas that a value at one place may have.
fn candidates<'a>(document: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let mut found = vec![schema];
    if let Some(reference) = schema["$ref"].as_str() {
        found.extend(candidates(document, document.pointer(&reference[1..]).expect("a schema")));
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        let choices = schema[key].as_array().into_iter().flatten();
        found.extend(choices.flat_map(|choice| candidates(document, choice)));
    }
    found
}

/// Whether a value of a schema can have a decimal.
fn can_have_decimals(document: &Value, schema: &Value) -> bool {
    candidates(document, schema).into_iter().any(|schema| {
        let properties = schema["properties"].as_object().into_iter().flatten().map(|(_, property)| property);
        let others = [&schema["items"], &schema["additionalProperties"]];
        schema["format"] == "decimal"
            || properties.chain(others).any(|part| part.is_object() && can_have_decimals(document, part))
    })
}

fn inner<'a>(schemas: &[&'a Value], part: impl Fn(&'a Value) -> &'a Value) -> Vec<&'a Value> {
    schemas.iter().map(|schema| part(schema)).filter(|part| part.is_object()).collect()
}

/// Compares the two forms of a value, and returns the number of decimals in it.
fn compare(document: &Value, schemas: &[&Value], number: &Value, string: &Value, place: &str) -> usize {
    let schemas: Vec<&Value> = schemas.iter().flat_map(|schema| candidates(document, schema)).collect();
    let is_decimal = schemas.iter().any(|schema| schema["format"] == "decimal" && schema["type"] != "string");
    match (number, string) {
        (Value::Number(number), _) if is_decimal => {
            assert_eq!(*string, json!(number.to_string()), "{place}");
            1
        }
        (Value::Array(numbers), Value::Array(strings)) => {
            assert_eq!(numbers.len(), strings.len(), "{place}");
            let items = inner(&schemas, |schema| &schema["items"]);
            let pairs = numbers.iter().zip(strings);
            pairs.map(|(number, string)| compare(document, &items, number, string, place)).sum()
        }
        (Value::Object(numbers), Value::Object(strings)) => {
            assert!(numbers.keys().eq(strings.keys()), "{place}");
            let compare_key = |(key, number): (&String, &Value)| {
                let mut parts = inner(&schemas, |schema| &schema["properties"][key]);
                if parts.is_empty() {
                    parts = inner(&schemas, |schema| &schema["additionalProperties"]);
                }
                compare(document, &parts, number, &strings[key], &format!("{place}.{key}"))
            };
            numbers.iter().map(compare_key).sum()
        }
        _ => {
            assert_eq!(number, string, "{place}");
            0
        }
    }
}

/// The bytes without the quotes of texts that are numbers.
fn unquoted(bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let parts: Vec<&str> = text.split('"').collect();
    let is_number = |part: &str| part.parse::<f64>().is_ok();
    let mut out = parts[0].to_owned();
    for (place, part) in parts.iter().enumerate().skip(1) {
        let is_quoted = !is_number(part) && !is_number(parts[place - 1]);
        out.extend(is_quoted.then_some('"'));
        out.push_str(part);
    }
    out
}

/// Compares the two answers to a request, and returns the number of decimals.
fn check(document: &Value, row: (&str, &str), numbers: &Answered, strings: &Answered) -> usize {
    let (method, route) = row;
    let name = format!("{method} {route}");
    assert_eq!(numbers.status, strings.status, "{name}: {}", strings.text());
    assert_eq!((numbers.header(HEADER), strings.header(HEADER)), (None, Some("string")), "{name}");
    for answered in [numbers, strings] {
        let varies: Vec<_> =
            answered.headers.get_all("vary").iter().filter_map(|one| one.to_str().ok()).collect();
        assert!(varies.join(", ").contains("X-Number-Format"), "{name}: {varies:?}");
    }
    if numbers.header("content-type") != Some("application/json") {
        assert_eq!(numbers.bytes, strings.bytes, "{name}");
        return 0;
    }
    assert_eq!(unquoted(&numbers.bytes), unquoted(&strings.bytes), "{name}");
    let response = &document["paths"][route][method.to_lowercase()]["responses"][numbers.status.to_string()];
    let schema = &response["content"]["application/json"]["schema"];
    let (number, string) = (numbers.expect(numbers.status), strings.expect(strings.status));
    compare(document, &[schema], &number, &string, &name)
}

/// Whether asking twice gives the same answer: reads, quotes, and writes under an idempotency key.
fn is_repeatable(row: &Row) -> bool {
    let has_key =
        row.is_write() && !row.route.contains("notifications") && !row.route.contains("price-alerts");
    row.method == "GET" || row.route.ends_with("/quote") || (has_key && row.route != "/v1/auth/check")
}

/// A venue whose answers have decimals everywhere: trades on both engines, positions, a series, an alert.
async fn lively() -> Stage {
    let stage = Stage::open().await;
    let (alice, bob, book, pool) = (&stage.alice, &stage.bob, &stage.book, &stage.pool);
    stage.place(&alice.key, book, &limit(book.yes, "BUY", 40.0, 0.41)).await;
    stage.place(&bob.key, book, &limit(book.no, "BUY", 10.0, 0.60)).await;
    for user in [alice, bob] {
        stage.place(&user.key, pool, &market(pool.yes, "BUY", 10.0)).await;
    }
    stage.create_series("coin", SeriesCategory::Crypto, Interval::FifteenMinute, "COIN").await;
    stage.pass_boundary(Interval::FifteenMinute, "COIN", 1_500_000).await;
    let alert = json!({"marketId": book.market, "outcome": "YES", "price": 0.6});
    stage.write(&alice.key, "POST", "/v1/pm/price-alerts", &alert).await.expect(201);
    stage
}

#[tokio::test]
async fn every_answer_has_a_string_form_that_differs_in_quotes_alone() {
    let stage = lively().await;
    let document = serde_json::to_value(document()).expect("a document");
    let (mut covered, mut decimals) = (BTreeSet::new(), 0);
    let mut rows = matrix(&stage).await;
    for row in rows.iter_mut().filter(|row| row.route == "/v1/pm/assets/{symbol}/prices") {
        row.path = "/v1/pm/assets/COIN/prices".to_owned();
    }
    for (place, row) in rows.iter().enumerate().filter(|(_, row)| is_repeatable(row)) {
        stage.clock.advance_seconds(1);
        let asked = || {
            let asked = row.asked_by(&stage.alice, stage.now_seconds());
            if row.is_write() { asked.idempotent(&format!("key-{place}")) } else { asked }
        };
        if row.route.ends_with("/cancel-all") {
            // Something to cancel.
            stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 4.0, 0.10)).await;
        }
        let numbers = stage.ask(asked()).await;
        let strings = stage.ask(asked().header(HEADER, "string")).await;
        let found = check(&document, (row.method, row.route), &numbers, &strings);
        decimals += found;
        if found > 0 {
            covered.insert(format!("{} {}", row.method, row.route));
        }
    }
    assert!(decimals > 300, "{decimals} decimals");
    let has_decimals = |operation: &&server::openapi::Operation| {
        let described = &document["paths"][operation.path][operation.method.as_str().to_lowercase()];
        let response = &described["responses"][operation.success.to_string()];
        can_have_decimals(&document, &response["content"]["application/json"]["schema"])
    };
    let described = OPERATIONS.iter().filter(has_decimals);
    let described: BTreeSet<String> =
        described.map(|operation| format!("{} {}", operation.method.as_str(), operation.path)).collect();
    let missing: Vec<_> = described.difference(&covered).map(String::as_str).collect();
    // An alert is made anew by every request; no market of the matrix has ended; no rewards are paid.
    assert_eq!(missing, UNCOVERED, "every other operation with decimals was compared");
    stage.close().await;
}

/// Operations whose decimals the comparison cannot reach.
const UNCOVERED: [&str; 6] = [
    "GET /v1/pm/events/{eventId}/resolution",
    "GET /v1/pm/liquidity-rewards",
    "GET /v1/pm/liquidity-rewards/active",
    "GET /v1/pm/maker-rebates",
    "GET /v1/pm/maker-rebates/active",
    "POST /v1/pm/price-alerts",
];

#[tokio::test]
async fn a_resolution_shows_its_payout_as_a_string() {
    let stage = Stage::open().await;
    let (event, market) = (stage.pool.event.as_u128(), stage.pool.market.as_u128());
    let target = Target::Event(EventId::new(event));
    stage.operate(Command::CloseTrading(CloseTrading { target })).await;
    let (market, outcome) = (MarketId::new(market), Outcome::Yes);
    stage.operate(Command::ResolveMarket(ResolveMarket { market, outcome })).await;
    let path = format!("/v1/pm/events/{}/resolution", stage.pool.event);
    let shown = stage.ask(get(&path).header(HEADER, "string")).await.expect(200);
    assert_eq!(shown["markets"][0]["yesPayout"], "1", "{shown}");
}

#[tokio::test]
async fn an_alert_shows_its_price_as_a_string() {
    let stage = Stage::open().await;
    let alert = json!({"marketId": stage.book.market, "outcome": "YES", "price": 0.6});
    let asked = post("/v1/pm/price-alerts").json(&alert).header(HEADER, "string");
    let made = stage.ask(asked.signed(&stage.alice.key, stage.now_seconds())).await.expect(201);
    assert_eq!(made["price"], "0.6", "{made}");
}

#[tokio::test]
async fn another_number_format_is_a_bad_request_on_every_side() {
    let stage = Stage::open().await;
    let books = format!("/v1/pm/books?outcomeId={}", stage.book.yes);
    for value in ["", "number", "String", "strings", "string, string"] {
        for path in ["/v1/pm/events", &books, "/health", "/nowhere"] {
            let asked = || get(path).header(HEADER, value);
            for answered in [stage.ask(asked()).await, lane::ask(stage.app(), stage.router(), asked()).await]
            {
                let body = answered.refused(400, "bad_request");
                assert!(
                    body["message"].as_str().is_some_and(|text| text.contains("X-Number-Format")),
                    "{body}"
                );
                assert_eq!(answered.header(HEADER), None);
            }
        }
    }
    let twice = get("/v1/pm/events").header(HEADER, "string").header(HEADER, "string");
    stage.ask(twice).await.refused(400, "bad_request");
}

#[tokio::test]
async fn a_request_keeps_its_numbers_and_a_lane_leaves_the_form_to_the_router() {
    let stage = Stage::open().await;
    let asked = |body: &Value| {
        post(&stage.book.orders())
            .json(body)
            .header(HEADER, "string")
            .signed(&stage.alice.key, stage.now_seconds())
    };
    let order = limit(stage.book.yes, "BUY", 40.0, 0.40);
    let placed = lane::ask(stage.app(), stage.router(), asked(&order)).await.expect(200);
    assert_eq!((&placed["order"]["price"], &placed["order"]["size"]), (&json!("0.4"), &json!("100")));
    let mut quoted = order.clone();
    quoted["price"] = json!("0.40");
    stage.ask(asked(&quoted)).await.refused(400, "bad_request");
}

#[tokio::test]
async fn a_tag_belongs_to_its_form() {
    let stage = Stage::open().await;
    let events = "/v1/pm/events";
    let tag = |answered: &Answered| answered.header("etag").expect("a tag").to_owned();
    let asked = |is_string: bool, tag: &str| {
        let asked: Draft = draft("GET", events).header("if-none-match", tag);
        if is_string { asked.header(HEADER, "string") } else { asked }
    };
    let numbers = tag(&stage.ask(get(events)).await);
    let strings = tag(&stage.ask(get(events).header(HEADER, "string")).await);
    assert_ne!(numbers, strings);
    for (is_string, given, status) in
        [(false, &numbers, 304), (true, &strings, 304), (false, &strings, 200), (true, &numbers, 200)]
    {
        let answered = stage.ask(asked(is_string, given)).await;
        assert_eq!(answered.status, status, "{is_string} {given}");
        assert_eq!(tag(&answered), *if is_string { &strings } else { &numbers });
    }
    let head = stage.ask(draft("HEAD", events).header(HEADER, "string")).await;
    assert_eq!((head.status, head.bytes.len(), head.header(HEADER)), (200, 0, Some("string")));
}

/// Values without a decimal anywhere, in schemas and in examples.
fn has_decimal_number(value: &Value) -> bool {
    match value {
        Value::Object(fields) => {
            (fields.get("format").is_some_and(|format| format == "decimal") && fields["type"] != "string")
                || fields.values().any(has_decimal_number)
        }
        Value::Array(items) => items.iter().any(has_decimal_number),
        _ => false,
    }
}

#[tokio::test]
async fn the_document_of_the_string_form_has_strings_in_answers_and_numbers_in_requests() {
    let (numbers, strings) = (serde_json::to_value(document()).expect("a document"), string_document());
    let (answered, requested) = (answered_schemas(&numbers), requested_schemas(&numbers));
    let schema = |document: &Value, name: &String| document["components"]["schemas"][name].clone();
    for name in &answered {
        assert!(!has_decimal_number(&schema(&strings, name)), "{name} is in answers");
    }
    for name in &requested {
        assert_eq!(schema(&strings, name), schema(&numbers, name), "{name} is in requests");
    }
    assert!(requested.iter().any(|name| has_decimal_number(&schema(&numbers, name))));
    assert!(answered.iter().filter(|name| schema(&numbers, name) != schema(&strings, name)).count() > 10);
    assert_eq!(strings["components"]["schemas"]["Money"]["type"], "string");

    let stage = Stage::open().await;
    assert_eq!(stage.ask(get("/openapi.json?numbers=string")).await.expect(200), strings);
    assert_eq!(stage.ask(get("/openapi.json")).await.expect(200), numbers);
    stage.ask(get("/openapi.json?numbers=float")).await.refused(400, "bad_request");
}
