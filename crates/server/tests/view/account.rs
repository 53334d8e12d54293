//! A user's holdings, money and keys; quotes and complete sets.

use api::query::PortfolioQuery;
use api::response::{ApiKeys, Portfolio};
use api::signing::SecretKey;
use exchange::id::KeyId;
use exchange::index::UserIndex;
use exchange::numbers::Currency;
use exchange::reply::Reply;
use expect_test::{Expect, expect};
use server::view;

use crate::stage::{Stage, event_id, id, market_id, uuid};

fn portfolio(stage: &Stage, query: &str) -> Portfolio {
    let query = PortfolioQuery::parse(&stage.ids_in(query)).expect("a readable query");
    view::portfolio(&stage.exchange, stage.user_index("bob"), &query)
}

/// Bob holds YES of both markets, in both currencies, and offers some of it.
fn invested() -> Stage {
    let mut stage = Stage::usual();
    stage.limit("alice", "bid", "BUY YES", "100", "0.40");
    stage.limit("alice", "ask", "BUY NO", "50", "0.45");
    let buy = r#"{"side":"BUY","outcomeId":"{rain YES}","quantity":40,"type":"MARKET"}"#;
    stage.place("bob", "b1", "rain", buy).expect("a fill");
    stage.limit("bob", "offer", "SELL YES", "15", "0.90");
    let buy = r#"{"side":"BUY","outcomeId":"{snow YES}","amount":5000,"type":"MARKET","currency":"NGN"}"#;
    stage.place("bob", "b2", "snow", buy).expect("a fill");
    stage.limit("bob", "bid of bob", "BUY YES", "10", "0.10");
    stage
}

#[test]
fn a_portfolio_values_what_a_sale_would_bring() {
    let stage = invested();
    expect![[r#"
        {
          "outcomeBalances": [
            {
              "id": "3d305804-2348-8759-84c8-66f659decbe1",
              "outcome": "YES",
              "outcomeId": "{rain YES}",
              "assetId": "7b4aebf6-b566-8f30-876c-58d516b4879f",
              "userId": "{bob}",
              "balance": 40,
              "availableBalance": 25,
              "averagePrice": 0.561,
              "cost": 22.44,
              "currentValue": 15.68,
              "sellPrice": 0.392,
              "payoutIfOutcomeWins": 40,
              "percentageChange": -30.12,
              "currency": "USD",
              "market": {
                "id": "{rain}",
                "title": "Will there be rain?",
                "imageUrl": "",
                "outcome1Id": "{rain YES}",
                "outcome2Id": "{rain NO}",
                "outcome1Label": "YES",
                "outcome2Label": "NO",
                "outcome1Price": 0.475,
                "outcome2Price": 0.525,
                "event": {
                  "id": "{rain/event}",
                  "title": "rain on Friday",
                  "type": "single",
                  "engine": "CLOB"
                }
              },
              "createdAt": "2026-01-01T00:00:03Z",
              "updatedAt": "2026-01-01T00:00:03Z"
            }
          ],
          "portfolioCost": 22.44,
          "portfolioCurrentValue": 15.68,
          "portfolioPercentageChange": -30.12,
          "pagination": {
            "page": 1,
            "size": 100,
            "lastPage": 1,
            "totalCount": 1
          }
        }"#]]
    .assert_eq(&stage.show(&portfolio(&stage, "currency=USD")));
}

#[test]
fn portfolio_totals_cover_all_rows_and_never_mix_money() {
    let stage = invested();
    let totals = |query: &str| {
        let shown = portfolio(&stage, query);
        let (cost, value) = (shown.portfolio_cost, shown.portfolio_current_value);
        let change = shown.portfolio_percentage_change;
        format!(
            "{} of {}: {cost} {value} {change} %",
            shown.outcome_balances.len(),
            shown.pagination.total_count
        )
    };
    // 4999.9992 NGN count as much as 49.999992 USD.
    let table: [(&str, Expect); 6] = [
        ("", expect!["2 of 2: 72.439992 63.71911 -12.04 %"]),
        ("size=1&page=2", expect!["1 of 2: 72.439992 63.71911 -12.04 %"]),
        ("currency=USD", expect!["1 of 1: 22.44 15.68 -30.12 %"]),
        ("currency=NGN", expect!["1 of 1: 4999.9992 4803.911 -3.92 %"]),
        ("marketId={snow}", expect!["1 of 1: 4999.9992 4803.911 -3.92 %"]),
        ("eventId={rain/event}&currency=NGN", expect!["0 of 0: 0 0 0 %"]),
    ];
    for (query, expected) in table {
        expected.assert_eq(&totals(query));
    }
}

#[test]
fn ids_of_holdings_and_wallets_are_always_the_same() {
    let stage = invested();
    let (first, again) = (portfolio(&stage, ""), portfolio(&stage, ""));
    assert_eq!(first, again);
    let ids: Vec<_> = first.outcome_balances.iter().map(|balance| balance.id).collect();
    assert!(ids.iter().enumerate().all(|(place, id)| !ids[..place].contains(id)));
    let wallets = view::wallet(&stage.exchange, stage.user_index("bob")).assets;
    for balance in &first.outcome_balances {
        let wallet = wallets.iter().find(|wallet| wallet.symbol == balance.currency).expect("a wallet");
        assert_eq!(wallet.id, balance.asset_id);
    }
    let others = view::wallet(&stage.exchange, stage.user_index("alice")).assets;
    assert!(others.iter().all(|other| wallets.iter().all(|wallet| wallet.id != other.id)));
}

#[test]
fn a_wallet_shows_free_and_held_money() {
    let stage = invested();
    let shown = view::wallet(&stage.exchange, stage.user_index("bob"));
    expect![[r#"
        {
          "assets": [
            {
              "id": "7b4aebf6-b566-8f30-876c-58d516b4879f",
              "symbol": "USD",
              "userId": "{bob}",
              "network": "internal",
              "availableBalance": 976.56,
              "pendingBalance": 1,
              "depositActivity": "ACTIVE",
              "withdrawalActivity": "ACTIVE",
              "wagerActivity": "ACTIVE",
              "isDefault": true,
              "isLocalCurrencyAsset": false,
              "addresses": [],
              "currencyBaseMultiplier": 1,
              "createdAt": "2026-01-01T00:00:00Z",
              "updatedAt": "2026-01-01T00:00:06Z"
            },
            {
              "id": "5e2c6b1b-f63e-8563-8ddf-fd9168a6f95a",
              "symbol": "NGN",
              "userId": "{bob}",
              "network": "internal",
              "availableBalance": 95000.0008,
              "pendingBalance": 0,
              "depositActivity": "ACTIVE",
              "withdrawalActivity": "ACTIVE",
              "wagerActivity": "ACTIVE",
              "isDefault": false,
              "isLocalCurrencyAsset": true,
              "addresses": [],
              "currencyBaseMultiplier": 100,
              "createdAt": "2026-01-01T00:00:00Z",
              "updatedAt": "2026-01-01T00:00:05Z"
            }
          ]
        }"#]]
    .assert_eq(&stage.show(&shown));
}

fn quote(stage: &Stage, user: Option<UserIndex>, market: &str, body: &str) -> String {
    let body = stage.ids_in(body);
    let request = api::read::read(body.as_bytes()).expect("a readable quote");
    let path = view::command::path(uuid(event_id(market).as_u128()), uuid(market_id(market).as_u128()));
    let shown = view::quote(&stage.exchange, &view::command::quote(user, path, &request)).expect("a quote");
    stage.show(&shown)
}

#[test]
fn a_quote_shows_every_field_and_knows_its_caller() {
    let stage = invested();
    let buy = r#"{"side":"BUY","outcomeId":"{rain YES}","amount":20}"#;
    expect![[r#"
        {
          "price": 0.76,
          "currentMarketPrice": 0.55,
          "quantity": 25,
          "amount": 19.38,
          "costOfShares": 19,
          "fee": 0.38,
          "priceImpactAbsolute": 0.35,
          "profitPercentage": 29,
          "currencyBaseMultiplier": 1,
          "completeFill": false,
          "tradeGoesOverMaxLiability": false
        }"#]]
    .assert_eq(&quote(&stage, None, "rain", buy));
    expect![[r#"
        {
          "price": 0.55,
          "currentMarketPrice": 0.55,
          "quantity": 10,
          "amount": 5.61,
          "costOfShares": 5.5,
          "fee": 0.11,
          "priceImpactAbsolute": 0,
          "profitPercentage": 78.25,
          "currencyBaseMultiplier": 1,
          "completeFill": false,
          "tradeGoesOverMaxLiability": false
        }"#]]
    .assert_eq(&quote(&stage, Some(stage.user_index("bob")), "rain", buy));
    let sell = r#"{"side":"SELL","outcomeId":"{snow YES}","amount":1000,"currency":"NGN"}"#;
    expect![[r#"
        {
          "price": 0.521469,
          "currentMarketPrice": 0.52391,
          "quantity": 19.5678,
          "amount": 999.992,
          "costOfShares": 1020.4,
          "fee": 20.408,
          "priceImpactAbsolute": 0.004879,
          "profitPercentage": 0,
          "currencyBaseMultiplier": 100,
          "completeFill": true,
          "tradeGoesOverMaxLiability": false
        }"#]]
    .assert_eq(&quote(&stage, None, "snow", sell));
}

#[test]
fn sets_show_pairs_and_prices() {
    let mut stage = Stage::usual();
    let Reply::Sets(minted) = stage.mint("alice", "snow", Currency::Ngn, 250) else { panic!("sets") };
    let market = market_id("snow");
    expect![[r#"
        {
          "operationId": "{operation}",
          "marketId": "{snow}",
          "quantity": 2.5,
          "outcome1Price": 0.5,
          "outcome2Price": 0.5
        }"#]]
    .assert_eq(&stage.show(&view::sets::minted(market, &minted)));
    let body: api::request::BurnSets =
        api::read::read(br#"{"quantity":100.00005,"currency":"NGN"}"#).expect("a burn");
    let burn = view::command::burn_sets(minted.id, market, &body);
    let Ok(Reply::Sets(burned)) = stage.by("alice", burn) else { panic!("sets") };
    expect![[r#"
        {
          "operationId": "{operation}",
          "marketId": "{snow}",
          "quantity": 1,
          "outcome1Price": 0.5,
          "outcome2Price": 0.5,
          "proceeds": 100
        }"#]]
    .assert_eq(&stage.show(&view::sets::burned(market, &burned)));
    let body: api::request::MintSets = api::read::read(br#"{"quantity":3}"#).expect("a mint");
    let Ok(Reply::Sets(minted)) = stage.by("alice", view::command::mint_sets(minted.id, market, &body))
    else {
        panic!("sets")
    };
    assert_eq!(minted.sets.to_string(), "3");
}

#[test]
fn a_key_is_listed_without_its_secret_and_issued_with_it() {
    let stage = Stage::usual();
    let user = stage.exchange.directory().user(stage.user_index("alice"));
    let key = user.key(KeyId::new(id("alice/key"))).expect("a key");
    let listed = ApiKeys::from(vec![view::api_key(key, "sk_live_...xyz".to_owned())]);
    expect![[r#"
        {
          "keys": [
            {
              "id": "{alice/key}",
              "name": "first",
              "publicKey": "pk_alice",
              "secretKeyHint": "sk_live_...xyz",
              "createdAt": "2026-01-01T00:00:00Z",
              "public_key": "pk_alice",
              "secret_key_hint": "sk_live_...xyz",
              "created_at": "2026-01-01T00:00:00Z"
            }
          ],
          "total": 1
        }"#]]
    .assert_eq(&stage.show(&listed));
    let issued = view::api_key::issued(key, SecretKey::from_text("sk_live_secret"));
    expect![[r#"
        {
          "id": "{alice/key}",
          "name": "first",
          "publicKey": "pk_alice",
          "secretKey": "sk_live_secret",
          "signingInstructions": {
            "algorithm": "HMAC-SHA256",
            "headers": [
              "X-Public-Key",
              "X-Timestamp",
              "X-Signature"
            ],
            "payloadFormat": "{timestamp}.{method}.{path}.{bodyHash}",
            "timestampWindowSeconds": 300
          },
          "createdAt": "2026-01-01T00:00:00Z"
        }"#]]
    .assert_eq(&stage.show(&issued));
}
