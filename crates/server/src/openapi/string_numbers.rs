//! The OpenAPI document of answers whose decimals are strings, made from the other one. The schemas say which numbers are
//! decimals.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::served::OPENAPI_VALUE;
use crate::edge::operation::JSON;

/// Every decimal in the string form.
const PATTERN: &str = r"^-?[0-9]+(\.[0-9]+)?$";

const STRING_FORM: &str = " This is the form with `X-Number-Format: string`: every decimal of an answer is a string. \
Requests have numbers.";

/// The operations of a document.
fn operations(document: &Value) -> impl Iterator<Item = &Value> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(_, item)| item.as_object().into_iter().flatten().map(|(_, operation)| operation))
}

/// Whether these responses can have a decimal.
fn has_decimals(document: &Value, responses: &Value) -> bool {
    let names = reachable(document, std::iter::once(responses));
    names.iter().any(|name| is_somewhere(&document["components"]["schemas"][name])) || is_somewhere(responses)
}

/// Whether a value is or has the schema of a decimal.
fn is_somewhere(value: &Value) -> bool {
    match value {
        Value::Object(fields) => is_decimal(value) || fields.values().any(is_somewhere),
        Value::Array(items) => items.iter().any(is_somewhere),
        _ => false,
    }
}

fn is_decimal(schema: &Value) -> bool {
    let types = &schema["type"];
    let is_number =
        types == "number" || types.as_array().is_some_and(|types| types.iter().any(|one| one == "number"));
    is_number && schema["format"] == "decimal"
}

/// The OpenAPI document of answers whose decimals are strings.
pub fn string_document() -> Value {
    let document = &*OPENAPI_VALUE;
    let mut changed = document.clone();
    for name in answered_schemas(document) {
        let pointer = format!("/components/schemas/{name}");
        if let (Some(schema), Some(place)) = (document.pointer(&pointer), changed.pointer_mut(&pointer)) {
            *place = in_strings(document, schema.clone());
        }
    }
    for (_, item) in changed["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            if has_decimals(document, &operation["responses"]) {
                ask_for_strings(operation);
            }
            let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
            for (_, response) in responses.into_iter().flatten() {
                if let Some(content) = response.get_mut("content").and_then(|content| content.get_mut(JSON)) {
                    *content = content_in_strings(document, content.take());
                }
            }
        }
    }
    let described = format!("{}{STRING_FORM}", changed["info"]["description"].as_str().unwrap_or_default());
    changed["info"]["description"] = described.into();
    changed
}

/// Adds the header to an operation, and the answer to a wrong one.
fn ask_for_strings(operation: &mut Value) {
    let header = json!({
        "name": "X-Number-Format",
        "in": "header",
        "description": "Every decimal of the answer is a string.",
        "required": true,
        "schema": {"$ref": "#/components/schemas/NumberFormat"},
    });
    match operation.get_mut("parameters").and_then(Value::as_array_mut) {
        Some(parameters) => parameters.push(header),
        None => operation["parameters"] = json!([header]),
    }
    if operation["responses"].get("400").is_none() {
        let error = json!({JSON: {"schema": {"$ref": "#/components/schemas/ErrorBody"}}});
        operation["responses"]["400"] = json!({"description": "Malformed", "content": error});
    }
}

/// The names of all schemas that answers have.
pub fn answered_schemas(document: &Value) -> BTreeSet<String> {
    reachable(document, operations(document).map(|operation| &operation["responses"]))
}

/// The names of all schemas that requests have.
pub fn requested_schemas(document: &Value) -> BTreeSet<String> {
    let parts = |operation: &'_ Value| [operation["requestBody"].clone(), operation["parameters"].clone()];
    let requests: Vec<Value> = operations(document).flat_map(parts).collect();
    reachable(document, requests.iter())
}

fn reachable<'a>(document: &'a Value, from: impl Iterator<Item = &'a Value>) -> BTreeSet<String> {
    let mut pending: Vec<&Value> = from.collect();
    let mut names = BTreeSet::new();
    while let Some(value) = pending.pop() {
        let reference = value.get("$ref").and_then(Value::as_str);
        let name = reference.and_then(|reference| reference.strip_prefix("#/components/schemas/"));
        if let Some(name) = name.filter(|name| names.insert((*name).to_owned())) {
            pending.push(&document["components"]["schemas"][name]);
        }
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(fields) => pending.extend(fields.values()),
            _ => {}
        }
    }
    names
}

/// The schema of a decimal becomes that of a string; all other schemas keep their form. Examples follow.
fn in_strings(document: &Value, mut schema: Value) -> Value {
    let shown = schema.clone();
    if let Some(example) = schema.get_mut("example") {
        quote(document, &[&shown], example);
    }
    for example in schema.get_mut("examples").and_then(Value::as_array_mut).into_iter().flatten() {
        quote(document, &[&shown], example);
    }
    if is_decimal(&schema) {
        let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
        if let Some(fields) = schema.as_object_mut() {
            fields.retain(|key, _| !bounds.contains(&key.as_str()));
        }
        schema["type"] = match schema["type"].is_array() {
            true => json!(["string", "null"]),
            false => json!("string"),
        };
        schema["pattern"] = PATTERN.into();
        return schema;
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        for choice in schema.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
            *choice = in_strings(document, choice.take());
        }
    }
    for (_, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        *property = in_strings(document, property.take());
    }
    for key in ["items", "additionalProperties"] {
        if let Some(part) = schema.get_mut(key).filter(|part| part.is_object()) {
            *part = in_strings(document, part.take());
        }
    }
    schema
}

/// The content of a response: its schema and its example.
fn content_in_strings(document: &Value, mut content: Value) -> Value {
    let shown = content["schema"].clone();
    if let Some(example) = content.get_mut("example") {
        quote(document, &[&shown], example);
    }
    if let Some(schema) = content.get_mut("schema") {
        *schema = in_strings(document, schema.take());
    }
    content
}

/// Makes the decimals of an example strings. `schemas` are those that its value may have.
fn quote(document: &Value, schemas: &[&Value], value: &mut Value) {
    let schemas: Vec<&Value> = schemas.iter().flat_map(|schema| alternatives(document, schema)).collect();
    let named = |key: &str, name: &str| -> Vec<&Value> {
        schemas.iter().filter_map(|schema| schema.get(key)?.get(name)).collect()
    };
    let others = |key: &str| -> Vec<&Value> { schemas.iter().filter_map(|schema| schema.get(key)).collect() };
    match value {
        Value::Number(number) if schemas.iter().any(|schema| is_decimal(schema)) => {
            *value = number.to_string().into();
        }
        Value::Array(items) => {
            let schemas = others("items");
            items.iter_mut().for_each(|item| quote(document, &schemas, item));
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                let schemas = named("properties", key);
                let schemas = if schemas.is_empty() { others("additionalProperties") } else { schemas };
                quote(document, &schemas, field);
            }
        }
        _ => {}
    }
}

/// A schema with those that it refers to and those of which it is one.
fn alternatives<'a>(document: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let mut found = vec![schema];
    if let Some(pointer) = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        let referred = document.pointer(pointer).into_iter();
        found.extend(referred.flat_map(|schema| alternatives(document, schema)));
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        let choices = schema[key].as_array().into_iter().flatten();
        found.extend(choices.flat_map(|choice| alternatives(document, choice)));
    }
    found
}
