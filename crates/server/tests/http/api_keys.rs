//! The four operations on API keys. The limits on them are in `limits.rs`.

use serde_json::{Value, json};
use stage::node::{Key, Stage, User, delete, get, keys, market, post};

const KEYS: &str = "/v1/user/me/api-keys";

async fn create(stage: &Stage, user: &User, name: &str) -> Value {
    stage.ask(post(KEYS).in_session(user).json(&json!({"name": name}))).await.expect(201)
}

fn issued(stage: &Stage, body: &Value) -> Key {
    let text = |name: &str| body[name].as_str().expect("a text");
    let id = text("id").parse().expect("a UUID");
    let key = Key { id, public: text("publicKey").to_owned(), ..stage.alice.key.clone() };
    key.with_secret(text("secretKey"))
}

async fn trades(stage: &Stage, key: &Key) -> u16 {
    stage.write(key, "POST", &stage.pool.orders(), &market(stage.pool.yes, "BUY", 1.0)).await.status
}

#[tokio::test]
async fn a_created_key_shows_its_secret_and_how_to_sign_and_works_at_once() {
    let stage = Stage::open().await;
    let body = create(&stage, &stage.alice, "market maker").await;
    assert_eq!(keys(&body), ["createdAt", "id", "name", "publicKey", "secretKey", "signingInstructions"]);
    assert_eq!(body["name"], "market maker");
    assert!(
        body["publicKey"].as_str().is_some_and(|key| key.starts_with("pk_live_") && key.len() == 40),
        "{body}"
    );
    assert!(
        body["secretKey"].as_str().is_some_and(|key| key.starts_with("sk_live_") && key.len() == 72),
        "{body}"
    );
    assert_eq!(
        body["signingInstructions"],
        json!({
            "algorithm": "HMAC-SHA256",
            "headers": ["X-Public-Key", "X-Timestamp", "X-Signature"],
            "payloadFormat": "{timestamp}.{method}.{path}.{bodyHash}",
            "timestampWindowSeconds": 300,
        }),
    );
    assert_eq!(trades(&stage, &issued(&stage, &body)).await, 200);
}

#[tokio::test]
async fn the_list_shows_hints_and_never_a_secret() {
    let stage = Stage::open().await;
    let created = create(&stage, &stage.alice, "second").await;
    let listed = stage.ask(get(KEYS).in_session(&stage.alice)).await;
    let body = listed.expect(200);
    assert_eq!(body["total"], 2);
    let second = &body["keys"][1];
    for name in ["id", "name", "publicKey", "createdAt"] {
        assert_eq!(second[name], created[name]);
    }
    let secret = created["secretKey"].as_str().expect("a secret");
    let hint = format!("sk_live_...{}", &secret[secret.len() - 3..]);
    assert_eq!(second["secretKeyHint"], hint);
    // One public client reads these three in snake case.
    let spelt = (&second["public_key"], &second["secret_key_hint"], &second["created_at"]);
    assert_eq!(spelt, (&created["publicKey"], &json!(hint), &created["createdAt"]));
    assert!(!listed.text().contains(secret));
}

#[tokio::test]
async fn a_key_without_a_proper_name_is_malformed() {
    let stage = Stage::open().await;
    let names = [
        json!({}),
        json!({"name": ""}),
        json!({"name": 7}),
        json!({"name": " a"}),
        json!({"name": "x".repeat(65)}),
    ];
    for body in names {
        stage.ask(post(KEYS).in_session(&stage.alice).json(&body)).await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn a_name_that_is_taken_and_a_third_key_are_refused() {
    let stage = Stage::open().await;
    let elsewhere = stage.alice.elsewhere(stage.app()).await;
    let ask = |name: &str| stage.ask(post(KEYS).in_session(&elsewhere).json(&json!({"name": name})));
    ask("first").await.unprocessable("DUPLICATE_NAME");
    create(&stage, &stage.alice, "second").await;
    ask("third").await.unprocessable("TOO_MANY_API_KEYS");
}

#[tokio::test]
async fn a_revoked_key_stops_at_once_and_makes_room() {
    let stage = Stage::open().await;
    assert_eq!(trades(&stage, &stage.alice.key).await, 200);
    let path = format!("{KEYS}/{}", stage.alice.key.id);
    let answered = stage.ask(delete(&path).in_session(&stage.alice)).await;
    assert_eq!(answered.expect(200), json!({"message": "API key revoked"}));
    assert_eq!(trades(&stage, &stage.alice.key).await, 401);
    stage.read(&stage.alice.key, "/v1/pm/portfolio").await.unauthorized("unauthorized", "unknown_key");
    assert_eq!(
        stage.ask(get(KEYS).in_session(&stage.alice)).await.expect(200),
        json!({"keys": [], "total": 0})
    );
    stage.ask(delete(&path).in_session(&stage.alice)).await.refused(404, "not_found");
    create(&stage, &stage.alice, "first").await;
}

#[tokio::test]
async fn a_rotated_key_keeps_its_name_and_loses_its_old_secret_at_once() {
    let stage = Stage::open().await;
    assert_eq!(trades(&stage, &stage.alice.key).await, 200);
    let path = format!("{KEYS}/{}/rotate", stage.alice.key.id);
    // As one client sends it: a JSON content type and no body.
    let draft = post(&path).in_session(&stage.alice).header("content-type", "application/json");
    let body = stage.ask(draft).await.expect(200);
    assert_eq!(keys(&body), ["createdAt", "id", "name", "publicKey", "secretKey", "signingInstructions"]);
    assert_eq!(body["id"], stage.alice.key.id.to_string());
    assert_eq!((&body["name"], &body["publicKey"]), (&json!("first"), &json!(stage.alice.key.public)));
    assert_ne!(body["secretKey"], stage.alice.key.secret.expose());
    let old = stage
        .write(&stage.alice.key, "POST", &stage.pool.orders(), &market(stage.pool.yes, "BUY", 1.0))
        .await;
    old.unauthorized("invalid_signature", "signature_mismatch");
    assert_eq!(trades(&stage, &issued(&stage, &body)).await, 200);
}

#[tokio::test]
async fn anothers_key_and_an_unknown_key_are_not_found() {
    let stage = Stage::open().await;
    let unknown = uuid::Uuid::now_v7();
    for key in [stage.bob.key.id, unknown] {
        let alice = stage.alice.elsewhere(stage.app()).await;
        let revoked = stage.ask(delete(&format!("{KEYS}/{key}")).in_session(&alice)).await;
        assert_eq!(revoked.refused(404, "not_found")["message"], "API key not found");
        stage.ask(post(&format!("{KEYS}/{key}/rotate")).in_session(&alice)).await.refused(404, "not_found");
    }
    assert_eq!(trades(&stage, &stage.bob.key).await, 200);
}

#[tokio::test]
async fn no_secret_is_in_the_journal_the_snapshot_or_history() {
    let stage = Stage::open().await;
    let body = create(&stage, &stage.alice, "second").await;
    let secret = body["secretKey"].as_str().expect("a secret").to_owned();
    let path = format!("{KEYS}/{}/rotate", stage.alice.key.id);
    stage.ask(post(&path).in_session(&stage.alice)).await.expect(200);
    let folder = stage.folder().to_owned();
    // Closing removes the folder with the stage, so the check of the durable files comes before.
    stage.app().reading().history().wait_for(stage.seq()).await.expect("history");
    let mut files = 0;
    look_for(&folder, &[b"sk_live_", secret.as_bytes()], &mut files);
    assert!(files >= 2, "a journal and a history");
}

fn look_for(folder: &std::path::Path, needles: &[&[u8]], files: &mut u32) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            look_for(&path, needles, files);
            continue;
        }
        *files += 1;
        let bytes = std::fs::read(&path).expect("a file");
        for needle in needles {
            let is_there = bytes.windows(needle.len()).any(|window| window == *needle);
            assert!(!is_there, "{} holds a secret", path.display());
        }
    }
}
