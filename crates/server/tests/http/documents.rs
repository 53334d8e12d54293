//! The API's description, for machines and for people.

use crate::stage::{Stage, get};

#[tokio::test]
async fn the_openapi_document_is_served_as_it_was_reviewed() {
    let stage = Stage::open().await;
    let answered = stage.ask(get("/openapi.json")).await;
    assert_eq!((answered.status, answered.header("content-type")), (200, Some("application/json")));
    let served: serde_json::Value = serde_json::from_str(&answered.text()).expect("JSON");
    let reviewed: serde_json::Value = serde_json::from_str(include_str!("../openapi.json")).expect("JSON");
    assert_eq!(served, reviewed);
    assert_eq!(served["openapi"], "3.1.0");
}

#[tokio::test]
async fn the_asyncapi_document_is_served_as_it_was_reviewed() {
    let stage = Stage::open().await;
    let answered = stage.ask(get("/asyncapi.json")).await;
    assert_eq!((answered.status, answered.header("content-type")), (200, Some("application/json")));
    let served: serde_json::Value = serde_json::from_str(&answered.text()).expect("JSON");
    let reviewed: serde_json::Value = serde_json::from_str(include_str!("../asyncapi.json")).expect("JSON");
    assert_eq!(served, reviewed);
    assert_eq!(served["asyncapi"], "3.0.0");
}

#[tokio::test]
async fn the_page_is_html_that_may_load_nothing() {
    let stage = Stage::open().await;
    let answered = stage.ask(get("/docs")).await;
    assert_eq!((answered.status, answered.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = answered.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'"));
    for shown in ["/v1/pm/orders/batch/amend", "/asyncapi.json", "bellwether watch", "href=\"/docs/guide\""] {
        assert!(answered.text().contains(shown), "{shown}");
    }
}
