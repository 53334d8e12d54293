//! Random tickets in a moving market: a quote with all terms of an order is what the order then does, to the unit, if no
//! other command came between the two by `x-sequence`.

use serde_json::{Value, json};
use stage::node::{Answered, Market, Stage, post, text};
use stage::random::Random;
use uuid::Uuid;

const TICKETS: usize = 200;

fn sequence(answered: &Answered) -> u64 {
    answered.header("x-sequence").expect("a sequence").parse().expect("a number")
}

/// A number of `places` decimal places.
fn decimal(random: &mut Random, low: u64, high: u64, places: i32) -> f64 {
    (low + random.below(high - low + 1)) as f64 / 10_f64.powi(places)
}

fn chance(random: &mut Random, percent: u64) -> bool {
    random.below(100) < percent
}

/// An order with random terms, most of them well-formed.
fn ticket(random: &mut Random, market: &Market) -> Value {
    let outcome: Uuid = if chance(random, 50) { market.yes } else { market.no };
    let side = if chance(random, 70) { "BUY" } else { "SELL" };
    let mut body = json!({"side": side, "outcomeId": outcome});
    match chance(random, 50) {
        true => body["amount"] = json!(decimal(random, 1_000_000, 60_000_000, 6)),
        false => body["quantity"] = json!(decimal(random, 20_000, 900_000, 4)),
    }
    if chance(random, 50) {
        body["type"] = json!("MARKET");
        if chance(random, 70) {
            body["maxSlippage"] = json!(decimal(random, 0, 25, 2));
        }
        if chance(random, 20) {
            body["timeInForce"] = json!("FOK");
        }
    } else {
        body["type"] = json!("LIMIT");
        body["price"] = json!(decimal(random, 35, 65, 2));
        body["timeInForce"] = json!(random.one_of(&["GTC", "GTC", "FAK", "FOK"]));
        body["postOnly"] = json!(body["timeInForce"] == "GTC" && chance(random, 25));
    }
    body["stpMode"] = json!(random.one_of(&["SKIP", "CANCEL_OLDEST", "CANCEL_NEWEST", "CANCEL_BOTH"]));
    body
}

/// A resting order of another user, which moves the book.
async fn move_market(stage: &Stage, random: &mut Random) {
    let outcome = if chance(random, 50) { stage.book.yes } else { stage.book.no };
    let price = decimal(random, 35, 60, 2);
    let quantity = decimal(random, 30_000, 300_000, 4);
    let body =
        json!({"side": "BUY", "outcomeId": outcome, "quantity": quantity, "type": "LIMIT", "price": price});
    stage.write(&stage.bob.key, "POST", &stage.book.orders(), &body).await;
}

/// Compares an order with its quote and returns its status, or `refused`.
fn compare(body: &Value, quoted: &Answered, placed: &Answered) -> String {
    let context = format!("{body}: {} {}", quoted.text(), placed.text());
    let [quote, placed_body]: [Value; 2] =
        [quoted, placed].map(|answered| serde_json::from_slice(&answered.bytes).expect("a body"));
    if placed.status != 200 {
        let refusal = if quoted.status == 200 { &quote["order"]["refusal"] } else { &quote };
        assert_eq!(refusal["message"], placed_body["message"], "{context}");
        return "refused".to_owned();
    }
    assert_eq!(quoted.status, 200, "{context}");
    let (order, is_on_book) = (&placed_body["order"], placed_body["engine"] == "CLOB");
    let filled = if is_on_book { &order["filledSize"] } else { &order["quantity"] };
    assert_eq!(quote["order"]["status"], order["status"], "{context}");
    assert_eq!((&quote["quantity"], &quote["fee"]), (filled, &order["fee"]), "{context}");
    let rests = match text(&order["status"]) {
        "open" | "partial_filled" => order["remainingSize"].clone(),
        _ => json!(0),
    };
    assert_eq!(quote["order"]["restingSize"], rests, "{context}");
    text(&order["status"]).to_owned()
}

fn units(value: &Value) -> i64 {
    (value.as_f64().expect("a number") * 1e6).round() as i64
}

/// The free dollars of a user, in millionths.
async fn free(stage: &Stage) -> i64 {
    let wallet = stage.read(&stage.alice.key, "/v1/wallet/assets").await.expect(200);
    let assets = wallet["assets"].as_array().expect("assets");
    units(&assets.iter().find(|asset| asset["symbol"] == "USD").expect("dollars")["availableBalance"])
}

#[tokio::test]
async fn two_hundred_random_tickets_do_what_their_quotes_said_unless_the_market_moved() {
    let stage = Stage::open().await;
    let mut random = Random::new(20_261_117);
    for _ in 0..12 {
        move_market(&stage, &mut random).await;
    }
    let (mut compared, mut moved, mut seen) = (0, 0, Vec::new());
    for _ in 0..TICKETS {
        stage.clock.advance_seconds(2);
        let market = if chance(&mut random, 75) { &stage.book } else { &stage.pool };
        let body = ticket(&mut random, market);
        let before = free(&stage).await;
        let quoted_at = stage.seq();
        let quoted = stage.ask(post(&market.quote()).json(&body).named(&stage.alice.key)).await;
        if chance(&mut random, 25) {
            move_market(&stage, &mut random).await;
        }
        let placed_after = stage.seq();
        let placed = stage.write(&stage.alice.key, "POST", &market.orders(), &body).await;
        if quoted.status == 200 && placed.status == 200 {
            let is_next = sequence(&placed) == sequence(&quoted) + 1;
            assert_eq!(is_next, placed_after == quoted_at, "the sequences show whether the market moved");
        }
        if placed_after != quoted_at {
            moved += 1;
            continue;
        }
        compared += 1;
        let status = compare(&body, &quoted, &placed);
        let quote: Value = serde_json::from_slice(&quoted.bytes).expect("a body");
        if status != "refused" && quote["order"]["cancelledOrders"] == 0 {
            let (amount, hold) = (units(&quote["amount"]), units(&quote["order"]["hold"]));
            let change = if body["side"] == "BUY" { -(amount + hold) } else { amount };
            assert_eq!(free(&stage).await - before, change, "{body}: {quote}");
        }
        if !seen.contains(&status) {
            seen.push(status);
        }
    }
    assert!(compared > 120 && moved > 20, "{compared} compared, {moved} moved");
    for status in ["filled", "open", "partial_filled", "cancelled", "rejected", "refused"] {
        assert!(seen.iter().any(|seen| seen == status), "{status} is not among {seen:?}");
    }
}
