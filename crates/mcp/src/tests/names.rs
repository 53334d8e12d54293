//! Events, markets and outcomes by name.

use serde_json::{Value, json};

use super::script::{Script, Write, event, market};
use super::{agent, call, code};
use crate::stop::Stop;
use crate::venue::Failure;

fn script() -> Script {
    Script::new(Write::Fails(Failure::Unavailable))
}

fn candidates(answer: Result<Value, Stop>) -> Value {
    match answer {
        Err(Stop::Candidates(value)) => value,
        other => panic!("candidates are expected, not {other:?}"),
    }
}

#[tokio::test]
async fn a_question_is_found_by_its_title_in_any_case() {
    let mut script = script();
    script.found = vec![event("snow", "Snow in Lagos"), event("rain", "Rain in Lagos")];
    let agent = agent(script, "10", "10");
    let found = call(&agent, "get_question", json!({"event": " rain IN lagos "})).await.expect("a question");
    assert_eq!(found["slug"], "rain");
}

#[tokio::test]
async fn a_name_of_several_questions_gives_candidates() {
    let mut script = script();
    script.found = vec![
        event("rain-1", "Rain today?"),
        event("rain-2", "Rain today?"),
        event("rain-3", "Rain tomorrow?"),
    ];
    let agent = agent(script, "10", "10");
    let answer = candidates(call(&agent, "get_question", json!({"event": "Rain today?"})).await);
    assert_eq!(answer["ambiguous"], "event");
    assert_eq!(answer["candidates"][1]["slug"], "rain-2");
}

#[tokio::test]
async fn a_name_that_nothing_has_is_not_repeated_in_the_error() {
    let agent = agent(script(), "10", "10");
    let answer = call(&agent, "get_question", json!({"event": "planted words"})).await;
    assert!(!format!("{answer:?}").contains("planted"), "{answer:?}");
    assert_eq!(code(answer), "not_found");
}

#[tokio::test]
async fn a_question_with_several_markets_needs_the_market() {
    let mut script = script();
    script.event["markets"] = json!([market("Lagos"), market("Lagos Island"), market("Abuja")]);
    let agent = agent(script, "10", "10");
    let answer = candidates(call(&agent, "get_market", json!({"event": "rain"})).await);
    assert_eq!(
        (&answer["ambiguous"], answer["candidates"].as_array().map(Vec::len)),
        (&json!("market"), Some(3))
    );
    for (name, title) in [("abu", "Abuja"), ("lagos", "Lagos"), ("Island", "Lagos Island")] {
        let found =
            call(&agent, "get_market", json!({"event": "rain", "market": name})).await.expect("a market");
        assert_eq!(found["market"]["title"], title, "{name}");
    }
    candidates(call(&agent, "get_market", json!({"event": "rain", "market": "a"})).await);
}

#[tokio::test]
async fn sets_need_whole_names() {
    let mut script = Script::new(Write::Answers(json!({"quantity": 1, "proceeds": 1})));
    let mut found = event("rain-2", "Rain in Abuja");
    found["markets"] = json!([market("Abuja City"), market("Abuja Airport")]);
    script.found = vec![found];
    let agent = agent(script, "10", "10");
    let sets = |event: &str, market: &str| json!({"event": event, "market": market, "amount": "1"});
    for tool in ["mint_sets", "burn_sets"] {
        let answer = candidates(call(&agent, tool, sets("Abuja", "Abuja City")).await);
        assert_eq!(
            (&answer["ambiguous"], &answer["candidates"][0]["slug"]),
            (&json!("event"), &json!("rain-2"))
        );
        let answer = candidates(call(&agent, tool, sets("Rain in Abuja", "City")).await);
        assert_eq!(answer["ambiguous"], "market");
        call(&agent, tool, sets("rain in abuja", "abuja city")).await.expect("sets");
    }
    let previewed =
        json!({"event": "Abuja", "market": "City", "outcome": "YES", "side": "BUY", "amount": "1"});
    call(&agent, "preview_order", previewed).await.expect("a preview shows the names that were found");
}

#[tokio::test]
async fn a_name_that_is_no_segment_of_a_path_is_not_sent_as_one() {
    let agent = agent(script(), "10", "10");
    for name in [".", ".."] {
        assert_eq!(code(call(&agent, "get_question", json!({"event": name})).await), "not_found");
    }
    let calls = agent.venue.calls.lock();
    assert!(calls.iter().all(|call| !call.path.contains("/slug/")), "{calls:?}");
}

#[tokio::test]
async fn an_outcome_is_found_by_its_label_before_yes_and_no() {
    let mut script = script();
    script.event["markets"][0]["outcome1Label"] = json!("Up");
    script.event["markets"][0]["outcome2Label"] = json!("Down");
    let agent = agent(script, "10", "10");
    for (name, side) in [("up", "YES"), ("Down", "NO"), ("yes", "YES"), ("NO", "NO")] {
        let found =
            call(&agent, "get_market", json!({"event": "rain", "outcome": name})).await.expect("a market");
        assert_eq!(found["outcome"]["side"], side, "{name}");
    }
    let answer =
        candidates(call(&agent, "get_market", json!({"event": "rain", "outcome": "sideways"})).await);
    assert_eq!(
        answer["candidates"],
        json!([{"label": "Up", "side": "YES"}, {"label": "Down", "side": "NO"}])
    );
}
