//! Erasing a person: refused while the account has something, at once or by a proposal, and the data that remains.

use exchange::id::UserId;
use serde_json::{Value, json};
use server::people::{Rows, SqliteRows};
use stage::node::{Answered, get, post, text};

use super::Office;

const EMAIL: &str = "Carol@Mail.example";
const PASSWORD: &str = "correct horse battery";

/// Makes an account without money.
async fn join(office: &Office, tag: &str) -> Answered {
    let person = json!({"email": EMAIL, "tag": tag, "password": PASSWORD});
    office.post("/admin/v1/users", person).await
}

async fn log_in(office: &Office) -> Answered {
    // The API allows one attempt in two minutes.
    office.stage.clock.advance_seconds(121);
    let login = json!({"email": EMAIL, "password": PASSWORD});
    office.stage.ask(post("/v1/user/login").json(&login)).await
}

/// Rows that the store has of a person.
fn rows(office: &Office, user: &Value) -> usize {
    let user: uuid::Uuid = text(user).parse().expect("an id");
    let mut store = SqliteRows::open_reading(office.stage.folder()).expect("a store").expect("a store");
    store.of_person(UserId::new(user.as_u128())).expect("rows").len()
}

#[tokio::test]
async fn an_erased_person_cannot_log_in_or_be_found_and_the_address_is_free() {
    let office = Office::open().await;
    let user = join(&office, "carol").await.expect(201)["userId"].clone();
    let session = log_in(&office).await.expect(200);
    assert_eq!(rows(&office, &user), 1);
    let erased = office.post("/admin/v1/users/carol/erase", Value::Null).await.expect(200);
    assert_eq!((&erased["erased"], &erased["email"], &erased["userId"]), (&json!(true), &json!(""), &user));
    assert_eq!((&erased["tag"], &erased["hasPassword"]), (&json!("carol"), &json!(false)));
    assert_eq!(rows(&office, &user), 0, "gone when the answer comes");
    log_in(&office).await.unauthorized("unauthorized", "wrong_credentials");
    let keys = get("/v1/user/me/api-keys")
        .header("x-auth-token", text(&session["token"]))
        .header("x-device-id", text(&session["deviceId"]));
    office.stage.ask(keys).await.unauthorized("unauthorized", "unknown_session");
    for query in ["tag=carol".to_owned(), format!("userId={}", text(&user))] {
        let lookup = get(&format!("/v1/user/lookup?{query}"));
        let lookup = lookup.header("x-public-key", office.stage.alice.key.public.clone());
        office.stage.ask(lookup).await.refused(404, "not_found");
    }
    office.post("/admin/v1/users/carol/erase", Value::Null).await.refused(404, "not_found");
    join(&office, "Carol").await.unprocessable("DUPLICATE_TAG");
    let another = join(&office, "caroline").await.expect(201)["userId"].clone();
    assert_ne!(another, user);
    assert_eq!(log_in(&office).await.expect(200)["userId"], another);
}

#[tokio::test]
async fn an_account_with_money_is_not_erased_and_nothing_happens_to_it() {
    let office = Office::open().await;
    office.post("/admin/v1/users/alice/erase", Value::Null).await.unprocessable("ACCOUNT_NOT_EMPTY");
    let shown = office.get("/admin/v1/users/alice").await.expect(200);
    assert_eq!((&shown["user"]["erased"], &shown["sessions"]), (&json!(false), &json!(1)));
    assert_eq!(shown["user"]["email"], "alice@example.org");
    office.post("/admin/v1/users/house/erase", Value::Null).await.refused(403, "forbidden");
    office
        .send(&office.viewer, "POST", "/admin/v1/users/alice/erase", Value::Null)
        .await
        .refused(403, "forbidden");
}

#[tokio::test]
async fn two_persons_erase_by_a_proposal_and_the_audit_log_has_no_address() {
    let office = Office::open().await;
    let user = join(&office, "carol").await.expect(201)["userId"].clone();
    office.two_required().await;
    let proposed = office.post("/admin/v1/users/carol/erase", Value::Null).await.expect(202);
    assert_eq!(rows(&office, &user), 1, "nothing has happened yet");
    let waiting = office.get("/admin/v1/proposals").await.expect(200);
    assert!(waiting.to_string().contains("carol erased"), "{waiting}");
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.send(&office.second, "POST", &finalise, Value::Null).await.expect(200);
    assert_eq!(rows(&office, &user), 0, "gone when the answer comes");
    let audit = office.get(&format!("/admin/v1/audit?user={}", text(&user))).await.expect(200);
    let audit = audit.to_string();
    assert!(audit.contains("create_user") && audit.contains("carol"), "{audit}");
    assert!(!audit.to_lowercase().contains("mail.example"), "{audit}");
}

#[tokio::test]
async fn an_address_is_checked_where_its_text_is() {
    let office = Office::open().await;
    for wrong in ["carol", "@mail.example", "a b@mail.example", "a@b@c"] {
        let person = json!({"email": wrong, "tag": "carol"});
        let refused = office.post("/admin/v1/users", person).await.refused(400, "bad_request");
        assert!(text(&refused["message"]).starts_with("email"), "{refused}");
    }
}
