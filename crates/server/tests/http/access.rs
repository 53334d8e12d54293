//! The access matrix: every route with no credentials, with the wrong ones, with another user's, and with the right ones.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use server::openapi::OPERATIONS;
use stage::node::{Draft, PASSWORD, Stage, User, draft, limit, market, text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Public,
    Session,
    Read,
    Private,
    Write,
}

/// One route and method: the status for another user, and for the owner.
pub struct Row {
    level: Level,
    pub method: &'static str,
    /// As the router spells it.
    pub route: &'static str,
    pub path: String,
    body: Option<Value>,
    other: u16,
    owner: u16,
}

use Level::{Private, Public, Read, Session, Write};

#[rustfmt::skip]
pub async fn matrix(stage: &Stage) -> Vec<Row> {
    let order = stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let (id, key) = (text(&order["id"]).to_owned(), stage.alice.key.id);
    let row = |level, method, route: &'static str, body: Option<Value>, other, owner| {
        let path = path(stage, route).replace("{orderId}", &id).replace("{keyId}", &key.to_string());
        Row { level, method, route, path, body, other, owner }
    };
    let quote = json!({"side": "BUY", "outcomeId": stage.book.yes, "amount": 10});
    let place = limit(stage.book.yes, "BUY", 4.0, 0.10);
    let (reset, login) = (json!({"token": "unknown", "password": "a new password"}), json!({"email": "nobody@example.org", "password": PASSWORD}));
    let amend = json!({"items": [{"orderId": id, "newPrice": 0.41}]});
    let (ids, sets) = (json!({"orderIds": [id]}), json!({"quantity": 1}));
    let open = ["/health", "/version", "/v1/health", "/v1/version", "/ready", "/openapi.json", "/openapi.yaml", "/asyncapi.json", "/docs"];
    open.map(|route| row(Public, "GET", route, None, 200, 200)).into_iter().chain(account_rows(stage, row)).chain([
        row(Write, "POST", "/v1/auth/check", None, 200, 200),
        // Published only by a setting.
        row(Public, "GET", "/metrics", None, 404, 404),
        row(Public, "POST", "/v1/user/login", Some(login), 401, 429),
        row(Public, "POST", "/v1/user/password-reset", Some(reset), 404, 404),
        row(Public, "POST", "/v1/user/password-reset/request", Some(json!({"email": "nobody@example.org", "tokenHash": "ab".repeat(32)})), 202, 202),
        row(Session, "GET", "/v1/user/me/api-keys", None, 200, 200),
        row(Session, "POST", "/v1/user/me/api-keys", Some(json!({"name": "another"})), 201, 201),
        asking("?tag=bob", row(Read, "GET", "/v1/user/lookup", None, 200, 200)),
        row(Public, "GET", "/v1/pm/events", None, 200, 200),
        row(Public, "GET", "/v1/pm/events/series", None, 200, 200),
        row(Public, "GET", "/v1/pm/events/series/{seriesSlug}/lean-events", None, 404, 404),
        row(Public, "GET", "/v1/pm/events/{eventId}", None, 200, 200),
        row(Public, "GET", "/v1/pm/events/slug/{slug}", None, 200, 200),
        row(Public, "GET", "/v1/pm/events/{eventId}/resolution", None, 200, 200),
        row(Public, "GET", "/v1/pm/events/{eventId}/news", None, 200, 200),
        row(Write, "PUT", "/v1/pm/events/{eventId}/watchlist", None, 200, 200),
        row(Write, "DELETE", "/v1/pm/events/{eventId}/watchlist", None, 200, 200),
        row(Public, "POST", "/v1/pm/events/{eventId}/markets/{marketId}/quote", Some(quote), 200, 200),
        row(Write, "POST", "/v1/pm/events/{eventId}/markets/{marketId}/orders", Some(place.clone()), 200, 200),
        row(Read, "GET", "/v1/pm/orders", None, 200, 200),
        row(Read, "GET", "/v1/pm/orders/{orderId}", None, 404, 200),
        row(Write, "POST", "/v1/pm/orders/batch", Some(json!({"orders": [place]})), 200, 200),
        row(Write, "POST", "/v1/pm/orders/batch/amend", Some(amend), 200, 200),
        row(Write, "DELETE", "/v1/pm/orders/{orderId}", None, 404, 200),
        row(Write, "DELETE", "/v1/pm/orders/batch", Some(ids.clone()), 200, 200),
        row(Write, "POST", "/v1/pm/orders/batch/cancel", Some(ids), 200, 200),
        row(Write, "DELETE", "/v1/pm/orders", Some(json!({})), 200, 200),
        row(Write, "POST", "/v1/pm/orders/cancel-all", None, 200, 200),
        row(Write, "POST", "/v1/pm/orders/cancel-after", Some(json!({"seconds": 0})), 200, 200),
        row(Write, "POST", "/v1/pm/markets/{marketId}/mint", Some(sets.clone()), 200, 200),
        row(Write, "POST", "/v1/pm/markets/{marketId}/burn", Some(sets), 200, 200),
        asking(&format!("?outcomeId={}", stage.book.yes), row(Public, "GET", "/v1/pm/books", None, 200, 200)),
        asking("?outcome=YES", row(Public, "GET", "/v1/pm/markets/{marketId}/ticker", None, 200, 200)),
        row(Public, "GET", "/v1/pm/markets/{marketId}/changes", None, 200, 200),
        row(Public, "GET", "/v1/pm/sports/leagues", None, 200, 200),
        row(Public, "GET", "/v1/pm/sports/teams", None, 200, 200),
        row(Public, "GET", "/v1/pm/sports/games", None, 200, 200),
        row(Public, "GET", "/v1/pm/solvency", None, 200, 200),
        row(Read, "GET", "/v1/pm/solvency/me", None, 200, 200),
        row(Read, "GET", "/v1/pm/portfolio", None, 200, 200),
        row(Public, "GET", "/v1/pm/trades", None, 200, 200),
        row(Public, "GET", "/v1/pm/events/{eventId}/price-history", None, 200, 200),
        row(Public, "GET", "/v1/pm/markets/{marketId}/candles", None, 200, 200),
        row(Public, "GET", "/v1/pm/assets/{symbol}/prices", None, 404, 404),
        row(Read, "GET", "/v1/pm/activities", None, 200, 200),
        row(Read, "GET", "/v1/pm/pnl", None, 200, 200),
        row(Read, "GET", "/v1/wallet/assets", None, 200, 200),
        row(Read, "GET", "/v1/pm/account/changes", None, 200, 200),
        row(Session, "POST", "/v1/user/me/api-keys/{keyId}/rotate", None, 404, 200),
        row(Session, "DELETE", "/v1/user/me/api-keys/{keyId}", None, 404, 200),
        row(Session, "POST", "/v1/user/logout", None, 200, 200),
    ]).collect()
}

/// Rewards, statements, notifications and what a person keeps for them.
#[rustfmt::skip]
fn account_rows(stage: &Stage, row: impl Fn(Level, &'static str, &'static str, Option<Value>, u16, u16) -> Row) -> Vec<Row> {
    vec![
        row(Read, "GET", "/v1/pm/liquidity-rewards", None, 200, 200),
        row(Read, "GET", "/v1/pm/liquidity-rewards/active", None, 200, 200),
        row(Read, "GET", "/v1/pm/maker-rebates", None, 200, 200),
        row(Read, "GET", "/v1/pm/maker-rebates/active", None, 200, 200),
        row(Private, "GET", "/v1/pm/statement", None, 200, 200),
        row(Private, "GET", "/v1/pm/account/value", None, 200, 200),
        row(Private, "GET", "/v1/pm/notifications", None, 200, 200),
        row(Write, "POST", "/v1/pm/notifications/read", Some(json!({"sequence": 1})), 200, 200),
        row(Private, "GET", "/v1/pm/price-alerts", None, 200, 200),
        row(Write, "POST", "/v1/pm/price-alerts", Some(json!({"marketId": stage.book.market, "outcome": "YES", "price": 0.6})), 201, 201),
        row(Write, "DELETE", "/v1/pm/price-alerts/{alertId}", None, 404, 404),
        row(Session, "GET", "/v1/pm/push-subscriptions", None, 200, 200),
        row(Session, "POST", "/v1/pm/push-subscriptions", Some(subscription()), 201, 201),
        row(Session, "DELETE", "/v1/pm/push-subscriptions/{subscriptionId}", None, 404, 404),
    ]
}

/// A push subscription with valid keys.
fn subscription() -> Value {
    let point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    json!({"endpoint": "https://push.example/1", "keys": {"p256dh": point, "auth": "BTBZMqHH6r4Tts7J_aSIgg"}})
}

/// A row whose path has a query.
fn asking(query: &str, row: Row) -> Row {
    Row { path: format!("{}{query}", row.path), ..row }
}

/// A route with ids that exist on every stage.
fn path(stage: &Stage, route: &str) -> String {
    route
        .replace("{eventId}", &stage.book.event.to_string())
        .replace("{marketId}", &stage.book.market.to_string())
        .replace("{slug}", &stage.book.slug)
}

impl Row {
    fn bare(&self) -> Draft {
        let bare = draft(self.method, &self.path);
        match &self.body {
            Some(body) => bare.json(body),
            None => bare,
        }
    }

    pub fn is_write(&self) -> bool {
        self.level == Write
    }

    pub fn asked_by(&self, user: &User, now: i64) -> Draft {
        match self.level {
            Public => self.bare(),
            Session => self.bare().in_session(user),
            Read => self.bare().named(&user.key),
            Private | Write => self.bare().signed(&user.key, now),
        }
    }

    /// Credentials that are in order, but of another level.
    fn asked_wrongly(&self, user: &User, now: i64) -> Vec<Draft> {
        match self.level {
            Public => Vec::new(),
            Session => vec![self.bare().signed(&user.key, now)],
            Read => vec![self.bare().in_session(user)],
            Private => vec![self.bare().named(&user.key)],
            Write => vec![self.bare().in_session(user), self.bare().named(&user.key)],
        }
    }
}

#[tokio::test]
async fn every_route_knows_who_may_ask() {
    let stage = Stage::open().await;
    for row in matrix(&stage).await {
        // Refusals charge the address; the clock moves so that no limit applies here.
        stage.clock.advance_seconds(1);
        let now = stage.now_seconds();
        let name = format!("{} {}", row.method, row.route);
        let anonymous = stage.ask(row.bare()).await;
        if row.level == Public {
            assert!(matches!(anonymous.status, 200 | 202 | 401 | 404), "{name}: {}", anonymous.text());
        } else {
            let before = stage.digest();
            anonymous.unauthorized("unauthorized", "header_missing");
            for draft in row.asked_wrongly(&stage.alice, now) {
                stage.ask(draft).await.refused(401, "unauthorized");
            }
            assert_eq!(stage.digest(), before, "{name}");
            let other = stage.ask(row.asked_by(&stage.bob, now)).await;
            assert_eq!(other.status, row.other, "{name} by another: {}", other.text());
            assert!(
                !other.text().contains(&stage.alice.id.to_string()),
                "{name} shows another's: {}",
                other.text()
            );
        }
        let owner = stage.ask(row.asked_by(&stage.alice, now)).await;
        assert_eq!(owner.status, row.owner, "{name} by its owner: {}", owner.text());
    }
    stage.close().await;
}

/// Rows that need a known user. Checking a signature makes no sense without one.
async fn users_rows(stage: &Stage) -> Vec<Row> {
    let mut rows = matrix(stage).await;
    rows.retain(|row| row.level != Public && row.route != "/v1/auth/check");
    rows
}

#[tokio::test]
async fn every_route_of_a_user_takes_the_session_of_a_page_in_place_of_headers() {
    let stage = Stage::open().await;
    for row in users_rows(&stage).await {
        stage.clock.advance_seconds(1);
        let name = format!("{} {}", row.method, row.route);
        let answered = stage.ask(row.bare().on_page(&stage.alice)).await;
        assert_eq!(answered.status, row.owner, "{name}: {}", answered.text());
        assert_eq!(answered.header("cache-control"), Some("private, no-store"), "{name}");
        assert!(answered.headers.get_all("vary").iter().any(|vary| vary == "Cookie"), "{name}");
    }
    stage.close().await;
}

#[tokio::test]
async fn no_route_acts_for_another_user_than_the_page_shows() {
    let stage = Stage::open().await;
    let unnamed = |row: &Row| row.bare().cookie(&stage.alice).on_open_page();
    for row in users_rows(&stage).await {
        stage.clock.advance_seconds(1);
        let (before, name) = (stage.digest(), format!("{} {}", row.method, row.route));
        let mut drafts = vec![
            row.bare().on_page_of(&stage.bob, &stage.alice),
            unnamed(&row).header("x-bellwether-as", "alice"),
            row.bare().on_page(&stage.alice).header("x-bellwether-as", stage.bob.id.to_string()),
        ];
        if row.method == "GET" {
            let early = stage.ask(unnamed(&row)).await;
            assert_eq!(early.status, row.owner, "{name} before the page knows: {}", early.text());
        } else {
            drafts.push(unnamed(&row));
        }
        for draft in drafts {
            let refused = stage.ask(draft).await.refused(409, "conflict");
            assert_eq!(refused["code"], "SESSION_OF_ANOTHER", "{name}: {refused}");
        }
        assert_eq!(stage.digest(), before, "{name}");
    }
    // A program has no page: its credentials say who it is.
    let signed = draft("GET", "/v1/pm/orders").named(&stage.alice.key);
    stage.ask(signed.header("x-bellwether-as", stage.bob.id.to_string())).await.expect(200);
    // The page asks this to learn whom to show, and everybody may ask it.
    let who = stage.ask(draft("GET", "/web/session").on_page_of(&stage.bob, &stage.alice)).await.expect(200);
    assert_eq!(who["user"]["id"], json!(stage.alice.id));
    let out = stage.ask(draft("DELETE", "/web/session").on_page_of(&stage.bob, &stage.alice)).await;
    assert_eq!(out.refused(409, "conflict")["code"], "SESSION_OF_ANOTHER");
    stage.ask(draft("GET", "/web/session").on_page(&stage.alice)).await.expect(200);
    stage.close().await;
}

#[tokio::test]
async fn no_route_accepts_a_cookie_on_a_cross_site_request() {
    let stage = Stage::open().await;
    for row in users_rows(&stage).await {
        stage.clock.advance_seconds(1);
        let before = stage.digest();
        let alone = || row.bare().cookie(&stage.alice);
        let paged = || alone().header("x-bellwether-page", "1");
        stage.ask(alone()).await.unauthorized("unauthorized", "header_missing");
        for (name, value) in [("sec-fetch-site", "same-origin"), ("x-bellwether-page", "true")] {
            stage.ask(alone().header(name, value)).await.unauthorized("unauthorized", "header_missing");
        }
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-fetch-site", "none"),
            ("origin", "https://evil.example"),
            ("origin", "null"),
        ] {
            let draft = paged().header("host", "here:8080").header(name, value);
            stage.ask(draft).await.refused(403, "forbidden");
        }
        if row.method != "GET" {
            stage.ask(paged()).await.refused(403, "forbidden");
            for kind in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]
            {
                let form = row.bare().without("content-type").header("content-type", kind);
                let answered = stage.ask(form.on_page(&stage.alice)).await;
                answered.refused(415, "unsupported_media_type");
            }
        }
        assert_eq!(stage.digest(), before, "{} {}", row.method, row.route);
    }
}

#[tokio::test]
async fn another_user_cannot_touch_an_order_through_a_batch() {
    let stage = Stage::open().await;
    let order = stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let ids = json!({"orderIds": [order["id"]]});
    let cancelled = stage.write(&stage.bob.key, "DELETE", "/v1/pm/orders/batch", &ids).await.expect(200);
    assert_eq!(cancelled["results"][0]["error"]["code"], "ORDER_NOT_FOUND");
    let amend = json!({"items": [{"orderId": order["id"], "newPrice": 0.41}]});
    let amended = stage.write(&stage.bob.key, "POST", "/v1/pm/orders/batch/amend", &amend).await.expect(200);
    assert_eq!(amended["results"][0]["error"]["code"], "ORDER_NOT_FOUND");
    stage.write(&stage.bob.key, "DELETE", "/v1/pm/orders", &json!({})).await.expect(200);
    let path = format!("/v1/pm/orders/{}", text(&order["id"]));
    assert_eq!(stage.read(&stage.alice.key, &path).await.expect(200), order);
}

#[tokio::test]
async fn a_closed_order_of_another_user_looks_like_an_unknown_one() {
    let stage = Stage::open().await;
    let order = stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    let path = format!("/v1/pm/orders/{}", text(&order["id"]));
    let unknown = format!("/v1/pm/orders/{}", uuid::Uuid::now_v7());
    let of = async |method: &str, path: &str| {
        let draft = draft(method, path).signed(&stage.bob.key, stage.now_seconds());
        stage.ask(draft).await.expect(404)
    };
    assert_eq!(of("GET", &path).await, of("GET", &unknown).await);
    assert_eq!(of("DELETE", &path).await, of("DELETE", &unknown).await);
}

#[tokio::test]
async fn the_matrix_has_every_operation() {
    let stage = Stage::open().await;
    let described = OPERATIONS.iter().map(|row| format!("{} {}", row.method.as_str(), row.path));
    let tested: BTreeSet<String> =
        matrix(&stage).await.iter().map(|row| format!("{} {}", row.method, row.route)).collect();
    assert_eq!(described.collect::<BTreeSet<_>>(), tested);
}
