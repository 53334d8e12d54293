//! The OpenAPI document is a snapshot: a change of the API shows in the diff. And it says what the router does.

use expect_test::expect_file;
use server::openapi::{OPERATIONS, document, page};

#[test]
fn the_document_is_the_one_that_was_reviewed() {
    let json = document().to_pretty_json().expect("a document");
    expect_file!["openapi.json"].assert_eq(&(json + "\n"));
}

#[test]
fn every_route_of_the_router_is_described_and_no_other() {
    let router = include_str!("../src/routes/mod.rs");
    let mut routed: Vec<String> = Vec::new();
    for line in router.lines().map(str::trim).filter(|line| line.starts_with(".route(\"")) {
        let path = line.split('"').nth(1).expect("a path");
        let handlers = line.split_once(',').expect("handlers").1;
        for method in ["get", "post", "put", "delete"] {
            let is_called =
                handlers.contains(&format!(" {method}(")) || handlers.contains(&format!(").{method}("));
            routed.extend(is_called.then(|| format!("{method} {path}")));
        }
    }
    let mut described: Vec<String> = OPERATIONS
        .iter()
        .map(|operation| format!("{} {}", operation.method.as_str().to_lowercase(), operation.path))
        .collect();
    routed.sort();
    described.sort();
    assert_eq!(described, routed);
}

#[test]
fn every_reference_of_the_document_leads_somewhere() {
    let json: serde_json::Value = serde_json::to_value(document()).expect("a document");
    let mut pending = vec![&json];
    let mut references = 0;
    while let Some(value) = pending.pop() {
        if let Some(reference) = value.get("$ref").and_then(serde_json::Value::as_str) {
            references += 1;
            let pointer = reference.strip_prefix('#').expect("a reference into the document");
            assert!(json.pointer(pointer).is_some(), "{reference} leads nowhere");
        }
        match value {
            serde_json::Value::Array(items) => pending.extend(items),
            serde_json::Value::Object(fields) => pending.extend(fields.values()),
            _ => {}
        }
    }
    assert!(references > 100, "only {references} references");
}

#[test]
fn the_page_names_every_operation_and_loads_nothing() {
    let html = page();
    for operation in OPERATIONS {
        assert!(html.contains(operation.path) && html.contains(operation.summary), "{}", operation.id);
    }
    assert!(
        !html.contains("<script")
            && !html.contains("src=")
            && !html.contains("http://")
            && !html.contains("https://")
    );
}
