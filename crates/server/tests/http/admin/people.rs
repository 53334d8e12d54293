//! Operators and their tokens, the policy, users, credits and debits with their caps.

use api::Timestamp;
use serde_json::{Value, json};
use server::people::{Rows, SqliteRows};
use stage::node::{draft, has_keys, keys, number, post, text};

use super::{Office, Operator, with_token};

/// A token that only its owner has, and its hash for an approver.
fn own_token() -> (String, String) {
    let token = format!("op_{}", uuid::Uuid::new_v4());
    let hash = server::secrets::token_hash(token.as_bytes());
    (token, data_encoding::HEXLOWER.encode(hash.as_bytes()))
}

fn new_operator(name: &str, role: &str, hash: &str) -> Value {
    json!({"name": name, "role": role, "tokenHash": hash})
}

#[tokio::test]
async fn a_new_operator_brings_a_token_that_works_until_it_is_revoked() {
    let office = Office::open().await;
    let (token, hash) = own_token();
    let wanted = new_operator("nora", "operator", &hash);
    let created = office.send(&office.approver, "POST", "/admin/v1/operators", wanted).await.expect(201);
    assert_eq!(keys(&created), ["message", "name", "operatorId", "role"]);
    let id = text(&created["operatorId"]).parse().expect("an id");
    let nora = Operator { id, name: "nora", token };
    let listed = office.get("/admin/v1/operators").await.expect(200);
    let row = listed["operators"].as_array().expect("rows").iter().find(|row| row["name"] == "nora");
    let row = row.expect("a row");
    let expected =
        ["createdAt", "movedToday", "name", "onePersonWith", "operatorId", "revoked", "role", "suspended"];
    assert_eq!(keys(row), expected);
    assert_eq!((&row["role"], &row["revoked"]), (&json!("operator"), &json!(false)));
    assert_eq!(row["onePersonWith"], json!(["anna"]), "anna made it alone");
    assert!(!listed.to_string().contains(&hash), "not even the hash is shown");

    office.send(&nora, "PUT", "/admin/v1/cancel-only", json!({"on": true})).await.expect(200);
    let act = |action: &str| format!("/admin/v1/operators/nora/{action}");
    office.send(&office.second, "POST", &act("suspend"), Value::Null).await.expect(200);
    let stopped = office.send(&nora, "PUT", "/admin/v1/cancel-only", json!({"on": false})).await;
    stopped.refused(403, "forbidden");
    office.send(&office.approver, "POST", &act("reinstate"), Value::Null).await.expect(200);
    let role = json!({"role": "approver"});
    let changed = office.send(&office.approver, "PUT", &act("role"), role).await.expect(200);
    assert_eq!(changed["role"], "approver");
    let revoked = office.send(&office.approver, "POST", &act("revoke"), Value::Null).await.expect(200);
    assert_eq!(revoked["revoked"], true);
    let again = office.send(&nora, "PUT", "/admin/v1/cancel-only", json!({"on": false})).await;
    again.unauthorized("unauthorized", "unknown_operator");
    let wrong = [
        new_operator("", "viewer", &hash),
        new_operator("nora", "king", &hash),
        new_operator("nora", "viewer", "op_a_token_by_mistake"),
        json!({"name": "nora", "role": "viewer"}),
    ];
    for wrong in wrong {
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
async fn an_operator_of_any_role_made_where_two_are_required_is_a_proposal_first() {
    let office = Office::open().await;
    office.two_required().await;
    for role in ["viewer", "operator", "approver"] {
        let (token, hash) = own_token();
        let wanted = new_operator(role, role, &hash);
        let proposed = office.send(&office.approver, "POST", "/admin/v1/operators", wanted).await.expect(202);
        let made = Operator { id: office.viewer.id, name: "made", token };
        let status = || with_token(draft("GET", "/admin/v1/status"), &made);
        office.ask(status()).await.unauthorized("unauthorized", "unknown_operator");
        let listed = office.get("/admin/v1/proposals").await.expect(200);
        let row = &listed["proposals"][0];
        let about = (text(&row["type"]), text(&row["action"]), text(&row["about"]));
        assert_eq!(about, ("command", "create_operator", &*format!("{role} as {role}")), "{row}");
        let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
        office.send(&office.approver, "POST", &finalise, Value::Null).await.unprocessable("NEEDS_ANOTHER");
        office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
        assert_eq!(office.ask(status()).await.status, 200);
    }
    let operators = office.get("/admin/v1/operators").await.expect(200);
    let made = operators["operators"].as_array().expect("rows").iter().find(|row| row["name"] == "approver");
    assert_eq!(made.expect("a row")["onePersonWith"], json!([]), "a proposal makes a person");
}

/// Regression: an approver made an operator alone, proposed with its token and finalised with her own.
#[tokio::test]
async fn one_person_with_two_tokens_cannot_finalise_a_payout() {
    let office = Office::open().await;
    let (token, hash) = own_token();
    let wanted = new_operator("second me", "operator", &hash);
    office.send(&office.approver, "POST", "/admin/v1/operators", wanted).await.expect(201);
    let second_me = Operator { id: office.viewer.id, name: "second me", token };
    office.two_required().await;
    office.draft("paid", "single", &["One"]).await;
    office.post("/admin/v1/events/paid/open", Value::Null).await.expect(200);
    office.post("/admin/v1/events/paid/close", Value::Null).await.expect(200);
    let event = office.get("/admin/v1/events/paid").await.expect(200);
    let market = event["markets"][0]["marketId"].clone();
    let verdict =
        json!({"outcomes": [{"marketId": market, "outcome": "YES"}], "evidence": {"text": "I say so"}});
    let proposed =
        office.send(&second_me, "POST", "/admin/v1/events/paid/propose", verdict).await.expect(201);
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.send(&office.approver, "POST", &finalise, Value::Null).await.unprocessable("NEEDS_ANOTHER");
    office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
}

#[tokio::test]
async fn a_lone_approver_cannot_require_two() {
    let office = Office::open().await;
    office.send(&office.approver, "POST", "/admin/v1/operators/axel/suspend", Value::Null).await.expect(200);
    let two = json!({"twoRequired": true});
    office.send(&office.approver, "PUT", "/admin/v1/policy", two).await.unprocessable("TOO_FEW_APPROVERS");
}

#[tokio::test]
async fn a_policy_keeps_what_is_left_out_and_needs_two_where_two_are_required() {
    let office = Office::open().await;
    let before = office.get("/admin/v1/policy").await.expect(200);
    let fields = ["dayMax", "entryMax", "resolutionDelaySeconds", "retireAfterSeconds", "twoRequired"];
    assert_eq!(keys(&before), fields);
    assert_eq!(before["retireAfterSeconds"], 48 * 3_600);
    let change = json!({"resolutionDelaySeconds": 60, "entryMax": {"USD": 500}});
    let set = office.send(&office.approver, "PUT", "/admin/v1/policy", change).await.expect(200);
    assert_eq!(set["resolutionDelaySeconds"], 60);
    assert_eq!(set["entryMax"], json!({"USD": 500, "NGN": before["entryMax"]["NGN"]}));
    assert_eq!((&set["dayMax"], &set["twoRequired"]), (&before["dayMax"], &json!(false)));
    assert_eq!(set["retireAfterSeconds"], before["retireAfterSeconds"]);
    let change = json!({"retireAfterSeconds": 3_600});
    let set = office.send(&office.approver, "PUT", "/admin/v1/policy", change).await.expect(200);
    assert_eq!((&set["retireAfterSeconds"], &set["resolutionDelaySeconds"]), (&json!(3_600), &json!(60)));
    for wrong in [json!({"resolutionDelaySeconds": 99_999_999}), json!({"retireAfterSeconds": 59})] {
        office.send(&office.approver, "PUT", "/admin/v1/policy", wrong).await.refused(400, "bad_request");
    }

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
        &["userId", "tag", "email", "suspended", "erased", "hasPassword", "openOrders", "createdAt"],
    );
    let tags = |page: &Value| -> Vec<String> {
        page["users"].as_array().expect("rows").iter().map(|user| text(&user["tag"]).to_owned()).collect()
    };
    let one = |path: &'static str| async { office.get(path).await.expect(200) };
    assert_eq!(tags(&one("/admin/v1/users?keyword=ALI").await), ["alice"]);
    assert_eq!(all["users"][0]["email"], "alice@example.org");
    assert_eq!(tags(&one("/admin/v1/users?keyword=Bob@Example.org").await), ["bob"], "a whole address");
    assert!(tags(&one("/admin/v1/users?keyword=bob@").await).is_empty(), "addresses are sealed");
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
    let order = stage::node::limit(stage.book.yes, "BUY", 40.0, 0.40);
    let order = stage.place(&stage.alice.key, &stage.book, &order).await;
    stage.place(&stage.alice.key, &stage.pool, &stage::node::market(stage.pool.yes, "BUY", 10.0)).await;
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
    let order = stage::node::limit(stage.book.yes, "BUY", 4.0, 0.40);
    let suspended = office.post("/admin/v1/users/alice/suspend", Value::Null).await.expect(200);
    assert_eq!(suspended["suspended"], true);
    let refused = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &order).await;
    assert!(matches!(refused.status, 401 | 403), "{}", refused.text());
    office.post("/admin/v1/users/alice/resume", Value::Null).await.expect(200);
    stage.place(&stage.alice.key, &stage.book, &order).await;
    office.post("/admin/v1/users/house/suspend", Value::Null).await.refused(403, "forbidden");
}

#[tokio::test]
async fn suspending_cancels_open_orders_unless_they_are_kept_and_an_operator_cancels_the_rest() {
    let office = Office::open().await;
    let stage = &office.stage;
    let order = stage::node::limit(stage.book.yes, "BUY", 4.0, 0.40);
    let open =
        || async { office.get("/admin/v1/users/alice").await.expect(200)["user"]["openOrders"].clone() };
    stage.place(&stage.alice.key, &stage.book, &order).await;
    office.post("/admin/v1/users/alice/suspend", json!({"keepOrders": true})).await.expect(200);
    assert_eq!(open().await, 1);
    let elsewhere = json!({"currency": "NGN"});
    let none = office.post("/admin/v1/users/alice/cancel-orders", elsewhere).await.expect(200);
    assert_eq!(none, json!({"cancelled": 0}));
    let all = office.post("/admin/v1/users/alice/cancel-orders", Value::Null).await.expect(200);
    assert_eq!((all, open().await), (json!({"cancelled": 1}), json!(0)));
    office.post("/admin/v1/users/alice/resume", Value::Null).await.expect(200);
    stage.place(&stage.alice.key, &stage.book, &order).await;
    office.post("/admin/v1/users/alice/suspend", Value::Null).await.expect(200);
    assert_eq!(open().await, 0);
}

#[tokio::test]
async fn a_frozen_user_does_nothing_and_gets_nothing_until_two_persons_release_it() {
    let office = Office::open().await;
    let stage = &office.stage;
    office.two_required().await;
    let frozen = office.post("/admin/v1/users/alice/freeze", Value::Null).await.expect(200);
    assert_eq!(frozen["frozen"], true);
    let order = stage::node::limit(stage.book.yes, "BUY", 4.0, 0.40);
    let refused = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &order).await;
    assert!(matches!(refused.status, 401 | 403), "{}", refused.text());
    let credit = json!({"currency": "USD", "amount": 1, "reference": "a gift"});
    office.post("/admin/v1/users/alice/credit", credit).await.refused(403, "forbidden");
    let proposed = office.post("/admin/v1/users/alice/release", Value::Null).await.expect(202);
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
    stage.place(&stage.alice.key, &stage.book, &order).await;
}

#[tokio::test]
async fn a_person_sets_a_new_password_with_their_own_token_once_an_operator_approved_its_code() {
    let office = Office::open().await;
    let (token, hash) = own_token();
    let ask = |email: &str| {
        let body = json!({"email": email, "tokenHash": hash});
        office.stage.ask(post("/v1/user/password-reset/request").json(&body))
    };
    let stranger = ask("nobody@example.org").await.expect(202);
    let requested = ask("alice@example.org").await.expect(202);
    assert_eq!(
        keys(&requested),
        keys(&stranger),
        "the answer does not reveal whether the email has an account"
    );
    let code = text(&requested["code"]);
    assert_eq!(code.len(), 6);
    let reset = json!({"token": token, "password": "quite another one"});
    let redeem = || office.stage.ask(post("/v1/user/password-reset").json(&reset));
    redeem().await.refused(404, "not_found");
    let listed = office.get("/admin/v1/password-resets").await.expect(200);
    assert_eq!(listed["resets"].as_array().map(Vec::len), Some(1));
    assert_eq!((&listed["resets"][0]["tag"], &listed["resets"][0]["code"]), (&json!("alice"), &json!(code)));
    assert!(!listed.to_string().contains(&hash));
    let approve = |code: &str| {
        office.send(&office.operator, "POST", "/admin/v1/users/alice/password-reset", json!({"code": code}))
    };
    approve("WRONG2").await.refused(404, "not_found");
    approve(&code.to_lowercase()).await.expect(200);
    redeem().await.expect(200);
    redeem().await.refused(404, "not_found");
}

#[tokio::test]
async fn a_request_for_a_new_password_is_the_same_for_every_email() {
    let office = Office::open().await;
    let hash = own_token().1;
    let ask = async |email: &str| {
        let before = office.stage.seq();
        let body = json!({"email": email, "tokenHash": hash});
        let asked = office.stage.ask(post("/v1/user/password-reset/request").json(&body)).await;
        let headers: Vec<bool> =
            ["x-sequence", "ratelimit", "ratelimit-policy"].map(|name| asked.header(name).is_some()).into();
        (keys(&asked.expect(202)).join(","), headers, office.stage.seq() - before)
    };
    let known = ask("alice@example.org").await;
    assert_eq!(known, ask("nobody@example.org").await);
    assert_eq!(known, ask("alice@example.org").await, "a token hash that is there already");
    assert_eq!(known, ask("nobody@example.org").await);
    let listed = office.get("/admin/v1/password-resets").await.expect(200);
    assert_eq!(listed["resets"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn what_strangers_write_into_the_journal_is_bounded_for_each_site() {
    let stage = stage::node::Stage::open().await;
    let ask = |number: u32| {
        let body = json!({"email": format!("nobody-{number}@example.org"), "tokenHash": own_token().1});
        stage.ask(post("/v1/user/password-reset/request").json(&body))
    };
    // Slowly enough for the limit of password work. Three more come due meanwhile.
    for number in 0..203 {
        stage.clock.advance_seconds(i64::from(number % 2));
        ask(number).await.expect(202);
    }
    let before = stage.seq();
    stage.clock.advance_seconds(1);
    ask(203).await.refused(429, "rate_limit");
    let login = json!({"email": "nobody@example.org", "password": "a wrong one"});
    stage.ask(post("/v1/user/login").json(&login)).await.refused(401, "unauthorized");
    stage.ask(post("/v1/user/login").json(&login)).await.refused(429, "rate_limit");
    assert_eq!(stage.seq(), before, "nothing was written");
    stage.clock.advance_seconds(30);
    ask(204).await.expect(202);
}

#[tokio::test]
async fn above_a_cap_an_entry_is_a_proposal_for_an_approver() {
    let office = Office::open().await;
    let caps = json!({"entryMax": {"USD": 100}, "dayMax": {"USD": 150}});
    office.send(&office.approver, "PUT", "/admin/v1/policy", caps).await.expect(200);
    let credit =
        |amount: Value, reference: &str| json!({"currency": "USD", "amount": amount, "reference": reference});
    let path = "/admin/v1/users/alice/credit";
    let proposed = office.post(path, credit(json!(100.000001), "large")).await.expect(202);
    office.post(path, credit(json!(100.000001), "large")).await.unprocessable("PROPOSAL_PENDING");
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.post(&finalise, Value::Null).await.refused(403, "forbidden");
    office.send(&office.approver, "POST", &finalise, Value::Null).await.expect(200);
    let again = office.post(path, credit(json!(100.000001), "large")).await.expect(200);
    assert_eq!(again["replayed"], true, "it is not moved again, nor proposed");
    let wallet = office.post(path, credit(json!(100), "one")).await.expect(200);
    assert_eq!(number(&wallet["availableBalance"]), 1_200.000001);
    let clash = office.post(path, credit(json!(99), "one")).await.refused(409, "conflict");
    assert_eq!(clash["code"], "REFERENCE_USED");
    let over = office.post("/admin/v1/users/alice/debit", credit(json!(51), "two")).await.expect(202);
    assert!(text(&over["message"]).contains("approver"), "{over}");
    office.post("/admin/v1/users/alice/debit", credit(json!(50), "three")).await.expect(200);
    let operators = office.get("/admin/v1/operators").await.expect(200);
    let otto = operators["operators"].as_array().expect("rows").iter().find(|row| row["name"] == "otto");
    assert_eq!(otto.expect("a row")["movedToday"][0], json!({"currency": "USD", "amount": 150}));
    // Another operator and another day have their own.
    office.send(&office.approver, "POST", path, credit(json!(10), "four")).await.expect(200);
    office.stage.clock.advance_seconds(86_400);
    office.post(path, credit(json!(100), "five")).await.expect(200);
}

#[tokio::test]
async fn fees_leave_by_a_proposal_alone() {
    let office = Office::open().await;
    let stage = &office.stage;
    let fees = || async { number(&office.get("/admin/v1/status").await.expect(200)["fees"][0]["amount"]) };
    let order = stage::node::market(stage.pool.yes, "BUY", 50.0);
    stage.place(&stage.alice.key, &stage.pool, &order).await;
    let collected = fees().await;
    assert!(collected > 0.0);
    let status = office.get("/admin/v1/status").await.expect(200);
    let amount = status["fees"][0]["amount"].clone();
    let wanted = json!({"currency": "USD", "amount": amount, "to": "house", "reference": "May"});
    let proposed = office.post("/admin/v1/fees/move", wanted).await.expect(202);
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.post(&finalise, Value::Null).await.refused(403, "forbidden");
    let house = number(&status["house"][0]["availableBalance"]);
    office.send(&office.approver, "POST", &finalise, Value::Null).await.expect(200);
    let after = office.get("/admin/v1/status").await.expect(200);
    assert_eq!(fees().await, 0.0);
    assert!((number(&after["house"][0]["availableBalance"]) - house - collected).abs() < 1e-9);
    let more = json!({"currency": "USD", "amount": 1, "to": "outside", "reference": "June"});
    office.post("/admin/v1/fees/move", more).await.unprocessable("INSUFFICIENT_BALANCE");
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

#[tokio::test]
async fn where_two_are_required_a_password_reset_is_approved_by_two_persons() {
    let office = Office::open().await;
    office.two_required().await;
    let (token, hash) = own_token();
    let body = json!({"email": "alice@example.org", "tokenHash": hash});
    let requested = office.stage.ask(post("/v1/user/password-reset/request").json(&body)).await.expect(202);
    let approve = json!({"code": requested["code"]});
    let proposed = office.post("/admin/v1/users/alice/password-reset", approve).await.expect(202);
    let reset = json!({"token": token, "password": "quite another one"});
    let redeem = || office.stage.ask(post("/v1/user/password-reset").json(&reset));
    redeem().await.refused(404, "not_found");
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
    redeem().await.expect(200);
}

#[tokio::test]
async fn nothing_is_written_about_a_user_whom_an_operator_may_not_create() {
    let office = Office::open().await;
    let rows = || {
        let store = SqliteRows::open_reading(office.stage.folder()).expect("a store");
        store.expect("a store").page(None, 1_000).expect("rows").len()
    };
    let (before, seq) = (rows(), office.stage.seq());
    let user = json!({"email": "new@example.org", "tag": "new", "password": "a long secret"});
    office.send(&office.viewer, "POST", "/admin/v1/users", user.clone()).await.refused(403, "forbidden");
    assert_eq!((rows(), office.stage.seq()), (before, seq + 1), "the attempt is in the audit log");
    office.send(&office.operator, "POST", "/admin/v1/users", user).await.expect(201);
    assert_eq!(rows(), before + 1);
}

#[tokio::test]
async fn a_suspension_that_would_lock_the_venue_has_an_end() {
    let office = Office::open().await;
    office.two_required().await;
    let suspend =
        |body: Value| office.send(&office.approver, "POST", "/admin/v1/operators/axel/suspend", body);
    let refused = suspend(Value::Null).await.unprocessable("SUSPENSION_NEEDS_END");
    assert!(text(&refused["message"]).contains("end"), "{refused}");
    suspend(json!({"until": "2020-01-01T00:00:00Z"})).await.refused(400, "bad_request");
    let until = Timestamp::from_micros((office.stage.now_seconds() + 7_200) * 1_000_000);
    let suspended = suspend(json!({"until": until})).await.expect(200);
    assert_eq!((&suspended["suspended"], &suspended["suspendedUntil"]), (&json!(true), &json!(until)));
    office.send(&office.second, "GET", "/admin/v1/status", Value::Null).await.refused(403, "forbidden");
    office.stage.clock.advance_seconds(7_200);
    office.send(&office.operator, "PUT", "/admin/v1/cancel-only", json!({"on": false})).await.expect(200);
    office.send(&office.second, "GET", "/admin/v1/status", Value::Null).await.expect(200);
}
