//! Operators and their tokens, the policy, users, credits and debits with their caps.

use serde_json::{Value, json};

use super::{Office, Operator, with_token};
use crate::stage::{draft, has_keys, keys, number, post, text};

#[tokio::test]
async fn a_new_operator_has_a_token_that_works_until_it_is_revoked() {
    let office = Office::open().await;
    let wanted = json!({"name": "nora", "role": "operator"});
    let created = office.send(&office.approver, "POST", "/admin/v1/operators", wanted).await.expect(201);
    assert_eq!(keys(&created), ["message", "name", "operatorId", "role", "token"]);
    let id = text(&created["operatorId"]).parse().expect("an id");
    let nora = Operator { id, name: "nora", token: text(&created["token"]).to_owned() };
    let listed = office.get("/admin/v1/operators").await.expect(200);
    let row = listed["operators"].as_array().expect("rows").iter().find(|row| row["name"] == "nora");
    let row = row.expect("a row");
    assert_eq!(keys(row), ["createdAt", "movedToday", "name", "operatorId", "revoked", "role"]);
    assert_eq!((&row["role"], &row["revoked"]), (&json!("operator"), &json!(false)));
    assert!(!listed.to_string().contains(&nora.token), "a token is shown once");

    office.send(&nora, "PUT", "/admin/v1/cancel-only", json!({"on": true})).await.expect(200);
    let revoked = office
        .send(&office.approver, "POST", "/admin/v1/operators/nora/revoke", Value::Null)
        .await
        .expect(200);
    assert_eq!(revoked["revoked"], true);
    let again = office.send(&nora, "PUT", "/admin/v1/cancel-only", json!({"on": false})).await;
    again.unauthorized("unauthorized", "unknown_operator");
    let names = [
        json!({"name": "", "role": "viewer"}),
        json!({"name": "nora"}),
        json!({"name": "nora", "role": "king"}),
    ];
    for wrong in names {
        office.send(&office.approver, "POST", "/admin/v1/operators", wrong).await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn the_last_approver_stays() {
    let office = Office::open().await;
    let revoke = |name: &str| format!("/admin/v1/operators/{name}/revoke");
    office.send(&office.approver, "POST", &revoke("axel"), Value::Null).await.expect(200);
    office.send(&office.approver, "POST", &revoke("anna"), Value::Null).await.unprocessable("LAST_APPROVER");
}

#[tokio::test]
async fn an_approver_made_where_two_are_required_is_a_proposal_first() {
    let office = Office::open().await;
    office.two_required().await;
    let wanted = json!({"name": "nora", "role": "approver"});
    let proposed = office.send(&office.approver, "POST", "/admin/v1/operators", wanted).await.expect(202);
    assert!(text(&proposed["message"]).contains("Two are required"), "{proposed}");
    let nora = Operator { id: office.viewer.id, name: "nora", token: text(&proposed["token"]).to_owned() };
    let status = || with_token(draft("GET", "/admin/v1/status"), &nora);
    office.ask(status()).await.unauthorized("unauthorized", "unknown_operator");
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.send(&office.approver, "POST", &finalise, Value::Null).await.unprocessable("NEEDS_ANOTHER");
    office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
    assert_eq!(office.ask(status()).await.status, 200);
    // A viewer is no second person for anything.
    let viewer = json!({"name": "vic", "role": "viewer"});
    office.send(&office.approver, "POST", "/admin/v1/operators", viewer).await.expect(201);
}

#[tokio::test]
async fn a_policy_keeps_what_is_left_out_and_needs_two_where_two_are_required() {
    let office = Office::open().await;
    let before = office.get("/admin/v1/policy").await.expect(200);
    assert_eq!(keys(&before), ["dayMax", "entryMax", "resolutionDelaySeconds", "twoRequired"]);
    let change = json!({"resolutionDelaySeconds": 60, "entryMax": {"USD": 500}});
    let set = office.send(&office.approver, "PUT", "/admin/v1/policy", change).await.expect(200);
    assert_eq!(set["resolutionDelaySeconds"], 60);
    assert_eq!(set["entryMax"], json!({"USD": 500, "NGN": before["entryMax"]["NGN"]}));
    assert_eq!((&set["dayMax"], &set["twoRequired"]), (&before["dayMax"], &json!(false)));
    let wrong = json!({"resolutionDelaySeconds": 99_999_999});
    office.send(&office.approver, "PUT", "/admin/v1/policy", wrong).await.refused(400, "bad_request");

    office.two_required().await;
    let change = json!({"twoRequired": false});
    let proposed = office.send(&office.approver, "PUT", "/admin/v1/policy", change).await.expect(202);
    assert_eq!(office.get("/admin/v1/policy").await.expect(200)["twoRequired"], true);
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.send(&office.operator, "POST", &finalise, Value::Null).await.refused(403, "forbidden");
    office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
    assert_eq!(office.get("/admin/v1/policy").await.expect(200)["twoRequired"], false);
    assert_eq!(office.get("/admin/v1/status").await.expect(200)["policy"]["twoRequired"], false);
}

#[tokio::test]
async fn users_are_listed_searched_and_paged() {
    let office = Office::open().await;
    let all = office.get("/admin/v1/users").await.expect(200);
    assert_eq!(all["pagination"]["totalCount"], 2, "the house is no user: {all}");
    has_keys(
        &all["users"][0],
        &["userId", "tag", "email", "suspended", "hasPassword", "openOrders", "createdAt"],
    );
    let tags = |page: &Value| -> Vec<String> {
        page["users"].as_array().expect("rows").iter().map(|user| text(&user["tag"]).to_owned()).collect()
    };
    let one = |path: &'static str| async { office.get(path).await.expect(200) };
    assert_eq!(tags(&one("/admin/v1/users?keyword=ALI").await), ["alice"]);
    assert_eq!(tags(&one("/admin/v1/users?keyword=bob@").await), ["bob"]);
    let by_id = format!("/admin/v1/users?keyword={}", office.stage.bob.id);
    assert_eq!(tags(&office.get(&by_id).await.expect(200)), ["bob"]);
    assert_eq!(tags(&one("/admin/v1/users?size=1&page=2").await), ["bob"]);
    office.post("/admin/v1/users/bob/suspend", Value::Null).await.expect(200);
    assert_eq!(tags(&one("/admin/v1/users?suspended=true").await), ["bob"]);
    office.get("/admin/v1/users?size=0").await.refused(400, "bad_request");
}

#[tokio::test]
async fn one_user_is_shown_with_money_positions_orders_and_keys_but_no_secret() {
    let office = Office::open().await;
    let stage = &office.stage;
    let order = crate::stage::limit(stage.book.yes, "BUY", 40.0, 0.40);
    let order = stage.place(&stage.alice.key, &stage.book, &order).await;
    stage.place(&stage.alice.key, &stage.pool, &crate::stage::market(stage.pool.yes, "BUY", 10.0)).await;
    let answered = office.get(&format!("/admin/v1/users/{}", stage.alice.id)).await;
    let shown = answered.expect(200);
    assert_eq!(keys(&shown), ["keys", "orders", "positions", "sessions", "user", "wallets"]);
    assert_eq!(shown["orders"][0]["orderId"], order["id"]);
    assert_eq!(number(&shown["wallets"][0]["pendingBalance"]), 40.0);
    assert_eq!(shown["positions"][0]["marketId"], json!(stage.pool.market));
    assert_eq!(keys(&shown["keys"][0]), ["createdAt", "keyId", "name"]);
    for secret in [stage.alice.key.secret.expose(), &stage.alice.key.public, "argon2", &stage.alice.token] {
        assert!(!answered.text().contains(secret), "{secret}");
    }
    assert_eq!(office.get("/admin/v1/users/alice").await.expect(200), shown, "by its tag");
    office.get("/admin/v1/users/nobody").await.refused(404, "not_found");
}

#[tokio::test]
async fn a_suspended_user_cannot_trade_until_resumed() {
    let office = Office::open().await;
    let stage = &office.stage;
    let order = crate::stage::limit(stage.book.yes, "BUY", 4.0, 0.40);
    let suspended = office.post("/admin/v1/users/alice/suspend", Value::Null).await.expect(200);
    assert_eq!(suspended["suspended"], true);
    let refused = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &order).await;
    assert!(matches!(refused.status, 401 | 403), "{}", refused.text());
    office.post("/admin/v1/users/alice/resume", Value::Null).await.expect(200);
    stage.place(&stage.alice.key, &stage.book, &order).await;
    office.post("/admin/v1/users/house/suspend", Value::Null).await.refused(403, "forbidden");
}

#[tokio::test]
async fn a_reset_token_sets_a_password_once() {
    let office = Office::open().await;
    let issued = office.post("/admin/v1/users/alice/password-reset", json!({"hours": 2})).await.expect(201);
    assert_eq!(keys(&issued), ["expiresAt", "token", "userId"]);
    let reset = json!({"token": issued["token"], "password": "quite another one"});
    let redeem = || office.stage.ask(post("/v1/user/password-reset").json(&reset));
    redeem().await.expect(200);
    redeem().await.refused(404, "not_found");
    let wrong = json!({"hours": 169});
    office.post("/admin/v1/users/alice/password-reset", wrong).await.refused(400, "bad_request");
}

#[tokio::test]
async fn caps_hold_for_an_entry_and_for_a_day() {
    let office = Office::open().await;
    let caps = json!({"entryMax": {"USD": 100}, "dayMax": {"USD": 150}});
    office.send(&office.approver, "PUT", "/admin/v1/policy", caps).await.expect(200);
    let credit =
        |amount: Value, reference: &str| json!({"currency": "USD", "amount": amount, "reference": reference});
    let path = "/admin/v1/users/alice/credit";
    office.post(path, credit(json!(100.000001), "one")).await.unprocessable("OVER_ENTRY_CAP");
    let wallet = office.post(path, credit(json!(100), "one")).await.expect(200);
    assert_eq!(number(&wallet["availableBalance"]), 1_100.0);
    office.post(path, credit(json!(100), "one")).await.unprocessable("DUPLICATE_REFERENCE");
    let over = office.post("/admin/v1/users/alice/debit", credit(json!(51), "two")).await;
    assert!(text(&over.unprocessable("OVER_DAY_CAP")["message"]).contains("50.00"), "{}", over.text());
    office.post("/admin/v1/users/alice/debit", credit(json!(50), "two")).await.expect(200);
    let operators = office.get("/admin/v1/operators").await.expect(200);
    let otto = operators["operators"].as_array().expect("rows").iter().find(|row| row["name"] == "otto");
    assert_eq!(otto.expect("a row")["movedToday"][0], json!({"currency": "USD", "amount": 150}));
    // Another operator and another day have their own.
    office.send(&office.approver, "POST", path, credit(json!(10), "three")).await.expect(200);
    office.stage.clock.advance_seconds(86_400);
    office.post(path, credit(json!(100), "four")).await.expect(200);
}

#[tokio::test]
async fn money_needs_a_currency_a_positive_amount_and_a_reference() {
    let office = Office::open().await;
    for wrong in [
        json!({"amount": 1, "reference": "x"}),
        json!({"currency": "EUR", "amount": 1, "reference": "x"}),
        json!({"currency": "USD", "amount": 0, "reference": "x"}),
        json!({"currency": "USD", "amount": -1, "reference": "x"}),
        json!({"currency": "USD", "amount": "1", "reference": "x"}),
        json!({"currency": "USD", "amount": 1, "reference": ""}),
    ] {
        office.post("/admin/v1/users/alice/credit", wrong).await.refused(400, "bad_request");
    }
    let house = json!({"currency": "NGN", "amount": 5, "reference": "for the house"});
    office.post("/admin/v1/users/house/credit", house).await.expect(200);
    let too_much = json!({"currency": "USD", "amount": 1_000_000, "reference": "all of it"});
    office.post("/admin/v1/users/bob/debit", too_much).await.unprocessable("INSUFFICIENT_BALANCE");
}
