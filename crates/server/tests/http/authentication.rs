//! Spec, Authentication: every cause of a 401 by its reason, the window to the second, and ignored headers.

use api::signing::body_hash;
use exchange::command::SuspendUser;
use serde_json::json;
use stage::node::{Answered, Draft, Stage, delete, get, market, post, put, sign};

const HASH_OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn order(stage: &Stage) -> Draft {
    post(&stage.pool.orders()).json(&market(stage.pool.yes, "BUY", 1.0))
}

fn signed(stage: &Stage) -> Draft {
    order(stage).signed(&stage.alice.key, stage.now_seconds())
}

/// Refused, with the server's time, and without a change of the state.
async fn refused(stage: &Stage, draft: Draft, error: &str, reason: &str) -> Answered {
    let before = (stage.seq(), stage.digest());
    let answered = stage.ask(draft).await;
    let body = answered.unauthorized(error, reason);
    assert_eq!(body["serverTime"], stage.now_seconds());
    assert_eq!((stage.seq(), stage.digest()), before);
    answered
}

#[tokio::test]
async fn a_wrong_secret_does_not_match() {
    let stage = Stage::open().await;
    for secret in ["sk_live_wrong", "", stage.bob.key.secret.expose()] {
        let wrong = stage.alice.key.with_secret(secret);
        let draft = order(&stage).signed(&wrong, stage.now_seconds());
        let answered = refused(&stage, draft, "invalid_signature", "signature_mismatch").await;
        let now = stage.now_seconds().to_string();
        let hash = body_hash(&order(&stage).body);
        let right = sign(&stage.alice.key, &now, "POST", &stage.pool.orders(), &hash);
        assert!(!answered.text().contains(&right), "the expected signature is never shown");
    }
}

#[tokio::test]
async fn another_timestamp_than_the_signed_one_does_not_match() {
    let stage = Stage::open().await;
    let other = (stage.now_seconds() + 1).to_string();
    let draft = signed(&stage).without("x-timestamp").header("x-timestamp", other);
    refused(&stage, draft, "invalid_signature", "signature_mismatch").await;
    let padded = format!("0{}", stage.now_seconds());
    let draft = signed(&stage).without("x-timestamp").header("x-timestamp", padded);
    refused(&stage, draft, "invalid_signature", "signature_mismatch").await;
}

#[tokio::test]
async fn another_payload_format_does_not_match() {
    let stage = Stage::open().await;
    let (path, now) = (stage.pool.orders(), stage.now_seconds().to_string());
    let hash = body_hash(&order(&stage).body);
    let payloads = [
        (now.as_str(), "post", path.as_str()),
        (now.as_str(), "PUT", path.as_str()),
        (now.as_str(), "POST", "/v1/pm/orders"),
        (now.as_str(), "POST", path.trim_start_matches('/')),
    ];
    for (timestamp, method, path) in payloads {
        let signature = sign(&stage.alice.key, timestamp, method, path, &hash);
        let draft = signed(&stage).without("x-signature").header("x-signature", signature);
        refused(&stage, draft, "invalid_signature", "signature_mismatch").await;
    }
}

#[tokio::test]
async fn a_body_that_was_changed_after_signing_does_not_match() {
    let stage = Stage::open().await;
    let mut reformatted = signed(&stage).body;
    reformatted.push(b' ');
    for body in [reformatted, market(stage.pool.yes, "BUY", 2.0).to_string().into_bytes(), Vec::new()] {
        refused(&stage, signed(&stage).raw(body), "invalid_signature", "signature_mismatch").await;
    }
}

#[tokio::test]
async fn a_body_hash_in_another_form_is_reported_to_the_owner_of_the_key() {
    let stage = Stage::open().await;
    let now = stage.now_seconds().to_string();
    for hash in [String::new(), HASH_OF_NOTHING.to_owned(), body_hash(&order(&stage).body).to_uppercase()] {
        let draft = order(&stage).signed_over(&stage.alice.key, &now, &hash);
        refused(&stage, draft, "invalid_signature", "body_hash_mismatch").await;
    }
}

#[tokio::test]
async fn a_signature_in_another_encoding_is_refused_by_its_form() {
    let stage = Stage::open().await;
    let replaced = |signature: &str| signed(&stage).without("x-signature").header("x-signature", signature);
    let right = String::from_utf8(signed(&stage).headers.pop().expect("a signature").1).expect("text");
    for signature in ["0f".repeat(32), "YWJj".to_owned(), "A".repeat(400), String::new()] {
        refused(&stage, replaced(&signature), "invalid_signature", "signature_length").await;
    }
    let unpadded = right.trim_end_matches('=').to_owned();
    for signature in [unpadded, format!("{right} "), format!("-{}", &right[1..]), "?".to_owned()] {
        let answered = stage.ask(replaced(&signature)).await;
        let reason = answered.refused(401, "invalid_signature")["reason"].clone();
        assert!(reason == "signature_not_base64" || reason == "signature_mismatch", "{signature}: {reason}");
    }
}

#[tokio::test]
async fn the_window_is_three_hundred_seconds_either_way() {
    let stage = Stage::open().await;
    for offset in [-301, 301, -302, 302, -86_400, 86_400] {
        let draft = order(&stage).signed(&stage.alice.key, stage.now_seconds() + offset);
        refused(&stage, draft, "timestamp_expired", "timestamp_outside_window").await;
    }
    for offset in [-300, -299, -1, 0, 1, 299, 300] {
        let draft = order(&stage).signed(&stage.alice.key, stage.now_seconds() + offset);
        stage.ask(draft).await.expect(200);
    }
}

#[tokio::test]
async fn a_request_that_was_good_is_too_old_when_the_window_has_passed() {
    let stage = Stage::open().await;
    let draft = signed(&stage);
    stage.clock.advance_seconds(300);
    stage.ask(draft.clone()).await.expect(200);
    stage.clock.advance_seconds(1);
    let body = refused(&stage, draft, "timestamp_expired", "timestamp_outside_window").await.expect(401);
    assert_eq!(
        body["message"],
        "X-Timestamp is 301 seconds behind the server's time; at most 300 are allowed",
    );
}

#[tokio::test]
async fn a_timestamp_is_digits_and_nothing_else() {
    let stage = Stage::open().await;
    let now = stage.now_seconds();
    let forms = [
        String::new(),
        format!("+{now}"),
        format!("-{now}"),
        format!("{now}.0"),
        format!("{now}e0"),
        "0x70dbd880".to_owned(),
        "2030-01-01T00:00:00Z".to_owned(),
        "9".repeat(40),
    ];
    for form in forms {
        let hash = body_hash(&order(&stage).body);
        let draft = order(&stage).signed_over(&stage.alice.key, &form, &hash);
        refused(&stage, draft, "unauthorized", "timestamp_not_a_number").await;
    }
    let milliseconds = order(&stage).signed(&stage.alice.key, now * 1_000);
    refused(&stage, milliseconds, "timestamp_expired", "timestamp_outside_window").await;
}

#[tokio::test]
async fn each_missing_header_is_named() {
    let stage = Stage::open().await;
    for header in ["X-Public-Key", "X-Timestamp", "X-Signature"] {
        let answered =
            refused(&stage, signed(&stage).without(header), "unauthorized", "header_missing").await;
        assert_eq!(answered.expect(401)["message"], format!("The header {header} is missing"));
    }
}

#[tokio::test]
async fn an_unknown_key_is_refused_even_if_all_else_is_right() {
    let stage = Stage::open().await;
    for key in ["pk_live_unknown", "", stage.alice.key.secret.expose(), "\u{e9}", &"x".repeat(5_000)] {
        let draft = signed(&stage).without("x-public-key").header("x-public-key", key);
        refused(&stage, draft, "unauthorized", "unknown_key").await;
    }
    let other = signed(&stage).without("x-public-key").named(&stage.bob.key);
    refused(&stage, other, "invalid_signature", "signature_mismatch").await;
}

#[tokio::test]
async fn a_repeated_header_is_refused_even_when_both_agree() {
    let stage = Stage::open().await;
    let draft = signed(&stage);
    for (name, value) in draft.headers.clone() {
        if name.starts_with("x-") {
            let repeated = draft.clone().header(&name, value);
            refused(&stage, repeated, "unauthorized", "header_repeated").await;
        }
    }
    let twice = get("/v1/pm/portfolio").named(&stage.alice.key).named(&stage.alice.key);
    refused(&stage, twice, "unauthorized", "header_repeated").await;
    let twice = get("/v1/user/me/api-keys").in_session(&stage.alice).header("x-auth-token", "more");
    refused(&stage, twice, "unauthorized", "header_repeated").await;
}

#[tokio::test]
async fn an_empty_body_may_be_hashed_in_both_ways() {
    let stage = Stage::open().await;
    let now = stage.now_seconds().to_string();
    for (hash, method) in [("", "PUT"), (HASH_OF_NOTHING, "DELETE")] {
        let draft = stage::node::draft(method, &stage.book.watchlist());
        stage.ask(draft.signed_over(&stage.alice.key, &now, hash)).await.expect(200);
    }
    // Neither form accepts a body.
    let with_body =
        put(&stage.book.watchlist()).raw("{}").signed_over(&stage.alice.key, &now, HASH_OF_NOTHING);
    refused(&stage, with_body, "invalid_signature", "body_hash_mismatch").await;
}

#[tokio::test]
async fn a_write_with_a_query_string_is_a_bad_request() {
    let stage = Stage::open().await;
    let before = stage.digest();
    let paths = [
        ("POST", stage.pool.orders()),
        ("DELETE", "/v1/pm/orders".to_owned()),
        ("DELETE", "/v1/pm/orders/batch".to_owned()),
        ("PUT", stage.book.watchlist()),
        ("POST", stage.book.mint()),
    ];
    for (method, path) in paths {
        for query in ["?currency=USD", "?"] {
            let draft = stage::node::draft(method, &format!("{path}{query}"));
            let draft = draft.json(&json!({})).signed(&stage.alice.key, stage.now_seconds());
            stage.ask(draft).await.refused(400, "bad_request");
        }
    }
    assert_eq!(stage.digest(), before);
}

#[tokio::test]
async fn signatures_on_reads_are_ignored() {
    let stage = Stage::open().await;
    let wrong = stage.alice.key.with_secret("sk_live_wrong");
    for path in ["/v1/pm/portfolio", "/v1/pm/orders?size=5", "/v1/wallet/assets", "/v1/pm/events", "/health"]
    {
        stage.ask(get(path).signed(&wrong, 0)).await.expect(200);
        stage.ask(get(path).signed(&stage.alice.key, stage.now_seconds())).await.expect(200);
    }
}

#[tokio::test]
async fn a_session_does_not_sign_and_a_key_does_not_open_a_session() {
    let stage = Stage::open().await;
    let draft = order(&stage).in_session(&stage.alice);
    refused(&stage, draft, "unauthorized", "header_missing").await;
    let draft = get("/v1/user/me/api-keys").signed(&stage.alice.key, stage.now_seconds());
    refused(&stage, draft, "unauthorized", "header_missing").await;
}

#[tokio::test]
async fn a_session_needs_its_token_and_its_own_device() {
    let stage = Stage::open().await;
    let path = format!("/v1/user/me/api-keys/{}", stage.alice.key.id);
    let without = |name: &str| delete(&path).in_session(&stage.alice).without(name);
    refused(&stage, without("x-auth-token"), "unauthorized", "header_missing").await;
    refused(&stage, without("x-device-id"), "unauthorized", "header_missing").await;
    let other_device = without("x-device-id").header("x-device-id", &stage.bob.device);
    refused(&stage, other_device, "unauthorized", "unknown_session").await;
    let other_token = without("x-auth-token").header("x-auth-token", "made up");
    refused(&stage, other_token, "unauthorized", "unknown_session").await;
}

#[tokio::test]
async fn a_suspended_account_is_refused_everywhere() {
    let stage = Stage::open().await;
    stage.read(&stage.alice.key, "/v1/pm/portfolio").await.expect(200);
    let user = exchange::id::UserId::new(stage.alice.id.as_u128());
    stage
        .operate(exchange::command::Command::SuspendUser(SuspendUser {
            user,
            suspended: true,
            keep_orders: false,
        }))
        .await;
    refused(&stage, signed(&stage), "unauthorized", "unknown_key").await;
    let read = get("/v1/pm/portfolio").named(&stage.alice.key);
    refused(&stage, read, "unauthorized", "unknown_key").await;
}
