//! The headers of every response, and the responses that no handler gives: 404, 405, 413, 415.

use serde_json::json;
use stage::node::{Stage, draft, get, post};

#[tokio::test]
async fn a_trace_id_is_echoed_on_success_and_on_refusal() {
    let stage = Stage::open().await;
    let paths = ["/health", "/v1/pm/events", "/v1/pm/portfolio", "/nowhere", "/v1/user/login"];
    for path in paths {
        let answered = stage.ask(get(path).header("x-trace-id", "0123456789ab-000001")).await;
        assert_eq!(answered.header("x-trace-id"), Some("0123456789ab-000001"), "{path}");
    }
    let longest = "x".repeat(128);
    let answered = stage.ask(get("/health").header("x-trace-id", &longest)).await;
    assert_eq!(answered.header("x-trace-id"), Some(longest.as_str()));
}

#[tokio::test]
async fn a_trace_id_that_is_too_long_or_not_visible_ascii_is_dropped() {
    let stage = Stage::open().await;
    for trace in ["x".repeat(129).as_bytes(), b"a b", b"", b"caf\xc3\xa9", b"a\tb"] {
        let answered = stage.ask(get("/health").header("x-trace-id", trace)).await;
        assert_eq!((answered.status, answered.header("x-trace-id")), (200, None));
    }
}

#[tokio::test]
async fn every_answer_has_the_servers_time() {
    let stage = Stage::open().await;
    stage.clock.advance_micros(1_234_567);
    let wanted = (stage.now_seconds() * 1_000 + 234).to_string();
    for path in ["/health", "/v1/pm/events", "/v1/pm/portfolio", "/nowhere", "/v1/user/login"] {
        let answered = stage.ask(get(path)).await;
        assert_eq!(answered.header("x-server-time-ms"), Some(wanted.as_str()), "{path}");
    }
}

#[tokio::test]
async fn personal_answers_are_never_cached() {
    let stage = Stage::open().await;
    let personal = [
        get("/v1/pm/portfolio").named(&stage.alice.key),
        get("/v1/pm/events").named(&stage.alice.key),
        get("/v1/user/me/api-keys").in_session(&stage.alice),
        get("/v1/pm/orders").header("x-public-key", "pk_live_unknown"),
    ];
    for draft in personal {
        let answered = stage.ask(draft).await;
        assert_eq!(answered.header("cache-control"), Some("private, no-store"));
        assert_eq!(answered.header("vary"), Some("X-Public-Key, X-Number-Format"));
    }
    let public = stage.ask(get("/v1/pm/events")).await;
    assert_eq!(
        (public.header("cache-control"), public.header("vary")),
        (Some("public, no-cache"), Some("X-Public-Key, X-Number-Format"))
    );
}

#[tokio::test]
async fn a_login_is_never_cached() {
    let stage = Stage::open().await;
    let body = json!({"email": "alice@example.org", "password": stage::node::PASSWORD});
    let answered = stage.ask(post("/v1/user/login").json(&body)).await;
    answered.expect(200);
    assert_eq!(answered.header("cache-control"), Some("private, no-store"));
}

#[tokio::test]
async fn a_path_that_is_not_there_is_not_found() {
    let stage = Stage::open().await;
    let paths = [
        "/v1",
        "/v2/pm/events",
        "/health/",
        "/v1/pm/events/",
        "/v1/pm/orders/batch/amend/more",
        "//health",
        "/HEALTH",
    ];
    for path in paths {
        let body = stage.ask(get(path)).await.refused(404, "not_found");
        assert_eq!(body.as_object().map(serde_json::Map::len), Some(3), "{path}: {body}");
    }
}

#[tokio::test]
async fn another_method_is_not_allowed_and_the_answer_lists_the_allowed_ones() {
    let stage = Stage::open().await;
    let rows = [
        ("POST", "/health", "GET"),
        ("GET", "/v1/user/login", "POST"),
        ("PATCH", "/v1/pm/orders", "GET"),
        ("PUT", "/v1/pm/orders/batch", "POST"),
        ("GET", "/v1/pm/orders/batch/amend", "POST"),
        ("DELETE", "/v1/pm/orders/batch/cancel", "POST"),
        ("OPTIONS", "/v1/pm/portfolio", "GET"),
        ("TRACE", "/version", "GET"),
    ];
    for (method, path, allowed) in rows {
        let answered = stage.ask(draft(method, path)).await;
        answered.refused(405, "method_not_allowed");
        let allow = answered.header("allow").unwrap_or_default().to_owned();
        assert!(allow.contains(allowed), "{method} {path}: Allow is {allow:?}");
    }
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let stage = Stage::open().await;
    let answered = stage.ask(draft("HEAD", "/health")).await;
    assert_eq!((answered.status, answered.bytes.len()), (200, 0));
}

#[tokio::test]
async fn a_body_over_64_kib_is_too_large_and_one_of_64_kib_is_read() {
    let stage = Stage::open().await;
    let padded = |length: usize| {
        let mut body = br#"{"quantity":1}"#.to_vec();
        body.resize(length, b' ');
        body
    };
    let path = stage.book.mint();
    let send = |body: Vec<u8>| stage.ask(post(&path).raw(body).signed(&stage.alice.key, stage.now_seconds()));
    send(padded(64 * 1024)).await.expect(200);
    send(padded(64 * 1024 + 1)).await.refused(413, "payload_too_large");
    stage.ask(post("/v1/user/login").raw(padded(1 << 20))).await.refused(413, "payload_too_large");
    stage.ask(post(&stage.book.quote()).raw(padded(1 << 20))).await.refused(413, "payload_too_large");
}

#[tokio::test]
async fn a_compressed_body_is_not_accepted() {
    let stage = Stage::open().await;
    for encoding in ["gzip", "br", "deflate", "gzip, identity", "GZIP"] {
        let login = post("/v1/user/login").raw("x").header("content-encoding", encoding);
        stage.ask(login).await.refused(415, "unsupported_media_type");
        let order = post(&stage.book.mint()).raw("x").header("content-encoding", encoding);
        stage
            .ask(order.signed(&stage.alice.key, stage.now_seconds()))
            .await
            .refused(415, "unsupported_media_type");
    }
    let body = json!({"quantity": 1});
    let identity = post(&stage.book.mint()).json(&body).header("content-encoding", "identity");
    stage.ask(identity.signed(&stage.alice.key, stage.now_seconds())).await.expect(200);
}
