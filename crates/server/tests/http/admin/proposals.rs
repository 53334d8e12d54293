//! Ends that take two steps: proposed with evidence, previewed, finalised by another person or after a while, or withdrawn.

use serde_json::{Value, json};
use stage::node::{has_keys, keys, number, text};

use super::{Office, Operator};

/// A closed event of one market with ten pairs of Alice's in it.
async fn closed_event(office: &Office, slug: &str) -> Value {
    let event = office.draft(slug, "single", &["One"]).await;
    let market = text(&event["markets"][0]["marketId"]).to_owned();
    office.post(&format!("/admin/v1/events/{slug}/open"), Value::Null).await.expect(200);
    let stage = &office.stage;
    let mint = json!({"quantity": 10});
    stage.write(&stage.alice.key, "POST", &format!("/v1/pm/markets/{market}/mint"), &mint).await.expect(200);
    office.post(&format!("/admin/v1/events/{slug}/close"), Value::Null).await.expect(200)
}

fn verdict(event: &Value, outcome: &str) -> Value {
    json!({"outcomes": [{"marketId": event["markets"][0]["marketId"], "outcome": outcome}]})
}

async fn propose(office: &Office, by: &Operator, slug: &str, event: &Value, outcome: &str) -> String {
    let mut body = verdict(event, outcome);
    body["evidence"] = json!({"text": "It was seen.", "link": "https://example.org/seen"});
    let path = format!("/admin/v1/events/{slug}/propose");
    let proposed = office.send(by, "POST", &path, body).await.expect(201);
    assert_eq!(keys(&proposed), ["finalFrom", "message", "proposalId"]);
    text(&proposed["proposalId"]).to_owned()
}

#[tokio::test]
async fn one_person_cannot_finalise_alone_where_two_are_required() {
    let office = Office::open().await;
    office.two_required().await;
    let event = closed_event(&office, "two").await;
    office
        .post("/admin/v1/markets/two/resolve", json!({"outcome": "YES"}))
        .await
        .unprocessable("NEEDS_PROPOSAL");
    office.post("/admin/v1/events/two/cancel", Value::Null).await.unprocessable("NEEDS_PROPOSAL");
    let proposal = propose(&office, &office.approver, "two", &event, "YES").await;
    let finalise = format!("/admin/v1/proposals/{proposal}/finalise");
    office.send(&office.approver, "POST", &finalise, Value::Null).await.unprocessable("NEEDS_ANOTHER");
    // An operator is another person, but no approver.
    office.send(&office.operator, "POST", &finalise, Value::Null).await.refused(403, "forbidden");
    assert_eq!(office.get("/admin/v1/events/two").await.expect(200)["status"], "closed");
    office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
    assert_eq!(office.get("/admin/v1/events/two").await.expect(200)["status"], "resolved");
    office.send(&office.second, "POST", &finalise, Value::Null).await.refused(404, "not_found");
}

#[tokio::test]
async fn a_verdict_is_public_for_the_delay_of_the_policy() {
    let office = Office::open().await;
    let delay = json!({"resolutionDelaySeconds": 3600});
    office.send(&office.approver, "PUT", "/admin/v1/policy", delay).await.expect(200);
    let event = closed_event(&office, "slow").await;
    office
        .post("/admin/v1/markets/slow/resolve", json!({"outcome": "NO"}))
        .await
        .unprocessable("NEEDS_PROPOSAL");
    let proposal = propose(&office, &office.operator, "slow", &event, "NO").await;
    let finalise = format!("/admin/v1/proposals/{proposal}/finalise");
    office.post(&finalise, Value::Null).await.unprocessable("PROPOSAL_TOO_YOUNG");
    office.stage.clock.advance_seconds(3_600);
    office.post(&finalise, Value::Null).await.expect(200);
    assert_eq!(office.get("/admin/v1/events/slow").await.expect(200)["status"], "resolved");
}

#[tokio::test]
async fn a_preview_shows_the_payouts_and_changes_nothing() {
    let office = Office::open().await;
    let event = closed_event(&office, "seen").await;
    let before = office.stage.digest();
    let path = "/admin/v1/events/seen/preview";
    let preview = office.send(&office.viewer, "POST", path, verdict(&event, "YES")).await.expect(200);
    assert_eq!(keys(&preview), ["payouts", "totals"]);
    assert_eq!(preview["totals"][0], json!({"currency": "USD", "amount": 10}));
    let payout = &preview["payouts"][0];
    has_keys(payout, &["eventSlug", "marketId", "market", "currency", "sets", "toHouse", "restingOrders"]);
    assert_eq!(
        (number(&payout["toUsers"]), &payout["winners"], number(&payout["yesPrice"])),
        (10.0, &json!(1), 1.0)
    );
    let called_off = office.send(&office.viewer, "POST", path, json!({"yesPrice": 0.3})).await.expect(200);
    assert_eq!(number(&called_off["payouts"][0]["toUsers"]), 10.0, "both halves are Alice's");
    assert_eq!(office.stage.digest(), before);
    for wrong in [json!({}), json!({"yesPrice": 0.5, "outcomes": []}), json!({"outcomes": []})] {
        office.send(&office.viewer, "POST", path, wrong).await.refused(400, "bad_request");
    }
    let one = office
        .send(&office.viewer, "POST", "/admin/v1/markets/seen/preview", json!({"yesPrice": 0.3}))
        .await
        .expect(200);
    assert_eq!(one, called_off, "the event has no other market");
    assert_eq!(office.stage.digest(), before);
    let proposal = propose(&office, &office.operator, "seen", &event, "NO").await;
    let of_proposal = office.get(&format!("/admin/v1/proposals/{proposal}/preview")).await.expect(200);
    assert_eq!(of_proposal["totals"], preview["totals"]);
}

#[tokio::test]
async fn a_proposal_is_listed_until_it_is_withdrawn_with_a_reason() {
    let office = Office::open().await;
    let event = closed_event(&office, "back").await;
    let proposal = propose(&office, &office.operator, "back", &event, "YES").await;
    let listed = office.get("/admin/v1/proposals").await.expect(200)["proposals"][0].clone();
    assert_eq!((&listed["type"], &listed["about"]), (&json!("resolution"), &json!("back")));
    assert_eq!((&listed["proposedBy"], &listed["role"]), (&json!("otto"), &json!("operator")));
    assert_eq!(listed["verdict"]["outcomes"], verdict(&event, "YES")["outcomes"]);
    assert_eq!(office.get("/admin/v1/status").await.expect(200)["pendingProposals"], 1);
    assert_eq!(
        office.get("/admin/v1/events/back").await.expect(200)["proposal"]["proposalId"],
        json!(proposal)
    );
    let mut second = verdict(&event, "NO");
    second["evidence"] = json!({"text": "No, it was not."});
    office.post("/admin/v1/events/back/propose", second.clone()).await.unprocessable("PROPOSAL_PENDING");
    let withdraw = format!("/admin/v1/proposals/{proposal}/withdraw");
    office.post(&withdraw, json!({})).await.refused(400, "bad_request");
    office.post(&withdraw, json!({"reason": ""})).await.refused(400, "bad_request");
    let left = office.post(&withdraw, json!({"reason": "The wrong day"})).await.expect(200);
    assert_eq!(left["proposals"], json!([]));
    office.post("/admin/v1/events/back/propose", second).await.expect(201);
    let mut bare = verdict(&event, "YES");
    bare["evidence"] = json!({});
    office.post("/admin/v1/events/back/propose", bare).await.refused(400, "bad_request");
}
