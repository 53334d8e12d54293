//! The OpenAPI document is a snapshot: a change of the API shows in the diff. It must also match the router.

use api::Word;
use api::schema_fault::fault;
use api::stream::{Channel, DataType};
use expect_test::expect_file;
use serde_json::Value;
use server::asyncapi;
use server::openapi::{
    ADMIN_OPERATIONS, Access, Method, OPERATIONS, Operation, admin_document, admin_page, document, page,
};

#[test]
fn the_document_equals_the_reviewed_one() {
    let json = document().to_pretty_json().expect("a document");
    expect_file!["../documents/openapi.json"].assert_eq(&(json + "\n"));
}

#[test]
fn the_operators_document_equals_the_reviewed_one() {
    let json = admin_document().to_pretty_json().expect("a document");
    expect_file!["../documents/admin_openapi.json"].assert_eq(&(json + "\n"));
}

#[test]
fn the_document_of_the_streams_equals_the_reviewed_one() {
    let json = serde_json::to_string_pretty(&asyncapi::document()).expect("a document");
    expect_file!["../documents/asyncapi.json"].assert_eq(&(json + "\n"));
}

#[test]
fn every_type_and_channel_of_the_streams_is_described() {
    let document = asyncapi::document();
    for data_type in DataType::ALL {
        let row = asyncapi::sent().into_iter().find(|row| row.name == data_type.as_str());
        assert!(row.is_some_and(|row| !row.endpoints.is_empty()), "{data_type}");
    }
    for channel in Channel::ALL {
        let told =
            ["markets", "user", "realtime"].map(|name| document["channels"][name]["description"].clone());
        assert!(
            told.iter().any(|told| told.as_str().is_some_and(|told| told.contains(channel.as_str()))),
            "{channel}"
        );
    }
    for asked in asyncapi::RECEIVED {
        let payload = &document["components"]["messages"]
            [format!("client.{}.{}", asked.endpoint, asked.name)]["payload"];
        for key in asked.required.iter().chain(asked.optional) {
            assert!(payload["properties"][key].is_object(), "{} has no {key}", asked.name);
        }
    }
}

#[test]
fn every_operation_of_the_operators_names_a_role_and_only_theirs_do() {
    assert!(OPERATIONS.iter().all(|operation| !operation.access.is_operators()));
    for operation in ADMIN_OPERATIONS {
        let is_open = ["openapi", "docs", "metrics"].contains(&operation.id);
        assert_eq!(operation.access == Access::Public, is_open, "{}", operation.id);
        if operation.method == Method::Get && !is_open {
            assert_eq!(operation.access, Access::Viewer, "{}: a read is for all operators", operation.id);
        }
    }
}

#[test]
fn every_reference_of_the_documents_leads_somewhere() {
    let value = |document| serde_json::to_value(document).expect("a document");
    let documents = [(value(document()), 100), (value(admin_document()), 100), (asyncapi::document(), 70)];
    for (json, least) in documents {
        let mut pending = vec![&json];
        let mut references = 0;
        while let Some(value) = pending.pop() {
            if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
                references += 1;
                let pointer = reference.strip_prefix('#').expect("a reference into the document");
                assert!(json.pointer(pointer).is_some(), "{reference} leads nowhere");
            }
            match value {
                Value::Array(items) => pending.extend(items),
                Value::Object(fields) => pending.extend(fields.values()),
                _ => {}
            }
        }
        assert!(references > least, "only {references} references");
    }
}

#[test]
fn the_pages_name_every_operation_and_load_nothing() {
    for (html, operations) in [(page(), OPERATIONS), (admin_page(), ADMIN_OPERATIONS)] {
        for operation in operations {
            assert!(html.contains(operation.path) && html.contains(operation.summary), "{}", operation.id);
        }
        let outside = ["http://", "https://", "<style>@import", " onload=", "javascript:"];
        assert!(outside.iter().all(|word| !html.contains(word)));
        let scripts: Vec<&str> = html.split("<script").skip(1).collect();
        assert!(scripts.iter().all(|script| script.starts_with(" src=\"/docs/reference/")), "{scripts:?}");
    }
    assert!(!admin_page().contains("<script"));
}

/// The operations of the public document.
fn operations(json: &Value) -> impl Iterator<Item = (String, &Value)> {
    let paths = json["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

#[test]
fn every_operation_has_a_description_credentials_a_declared_tag_and_examples_that_fit() {
    let json = serde_json::to_value(document()).expect("a document");
    let schemas = json["components"]["schemas"].as_object().expect("schemas");
    let tags: Vec<&Value> = json["tags"].as_array().expect("tags").iter().map(|tag| &tag["name"]).collect();
    assert!(
        json["tags"].as_array().is_some_and(|tags| tags.iter().all(|tag| tag["description"].is_string()))
    );
    for part in ["/servers/0/url", "/info/contact/name", "/info/license/identifier"] {
        assert!(json.pointer(part).is_some_and(Value::is_string), "{part}");
    }
    let mut examples = 0;
    for (name, operation) in operations(&json) {
        assert!(operation["description"].as_str().is_some_and(|text| text.ends_with('.')), "{name}");
        assert!(operation["security"].is_array(), "{name}");
        assert!(tags.contains(&&operation["tags"][0]), "{name}");
        let request = operation["requestBody"]["content"]["application/json"].as_object();
        let answers = operation["responses"].as_object().into_iter().flatten();
        let success =
            answers.filter(|(status, _)| status.starts_with('2')).map(|(_, response)| &response["content"]);
        let success = success.filter_map(|content| content.as_object()?.values().next()?.as_object());
        for content in request.into_iter().chain(success) {
            let example = content.get("example").unwrap_or_else(|| panic!("{name} has no example"));
            // The schema of a whole document says no more than that it is an object.
            if content["schema"] != serde_json::json!({"type": "object"}) {
                assert_eq!(fault(schemas, &content["schema"], example), None, "{name}: {example}");
            }
            examples += 1;
        }
    }
    assert!(examples > OPERATIONS.len(), "{examples} examples");
}

#[test]
fn a_public_operation_needs_no_credentials_and_says_so() {
    let json = serde_json::to_value(document()).expect("a document");
    for operation in OPERATIONS {
        let security = &json["paths"][operation.path][operation.method.as_str().to_lowercase()]["security"];
        let is_public = security.as_array().is_some_and(Vec::is_empty);
        assert_eq!(is_public, operation.access == Access::Public, "{}: {security}", operation.id);
    }
}

/// The documents that show requests.
const DOCUMENTS: [(&str, &str); 4] = [
    ("README.md", include_str!("../../../README.md")),
    ("docs/api-guide.md", include_str!("../../../docs/api-guide.md")),
    ("docs/errors.md", include_str!("../../../docs/errors.md")),
    ("docs/decisions.md", include_str!("../../../docs/decisions.md")),
];

/// A path of a document, with ids or other words where the operation's has names.
fn fits(operation: &str, path: &str) -> bool {
    let (wanted, given): (Vec<_>, Vec<_>) = (operation.split('/').collect(), path.split('/').collect());
    let is_alike = |(wanted, given): (&&str, &&str)| wanted.starts_with('{') || wanted == given;
    wanted.len() == given.len() && wanted.iter().zip(&given).all(is_alike)
}

/// Everything behind `start` that looks like a path.
fn paths_behind<'a>(text: &'a str, start: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(start).filter_map(move |(at, _)| {
        let rest = &text[at + start.len()..];
        let end = rest.find([' ', '`', '\'', '"', '?', '\n', ')', ',', ';']).unwrap_or(rest.len());
        rest.starts_with('/').then(|| rest[..end].trim_end_matches('.'))
    })
}

#[test]
fn every_request_that_the_documents_show_is_an_operation() {
    let mut shown = 0;
    for (name, text) in DOCUMENTS {
        for method in ["GET", "POST", "PUT", "DELETE"] {
            for path in paths_behind(text, &format!("{method} ")) {
                let is_known = |operation: &&Operation| {
                    operation.method.as_str() == method && fits(operation.path, path)
                };
                assert!(OPERATIONS.iter().any(|operation| is_known(&operation)), "{name}: {method} {path}");
                shown += 1;
            }
        }
        for path in paths_behind(text, "localhost:8080") {
            assert!(OPERATIONS.iter().any(|operation| fits(operation.path, path)), "{name}: {path}");
            shown += 1;
        }
    }
    assert!(shown > 20, "only {shown} requests");
}

#[test]
fn every_key_that_the_guide_shows_is_in_the_document() {
    let json = document().to_json().expect("a document");
    let guide = DOCUMENTS[1].1;
    let mut keys = 0;
    for (end, _) in guide.match_indices("\":") {
        let key = guide[..end].rsplit('"').next().unwrap_or_default();
        assert!(json.contains(&format!("\"{key}\":")), "{key} is no field of the API");
        keys += 1;
    }
    assert!(keys > 80, "only {keys} keys");
}
