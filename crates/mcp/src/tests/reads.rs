//! Reads: the account, its orders, and the trades of a market.

use serde_json::{Value, json};
use uuid::Uuid;

use super::script::{Script, Write, order, trade};
use super::{agent, call, code};
use crate::agent::Agent;
use crate::venue::{Failure, Method};

/// An account with these orders: minute of placement and status.
fn agent_with_orders(orders: impl Iterator<Item = (u128, &'static str)>) -> Agent<Script> {
    let script = Script::new(Write::Fails(Failure::Unavailable));
    *script.listed.lock() = orders
        .map(|(minute, status)| {
            let mut order = order(status, "0", "0");
            order["id"] = json!(Uuid::from_u128(minute));
            order["createdAt"] = json!(format!("2026-11-17T{:02}:{:02}:00Z", minute / 60, minute % 60));
            order
        })
        .collect();
    agent(script, "10", "10")
}

fn minutes(answer: &Value) -> Vec<u128> {
    let rows = answer["orders"].as_array().expect("orders");
    let name = |row: &Value| row["order"].as_str().and_then(|name| u128::from_str_radix(name, 16).ok());
    rows.iter().map(|row| name(row).expect("a name")).collect()
}

#[tokio::test]
async fn open_orders_of_both_statuses_are_listed_newest_first_and_limited_once() {
    let statuses = ["open", "partial_filled", "open", "cancelled", "partial_filled"];
    let agent = agent_with_orders((1..).zip(statuses));
    let answer = call(&agent, "list_orders", json!({})).await.expect("orders");
    assert_eq!(minutes(&answer), [5, 3, 2, 1]);
    let answer = call(&agent, "list_orders", json!({"limit": 3})).await.expect("orders");
    assert_eq!(minutes(&answer), [5, 3, 2]);
    let answer = call(&agent, "list_orders", json!({"include_closed": true})).await.expect("orders");
    assert_eq!(minutes(&answer), [5, 4, 3, 2, 1]);
}

#[tokio::test]
async fn an_order_on_a_later_page_can_be_cancelled() {
    let agent = agent_with_orders((1..=250).map(|minute| (minute, "partial_filled")));
    *agent.venue.cancelled.lock() = order("cancelled", "0", "0");
    call(&agent, "cancel_order", json!({"order": format!("{:012x}", 250)})).await.expect("a cancel");
    let last = agent.venue.calls.lock().iter().rfind(|call| call.method == Method::Delete).cloned();
    assert_eq!(last.map(|call| call.path), Some(format!("/v1/pm/orders/{}", Uuid::from_u128(250))));
    let missing = call(&agent, "cancel_order", json!({"order": format!("{:012x}", 251)})).await;
    assert_eq!(code(missing), "not_found");
}

#[tokio::test]
async fn an_event_that_cannot_be_read_does_not_hide_the_account() {
    let mut script = Script::new(Write::Fails(Failure::Unavailable));
    script.event.as_object_mut().expect("an object").remove("engine");
    let agent = agent(script, "10", "10");
    let portfolio = call(&agent, "get_portfolio", json!({})).await.expect("an account");
    let position = &portfolio["positions"][0];
    assert_eq!((&position["event"], &position["shares"]), (&Value::Null, &json!("3")));
    assert_eq!(position["event_title"], "Rain in Lagos");
}

#[tokio::test]
async fn last_trades_are_those_of_the_currency() {
    let mut script = Script::new(Write::Fails(Failure::Unavailable));
    script.trades = (0..8).map(|n| trade(["NGN", "USD"][n % 2], &format!("0.{n}1"))).collect();
    script.trades.extend((0..8).map(|_| trade("USD", "0.9")));
    let agent = agent(script, "10", "10");
    let market = call(&agent, "get_market", json!({"event": "rain"})).await.expect("a market");
    let prices: Vec<_> =
        market["last_trades"].as_array().expect("trades").iter().map(|row| &row["price"]).collect();
    assert_eq!(prices, ["0.11", "0.31", "0.51", "0.71", "0.9"]);
}

#[tokio::test]
async fn announced_terms_are_told_with_those_of_now() {
    let read = async |announced: Option<Value>, tool: &str| {
        let mut script = Script::new(Write::Fails(Failure::Unavailable));
        if let Some(announced) = announced {
            script.event["markets"][0]["announcedTerms"] = announced;
        }
        let answer =
            call(&agent(script, "10", "10"), tool, json!({"event": "rain"})).await.expect("an answer");
        if tool == "get_market" { answer } else { answer["markets"][0].clone() }
    };
    let announced = json!({"feePercentage": 9.5, "minimumOrderAmount": 7, "from": "2030-01-01T01:00:00Z"});
    for tool in ["get_market", "get_question"] {
        assert_eq!(read(None, tool).await.get("announced_terms"), None, "{tool}");
        let market = read(Some(announced.clone()), tool).await;
        let expected = json!({"fee_percent": "9.5", "minimum_order": "7", "from": "2030-01-01T01:00:00Z"});
        assert_eq!((&market["fee_percent"], &market["announced_terms"]), (&json!("2"), &expected), "{tool}");
    }
}
