//! Events from draft to the end, one request at a time; lists with their filters.

use serde_json::{Value, json};
use stage::node::{get, has_keys, number, text};

use super::Office;

#[tokio::test]
async fn a_draft_is_made_edited_opened_paused_resumed_and_closed() {
    let office = Office::open().await;
    let made = office.draft("life", "grouped", &["One", "Two"]).await;
    assert_eq!((&made["status"], made["markets"].as_array().map(Vec::len)), (&json!("draft"), Some(2)));
    let edit = json!({
        "title": "Does it really?", "closingDate": "2031-01-01T00:00:00Z", "hashtags": ["life"],
        "imageUrl": "https://example.org/life.png", "countryCodes": ["NG", "GH"],
        "markets": [{"market": "life:2", "title": "Second", "rules": "As told.", "feePercentage": 1.5}],
    });
    office.post("/admin/v1/events/life/edit", edit).await.expect(200);
    let shown = office.get("/admin/v1/events/life").await.expect(200);
    assert_eq!(shown["title"], "Does it really?");
    assert_eq!(shown["closingDate"], "2031-01-01T00:00:00Z");
    assert_eq!(shown["category"], "tests", "what is left out stays");
    assert_eq!((&shown["hashtags"], &shown["countryCodes"]), (&json!(["life"]), &json!(["NG", "GH"])));
    assert_eq!(shown["imageUrl"], "https://example.org/life.png");
    assert_eq!(shown["markets"][0]["title"], "One");
    assert_eq!(
        (&shown["markets"][1]["title"], number(&shown["markets"][1]["feePercentage"])),
        (&json!("Second"), 1.5)
    );
    has_keys(&shown, &["eventId", "slug", "currencies", "resolution", "createdAt", "openingDate"]);
    assert_eq!(shown["resolution"]["rulesSha256"].as_str().map(str::len), Some(64));

    for (action, status) in [("open", "open"), ("pause", "paused"), ("resume", "open"), ("close", "closed")] {
        let path = format!("/admin/v1/events/life/{action}");
        assert_eq!(office.post(&path, Value::Null).await.expect(200)["status"], status);
    }
    office.post("/admin/v1/events/life/open", Value::Null).await.unprocessable("STATUS_NOT_ALLOWED");
    office.post("/admin/v1/events/life/edit", json!({"title": "Late"})).await.unprocessable("NOT_DRAFT");
    office.post("/admin/v1/events/none/open", Value::Null).await.refused(404, "not_found");
}

#[tokio::test]
async fn an_event_is_called_off_at_a_price_in_whole_cents() {
    let office = Office::open().await;
    let stage = &office.stage;
    let mint = json!({"quantity": 10});
    let path = format!("/v1/pm/markets/{}/mint", stage.book.market);
    stage.write(&stage.alice.key, "POST", &path, &mint).await.expect(200);
    let cancel = format!("/admin/v1/events/{}/cancel", stage.book.slug);
    for wrong in [json!({"yesPrice": 0.505}), json!({"yesPrice": 1.01}), json!({"yesPrice": -0.01})] {
        office.post(&cancel, wrong).await.refused(400, "bad_request");
    }
    let cancelled = office.post(&cancel, json!({"yesPrice": 0.35})).await.expect(200);
    assert_eq!(cancelled["status"], "cancelled");
    let wallet = stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200);
    let usd = wallet["assets"].as_array().expect("rows").iter().find(|row| row["symbol"] == "USD");
    assert_eq!(number(&usd.expect("a wallet")["availableBalance"]), 1_000.0, "{wallet}");
}

#[tokio::test]
async fn lists_go_by_status_category_and_keyword_and_have_drafts() {
    let office = Office::open().await;
    for slug in ["list-a", "list-b", "list-c"] {
        office.draft(slug, "single", &["One"]).await;
    }
    office.post("/admin/v1/events/list-b/open", Value::Null).await.expect(200);
    let slugs = async |query: &str| -> Vec<String> {
        let page = office.get(&format!("/admin/v1/events?{query}")).await.expect(200);
        page["events"].as_array().expect("rows").iter().map(|row| text(&row["slug"]).to_owned()).collect()
    };
    assert_eq!(slugs("category=TESTS").await, ["list-c", "list-b", "list-a"], "the newest first");
    assert_eq!(slugs("keyword=LIST-A").await, ["list-a"]);
    assert_eq!(slugs("keyword=list&status=draft").await, ["list-c", "list-a"]);
    assert_eq!(slugs("keyword=list&size=1&page=3").await, ["list-a"]);
    assert_eq!(slugs("keyword=nothing").await, [""; 0]);
    office.get("/admin/v1/events?status=odd").await.refused(400, "bad_request");
}

#[tokio::test]
async fn a_description_that_cannot_be_is_refused_by_its_path() {
    let office = Office::open().await;
    let with = |key: &str, value: Value| {
        let mut description = json!({
            "slug": "odd", "title": "Odd?", "type": "single", "engine": "CLOB", "currencies": ["USD"],
            "category": "tests", "markets": [{"title": "One"}],
        });
        description[key] = value;
        description
    };
    for (key, value) in [
        ("slug", json!("Not A Slug")),
        ("title", json!("")),
        ("type", json!("double")),
        ("engine", json!("SWAP")),
        ("currencies", json!([])),
        ("currencies", json!(["USD", "USD"])),
        ("markets", json!([])),
        ("markets", json!([{"title": "One"}, {"title": "Two"}])),
        ("markets", json!([{"title": "One", "feePercentage": 11}])),
        ("closingDate", json!("tomorrow")),
    ] {
        let refused = office.post("/admin/v1/events", with(key, value.clone())).await;
        assert_eq!(refused.status, 400, "{key} {value}: {}", refused.text());
    }
    let fee = office
        .post("/admin/v1/events", with("markets", json!([{"title": "One", "feePercentage": 11}])))
        .await;
    assert!(fee.text().contains("markets[0].feePercentage"), "{}", fee.text());
    office.post("/admin/v1/events", with("title", json!("Fine?"))).await.expect(201);
    office.post("/admin/v1/events", with("title", json!("Again?"))).await.unprocessable("DUPLICATE_SLUG");
}

#[tokio::test]
async fn a_draft_that_is_discarded_stays_private() {
    let office = Office::open().await;
    let draft = office.draft("secret", "single", &["One"]).await;
    office.post("/admin/v1/events/secret/cancel", Value::Null).await.expect(200);
    let (event, market) = (text(&draft["eventId"]), text(&draft["markets"][0]["marketId"]));
    let public = [
        format!("/v1/pm/events/{event}"),
        "/v1/pm/events/slug/secret".to_owned(),
        format!("/v1/pm/events/{event}/resolution"),
        format!("/v1/pm/events/{event}/news"),
        format!("/v1/pm/markets/{market}/ticker?outcome=YES"),
    ];
    let is_unknown = async || {
        for path in &public {
            let asked = office.stage.ask(get(path)).await;
            assert_eq!(asked.status, 404, "{path}: {}", asked.text());
        }
        for query in ["", "?status=cancelled", "?keyword=Does", "?q=does"] {
            let listed = office.stage.ask(get(&format!("/v1/pm/events{query}"))).await.expect(200);
            assert!(!listed.to_string().contains(event), "{query}: {listed}");
        }
        let listed = office.get("/admin/v1/events?status=cancelled").await.expect(200);
        assert!(listed.to_string().contains(event), "operators see it: {listed}");
    };
    is_unknown().await;
    office
        .send(&office.approver, "PUT", "/admin/v1/policy", json!({"retireAfterSeconds": 3_600}))
        .await
        .expect(200);
    office.stage.clock.advance_seconds(3_700);
    office.draft("another", "single", &["One"]).await;
    assert!(
        office.stage.app().reading().state().catalogue().find_event_by_slug("secret").is_none(),
        "retired"
    );
    is_unknown().await;
}
