//! Operators' requests with an `Idempotency-Key`: a repetition has the first answer and does nothing.

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use server::openapi::Access;
use sha2::{Digest, Sha256};
use stage::node::{draft, number, post, text};

use super::roles::{least, matrix};
use super::{Office, with_token};

/// Rows whose repetition is not recorded as one: the first has no effect to repeat.
fn is_done(status: u16) -> bool {
    (200..300).contains(&status)
}

#[tokio::test]
async fn every_operators_write_is_done_once_under_its_key() {
    let office = Office::open().await;
    let mut walked = 0;
    for (place, row) in matrix(&office).await.into_iter().enumerate() {
        let by = match least(&row) {
            Access::Approver => &office.approver,
            Access::Operator => &office.operator,
            _ => continue,
        };
        if row.method == "GET" || row.route == "/admin/v1/pictures" {
            continue;
        }
        let name = format!("{} {}", row.method, row.route);
        let send = || {
            let bare = draft(row.method, &row.path).header("idempotency-key", format!("key-{place}"));
            let bare = if row.body.is_null() { bare } else { bare.json(&row.body) };
            office.ask(with_token(bare, by))
        };
        let first = send().await;
        assert_eq!(first.status, row.status, "{name}: {}", first.text());
        assert_eq!(first.header("idempotent-replayed"), None, "{name}");
        let again = send().await;
        assert_eq!(again.status, row.status, "{name}: {}", again.text());
        if is_done(row.status) {
            walked += 1;
            assert_eq!(again.header("idempotent-replayed"), Some("true"), "{name}");
            assert_eq!(again.text(), first.text(), "{name}");
        }
        if is_done(row.status) && row.body.is_object() {
            let other = draft(row.method, &row.path).header("idempotency-key", format!("key-{place}"));
            // Other bytes with the same meaning are another body.
            let other = other.raw(format!("{} ", row.body).into_bytes());
            office.ask(with_token(other, by)).await.unprocessable("IDEMPOTENCY_KEY_REUSED");
        }
    }
    assert!(walked > 40, "{walked} writes were done");
    let of_pool = format!("/admin/v1/audit?event={}&size=100", office.stage.pool.slug);
    let entries = office.get(&of_pool).await.expect(200);
    let grown = entries["entries"].as_array().expect("entries").iter();
    assert_eq!(
        grown.filter(|entry| entry["action"] == "grow_pool" && entry.get("refused").is_none()).count(),
        1,
        "one entry for what was done once"
    );
}

#[tokio::test]
async fn a_pool_grows_once_however_often_its_growth_is_sent() {
    let office = Office::open().await;
    let path = format!("/admin/v1/markets/{}/grow", office.stage.pool.slug);
    let collateral = async || {
        let event = office.get(&format!("/admin/v1/events/{}", office.stage.pool.slug)).await.expect(200);
        number(&event["markets"][0]["listings"][0]["collateral"])
    };
    let before = collateral().await;
    let grow = |key: &'static str| {
        let bare = draft("POST", &path).header("idempotency-key", key);
        office.ask(with_token(bare.json(&json!({"currency": "USD", "amount": 10})), &office.operator))
    };
    grow("first").await.expect(200);
    grow("first").await.expect(200);
    assert_eq!(collateral().await, before + 10.0);
    // The key of one operator is not that of another, and a key lives for a day.
    let bare = draft("POST", &path).header("idempotency-key", "first");
    let by_another = with_token(bare.json(&json!({"currency": "USD", "amount": 10})), &office.approver);
    office.ask(by_another).await.expect(200);
    assert_eq!(collateral().await, before + 20.0);
    office.stage.clock.advance_seconds(86_400);
    grow("first").await.expect(200);
    assert_eq!(collateral().await, before + 30.0);
}

#[tokio::test]
async fn what_becomes_a_proposal_is_proposed_once() {
    let office = Office::open().await;
    office.two_required().await;
    let send = || {
        let bare = draft("PUT", "/admin/v1/policy").header("idempotency-key", "longer");
        office.ask(with_token(bare.json(&json!({"retireAfterSeconds": 7_200})), &office.approver))
    };
    let (first, again) = (send().await.expect(202), send().await.expect(202));
    assert_eq!(first["proposalId"], again["proposalId"]);
    let proposals = office.get("/admin/v1/proposals").await.expect(200);
    assert_eq!(proposals["proposals"].as_array().map(Vec::len), Some(1));
    assert_eq!(text(&proposals["proposals"][0]["action"]), "change_policy");
}

#[tokio::test]
async fn an_identical_credit_is_told_from_a_clash() {
    let office = Office::open().await;
    let credit = |amount: u32| json!({"currency": "USD", "amount": amount, "reference": "bank 7"});
    let path = "/admin/v1/users/alice/credit";
    let first = office.post(path, credit(5)).await.expect(200);
    let again = office.post(path, credit(5)).await.expect(200);
    assert_eq!((&first["replayed"], &again["replayed"]), (&json!(false), &json!(true)));
    assert_eq!(first["availableBalance"], again["availableBalance"], "nothing was moved again");
    let clash = office.post(path, credit(6)).await.refused(409, "conflict");
    assert_eq!(clash["code"], "REFERENCE_USED");
    let debit = office.post("/admin/v1/users/alice/debit", credit(5)).await.refused(409, "conflict");
    assert!(text(&debit["message"]).contains("sequence"), "{debit}");
}

/// Two halves of one object, sent at once by two persons: both are there afterwards.
#[tokio::test]
async fn two_changes_at_once_of_different_fields_both_stay() {
    const PAIRS: u32 = 20;
    let office = Office::open().await;
    office.draft("both", "single", &["One"]).await;
    let slug = office.stage.book.slug.clone();
    let terms = format!("/admin/v1/markets/{slug}/terms");
    for pair in 1..=PAIRS {
        let (odd, even) = (pair * 60, pair * 60 + 1);
        let delay =
            office.send(&office.approver, "PUT", "/admin/v1/policy", json!({"resolutionDelaySeconds": odd}));
        let retire =
            office.send(&office.second, "PUT", "/admin/v1/policy", json!({"retireAfterSeconds": even}));
        let (one, other) = tokio::join!(delay, retire);
        one.expect(200);
        other.expect(200);
        let policy = office.get("/admin/v1/policy").await.expect(200);
        assert_eq!(
            (&policy["resolutionDelaySeconds"], &policy["retireAfterSeconds"]),
            (&json!(odd), &json!(even))
        );

        // A higher minimum is announced, and what changes with it.
        let (fee, least) = (f64::from(200 - pair) / 100.0, 100 - pair);
        let change = |by, body: Value| office.send(by, "PUT", &terms, body);
        let (one, other) = tokio::join!(
            change(&office.operator, json!({"feePercentage": fee})),
            change(&office.approver, json!({"minimumOrderAmount": {"USD": least}}))
        );
        one.expect(200);
        other.expect(200);
        let event = office.get(&format!("/admin/v1/events/{slug}")).await.expect(200);
        let announced = &event["markets"][0]["announcedTerms"];
        assert_eq!(
            (number(&announced["feePercentage"]), &announced["minimumOrderAmount"]["USD"]),
            (fee, &json!(least))
        );

        let (title, description) = (format!("Title {pair}?"), format!("Description {pair}"));
        let edit = |by, body: Value| office.send(by, "POST", "/admin/v1/events/both/edit", body);
        let (one, other) = tokio::join!(
            edit(&office.operator, json!({"title": title})),
            edit(&office.approver, json!({"description": description}))
        );
        one.expect(200);
        other.expect(200);
        let event = office.get("/admin/v1/events/both").await.expect(200);
        assert_eq!((text(&event["title"]), text(&event["description"])), (&*title, &*description));
    }
}

#[tokio::test]
async fn a_repetition_has_the_first_answer_though_what_it_names_is_gone() {
    let office = Office::open().await;
    let policy = json!({"retireAfterSeconds": 60});
    office.send(&office.approver, "PUT", "/admin/v1/policy", policy).await.expect(200);
    let pool = office.stage.pool.slug.clone();
    let news = format!("/admin/v1/events/{pool}/news");
    let note = json!({"title": "News", "link": "https://example.org"});
    let attached = office.post(&news, note.clone()).await.expect(201);
    let hash = HEXLOWER.encode(&Sha256::digest("a token of her own"));
    let wish = json!({"email": "alice@example.org", "tokenHash": hash});
    let requested = office.stage.ask(post("/v1/user/password-reset/request").json(&wish)).await.expect(202);

    let slug = &office.stage.book.slug;
    let writes = [
        ("POST", format!("/admin/v1/events/{slug}/cancel"), json!({"yesPrice": 0.5})),
        ("DELETE", format!("{news}/{}", text(&attached["id"])), Value::Null),
        ("POST", "/admin/v1/users/alice/password-reset".to_owned(), json!({"code": requested["code"]})),
    ];
    let send = async |(method, path, body): &(&str, String, Value)| {
        let bare = draft(method, path).header("idempotency-key", "once");
        let bare = if body.is_null() { bare } else { bare.json(body) };
        office.ask(with_token(bare, &office.operator)).await
    };
    let mut first = Vec::new();
    for write in &writes {
        let answered = send(write).await;
        answered.expect(200);
        first.push(answered);
    }
    // The event leaves memory, the note and the request are gone already, and another note is attached.
    office.stage.clock.advance_seconds(61);
    office.post(&news, note).await.expect(201);
    assert!(office.stage.app().reading().state().catalogue().find_event_by_slug(slug).is_none());
    for (write, first) in writes.iter().zip(first) {
        let again = send(write).await;
        assert_eq!((again.status, again.text()), (200, first.text()), "{}", write.1);
        assert_eq!(again.header("idempotent-replayed"), Some("true"), "{}", write.1);
    }
    // Another body under the key is no repetition, and without the key there is nothing to cancel.
    let (_, path, _) = &writes[0];
    office.post(path, Value::Null).await.refused(422, "unprocessable_entity");
    let other = draft("POST", path).header("idempotency-key", "once").json(&json!({"yesPrice": 0.4}));
    office.ask(with_token(other, &office.operator)).await.refused(422, "unprocessable_entity");
}
