//! The audit log: every action of an operator with its author and time, found by its subject, and rebuilt from the
//! journal.

use serde_json::{Value, json};
use stage::node::{has_keys, text};

use super::{Office, Operator};

async fn entries(office: &Office, query: &str) -> Vec<Value> {
    let page = office.get(&format!("/admin/v1/audit?{query}")).await.expect(200);
    page["entries"].as_array().expect("rows").clone()
}

fn actions(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| text(&entry["action"])).collect()
}

#[tokio::test]
async fn every_operators_write_is_in_the_log_with_who_and_when() {
    let office = Office::open().await;
    office.draft("logged", "single", &["One"]).await;
    let market = "/admin/v1/markets/logged";
    let league = json!({"leagues": [{"key": "l", "name": "League", "shortName": "L", "sport": "soccer"}]});
    let series = json!({"slug": "s-1d", "displayName": "S", "category": "FINANCE", "interval": "DAILY", "assetSymbol": "S", "engine": "CLOB", "currencies": ["USD"]});
    let (operator, approver) = (&office.operator, &office.approver);
    let money = |reference: &str| json!({"currency": "USD", "amount": 12.5, "reference": reference});
    #[rustfmt::skip]
    let steps: Vec<(&Operator, &str, String, Value, &str)> = vec![
        (operator, "POST", "/admin/v1/users".into(), json!({"email": "log@example.org", "tag": "logged", "password": "a long secret"}), "create_user"),
        (operator, "POST", "/admin/v1/users/logged/credit".into(), money("log 1"), "credit_wallet"),
        (operator, "POST", "/admin/v1/users/logged/debit".into(), money("log 2"), "debit_wallet"),
        (operator, "POST", "/admin/v1/users/logged/suspend".into(), Value::Null, "suspend_user"),
        (operator, "POST", "/admin/v1/users/logged/cancel-orders".into(), Value::Null, "cancel_orders_of"),
        (operator, "POST", "/admin/v1/users/logged/freeze".into(), Value::Null, "freeze_user"),
        (operator, "POST", "/admin/v1/users/logged/release".into(), Value::Null, "freeze_user"),
        (operator, "POST", "/admin/v1/events/logged/edit".into(), json!({"title": "Edited?"}), "edit_event"),
        (operator, "POST", "/admin/v1/events/logged/open".into(), Value::Null, "open_event"),
        (operator, "PUT", format!("{market}/terms"), json!({"feePercentage": 1}), "change_terms"),
        (operator, "POST", format!("{market}/pause"), Value::Null, "pause_trading"),
        (operator, "POST", format!("{market}/resume"), Value::Null, "resume_trading"),
        (operator, "POST", format!("{market}/close"), Value::Null, "close_trading"),
        (operator, "POST", format!("{market}/resolve"), json!({"outcome": "YES"}), "resolve_market"),
        (operator, "POST", "/admin/v1/series".into(), series, "create_series"),
        (operator, "POST", "/admin/v1/series/s-1d/pause".into(), Value::Null, "pause_series"),
        (operator, "POST", "/admin/v1/feeds/S/push".into(), json!({"value": 3.5}), "record_price"),
        (operator, "POST", "/admin/v1/sports/import".into(), league, "import_sports"),
        (operator, "PUT", "/admin/v1/cancel-only".into(), json!({"on": false}), "set_cancel_only"),
        (approver, "PUT", "/admin/v1/policy".into(), json!({"twoRequired": false}), "change_policy"),
        (approver, "POST", "/admin/v1/operators".into(), json!({"name": "nora", "role": "viewer", "tokenHash": "ab".repeat(32)}), "create_operator"),
        (approver, "PUT", "/admin/v1/operators/nora/role".into(), json!({"role": "operator"}), "change_role"),
        (approver, "POST", "/admin/v1/operators/nora/suspend".into(), Value::Null, "suspend_operator"),
        (approver, "POST", "/admin/v1/operators/nora/revoke".into(), Value::Null, "revoke_operator"),
    ];
    for (by, method, path, body, action) in steps {
        let answered = office.send(by, method, &path, body).await;
        assert!(matches!(answered.status, 200 | 201), "{path}: {}", answered.text());
        let now = office.stage.app().now_micros();
        let newest = entries(&office, "size=1").await.remove(0);
        has_keys(&newest, &["sequence", "at", "by", "role", "operatorId", "action", "summary"]);
        assert_eq!((text(&newest["action"]), text(&newest["by"])), (action, by.name), "{newest}");
        assert_eq!(newest["operatorId"], json!(by.id));
        assert_eq!(newest["at"], json!(api::Timestamp::from_micros(now).to_string()));
        assert!(!text(&newest["summary"]).is_empty(), "{newest}");
        assert_eq!(newest.get("refused"), None);
    }
    let all = office.get("/admin/v1/audit?size=100").await;
    for secret in ["a long secret", "argon2", "op_", &office.approver.token] {
        assert!(!all.text().contains(secret), "{secret}");
    }
    assert!(all.text().contains("12.50 USD, reference log 1"), "{}", all.text());
}

#[tokio::test]
async fn a_refused_request_is_in_the_log_with_the_rule() {
    let office = Office::open().await;
    office
        .send(&office.viewer, "POST", "/admin/v1/users/alice/suspend", Value::Null)
        .await
        .refused(403, "forbidden");
    let newest = entries(&office, "operator=vera").await;
    assert_eq!(actions(&newest[..1]), ["suspend_user"]);
    assert_eq!((&newest[0]["refused"], &newest[0]["role"]), (&json!("NOT_ALLOWED"), &json!("viewer")));
    office.draft("refused", "single", &["One"]).await;
    office.post("/admin/v1/events/refused/pause", Value::Null).await.unprocessable("STATUS_NOT_ALLOWED");
    assert_eq!(entries(&office, "event=refused").await[0]["refused"], "STATUS_NOT_ALLOWED");
}

#[tokio::test]
async fn entries_are_found_by_user_event_market_operator_and_time() {
    let office = Office::open().await;
    office.draft("found", "grouped", &["One", "Two"]).await;
    office.post("/admin/v1/events/found/open", Value::Null).await.expect(200);
    office.post("/admin/v1/markets/found:1/close", Value::Null).await.expect(200);
    let before = office.stage.app().now_micros();
    office.post("/admin/v1/markets/found:2/pause", Value::Null).await.expect(200);
    let after = office.stage.app().now_micros();
    let by_event = entries(&office, "event=found").await;
    assert_eq!(actions(&by_event), ["pause_trading", "close_trading", "open_event", "create_event"]);
    let by_market = entries(&office, "market=found:1").await;
    assert_eq!(actions(&by_market), ["close_trading", "create_event"]);
    assert_eq!(by_market[0]["events"], by_event[0]["events"]);
    assert_eq!(
        actions(&entries(&office, "market=found:2&operator=otto").await),
        ["pause_trading", "create_event"]
    );
    assert_eq!(actions(&entries(&office, "market=found:2&operator=anna").await), [""; 0]);
    let money = json!({"currency": "USD", "amount": 1, "reference": "found"});
    office.post("/admin/v1/users/bob/credit", money).await.expect(200);
    assert_eq!(actions(&entries(&office, "user=bob&operator=otto").await), ["credit_wallet"]);
    let by_node = entries(&office, "user=bob").await;
    assert_eq!(
        text(&by_node.last().expect("the first")["by"]),
        "node",
        "users of the stage were made by the node"
    );

    let time = |micros: i64| api::Timestamp::from_micros(micros).to_string();
    let span = format!("event=found&from={}&to={}", time(before + 1), time(after));
    assert_eq!(actions(&entries(&office, &span).await), ["pause_trading"]);
    let until = format!("event=found&to={}", time(before));
    assert_eq!(actions(&entries(&office, &until).await)[0], "close_trading");
    assert_eq!(entries(&office, "from=2040-01-01T00:00:00Z").await, [Value::Null; 0]);
    let gone = entries(&office, "operator=gone").await;
    assert_eq!(
        actions(&gone),
        ["revoke_operator", "create_operator"],
        "a revoked operator is still found by name"
    );
    office.get("/admin/v1/audit?user=nobody").await.refused(404, "not_found");
    office.get("/admin/v1/audit?after=x").await.refused(400, "bad_request");
}

#[tokio::test]
async fn a_cursor_leads_through_the_whole_log() {
    let office = Office::open().await;
    for number in 0..7 {
        office.draft(&format!("page-{number}"), "single", &["One"]).await;
    }
    let whole = entries(&office, "size=100").await;
    assert!(whole.len() > 12, "the node's own are there: {}", whole.len());
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = office.get(&format!("/admin/v1/audit?size=5{cursor}")).await.expect(200);
        found.extend(page["entries"].as_array().expect("rows").clone());
        match page.get("nextCursor") {
            Some(next) => cursor = format!("&after={next}"),
            None => break,
        }
    }
    assert_eq!(found, whole);
}

#[tokio::test]
async fn the_end_of_a_proposal_is_about_what_was_proposed() {
    let office = Office::open().await;
    office.draft("ends", "single", &["One"]).await;
    let propose = json!({"yesPrice": 0.5, "evidence": {"text": "Nobody knows"}});
    let proposed = office.post("/admin/v1/events/ends/propose", propose).await.expect(201);
    let withdraw = format!("/admin/v1/proposals/{}/withdraw", text(&proposed["proposalId"]));
    office.post(&withdraw, json!({"reason": "too early"})).await.expect(200);
    let long = json!({"yesPrice": 0.5, "evidence": {"text": "é".repeat(1_000)}});
    let proposed = office.post("/admin/v1/events/ends/propose", long).await.expect(201);
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
    let log = entries(&office, "event=ends").await;
    assert_eq!(actions(&log), ["finalise", "propose", "withdraw", "propose", "create_event"]);
    assert!(text(&log[2]["summary"]).ends_with("too early"), "{}", log[2]);
    assert!(text(&log[1]["summary"]).ends_with("é…"), "a line stays a line: {}", log[1]);
    assert_eq!((&log[0]["by"], &log[0]["proposals"]), (&json!("axel"), &json!([proposed["proposalId"]])));
}

#[tokio::test]
async fn the_log_is_the_same_after_a_restart_and_after_history_was_made_again() {
    let mut office = Office::open().await;
    office.draft("kept", "single", &["One"]).await;
    let propose = json!({"yesPrice": 0.5, "evidence": {"text": "Nobody knows"}});
    let proposed = office.post("/admin/v1/events/kept/propose", propose).await.expect(201);
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.post(&finalise, Value::Null).await.expect(200);
    let before = entries(&office, "size=100").await;
    office.stage.restart().await;
    assert_eq!(entries(&office, "size=100").await, before);
    office.stage.restart_without_history().await;
    assert_eq!(entries(&office, "size=100").await, before);
}
