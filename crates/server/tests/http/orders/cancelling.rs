//! Cancelling one order, and all of them.

use exchange::Request;
use exchange::command::{CancelOnDisconnect, Command, PauseTrading, Target};
use exchange::id::{ConnectionId, EventId, KeyId};
use exchange::identity::Actor;
use serde_json::{Value, json};
use stage::node::{Answered, Stage, delete, keys, limit, market, number, text};
use uuid::Uuid;

use crate::socket::{answered, listen, wire};

const ORDERS: &str = "/v1/pm/orders";
const CANCEL_ALL: &str = "/v1/pm/orders/cancel-all";

async fn cancel(stage: &Stage, order: &Value) -> Answered {
    stage.write_empty(&stage.alice.key, "DELETE", &format!("{ORDERS}/{}", text(&order["id"]))).await
}

async fn rest(stage: &Stage, outcome: Uuid, currency: &str) -> Value {
    let mut body = limit(outcome, "BUY", 400.0, 0.40);
    body["currency"] = json!(currency);
    stage.place(&stage.alice.key, &stage.book, &body).await
}

#[tokio::test]
async fn a_cancelled_order_comes_back_with_its_money() {
    let stage = Stage::open().await;
    let order = rest(&stage, stage.book.yes, "USD").await;
    let body = cancel(&stage, &order).await.expect(200);
    assert_eq!(keys(&body), ["message", "order"]);
    assert_eq!(body["message"], "Order cancelled");
    assert_eq!((text(&body["order"]["status"]), number(&body["order"]["remainingSize"])), ("cancelled", 0.0));
    let wallet = stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200);
    assert_eq!(number(&wallet["assets"][0]["availableBalance"]), 1_000.0);
}

#[tokio::test]
async fn an_order_that_is_closed_cannot_be_cancelled_again() {
    let stage = Stage::open().await;
    let order = rest(&stage, stage.book.yes, "USD").await;
    cancel(&stage, &order).await.expect(200);
    let body = cancel(&stage, &order).await.unprocessable("ORDER_NOT_OPEN");
    assert_eq!(body["message"], "The order is no longer open: it is cancelled");
}

#[tokio::test]
async fn an_order_on_a_pool_cannot_be_cancelled() {
    let stage = Stage::open().await;
    let order = stage.place(&stage.alice.key, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    cancel(&stage, &order).await.unprocessable("UNSUPPORTED_ENGINE");
}

#[tokio::test]
async fn anothers_order_and_an_unknown_one_are_not_found() {
    let stage = Stage::open().await;
    let open = stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let closed = stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.yes, "BUY", 10.0)).await;
    for order in [open.clone(), closed, json!({"id": Uuid::now_v7()}), json!({"id": "x"})] {
        let body = cancel(&stage, &order).await.expect(404);
        assert_eq!(body, json!({"error": "not_found", "message": "Order not found", "statusCode": 404}));
    }
    let shown = stage.read(&stage.bob.key, &format!("{ORDERS}/{}", text(&open["id"]))).await.expect(200);
    assert_eq!(shown["status"], "open");
}

#[tokio::test]
async fn a_paused_market_lets_orders_go() {
    let stage = Stage::open().await;
    let order = rest(&stage, stage.book.yes, "USD").await;
    let target = Target::Event(EventId::new(stage.book.event.as_u128()));
    stage.operate(Command::PauseTrading(PauseTrading { target })).await;
    cancel(&stage, &order).await.expect(200);
}

#[tokio::test]
async fn cancel_all_takes_what_its_conditions_name_and_nothing_of_others() {
    let stage = Stage::open().await;
    rest(&stage, stage.book.yes, "USD").await;
    let naira = rest(&stage, stage.book.yes, "NGN").await;
    let bobs = stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    let all = async |body: Value| stage.write(&stage.alice.key, "DELETE", ORDERS, &body).await.expect(200);
    assert_eq!(all(json!({"marketId": stage.pool.market})).await["total"], 0);
    assert_eq!(all(json!({"eventId": stage.pool.event})).await["total"], 0);
    let some = all(json!({"currency": "NGN", "eventId": stage.book.event})).await;
    assert_eq!(keys(&some), ["message", "orders", "total"]);
    assert_eq!((&some["message"], &some["total"]), (&json!("Orders cancelled"), &json!(1)));
    assert_eq!((&some["orders"][0]["id"], &some["orders"][0]["status"]), (&naira["id"], &json!("cancelled")));
    assert_eq!(all(json!({})).await["total"], 1);
    assert_eq!(all(json!({})).await, json!({"message": "Orders cancelled", "orders": [], "total": 0}));
    let shown = stage.read(&stage.bob.key, &format!("{ORDERS}/{}", text(&bobs["id"]))).await.expect(200);
    assert_eq!(shown["status"], "open");
}

#[tokio::test]
async fn cancel_all_without_a_body_means_everything() {
    let stage = Stage::open().await;
    for (method, path) in [("DELETE", ORDERS), ("POST", CANCEL_ALL)] {
        rest(&stage, stage.book.yes, "USD").await;
        rest(&stage, stage.book.no, "NGN").await;
        let bobs = stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
        let cancelled = stage.write_empty(&stage.alice.key, method, path).await.expect(200);
        assert_eq!((&cancelled["message"], &cancelled["total"]), (&json!("Orders cancelled"), &json!(2)));
        let shown = stage.read(&stage.bob.key, &format!("{ORDERS}/{}", text(&bobs["id"]))).await.expect(200);
        assert_eq!(shown["status"], "open", "{method} {path}");
        stage.clock.advance_seconds(1);
    }
}

#[tokio::test]
async fn a_delete_through_a_socket_with_neither_body_nor_length_cancels_everything() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    rest(&stage, stage.book.yes, "USD").await;
    rest(&stage, stage.book.no, "NGN").await;
    let signed = delete(ORDERS).header("connection", "close").signed(&stage.alice.key, stage.now_seconds());
    let request =
        String::from_utf8(wire(signed)).expect("a head in ASCII").replace("content-length: 0\r\n", "");
    let cancelled = answered(&listening.send(request.as_bytes()).await).expect(200);
    assert_eq!((&cancelled["message"], &cancelled["total"]), (&json!("Orders cancelled"), &json!(2)));
    let misspelt = delete(ORDERS).json(&json!({"marketID": stage.book.market}));
    let misspelt = listening.answer(misspelt.signed(&stage.alice.key, stage.now_seconds())).await;
    misspelt.refused(400, "bad_request");
}

#[tokio::test]
async fn cancel_all_by_post_takes_conditions_as_well() {
    let stage = Stage::open().await;
    rest(&stage, stage.book.yes, "USD").await;
    let naira = rest(&stage, stage.book.yes, "NGN").await;
    let body = json!({"currency": "NGN", "marketId": stage.book.market});
    let some = stage.write(&stage.alice.key, "POST", CANCEL_ALL, &body).await.expect(200);
    assert_eq!((&some["total"], &some["orders"][0]["id"]), (&json!(1), &naira["id"]));
}

#[tokio::test]
async fn cancel_all_refuses_conditions_that_it_cannot_read() {
    let stage = Stage::open().await;
    rest(&stage, stage.book.yes, "USD").await;
    let odd = [json!([]), json!({"marketId": "x"}), json!({"currency": "EUR"}), json!({"eventId": 7})];
    // A misspelt or empty condition does not mean all orders either.
    let missed = [json!({"market": stage.pool.market}), json!({"marketId": null}), json!({"currency": null})];
    for body in odd.into_iter().chain(missed) {
        stage.write(&stage.alice.key, "DELETE", ORDERS, &body).await.refused(400, "bad_request");
        stage.write(&stage.alice.key, "POST", CANCEL_ALL, &body).await.refused(400, "bad_request");
        stage.clock.advance_seconds(1);
    }
    let open = stage.read(&stage.alice.key, &format!("{ORDERS}?status=open")).await.expect(200);
    assert_eq!(open["pagination"]["totalCount"], 1);
}

#[tokio::test]
async fn cancel_after_cancels_resting_orders_unless_it_is_renewed() {
    let stage = Stage::open().await;
    let order = rest(&stage, stage.book.yes, "USD").await;
    let set = async |seconds: Value| {
        let body = json!({"seconds": seconds});
        stage.write(&stage.alice.key, "POST", "/v1/pm/orders/cancel-after", &body).await
    };
    let shown = async || {
        let path = format!("{ORDERS}/{}", text(&order["id"]));
        text(&stage.read(&stage.alice.key, &path).await.expect(200)["status"]).to_owned()
    };
    let armed = set(json!(60)).await.expect(200);
    assert_eq!(keys(&armed), ["cancelAt"]);
    assert_eq!(armed["cancelAt"], "2030-01-01T00:01:00Z");
    for _ in 0..3 {
        stage.clock.advance_seconds(50);
        set(json!(60)).await.expect(200);
    }
    assert_eq!(shown().await, "open", "it was set again in time");
    stage.clock.advance_seconds(60);
    stage.operate(Command::Tick).await;
    assert_eq!(shown().await, "cancelled");
    assert_eq!(set(json!(0)).await.expect(200), json!({"cancelAt": ""}));
    for wrong in [json!(86_401), json!(-1), json!("60"), json!(null)] {
        set(wrong).await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn orders_of_an_armed_connection_of_a_dead_node_are_cancelled_by_the_next_start() {
    let mut stage = Stage::open().await;
    let order = rest(&stage, stage.book.yes, "USD").await;
    let path = format!("{ORDERS}/{}", text(&order["id"]));
    // The state that a dead node leaves: armed in the journal, with no connection to end it.
    let actor = Actor::Key { key: KeyId::new(stage.alice.key.id.as_u128()), generation: 0 };
    let command =
        Command::CancelOnDisconnect(CancelOnDisconnect { connection: ConnectionId::new(7), enabled: true });
    let request = Request { actor, idempotency: None, command };
    stage.app().writing().sequencer().submit(request).await.expect("an answer").result.expect("armed");
    stage.restart_with_work().await;
    assert_eq!(stage.read(&stage.alice.key, &path).await.expect(200)["status"], "cancelled");
    let later = rest(&stage, stage.book.yes, "USD").await;
    stage.restart().await;
    let path = format!("{ORDERS}/{}", text(&later["id"]));
    assert_eq!(
        stage.read(&stage.alice.key, &path).await.expect(200)["status"],
        "open",
        "an end cancels once"
    );
}
