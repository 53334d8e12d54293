//! Login, logout, and a new password with a token that an operator approved.

use exchange::command::{ApprovePasswordReset, Command, RequestPasswordReset};
use exchange::id::{Hash32, UserId};
use exchange::text::Text;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stage::node::{Answered, Draft, Key, PASSWORD, Stage, delete, get, keys, market, post};

use crate::socket::listen;

const KEYS: &str = "/v1/user/me/api-keys";

async fn login(stage: &Stage, email: &str, password: &str) -> Answered {
    stage.ask(post("/v1/user/login").json(&json!({"email": email, "password": password}))).await
}

async fn list_keys(stage: &Stage, session: &Value) -> Answered {
    let text = |name: &str| session[name].as_str().expect("a text").to_owned();
    let draft = get(KEYS).header("x-auth-token", text("token")).header("x-device-id", text("deviceId"));
    stage.ask(draft).await
}

/// Alice's request for a new password, made with this token and approved.
async fn approve_reset(stage: &Stage, token: &str) {
    let user = UserId::new(stage.alice.id.as_u128());
    let token_hash = Hash32::new(Sha256::digest(token.as_bytes()).into());
    let (code, network) = (Text::from("AB12CD"), Hash32::of("home"));
    stage
        .operate(Command::RequestPasswordReset(RequestPasswordReset {
            user,
            token_hash,
            code,
            network,
            address: None,
        }))
        .await;
    stage.operate(Command::ApprovePasswordReset(ApprovePasswordReset { user, token_hash })).await;
}

#[tokio::test]
async fn login_gives_a_token_and_a_device_that_open_the_session_routes() {
    let stage = Stage::open().await;
    let session = login(&stage, "alice@example.org", PASSWORD).await.expect(200);
    assert_eq!(keys(&session), ["deviceId", "token", "userId"]);
    assert_eq!(session["userId"], stage.alice.id.to_string());
    assert!(session["deviceId"].as_str().is_some_and(|device| device.starts_with("d_")), "{session}");
    assert_eq!(list_keys(&stage, &session).await.expect(200)["total"], 1);

    let mut other_device = session.clone();
    other_device["deviceId"] = json!("d_other");
    list_keys(&stage, &other_device).await.unauthorized("unauthorized", "unknown_session");
}

#[tokio::test]
async fn login_takes_the_address_in_any_case() {
    let stage = Stage::open().await;
    let session = login(&stage, "Alice@Example.ORG", PASSWORD).await.expect(200);
    assert_eq!(session["userId"], stage.alice.id.to_string());
    login(&stage, "alice@example.org", PASSWORD).await.limited(120);
}

#[tokio::test]
async fn login_does_not_reveal_which_half_was_wrong() {
    let stage = Stage::open().await;
    let wrong = login(&stage, "alice@example.org", "not it").await;
    let unknown = login(&stage, "nobody@example.org", PASSWORD).await;
    let body = wrong.unauthorized("unauthorized", "wrong_credentials");
    assert_eq!(body["message"], "Wrong email or password");
    assert_eq!(unknown.unauthorized("unauthorized", "wrong_credentials"), body);
}

#[tokio::test]
async fn login_refuses_a_malformed_body_without_counting_it() {
    let stage = Stage::open().await;
    let before = stage.seq();
    let bodies = [
        (json!({"password": "x"}), "email: is required"),
        (json!({"email": "alice@example.org"}), "password: is required"),
        (json!({"email": "alice", "password": "x"}), "email: must be an email address"),
        (json!({"email": "@example.org", "password": "x"}), "email: must be an email address"),
        (json!({"email": "a b@example.org", "password": "x"}), "email: must be an email address"),
        (json!({"email": "alice@example.org", "password": ""}), "password: must not be empty"),
        (
            json!({"email": "alice@example.org", "password": "x".repeat(129)}),
            "password: must have at most 128 characters",
        ),
    ];
    for (body, message) in bodies {
        let refused = stage.ask(post("/v1/user/login").json(&body)).await.refused(400, "bad_request");
        assert_eq!(refused["message"], message, "{body}");
    }
    assert_eq!(stage.seq(), before, "nothing reached the exchange");
    login(&stage, "alice@example.org", &"é".repeat(128))
        .await
        .unauthorized("unauthorized", "wrong_credentials");
}

#[tokio::test]
async fn login_passes_once_in_two_minutes_for_each_address() {
    let stage = Stage::open().await;
    login(&stage, "alice@example.org", PASSWORD).await.expect(200);
    login(&stage, "alice@example.org", PASSWORD).await.limited(120);
    login(&stage, "bob@example.org", PASSWORD).await.expect(200);
    stage.clock.advance_seconds(119);
    login(&stage, "alice@example.org", PASSWORD).await.limited(1);
    stage.clock.advance_seconds(1);
    login(&stage, "alice@example.org", PASSWORD).await.expect(200);
    // Attempts for an unknown address count too, and so do wrong passwords.
    login(&stage, "nobody@example.org", "x").await.refused(401, "unauthorized");
    login(&stage, "nobody@example.org", "x").await.limited(120);
}

#[tokio::test]
async fn logout_ends_this_session_and_no_other() {
    let stage = Stage::open().await;
    let elsewhere = stage.alice.elsewhere(stage.app()).await;
    let answered = stage.ask(post("/v1/user/logout").in_session(&stage.alice)).await;
    assert_eq!(answered.expect(200), json!({"message": "Logged out"}));
    stage.ask(get(KEYS).in_session(&stage.alice)).await.unauthorized("unauthorized", "unknown_session");
    stage
        .ask(post("/v1/user/logout").in_session(&stage.alice))
        .await
        .unauthorized("unauthorized", "unknown_session");
    stage.ask(get(KEYS).in_session(&elsewhere)).await.expect(200);
}

#[tokio::test]
async fn a_session_lasts_thirty_days() {
    let stage = Stage::open().await;
    stage.clock.advance_seconds(30 * 86_400 - 1);
    stage.ask(get(KEYS).in_session(&stage.alice)).await.expect(200);
    stage.clock.advance_seconds(1);
    stage.ask(get(KEYS).in_session(&stage.alice)).await.unauthorized("unauthorized", "unknown_session");
}

#[tokio::test]
async fn the_twenty_first_session_drops_the_oldest() {
    let stage = Stage::open().await;
    let mut others = Vec::new();
    for _ in 0..19 {
        others.push(stage.alice.elsewhere(stage.app()).await);
    }
    stage.ask(get(KEYS).in_session(&stage.alice)).await.expect(200);
    let last = stage.alice.elsewhere(stage.app()).await;
    stage.ask(get(KEYS).in_session(&stage.alice)).await.unauthorized("unauthorized", "unknown_session");
    stage.ask(get(KEYS).in_session(&others[0])).await.expect(200);
    stage.ask(get(KEYS).in_session(&last)).await.expect(200);
}

#[tokio::test]
async fn a_password_reset_redeems_its_token_once_and_ends_all_sessions() {
    let stage = Stage::open().await;
    approve_reset(&stage, "one-time").await;
    let reset = |password: &str| {
        let body = json!({"token": "one-time", "password": password});
        stage.ask(post("/v1/user/password-reset").json(&body))
    };
    let short = reset("seven77").await.refused(400, "bad_request");
    assert_eq!(short["message"], "password: must have at least 8 characters");
    assert_eq!(reset("a new password").await.expect(200), json!({"message": "Password reset"}));
    reset("another password").await.refused(404, "not_found");

    stage.ask(get(KEYS).in_session(&stage.alice)).await.unauthorized("unauthorized", "unknown_session");
    login(&stage, "alice@example.org", PASSWORD).await.refused(401, "unauthorized");
    stage.clock.advance_seconds(120);
    login(&stage, "alice@example.org", "a new password").await.expect(200);
}

#[tokio::test]
async fn a_password_reset_needs_a_token_that_is_known_and_not_over() {
    let stage = Stage::open().await;
    let body = json!({"token": "made up", "password": "a new password"});
    let refused = stage.ask(post("/v1/user/password-reset").json(&body)).await.refused(404, "not_found");
    assert_eq!(refused["message"], "The token is unknown, used or over");
    approve_reset(&stage, "soon over").await;
    stage.clock.advance_seconds(24 * 3_600);
    let body = json!({"token": "soon over", "password": "a new password"});
    stage.ask(post("/v1/user/password-reset").json(&body)).await.refused(404, "not_found");
}

#[tokio::test]
async fn a_password_reset_revokes_the_api_keys_unless_their_owner_keeps_them() {
    for (choice, is_kept) in [(None, false), (Some(false), false), (Some(true), true)] {
        let stage = Stage::open().await;
        approve_reset(&stage, "one-time").await;
        let mut body = json!({"token": "one-time", "password": "a new password"});
        if let Some(keep) = choice {
            body["keepApiKeys"] = json!(keep);
        }
        let (path, order) = (stage.pool.orders(), market(stage.pool.yes, "BUY", 10.0));
        let place = || stage.write(&stage.alice.key, "POST", &path, &order);
        // A first verification, so that the node has cached the key.
        place().await.expect(200);
        stage.ask(post("/v1/user/password-reset").json(&body)).await.expect(200);
        let signed = place().await;
        let read = stage.read(&stage.alice.key, "/v1/pm/portfolio").await;
        if is_kept {
            signed.expect(200);
            read.expect(200);
        } else {
            signed.unauthorized("unauthorized", "unknown_key");
            read.unauthorized("unauthorized", "unknown_key");
        }
        stage.read(&stage.bob.key, "/v1/pm/portfolio").await.expect(200);
    }
    let stage = Stage::open().await;
    let body = json!({"token": "one-time", "password": "a new password", "keepApiKeys": "yes"});
    stage.ask(post("/v1/user/password-reset").json(&body)).await.refused(400, "bad_request");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_crowd_of_logins_waits_in_a_short_queue_and_the_rest_keep_their_attempt() {
    let stage = Stage::open().await;
    let asked: Vec<_> = (0..60)
        .map(|number| {
            let body = json!({"email": format!("user{number}@example.org"), "password": "x"});
            tokio::spawn(stage::node::ask(stage.router(), post("/v1/user/login").json(&body)))
        })
        .collect();
    let mut sent_away = Vec::new();
    for (number, answered) in asked.into_iter().enumerate() {
        let answered = answered.await.expect("an answer");
        match answered.status {
            401 => {}
            _ => {
                answered.limited(1);
                sent_away.push(number);
            }
        }
    }
    assert!((1..=44).contains(&sent_away.len()), "{} were sent away", sent_away.len());
    stage.clock.advance_seconds(1);
    let again = login(&stage, &format!("user{}@example.org", sent_away[0]), "x").await;
    again.unauthorized("unauthorized", "wrong_credentials");
}

#[tokio::test]
async fn a_login_a_change_of_a_key_and_a_logout_return_their_sequence() {
    let stage = Stage::open().await;
    let last = |stage: &Stage| Some(stage.seq().to_string());
    let stands = |answered: &Answered| answered.header("x-sequence").map(str::to_owned);
    let answered = login(&stage, "alice@example.org", PASSWORD).await;
    let session = answered.expect(200);
    assert_eq!(stands(&answered), last(&stage), "behind the attempt comes the session");
    let in_session = |draft: Draft| {
        let text = |name: &str| session[name].as_str().expect("a text").to_owned();
        stage.ask(draft.header("x-auth-token", text("token")).header("x-device-id", text("deviceId")))
    };
    let created = in_session(post(KEYS).json(&json!({"name": "second"}))).await;
    let key = format!("{KEYS}/{}", created.expect(201)["id"].as_str().expect("an id"));
    assert_eq!(stands(&created), last(&stage));
    for draft in [post(&format!("{key}/rotate")), delete(&key), post("/v1/user/logout")] {
        let path = draft.path.clone();
        let answered = in_session(draft).await;
        answered.expect(200);
        assert_eq!(stands(&answered), last(&stage), "{path}");
    }
    assert_eq!(
        stands(&login(&stage, "alice@example.org", PASSWORD).await),
        None,
        "a refusal has no sequence"
    );
}

#[tokio::test]
async fn a_password_reset_through_a_socket_revokes_the_api_keys() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    approve_reset(&stage, "one-time").await;
    let place = |key: &Key| {
        let order = market(stage.pool.yes, "BUY", 10.0);
        listening.answer(post(&stage.pool.orders()).json(&order).signed(key, stage.now_seconds()))
    };
    place(&stage.alice.key).await.expect(200);
    let body = json!({"token": "one-time", "password": "a new password"});
    listening.answer(post("/v1/user/password-reset").json(&body)).await.expect(200);
    place(&stage.alice.key).await.unauthorized("unauthorized", "unknown_key");
    place(&stage.bob.key).await.expect(200);
}
