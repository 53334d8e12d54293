//! The messages of `changes` one by one: snapshot, delta, heartbeat, resuming after a cut, access, and the equivalent
//! read.

use std::time::Duration;

use exchange::command::{Command, Finalise, PauseTrading, Propose, ResumeTrading, Target, Withdraw};
use exchange::governance::{Evidence, Subject, Verdict};
use exchange::id::{EventId, MarketId, ProposalId};
use exchange::numbers::Cents;
use exchange::text::Text;
use serde_json::{Value, json};
use server::streams::StreamSettings;
use stage::node::{get, limit, text};

use crate::hall::Hall;
use crate::reader::Reader;

const MARKETS: &str = "/ws/v1/markets";
const USER: &str = "/ws/v1/user";

/// A subscription to the stage's book in USD.
fn market(hall: &Hall, resume_from: Value) -> Value {
    let mut message =
        json!({"type": "subscribe", "channel": "changes", "marketIds": [hall.stage.book.market]});
    if !resume_from.is_null() {
        message["resumeFrom"] = resume_from;
    }
    message
}

fn account(key: &str) -> Value {
    json!({"type": "subscribe", "channel": "changes", "auth": {"apiKey": key}})
}

fn room(hall: &Hall) -> String {
    format!("changes:{}:USD", hall.stage.book.market)
}

async fn entered(hall: &Hall, resume_from: Value) -> Reader {
    let mut reader = hall.subscribed(MARKETS, market(hall, resume_from)).await;
    reader.acknowledged(&room(hall)).await;
    reader
}

#[tokio::test]
async fn a_market_starts_with_a_snapshot_and_continues_with_exact_deltas() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.place(&stage.alice.key, book, &limit(book.no, "BUY", 10.0, 0.40)).await;
    let first = stage.seq();
    let mut reader = entered(&hall, Value::Null).await;
    let at = reader.next().await;
    let expected = json!({
        "type": "snapshot", "room": room(&hall), "sequence": first, "timestamp": at["timestamp"],
        "data": {
            "marketId": book.market, "eventId": book.event, "currency": "USD", "engine": "CLOB", "status": "open",
            "prices": {"outcome1Price": 0.5, "outcome2Price": 0.5, "yesBuyPrice": 0.6, "noBuyPrice": 0.6},
            "terms": {"feePercentage": 2, "minimumOrderAmount": 1},
            "bids": [{"price": 0.4, "quantity": 100}], "asks": [{"price": 0.6, "quantity": 25}],
            "resolution": {"settledAt": ""},
        },
    });
    assert_eq!(at, expected);

    // Bob takes all of the bid with a MINT, and the rest of his order rests.
    let taker = stage.place(&stage.bob.key, book, &limit(book.no, "BUY", 90.0, 0.60)).await;
    let traded = reader.next().await;
    assert_eq!(
        (traded["sequence"].as_u64(), &traded["previousSequence"]),
        (Some(stage.seq()), &json!(first))
    );
    let data = &traded["data"];
    assert_eq!(data["bids"], json!([{"price": 0.4, "quantity": 0}]));
    assert_eq!(data["asks"], json!([{"price": 0.4, "quantity": 50}]));
    assert_eq!(data["lastTrade"], json!({"price": 0.4, "side": "SELL"}));
    assert_eq!((data.get("status"), data.get("resolution")), (None, None), "{data}");
    let trades = data["trades"].as_array().expect("trades");
    assert_eq!((trades.len(), &trades[0]["takerOrderId"]), (1, &taker["id"]));
    assert_eq!((&trades[0]["matchType"], &trades[0]["size"]), (&json!("MINT"), &json!(100)));

    // Changes of another market are not sent to the room.
    let pool = &stage.pool;
    stage.place(&stage.alice.key, pool, &stage::node::market(pool.yes, "BUY", 10.0)).await;
    let path = format!("/v1/pm/orders/{}", text(&taker["id"]));
    stage.write_empty(&stage.bob.key, "DELETE", &path).await.expect(200);
    let cancelled = reader.next().await;
    assert_eq!(cancelled["previousSequence"], traded["sequence"]);
    assert_eq!(cancelled["data"]["asks"], json!([{"price": 0.4, "quantity": 0}]));
    assert_eq!(cancelled["data"].get("trades"), None);
}

#[tokio::test]
async fn lifecycle_and_resolution_of_a_market_are_sent() {
    let hall = Hall::open().await;
    let book = &hall.stage.book;
    let (market, event) = (MarketId::new(book.market.as_u128()), EventId::new(book.event.as_u128()));
    let mut reader = entered(&hall, Value::Null).await;
    reader.next().await;
    let target = Target::Market(market);
    for (command, status) in [
        (Command::PauseTrading(PauseTrading { target }), "paused"),
        (Command::ResumeTrading(ResumeTrading { target }), "open"),
    ] {
        hall.stage.operate(command).await;
        assert_eq!(reader.next().await["data"]["status"], status);
    }
    let propose = |id: u128| {
        Command::Propose(Propose {
            id: ProposalId::new(id),
            subject: Subject::Resolution {
                event,
                verdict: Verdict::Cancelled { yes: Cents::new(70).expect("cents") },
            },
            evidence: Evidence { text: Text::from("it rained"), link: Text::default() },
        })
    };
    hall.stage.operate(propose(1)).await;
    let proposed = reader.next().await;
    let resolution = &proposed["data"]["resolution"];
    assert_eq!(resolution["proposal"]["verdict"]["yesPrice"], 0.7, "{proposed}");
    assert_eq!(resolution["proposal"]["evidence"]["text"], "it rained");
    let reason = Text::from("it did not");
    hall.stage.operate(Command::Withdraw(Withdraw { proposal: ProposalId::new(1), reason })).await;
    let withdrawn = reader.next().await;
    let resolution = &withdrawn["data"]["resolution"];
    assert_eq!(
        (resolution.get("proposal"), &resolution["lastVerdict"]["reason"]),
        (None, &json!("it did not"))
    );
    hall.stage.operate(propose(2)).await;
    assert!(reader.next().await["data"]["resolution"]["proposal"].is_object());
    hall.stage.operate(Command::Finalise(Finalise { proposal: ProposalId::new(2) })).await;
    let ended = reader.next().await;
    let data = &ended["data"];
    assert_eq!(
        (&data["status"], &data["prices"]["outcome1Price"]),
        (&json!("cancelled"), &json!(0.7)),
        "{ended}"
    );
    assert_eq!(data["resolution"]["yesPayout"], 0.7);
    assert_eq!(data["resolution"]["lastVerdict"]["ending"], "finalised", "{ended}");
}

#[tokio::test]
async fn an_account_starts_with_a_snapshot_and_continues_with_deltas_in_its_own_terms() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let resting = stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    let mut readers = Vec::new();
    for user in [&stage.alice, &stage.bob] {
        let mut reader = hall.subscribed(USER, account(&user.key.public)).await;
        reader.acknowledged(&format!("changes:{}", user.id)).await;
        readers.push((reader.next().await, reader));
    }
    let (whole, _) = &readers[0];
    assert_eq!(whole["data"]["orders"], json!([{"order": resting}]));
    let wallet = json!({"currency": "USD", "availableBalance": 960, "pendingBalance": 40});
    assert_eq!(whole["data"]["wallets"][0], wallet);
    assert_eq!(whole["data"].get("positions"), None);

    let taking = stage.place(&stage.bob.key, book, &limit(book.no, "BUY", 60.0, 0.60)).await;
    let told = [readers[0].1.next().await, readers[1].1.next().await];
    for (told, order, cause, side) in [
        (&told[0], &resting, "FILLED", json!(["MAKER", "YES", "BUY", 0.4, 0])),
        (&told[1], &taking, "PLACED", json!(["TAKER", "NO", "BUY", 0.6, 1.2])),
    ] {
        let data = &told["data"];
        let (changed, fill) = (&data["orders"][0], &data["fills"][0]);
        assert_eq!((&changed["cause"], &changed["order"]["id"]), (&json!(cause), &order["id"]));
        assert_eq!((&changed["order"]["status"], &fill["matchType"]), (&json!("filled"), &json!("MINT")));
        let own = ["role", "outcome", "side", "price", "fee"].map(|key| fill[key].clone());
        assert_eq!(json!(own), side, "{told}");
        assert_eq!(data["positions"][0]["balance"], 100);
        assert_eq!(told["sequence"].as_u64(), Some(stage.seq()));
    }
    assert_eq!(
        told[0]["data"]["wallets"],
        json!([{"currency": "USD", "availableBalance": 960, "pendingBalance": 0}])
    );
}

#[tokio::test]
async fn a_reader_resumes_with_the_bytes_that_others_got_or_starts_with_a_snapshot() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let mut staying = entered(&hall, Value::Null).await;
    let whole = staying.next().await;
    let mut live = Vec::new();
    for cents in 10..15 {
        stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 5.0, f64::from(cents) / 100.0)).await;
        live.push(staying.next_raw().await);
    }
    let sequence = |message: &tokio_tungstenite::tungstenite::Message| {
        let message: Value = serde_json::from_str(message.to_text().expect("a text")).expect("JSON");
        message["sequence"].clone()
    };
    // From the snapshot, from the middle, from a sequence that is not of this room.
    for (from, missed) in [(whole["sequence"].clone(), 0), (sequence(&live[2]), 3)] {
        let mut back = entered(&hall, from).await;
        for expected in &live[missed..] {
            assert_eq!(back.next_raw().await, *expected, "the very same bytes");
        }
    }
    // From the current sequence: only new messages.
    let mut present = entered(&hall, sequence(&live[4])).await;
    // Unknown ones, old and absurd.
    for from in [0, 1, stage.seq() + 1, u64::MAX] {
        let mut lost = entered(&hall, json!(from)).await;
        let message = lost.next().await;
        assert_eq!(
            (&message["type"], &message["sequence"]),
            (&json!("snapshot"), &sequence(&live[4])),
            "{from}"
        );
        assert_eq!(message["data"]["bids"].as_array().map(Vec::len), Some(5));
    }
    stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 5.0, 0.20)).await;
    let next = present.next().await;
    assert_eq!((&next["type"], &next["previousSequence"]), (&json!("delta"), &sequence(&live[4])));
    // A second subscription on one connection starts with a snapshot.
    present.send(market(&hall, Value::Null)).await;
    present.acknowledged(&room(&hall)).await;
    assert_eq!(present.next().await["type"], "snapshot");
}

#[tokio::test]
async fn a_silent_room_reports_its_head() {
    let settings = StreamSettings { heartbeat_every: Duration::from_millis(20), ..StreamSettings::default() };
    let hall = Hall::open_with(settings).await;
    let (stage, pool) = (&hall.stage, &hall.stage.pool);
    let mut reader = entered(&hall, Value::Null).await;
    let whole = reader.next().await;
    // A change in another room.
    stage.place(&stage.alice.key, pool, &stage::node::market(pool.yes, "BUY", 10.0)).await;
    let beat = loop {
        let beat = reader.next().await;
        if beat["head"].as_u64() >= Some(stage.seq()) {
            break beat;
        }
    };
    let expected = json!({
        "type": "heartbeat", "room": room(&hall), "sequence": whole["sequence"], "head": stage.seq(),
        "timestamp": beat["timestamp"],
    });
    assert_eq!(beat, expected);
    assert_ne!(beat["head"], beat["sequence"]);
}

#[tokio::test]
async fn wrong_subscriptions_get_an_error_with_the_reason() {
    let hall = Hall::open().await;
    let (alice, bob) = (&hall.stage.alice, &hall.stage.bob);
    let mut reader = hall.connect(MARKETS).await;
    let unknown = uuid::Uuid::nil();
    let hidden = hall.stage.hidden.market;
    for (message, words) in [
        (
            json!({"type": "subscribe", "channel": "changes"}),
            "marketIds are required to subscribe to changes",
        ),
        (json!({"type": "subscribe", "channel": "changes", "marketIds": [unknown]}), "Market not found"),
        (json!({"type": "subscribe", "channel": "changes", "marketIds": [hidden]}), "Market not found"),
        (market(&hall, json!(-1)), "resumeFrom"),
        (market(&hall, json!("12")), "resumeFrom"),
        (market(&hall, json!(1.5)), "resumeFrom"),
    ] {
        reader.send(message).await;
        reader.failed(words).await;
    }
    let mut reader = hall.connect("/ws/v1/realtime").await;
    reader.send(json!({"type": "subscribe", "channel": "changes"})).await;
    reader.failed("connect to /ws/v1/markets or /ws/v1/user").await;
    let mut reader = hall.connect(USER).await;
    reader.send(json!({"type": "subscribe", "channel": "changes"})).await;
    reader.failed("include auth.accessToken or auth.apiKey").await;
    let mut other = account(&bob.key.public);
    other["userId"] = json!(alice.id);
    reader.send(other.clone()).await;
    reader.failed("userId is not yours").await;
    // The room is the key owner's, even if the message names others.
    other["userId"] = json!(bob.id);
    other["room"] = json!(format!("changes:{}", alice.id));
    other["marketIds"] = json!([hall.stage.book.market]);
    reader.send(other).await;
    reader.acknowledged(&format!("changes:{}", bob.id)).await;
    assert_eq!(reader.next().await["data"]["userId"], json!(bob.id));
}

#[tokio::test]
async fn a_revoked_key_sees_nothing_more_of_its_account() {
    let hall = Hall::open().await;
    let (stage, alice, bob, book) = (&hall.stage, &hall.stage.alice, &hall.stage.bob, &hall.stage.book);
    stage.place(&alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    let mut reader = hall.subscribed(USER, account(&alice.key.public)).await;
    reader.acknowledged(&format!("changes:{}", alice.id)).await;
    assert_eq!(reader.next().await["type"], "snapshot");
    let path = format!("/v1/user/me/api-keys/{}", alice.key.id);
    stage.ask(stage::node::delete(&path).in_session(alice)).await.expect(200);
    let revoked = stage.seq();
    stage.place(&bob.key, book, &limit(book.no, "BUY", 30.0, 0.60)).await;
    let (seen, end) = reader.rest().await;
    assert_eq!(end, Some((1008, "the key or the session is no longer valid".to_owned())));
    assert!(seen.iter().all(|message| message["sequence"].as_u64() < Some(revoked)), "{seen:?}");
    stage.clock.advance_seconds(1);
    stage.read(&alice.key, "/v1/pm/account/changes").await.unauthorized("unauthorized", "unknown_key");
}

#[tokio::test]
async fn a_read_gives_the_bytes_of_the_stream_and_waits_if_it_is_asked_to() {
    let hall = Hall::open().await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let path = format!("/v1/pm/markets/{}/changes", book.market);
    let begun = stage.ask(get(&path)).await;
    let whole = begun.expect(200);
    let after = whole["sequence"].as_u64().expect("a sequence");
    assert_eq!((&whole["room"], &whole["changes"][0]["type"]), (&json!(room(&hall)), &json!("snapshot")));
    assert_eq!(begun.header("x-sequence"), Some(whole["head"].to_string().as_str()));
    let quiet = stage.ask(get(&format!("{path}?after={after}"))).await.expect(200);
    assert_eq!((&quiet["changes"], &quiet["sequence"]), (&json!([]), &json!(after)));

    let mut reader = entered(&hall, Value::Null).await;
    reader.next().await;
    // The read waits for the orders that are placed meanwhile.
    let router = stage.router();
    let patient = tokio::spawn(stage::node::ask(router, get(&format!("{path}?after={after}&wait=20"))));
    tokio::task::yield_now().await;
    stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 5.0, 0.10)).await;
    let waited = patient.await.expect("no panic").expect(200);
    stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 5.0, 0.11)).await;
    let live = [reader.next().await, reader.next().await];
    assert_eq!(waited["changes"][0], live[0]);
    let all = stage.ask(get(&format!("{path}?after={after}"))).await.expect(200);
    assert_eq!((&all["changes"], &all["sequence"]), (&json!(live), &json!(stage.seq())));
    let one = stage.ask(get(&format!("{path}?after={after}&limit=1"))).await.expect(200);
    assert_eq!((&one["changes"], &one["sequence"]), (&json!([live[0]]), &live[0]["sequence"]));
    assert_eq!(one["head"], one["sequence"], "what follows is not in it");
}

#[tokio::test]
async fn rooms_without_subscribers_are_dropped_and_others_keep_to_their_bounds() {
    let settings = StreamSettings {
        heartbeat_every: Duration::from_millis(10),
        changes_kept_for: Duration::from_millis(10),
        changes_kept_max: 2,
        ..StreamSettings::default()
    };
    let hall = Hall::open_with(settings).await;
    let (stage, book) = (&hall.stage, &hall.stage.book);
    let reader = entered(&hall, Value::Null).await;
    hall.until("a room that is kept", |app| app.streams().change_logs() == 1).await;
    let path = format!("/v1/pm/markets/{}/changes", book.market);
    let after = stage.seq();
    for cents in 10..14 {
        stage.place(&stage.alice.key, book, &limit(book.yes, "BUY", 5.0, f64::from(cents) / 100.0)).await;
    }
    let recent = stage.ask(get(&format!("{path}?after={}", after + 2))).await.expect(200);
    assert_eq!(recent["changes"].as_array().map(Vec::len), Some(2));
    let old = stage.ask(get(&format!("{path}?after={}", after + 1))).await.expect(200);
    assert_eq!(old["changes"][0]["type"], "snapshot");
    drop(reader);
    hall.until("a room that is given up", |app| app.streams().change_logs() == 0).await;
}
