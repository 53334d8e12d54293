//! `cancelOnDisconnect`: every end of an armed connection cancels its user's resting orders, once.

use std::time::Duration;

use api::signing::body_hash;
use exchange::Request;
use exchange::command::{Command, EndConnection, SuspendUser};
use exchange::id::UserId;
use exchange::identity::Actor;
use serde_json::{Value, json};
use server::streams::StreamSettings;
use stage::node::{Key, User, limit, sign, text};
use tokio::time::timeout;

use crate::hall::{Hall, PATIENCE};
use crate::reader::Reader;

pub const PATH: &str = "/ws/v1/user";

/// Credentials that prove nothing.
pub fn public(user: &User) -> Value {
    json!({"apiKey": user.key.public})
}

/// Signed by a key for one connection and one setting.
pub fn signed(key: &Key, timestamp: &str, client: &str, enabled: bool) -> Value {
    let hash = body_hash(format!("cancelOnDisconnect.{enabled}.{client}").as_bytes());
    let signature = sign(key, timestamp, "WS", PATH, &hash);
    json!({"apiKey": key.public, "timestamp": timestamp, "signature": signature})
}

/// Sends the setting and checks the acknowledgement.
pub async fn set(reader: &mut Reader, auth: &Value, enabled: bool) {
    reader.send(json!({"type": "cancelOnDisconnect", "enabled": enabled, "auth": auth})).await;
    let answer = reader.next().await;
    let expected =
        json!({"type": "cancelOnDisconnect", "enabled": enabled, "timestamp": answer["timestamp"]});
    assert_eq!(answer, expected);
}

/// Sends the setting as a user's own client would.
pub async fn set_signed(hall: &Hall, reader: &mut Reader, user: &User, enabled: bool) {
    let auth = signed(&user.key, &hall.stage.now_seconds().to_string(), &reader.client, enabled);
    set(reader, &auth, enabled).await;
}

pub async fn armed(hall: &Hall, user: &User) -> Reader {
    let mut reader = hall.connect(PATH).await;
    set_signed(hall, &mut reader, user, true).await;
    reader
}

async fn rest(hall: &Hall, user: &User) -> String {
    let book = &hall.stage.book;
    let order = hall.stage.place(&user.key, book, &limit(book.yes, "BUY", 4.0, 0.40)).await;
    text(&order["id"]).to_owned()
}

pub fn open_orders(app: &server::app::App, user: &User) -> u32 {
    let exchange = app.reading().state();
    let directory = exchange.directory();
    directory.user(directory.find(UserId::new(user.id.as_u128())).expect("a user")).open_orders()
}

pub fn connections(app: &server::app::App, user: &User) -> usize {
    let exchange = app.reading().state();
    let directory = exchange.directory();
    directory.user(directory.find(UserId::new(user.id.as_u128())).expect("a user")).connections.len()
}

/// Waits for the cancels, and checks that only Alice's orders are cancelled.
async fn all_cancelled(hall: &Hall) {
    let (alice, bob) = (&hall.stage.alice, &hall.stage.bob);
    hall.until("Alice's orders are gone", |app| open_orders(app, alice) == 0).await;
    assert_eq!((connections(hall.stage.app(), alice), open_orders(hall.stage.app(), bob)), (0, 1));
}

/// Both with an order that rests.
pub async fn trading() -> Hall {
    trading_with(StreamSettings::default()).await
}

async fn trading_with(settings: StreamSettings) -> Hall {
    let hall = Hall::open_with(settings).await;
    rest(&hall, &hall.stage.alice).await;
    rest(&hall, &hall.stage.bob).await;
    hall
}

async fn act(hall: &Hall, command: Command) {
    let request = Request { actor: Actor::System, idempotency: None, command };
    hall.stage.app().writing().sequencer().submit(request).await.expect("an answer").result.expect("taken");
}

#[tokio::test]
async fn a_client_that_closes_loses_its_orders_and_other_connections_get_the_reason() {
    let hall = trading().await;
    let (alice, book) = (&hall.stage.alice, &hall.stage.book);
    let message =
        json!({"type": "subscribe", "channel": "orders", "marketIds": [book.market], "auth": public(alice)});
    let mut watching = hall.subscribed(PATH, message).await;
    watching.acknowledged(&format!("orders:{}:{}", alice.id, book.market)).await;
    let mut reader = armed(&hall, alice).await;
    reader.send_raw(tokio_tungstenite::tungstenite::Message::Close(None)).await;
    let told = watching.next().await;
    assert_eq!(
        (&told["data"]["cause"], &told["data"]["order"]["status"]),
        (&json!("DISCONNECTED"), &json!("CANCELLED"))
    );
    all_cancelled(&hall).await;
}

#[tokio::test]
async fn a_connection_that_is_cut_without_a_close_frame_cancels() {
    let hall = trading().await;
    drop(armed(&hall, &hall.stage.alice).await);
    all_cancelled(&hall).await;
}

#[tokio::test]
async fn a_client_that_answers_no_ping_is_taken_for_gone() {
    let hall = trading_with(StreamSettings {
        ping_after: Duration::from_millis(50),
        idle_max: Duration::from_millis(100),
        close_max: Duration::from_millis(50),
        ..StreamSettings::default()
    })
    .await;
    // The client is connected but reads nothing, so it sends no pongs.
    let silent = armed(&hall, &hall.stage.alice).await;
    all_cancelled(&hall).await;
    drop(silent);
}

#[tokio::test]
async fn a_client_that_sends_too_much_is_ended_and_cancelled() {
    let hall = trading_with(StreamSettings { close_max: PATIENCE, ..StreamSettings::default() }).await;
    let mut reader = armed(&hall, &hall.stage.alice).await;
    for _ in 0..310 {
        reader.send(json!({"type": "ping", "auth": public(&hall.stage.alice)})).await;
    }
    let (_, end) = reader.rest().await;
    assert_eq!(end, Some((1008, "too many messages".to_owned())));
    all_cancelled(&hall).await;
}

#[tokio::test]
async fn a_revoked_key_ends_a_connection_that_is_only_armed() {
    let hall = trading().await;
    let alice = &hall.stage.alice;
    let reader = armed(&hall, alice).await;
    let path = format!("/v1/user/me/api-keys/{}", alice.key.id);
    let revoke =
        stage::node::delete(&path).header("x-auth-token", &alice.token).header("x-device-id", &alice.device);
    hall.stage.ask(revoke).await.expect(200);
    let (_, end) = reader.rest().await;
    assert_eq!(end, Some((1008, "the key or the session is no longer valid".to_owned())));
    all_cancelled(&hall).await;
}

#[tokio::test]
async fn a_suspended_user_is_cancelled_too() {
    let hall = trading().await;
    let alice = &hall.stage.alice;
    let mut reader = hall.connect(PATH).await;
    set(&mut reader, &json!({"accessToken": alice.token}), true).await;
    act(
        &hall,
        Command::SuspendUser(SuspendUser {
            user: UserId::new(alice.id.as_u128()),
            suspended: true,
            keep_orders: false,
        }),
    )
    .await;
    reader.rest().await;
    all_cancelled(&hall).await;
}

#[tokio::test]
async fn a_stop_cancels_before_the_node_is_gone() {
    let hall = trading().await;
    let reader = armed(&hall, &hall.stage.alice).await;
    hall.stop.send(true).expect("a listener");
    let (_, end) = reader.rest().await;
    assert_eq!(end, Some((1012, "the exchange is stopping: reconnect".to_owned())));
    timeout(PATIENCE, hall.serving).await.expect("a drain").expect("no panic");
    assert_eq!(open_orders(hall.stage.app(), &hall.stage.alice), 0);
    assert_eq!(open_orders(hall.stage.app(), &hall.stage.bob), 1);
}

#[tokio::test]
async fn an_end_that_was_already_recorded_cancels_no_later_orders() {
    let hall = trading().await;
    let reader = armed(&hall, &hall.stage.alice).await;
    let user = UserId::new(hall.stage.alice.id.as_u128());
    let connection = {
        let exchange = hall.stage.app().reading().state();
        let directory = exchange.directory();
        *directory.user(directory.find(user).expect("Alice")).connections.first().expect("armed")
    };
    // Another node reports the end first, so the connection's own end finds nothing to cancel.
    act(&hall, Command::EndConnection(EndConnection { user, connection })).await;
    all_cancelled(&hall).await;
    let later = rest(&hall, &hall.stage.alice).await;
    let before = hall.stage.seq();
    drop(reader);
    hall.until("its own end", |app| app.reading().state().seq() > before).await;
    let shown = hall.stage.read(&hall.stage.alice.key, &format!("/v1/pm/orders/{later}")).await.expect(200);
    assert_eq!(shown["status"], "open", "an end cancels once");
}

#[tokio::test]
async fn a_connection_that_was_disarmed_ends_without_a_cancel() {
    let hall = trading().await;
    let alice = &hall.stage.alice;
    let mut reader = armed(&hall, alice).await;
    set_signed(&hall, &mut reader, alice, true).await;
    set_signed(&hall, &mut reader, alice, false).await;
    assert_eq!(connections(hall.stage.app(), alice), 0);
    drop(reader);
    hall.until("its end", |app| app.streams().connections() == 0).await;
    assert_eq!(open_orders(hall.stage.app(), alice), 1);
}

#[tokio::test]
async fn only_the_user_endpoint_arms_and_its_errors_name_the_missing_field() {
    let hall = Hall::open().await;
    let alice = &hall.stage.alice;
    for path in ["/ws/v1/markets", "/ws/v1/realtime"] {
        let mut reader = hall.connect(path).await;
        reader.send(json!({"type": "cancelOnDisconnect", "enabled": true, "auth": public(alice)})).await;
        reader.failed("not available here: connect to /ws/v1/user").await;
    }
    let mut reader = hall.connect(PATH).await;
    reader.send(json!({"type": "cancelOnDisconnect", "enabled": true})).await;
    reader.failed("auth required").await;
    reader.send(json!({"type": "cancelOnDisconnect", "auth": public(alice)})).await;
    reader.failed("enabled is required").await;
    reader.send(json!({"type": "cancelOnDisconnect", "enabled": "yes", "auth": public(alice)})).await;
    reader.failed("Invalid message").await;
    assert_eq!(connections(hall.stage.app(), alice), 0);
}

#[tokio::test]
async fn ten_connections_of_a_user_can_be_armed_and_the_next_is_refused() {
    let hall = Hall::open().await;
    let alice = &hall.stage.alice;
    let mut readers = Vec::new();
    for _ in 0..10 {
        readers.push(armed(&hall, alice).await);
    }
    let mut one_more = hall.connect(PATH).await;
    let auth = signed(&alice.key, &hall.stage.now_seconds().to_string(), &one_more.client, true);
    one_more.send(json!({"type": "cancelOnDisconnect", "enabled": true, "auth": auth})).await;
    one_more.failed("10 connections").await;
    set_signed(&hall, &mut readers[0], alice, false).await;
    set_signed(&hall, &mut one_more, alice, true).await;
}
