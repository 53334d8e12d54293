//! Pages of other origins: their scripts may read public data like any program, and nothing that needs a cookie.

use http::StatusCode;
use serde_json::json;
use server::http::admission::Admission;
use server::http::serving::Timeouts;
use server::web::WebSettings;
use stage::node::{Answered, Draft, Stage, ask, delete, draft, get, post};

use crate::socket::{listen, listen_on};

const ELSEWHERE: &str = "https://app.example.org";
const ALLOW_ORIGIN: &str = "access-control-allow-origin";
const ALLOW_HEADERS: &str = "access-control-allow-headers";

fn from_elsewhere(draft: Draft) -> Draft {
    draft.header("origin", ELSEWHERE)
}

fn preflight(path: &str, method: &str, headers: &str) -> Draft {
    from_elsewhere(draft("OPTIONS", path))
        .header("access-control-request-method", method)
        .header("access-control-request-headers", headers)
}

/// The names of a list in a header field, in small letters.
fn listed(answered: &Answered, name: &str) -> Vec<String> {
    let list = answered.header(name).unwrap_or_default();
    list.split(',').map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()).collect()
}

#[track_caller]
fn is_open(answered: &Answered) {
    assert_eq!(answered.header(ALLOW_ORIGIN), Some("*"), "{}", answered.text());
    assert_eq!(answered.headers.get_all(ALLOW_ORIGIN).iter().count(), 1);
    assert_eq!(answered.header("access-control-allow-credentials"), None);
    let exposed = listed(answered, "access-control-expose-headers");
    for name in [
        "ratelimit",
        "ratelimit-policy",
        "retry-after",
        "x-sequence",
        "idempotent-replayed",
        "x-request-id",
        "x-number-format",
    ] {
        assert!(exposed.contains(&name.to_owned()), "{name} in {exposed:?}");
    }
}

#[track_caller]
fn is_closed(answered: &Answered) {
    let named: Vec<_> =
        answered.headers.keys().filter(|name| name.as_str().starts_with("access-control")).collect();
    assert!(named.is_empty(), "{named:?}: {}", answered.text());
}

#[tokio::test]
async fn public_and_key_authenticated_answers_are_open_to_every_origin() {
    let stage = Stage::open().await;
    for path in ["/v1/pm/events", "/version", "/openapi.json", "/v1/pm/solvency"] {
        let answered = stage.ask(from_elsewhere(get(path))).await;
        assert_eq!(answered.status, 200, "{path}");
        is_open(&answered);
        // A cache may serve one answer to several pages, so it is open to all or to none.
        is_open(&stage.ask(get(path)).await);
    }
    is_open(&stage.ask(from_elsewhere(get("/v1/pm/portfolio")).named(&stage.alice.key)).await);
    let cancel = from_elsewhere(draft("DELETE", "/v1/pm/orders")).json(&json!({}));
    let cancelled = stage.ask(cancel.signed(&stage.alice.key, stage.now_seconds())).await;
    cancelled.expect(200);
    is_open(&cancelled);
    let keys = stage.ask(from_elsewhere(get("/v1/user/me/api-keys")).in_session(&stage.alice)).await;
    keys.expect(200);
    is_open(&keys);
}

#[tokio::test]
async fn a_script_can_read_why_it_was_refused() {
    let stage = Stage::open().await;
    for (path, status) in [("/v1/pm/portfolio", 401), ("/v1/pm/events?size=0", 400), ("/nowhere", 404)] {
        let refused = stage.ask(from_elsewhere(get(path))).await;
        assert_eq!(refused.status, status, "{path}");
        is_open(&refused);
    }
    let wrong_method = stage.ask(from_elsewhere(draft("DELETE", "/v1/pm/events"))).await;
    wrong_method.refused(405, "method_not_allowed");
    is_open(&wrong_method);
    for _ in 0..100 {
        stage.ask(get("/v1/pm/events")).await;
    }
    let limited = stage.ask(from_elsewhere(get("/v1/pm/events"))).await;
    assert_eq!(limited.status, StatusCode::TOO_MANY_REQUESTS.as_u16());
    is_open(&limited);
}

#[tokio::test]
async fn a_preflight_grants_the_headers_of_a_signed_request_and_never_those_of_a_page() {
    let stage = Stage::open().await;
    let wanted = "x-public-key, x-timestamp, x-signature, x-auth-token, x-device-id, content-type, \
                  idempotency-key, idempotency-window, x-number-format, x-trace-id, x-request-id, traceparent, x-wait-for-sequence, if-none-match";
    let events = format!("/v1/pm/events/{}/markets/{}/orders", uuid::Uuid::nil(), uuid::Uuid::nil());
    for (path, method) in [
        (events.as_str(), "POST"),
        ("/v1/pm/orders", "DELETE"),
        ("/v1/pm/portfolio", "GET"),
        ("/v1/user/me/api-keys", "POST"),
        ("/nowhere", "GET"),
    ] {
        let granted = stage.ask(preflight(path, method, wanted)).await;
        assert_eq!((granted.status, granted.bytes.len()), (204, 0), "{path}");
        is_open(&granted);
        assert!(listed(&granted, "access-control-allow-methods").contains(&method.to_lowercase()));
        assert_eq!(granted.header("access-control-max-age"), Some("600"));
        let allowed = listed(&granted, ALLOW_HEADERS);
        for name in wanted.split(", ") {
            assert!(allowed.contains(&name.to_owned()), "{name} in {allowed:?}");
        }
    }
    let page = stage.ask(preflight("/v1/pm/orders", "DELETE", "x-bellwether-page, content-type")).await;
    let allowed = listed(&page, ALLOW_HEADERS);
    assert!(!allowed.contains(&"x-bellwether-page".to_owned()) && !allowed.contains(&"*".to_owned()));
    // A request that is no preflight gets the usual answer.
    stage.ask(draft("OPTIONS", "/v1/pm/orders")).await.refused(405, "method_not_allowed");
    stage.ask(from_elsewhere(draft("OPTIONS", "/v1/pm/orders"))).await.refused(405, "method_not_allowed");
}

#[tokio::test]
async fn a_preflight_is_charged_like_any_public_request() {
    let stage = Stage::open().await;
    let first = stage.ask(preflight("/v1/pm/orders", "DELETE", "x-public-key")).await;
    assert_eq!(first.status, 204);
    assert!(first.header("ratelimit").is_some_and(|left| left.starts_with("\"public\";r=99")), "{first:?}");
    for _ in 0..99 {
        stage.ask(preflight("/v1/pm/orders", "DELETE", "x-public-key")).await;
    }
    let limited = stage.ask(preflight("/v1/pm/orders", "DELETE", "x-public-key")).await;
    limited.limited(1);
    is_open(&limited);
}

#[tokio::test]
async fn routes_of_our_own_pages_are_closed_to_other_origins() {
    let stage = Stage::open().await;
    let email = json!({"email": "alice@example.org", "password": "wrong horse battery"});
    let token = json!({"token": "rt_none", "password": "correct horse battery"});
    let own = [
        ("GET", "/web/session", json!(null)),
        ("POST", "/web/session", email.clone()),
        ("POST", "/v1/user/login", email),
        ("POST", "/v1/user/password-reset", token),
    ];
    for (method, path, body) in own {
        is_closed(&stage.ask(from_elsewhere(draft(method, path)).json(&body)).await);
        let refused = stage.ask(preflight(path, method, "content-type")).await;
        refused.refused(405, "method_not_allowed");
        is_closed(&refused);
    }
    for path in ["/", "/favicon.svg", "/assets/none.js"] {
        is_closed(&stage.ask(from_elsewhere(get(path))).await);
    }
    is_closed(&stage.ask(from_elsewhere(get("/events/some-event")).header("accept", "text/html")).await);
}

#[tokio::test]
async fn a_cookie_is_of_no_use_to_a_page_of_another_origin() {
    let stage = Stage::open().await;
    let cookie = format!("bellwether_session={}", stage.alice.token);
    let write = |draft: Draft| from_elsewhere(draft).header("cookie", &cookie).json(&json!({}));
    // Without the page's header the cookie is ignored; with it, which no browser sends cross-origin, the origin
    // decides.
    let plain = stage.ask(write(draft("DELETE", "/v1/pm/orders"))).await;
    plain.unauthorized("unauthorized", "header_missing");
    let forged =
        write(draft("DELETE", "/v1/pm/orders")).header("x-bellwether-page", "1").header("host", "here");
    stage.ask(forged).await.refused(403, "forbidden");
}

#[tokio::test]
async fn the_operators_listener_is_closed_to_other_origins() {
    let stage = Stage::open().await;
    let router = || server::admin::router(stage.app().clone());
    is_closed(&ask(router(), from_elsewhere(get("/admin/v1/status"))).await);
    is_closed(&ask(router(), from_elsewhere(get("/admin/openapi.json"))).await);
    let refused = ask(router(), preflight("/admin/v1/status", "GET", "authorization")).await;
    assert_ne!(refused.status, 204);
    is_closed(&refused);
}

#[tokio::test]
async fn a_venue_can_be_closed_to_other_origins() {
    let stage = Stage::open().await;
    let closed = WebSettings { cross_origin: false, ..WebSettings::default() };
    assert!(stage.app().web().configure(closed), "the settings were not read before");
    let answered = stage.ask(from_elsewhere(get("/v1/pm/events"))).await;
    answered.expect(200);
    is_closed(&answered);
    let refused = stage.ask(preflight("/v1/pm/orders", "DELETE", "x-public-key")).await;
    refused.refused(405, "method_not_allowed");
    is_closed(&refused);
    // The path with a supported method gets the usual answer.
    stage.ask(from_elsewhere(post("/v1/auth/check"))).await.unauthorized("unauthorized", "header_missing");
}

#[tokio::test]
async fn scripts_of_other_origins_read_through_a_socket_what_programs_read_and_nothing_of_a_page() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let listened = async |draft: Draft| listening.answer(from_elsewhere(draft)).await;
    let cancel = delete("/v1/pm/orders").json(&json!({})).signed(&stage.alice.key, stage.now_seconds());
    let rows = [
        (get("/v1/pm/events"), 200),
        (get("/v1/pm/portfolio").named(&stage.alice.key), 200),
        (cancel, 200),
        (get("/v1/pm/portfolio"), 401),
        (get("/nowhere"), 404),
    ];
    for (draft, status) in rows {
        let answered = listened(draft).await;
        answered.expect(status);
        is_open(&answered);
    }
    let granted =
        listening.answer(preflight("/v1/pm/orders", "DELETE", "x-signature, x-bellwether-page")).await;
    assert_eq!((granted.status, granted.bytes.len()), (204, 0));
    is_open(&granted);
    let allowed = listed(&granted, ALLOW_HEADERS);
    assert!(allowed.contains(&"x-signature".to_owned()), "{allowed:?}");
    assert!(allowed.iter().all(|name| name != "x-bellwether-page" && name != "*"), "{allowed:?}");

    let login = json!({"email": "alice@example.org", "password": "wrong horse battery"});
    for path in ["/web/session", "/v1/user/login", "/v1/user/password-reset"] {
        is_closed(&listened(post(path).json(&login)).await);
        let refused = listening.answer(preflight(path, "POST", "content-type")).await;
        refused.refused(405, "method_not_allowed");
        is_closed(&refused);
    }
    let router = server::admin::router(stage.app().clone());
    let operators = listen_on(router, Timeouts::default(), Admission::unlimited()).await;
    is_closed(&operators.answer(from_elsewhere(get("/admin/v1/status"))).await);
    is_closed(&operators.answer(preflight("/admin/v1/status", "GET", "authorization")).await);
}
