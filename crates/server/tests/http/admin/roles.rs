//! The role matrix: every route with no token, a revoked one, and one of each role; and none of it on the public listener.

use std::collections::BTreeSet;

use exchange::catalogue::{Interval, SeriesCategory};
use exchange::command::{Command, SuspendOperator};
use exchange::id::OperatorId;
use exchange::identity::Role;
use serde_json::{Value, json};
use server::openapi::{ADMIN_OPERATIONS, Access};
use stage::node::draft;
use stage::node::links::DERBY;

use super::{Office, appoint, with_token};

pub(super) struct Row {
    pub(super) method: &'static str,
    pub(super) route: &'static str,
    /// With existing ids filled in.
    pub(super) path: String,
    pub(super) body: Value,
    /// The status for the lowest role that may send it.
    pub(super) status: u16,
}

fn row(method: &'static str, route: &'static str, path: &str, body: Value, status: u16) -> Row {
    let path = if path.is_empty() { route } else { path };
    Row { method, route, path: path.to_owned(), body, status }
}

/// In an order in which each can succeed once.
pub(super) async fn matrix(office: &Office) -> Vec<Row> {
    let stage = &office.stage;
    office.draft("role-draft", "single", &["One"]).await;
    office.draft("role-open", "grouped", &["One", "Two"]).await;
    stage.create_series("role-series", SeriesCategory::Crypto, Interval::Daily, "BTC").await;
    stage.import_sports().await;
    let mut proposals = Vec::new();
    for slug in ["role-proposed", "role-taken-back"] {
        office.draft(slug, "single", &["One"]).await;
        let propose = json!({"yesPrice": 0.5, "evidence": {"text": "so it is"}});
        let proposed = office.post(&format!("/admin/v1/events/{slug}/propose"), propose).await.expect(201);
        proposals.push(proposed["proposalId"].as_str().expect("an id").to_owned());
    }
    let mut rows = venue_rows();
    rows.extend(event_rows(office));
    rows.extend(other_rows(&proposals));
    rows
}

#[rustfmt::skip]
fn venue_rows() -> Vec<Row> {
    let transfer = |reference: &str| json!({"currency": "USD", "amount": 1, "reference": reference});
    vec![
        row("GET", "/admin/v1/status", "", Value::Null, 200),
        row("GET", "/admin/v1/signals", "", Value::Null, 200),
        row("GET", "/admin/v1/audit", "", Value::Null, 200),
        row("GET", "/admin/v1/statistics", "", Value::Null, 200),
        row("GET", "/admin/v1/solvency", "", Value::Null, 200),
        row("PUT", "/admin/v1/cancel-only", "", json!({"on": false}), 200),
        row("GET", "/admin/v1/rules", "", Value::Null, 200),
        row("PUT", "/admin/v1/rules", "", json!({"version": 1}), 422),
        row("GET", "/admin/v1/operators", "", Value::Null, 200),
        row("POST", "/admin/v1/operators", "", json!({"name": "new", "role": "viewer", "tokenHash": "ab".repeat(32)}), 201),
        row("PUT", "/admin/v1/operators/{operator}/role", "/admin/v1/operators/new/role", json!({"role": "operator"}), 200),
        row("POST", "/admin/v1/operators/{operator}/suspend", "/admin/v1/operators/new/suspend", Value::Null, 200),
        row("POST", "/admin/v1/operators/{operator}/reinstate", "/admin/v1/operators/new/reinstate", Value::Null, 200),
        row("POST", "/admin/v1/operators/{operator}/confirm", "/admin/v1/operators/new/confirm", Value::Null, 202),
        row("POST", "/admin/v1/operators/{operator}/revoke", "/admin/v1/operators/gone-too/revoke", Value::Null, 404),
        row("GET", "/admin/v1/policy", "", Value::Null, 200),
        row("PUT", "/admin/v1/policy", "", json!({"resolutionDelaySeconds": 0}), 200),
        row("GET", "/admin/v1/users", "", Value::Null, 200),
        row("POST", "/admin/v1/users", "", json!({"email": "role@example.org", "tag": "role_user"}), 201),
        row("GET", "/admin/v1/users/{user}", "/admin/v1/users/alice", Value::Null, 200),
        row("POST", "/admin/v1/users/{user}/suspend", "/admin/v1/users/alice/suspend", Value::Null, 200),
        row("POST", "/admin/v1/users/{user}/resume", "/admin/v1/users/alice/resume", Value::Null, 200),
        row("POST", "/admin/v1/users/{user}/freeze", "/admin/v1/users/alice/freeze", Value::Null, 200),
        row("POST", "/admin/v1/users/{user}/release", "/admin/v1/users/alice/release", Value::Null, 200),
        row("POST", "/admin/v1/users/{user}/erase", "/admin/v1/users/role_user/erase", Value::Null, 200),
        row("POST", "/admin/v1/users/{user}/cancel-orders", "/admin/v1/users/alice/cancel-orders", Value::Null, 200),
        row("POST", "/admin/v1/users/{user}/password-reset", "/admin/v1/users/alice/password-reset", json!({"code": "AB12CD"}), 404),
        row("GET", "/admin/v1/password-resets", "", Value::Null, 200),
        row("POST", "/admin/v1/fees/move", "", json!({"currency": "USD", "amount": 1_000_000, "to": "house", "reference": "fees"}), 422),
        row("POST", "/admin/v1/users/{user}/credit", "/admin/v1/users/alice/credit", transfer("role in"), 200),
        row("POST", "/admin/v1/users/{user}/debit", "/admin/v1/users/alice/debit", transfer("role out"), 200),
    ]
}

#[rustfmt::skip]
fn event_rows(office: &Office) -> Vec<Row> {
    let (book, pool) = (&office.stage.book.slug, &office.stage.pool.slug);
    let market = office.stage.pool.market;
    let event = json!({"slug": "role-new", "title": "New?", "type": "single", "engine": "CLOB", "currencies": ["USD"], "category": "tests", "markets": [{"title": "New"}]});
    let verdict = json!({"yesPrice": 0.5});
    vec![
        row("GET", "/admin/v1/events", "", Value::Null, 200),
        row("POST", "/admin/v1/events", "", event, 201),
        row("GET", "/admin/v1/events/{event}", &format!("/admin/v1/events/{book}"), Value::Null, 200),
        row("POST", "/admin/v1/events/{event}/edit", "/admin/v1/events/role-draft/edit", json!({"title": "Edited?"}), 200),
        row("POST", "/admin/v1/events/{event}/open", "/admin/v1/events/role-open/open", Value::Null, 200),
        row("GET", "/admin/v1/events/{event}/news", &format!("/admin/v1/events/{book}/news"), Value::Null, 200),
        row("POST", "/admin/v1/events/{event}/news", &format!("/admin/v1/events/{book}/news"), json!({"title": "News", "link": "https://example.org"}), 201),
        row("DELETE", "/admin/v1/events/{event}/news/{newsId}", &format!("/admin/v1/events/{book}/news/nothing"), Value::Null, 404),
        // An empty body is no picture.
        row("POST", "/admin/v1/pictures", "", Value::Null, 400),
        row("POST", "/admin/v1/markets/{market}/pause", "/admin/v1/markets/role-open:2/pause", Value::Null, 200),
        row("POST", "/admin/v1/markets/{market}/resume", "/admin/v1/markets/role-open:2/resume", Value::Null, 200),
        row("POST", "/admin/v1/markets/{market}/close", "/admin/v1/markets/role-open:2/close", Value::Null, 200),
        row("POST", "/admin/v1/markets/{market}/resolve", "/admin/v1/markets/role-open:2/resolve", json!({"outcome": "NO"}), 200),
        row("POST", "/admin/v1/markets/{market}/preview", "/admin/v1/markets/role-open:1/preview", Value::Null, 200),
        row("POST", "/admin/v1/markets/{market}/cancel", "/admin/v1/markets/role-open:1/cancel", Value::Null, 200),
        row("POST", "/admin/v1/events/{event}/pause", &format!("/admin/v1/events/{book}/pause"), Value::Null, 200),
        row("POST", "/admin/v1/events/{event}/resume", &format!("/admin/v1/events/{book}/resume"), Value::Null, 200),
        row("POST", "/admin/v1/events/{event}/close", &format!("/admin/v1/events/{book}/close"), Value::Null, 200),
        row("POST", "/admin/v1/events/{event}/preview", &format!("/admin/v1/events/{book}/preview"), verdict.clone(), 200),
        row("POST", "/admin/v1/events/{event}/propose", "/admin/v1/events/role-draft/propose", json!({"yesPrice": 0.5, "evidence": {"link": "https://example.org"}}), 201),
        row("POST", "/admin/v1/events/{event}/cancel", &format!("/admin/v1/events/{book}/cancel"), verdict, 200),
        row("POST", "/admin/v1/markets/{market}/seed", &format!("/admin/v1/markets/{market}/seed"), json!({"currency": "USD", "amount": 10, "price": 0.5}), 422),
        row("POST", "/admin/v1/markets/{market}/grow", &format!("/admin/v1/markets/{pool}/grow"), json!({"currency": "USD", "amount": 10}), 200),
        row("PUT", "/admin/v1/markets/{market}/terms", &format!("/admin/v1/markets/{market}/terms"), json!({"feePercentage": 1}), 200),
    ]
}

#[rustfmt::skip]
fn other_rows(proposals: &[String]) -> Vec<Row> {
    let soccer = json!({"engine": "CLOB", "currencies": ["USD"], "spreads": [1.5], "totals": [1.5, 2.5]});
    let series = json!({"slug": "role-new-series", "displayName": "ETH", "category": "CRYPTO", "interval": "DAILY", "assetSymbol": "ETH", "engine": "CLOB", "currencies": ["USD"]});
    let league = json!({"leagues": [{"key": "role-league", "name": "League", "shortName": "L", "sport": "soccer"}]});
    let score = json!({"home": 2, "away": 1});
    vec![
        row("GET", "/admin/v1/proposals", "", Value::Null, 200),
        row("GET", "/admin/v1/proposals/{proposalId}/preview", &format!("/admin/v1/proposals/{}/preview", proposals[0]), Value::Null, 200),
        row("POST", "/admin/v1/proposals/{proposalId}/finalise", &format!("/admin/v1/proposals/{}/finalise", proposals[0]), Value::Null, 200),
        row("POST", "/admin/v1/proposals/{proposalId}/withdraw", &format!("/admin/v1/proposals/{}/withdraw", proposals[1]), json!({"reason": "no"}), 200),
        row("GET", "/admin/v1/series", "", Value::Null, 200),
        row("POST", "/admin/v1/series", "", series, 201),
        row("POST", "/admin/v1/series/{series}/pause", "/admin/v1/series/role-series/pause", Value::Null, 200),
        row("POST", "/admin/v1/series/{series}/finalise", "/admin/v1/series/no-series/finalise", Value::Null, 404),
        row("POST", "/admin/v1/series/{series}/resume", "/admin/v1/series/role-series/resume", Value::Null, 200),
        row("GET", "/admin/v1/feeds", "", Value::Null, 200),
        row("POST", "/admin/v1/feeds/{symbol}/push", "/admin/v1/feeds/BTC/push", json!({"value": 96250.5}), 200),
        row("GET", "/admin/v1/sports", "", Value::Null, 200),
        row("POST", "/admin/v1/sports/import", "", league, 200),
        row("POST", "/admin/v1/sports/games/{game}/events", "/admin/v1/sports/games/derby/events", soccer, 201),
        row("POST", "/admin/v1/sports/games/{game}/preview", "/admin/v1/sports/games/derby/preview", score.clone(), 200),
        row("POST", "/admin/v1/sports/games/{game}/propose", "/admin/v1/sports/games/derby/propose", json!({"score": score, "evidence": {"text": "seen"}}), 201),
        row("POST", "/admin/v1/sports/games/{game}/result", &format!("/admin/v1/sports/games/{}/result", uuid::Uuid::from_u128(DERBY)), score, 200),
    ]
}

/// The least role, as the document has it.
pub(super) fn least(row: &Row) -> Access {
    let is_it = |operation: &&server::openapi::Operation| {
        operation.method.as_str() == row.method && operation.path == row.route
    };
    ADMIN_OPERATIONS.iter().find(is_it).unwrap_or_else(|| panic!("{} {}", row.method, row.route)).access
}

#[tokio::test]
async fn every_operators_route_knows_which_role_may_ask() {
    let office = Office::open().await;
    let suspended = appoint(&office.stage, "sue", Role::Approver).await;
    let suspend =
        SuspendOperator { operator: OperatorId::new(suspended.id.as_u128()), suspended: true, until: None };
    office.stage.operate(Command::SuspendOperator(suspend)).await;
    let ranked = [
        (&office.viewer, Access::Viewer),
        (&office.operator, Access::Operator),
        (&office.approver, Access::Approver),
    ];
    for row in matrix(&office).await {
        let name = format!("{} {}", row.method, row.route);
        let bare = || {
            let bare = draft(row.method, &row.path);
            if row.body.is_null() { bare } else { bare.json(&row.body) }
        };
        let before = office.stage.seq();
        office.ask(bare()).await.unauthorized("unauthorized", "unknown_operator");
        office
            .ask(with_token(bare(), &office.revoked))
            .await
            .unauthorized("unauthorized", "unknown_operator");
        office.ask(with_token(bare(), &suspended)).await.refused(403, "forbidden");
        assert_eq!(office.stage.seq(), before, "{name}: a stranger reaches the journal");
        let least = least(&row);
        let first = ranked.iter().position(|(_, role)| *role == least).expect("a role");
        for (place, (operator, _)) in ranked.iter().enumerate() {
            let answered = office.ask(with_token(bare(), operator)).await;
            match place.cmp(&first) {
                std::cmp::Ordering::Less => {
                    // A missing thing is a 404 for every role.
                    let wanted = if row.status == 404 { (404, "not_found") } else { (403, "forbidden") };
                    answered.refused(wanted.0, wanted.1);
                }
                std::cmp::Ordering::Equal => {
                    assert_eq!(
                        answered.status,
                        row.status,
                        "{name} by {}: {}",
                        operator.name,
                        answered.text()
                    );
                }
                // The request may already have taken effect, but it is not refused for the role.
                std::cmp::Ordering::Greater => {
                    assert!(
                        !matches!(answered.status, 401 | 403 | 500..),
                        "{name} by {}: {}",
                        operator.name,
                        answered.text()
                    );
                }
            }
        }
    }
    office.stage.close().await;
}

#[tokio::test]
async fn the_matrix_has_every_operators_route_and_none_is_on_the_public_listener() {
    let office = Office::open().await;
    let rows = matrix(&office).await;
    let tested: BTreeSet<String> = rows.iter().map(|row| format!("{} {}", row.method, row.route)).collect();
    let guarded = ADMIN_OPERATIONS.iter().filter(|operation| operation.access.is_operators());
    let described: BTreeSet<String> =
        guarded.map(|operation| format!("{} {}", operation.method.as_str(), operation.path)).collect();
    assert_eq!(tested, described);
    for row in &rows {
        office.stage.clock.advance_seconds(1);
        for bare in [draft(row.method, &row.path), with_token(draft(row.method, &row.path), &office.approver)]
        {
            office.stage.ask(bare).await.refused(404, "not_found");
        }
    }
    for path in ["/admin/openapi.json", "/admin/docs"] {
        office.stage.ask(draft("GET", path)).await.refused(404, "not_found");
        assert_eq!(office.ask(draft("GET", path)).await.status, 200);
    }
}

#[tokio::test]
async fn an_unknown_route_is_a_404_for_operators_only() {
    let office = Office::open().await;
    office.ask(draft("GET", "/admin/v1/nothing")).await.unauthorized("unauthorized", "unknown_operator");
    office.get("/admin/v1/nothing").await.refused(404, "not_found");
    office
        .send(&office.viewer, "DELETE", "/admin/v1/status", Value::Null)
        .await
        .refused(405, "method_not_allowed");
    for header in ["Basic dmVyYQ==", "Bearer", "Bearer "] {
        let draft = draft("GET", "/admin/v1/status").header("authorization", header);
        office.ask(draft).await.unauthorized("unauthorized", "unknown_operator");
    }
    let twice = with_token(with_token(draft("GET", "/admin/v1/status"), &office.viewer), &office.viewer);
    office.ask(twice).await.unauthorized("unauthorized", "unknown_operator");
}
