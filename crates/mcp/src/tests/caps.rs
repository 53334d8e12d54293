//! The cap holds in every order of calls and answers.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::script::{ORDER, Script, Write, order, placed};
use super::{agent, call, code, previewed};
use crate::agent::Agent;
use crate::venue::{Call, Failure};

fn spent(agent: &Agent<Script>) -> String {
    agent.budget.spent().to_string()
}

/// The orders and mints that reached the venue.
fn writes(calls: &parking_lot::Mutex<Vec<Call>>) -> Vec<Call> {
    calls.lock().iter().filter(|call| call.key.is_some()).cloned().collect()
}

/// Waits until the venue has received so many writes.
async fn until_sent(calls: &parking_lot::Mutex<Vec<Call>>, count: usize) {
    while writes(calls).len() < count {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn two_orders_at_once_cannot_pass_the_cap() {
    let gate = Arc::new(Semaphore::new(0));
    let script = Script::new(Write::Waits(Arc::clone(&gate), placed("filled", "16", "0.5")));
    let calls = Arc::clone(&script.calls);
    let agent = Arc::new(agent(script, "10", "10"));
    let first = previewed(&agent, json!({"amount": "8"})).await;
    let second = previewed(&agent, json!({"amount": "8"})).await;
    let place = |arguments: Value| {
        let agent = Arc::clone(&agent);
        tokio::spawn(async move { call(&agent, "place_order", arguments).await })
    };
    let (mut first, mut second) = (place(first), place(second));
    // One order is on its way and unanswered. The other must be refused without being sent.
    let (refused, is_first) = tokio::select! {
        answer = &mut first => (answer.expect("no panic"), true),
        answer = &mut second => (answer.expect("no panic"), false),
        () = until_sent(&calls, 2) => panic!("both orders were sent"),
    };
    assert_eq!(code(refused), "over_max_spend");
    assert_eq!(spent(&agent), "8");
    gate.add_permits(1);
    let sent = if is_first { second } else { first };
    sent.await.expect("no panic").expect("the order is placed");
    assert_eq!(writes(&calls).len(), 1);
}

#[tokio::test]
async fn an_unknown_outcome_stays_counted_until_the_exchange_reports_it() {
    let agent = agent(Script::new(Write::Fails(Failure::Unknown)), "10", "10");
    let order_of_eight = previewed(&agent, json!({"amount": "8"})).await;
    assert_eq!(code(call(&agent, "place_order", order_of_eight).await), "outcome_unknown");
    assert_eq!(spent(&agent), "8");
    // Neither a look at the account nor a refused preview changes that: the exchange finds no order.
    let portfolio = call(&agent, "get_portfolio", json!({})).await.expect("an answer");
    assert_eq!((&portfolio["cap"]["spent"], &portfolio["cap"]["unknown_outcomes"]), (&json!("8"), &json!(1)));
    let more = json!({"event": "rain", "outcome": "YES", "side": "BUY", "amount": "3"});
    assert_eq!(code(call(&agent, "preview_order", more.clone()).await), "over_max_spend");
    assert_eq!(spent(&agent), "8");
    // The exchange reports that the order exists and rests: still counted.
    *agent.venue.lookup.lock() = Some(order("open", "0", "0"));
    call(&agent, "get_portfolio", json!({})).await.expect("an answer");
    assert_eq!(spent(&agent), "8");
    // The exchange reports that it closed after 2 of its shares filled at 0.5.
    *agent.venue.lookup.lock() = Some(order("cancelled", "2", "0.5"));
    call(&agent, "preview_order", more).await.expect("a preview");
    assert_eq!(spent(&agent), "1.000002", "the average may have been rounded by a millionth of a share");
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_stays_counted() {
    let agent = agent(Script::new(Write::Answers(json!({"order": "?"}))), "10", "10");
    let order_of_eight = previewed(&agent, json!({"amount": "8"})).await;
    assert_eq!(code(call(&agent, "place_order", order_of_eight).await), "outcome_unknown");
    assert_eq!(spent(&agent), "8");
}

#[tokio::test]
async fn a_call_that_the_client_gives_up_stays_counted() {
    let gate = Arc::new(Semaphore::new(0));
    let script = Script::new(Write::Waits(gate, placed("filled", "16", "0.5")));
    let calls = Arc::clone(&script.calls);
    let agent = Arc::new(agent(script, "10", "10"));
    let arguments = previewed(&agent, json!({"amount": "8"})).await;
    let placing = tokio::spawn({
        let agent = Arc::clone(&agent);
        async move { call(&agent, "place_order", arguments).await }
    });
    until_sent(&calls, 1).await;
    placing.abort();
    assert!(placing.await.expect_err("it was given up").is_cancelled());
    assert_eq!(spent(&agent), "8");
}

#[tokio::test]
async fn a_refused_order_costs_nothing() {
    let refused = Failure::Refused { status: 422, code: Some("INSUFFICIENT_BALANCE") };
    for (failure, expected) in [(refused, "INSUFFICIENT_BALANCE"), (Failure::Unavailable, "unavailable")] {
        let agent = agent(Script::new(Write::Fails(failure)), "10", "10");
        let order_of_eight = previewed(&agent, json!({"amount": "8"})).await;
        assert_eq!(code(call(&agent, "place_order", order_of_eight).await), expected);
        assert_eq!(spent(&agent), "0");
    }
}

#[tokio::test]
async fn a_resting_order_counts_in_full_until_its_rest_is_cancelled() {
    let agent = agent(Script::new(Write::Answers(placed("partial_filled", "4", "0.4"))), "10", "10");
    let limit = previewed(&agent, json!({"shares": "10", "price": "0.5"})).await;
    assert_eq!(limit["worst_cost"], "5.1", "the fee of 2 % comes on top");
    call(&agent, "place_order", limit).await.expect("the order rests");
    assert_eq!(spent(&agent), "5.1");
    *agent.venue.lookup.lock() = Some(order("open", "4", "0.4"));
    *agent.venue.cancelled.lock() = order("cancelled", "4", "0.4");
    let name = &ORDER[ORDER.len() - 12..];
    let answer = call(&agent, "cancel_order", json!({"order": name})).await.expect("a cancel");
    assert_eq!(answer["cap"]["spent"], "2.04", "4 shares at the limit of 0.5, and their fee");
    call(&agent, "cancel_order", json!({"all": true})).await.expect("a second report");
    assert_eq!(spent(&agent), "2.04");
}

#[tokio::test]
async fn a_post_only_order_pays_no_fee() {
    let agent = agent(Script::new(Write::Answers(placed("open", "0", "0"))), "10", "10");
    let limit = previewed(&agent, json!({"shares": "10", "price": "0.5", "post_only": true})).await;
    assert_eq!(limit["worst_cost"], "5");
}

#[tokio::test]
async fn a_fee_that_changed_after_the_preview_stops_the_order() {
    let mut agent = agent(Script::new(Write::Answers(placed("open", "0", "0"))), "10", "10");
    let limit = previewed(&agent, json!({"shares": "10", "price": "0.5"})).await;
    agent.venue.event["markets"][0]["feePercentage"] = json!(10);
    assert_eq!(code(call(&agent, "place_order", limit).await), "terms_changed");
    assert_eq!(spent(&agent), "0");
    assert!(writes(&agent.venue.calls).is_empty());
}

#[tokio::test]
async fn an_order_is_sent_once_under_its_token() {
    let script = Script::new(Write::Answers(placed("filled", "16", "0.5")));
    let calls = Arc::clone(&script.calls);
    let agent = agent(script, "100", "10");
    let arguments = previewed(&agent, json!({"amount": "8"})).await;
    call(&agent, "place_order", arguments.clone()).await.expect("an order");
    assert_eq!(code(call(&agent, "place_order", arguments.clone()).await), "token_unknown");
    let sent = writes(&calls);
    let [sent] = sent.as_slice() else { panic!("one order is sent, not {sent:?}") };
    assert_eq!(sent.key.as_deref(), arguments["token"].as_str());
    let body: Value = serde_json::from_str(sent.body.as_deref().expect("a body")).expect("JSON");
    assert_eq!(
        (&body["clientOrderId"], &body["amount"], &body["side"]),
        (&arguments["token"], &json!(8), &json!("BUY"))
    );
}

#[tokio::test]
async fn an_order_that_differs_from_its_preview_is_not_sent() {
    let script = Script::new(Write::Answers(placed("filled", "16", "0.5")));
    let calls = Arc::clone(&script.calls);
    let agent = agent(script, "100", "10");
    let changes =
        [("outcome", "NO"), ("side", "SELL"), ("worst_cost", "7"), ("market", "Snow"), ("event", "snow")];
    for (name, value) in changes {
        let mut arguments = previewed(&agent, json!({"amount": "8"})).await;
        arguments[name] = json!(value);
        assert_eq!(code(call(&agent, "place_order", arguments).await), "token_mismatch", "{name}");
    }
    assert!(writes(&calls).is_empty());
    assert_eq!(spent(&agent), "0");
}

#[tokio::test]
async fn an_order_that_would_be_refused_gets_no_token() {
    let mut script = Script::new(Write::Answers(placed("filled", "16", "0.5")));
    script.refusal = Some("INSUFFICIENT_BALANCE");
    let agent = agent(script, "100", "10");
    let arguments = json!({"event": "rain", "outcome": "YES", "side": "BUY", "amount": 8});
    let preview = call(&agent, "preview_order", arguments).await.expect("a preview");
    assert_eq!(preview["would_be_refused"], "INSUFFICIENT_BALANCE");
    assert!(preview.get("token").is_none(), "{preview}");
}

#[tokio::test]
async fn mints_count_and_an_unknown_mint_stays_counted() {
    let agent = agent(Script::new(Write::Answers(json!({"quantity": 2.5}))), "10", "4");
    let mint = |amount: &str| json!({"event": "rain", "amount": amount});
    let minted = call(&agent, "mint_sets", mint("2.50005")).await.expect("a mint");
    assert_eq!((&minted["cost"], &minted["cap"]["spent"]), (&json!("2.5"), &json!("2.5")));
    assert_eq!(code(call(&agent, "mint_sets", mint("4.000001")).await), "over_max_order");
    *agent.venue.write.lock() = Write::Fails(Failure::Unknown);
    assert_eq!(code(call(&agent, "mint_sets", mint("4")).await), "outcome_unknown");
    assert_eq!(code(call(&agent, "mint_sets", mint("4")).await), "over_max_spend");
    assert_eq!(spent(&agent), "6.5");
}

#[tokio::test]
async fn a_sale_and_a_burn_neither_cost_nor_give_back() {
    let agent = agent(Script::new(Write::Answers(placed("filled", "16", "0.5"))), "10", "10");
    let buy = previewed(&agent, json!({"amount": "8"})).await;
    call(&agent, "place_order", buy).await.expect("an order");
    let before = spent(&agent);
    let sale = previewed(&agent, json!({"side": "SELL", "shares": "16"})).await;
    assert_eq!(sale["worst_cost"], "0");
    call(&agent, "place_order", sale).await.expect("a sale");
    *agent.venue.write.lock() = Write::Answers(json!({"quantity": 1, "proceeds": 1}));
    call(&agent, "burn_sets", json!({"event": "rain", "amount": "1"})).await.expect("a burn");
    assert_eq!(spent(&agent), before);
}

#[tokio::test]
async fn the_cost_of_a_market_buy_must_be_bounded() {
    let agent = agent(Script::new(Write::Fails(Failure::Unknown)), "10", "10");
    let unbounded = json!({"event": "rain", "outcome": "YES", "side": "BUY", "shares": "8"});
    assert_eq!(code(call(&agent, "preview_order", unbounded).await), "bad_argument");
}
