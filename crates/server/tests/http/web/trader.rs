//! A trader's session in a cookie: its creation, its rights, and its end.

use exchange::command::{Command, SuspendUser};
use exchange::id::UserId;
use serde_json::{Value, json};
use server::web::WebSettings;
use stage::node::{Answered, Draft, PASSWORD, Stage, User, delete, get, keys, limit, post, text};

const SESSION: &str = "/web/session";
const PORTFOLIO: &str = "/v1/pm/portfolio";

fn log_in(email: &str, password: &str) -> Draft {
    post(SESSION).json(&json!({"email": email, "password": password})).on_open_page()
}

/// Alice with the cookies of her login on the page.
async fn logged_in(stage: &Stage) -> (User, Answered) {
    let answered = stage.ask(log_in("Alice@example.org", PASSWORD)).await;
    let cookie = answered.header("set-cookie").expect("a cookie").to_owned();
    let token = cookie.split(';').next().and_then(|pair| pair.split_once('=')).expect("a pair").1;
    (User { token: token.to_owned(), ..stage.alice.clone() }, answered)
}

#[tokio::test]
async fn a_login_puts_the_token_into_a_cookie_that_no_script_reads_and_nowhere_else() {
    let stage = Stage::open().await;
    let (alice, answered) = logged_in(&stage).await;
    let body = answered.expect(200);
    assert_eq!(keys(&body), ["user"]);
    assert_eq!(keys(&body["user"]), ["createdAt", "email", "id", "tag"]);
    assert_eq!(body["user"]["id"], json!(alice.id));
    assert_eq!(body["user"]["email"], "alice@example.org");
    assert_eq!(alice.token.len(), 64);
    assert!(!answered.text().contains(&alice.token));
    let flags = "; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000";
    assert_eq!(
        answered.header("set-cookie"),
        Some(format!("bellwether_session={}{flags}", alice.token).as_str())
    );
    assert_eq!(answered.header("cache-control"), Some("private, no-store"));

    let who = stage.ask(get(SESSION).on_page(&alice)).await;
    assert_eq!(who.expect(200), body);
    assert_eq!(who.header("cache-control"), Some("private, no-store"));
    assert!(who.headers.get_all("vary").iter().any(|vary| vary == "Cookie"));
    stage.ask(get(SESSION).cookie(&alice)).await.unauthorized("unauthorized", "unknown_session");
    stage.ask(get(SESSION).on_open_page()).await.unauthorized("unauthorized", "unknown_session");
}

#[tokio::test]
async fn behind_tls_the_cookie_is_for_tls_and_this_host_alone() {
    let stage = Stage::open().await;
    let settings = WebSettings { secure_cookies: true, ..WebSettings::default() };
    assert!(stage.app().web().configure(settings), "configured before the first use");
    let (alice, answered) = logged_in(&stage).await;
    let flags = "; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000; Secure";
    assert_eq!(
        answered.header("set-cookie"),
        Some(format!("__Host-bellwether_session={}{flags}", alice.token).as_str())
    );
    let mut cookies = answered.headers.get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
    let device = cookies.find(|cookie| cookie.starts_with("__Host-bellwether_device="));
    assert!(device.is_some_and(|cookie| cookie.ends_with("; Max-Age=34560000; Secure")), "{device:?}");
    let cookie = format!("__Host-bellwether_session={}", alice.token);
    stage.ask(get(PORTFOLIO).header("cookie", cookie).on_open_page()).await.expect(200);
    // A cookie without the `__Host-` prefix could have been set by another host.
    stage.ask(get(PORTFOLIO).on_page(&alice)).await.unauthorized("unauthorized", "header_missing");
}

#[tokio::test]
async fn a_login_on_the_page_has_the_refusals_of_every_login() {
    let stage = Stage::open().await;
    let wrong = stage.ask(log_in("alice@example.org", "wrong")).await;
    let unknown = stage.ask(log_in("nobody@example.org", "wrong")).await;
    let wrong = wrong.unauthorized("unauthorized", "wrong_credentials");
    assert_eq!(wrong, unknown.unauthorized("unauthorized", "wrong_credentials"));
    stage.ask(log_in("alice", PASSWORD)).await.refused(400, "bad_request");
}

#[tokio::test]
async fn no_other_site_can_log_a_user_in_or_out() {
    let stage = Stage::open().await;
    let before = stage.digest();
    let bare = || post(SESSION).json(&json!({"email": "alice@example.org", "password": PASSWORD}));
    let drafts = |bare: &dyn Fn() -> Draft| {
        let paged = || bare().header("x-bellwether-page", "1").header("host", "here");
        vec![
            bare(),
            bare().header("sec-fetch-site", "same-origin"),
            paged(),
            paged().header("sec-fetch-site", "cross-site"),
            paged().header("sec-fetch-site", "same-site"),
            paged().header("origin", "https://evil.example"),
        ]
    };
    for draft in drafts(&bare) {
        let answered = stage.ask(draft).await;
        answered.refused(403, "forbidden");
        assert_eq!(answered.header("set-cookie"), None);
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let form = bare().without("content-type").header("content-type", kind).on_open_page();
        stage.ask(form).await.refused(415, "unsupported_media_type");
    }
    for draft in drafts(&|| delete(SESSION).cookie(&stage.alice)) {
        let answered = stage.ask(draft).await;
        answered.refused(403, "forbidden");
        assert_eq!(answered.header("set-cookie"), None);
    }
    assert_eq!(stage.digest(), before);
    stage.ask(get(SESSION).on_page(&stage.alice)).await.expect(200);
}

#[tokio::test]
async fn a_browser_that_sends_only_its_origin_is_trusted_if_it_is_ours() {
    let stage = Stage::open().await;
    let shown = stage.alice.id.to_string();
    let bare = || {
        draft_order(&stage)
            .cookie(&stage.alice)
            .header("x-bellwether-page", "1")
            .header("x-bellwether-as", &shown)
    };
    let ours = bare().header("host", "venue.example:8080").header("origin", "http://venue.example:8080");
    stage.ask(ours).await.expect(200);
    let other = bare().header("host", "venue.example:8080").header("origin", "http://venue.example:8081");
    stage.ask(other).await.refused(403, "forbidden");
}

fn draft_order(stage: &Stage) -> Draft {
    post(&stage.book.orders()).json(&limit(stage.book.yes, "BUY", 4.0, 0.10))
}

#[tokio::test]
async fn a_logout_ends_the_session_at_once_and_takes_the_cookie_back() {
    let stage = Stage::open().await;
    let (alice, _) = logged_in(&stage).await;
    stage.ask(draft_order(&stage).on_page(&alice)).await.expect(200);
    let out = stage.ask(delete(SESSION).on_page(&alice)).await;
    assert_eq!(out.expect(200), json!({"message": "Logged out"}));
    let cleared = "bellwether_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0";
    assert_eq!(out.header("set-cookie"), Some(cleared));
    let before = stage.digest();
    for draft in [draft_order(&stage), get(PORTFOLIO), get("/v1/user/me/api-keys")] {
        stage.ask(draft.on_page(&alice)).await.unauthorized("unauthorized", "unknown_session");
    }
    assert_eq!(stage.digest(), before);
    // Her other session stays valid, and a second logout is no error.
    stage.ask(get(PORTFOLIO).on_page(&stage.alice)).await.expect(200);
    stage.ask(delete(SESSION).on_page(&alice)).await.expect(200);
    stage.ask(delete(SESSION).on_open_page()).await.expect(200);
}

#[tokio::test]
async fn a_session_that_is_over_opens_nothing_and_its_cookie_is_taken_back() {
    let stage = Stage::open().await;
    stage.clock.advance_seconds(30 * 86_400 - 1);
    stage.ask(get(PORTFOLIO).on_page(&stage.alice)).await.expect(200);
    stage.clock.advance_seconds(1);
    stage.ask(get(PORTFOLIO).on_page(&stage.alice)).await.unauthorized("unauthorized", "unknown_session");
    let who = stage.ask(get(SESSION).on_page(&stage.alice)).await;
    who.unauthorized("unauthorized", "unknown_session");
    assert!(who.header("set-cookie").is_some_and(|cookie| cookie.ends_with("Max-Age=0")));
    // Public data stays public, also for a browser with an old cookie.
    let event = stage.ask(get(&stage.book.shown()).on_page(&stage.alice)).await.expect(200);
    assert_eq!(event["userWatchlisted"], false);
}

#[tokio::test]
async fn a_suspended_user_is_out_at_once_and_for_good() {
    let stage = Stage::open().await;
    let user = UserId::new(stage.alice.id.as_u128());
    for suspended in [true, false] {
        stage.operate(Command::SuspendUser(SuspendUser { user, suspended, keep_orders: false })).await;
        for draft in [draft_order(&stage), get(PORTFOLIO), get(SESSION)] {
            let answered = stage.ask(draft.on_page(&stage.alice)).await;
            answered.unauthorized("unauthorized", "unknown_session");
        }
    }
}

#[tokio::test]
async fn a_cookie_without_the_page_is_nobodys_and_with_it_the_answer_is_personal() {
    let stage = Stage::open().await;
    let path = format!("{}/watchlist", stage.book.shown());
    stage.ask(stage::node::put(&path).on_page(&stage.alice)).await.expect(200);
    for path in [stage.book.shown(), "/v1/pm/events".to_owned()] {
        let watched = |answered: &Answered| -> Value {
            let body = answered.expect(200);
            let events = body["events"].as_array().cloned().unwrap_or_else(|| vec![body.clone()]);
            let id = json!(stage.book.event);
            events.iter().find(|event| event["id"] == id).expect("the event")["userWatchlisted"].clone()
        };
        let alone = stage.ask(get(&path).cookie(&stage.alice)).await;
        assert_eq!(
            (watched(&alone), alone.header("cache-control")),
            (json!(false), Some("public, no-cache"))
        );
        let paged = stage.ask(get(&path).on_page(&stage.alice)).await;
        assert_eq!(
            (watched(&paged), paged.header("cache-control")),
            (json!(true), Some("private, no-store"))
        );
        let elsewhere = get(&path)
            .cookie(&stage.alice)
            .header("x-bellwether-page", "1")
            .header("sec-fetch-site", "same-site");
        stage.ask(elsewhere).await.refused(403, "forbidden");
    }
}

#[tokio::test]
async fn credentials_in_headers_come_before_the_cookie_right_or_wrong() {
    let stage = Stage::open().await;
    let now = stage.now_seconds();
    let signed = draft_order(&stage).signed(&stage.bob.key, now).on_page(&stage.alice);
    let order = stage.ask(signed).await.expect(200)["order"].clone();
    let path = format!("/v1/pm/orders/{}", text(&order["id"]));
    stage.read(&stage.bob.key, &path).await.expect(200);
    stage.ask(get(&path).on_page(&stage.alice)).await.refused(404, "not_found");
    let before = stage.digest();
    let wrong = [
        ("x-public-key", "pk_live_unknown"),
        ("x-auth-token", "token-unknown"),
        ("x-signature", "AAAA"),
        ("x-timestamp", "1"),
        ("x-device-id", "d_unknown"),
    ];
    for (name, value) in wrong {
        for draft in [draft_order(&stage), get(PORTFOLIO), get("/v1/user/me/api-keys")] {
            let answered = stage.ask(draft.header(name, value).on_page(&stage.alice)).await;
            answered.refused(401, "unauthorized");
        }
    }
    assert_eq!(stage.digest(), before);
}

#[tokio::test]
async fn two_cookies_of_the_name_are_none() {
    let stage = Stage::open().await;
    let twice = get(PORTFOLIO).cookie(&stage.bob).on_page(&stage.alice);
    stage.ask(twice).await.unauthorized("unauthorized", "unknown_session");
    let tossed = format!("bellwether_session={}; bellwether_session={}", stage.bob.token, stage.alice.token);
    let tossed = get(PORTFOLIO).header("cookie", tossed).on_open_page();
    stage.ask(tossed).await.unauthorized("unauthorized", "unknown_session");
    let among = format!("theme=dark; bellwether_session={}; other=1", stage.alice.token);
    stage.ask(get(PORTFOLIO).header("cookie", among).on_open_page()).await.expect(200);
}

#[tokio::test]
async fn an_idempotency_key_of_a_user_is_the_same_on_the_page_and_in_a_program() {
    let stage = Stage::open().await;
    let first = stage.ask(draft_order(&stage).idempotent("once").on_page(&stage.alice)).await.expect(200);
    let again = stage.ask(draft_order(&stage).idempotent("once").on_page(&stage.alice)).await;
    assert_eq!(again.expect(200), first);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let signed = draft_order(&stage).idempotent("once").signed(&stage.alice.key, stage.now_seconds());
    assert_eq!(stage.ask(signed).await.expect(200), first);
}

#[tokio::test]
async fn all_pages_of_a_user_share_one_allowance_and_its_keys_have_their_own() {
    let stage = Stage::open().await;
    let elsewhere = stage.alice.elsewhere(stage.app()).await;
    for number in 0..30 {
        let user = if number % 2 == 0 { &stage.alice } else { &elsewhere };
        stage.ask(get(PORTFOLIO).on_page(user)).await.expect(200);
    }
    for user in [&stage.alice, &elsewhere] {
        stage.ask(get(PORTFOLIO).on_page(user)).await.limited(1);
    }
    stage.read(&stage.alice.key, PORTFOLIO).await.expect(200);
    stage.ask(get(PORTFOLIO).on_page(&stage.bob)).await.expect(200);
}
