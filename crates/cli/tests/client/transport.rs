//! The bytes of each try, and the error after the last one, against a server with a script.

use std::collections::BTreeSet;
use std::time::Duration;

use client::{
    Access, Amendment, Answer, CancelConditions, Client, Decimal, Error, NewOrder, Order, Request, Result,
    Side, Size, TradeFilters, Uuid,
};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use crate::block_on;
use crate::scripted::{Reply, Scripted, Seen};

const SECRET: &str = "sk_live_secret";

fn fine() -> Reply {
    Reply::Answer(200, r#"{"fine":true}"#.to_owned())
}

fn refused(status: u16, more: Value) -> Reply {
    let mut body = json!({"error": "word", "message": "text", "statusCode": status});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    Reply::Answer(status, body.to_string())
}

fn client_of(server: &Scripted) -> Client {
    Client::builder(&server.url).key("pk_live_1", SECRET).build().expect("a client")
}

fn order() -> Request {
    Request::keyed_write("/v1/pm/orders", &json!({"amount": 10}), None).expect("a request")
}

/// An order as the exchange describes it.
fn order_with(status: &str, price: f64) -> Value {
    let (id, at) = (Uuid::nil(), "2026-01-01T00:00:00Z");
    json!({
        "id": id, "eventId": id, "marketId": id, "outcomeId": id, "outcome": "YES", "outcomeLabel": "Yes",
        "side": "BUY", "orderType": "LIMIT", "timeInForce": "GTC", "status": status, "price": price, "amount": 10,
        "size": 20, "filledSize": 20, "remainingSize": 0, "quantity": 20, "avgFillPrice": 0.5, "fee": 0,
        "currency": "USD", "postOnly": false, "stpMode": "SKIP", "createdAt": at, "updatedAt": at,
    })
}

/// The answer to a read of an order.
fn order_read(status: &str, price: f64) -> Reply {
    Reply::Answer(200, order_with(status, price).to_string())
}

/// An answer that is an event, an order, a batch, a list of cancelled orders and a mint at once.
fn answer_of_everything() -> Value {
    let (id, at) = (Uuid::nil(), "2026-01-01T00:00:00Z");
    let order = order_with("filled", 0.5);
    let market = json!({
        "id": id, "title": "A question", "status": "open", "outcome1Id": id, "outcome2Id": id,
        "outcome1Label": "Yes", "outcome2Label": "No", "outcome1Price": 0.5, "outcome2Price": 0.5,
        "yesBuyPrice": 0.5, "noBuyPrice": 0.5, "minimumOrderAmount": 1, "feePercentage": 2, "totalOrders": 1,
    });
    json!({
        "id": id, "slug": "a-slug", "title": "An event", "category": "sports", "type": "single", "engine": "CLOB",
        "status": "open", "liquidity": 1, "totalVolume": 1, "totalOrders": 1, "supportedCurrencies": ["USD"],
        "createdAt": at, "markets": [market], "order": order, "orders": [order], "results": [],
        "summary": {"total": 0, "succeeded": 0, "failed": 0}, "operationId": id, "marketId": id, "quantity": 5,
        "outcome1Price": 0.5, "outcome2Price": 0.5,
    })
}

/// The result of a request, and what arrived.
async fn send(replies: Vec<Reply>, request: &Request) -> (Result<Answer>, Vec<Seen>) {
    let server = Scripted::start(replies).await;
    (client_of(&server).send(request).await, server.seen())
}

fn header(seen: &[Seen], name: &str) -> BTreeSet<Option<String>> {
    seen.iter().map(|seen| seen.headers.get(name).cloned()).collect()
}

#[test]
fn a_write_that_adds_is_repeated_with_one_key_and_the_same_bytes() {
    let lost = [
        Reply::Drop,
        Reply::Cut,
        refused(500, json!({})),
        refused(503, json!({"outcome": "unknown"})),
        refused(409, json!({})),
        Reply::Answer(502, "<p>".to_owned()),
        Reply::Answer(200, "<html>".to_owned()),
    ];
    block_on(async {
        for reply in lost {
            let (result, seen) = send(vec![reply.clone(), reply.clone(), fine()], &order()).await;
            let answer = result.unwrap_or_else(|error| panic!("{reply:?}: {error}"));
            assert_eq!((answer.body.as_str(), seen.len()), (r#"{"fine":true}"#, 3), "{reply:?}");
            let keys = header(&seen, "idempotency-key");
            assert!(keys.len() == 1 && keys.iter().all(Option::is_some), "{reply:?}: {keys:?}");
            assert_eq!(header(&seen, "idempotency-window"), BTreeSet::from([Some("600".to_owned())]));
            let texts: BTreeSet<_> = seen.iter().map(|seen| format!("{} {}", seen.line, seen.body)).collect();
            assert_eq!(texts.len(), 1, "{texts:?}");
            assert!(!header(&seen, "x-signature").contains(&None));
        }
    });
}

/// The exchange's own test shows that a day of 20 placements a second with these keys is never refused for keys.
#[test]
fn every_call_that_adds_sends_a_key_that_lives_for_ten_minutes() {
    block_on(async {
        let server = Scripted::start(vec![Reply::Answer(200, answer_of_everything().to_string())]).await;
        let client = client_of(&server);
        let new_order = || NewOrder::new(Uuid::nil(), Side::Buy, Size::amount(10));
        client.place(&[new_order()]).await.expect("a batch");
        client.cancel_all(&CancelConditions::default()).await.expect("orders");
        client.place(&[new_order()]).await.expect("a batch");
        let event = client.event("a-slug").await.expect("an event");
        let market = event.market().expect("a market");
        market.yes().buy(10).await.expect("an order");
        market.mint(5).await.expect("a mint");
        market.burn(5).await.expect("a burn");
        let posted: Vec<_> = server.seen().into_iter().filter(|seen| seen.line.starts_with("POST")).collect();
        assert_eq!(header(&posted, "idempotency-window"), BTreeSet::from([Some("600".to_owned())]));
        assert_eq!(header(&posted, "idempotency-key").len(), 6, "{posted:#?}");
        let own = Request::keyed_write("/v1/pm/orders", &json!({}), Some("mine")).expect("a request");
        client.send(&own).await.expect("an answer");
        let last = server.seen().pop().expect("a request");
        assert_eq!(last.headers.get("idempotency-key").map(String::as_str), Some("mine"));
        assert_eq!(last.headers.get("idempotency-window"), None, "a key of the caller lives for a day");
    });
}

#[test]
fn cancels_and_amends_are_repeated_without_a_key() {
    block_on(async {
        let batch = r#"{"results":[],"summary":{"total":0,"succeeded":0,"failed":0},"cancelAt":""}"#;
        let server = Scripted::start(vec![Reply::Drop, Reply::Answer(200, batch.to_owned())]).await;
        let client = client_of(&server);
        client.cancel(&[Uuid::nil()]).await.expect("an answer");
        client.amend(&[Amendment::new(Uuid::nil()).size(3)]).await.expect("an answer");
        client.cancel_after(Duration::from_secs(60)).await.expect("an answer");
        let seen = server.seen();
        assert_eq!((seen.len(), header(&seen, "idempotency-key")), (4, BTreeSet::from([None])));
    });
}

#[test]
fn a_login_is_never_repeated_after_an_unknown_outcome_and_always_when_it_was_not_executed() {
    block_on(async {
        for reply in [Reply::Drop, Reply::Cut, refused(500, json!({}))] {
            let server = Scripted::start(vec![reply, fine()]).await;
            let failed = client_of(&server).create_key("ada@example.org", "secret", "name").await;
            assert!(matches!(failed, Err(Error::OutcomeUnknown { idempotency_key: None, .. })), "{failed:?}");
            assert_eq!(server.seen().len(), 1);
        }
        for status in [408, 429, 503] {
            let server = Scripted::start(vec![refused(status, json!({"retryAfter": 0})), fine()]).await;
            let unreadable = client_of(&server).create_key("ada@example.org", "secret", "name").await;
            assert!(matches!(unreadable, Err(Error::Unreadable { .. })), "{unreadable:?}");
            assert_eq!(server.seen().len(), 2);
        }
    });
}

#[test]
fn a_refusal_is_final_and_has_the_error_of_its_kind() {
    block_on(async {
        let keys = json!({"code": "TOO_MANY_IDEMPOTENCY_KEYS", "retryAfter": 1});
        for (status, more, code) in [
            (404, json!({}), ""),
            (401, json!({"reason": "unknown_key"}), ""),
            (422, json!({"code": "INSUFFICIENT_BALANCE"}), "INSUFFICIENT_BALANCE"),
            (429, keys, "TOO_MANY_IDEMPOTENCY_KEYS"),
            (302, json!({}), ""),
        ] {
            let (result, seen) = send(vec![refused(status, more), fine()], &order()).await;
            let error = result.expect_err("a refusal");
            assert_eq!((error.status(), error.code(), seen.len()), (Some(status), code, 1), "{error}");
            assert_eq!(matches!(error, Error::RateLimited(_)), status == 429);
            assert_eq!(header(&seen, "x-trace-id"), BTreeSet::from([Some(error.trace_id().to_owned())]));
        }
    });
}

#[test]
fn an_early_refusal_after_a_lost_answer_leaves_the_outcome_unknown_and_a_result_settles_it() {
    block_on(async {
        let (result, seen) = send(vec![Reply::Drop, refused(401, json!({}))], &order()).await;
        let Err(Error::OutcomeUnknown { idempotency_key, .. }) = result else { panic!("{result:?}") };
        assert_eq!(header(&seen, "idempotency-key"), BTreeSet::from([idempotency_key]));

        let closed = refused(422, json!({"code": "MARKET_NOT_OPEN"}));
        let (result, _) = send(vec![Reply::Drop, closed], &order()).await;
        let Err(Error::Refused(refusal)) = result else { panic!("{result:?}") };
        assert_eq!(refusal.code, "MARKET_NOT_OPEN");
        assert!(!refusal.is_repeated, "under a key it is the result of the first try too");
    });
}

#[test]
fn without_retries_the_command_of_an_unknown_outcome_is_named_and_a_lost_read_is_harmless() {
    block_on(async {
        let unknown = refused(503, json!({"outcome": "unknown", "commandId": Uuid::nil()}));
        let once = |server: &Scripted| {
            Client::builder(&server.url).key("pk", SECRET).retry(Duration::ZERO).build().expect("a client")
        };
        let server = Scripted::start(vec![unknown]).await;
        let failed = once(&server).send(&order()).await;
        let Err(Error::OutcomeUnknown { command_id, .. }) = failed else { panic!("{failed:?}") };
        assert_eq!(command_id, Some(Uuid::nil()));

        let server = Scripted::start(vec![Reply::Drop]).await;
        let failed = once(&server).send(&Request::read("/v1/pm/events", Access::Public)).await;
        assert!(matches!(failed, Err(Error::Transport { .. })), "{failed:?}");
    });
}

#[test]
fn a_try_that_takes_too_long_may_have_been_executed_and_an_exchange_that_is_not_there_executed_nothing() {
    block_on(async {
        // It accepts connections and never answers.
        let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", silent.local_addr().expect("an address"));
        let builder = Client::builder(&url).key("pk", SECRET).retry(Duration::ZERO);
        let client = builder.timeout(Duration::from_millis(100)).build().expect("a client");
        let failed = client.send(&order()).await;
        assert!(matches!(failed, Err(Error::OutcomeUnknown { .. })), "{failed:?}");
        drop(silent);
        let builder = Client::builder(url).key("pk", SECRET).retry(Duration::ZERO);
        let failed = builder.build().expect("a client").send(&order()).await;
        assert!(matches!(failed, Err(Error::Transport { .. })), "{failed:?}");
    });
}

#[test]
fn a_try_that_never_connects_executed_nothing() {
    block_on(async {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
        // Its backlog has room for one connection. The kernel lets further connections wait.
        let full = socket.listen(0).expect("a listener");
        let address = full.local_addr().expect("an address");
        let _first = TcpStream::connect(address).await.expect("a connection");
        let builder = Client::builder(format!("http://{address}")).key("pk", SECRET).retry(Duration::ZERO);
        let client = builder.timeout(Duration::from_secs(8)).build().expect("a client");
        let failed = client.send(&order()).await;
        assert!(matches!(failed, Err(Error::Transport { .. })), "{failed:?}");
    });
}

#[test]
fn a_pending_key_leaves_the_outcome_unknown_when_later_tries_are_not_executed() {
    block_on(async {
        let busy = refused(503, json!({"retryAfter": 400}));
        let (result, seen) = send(vec![refused(409, json!({})), busy], &order()).await;
        let Err(Error::OutcomeUnknown { idempotency_key, .. }) = result else { panic!("{result:?}") };
        assert_eq!((seen.len(), header(&seen, "idempotency-key")), (2, BTreeSet::from([idempotency_key])));
    });
}

/// An order that was read, from a server that sends these replies next.
async fn order_then(status: &str, mut replies: Vec<Reply>) -> (Order, Scripted) {
    replies.insert(0, order_read(status, 0.5));
    let server = Scripted::start(replies).await;
    (client_of(&server).order(Uuid::nil()).await.expect("an order"), server)
}

#[test]
fn a_cancel_whose_answer_was_lost_succeeds_if_a_read_confirms_it_and_else_says_that_it_is_not_known() {
    block_on(async {
        let not_open = || refused(422, json!({"code": "ORDER_NOT_OPEN"}));
        let confirmed = vec![Reply::Drop, not_open(), order_read("cancelled", 0.5)];
        order_then("open", confirmed).await.0.cancel().await.expect("a cancel");
        for read in [order_read("filled", 0.5), refused(404, json!({}))] {
            let (mut order, _server) = order_then("open", vec![Reply::Drop, not_open(), read]).await;
            let failed = order.cancel().await.expect_err("not confirmed");
            assert_eq!((failed.code(), failed.was_not_executed()), ("ORDER_NOT_OPEN", false), "{failed}");
        }
        let (mut order, _server) = order_then("open", vec![not_open()]).await;
        assert!(order.cancel().await.expect_err("filled before").was_not_executed());
    });
}

#[test]
fn an_amend_whose_answer_was_lost_succeeds_if_a_read_confirms_it_and_else_says_that_it_is_not_known() {
    block_on(async {
        let summary = json!({"total": 1, "succeeded": 0, "failed": 1});
        let item = json!({"index": 0, "error": {"code": "x", "message": "y", "reason": "ORDER_NOT_OPEN"}});
        let batch =
            |item: &Value| Reply::Answer(200, json!({"results": [item], "summary": summary}).to_string());
        let price = Decimal::new(4, 1);
        let confirmed = vec![Reply::Drop, batch(&item), order_read("filled", 0.4)];
        let (mut order, _server) = order_then("open", confirmed).await;
        order.amend(Some(price), None).await.expect("an amend");
        let denied = vec![Reply::Drop, batch(&item), order_read("filled", 0.5)];
        let (mut order, _server) = order_then("open", denied).await;
        let failed = order.amend(Some(price), None).await.expect_err("not confirmed");
        assert!(matches!(failed, Error::Item { is_repeated: true, .. }), "{failed}");
        let (mut order, _server) = order_then("open", vec![batch(&item)]).await;
        assert!(order.amend(Some(price), None).await.expect_err("closed before").was_not_executed());
        let (mut order, _server) = order_then("open", vec![batch(&json!({"index": 0}))]).await;
        let failed = order.amend(Some(price), None).await.expect_err("no result");
        assert!(matches!(failed, Error::Unreadable { .. }), "{failed}");
    });
}

#[test]
fn a_wait_ends_at_a_known_end_of_the_order_or_in_its_time() {
    block_on(async {
        let changes =
            json!({"sequence": 9, "changes": [{"type": "snapshot", "data": {"userId": Uuid::nil()}}]});
        let replies = vec![
            order_read("parked", 0.5),
            Reply::Answer(200, changes.to_string()),
            order_read("filled", 0.5),
        ];
        let (mut order, server) = order_then("open", replies).await;
        order.wait().await.expect("its end");
        assert!(order.is_filled() && server.seen().len() == 4, "a status of a newer exchange is no end");

        let (mut order, _server) = order_then("open", vec![Reply::Silence]).await;
        let late = order.wait_for(Duration::from_millis(10)).await.expect_err("no answer");
        assert!(matches!(late, Error::WaitTimedOut { .. }), "{late}");
    });
}

#[test]
fn a_write_without_a_secret_is_not_sent() {
    block_on(async {
        let server = Scripted::start(vec![fine()]).await;
        let reader = Client::builder(&server.url).public_key("pk_live_1").build().expect("a client");
        let stranger = Client::builder(&server.url).build().expect("a client");
        for (client, word) in [(reader, "secret"), (stranger, "key")] {
            let failed = client.send(&order()).await.expect_err("no secret");
            assert!(matches!(&failed, Error::Usage(words) if words.contains(word)), "{failed}");
        }
        assert!(server.seen().is_empty());
    });
}

#[test]
fn lists_ask_for_short_pages_follow_cursors_and_name_what_they_cannot_read() {
    block_on(async {
        let empty = json!({"data": [], "pagination": {"page": 1, "size": 3, "lastPage": 1, "totalCount": 0}});
        let server = Scripted::start(vec![Reply::Answer(200, empty.to_string())]).await;
        let trades = || client_of(&server).trades(TradeFilters::default());
        assert!(trades().first(3).await.expect("rows").is_empty());
        assert!(trades().first(0).await.expect("rows").is_empty());
        let lines: Vec<_> = server.seen().into_iter().map(|seen| seen.line).collect();
        assert_eq!(lines, ["GET /v1/pm/trades?size=3 HTTP/1.1"]);

        let page = |cursor: Option<&str>| {
            let body = json!({"series": [], "nextCursor": cursor, "pagination": {"lastPage": 9}});
            Reply::Answer(200, body.to_string())
        };
        let server = Scripted::start(vec![page(Some("a")), page(Some("b")), page(None)]).await;
        assert!(client_of(&server).series().all().await.expect("rows").is_empty());
        let lines: Vec<_> = server.seen().into_iter().map(|seen| seen.line).collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[1].contains("after=a") && lines[2].contains("after=b"), "{lines:?}");

        let server = Scripted::start(vec![Reply::Answer(200, r#"{"data":[{"id":"x"}]}"#.to_owned())]).await;
        let failed = client_of(&server).trades(TradeFilters::default()).all().await;
        assert!(matches!(failed, Err(Error::Unreadable { .. })), "{failed:?}");
    });
}
