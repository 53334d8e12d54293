//! The API's description, for machines and for people.

use std::io::Read;

use flate2::read::GzDecoder;
use stage::node::{Stage, get};

#[tokio::test]
async fn the_openapi_document_is_served_as_it_was_reviewed() {
    let stage = Stage::open().await;
    let answered = stage.ask(get("/openapi.json")).await;
    assert_eq!((answered.status, answered.header("content-type")), (200, Some("application/json")));
    assert_eq!(answered.text(), include_str!("../../documents/openapi.json"));
    let served: serde_json::Value = serde_json::from_str(&answered.text()).expect("JSON");
    assert_eq!(served["openapi"], "3.1.0");
}

#[tokio::test]
async fn the_asyncapi_document_is_served_as_it_was_reviewed() {
    let stage = Stage::open().await;
    let answered = stage.ask(get("/asyncapi.json")).await;
    assert_eq!((answered.status, answered.header("content-type")), (200, Some("application/json")));
    assert_eq!(answered.text(), include_str!("../../documents/asyncapi.json"));
    let served: serde_json::Value = serde_json::from_str(&answered.text()).expect("JSON");
    assert_eq!(served["asyncapi"], "3.0.0");
}

#[tokio::test]
async fn the_page_is_html_that_loads_files_of_this_origin_and_no_inline_code() {
    let stage = Stage::open().await;
    let answered = stage.ask(get("/docs")).await;
    assert_eq!((answered.status, answered.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = answered.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
    assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
    let page = answered.text();
    let loaded: Vec<&str> =
        page.split("/docs/reference/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(loaded, ["swagger-ui.css", "reference.css", "swagger-ui-bundle.js", "reference.js"]);
    for file in loaded {
        let path = format!("/docs/reference/{file}");
        let (plain, packed) =
            (stage.ask(get(&path)).await, stage.ask(get(&path).header("accept-encoding", "gzip")).await);
        assert_eq!(
            (plain.status, packed.status, plain.header("content-encoding")),
            (200, 200, None),
            "{path}"
        );
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{path}");
        let mut unpacked = Vec::new();
        GzDecoder::new(packed.bytes.as_slice()).read_to_end(&mut unpacked).expect("a whole stream");
        assert!(
            unpacked == plain.bytes && packed.bytes.len() < 600_000,
            "{path}: {} bytes",
            packed.bytes.len()
        );
        let kind =
            if file.ends_with(".js") { "text/javascript; charset=utf-8" } else { "text/css; charset=utf-8" };
        assert_eq!(plain.header("content-type"), Some(kind), "{path}");
        let tag = packed.header("etag").expect("a tag");
        assert_eq!(stage.ask(get(&path).header("if-none-match", tag)).await.status, 304, "{path}");
    }
    stage.ask(get("/docs/reference/other.js")).await.refused(404, "not_found");
    for shown in ["/v1/pm/orders/batch/amend", "/asyncapi.json", "bellwether watch", "href=\"/docs/guide\""] {
        assert!(answered.text().contains(shown), "{shown}");
    }
}

#[tokio::test]
async fn a_document_is_revalidated_and_both_its_forms_have_one_tag() {
    let stage = Stage::open().await;
    let paths = [
        "/openapi.json",
        "/openapi.json?numbers=string",
        "/openapi.yaml",
        "/openapi.yaml?numbers=string",
        "/asyncapi.json",
        "/docs",
    ];
    let mut tags = Vec::new();
    for path in paths {
        let plain = stage.ask(get(path)).await;
        let packed = stage.ask(get(path).header("accept-encoding", "gzip")).await;
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{path}");
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        let mut unpacked = Vec::new();
        GzDecoder::new(packed.bytes.as_slice()).read_to_end(&mut unpacked).expect("a whole stream");
        assert!(unpacked == plain.bytes, "{path}");
        let tag = plain.header("etag").expect("a tag").to_owned();
        assert_eq!(packed.header("etag"), Some(tag.as_str()), "{path}");
        let known = stage.ask(get(path).header("if-none-match", &tag)).await;
        assert_eq!((known.status, known.bytes.len()), (304, 0), "{path}");
        assert_eq!(known.header("cache-control"), Some("public, no-cache"), "{path}");
        tags.push(tag);
    }
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), paths.len());
}
