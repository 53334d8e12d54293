//! Arming and disarming a connection: only by its owner, by a session, by the page's cookie or by a signature for
//! this very connection. A public key alone only reads, and costs its owner nothing.

use serde_json::{Value, json};
use stage::node::{Key, draft};

use crate::disconnecting::{PATH, armed, connections, open_orders, public, set, set_signed, signed, trading};
use crate::hall::Hall;
use crate::page::connect_page;
use crate::reader::Reader;

/// The error text for a message without a proof.
const PROOF: &str = "auth.accessToken, or auth.apiKey with auth.timestamp and auth.signature";

fn message(auth: &Value, enabled: bool) -> Value {
    json!({"type": "cancelOnDisconnect", "enabled": enabled, "auth": auth})
}

async fn ended(hall: &Hall) {
    hall.until("the end of all connections", |app| app.streams().connections() == 0).await;
}

#[tokio::test]
async fn a_stranger_with_a_public_key_neither_arms_nor_disarms_nor_uses_up_the_owners_places() {
    let hall = trading().await;
    let alice = &hall.stage.alice;
    let mut strangers = Vec::new();
    for _ in 0..12 {
        let mut stranger = hall.connect(PATH).await;
        for enabled in [true, false] {
            stranger.send(message(&public(alice), enabled)).await;
            stranger.failed(PROOF).await;
        }
        strangers.push(stranger);
    }
    assert_eq!(connections(hall.stage.app(), alice), 0);
    let mut owner = armed(&hall, alice).await;
    owner.send(message(&public(alice), false)).await;
    owner.failed(PROOF).await;
    assert_eq!(connections(hall.stage.app(), alice), 1, "it is still armed");
    set_signed(&hall, &mut owner, alice, false).await;
    drop((strangers, owner));
    ended(&hall).await;
    assert_eq!(open_orders(hall.stage.app(), alice), 1, "nothing was cancelled");
}

#[tokio::test]
async fn a_signature_holds_for_one_connection_one_setting_and_five_minutes() {
    let hall = Hall::open().await;
    let (alice, bob) = (&hall.stage.alice, &hall.stage.bob);
    let now = hall.stage.now_seconds();
    let at = |seconds: i64| (now + seconds).to_string();
    let other = hall.connect(PATH).await;
    let mut reader = hall.connect(PATH).await;
    let client = reader.client.clone();
    let stolen = Key { public: alice.key.public.clone(), ..bob.key.clone() };
    let without = |key: &str| {
        let mut auth = signed(&alice.key, &at(0), &client, true);
        auth.as_object_mut().expect("an object").remove(key);
        auth
    };
    let with = |key: &str, value: Value| {
        let mut auth = signed(&alice.key, &at(0), &client, true);
        auth[key] = value;
        auth
    };
    let mismatch = "auth.signature does not match";
    for (auth, words) in [
        (signed(&alice.key, &at(0), &other.client, true), mismatch),
        (signed(&alice.key, &at(0), "", true), mismatch),
        (signed(&alice.key, &at(0), &client, false), mismatch),
        (signed(&stolen, &at(0), &client, true), mismatch),
        (with("timestamp", json!(at(1))), mismatch),
        (signed(&alice.key, &at(-301), &client, true), "auth.timestamp is 301 seconds behind"),
        (signed(&alice.key, &at(301), &client, true), "auth.timestamp is 301 seconds ahead of"),
        (signed(&alice.key, "soon", &client, true), "auth.timestamp must be Unix seconds"),
        (with("signature", json!("?")), "auth.signature must be the base64"),
        (with("signature", json!("c2hvcnQ=")), "auth.signature must be the base64"),
        (without("signature"), PROOF),
        (without("timestamp"), PROOF),
        (with("apiKey", json!(bob.key.public)), mismatch),
        (with("apiKey", json!("pk_live_unknown")), "the key or the session is unknown"),
    ] {
        reader.send(message(&auth, true)).await;
        reader.failed(words).await;
    }
    assert_eq!(connections(hall.stage.app(), alice), 0);
    // Both ends of the window, and the timestamp as a number.
    for seconds in [-300, 300] {
        set(&mut reader, &signed(&alice.key, &at(seconds), &client, true), true).await;
    }
    assert_eq!(connections(hall.stage.app(), alice), 1);
    reader.send(message(&signed(&alice.key, &at(0), &client, true), false)).await;
    reader.failed(mismatch).await;
    assert_eq!(connections(hall.stage.app(), alice), 1, "a signature that arms does not disarm");
    let mut auth = signed(&alice.key, &at(0), &client, false);
    auth["timestamp"] = json!(now);
    set(&mut reader, &auth, false).await;
    assert_eq!(connections(hall.stage.app(), alice), 0);
}

#[tokio::test]
async fn a_session_and_a_page_arm_without_a_signature() {
    let hall = trading().await;
    let alice = &hall.stage.alice;
    let mut by_token = hall.connect(PATH).await;
    set(&mut by_token, &json!({"accessToken": alice.token, "deviceId": alice.device}), true).await;
    let mut page = connect_page(&hall, alice).await;
    page.send(json!({"type": "cancelOnDisconnect", "enabled": true})).await;
    assert_eq!(page.next().await["enabled"], true);
    assert_eq!(connections(hall.stage.app(), alice), 2);
    // Auth in a message takes precedence over the cookie, even if it proves nothing.
    page.send(message(&public(alice), false)).await;
    page.failed(PROOF).await;
    page.send(message(&json!({"accessToken": "token-unknown"}), false)).await;
    page.failed("the key or the session is unknown").await;
    drop(page);
    hall.until("the cancel", |app| open_orders(app, alice) == 0).await;
}

/// Sends this many signed cancels of all of Alice's orders; each must pass.
async fn cancel_all(hall: &Hall, times: usize) {
    let alice = &hall.stage.alice;
    for _ in 0..times {
        let request = draft("DELETE", "/v1/pm/orders").json(&json!({}));
        hall.stage.ask(request.signed(&alice.key, hall.stage.now_seconds())).await.expect(200);
    }
}

/// Sends this many signed writes of Alice's that cancel nothing; each must pass.
async fn watch(hall: &Hall, times: usize) {
    let alice = &hall.stage.alice;
    for _ in 0..times {
        let request = draft("PUT", &hall.stage.book.watchlist());
        hall.stage.ask(request.signed(&alice.key, hall.stage.now_seconds())).await.expect(200);
    }
}

#[tokio::test]
async fn messages_without_a_proof_cost_the_owner_no_write() {
    let hall = Hall::open().await;
    let alice = &hall.stage.alice;
    let wrong = |reader: &Reader| {
        let now = hall.stage.now_seconds().to_string();
        signed(&alice.key.with_secret("sk_live_guess"), &now, &reader.client, true)
    };
    for _ in 0..4 {
        let mut stranger = hall.connect(PATH).await;
        for _ in 0..5 {
            stranger.send(message(&public(alice), true)).await;
            assert_eq!(stranger.next().await["type"], "error");
            let auth = wrong(&stranger);
            stranger.send(message(&auth, true)).await;
            assert_eq!(stranger.next().await["type"], "error");
        }
    }
    // Arming is charged to the bucket of writes that are no cancels; cancels have their own.
    watch(&hall, 20).await;
    cancel_all(&hall, 20).await;
}

#[tokio::test]
async fn a_proven_arming_is_a_write_of_the_key_or_of_the_users_pages() {
    let hall = Hall::open().await;
    let alice = &hall.stage.alice;
    let mut reader = hall.connect(PATH).await;
    let by_session = json!({"accessToken": alice.token});
    for round in 0..20 {
        set(&mut reader, &by_session, round % 2 == 0).await;
    }
    reader.send(message(&by_session, true)).await;
    reader.failed("Rate limit exceeded: try again in 1 s").await;
    // The page's allowance is separate from the key's.
    for round in 0..20 {
        set_signed(&hall, &mut reader, alice, round % 2 == 0).await;
    }
    let auth = signed(&alice.key, &hall.stage.now_seconds().to_string(), &reader.client, true);
    reader.send(message(&auth, true)).await;
    reader.failed("Rate limit exceeded: try again in 1 s").await;
}

#[tokio::test]
async fn a_failed_proof_costs_a_connection_ten_messages() {
    let hall = Hall::open().await;
    let alice = &hall.stage.alice;
    let ping = json!({"type": "ping", "auth": public(alice)});
    let guesses = [
        json!({"accessToken": "token-guessed"}),
        signed(&alice.key.with_secret("sk_live_guess"), &hall.stage.now_seconds().to_string(), "", true),
    ];
    for auth in guesses {
        let mut reader = hall.connect(PATH).await;
        for _ in 0..20 {
            reader.send(message(&auth, true)).await;
            reader.failed("Unauthorized").await;
        }
        reader.send(ping.clone()).await;
        reader.failed("Rate limit exceeded").await;
        // One token is enough for one more guess; the rest of its cost becomes a debt.
        hall.stage.clock.advance_seconds(1);
        for _ in 0..9 {
            reader.send(ping.clone()).await;
            assert_eq!(reader.next().await["type"], "pong");
        }
        reader.send(message(&auth, true)).await;
        reader.failed("Unauthorized").await;
        hall.stage.clock.advance_seconds(1);
        reader.send(ping.clone()).await;
        assert_eq!(reader.next().await["type"], "pong");
        reader.send(ping.clone()).await;
        reader.failed("Rate limit exceeded").await;
    }
}
