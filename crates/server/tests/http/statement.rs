//! A user's statement with its running balance, and the account's value over time.

use exchange::command::{CloseTrading, Command, DebitWallet, ResolveMarket, Target};
use exchange::id::{MarketId, UserId};
use exchange::numbers::{Currency, Money};
use exchange::order::Outcome;
use exchange::text::Text;
use serde_json::{Value, json};
use stage::node::{Key, Stage, get, has_keys, market, number, text, traded};

async fn list(stage: &Stage, key: &Key, query: &str) -> Vec<Value> {
    stage.clock.advance_seconds(1);
    let body = stage.read_signed(key, &format!("/v1/pm/statement?{query}")).await.expect(200);
    body["movements"].as_array().expect("rows").clone()
}

fn shown(rows: &[Value]) -> Vec<String> {
    rows.iter()
        .map(|row| format!("{} {} {}", text(&row["type"]), number(&row["amount"]), number(&row["balance"])))
        .collect()
}

#[tokio::test]
async fn every_movement_has_its_sign_and_the_balance_after_it() {
    let stage = Stage::open().await;
    traded(&stage).await;
    let key = &stage.alice.key;
    stage.write(key, "POST", &stage.book.mint(), &json!({"quantity": 20})).await.expect(200);
    stage.write(key, "POST", &stage.book.burn(), &json!({"quantity": 5})).await.expect(200);
    let book = MarketId::new(stage.book.market.as_u128());
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(book) })).await;
    stage.operate(Command::ResolveMarket(ResolveMarket { market: book, outcome: Outcome::Yes })).await;
    let user = UserId::new(stage.alice.id.as_u128());
    let (amount, reference) = (Money::whole(100), Text::from("to the bank"));
    let debit = DebitWallet { user, currency: Currency::Usd, amount, reference };
    stage.operate(Command::DebitWallet(debit)).await;

    let rows = list(&stage, key, "").await;
    let wanted = [
        "WITHDRAWAL -100 948.01748",
        "PAYOUT 93.2136 1048.01748",
        "BURN 5 954.80388",
        "MINT -20 949.80388",
        "SELL 9.80388 969.80388",
        "BUY -40 960",
        "DEPOSIT 1000 1000",
    ];
    assert_eq!(shown(&rows), wanted);
    let wallet = stage.read(key, "/v1/wallet/assets").await.expect(200);
    let dollars = &wallet["assets"][0];
    assert_eq!(number(&dollars["availableBalance"]) + number(&dollars["pendingBalance"]), 948.01748);
    assert_eq!((&rows[0]["reference"], rows[0].get("eventId")), (&json!("to the bank"), None));
    assert_eq!((rows[1].get("outcome"), number(&rows[3]["size"])), (None, 20.0), "both outcomes were held");
    has_keys(&rows[4], &["eventId", "marketId", "orderId", "price", "createdAt"]);
    assert_eq!(text(&rows[4]["eventTitle"]), "Will the book hold?");
    assert_eq!(shown(&list(&stage, key, "currency=NGN").await), ["DEPOSIT 100000 100000"]);
}

#[tokio::test]
async fn a_taker_pays_the_fee_and_a_loser_gets_a_line_without_money() {
    let stage = Stage::open().await;
    traded(&stage).await;
    stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.no, "BUY", 10.0)).await;
    let pool = MarketId::new(stage.pool.market.as_u128());
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(pool) })).await;
    stage.operate(Command::ResolveMarket(ResolveMarket { market: pool, outcome: Outcome::Yes })).await;
    let rows = list(&stage, &stage.bob.key, "size=3").await;
    assert_eq!((text(&rows[0]["type"]), number(&rows[0]["amount"])), ("PAYOUT", 0.0));
    assert_eq!(text(&rows[0]["outcome"]), "NO");
    assert_eq!((text(&rows[1]["type"]), number(&rows[1]["amount"])), ("BUY", -9.999978));
    assert_eq!((number(&rows[2]["amount"]), number(&rows[2]["fee"])), (-9.999958, 0.196078));
}

#[tokio::test]
async fn pages_follow_a_cursor() {
    let stage = Stage::open().await;
    traded(&stage).await;
    let key = &stage.alice.key;
    let first = stage.read_signed(key, "/v1/pm/statement?size=2").await.expect(200);
    let cursor = text(&first["nextCursor"]);
    let rest = stage.read_signed(key, &format!("/v1/pm/statement?size=2&after={cursor}")).await.expect(200);
    assert_eq!(shown(rest["movements"].as_array().expect("rows")), ["DEPOSIT 1000 1000"]);
    assert_eq!((&rest["pagination"]["totalCount"], rest.get("nextCursor")), (&json!(3), None));
    stage.read_signed(key, "/v1/pm/statement?currency=EUR").await.refused(400, "bad_request");
}

#[tokio::test]
async fn a_statement_needs_a_session_or_a_signature() {
    let stage = Stage::open().await;
    let statement = || get("/v1/pm/statement?size=2");
    stage.ask(statement().in_session(&stage.alice)).await.expect(200);
    stage.ask(statement().signed(&stage.alice.key, stage.now_seconds())).await.expect(200);
    stage.ask(statement().named(&stage.alice.key)).await.unauthorized("unauthorized", "header_missing");
    let forged = statement().signed(&stage.bob.key, stage.now_seconds()).without("x-public-key");
    stage.ask(forged.named(&stage.alice.key)).await.unauthorized("invalid_signature", "signature_mismatch");
}

#[tokio::test]
async fn the_value_of_an_account_follows_its_money_and_its_shares() {
    let stage = Stage::open().await;
    traded(&stage).await;
    let value = stage.read_signed(&stage.alice.key, "/v1/pm/account/value?timePeriod=ALL").await.expect(200);
    let points = value["points"].as_array().expect("points");
    let (first, last) = (&points[0], &points[points.len() - 1]);
    let numbers = ["cash", "positions", "value"].map(|key| number(&first[key]));
    assert_eq!(numbers, [1000.0, 0.0, 1000.0]);
    // 78.2136 shares at the shown price, which is the last price of the book.
    let position = stage.read(&stage.alice.key, "/v1/pm/portfolio").await.expect(200);
    let price = number(&position["outcomeBalances"][0]["market"]["outcome1Price"]);
    assert_eq!(number(&last["cash"]), 969.80388);
    assert!((number(&last["positions"]) - 78.2136 * price).abs() < 0.000_001, "{last}");
    let sum = number(&last["cash"]) + number(&last["positions"]);
    assert!((number(&last["value"]) - sum).abs() < 0.000_001, "{last}");
    let week = stage.read_signed(&stage.bob.key, "/v1/pm/account/value?timePeriod=1W").await.expect(200);
    assert_eq!(number(&week["points"][0]["value"]), 0.0, "there was no account a week ago");
}
