//! The operators' page: a session in a cookie, its rights, its end, and its protection from other sites.

use exchange::command::{Command, RevokeOperator, SuspendOperator};
use exchange::id::OperatorId;
use serde_json::{Value, json};
use server::http::admission::Admission;
use server::http::serving::Timeouts;
use stage::node::{Draft, delete, draft, get, post};

use super::{Office, Operator, with_token};
use crate::socket::listen_on;
use crate::web::as_built;

const SESSION: &str = "/web/session";
const STATUS: &str = "/admin/v1/status";
const HTML: &str = "text/html,*/*;q=0.8";

/// Logs an operator in and returns the browser's cookie.
async fn cookie_of(office: &Office, operator: &Operator) -> String {
    let answered = office.ask(log_in(&operator.token)).await;
    answered.expect(200);
    let cookie = answered.header("set-cookie").expect("a cookie");
    cookie.split(';').next().expect("a pair").to_owned()
}

fn from_page(draft: Draft, cookie: &str) -> Draft {
    draft.header("cookie", cookie).on_open_page()
}

/// The console names the operator whom it shows.
fn shown_as(draft: Draft, operator: &Operator) -> Draft {
    draft.header("x-bellwether-as", operator.id.to_string())
}

fn log_in(token: &str) -> Draft {
    post(SESSION).json(&json!({"token": token})).on_open_page()
}

#[tokio::test]
async fn a_token_opens_a_session_whose_cookie_no_script_reads_and_that_is_not_the_token() {
    let office = Office::open().await;
    let answered = office.ask(log_in(&office.operator.token)).await;
    let body = answered.expect(200);
    let expected = json!({"operator": {"id": office.operator.id, "name": "otto", "role": "operator"}});
    assert_eq!(body, expected);
    let cookie = answered.header("set-cookie").expect("a cookie");
    let (pair, flags) = cookie.split_once(';').expect("flags");
    assert_eq!(flags, " HttpOnly; SameSite=Strict; Path=/; Max-Age=43200");
    let value = pair.strip_prefix("bellwether_operator=").expect("its name");
    assert!(value.len() == 64 && value.bytes().all(|byte| byte.is_ascii_hexdigit()), "{value}");
    let hexadecimal: String = office.operator.token.bytes().map(|byte| format!("{byte:02x}")).collect();
    assert!(value != hexadecimal && !answered.text().contains(value));
    assert_eq!(answered.header("cache-control"), Some("private, no-store"));
    let who = office.ask(from_page(get(SESSION), pair)).await;
    assert_eq!(who.expect(200), expected);
    assert_eq!(who.header("cache-control"), Some("private, no-store"));
    assert!(who.headers.get_all("vary").iter().any(|vary| vary == "Cookie"));
    assert_ne!(cookie_of(&office, &office.operator).await, pair, "each login has its own session");
    // Neither the token nor the session works in the other's place.
    let raw = format!("bellwether_operator={hexadecimal}");
    office.ask(from_page(get(STATUS), &raw)).await.unauthorized("unauthorized", "unknown_operator");
    let bearer = get(STATUS).header("authorization", format!("Bearer {value}"));
    office.ask(bearer).await.unauthorized("unauthorized", "unknown_operator");
    for token in ["op_unknown", "", &office.revoked.token] {
        let refused = office.ask(log_in(token)).await;
        refused.unauthorized("unauthorized", "unknown_operator");
        assert_eq!(refused.header("set-cookie"), None);
    }
}

#[tokio::test]
async fn a_logout_ends_the_session_on_the_server_and_no_other() {
    let mut office = Office::open().await;
    let cookie = cookie_of(&office, &office.approver).await;
    let other = cookie_of(&office, &office.approver).await;
    let log_out = || shown_as(from_page(delete(SESSION), &cookie), &office.approver);
    let out = office.ask(log_out()).await;
    assert_eq!(out.expect(200), json!({"message": "Logged out"}));
    let cleared = "bellwether_operator=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0";
    assert_eq!(out.header("set-cookie"), Some(cleared));
    for draft in [get(STATUS), get(SESSION), draft("PUT", "/admin/v1/cancel-only").json(&json!({"on": true}))]
    {
        let answered = office.ask(from_page(draft, &cookie)).await;
        answered.unauthorized("unauthorized", "unknown_operator");
    }
    office.ask(from_page(get(STATUS), &other)).await.expect(200);
    office.ask(log_out()).await.expect(200);
    // Sessions are part of the state: a restart, or another node, still has them.
    office.stage.restart().await;
    office.ask(from_page(get(STATUS), &other)).await.expect(200);
    office.ask(from_page(get(STATUS), &cookie)).await.unauthorized("unauthorized", "unknown_operator");
}

#[tokio::test]
async fn through_a_socket_the_cookie_is_a_session_that_a_logout_ends_on_the_server() {
    let office = Office::open().await;
    let router = server::admin::router(office.stage.app().clone());
    let listening = listen_on(router, Timeouts::default(), Admission::unlimited()).await;
    let opened = listening.answer(log_in(&office.approver.token)).await;
    opened.expect(200);
    let cookie = opened.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie");
    let hexadecimal: String = office.approver.token.bytes().map(|byte| format!("{byte:02x}")).collect();
    assert!(!cookie.contains(&office.approver.token) && !cookie.contains(&hexadecimal), "{cookie}");
    listening.answer(from_page(get(STATUS), cookie)).await.expect(200);
    let log_out = shown_as(from_page(delete(SESSION), cookie), &office.approver);
    listening.answer(log_out).await.expect(200);
    // The cookie was cleared in the browser; a copy of it is invalid too.
    let copied = listening.answer(from_page(get(STATUS), cookie)).await;
    copied.unauthorized("unauthorized", "unknown_operator");
    listening.answer(with_token(get(STATUS), &office.approver)).await.expect(200);
}

#[tokio::test]
async fn a_session_on_the_console_lasts_twelve_hours() {
    let office = Office::open().await;
    let cookie = cookie_of(&office, &office.viewer).await;
    // Each request advances the office's clock by a second.
    office.stage.clock.advance_seconds(12 * 3_600 - 2);
    office.ask(from_page(get(STATUS), &cookie)).await.expect(200);
    office.ask(from_page(get(STATUS), &cookie)).await.unauthorized("unauthorized", "unknown_operator");
    office.get(STATUS).await.expect(200);
}

#[tokio::test]
async fn the_twenty_first_session_of_an_operator_ends_the_oldest() {
    let office = Office::open().await;
    let mut cookies = Vec::new();
    for _ in 0..21 {
        cookies.push(cookie_of(&office, &office.operator).await);
    }
    office.ask(from_page(get(STATUS), &cookies[0])).await.unauthorized("unauthorized", "unknown_operator");
    for cookie in [&cookies[1], &cookies[20]] {
        office.ask(from_page(get(STATUS), cookie)).await.expect(200);
    }
}

#[tokio::test]
async fn logins_and_logouts_on_the_console_are_in_the_audit_log() {
    let office = Office::open().await;
    let cookie = cookie_of(&office, &office.viewer).await;
    office.ask(shown_as(from_page(delete(SESSION), &cookie), &office.viewer)).await.expect(200);
    let log = office.get("/admin/v1/audit").await.expect(200);
    let entries = log["entries"].as_array().expect("entries");
    for action in ["open_operator_session", "end_operator_session"] {
        let entry = entries.iter().find(|entry| entry["action"] == action);
        assert_eq!(entry.expect(action)["by"], "vera", "{log}");
    }
}

#[tokio::test]
async fn the_page_does_what_its_operator_may_and_a_revoked_one_nothing_more() {
    let office = Office::open().await;
    let viewer = cookie_of(&office, &office.viewer).await;
    let operator = cookie_of(&office, &office.operator).await;
    office.ask(from_page(get(STATUS), &viewer)).await.expect(200);
    let cancel_only = || draft("PUT", "/admin/v1/cancel-only").json(&json!({"on": false}));
    office.ask(shown_as(from_page(cancel_only(), &operator), &office.operator)).await.expect(200);
    let by_viewer = shown_as(from_page(cancel_only(), &viewer), &office.viewer);
    office.ask(by_viewer).await.refused(403, "forbidden");
    let revoked = OperatorId::new(office.operator.id.as_u128());
    office.stage.operate(Command::RevokeOperator(RevokeOperator { operator: revoked })).await;
    for draft in [cancel_only(), get(STATUS), get(SESSION)] {
        let answered = office.ask(from_page(draft, &operator)).await;
        answered.unauthorized("unauthorized", "unknown_operator");
    }
    office.ask(from_page(get(STATUS), &viewer)).await.expect(200);
}

#[tokio::test]
async fn the_console_acts_for_no_other_operator_than_it_shows() {
    let office = Office::open().await;
    let cookie = cookie_of(&office, &office.approver).await;
    let before = office.stage.digest();
    let cancel_only = || from_page(draft("PUT", "/admin/v1/cancel-only").json(&json!({"on": true})), &cookie);
    let status = || from_page(get(STATUS), &cookie);
    let out = || from_page(delete(SESSION), &cookie);
    for draft in [
        cancel_only(),
        out(),
        shown_as(cancel_only(), &office.second),
        shown_as(status(), &office.second),
        shown_as(out(), &office.second),
        shown_as(shown_as(cancel_only(), &office.approver), &office.approver),
    ] {
        let refused = office.ask(draft).await.refused(409, "conflict");
        assert_eq!(refused["code"], "SESSION_OF_ANOTHER", "{refused}");
    }
    assert_eq!(office.stage.digest(), before);
    let who = office.ask(shown_as(from_page(get(SESSION), &cookie), &office.second)).await.expect(200);
    assert_eq!(who["operator"]["id"], json!(office.approver.id));
    office.ask(shown_as(status(), &office.approver)).await.expect(200);
    office.ask(shown_as(cancel_only(), &office.approver)).await.expect(200);
    // A token in a header says who it is.
    let bearer = with_token(get(STATUS), &office.viewer);
    office.ask(shown_as(bearer, &office.second)).await.expect(200);
}

#[tokio::test]
async fn a_suspended_operator_can_neither_log_in_nor_learn_anything() {
    let office = Office::open().await;
    let cookie = cookie_of(&office, &office.operator).await;
    let operator = OperatorId::new(office.operator.id.as_u128());
    for suspended in [true, false] {
        office
            .stage
            .operate(Command::SuspendOperator(SuspendOperator { operator, suspended, until: None }))
            .await;
        let (login, bearer) = (log_in(&office.operator.token), with_token(get(STATUS), &office.operator));
        let (login, bearer) = (office.ask(login).await, office.ask(bearer).await);
        if suspended {
            login.refused(403, "forbidden");
            assert_eq!(login.header("set-cookie"), None);
            bearer.refused(403, "forbidden");
        } else {
            login.expect(200);
            bearer.expect(200);
        }
        // The session ended with the suspension and does not come back.
        office.ask(from_page(get(STATUS), &cookie)).await.unauthorized("unauthorized", "unknown_operator");
    }
}

#[tokio::test]
async fn no_other_site_can_use_the_cookie_of_an_operator() {
    let office = Office::open().await;
    let cookie = cookie_of(&office, &office.approver).await;
    let before = office.stage.digest();
    let bodies = [
        ("PUT", "/admin/v1/cancel-only", json!({"on": true})),
        ("POST", "/admin/v1/users/alice/suspend", Value::Null),
        ("GET", STATUS, Value::Null),
        ("DELETE", SESSION, Value::Null),
    ];
    for (method, path, body) in bodies {
        let bare = || {
            let bare = draft(method, path).header("cookie", &cookie);
            if body.is_null() { bare } else { bare.json(&body) }
        };
        let paged = || bare().header("x-bellwether-page", "1").header("host", "here:8081");
        let alone = office.ask(bare().header("sec-fetch-site", "same-origin")).await;
        assert!(matches!(alone.status, 401 | 403), "{method} {path}: {}", alone.text());
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            // The traders' page is on the same host, and another port is another origin of the same site.
            ("sec-fetch-site", "same-site"),
            ("origin", "http://here:8080"),
        ] {
            office.ask(paged().header(name, value)).await.refused(403, "forbidden");
        }
        if method != "GET" {
            office.ask(paged()).await.refused(403, "forbidden");
            let form = bare().without("content-type").header("content-type", "text/plain").on_open_page();
            office.ask(form).await.refused(415, "unsupported_media_type");
        }
    }
    assert_eq!(office.stage.digest(), before);
}

#[tokio::test]
async fn a_token_in_a_header_comes_before_the_cookie_right_or_wrong() {
    let office = Office::open().await;
    let approver = cookie_of(&office, &office.approver).await;
    let both = |token: &Operator| from_page(with_token(get("/admin/v1/operators"), token), &approver);
    office.ask(both(&office.viewer)).await.expect(200);
    office.ask(both(&office.revoked)).await.unauthorized("unauthorized", "unknown_operator");
    let cancel_only = draft("PUT", "/admin/v1/cancel-only").json(&json!({"on": false}));
    let by_viewer = from_page(with_token(cancel_only, &office.viewer), &approver);
    office.ask(by_viewer).await.refused(403, "forbidden");
}

#[tokio::test]
async fn a_cookie_that_is_not_of_our_making_opens_nothing() {
    let office = Office::open().await;
    let cookie = cookie_of(&office, &office.viewer).await;
    for wrong in [
        format!("{cookie}0"),
        cookie[..cookie.len() - 1].to_owned(),
        cookie.to_uppercase(),
        "bellwether_operator=".to_owned(),
        format!("bellwether_operator={}", office.viewer.token),
        format!("{cookie}; {cookie}"),
    ] {
        let answered = office.ask(get(STATUS).header("cookie", &wrong).on_open_page()).await;
        answered.unauthorized("unauthorized", "unknown_operator");
    }
    office.ask(from_page(get(STATUS), &cookie)).await.expect(200);
}

#[tokio::test]
async fn the_operators_page_is_on_their_listener_and_neither_knows_the_others_cookie() {
    let office = Office::open().await;
    for path in ["/", "/events", "/users/alice"] {
        let answered = office.ask(get(path).header("accept", HTML)).await;
        assert_eq!(
            (answered.status, answered.header("content-type")),
            (200, Some("text/html; charset=utf-8"))
        );
        assert_eq!(as_built(&answered.text()), include_str!("../../../../../web/dist/operator.html"));
        assert!(answered.header("content-security-policy").is_some());
    }
    office
        .ask(get("/admin/v1/nothing").header("accept", HTML))
        .await
        .unauthorized("unauthorized", "unknown_operator");
    office
        .ask(get("/index.html").header("accept", HTML))
        .await
        .unauthorized("unauthorized", "unknown_operator");
    assert!(office.ask(get("/admin/docs").header("accept", HTML)).await.text().contains("/admin/v1/status"));
    office.ask(post("/")).await.refused(405, "method_not_allowed");
    // Cookies do not depend on ports: each listener gets both.
    let alice = &office.stage.alice;
    office.ask(get(STATUS).on_page(alice)).await.unauthorized("unauthorized", "unknown_operator");
    office.ask(get(SESSION).on_page(alice)).await.unauthorized("unauthorized", "unknown_operator");
    let cookie = cookie_of(&office, &office.approver).await;
    let portfolio = from_page(get("/v1/pm/portfolio"), &cookie);
    office.stage.ask(portfolio).await.unauthorized("unauthorized", "header_missing");
}

#[tokio::test]
async fn the_console_shows_the_proof_that_the_public_gets() {
    let office = Office::open().await;
    let cookie = cookie_of(&office, &office.viewer).await;
    let shown = office.ask(from_page(get("/admin/v1/solvency"), &cookie)).await.expect(200);
    assert_eq!(shown["solvent"], true);
    let public = office.stage.ask(get("/v1/pm/solvency")).await.expect(200);
    assert_eq!(shown["currencies"], public["currencies"]);
    assert!(shown["stateDigest"].is_string(), "{shown}");
}
