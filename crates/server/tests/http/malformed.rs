//! Malformed input: always a clear 4xx with a JSON body, never a changed state.

use serde_json::{Value, json};
use stage::node::{Draft, Stage, delete, draft, get, limit, post};
use uuid::Uuid;

/// Refused with 4xx and the three keys of every refusal; nothing reached the exchange.
async fn refuse(stage: &Stage, draft: Draft) -> Value {
    // Moves the clock, so that no limit applies here.
    stage.clock.advance_seconds(1);
    let before = (stage.seq(), stage.digest());
    let shown = format!("{} {} {}", draft.method, draft.path, String::from_utf8_lossy(&draft.body));
    let shown: String = shown.chars().take(300).collect();
    let answered = stage.ask(draft).await;
    assert!((400..500).contains(&answered.status), "{shown}: {} {}", answered.status, answered.text());
    let body: Value = serde_json::from_slice(&answered.bytes)
        .unwrap_or_else(|_| panic!("{shown}: {} is no JSON", answered.text()));
    assert_eq!(body["statusCode"], answered.status, "{shown}: {body}");
    assert!(body["error"].is_string() && body["message"].is_string(), "{shown}: {body}");
    assert!(answered.bytes.len() < 1_000, "{shown}: a refusal is short");
    assert_eq!((stage.seq(), stage.digest()), before, "{shown}");
    body
}

fn signed(stage: &Stage, method: &str, path: &str, body: impl Into<Vec<u8>>) -> Draft {
    draft(method, path).raw(body).signed(&stage.alice.key, stage.now_seconds())
}

/// Texts in the place of a number.
fn numbers() -> Vec<String> {
    let texts = [
        "NaN",
        "Infinity",
        "-Infinity",
        "nan",
        "1e400",
        "-1e400",
        "1e-400",
        "0x10",
        "01",
        "+1",
        ".5",
        "5.",
        "1_000",
        "1,5",
        "\"1\"",
        "\"\"",
        "true",
        "[]",
        "{}",
        "[1]",
        "null",
        "-0",
        "-0.0",
        "0",
        "-1",
        "1e19",
        "1e1000000000",
        "1e-1000000000",
        "99999999999999999999",
        "9223372036854775808",
        "1e",
        "1e+",
        "--1",
        "١",
        "1 2",
        "1\u{0}",
        "∞",
    ];
    let mut texts: Vec<String> = texts.map(str::to_owned).to_vec();
    texts.push("1".repeat(1_000));
    texts.push(format!("0.{}1", "0".repeat(1_000)));
    texts
}

#[tokio::test]
async fn no_odd_number_is_taken_for_an_amount_a_price_or_a_quantity() {
    let stage = Stage::open().await;
    let outcome = stage.book.yes;
    for text in numbers() {
        let amount =
            format!(r#"{{"side":"BUY","type":"LIMIT","outcomeId":"{outcome}","price":0.4,"amount":{text}}}"#);
        refuse(&stage, signed(&stage, "POST", &stage.book.orders(), amount.clone())).await;
        refuse(&stage, post(&stage.book.quote()).raw(amount)).await;
        let price =
            format!(r#"{{"side":"BUY","type":"LIMIT","outcomeId":"{outcome}","amount":4,"price":{text}}}"#);
        refuse(&stage, signed(&stage, "POST", &stage.book.orders(), price)).await;
        let quantity =
            format!(r#"{{"side":"BUY","type":"MARKET","outcomeId":"{outcome}","quantity":{text}}}"#);
        refuse(&stage, signed(&stage, "POST", &stage.book.orders(), quantity)).await;
        let sets = format!(r#"{{"quantity":{text}}}"#);
        refuse(&stage, signed(&stage, "POST", &stage.book.mint(), sets.clone())).await;
        refuse(&stage, signed(&stage, "POST", &stage.book.burn(), sets)).await;
    }
    for text in ["1.01", "-0.01", "\"0.1\"", "NaN", "1e9", "[]"] {
        let body = format!(
            r#"{{"side":"BUY","type":"MARKET","outcomeId":"{outcome}","amount":4,"maxSlippage":{text}}}"#
        );
        refuse(&stage, signed(&stage, "POST", &stage.book.orders(), body)).await;
    }
}

#[tokio::test]
async fn a_thousand_million_is_the_most_that_an_order_may_ask_for() {
    let stage = Stage::open().await;
    for field in ["amount", "quantity"] {
        for number in ["1000000000.0001", "9000000000"] {
            let body = format!(
                r#"{{"side":"BUY","type":"MARKET","outcomeId":"{}","{field}":{number}}}"#,
                stage.book.yes
            );
            let answered = stage.ask(signed(&stage, "POST", &stage.book.orders(), body)).await;
            let message = answered.refused(400, "bad_request")["message"].clone();
            assert_eq!(message, "The amount must not exceed 1000000000 in money or in shares");
        }
    }
}

/// Bodies that no route accepts.
fn bodies() -> Vec<Vec<u8>> {
    let texts = [
        "",
        " ",
        "\n",
        "null",
        "true",
        "7",
        "\"x\"",
        "[]",
        "[{}]",
        "{",
        "}",
        "{]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{} {}",
        "{}x",
        "{}\u{0}",
        "\u{feff}{}",
        "//{}\n{}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\u{1}\"}",
        "<xml/>",
        "a=1&b=2",
        "{\"a\":1,\"a\":2}",
        "{\"a\":{\"b\":1,\"b\":1}}",
        "{\"a\":1,\"\\u0061\":2}",
    ];
    let mut bodies: Vec<Vec<u8>> = texts.map(|text| text.as_bytes().to_vec()).to_vec();
    bodies.push(b"\xff\xfe{}".to_vec());
    bodies.push(b"{\"a\":\"\xc3\x28\"}".to_vec());
    for depth in [16, 17, 127, 128, 129, 10_000] {
        bodies.push(format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth)).into_bytes());
        bodies.push("{\"a\":".repeat(depth).into_bytes());
        bodies.push("[".repeat(depth).into_bytes());
    }
    let filler = vec![b'x'; 64 * 1024 - 8];
    bodies.push([b"{\"a\":\"".as_slice(), &filler, b"\"}"].concat());
    bodies.push(vec![b'{'; 64 * 1024]);
    bodies.push(vec![0; 64 * 1024]);
    bodies.push(vec![b' '; 64 * 1024 + 1]);
    bodies.push(vec![b'['; 1 << 20]);
    bodies
}

#[tokio::test]
async fn no_malformed_body_passes_on_any_route_that_reads_one() {
    let stage = Stage::open().await;
    let written = [
        ("POST", stage.book.orders()),
        ("POST", "/v1/pm/orders/batch".to_owned()),
        ("DELETE", "/v1/pm/orders/batch".to_owned()),
        ("POST", "/v1/pm/orders/batch/cancel".to_owned()),
        ("POST", "/v1/pm/orders/batch/amend".to_owned()),
        ("POST", stage.book.mint()),
        ("POST", stage.book.burn()),
    ];
    for body in bodies() {
        for (method, path) in &written {
            refuse(&stage, signed(&stage, method, path, body.clone())).await;
        }
        refuse(&stage, post(&stage.book.quote()).raw(body.clone())).await;
        refuse(&stage, post("/v1/user/login").raw(body.clone())).await;
        refuse(&stage, post("/v1/user/password-reset").raw(body.clone())).await;
        refuse(&stage, post("/v1/user/me/api-keys").in_session(&stage.alice).raw(body)).await;
    }
}

#[tokio::test]
async fn a_duplicate_key_is_refused_even_if_it_is_unused() {
    let stage = Stage::open().await;
    let whole = limit(stage.book.yes, "BUY", 4.0, 0.4).to_string();
    let inside = whole.trim_end_matches('}');
    for more in [
        r#""side":"BUY""#,
        r#""amount":4"#,
        r#""more":1,"more":1"#,
        r#""more":{"a":1,"a":2}"#,
        r#""\u0073ide":"BUY""#,
    ] {
        let body = format!("{inside},{more}}}");
        refuse(&stage, signed(&stage, "POST", &stage.book.orders(), body)).await;
    }
    let unknown = format!(r#"{inside},"outcome":"YES","more":{{"a":[1]}}}}"#);
    stage.ask(signed(&stage, "POST", &stage.book.orders(), unknown)).await.expect(200);
}

/// Texts in the place of a UUID.
fn identifiers() -> Vec<String> {
    let id = Uuid::now_v7();
    let hyphenated = id.to_string();
    vec![
        "x".to_owned(),
        id.simple().to_string(),
        id.braced().to_string(),
        id.urn().to_string(),
        format!("{hyphenated}0"),
        hyphenated[1..].to_owned(),
        hyphenated.replace('-', "_"),
        format!("g{}", &hyphenated[1..]),
        hyphenated.replace('-', "\u{2010}"),
        "-".repeat(36),
        "null".to_owned(),
        "1".to_owned(),
        "x".repeat(8_000),
    ]
}

#[tokio::test]
async fn no_odd_identifier_is_taken_in_a_body_or_a_query() {
    let stage = Stage::open().await;
    for id in identifiers() {
        let mut order = limit(stage.book.yes, "BUY", 4.0, 0.4);
        order["outcomeId"] = json!(id);
        refuse(&stage, signed(&stage, "POST", &stage.book.orders(), order.to_string())).await;
        refuse(&stage, post(&stage.book.quote()).json(&order)).await;
        let cancel = json!({"orderIds": [Uuid::now_v7(), id]});
        refuse(&stage, signed(&stage, "DELETE", "/v1/pm/orders/batch", cancel.to_string())).await;
        let all = json!({"marketId": id});
        refuse(&stage, signed(&stage, "DELETE", "/v1/pm/orders", all.to_string())).await;
        if id.is_ascii() {
            stage.clock.advance_seconds(1);
            let query = id.replace('{', "%7B").replace('}', "%7D");
            refuse(&stage, get(&format!("/v1/pm/orders?marketId={query}")).named(&stage.alice.key)).await;
        }
    }
}

#[tokio::test]
async fn no_odd_path_is_more_than_a_clear_refusal() {
    let stage = Stage::open().await;
    let mut parts: Vec<String> =
        identifiers().into_iter().filter(|id| id.is_ascii() && !id.contains('{')).collect();
    for part in [
        "%ff", "%00", "%2e%2e", "..", "%2F", "a%2Fb", "%", "%zz", "%c3%28", ";x=1", "*", "%7B%7D", "+", "~",
        "-1",
    ] {
        parts.push(part.to_owned());
    }
    for part in parts {
        stage.clock.advance_seconds(1);
        let alice = &stage.alice;
        refuse(&stage, get(&format!("/v1/pm/events/{part}"))).await;
        refuse(&stage, get(&format!("/v1/pm/events/slug/{part}"))).await;
        refuse(&stage, get(&format!("/v1/pm/events/{part}/resolution"))).await;
        refuse(&stage, get(&format!("/v1/pm/orders/{part}")).named(&alice.key)).await;
        refuse(&stage, signed(&stage, "DELETE", &format!("/v1/pm/orders/{part}"), "")).await;
        refuse(&stage, signed(&stage, "PUT", &format!("/v1/pm/events/{part}/watchlist"), "")).await;
        refuse(&stage, signed(&stage, "POST", &format!("/v1/pm/markets/{part}/mint"), r#"{"quantity":1}"#))
            .await;
        let order = limit(stage.book.yes, "BUY", 4.0, 0.4).to_string();
        let path = format!("/v1/pm/events/{part}/markets/{part}/orders");
        refuse(&stage, signed(&stage, "POST", &path, order.clone())).await;
        refuse(&stage, post(&format!("/v1/pm/events/{part}/markets/{part}/quote")).raw(order)).await;
        refuse(&stage, delete(&format!("/v1/user/me/api-keys/{part}")).in_session(alice)).await;
        refuse(&stage, post(&format!("/v1/user/me/api-keys/{part}/rotate")).in_session(alice)).await;
    }
}

#[tokio::test]
async fn an_identifier_in_capitals_names_the_same_thing() {
    let stage = Stage::open().await;
    let path = format!("/v1/pm/events/{}", stage.book.event.to_string().to_uppercase());
    assert_eq!(stage.ask(get(&path)).await.expect(200)["id"], stage.book.event.to_string());
}

#[tokio::test]
async fn no_odd_header_is_more_than_a_clear_refusal() {
    let stage = Stage::open().await;
    let long = vec![b'x'; 60_000];
    let values: [&[u8]; 8] = [b"", b" ", b"\xff\xfe", b"a, b", b"\"", b"pk_live_\xc3\xa9", b"{}", &long];
    for value in values {
        for name in ["x-public-key", "x-timestamp", "x-signature"] {
            let draft = signed(&stage, "POST", &stage.book.mint(), r#"{"quantity":1}"#).without(name);
            refuse(&stage, draft.header(name, value)).await;
        }
        for name in ["x-auth-token", "x-device-id"] {
            let draft = get("/v1/user/me/api-keys").in_session(&stage.alice).without(name);
            refuse(&stage, draft.header(name, value)).await;
        }
        refuse(&stage, get("/v1/pm/portfolio").header("x-public-key", value)).await;
        refuse(&stage, get("/v1/pm/events").header("x-public-key", value)).await;
        let draft = signed(&stage, "POST", &stage.book.mint(), r#"{"quantity":1}"#)
            .idempotent("x")
            .without("idempotency-key");
        refuse(&stage, draft.header("idempotency-key", value)).await;
    }
}

#[tokio::test]
async fn no_odd_query_is_more_than_a_clear_refusal() {
    let stage = Stage::open().await;
    let many = "a=1&".repeat(300);
    let queries = [
        "page=%",
        "page=%zz",
        "page=%ff",
        "page=1&page=1",
        "page=1e1",
        "page=+1",
        "page=%31%30%30%30%30%30%30%30%30%30%30",
        "page=99999999999999999999",
        "size=-1",
        "size=0x10",
        "size=١",
        "currency=usd%00",
        "status=%00",
        many.as_str(),
    ];
    for query in queries {
        stage.clock.advance_seconds(1);
        let query: String = query
            .chars()
            .flat_map(|c| if c.is_ascii() { vec![c] } else { "%D9%A1".chars().collect() })
            .collect();
        for path in ["/v1/pm/events", "/v1/pm/orders", "/v1/pm/portfolio"] {
            let is_other = query.starts_with("status") && path.ends_with("portfolio");
            if !is_other {
                refuse(&stage, get(&format!("{path}?{query}")).named(&stage.alice.key)).await;
            }
        }
    }
}

#[tokio::test]
async fn an_invalid_id_in_a_path_is_not_found_on_every_route() {
    let stage = Stage::open().await;
    let (event, market) = (stage.book.event, stage.book.market);
    let order = limit(stage.book.yes, "BUY", 4.0, 0.4);
    let quote = json!({"side": "BUY", "outcomeId": stage.book.yes, "amount": 10});
    let sets = json!({"quantity": 1});
    let write = |method: &str, path: String, body: Option<&Value>| {
        let made = draft(method, &path);
        let made = match body {
            Some(body) => made.json(body),
            None => made,
        };
        made.signed(&stage.alice.key, stage.now_seconds())
    };
    let before = stage.digest();
    for id in ["x", "0", "not-an-id", &Uuid::now_v7().simple().to_string()] {
        let rows = [
            (delete(&format!("/v1/user/me/api-keys/{id}")).in_session(&stage.alice), "API key not found"),
            (
                post(&format!("/v1/user/me/api-keys/{id}/rotate")).in_session(&stage.alice),
                "API key not found",
            ),
            (get(&format!("/v1/pm/events/{id}")), "Event not found"),
            (get(&format!("/v1/pm/events/{id}/resolution")), "Event not found"),
            (write("PUT", format!("/v1/pm/events/{id}/watchlist"), None), "Event not found"),
            (write("DELETE", format!("/v1/pm/events/{id}/watchlist"), None), "Event not found"),
            (post(&format!("/v1/pm/events/{id}/markets/{market}/quote")).json(&quote), "Event not found"),
            (post(&format!("/v1/pm/events/{event}/markets/{id}/quote")).json(&quote), "Market not found"),
            (
                write("POST", format!("/v1/pm/events/{id}/markets/{market}/orders"), Some(&order)),
                "Event not found",
            ),
            (
                write("POST", format!("/v1/pm/events/{event}/markets/{id}/orders"), Some(&order)),
                "Market not found",
            ),
            (get(&format!("/v1/pm/orders/{id}")).named(&stage.alice.key), "Order not found"),
            (write("DELETE", format!("/v1/pm/orders/{id}"), None), "Order not found"),
            (write("POST", format!("/v1/pm/markets/{id}/mint"), Some(&sets)), "Market not found"),
            (write("POST", format!("/v1/pm/markets/{id}/burn"), Some(&sets)), "Market not found"),
        ];
        for (draft, message) in rows {
            let shown = format!("{} {}", draft.method, draft.path);
            stage.clock.advance_seconds(1);
            let body = stage.ask(draft).await.expect(404);
            assert_eq!(body, json!({"error": "not_found", "message": message, "statusCode": 404}), "{shown}");
        }
    }
    assert_eq!(stage.digest(), before, "nothing reached the exchange");
}
