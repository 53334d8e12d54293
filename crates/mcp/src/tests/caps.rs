//! The cap holds in every order of calls and answers.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::script::{ORDER, Reads, Script, Write, order, placed};
use super::{agent, call, code, previewed};
use crate::agent::Agent;
use crate::venue::{Call, Failure, Method};

const PATIENCE: Duration = Duration::from_secs(60);

fn spent(agent: &Agent<Script>) -> String {
    agent.budget.spent().to_string()
}

/// The orders and mints that reached the venue.
fn writes(calls: &parking_lot::Mutex<Vec<Call>>) -> Vec<Call> {
    calls.lock().iter().filter(|call| call.key.is_some()).cloned().collect()
}

/// Waits until the venue has received so many writes.
async fn until_sent(calls: &parking_lot::Mutex<Vec<Call>>, count: usize) {
    let sent = async {
        while writes(calls).len() < count {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, sent).await.expect("the writes arrive");
}

/// How often orders were looked up, in lists and alone.
fn look_ups(agent: &Agent<Script>) -> (usize, usize) {
    let calls = agent.venue.calls.lock();
    let reads = || calls.iter().filter(|call| call.method == Method::Get);
    let lists = reads().filter(|call| call.path == "/v1/pm/orders").count();
    (lists, reads().filter(|call| call.path.starts_with("/v1/pm/orders/")).count())
}

/// A venue with a pool, whose orders end like this.
fn pool(answer: Value) -> Script {
    let mut script = Script::new(Write::Answers(answer));
    script.event["engine"] = json!("AMM");
    script
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
    assert_eq!(limit["worst_cost"], "5.5", "the highest fee of the rules comes on top");
    call(&agent, "place_order", limit).await.expect("the order rests");
    assert_eq!(spent(&agent), "5.5");
    *agent.venue.lookup.lock() = Some(order("open", "4", "0.4"));
    let mut cancelled = order("cancelled", "4", "0.4");
    cancelled["fee"] = json!(0.04);
    *agent.venue.cancelled.lock() = cancelled;
    let name = &ORDER[ORDER.len() - 12..];
    let answer = call(&agent, "cancel_order", json!({"order": name})).await.expect("a cancel");
    assert_eq!(answer["cap"]["spent"], "2.04", "4 shares at the limit of 0.5, and the fee that was charged");
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
async fn a_fee_that_rises_after_the_preview_stays_under_the_cap() {
    let mut filled = placed("filled", "10", "0.5");
    filled["order"]["fee"] = json!(0.5);
    let agent = agent(Script::new(Write::Answers(filled)), "10", "5.5");
    let limit = previewed(&agent, json!({"shares": "10", "price": "0.5"})).await;
    assert_eq!(limit["worst_cost"], "5.5", "the market's fee was 2 %");
    call(&agent, "place_order", limit).await.expect("an order");
    assert_eq!(spent(&agent), "5.5", "it was raised to 10 %, the most that the rules accept");
    let more = json!({"event": "rain", "outcome": "YES", "side": "BUY", "shares": "10.0001", "price": "0.5"});
    assert_eq!(code(call(&agent, "preview_order", more).await), "over_max_order");
}

#[tokio::test]
async fn a_limit_buy_whose_fee_or_engine_cannot_be_read_gets_no_preview() {
    for (field, value) in
        [("feePercentage", json!(-1)), ("feePercentage", json!(10.01)), ("engine", json!("LMSR"))]
    {
        let mut script = Script::new(Write::Answers(placed("open", "0", "0")));
        let place = if field == "engine" { &mut script.event } else { &mut script.event["markets"][0] };
        place[field] = value.clone();
        let agent = agent(script, "10", "10");
        let limit = json!({"event": "rain", "outcome": "YES", "side": "BUY", "shares": "1", "price": "0.5"});
        assert_eq!(code(call(&agent, "preview_order", limit).await), "unreadable", "{field} {value}");
    }
}

#[tokio::test]
async fn a_post_only_order_on_a_pool_is_refused() {
    let agent = agent(pool(placed("filled", "10", "0.5")), "10", "10");
    for side in ["BUY", "SELL"] {
        let post_only = json!({"event": "rain", "outcome": "YES", "side": side, "shares": "10", "price": "0.5",
                               "post_only": true});
        assert_eq!(code(call(&agent, "preview_order", post_only).await), "bad_argument", "{side}");
    }
}

#[tokio::test]
async fn a_limit_buy_on_a_pool_is_counted_with_its_fee() {
    let mut filled = placed("filled", "10", "0.5");
    filled["order"]["fee"] = json!(0.1);
    let agent = agent(pool(filled), "10", "10");
    let limit = previewed(&agent, json!({"shares": "10", "price": "0.5"})).await;
    assert_eq!(limit["worst_cost"], "5.5");
    call(&agent, "place_order", limit).await.expect("an order");
    assert_eq!(spent(&agent), "5.1");
}

#[tokio::test]
async fn a_limit_buy_for_money_on_a_pool_spends_its_amount_with_the_fee() {
    let mut filled = placed("filled", "97", "0.1");
    filled["order"]["fee"] = json!(0.2);
    let agent = agent(pool(filled), "10", "10");
    let limit = previewed(&agent, json!({"amount": "10", "price": "0.99"})).await;
    assert_eq!(limit["worst_cost"], "10", "not the value of whole units of shares at 0.99");
    call(&agent, "place_order", limit).await.expect("an order");
    assert_eq!(spent(&agent), "9.900097", "97 shares at their average, not at the limit, and the fee");
}

#[tokio::test]
async fn only_a_buy_of_its_own_name_settles_a_lost_order() {
    let agent = agent(Script::new(Write::Fails(Failure::Unknown)), "10", "10");
    let order_of_eight = previewed(&agent, json!({"amount": "8"})).await;
    assert_eq!(code(call(&agent, "place_order", order_of_eight).await), "outcome_unknown");
    let mut other = order("cancelled", "0", "0");
    other["clientOrderId"] = json!("another");
    let mut nameless = order("cancelled", "0", "0");
    nameless["clientOrderId"] = Value::Null;
    let mut sale = order("cancelled", "0", "0");
    sale["side"] = json!("SELL");
    for foreign in [other, nameless, sale] {
        *agent.venue.lookup.lock() = Some(foreign.clone());
        call(&agent, "get_portfolio", json!({})).await.expect("an answer");
        assert_eq!(spent(&agent), "8", "{foreign}");
    }
    *agent.venue.lookup.lock() = Some(order("cancelled", "0", "0"));
    call(&agent, "get_portfolio", json!({})).await.expect("an answer");
    assert_eq!(spent(&agent), "0");
}

/// Three limit orders that rest, and their names.
async fn three_resting() -> (Agent<Script>, Vec<Value>) {
    let agent = agent(Script::new(Write::Answers(placed("open", "0", "0"))), "10", "10");
    let mut names = Vec::new();
    for _ in 0..3 {
        let limit = previewed(&agent, json!({"shares": "4", "price": "0.5"})).await;
        names.push(limit["token"].clone());
        call(&agent, "place_order", limit).await.expect("the order rests");
    }
    assert_eq!((spent(&agent).as_str(), look_ups(&agent)), ("6.6", (0, 0)));
    (agent, names)
}

#[tokio::test]
async fn resting_orders_are_looked_up_in_lists() {
    let (agent, names) = three_resting().await;
    let resting = names.iter().map(|name| {
        let mut order = order("open", "0", "0");
        order["clientOrderId"] = name.clone();
        order
    });
    *agent.venue.listed.lock() = resting.collect();
    call(&agent, "get_portfolio", json!({})).await.expect("an answer");
    assert_eq!((spent(&agent).as_str(), look_ups(&agent)), ("6.6", (2, 0)));
    // One of them closed without a fill: it is missing in the lists and looked up alone.
    let mut closed = agent.venue.listed.lock().remove(0);
    closed["status"] = json!("cancelled");
    *agent.venue.lookup.lock() = Some(closed);
    call(&agent, "get_portfolio", json!({})).await.expect("an answer");
    assert_eq!((spent(&agent).as_str(), look_ups(&agent)), ("4.4", (4, 1)));
}

#[tokio::test]
async fn look_ups_end_with_the_first_that_the_exchange_cannot_answer() {
    let (agent, _) = three_resting().await;
    *agent.venue.order_reads.lock() = Reads::Fail(Failure::Unavailable);
    call(&agent, "get_portfolio", json!({})).await.expect("an answer");
    assert_eq!((spent(&agent).as_str(), look_ups(&agent)), ("6.6", (1, 0)));
}

#[tokio::test(start_paused = true)]
async fn look_ups_without_an_answer_end_and_give_nothing_back() {
    let (agent, _) = three_resting().await;
    *agent.venue.order_reads.lock() = Reads::Hang;
    let portfolio = timeout(PATIENCE, call(&agent, "get_portfolio", json!({}))).await.expect("an end");
    assert_eq!(portfolio.expect("an answer")["cap"]["spent"], "6.6");
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
