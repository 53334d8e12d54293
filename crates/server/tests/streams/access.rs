//! Access: auth in every message, no data of other users, and no messages after a key or a session has ended.

use exchange::Request;
use exchange::command::{
    ApprovePasswordReset, Command, RequestPasswordReset, ResetPassword, RevokeApiKey, RotateApiKey,
    SuspendUser,
};
use exchange::id::{Hash32, KeyId, RowId, UserId};
use exchange::identity::Actor;
use exchange::text::Text;
use exchange::time::Time;
use serde_json::{Value, json};
use stage::node::{limit, post};
use tokio::time::timeout;

use crate::hall::{Hall, PATIENCE};
use crate::reader::Reader;

const PATH: &str = "/ws/v1/user";
const REQUIRED: &str = "include auth.accessToken or auth.apiKey in every message";
const UNKNOWN: &str = "the key or the session is unknown or over";
const REVOKED: &str = "the key or the session is no longer valid";

fn subscribe(hall: &Hall, auth: Value) -> Value {
    json!({"type": "subscribe", "channel": "orders", "marketIds": [hall.stage.book.market], "auth": auth})
}

#[tokio::test]
async fn every_message_needs_auth_and_an_error_leaves_the_connection_open() {
    let hall = Hall::open().await;
    let alice = &hall.stage.alice;
    let mut reader = hall.connect(PATH).await;
    let mut without = subscribe(&hall, json!({}));
    reader.send(without.clone()).await;
    reader.failed(REQUIRED).await;
    without.as_object_mut().expect("an object").remove("auth");
    for message in [without, json!({"type": "ping"}), json!({"type": "unsubscribe", "room": "orders:x:y"})] {
        reader.send(message).await;
        reader.failed(REQUIRED).await;
    }
    for auth in [
        json!({"apiKey": "pk_live_unknown"}),
        json!({"apiKey": alice.key.secret.expose()}),
        json!({"accessToken": "token-unknown"}),
        json!({"accessToken": alice.token, "deviceId": "another"}),
        // A session in the message takes precedence, also a wrong one.
        json!({"accessToken": "token-unknown", "apiKey": alice.key.public}),
    ] {
        reader.send(subscribe(&hall, auth)).await;
        reader.failed(UNKNOWN).await;
    }
    for auth in [
        json!({"apiKey": alice.key.public}),
        json!({"accessToken": alice.token}),
        json!({"accessToken": alice.token, "deviceId": alice.device, "apiKey": "pk_live_unknown"}),
    ] {
        reader.send(json!({"type": "ping", "auth": auth})).await;
        // A connection may send ten messages in a second.
        hall.stage.clock.advance_seconds(1);
        assert_eq!(reader.next().await["type"], "pong");
    }
}

#[tokio::test]
async fn no_user_can_enter_the_rooms_of_another() {
    let hall = Hall::open().await;
    let (alice, bob) = (&hall.stage.alice, &hall.stage.bob);
    let mut reader = hall.connect(PATH).await;
    let mut message = subscribe(&hall, json!({"apiKey": bob.key.public}));
    message["userId"] = json!(alice.id);
    reader.send(message.clone()).await;
    reader.failed("userId is not yours").await;
    message["userId"] = json!(bob.id);
    message["room"] = json!(format!("orders:{}:{}", alice.id, hall.stage.book.market));
    reader.send(message).await;
    reader.acknowledged(&format!("orders:{}:{}", bob.id, hall.stage.book.market)).await;
    let book = &hall.stage.book;
    hall.stage.place(&alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    hall.stage.place(&bob.key, book, &limit(book.yes, "BUY", 30.0, 0.30)).await;
    assert_eq!(reader.next().await["data"]["order"]["userId"], json!(bob.id));
}

/// A reader with a subscription by a key, and one by a session.
async fn two_readers(hall: &Hall) -> [Reader; 2] {
    let alice = &hall.stage.alice;
    let room = format!("orders:{}:{}", alice.id, hall.stage.book.market);
    let mut by_key = hall.subscribed(PATH, subscribe(hall, json!({"apiKey": alice.key.public}))).await;
    let mut by_session = hall.subscribed(PATH, subscribe(hall, json!({"accessToken": alice.token}))).await;
    by_key.acknowledged(&room).await;
    by_session.acknowledged(&room).await;
    [by_key, by_session]
}

/// The last messages of a reader, all from before the revocation. Checks the close code and reason.
async fn ended(reader: Reader) -> Vec<Value> {
    // An open connection is pinged now and then, so a timeout for each message would never fire.
    let (messages, end) = timeout(PATIENCE, reader.rest()).await.expect("an end of the connection");
    assert_eq!(end, Some((1008, REVOKED.to_owned())), "{messages:?}");
    messages
}

async fn act(hall: &Hall, actor: Actor, command: Command) {
    let answer =
        hall.stage.app().writing().sequencer().submit(Request { actor, idempotency: None, command }).await;
    answer.expect("an answer").result.expect("a command that is taken");
}

#[tokio::test]
async fn a_revoked_and_a_rotated_key_stop_at_once_and_a_session_continues() {
    for is_rotated in [false, true] {
        let hall = Hall::open().await;
        let (alice, book) = (&hall.stage.alice, &hall.stage.book);
        let [by_key, mut by_session] = two_readers(&hall).await;
        let order = hall.stage.place(&alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
        assert_eq!(by_session.next().await["data"]["order"]["status"], "OPEN");
        let key = KeyId::new(alice.key.id.as_u128());
        let command = if is_rotated {
            Command::RotateApiKey(RotateApiKey { key })
        } else {
            Command::RevokeApiKey(RevokeApiKey { key })
        };
        let session = {
            let exchange = hall.stage.app().reading().state();
            let directory = exchange.directory();
            let user = directory.find(UserId::new(alice.id.as_u128())).expect("Alice");
            directory.user(user).sessions[0].id
        };
        act(&hall, Actor::Session { session }, command).await;
        // The order does not change, and still the connection ends.
        let seen = ended(by_key).await;
        assert!(seen.len() <= 1 && seen.iter().all(|message| message["data"]["order"]["id"] == order["id"]));
        by_session.send(json!({"type": "ping", "auth": {"accessToken": alice.token}})).await;
        assert_eq!(by_session.next().await["type"], "pong");
    }
}

#[tokio::test]
async fn changes_after_a_revocation_are_never_sent() {
    let hall = Hall::open().await;
    let (alice, bob, book) = (&hall.stage.alice, &hall.stage.bob, &hall.stage.book);
    hall.stage.place(&alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    let [by_key, _by_session] = two_readers(&hall).await;
    let path = format!("/v1/user/me/api-keys/{}", alice.key.id);
    let revoke =
        stage::node::delete(&path).header("x-auth-token", &alice.token).header("x-device-id", &alice.device);
    hall.stage.ask(revoke).await.expect(200);
    let revoked = hall.stage.seq();
    hall.stage.place(&bob.key, book, &limit(book.no, "BUY", 30.0, 0.60)).await;
    let seen = ended(by_key).await;
    assert!(seen.iter().all(|message| message["sequence"].as_u64() < Some(revoked)), "{seen:?}");
}

#[tokio::test]
async fn a_suspended_user_and_a_session_that_was_ended_or_is_over_see_nothing_more() {
    let hall = Hall::open().await;
    let alice = &hall.stage.alice;
    let user = UserId::new(alice.id.as_u128());
    let readers = two_readers(&hall).await;
    act(
        &hall,
        Actor::System,
        Command::SuspendUser(SuspendUser { user, suspended: true, keep_orders: false }),
    )
    .await;
    for reader in readers {
        assert!(ended(reader).await.is_empty());
    }

    let hall = Hall::open().await;
    let alice = &hall.stage.alice;
    let [mut by_key, by_session] = two_readers(&hall).await;
    let out =
        post("/v1/user/logout").header("x-auth-token", &alice.token).header("x-device-id", &alice.device);
    hall.stage.ask(out).await.expect(200);
    assert!(ended(by_session).await.is_empty());
    by_key.send(json!({"type": "ping", "auth": {"apiKey": alice.key.public}})).await;
    assert_eq!(by_key.next().await["type"], "pong");

    let hall = Hall::open().await;
    let (alice, book) = (&hall.stage.alice, &hall.stage.book);
    let [_, by_session] = two_readers(&hall).await;
    hall.stage.clock.advance_seconds(30 * 86_400);
    hall.stage.place(&alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    assert!(ended(by_session).await.is_empty());
}

#[tokio::test]
async fn a_password_reset_ends_the_streams_of_the_keys_that_it_revokes() {
    for keep_keys in [false, true] {
        let hall = Hall::open().await;
        let alice = &hall.stage.alice;
        let [mut by_key, by_session] = two_readers(&hall).await;
        let (user, token_hash) = (UserId::new(alice.id.as_u128()), Hash32::of("one-time"));
        let (code, network) = (Text::from("AB12CD"), Hash32::of("home"));
        act(
            &hall,
            Actor::System,
            Command::RequestPasswordReset(RequestPasswordReset {
                user,
                token_hash,
                code,
                network,
                address: None,
            }),
        )
        .await;
        act(&hall, Actor::System, Command::ApprovePasswordReset(ApprovePasswordReset { user, token_hash }))
            .await;
        let (row, expires_at) = (RowId::new(1), Time::NEVER);
        act(
            &hall,
            Actor::System,
            Command::ResetPassword(ResetPassword { token_hash, row, expires_at, keep_keys }),
        )
        .await;
        assert!(ended(by_session).await.is_empty());
        if keep_keys {
            by_key.send(json!({"type": "ping", "auth": {"apiKey": alice.key.public}})).await;
            assert_eq!(by_key.next().await["type"], "pong");
        } else {
            assert!(ended(by_key).await.is_empty());
        }
    }
}
