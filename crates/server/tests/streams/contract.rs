//! Checks every message over a socket in these tests against the AsyncAPI document.

use std::sync::LazyLock;

use serde_json::Value;

use api::schema_fault::fault;

static DOCUMENT: LazyLock<Value> = LazyLock::new(server::asyncapi::document);

/// The first mismatch of a message with the document, if any.
pub fn breach(message: &Value) -> Option<String> {
    let Some(kind) = message["type"].as_str() else { return Some("it has no type".to_owned()) };
    let described = DOCUMENT.pointer(&format!("/components/messages/{kind}/payload"));
    let Some(described) = described else { return Some(format!("{kind} is not described")) };
    let schemas = DOCUMENT["components"]["schemas"].as_object().expect("schemas");
    fault(schemas, described, message)
}

pub fn check(message: &Value) {
    assert_eq!(breach(message), None, "{message}");
}

#[test]
fn a_message_that_is_not_as_described_is_detected() {
    let good = serde_json::json!({"type": "pong", "timestamp": 1});
    check(&good);
    for (key, value) in [("timestamp", Value::Null), ("type", "pang".into()), ("more", 1.into())] {
        let mut wrong = good.clone();
        wrong[key] = value;
        assert!(breach(&wrong).is_some(), "{wrong}");
    }
    assert!(breach(&serde_json::json!({"type": "pong"})).is_some());
}
