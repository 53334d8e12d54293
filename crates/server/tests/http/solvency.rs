//! Solvency over HTTP, after every kind of move; and each user's own proof.

use api::proof::InclusionProof;
use exchange::command::{CloseTrading, Command, ResolveMarket, Target};
use exchange::id::MarketId;
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::{Stage, keys, limit, market, text};

/// The published state once it has reached the live state.
async fn solvency(stage: &Stage) -> Value {
    loop {
        let wanted = stage.seq();
        let body = stage.ask(stage::node::get("/v1/pm/solvency")).await.expect(200);
        if body["sequence"].as_u64() >= Some(wanted) {
            check(stage, &body);
            return body;
        }
        // Reads are limited, so the clock moves.
        stage.clock.advance_seconds(1);
        tokio::task::yield_now().await;
    }
}

/// Checks that must hold for every response.
fn check(stage: &Stage, body: &Value) {
    assert_eq!(body["solvent"], true, "{body}");
    assert_eq!(body["sequence"], stage.seq());
    let digest: String = stage.digest().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(body["stateDigest"], digest);
    let exact = |value: &Value| (value.as_f64().expect("a number") * 1_000_000.0).round() as i64;
    for accounts in body["currencies"].as_array().expect("currencies") {
        assert_eq!(accounts["sum"], 0, "{accounts}");
        let currency = text(&accounts["currency"]);
        let names = [
            "usersFree",
            "usersHeld",
            "houseFree",
            "houseHeld",
            "fees",
            "collateral",
            "external",
            "rounding",
        ];
        assert_eq!(names.iter().map(|name| exact(&accounts[*name])).sum::<i64>(), 0, "{accounts}");
        let sums = &body["proof"]["sums"][currency];
        assert_eq!(exact(&sums["money"]), exact(&accounts["usersFree"]) + exact(&accounts["usersHeld"]));
        let markets = body["markets"].as_array().expect("markets");
        let total = |key: &str| {
            markets
                .iter()
                .filter(|market| market["currency"] == currency)
                .map(|market| exact(&market[key]))
                .sum::<i64>()
        };
        assert_eq!(total("collateral"), exact(&accounts["collateral"]));
        assert_eq!(
            (total("usersYes"), total("usersNo")),
            (exact(&sums["yesShares"]), exact(&sums["noShares"]))
        );
        for market in markets {
            assert_eq!(
                (&market["backed"], &market["yesOutstanding"]),
                (&json!(true), &market["noOutstanding"])
            );
        }
    }
}

fn row<'a>(body: &'a Value, market: &uuid::Uuid, currency: &str) -> Option<&'a Value> {
    let rows = body["markets"].as_array().expect("markets");
    rows.iter().find(|row| row["marketId"] == market.to_string() && row["currency"] == currency)
}

async fn proof(stage: &Stage, user: &stage::node::User) -> InclusionProof {
    let answered = stage.read(&user.key, "/v1/pm/solvency/me").await;
    assert_eq!(answered.status, 200, "{}", answered.text());
    serde_json::from_str(&answered.text()).expect("a proof")
}

#[tokio::test]
async fn published_solvency_follows_trades_sets_and_settlement() {
    let stage = Stage::open().await;
    let first = solvency(&stage).await;
    assert_eq!(
        keys(&first),
        ["at", "currencies", "frameHash", "markets", "proof", "sequence", "solvent", "stateDigest"]
    );
    assert_eq!(keys(&first["proof"]), ["format", "leaves", "root", "sums"]);
    let before = row(&first, &stage.book.market, "USD").expect("a book").clone();
    assert_eq!((&before["collateral"], &before["yesOutstanding"]), (&json!(0), &json!(0)));
    let pool = row(&first, &stage.pool.market, "USD").expect("a pool");
    assert_eq!(pool["poolYes"], pool["collateral"], "a pool seeded at one half has all of its sets");

    // Alice mints 25 sets and offers 10 YES at 0.60, Bob takes 4 of them at 2 %, and rests a bid for 5 NO at 0.30.
    let minted = stage.write(&stage.alice.key, "POST", &stage.book.mint(), &json!({"quantity": 25})).await;
    minted.expect(200);
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "SELL", 6.0, 0.60)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 2.4, 0.60)).await;
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.no, "BUY", 1.5, 0.30)).await;
    stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.no, "BUY", 10.0)).await;
    let traded = solvency(&stage).await;
    let book = row(&traded, &stage.book.market, "USD").expect("a book");
    assert_eq!(
        (&book["collateral"], &book["usersYes"], &book["usersNo"]),
        (&json!(25), &json!(25), &json!(25))
    );
    let usd = &traded["currencies"][0];
    assert_eq!((&usd["currency"], &usd["usersHeld"]), (&json!("USD"), &json!(1.5)));
    assert!(usd["fees"].as_f64() > Some(0.0), "{usd}");
    assert_ne!(traded["proof"]["root"], first["proof"]["root"]);
    assert_ne!(traded["frameHash"], first["frameHash"]);

    let target = Target::Market(MarketId::new(stage.book.market.as_u128()));
    stage.operate(Command::CloseTrading(CloseTrading { target })).await;
    let id = MarketId::new(stage.book.market.as_u128());
    stage.operate(Command::ResolveMarket(ResolveMarket { market: id, outcome: Outcome::Yes })).await;
    let settled = solvency(&stage).await;
    assert_eq!(row(&settled, &stage.book.market, "USD"), None, "nothing is left of it");
    assert_eq!(settled["currencies"][0]["usersHeld"], 0, "what rested was refunded");
    assert_eq!(settled["currencies"][0]["external"], usd["external"], "nothing came in or went out");
    stage.close().await;
}

#[tokio::test]
async fn everyone_can_prove_to_be_in_the_published_root_and_a_newcomer_at_once() {
    let stage = Stage::open().await;
    stage.write(&stage.alice.key, "POST", &stage.book.mint(), &json!({"quantity": 25})).await.expect(200);
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "SELL", 6.0, 0.60)).await;
    let published = solvency(&stage).await;
    let (alice, bob) = (proof(&stage, &stage.alice).await, proof(&stage, &stage.bob).await);
    for (proof, user) in [(&alice, &stage.alice), (&bob, &stage.bob)] {
        assert_eq!(proof.check(), Ok(()));
        assert_eq!(published["proof"]["root"], proof.root.to_string());
        assert_eq!(published["sequence"], proof.sequence);
        assert_eq!(proof.leaf.user_id, user.id);
    }
    assert_ne!(alice.nonce, bob.nonce);
    assert_eq!(alice.leaf.balances.usd.free.to_string(), "975");
    let position = alice.leaf.positions.first().expect("a position");
    assert_eq!((position.yes_free.to_string(), position.yes_held.to_string()), ("15".into(), "10".into()));
    let mut richer = bob.clone();
    richer.leaf.balances.ngn.free = api::decimal::Money::from_units(100_000_000_001);
    assert!(richer.check().is_err(), "a changed balance is another root");
    let again = proof(&stage, &stage.alice).await;
    assert_eq!(again, alice, "while nothing happens the tree stays");
    let carol = stage.join("carol").await;
    let newcomer = proof(&stage, &carol).await;
    assert_eq!((newcomer.check(), newcomer.leaves), (Ok(()), 3));
    assert_eq!(newcomer.leaf.user_id, carol.id);
    stage.close().await;
}

#[tokio::test]
async fn a_proof_is_personal_and_the_published_state_is_not() {
    let stage = Stage::open().await;
    let public = stage.ask(stage::node::get("/v1/pm/solvency")).await;
    assert_eq!(public.header("cache-control"), Some("public, no-cache"));
    assert!(!public.text().contains(&stage.alice.id.to_string()));
    let tag = public.header("etag").expect("a tag").to_owned();
    let again = stage.ask(stage::node::get("/v1/pm/solvency").header("If-None-Match", &tag)).await;
    assert_eq!(again.status, 304);
    let personal = stage.read(&stage.alice.key, "/v1/pm/solvency/me").await;
    assert_eq!(personal.header("cache-control"), Some("private, no-store"));
    stage.close().await;
}
